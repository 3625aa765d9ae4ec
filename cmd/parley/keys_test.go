package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/envelope"
)

func TestConfig_Keys(t *testing.T) {
	t.Parallel()
	t.Run("OwnFile", func(t *testing.T) {
		t.Parallel()
		c := &config{dataDir: t.TempDir()}
		first, err := c.keys()
		require.NoError(t, err)
		again, err := c.keys()
		require.NoError(t, err)
		require.Equal(t, first.Current(), again.Current())
		info, err := os.Stat(filepath.Join(c.dataDir, keyFile))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	})
	t.Run("Configured", func(t *testing.T) {
		t.Parallel()
		c := &config{dataDir: t.TempDir(), secretKey: envelope.Generate()}
		_, err := c.keys()
		require.NoError(t, err)
		_, err = os.Stat(filepath.Join(c.dataDir, keyFile))
		require.ErrorIs(t, err, os.ErrNotExist)
	})
	t.Run("ErrBad", func(t *testing.T) {
		t.Parallel()
		c := &config{secretKey: "swordfish"}
		_, err := c.keys()
		require.ErrorContains(t, err, "PARLEY_SECRET_KEY")
		require.NotContains(t, err.Error(), "swordfish")
	})
}
