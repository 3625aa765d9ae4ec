package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

const (
	// collectAt is by how many per cent the memory in use may grow before the
	// collector runs. Go's own 100 takes some 15 % of a busy node's processor, since
	// each answer that streams makes garbage; what is alive is small beside that.
	collectAt = 200
	// collectMuch is that figure for a node with much alive, at least.
	collectMuch = 700
	// littleAlive is how much may be alive for collectAt to hold. With more muchGrowth is
	// allowed, or collectMuch, whichever is more.
	littleAlive = 100 << 20
	muchGrowth  = 1500 << 20
	// collectorLook is how often it is looked what is alive.
	collectorLook = 2 * time.Second
	// memoryShare is the part of the machine's memory (or of the container's) from
	// which on the collector works harder instead of letting the program grow.
	memoryShare = 0.5
)

// tuneCollector trades memory for processor time, as far as there is memory, until ctx
// ends. GOGC and GOMEMLIMIT, where they are set, stand.
func tuneCollector(ctx context.Context, getenv func(string) string) {
	if getenv("GOMEMLIMIT") == "" {
		if all := memory(os.ReadFile); all > 0 {
			debug.SetMemoryLimit(int64(float64(all) * memoryShare))
		}
	}
	if getenv("GOGC") != "" {
		return
	}
	percent := collectAt
	debug.SetGCPercent(percent)
	go func() {
		look := time.NewTicker(collectorLook)
		defer look.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-look.C:
			}
			if now := collectPercent(alive()); now != percent {
				percent = now
				debug.SetGCPercent(percent)
			}
		}
	}()
}

// collectPercent is how many per cent the memory in use may grow when so many bytes
// are alive. A mark takes as long as what is alive, with 5,000 running answers a second
// of a full core, and in that second all text is late. A fixed percentage would keep the
// part of the time in which it is marked the same however long a mark takes; this one
// makes long marks rare. It goes in steps, since each change stops the world for a moment.
func collectPercent(alive uint64) int {
	const step = 50
	if alive <= littleAlive {
		return collectAt
	}
	return int(max(collectMuch, 100*muchGrowth/alive) / step * step)
}

// alive is what the last mark found.
func alive() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0 // a later Go may not know it any more; then collectAt stands
	}
	return sample[0].Value.Uint64()
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
