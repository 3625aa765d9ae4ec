package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors/workbench/frame"
)

// walled starts the worker directly, without a bench, as the given user and with a root folder. It returns the process, a
// function that sends a request, and the hello message.
func walled(t *testing.T, user uint32, become, root string) (*exec.Cmd, func(frame.Request) frame.Reply, frame.Hello) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can start the worker as other users")
	}
	cmd := exec.CommandContext(t.Context(), worker, "walled", root, become, "2147483648", "536870912", "7", "64", "0")
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
	})
	var hello frame.Hello
	require.NoError(t, frame.Read(out, &hello, frame.MaxReply))
	return cmd, func(r frame.Request) frame.Reply {
		require.NoError(t, frame.Write(in, r, frame.MaxRequest))
		var reply frame.Reply
		require.NoError(t, frame.Read(out, &reply, frame.MaxReply))
		return reply
	}, hello
}

func openFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}

// proc returns a field of the status or the limits of a process.
func proc(t *testing.T, pid int, file, field string) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	require.NoError(t, err)
	for line := range strings.SplitSeq(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, field); ok {
			return strings.Join(strings.Fields(strings.TrimPrefix(rest, ":")), " ")
		}
	}
	require.Fail(t, "no such field", field)
	return ""
}

// TestWorker_Walls checks the sandbox of a waiting worker from outside the process.
func TestWorker_Walls(t *testing.T) {
	t.Parallel()
	dir := openFolder(t)
	cmd, _, hello := walled(t, 0, "65534", dir)
	pid := cmd.Process.Pid
	require.Equal(t, frame.Walls{Root: true, Calls: true, User: 65534}, hello.Walls)
	root, err := os.Readlink(fmt.Sprintf("/proc/%d/root", pid))
	require.NoError(t, err)
	require.Equal(t, dir, root)
	environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	require.NoError(t, err)
	require.Empty(t, environment)
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	require.NoError(t, err)
	require.NotEmpty(t, tasks)
	for _, task := range tasks { // every thread, not only the first
		if _, err := os.Stat(task); os.IsNotExist(err) {
			continue // the thread has ended
		}
		file := strings.TrimPrefix(task, fmt.Sprintf("/proc/%d/", pid)) + "/status"
		require.Equal(t, "65534 65534 65534 65534", proc(t, pid, file, "Uid"))
		require.Equal(t, "65534 65534 65534 65534", proc(t, pid, file, "Gid"))
		require.Empty(t, proc(t, pid, file, "Groups"))
		require.Equal(t, "0000000000000000", proc(t, pid, file, "CapEff"))
		require.Equal(t, "0000000000000000", proc(t, pid, file, "CapPrm"))
		require.Equal(t, "1", proc(t, pid, file, "NoNewPrivs"))
		require.Equal(t, "2", proc(t, pid, file, "Seccomp"))
	}
	for field, want := range map[string]string{
		"Max address space": "2147483648 2147483648 bytes", "Max data size": "536870912 536870912 bytes",
		"Max cpu time": "7 7 seconds", "Max open files": "64 64 files", "Max file size": "0 0 bytes", "Max core file size": "0 0 bytes",
	} {
		require.Equal(t, want, proc(t, pid, "limits", field), field)
	}
}

// TestWorker_WallsOfAnOrdinaryUser: a worker that may not change its root still cannot read files outside its folder.
func TestWorker_WallsOfAnOrdinaryUser(t *testing.T) {
	t.Parallel()
	dir, outside := openFolder(t), openFolder(t)
	b := setup(t)
	source, _ := b.prepare(t, "t.csv", "a\n1\n")
	content, err := os.ReadFile(source.WorkKey)
	require.NoError(t, err)
	for _, folder := range []string{dir, outside} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "0.duckdb"), content, 0o644))
	}
	ask := func(file string) frame.Reply {
		_, ask, hello := walled(t, 1234, "0", dir)
		require.Equal(t, frame.Walls{Root: true, Calls: true, User: 1234}, hello.Walls)
		return ask(frame.Request{Kind: frame.KindQuery, Query: &frame.Query{
			SQL: "FROM t", Millis: 60_000, Caps: frame.Caps{Rows: 10, Columns: 10, Bytes: 1000, Cell: 100},
			Databases: []frame.Database{{File: file, Alias: "s1", Views: []frame.View{{Name: "t", Table: "t"}}}},
		}})
	}
	require.JSONEq(t, "[[1]]", string(ask("0.duckdb").Result.Rows))
	require.NotNil(t, ask(filepath.Join(outside, "0.duckdb")).Fault)
}

func TestWorker_DoesNothingByItself(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), worker).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "started by parley")
}
