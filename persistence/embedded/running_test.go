package embedded

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRunningURL(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	_, err := RunningURL(filepath.Join(cfg.DataDir, "nothing"))
	require.ErrorIs(t, err, ErrNotRunning)

	server := mustStart(t, cfg)
	url, err := RunningURL(cfg.DataDir)
	require.NoError(t, err)
	require.Equal(t, server.URL(), url)

	require.NoError(t, server.Stop(t.Context()))
	_, err = RunningURL(cfg.DataDir)
	require.ErrorIs(t, err, ErrNotRunning)
}
