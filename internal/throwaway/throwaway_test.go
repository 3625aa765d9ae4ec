package throwaway

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// childBase is an environment variable that makes the test binary an owner that will be killed.
const childBase = "PARLEY_THROWAWAY_TEST_CHILD"

func TestMain(m *testing.M) {
	if base := os.Getenv(childBase); base != "" {
		dir, err := Folder(base, "parley-x-")
		fmt.Println(dir, err)
		select {}
	}
	os.Exit(m.Run())
}

// owner starts a process that makes a folder, adds a subfolder to it, and returns the folder
// and a function that kills the process.
func owner(t *testing.T, base string) (dir string, kill func()) {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	command := exec.Command(program)
	command.Env = append(os.Environ(), childBase+"="+base)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	var once sync.Once
	kill = func() {
		once.Do(func() {
			require.NoError(t, command.Process.Kill())
			require.Error(t, command.Wait(), "the process was killed")
		})
	}
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	dir, said, _ := strings.Cut(strings.TrimSpace(line), " ")
	require.Equal(t, "<nil>", said)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "postgres", "base"), 0o700))
	return dir, kill
}

func TestFolder(t *testing.T) {
	t.Parallel()

	t.Run("OKRemovesTheFolderOfADeadOwner", func(t *testing.T) {
		t.Parallel()
		base := t.TempDir()
		left, kill := owner(t, base)
		other, _ := owner(t, base)
		require.DirExists(t, left, "both owners run")
		kill()
		own, err := Folder(base, "parley-x-")
		require.NoError(t, err)
		require.NoDirExists(t, left)
		require.DirExists(t, other, "its owner runs")
		require.NoError(t, Sweep(base, "parley-x-"))
		require.DirExists(t, own)
	})

	t.Run("OKManyAtOnce", func(t *testing.T) {
		t.Parallel()
		base := t.TempDir()
		var left []string
		for range 3 {
			dir, kill := owner(t, base)
			left = append(left, dir)
			kill()
		}
		var all sync.WaitGroup
		errs, dirs := make([]error, 20), make([]string, 20)
		for i := range errs {
			all.Go(func() { dirs[i], errs[i] = Folder(base, "parley-x-") })
		}
		all.Wait()
		for i, err := range errs {
			require.NoError(t, err)
			require.DirExists(t, dirs[i])
		}
		for _, dir := range left {
			require.NoDirExists(t, dir)
		}
	})

	t.Run("OKKeepsFoldersWithoutAMark", func(t *testing.T) {
		t.Parallel()
		base := t.TempDir()
		data := filepath.Join(base, "parley-x-data")
		require.NoError(t, os.MkdirAll(filepath.Join(data, "postgres"), 0o700))
		elsewhere := filepath.Join(base, "parley-y-1")
		require.NoError(t, os.Mkdir(elsewhere, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(elsewhere, markName), []byte("1 0 x\n"), 0o600))
		unread := filepath.Join(base, "parley-x-unread")
		require.NoError(t, os.Mkdir(unread, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(unread, markName), []byte("nobody\n"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(base, "parley-x-file"), nil, 0o600))
		require.NoError(t, Sweep(base, "parley-x-"))
		for _, dir := range []string{data, elsewhere, unread} {
			require.DirExists(t, dir)
		}
	})

	t.Run("OKRunningOwnerNeedsNoLock", func(t *testing.T) {
		t.Parallel()
		base := t.TempDir()
		marked := func(said string) string {
			dir := filepath.Join(base, "parley-x-"+strconv.Itoa(len(said))+said[len(said)-8:len(said)-1])
			require.NoError(t, os.Mkdir(dir, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, markName), []byte(said), 0o600))
			return dir
		}
		mine := identity(os.Getpid())
		living := marked(mine)
		// The process id is the same, but the start time is another: this is another owner.
		before := marked(strings.Replace(mine, " ", " 1", 1))
		require.NoError(t, Sweep(base, "parley-x-"))
		require.DirExists(t, living)
		require.NoDirExists(t, before)
	})

	t.Run("OKKeepsARunningDatabaseServer", func(t *testing.T) {
		t.Parallel()
		base := t.TempDir()
		left, kill := owner(t, base)
		pid := filepath.Join(left, "postgres", "postmaster.pid")
		require.NoError(t, os.WriteFile(pid, []byte(strconv.Itoa(os.Getpid())+"\nmore\n"), 0o600))
		kill()
		require.NoError(t, Sweep(base, "parley-x-"))
		require.DirExists(t, left)
		require.NoError(t, os.Remove(pid))
		// A process that another test forks can hold the lock of the previous sweep until its exec.
		require.Eventually(t, func() bool {
			_, err := os.Stat(left)
			return Sweep(base, "parley-x-") == nil && os.IsNotExist(err)
		}, time.Minute, time.Millisecond)
	})

	t.Run("ErrNoBase", func(t *testing.T) {
		t.Parallel()
		_, err := Folder(filepath.Join(t.TempDir(), "none"), "parley-x-")
		require.ErrorIs(t, err, os.ErrNotExist)
	})
}
