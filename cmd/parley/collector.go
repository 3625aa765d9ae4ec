package main

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

const (
	// collectAt is by how many per cent the memory in use may grow before the
	// collector runs. Go's own 100 takes some 15 % of a busy node's processor, since
	// each answer that streams makes garbage; what is alive is small beside that.
	collectAt = 200
	// memoryShare is the part of the machine's memory (or of the container's) from
	// which on the collector works harder instead of letting the program grow.
	memoryShare = 0.5
)

// tuneCollector trades memory for processor time, as far as there is memory.
// GOGC and GOMEMLIMIT, where they are set, stand.
func tuneCollector(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if getenv("GOMEMLIMIT") != "" {
		return
	}
	if all := memory(os.ReadFile); all > 0 {
		debug.SetMemoryLimit(int64(float64(all) * memoryShare))
	}
}

// memory is how many bytes the program may use: what its control group says, else
// what the machine has; 0 where neither can be read.
func memory(read func(string) ([]byte, error)) int64 {
	var all int64
	if b, err := read("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(b)) {
			if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
				kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
				if err == nil {
					all = kb << 10
				}
			}
		}
	}
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		b, err := read(name)
		if err != nil {
			continue
		}
		// "max", and the huge number of the older kind, mean no limit.
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && limit > 0 && (all == 0 || limit < all) {
			all = limit
		}
	}
	return all
}
