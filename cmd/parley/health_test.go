package main

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = w.Write([]byte(r.URL.Path)) // a short answer, which the test compares
	}))
	t.Cleanup(node.Close)
	_, port, err := net.SplitHostPort(node.Listener.Addr().String())
	require.NoError(t, err)
	ask := func(addr string, args ...string) (string, error) {
		var out bytes.Buffer
		p := &program{stdout: &out, stderr: &out, getenv: func(name string) string {
			return map[string]string{"PARLEY_OPERATOR_ADDR": addr}[name]
		}}
		err := p.main(t.Context(), append([]string{"health"}, args...))
		return out.String(), err
	}

	// A node in a container listens at every address.
	for _, host := range []string{"127.0.0.1", "0.0.0.0", ""} {
		out, err := ask(net.JoinHostPort(host, port))
		require.NoError(t, err, host)
		require.Equal(t, "/healthz", out)
	}
	out, err := ask("127.0.0.1:"+port, "--ready")
	require.ErrorContains(t, err, "503")
	require.Equal(t, "/readyz", out)

	node.Close()
	_, err = ask("127.0.0.1:" + port)
	require.ErrorContains(t, err, "refused")
}
