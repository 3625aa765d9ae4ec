package main

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the samples of the faults count is there when this process itself has it, and gone when it is gone.
func TestSamples(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n, err := filesBelow(dir, filepath.Join(dir, "not there"))
	require.NoError(t, err)
	require.Zero(t, n)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "deep", "er"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "deep", "er", "file"), nil, 0o600))
	n, err = filesBelow(dir)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	open := func() int {
		all, err := socketsAt(os.Getpid(), port)
		require.NoError(t, err)
		return len(all)
	}
	require.Zero(t, open(), "one that listens is no connection")
	client, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	server, err := l.Accept()
	require.NoError(t, err)
	require.Equal(t, 1, open(), "the server's end alone")
	require.NoError(t, client.Close())
	require.NoError(t, server.Close())
	require.True(t, waitUntil(t.Context(), func() bool { return open() == 0 }))

	// A worker whose parent has ended belongs to nobody. The shell writes the id of what it leaves behind, and ends.
	sleep, err := exec.LookPath("sleep")
	require.NoError(t, err)
	worker := filepath.Join(dir, "worker")
	require.NoError(t, os.Symlink(sleep, worker))
	require.Empty(t, runningOf(worker))
	child := exec.CommandContext(t.Context(), worker, "600")
	require.NoError(t, child.Start())
	require.Equal(t, map[int]int{child.Process.Pid: os.Getpid()}, runningOf(worker))
	require.NoError(t, child.Process.Kill())
	require.Error(t, child.Wait())
	require.Empty(t, runningOf(worker))

	life, over := context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(over)
	shell := exec.CommandContext(life, "sh", "-c", worker+" 600 >/dev/null 2>&1 & echo $!")
	out, err := shell.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, shell.Start())
	require.True(t, bufio.NewScanner(out).Scan())
	require.NoError(t, shell.Wait())
	left := runningOf(worker)
	require.Len(t, left, 1)
	for pid, parent := range left {
		require.NotEqual(t, os.Getpid(), parent)
		p, err := os.FindProcess(pid)
		require.NoError(t, err)
		require.NoError(t, p.Kill())
	}
}
