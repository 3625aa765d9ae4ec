package persistence

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// A connection that dies silently in the middle of a write releases its locks. Servers that
// are reached by a Unix socket accept these settings but do not show them, so this test
// compares what is set.
func TestSettings(t *testing.T) { // G7
	t.Parallel()
	set := func(version string, k kind) map[string]string {
		out := map[string]string{}
		for _, m := range regexp.MustCompile(`SET (\w+) = '?(\w+)'?`).FindAllStringSubmatch(settings(roleEngine, version, k), -1) {
			out[m[1]] = m[2]
		}
		return out
	}
	for name, got := range map[string]map[string]string{
		"Reads": set("15.8", anything), "Writes": set("17.2 (Debian 17.2-1.pgdg120+1)", byKeyOnly),
	} {
		require.Equal(t, "5s", got["tcp_user_timeout"], name)
		require.Equal(t, "3", got["tcp_keepalives_idle"], name)
		require.Equal(t, "1", got["tcp_keepalives_interval"], name)
		require.Equal(t, "2", got["tcp_keepalives_count"], name)
		require.Equal(t, "5s", got["idle_in_transaction_session_timeout"], name)
	}
	// Servers before 17 have no such setting and would refuse it.
	for version, want := range map[string]string{
		"": "", "devel": "", "15.8": "", "16.4 (Ubuntu)": "", "17.0": "30s", "17beta1": "30s", "18.1": "30s",
	} {
		require.Equal(t, want, set(version, byKeyOnly)["transaction_timeout"], version)
		require.Empty(t, set(version, anything)["transaction_timeout"], version)
	}
	require.Equal(t, "off", set("15.8", byKeyOnly)["enable_seqscan"])
}
