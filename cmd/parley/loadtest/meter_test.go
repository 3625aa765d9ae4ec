package loadtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// The processor and the memory of several nodes are added up.
func TestConfig_Read(t *testing.T) {
	t.Parallel()
	page := func(lines string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, lines) }))
		t.Cleanup(s.Close)
		return s.URL
	}
	one := page("# HELP process_cpu_seconds_total x\nprocess_cpu_seconds_total 1.5\nprocess_resident_memory_bytes 1e+06\n")
	two := page("process_resident_memory_bytes 2e+06\nprocess_cpu_seconds_total 2\nprocess_cpu_seconds_totals 9\n")
	c := Config{Metrics: []string{one, two}}
	got, err := c.read(t.Context())
	require.NoError(t, err)
	require.Equal(t, reading{cpu: 3.5, resident: 3e6}, got)

	c.Metrics = append(c.Metrics, page("process_cpu_seconds_total 1\n"))
	_, err = c.read(t.Context())
	require.EqualError(t, err, "the server's metrics do not tell CPU and memory")

	got, err = (&Config{}).read(t.Context())
	require.NoError(t, err)
	require.Zero(t, got)
}
