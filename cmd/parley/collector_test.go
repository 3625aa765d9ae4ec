package main

import (
	"os"
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
