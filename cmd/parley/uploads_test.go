package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// The next node to start removes the uploads that a killed node was checking, and keeps the
// uploads of a node that still runs.
func TestUploadFolder(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	living, err := uploadFolder(data, "8080")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(living, "upload"), []byte("salaries"), 0o600))

	ended := exec.CommandContext(t.Context(), "true")
	require.NoError(t, ended.Run())
	killed := filepath.Join(data, "uploads", "node-killed")
	require.NoError(t, os.MkdirAll(filepath.Join(killed, "parley-info-1"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(killed, "parley-info-1", "upload"), []byte("salaries"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(killed, ".throwaway"), []byte(strconv.Itoa(ended.Process.Pid)+" 1 boot\n"), 0o600))
	old := filepath.Join(data, "uploads", "8080", "parley-info-2")
	require.NoError(t, os.MkdirAll(old, 0o700))

	next, err := uploadFolder(data, "8080")
	require.NoError(t, err)
	require.NotEqual(t, living, next)
	require.FileExists(t, filepath.Join(living, "upload"))
	require.NoDirExists(t, killed)
	require.NoDirExists(t, filepath.Dir(old))
}
