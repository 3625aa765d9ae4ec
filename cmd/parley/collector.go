package main

import (
	"context"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

const (
	// collectLeast is by how many per cent the memory in use may grow, at least, before
	// the collector runs. Go's own 100 takes some 15 % of a busy node's processor, since
	// each answer that streams makes garbage; what is alive is small beside that.
	collectLeast = 200
	// collectPerMB is how many per cent that is for each MB alive, up to what muchGrowth
	// comes to, or to collectMuch where that is more.
	collectPerMB = 8
	collectMuch  = 700
	muchGrowth   = 1500 << 20
	// collectStep is what the percentage is rounded down to: each change stops the world
	// for a moment.
	collectStep = 50

	// collectorLook is the time between two looks at what is alive.
	collectorLook = 2 * time.Second

	// memoryShare is the part of the machine's memory (or of the container's) from which
	// on the collector works harder instead of letting the program grow. The rest is for
	// what the node starts: queries and readers of files, and a private Postgres.
	memoryShare = 0.7
	// memoryMost is the part that it may come to where that much is needed.
	memoryMost = 0.9
	// memoryRoom is the least that the memory may be as a multiple of what is alive. With
	// 600 MB alive, 2 GB of garbage cost 2.8 s of processor at a limit of 1.5 times that,
	// 6.3 at 1.35 times, 27 at 1.17 times.
	memoryRoom = 1.5
)

// tuneCollector trades memory for processor time, as far as there is memory, until the
// node is closed. GOGC and GOMEMLIMIT, where they are set, stand.
func (n *node) tuneCollector(ctx context.Context, getenv func(string) string) error {
	var all int64
	if getenv("GOMEMLIMIT") == "" {
		all = memory(os.ReadFile)
	}
	own := getenv("GOGC") == ""
	if all == 0 && !own {
		return nil
	}
	percent, limit := 0, int64(0)
	tune := func() {
		alive := alive()
		if now := collectPercent(alive); own && now != percent {
			percent = now
			debug.SetGCPercent(percent)
		}
		if now := memoryLimit(all, alive); all > 0 && now != limit {
			limit = now
			debug.SetMemoryLimit(limit)
		}
	}
	tune()
	return n.collecting.start(ctx, func(ctx context.Context) {
		look := time.NewTicker(collectorLook)
		defer look.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-look.C:
				tune()
			}
		}
	})
}

// collectPercent is the value of GOGC for a number of live bytes: by how many per cent the
// memory in use may grow. A mark takes as long as what is alive, with 5,000 running answers a second
// of a full core, and in that second all text is late. A fixed percentage would keep the
// part of the time in which it is marked the same however long a mark takes; here the
// longer a mark takes, the rarer it is. The growth is
//
//	clamp(alive² · 8 % per MB, 2 · alive, max(1.5 GB, 7 · alive))
//
// so it has no step: a node that gets busier by a little takes a little more memory.
func collectPercent(alive uint64) int {
	const mb = 1 << 20
	if alive == 0 {
		return collectLeast
	}
	most := max(collectMuch, 100*muchGrowth/alive)
	//nolint:gosec // at most "most", which is small
	return int(min(max(collectLeast, collectPerMB*alive/mb), most)) / collectStep * collectStep
}

// memoryLimit is how many bytes the program may take before the collector works harder, for
// the machine's bytes and the live ones. It rises when the live bytes come near it: a
// collector that finds nothing to free would take half of the processor. Live bytes near
// memoryMost are more than the machine has room for.
func memoryLimit(all int64, alive uint64) int64 {
	most := float64(all) * memoryMost
	limit := min(max(float64(alive)*memoryRoom, float64(all)*memoryShare), most)
	// In steps of a hundredth, since each change stops the world for a moment.
	step := max(float64(all)/100, 1)
	return int64(math.Round(limit/step) * step)
}

// alive is what the last mark found.
func alive() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0 // a later Go may not know it any more; then collectLeast and memoryShare stand
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
