package embedded

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// mustMount makes a folder on a file system of the given size.
func mustMount(t *testing.T, cfg Config, size string) string {
	t.Helper()

	small := filepath.Join(cfg.FallbackDir, "small")
	require.NoError(t, os.Mkdir(small, 0o755))

	if err := syscall.Mount("none", small, "tmpfs", 0, "size="+size+",mode=755"); err != nil {
		t.Skip("needs the right to mount a small file system")
	}

	// A child process that another test starts at this moment holds every open file of this
	// process until its exec, so the file system is detached and ends when the files are
	// closed.
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(small, syscall.MNT_DETACH)) })

	return small
}

func TestStart_Disk(t *testing.T) {
	t.Parallel()

	t.Run("ErrDiskFull", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		small := mustMount(t, cfg, "20m")

		cfg.DataDir = small
		_, err := Start(t.Context(), cfg)
		require.ErrorContains(t, err, "the disk is full: "+small+" has ")
		require.NotContains(t, err.Error(), "\n")
	})

	t.Run("ErrFillsUpLater", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		small := mustMount(t, cfg, "160m")

		cfg.DataDir = small
		server, err := Start(t.Context(), cfg)
		require.NoError(t, err)
		require.NoError(t, server.Stop(t.Context()))

		// This fills the remaining space, so that the server cannot write its pid.
		require.Error(t, os.WriteFile(filepath.Join(small, "fill"), make([]byte, 160<<20), 0o600))

		_, err = Start(t.Context(), cfg)
		require.ErrorContains(t, err, "the disk is full")
		require.NotContains(t, err.Error(), "\n")
	})
}
