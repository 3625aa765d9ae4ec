package embeddedtest

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestClearFolders(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	data := func(n int) string { return filepath.Join(base, strconv.Itoa(n), "data") }
	taken := make([]int, 0, keptFolders+3)

	for n := range keptFolders + 3 {
		folder, err := takeFolder(base)
		require.NoError(t, err)
		require.Equal(t, filepath.Join(base, strconv.Itoa(n)), folder)
		require.NoError(t, os.Mkdir(data(n), 0o700))
	}

	// All owners end except the last one.
	for n := range keptFolders + 2 {
		require.NoError(t, os.RemoveAll(filepath.Dir(data(n))))
		require.NoError(t, os.MkdirAll(data(n), 0o700))

		fd, ok, err := take(filepath.Dir(data(n)), syscall.O_CREAT)
		require.NoError(t, err)
		require.True(t, ok)
		taken = append(taken, fd)
	}

	require.NoError(t, clearFolders(base))
	require.DirExists(t, data(keptFolders), "it is taken")

	for _, fd := range taken {
		require.NoError(t, syscall.Close(fd))
	}

	// A child process that another test starts at this moment holds the locks until its exec.
	require.Eventually(t, func() bool {
		_, first := os.Stat(data(keptFolders))
		_, second := os.Stat(data(keptFolders + 1))

		return clearFolders(base) == nil && os.IsNotExist(first) && os.IsNotExist(second)
	}, time.Minute, time.Millisecond)
	require.DirExists(t, data(0), "it is kept for later runs")
	require.DirExists(t, data(keptFolders+2), "its owner still runs")
}
