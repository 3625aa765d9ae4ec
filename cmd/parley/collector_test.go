package main

import (
	"os"
	"runtime"
	"testing"

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
		0: 200, 50 * mb: 200, 100 * mb: 200, 101 * mb: 1450, 120 * mb: 1250, 150 * mb: 1000, 200 * mb: 750, 215 * mb: 700, 64 << 30: 700,
	} {
		require.Equal(t, want, collectPercent(alive), "%d MB", alive/mb)
	}
	runtime.GC()
	require.Positive(t, alive(), "what is alive can be read")
}
