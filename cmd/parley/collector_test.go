package main

import (
	"cmp"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	files := func(content map[string]string) func(string) ([]byte, error) {
		return func(name string) ([]byte, error) {
			if text, ok := content[name]; ok {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		}
	}
	machine := "MemTotal:       16384 kB\nMemFree:  1 kB\n"
	require.Equal(t, int64(16<<20), memory(files(map[string]string{"/proc/meminfo": machine})))
	require.Equal(t, int64(4<<20), memory(files(map[string]string{"/proc/meminfo": machine, "/sys/fs/cgroup/memory.max": "4194304\n"})))
	require.Equal(t, int64(16<<20), memory(files(map[string]string{"/proc/meminfo": machine, "/sys/fs/cgroup/memory.max": "max\n"})))
	require.Equal(t, int64(16<<20), memory(files(map[string]string{
		"/proc/meminfo": machine, "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
	})))
	require.Zero(t, memory(files(nil)))
}

func TestCollectPercent(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	for alive, want := range map[uint64]int{
		0: 200, 1: 200, 25 * mb: 200, 31 * mb: 200, 32 * mb: 250, 50 * mb: 400, 100 * mb: 800, 136 * mb: 1050, 137 * mb: 1050,
		150 * mb: 1000, 200 * mb: 750, 214 * mb: 700, 300 * mb: 700, 64 << 30: 700, 1 << 50: 700,
	} {
		require.Equal(t, want, collectPercent(alive), "%d MB", alive/mb)
	}

	t.Run("HasNoJumps", func(t *testing.T) {
		t.Parallel()
		// If the live heap is 1 % larger, the growth is at most about a quarter larger, rounding
		// included, and at most slightly smaller.
		grows := func(alive uint64) float64 { return float64(alive) * float64(collectPercent(alive)) / 100 }
		for alive := uint64(mb); alive < 64<<30; alive += alive / 100 {
			before, after := grows(alive), grows(alive+alive/100)
			require.LessOrEqual(t, after, 1.27*before, "%d MB", alive/mb)
			require.GreaterOrEqual(t, after, 0.94*before, "%d MB", alive/mb)
		}
	})

	runtime.GC()
	require.Positive(t, reading("/gc/heap/live:bytes"), "the size of the live heap can be read")
	require.Positive(t, reading("/gc/heap/allocs:bytes"), "the bytes that were allocated can be read")
}

func TestQuietPercent(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	for name, c := range map[string]struct {
		alive     uint64
		perSecond float64
		want      int
		pause     time.Duration
	}{
		"Nothing":        {200 * mb, 0, quietLeast, 0},
		"KeepAlives":     {200 * mb, 0.3 * mb, quietLeast, 0},
		"HundredStreams": {50 * mb, 2 * mb, 400, 0},
		"Some":           {200 * mb, 1 * mb, 50, 0},
		"ManyStreams":    {200 * mb, 10 * mb, 600, 0},
		"Most":           {200 * mb, 100 * mb, 750, 0},
		"NotMeasuredYet": {0, 0, collectLeast, 0},
		"IdleSockets":    {80 * mb, 2 * mb, quietLeast, idlePause},
		"Arriving":       {80 * mb, 40 * mb, 500, idlePause},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, quietPercent(collectPercent(c.alive), c.alive, c.perSecond, cmp.Or(c.pause, collectPause)))
		})
	}
	var a allocation
	a.look(20 * mb)
	require.InDelta(t, 10*mb, a.perSecond, 1)
	a.look(20 * mb)
	require.InDelta(t, 9*mb, a.perSecond, 1, "a quiet moment hardly counts")
	a.look(220 * mb)
	require.InDelta(t, 100*mb, a.perSecond, 1, "a burst counts at once")
}

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	const gb = 1 << 30
	for alive, want := range map[uint64]float64{0: 7, 1 * gb: 7, 4 * gb: 7, 5 * gb: 7.5, 6 * gb: 9, 7 * gb: 9, 10 * gb: 9, 20 * gb: 9} {
		require.InDelta(t, want*gb, memoryLimit(10*gb, alive), 0.1*gb, "%d GB", alive/gb)
	}
	for _, all := range []int64{1, 64 << 20, 512 << 20, 16 * gb, 4096 * gb} {
		require.LessOrEqual(t, memoryLimit(all, 1<<60), all)
		before := memoryLimit(all, 0)
		for percent := int64(1); percent <= 100; percent++ {
			alive := all / 100 * percent
			limit := memoryLimit(all, uint64(alive))
			require.GreaterOrEqual(t, limit, before, "the limit never falls when the live heap grows")
			require.LessOrEqual(t, limit-before, all/50+1, "the limit has no jumps")
			if percent <= 60 {
				require.GreaterOrEqual(t, float64(limit), 1.48*float64(alive), "%d %% live: the limit leaves space for garbage", percent)
			}
			before = limit
		}
	}
}

// Conversations that only have readers must not keep the collector from running often: 10,000 idle sockets would hold
// 53 kB each.
func TestMeter_Idle(t *testing.T) {
	t.Parallel()
	m := newMeter(prometheus.NewRegistry())
	m.lives["conversation"].Store(10_000)
	require.True(t, m.idle())
	m.running.Store(1)
	require.False(t, m.idle())
}
