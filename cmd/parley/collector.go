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
	// collectLeast is the minimum of GOGC: by how many per cent the memory in use may grow
	// before the collector runs. With Go's default of 100 the collector takes about 15 % of
	// the CPU time of a busy node, because every streaming answer produces garbage and the
	// live heap is small in comparison.
	collectLeast = 200
	// collectPerMB is how many per cent GOGC rises for each live MB. Its maximum is a growth
	// of muchGrowth bytes, or collectMuch per cent if that is more.
	collectPerMB = 8
	collectMuch  = 700
	muchGrowth   = 1500 << 20
	// The percentage is rounded down to a multiple of collectStep, because each change stops
	// the world for a moment.
	collectStep = 50

	// collectPause is the time between two collections that is long enough: a node that allocates
	// little need not let its memory grow further. A mark phase of 200 MB in two minutes is 0.2 % of
	// a core. While no answer runs, nobody waits for text, so that a mark phase may come sooner: of the
	// 80 MB that 10,000 idle sockets hold, every ten seconds, it is 0.8 % of a core. quietLeast is the
	// minimum of GOGC for such a node.
	collectPause = 2 * time.Minute
	idlePause    = 10 * time.Second
	quietLeast   = 25
	// allocationFades is the share of the rate of allocation that remains after collectorLook, so
	// that a node which has become quiet for a moment keeps its percentage.
	allocationFades = 0.9

	// collectorLook is the time between two checks of the live heap.
	collectorLook = 2 * time.Second

	// memoryShare is the share of the machine's memory (or of the container's) above which
	// the collector works harder instead of letting the program grow. The rest is for the
	// processes that the node starts: queries, readers of files and a private Postgres.
	memoryShare = 0.7
	// memoryMost is the maximum of that share, for a live heap that needs so much.
	memoryMost = 0.9
	// memoryRoom is the minimum of the memory limit as a multiple of the live heap. With a
	// live heap of 600 MB, collecting 2 GB of garbage costs 2.8 s of CPU time at a limit of
	// 1.5 times the live heap, 6.3 s at 1.35 times and 27 s at 1.17 times.
	memoryRoom = 1.5
)

// tuneCollector lets the program use more memory to save CPU time, as far as memory is
// available, until the node is closed. It does not change GOGC or GOMEMLIMIT if they are set.
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
	rate := allocation{}
	tune := func() {
		alive := reading("/gc/heap/live:bytes")
		rate.look(reading("/gc/heap/allocs:bytes"))
		pause := collectPause
		if n.meter.idle() {
			pause = idlePause
		}
		if now := quietPercent(collectPercent(alive), alive, rate.perSecond, pause); own && now != percent {
			percent = now
			debug.SetGCPercent(percent)
		}
		if now := memoryLimit(all, alive); all > 0 && now != limit {
			limit = now
			debug.SetMemoryLimit(limit)
		}
	}
	tune()
	n.running.started("stop tuning the collector", quietly(n.collecting.stop))
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

// collectPercent returns the value of GOGC for a number of live bytes: by how many per cent
// the memory in use may grow. The duration of a mark phase is proportional to the live heap:
// with 5,000 running answers it is a second of a full core, and in that second all text is
// late. With a fixed percentage the share of time spent in mark phases would be the same
// however long one takes; here, the longer a mark phase takes, the rarer it is. The growth is
//
//	clamp(alive² · 8 % per MB, 2 · alive, max(1.5 GB, 7 · alive))
//
// This function has no jumps: a node with slightly more work takes slightly more memory.
func collectPercent(alive uint64) int {
	const mb = 1 << 20
	if alive == 0 {
		return collectLeast
	}
	limit := max(collectMuch, 100*muchGrowth/alive)
	//nolint:gosec // at most limit, which is small
	return int(min(max(collectLeast, collectPerMB*alive/mb), limit)) / collectStep * collectStep
}

// quietPercent returns the value of GOGC for a node that allocates this many bytes a second: not more
// than what lets a pause pass between two collections, so that a node that has become quiet gives
// back what arrivals have left behind. docs/performance.md, “Sockets”, has what that saves.
func quietPercent(percent int, alive uint64, perSecond float64, pause time.Duration) int {
	if alive == 0 {
		return percent
	}
	enough := 100 * perSecond * pause.Seconds() / float64(alive)
	if enough >= float64(percent) {
		return percent
	}
	return min(percent, max(quietLeast, int(enough)/collectStep*collectStep))
}

// allocation is how fast the program allocates memory.
type allocation struct {
	total     uint64
	perSecond float64
}

// look takes the number of bytes that were allocated since the start, every collectorLook. A higher
// rate counts at once, a lower one slowly.
func (a *allocation) look(total uint64) {
	now := float64(total-min(a.total, total)) / collectorLook.Seconds()
	a.total, a.perSecond = total, max(now, a.perSecond*allocationFades)
}

// memoryLimit returns how many bytes the program may use before the collector works harder;
// all is the memory of the machine, and alive is the live heap. The limit rises when the live
// heap comes close to it: a collector that finds nothing to free would take half of the CPU
// time. If the live heap is close to memoryMost, the machine is too small.
func memoryLimit(all int64, alive uint64) int64 {
	highest := float64(all) * memoryMost
	limit := min(max(float64(alive)*memoryRoom, float64(all)*memoryShare), highest)
	// The limit changes in steps of one hundredth, because each change stops the world for a moment.
	step := max(float64(all)/100, 1)
	return int64(math.Round(limit/step) * step)
}

// reading returns a number of bytes that Go's runtime measures: the live heap, as the last mark phase
// found it, or all that was allocated since the start.
func reading(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0 // a later Go may not have this metric; then collectLeast and memoryShare apply
	}
	return sample[0].Value.Uint64()
}

// memory returns how many bytes the program may use: the limit of its control group, or the
// memory of the machine if that is less or there is no limit; 0 if neither can be read.
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
		// "max", and the huge number in version 1 of control groups, mean no limit.
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && limit > 0 && (all == 0 || limit < all) {
			all = limit
		}
	}
	return all
}
