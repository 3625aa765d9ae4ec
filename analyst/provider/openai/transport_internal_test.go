package openai

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"parley.dev/parley/analyst"
)

// model answers "one two" when all calls of a round are there, so that they run at the same time.
type model struct {
	*httptest.Server

	round       atomic.Pointer[sync.WaitGroup]
	connections atomic.Int64
	protocols   sync.Map // of string
}

// begin makes the next calls a round of n.
func (m *model) begin(n int) {
	var round sync.WaitGroup
	round.Add(n)
	m.round.Store(&round)
}

func newModel(t *testing.T, http2 bool) *model {
	t.Helper()
	m := &model{}
	m.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.protocols.Store(r.Proto, true)
		round := m.round.Load()
		round.Done()
		round.Wait()
		w.Header().Set("Content-Type", "text/event-stream")
		for _, text := range []string{"one ", "two"} {
			_, _ = fmt.Fprintf(w, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", text)
			_ = http.NewResponseController(w).Flush()
		}
		_, _ = fmt.Fprint(w, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	m.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			m.connections.Add(1)
		}
	}
	m.EnableHTTP2 = http2
	m.StartTLS()
	t.Cleanup(m.Close)
	return m
}

// Calls that run at the same time share one connection to a vendor that speaks HTTP/2; to any other, each has its
// own, which is kept for the next call.
func TestTransport(t *testing.T) {
	t.Parallel()
	const calls = 8
	for name, x := range map[string]struct {
		http2       bool
		protocol    string
		connections int64
	}{
		"HTTP2": {true, "HTTP/2.0", 1},
		"HTTP1": {false, "HTTP/1.1", calls},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newModel(t, x.http2)
			own, ok := transport().(*http.Transport)
			require.True(t, ok)
			trusting, ok := m.Client().Transport.(*http.Transport)
			require.True(t, ok)
			own.TLSClientConfig = trusting.TLSClientConfig.Clone()
			own.TLSClientConfig.NextProtos = nil // the transport's own choice
			t.Cleanup(own.CloseIdleConnections)
			p := New(Config{BaseURL: m.URL, Model: "m", Client: &http.Client{Transport: own}})
			ask := func() error {
				var said string
				_, err := p.Stream(t.Context(), &analyst.Request{}, func(piece analyst.Piece) error {
					said += piece.Text
					return nil
				})
				if err == nil && said != "one two" {
					err = fmt.Errorf("the answer is %q", said)
				}
				return err
			}
			// Without a connection Go would begin one for each call, and keep one of them.
			for _, n := range []int{1, calls, calls} {
				m.begin(n)
				var group errgroup.Group
				for range n {
					group.Go(ask)
				}
				require.NoError(t, group.Wait())
			}
			_, spoken := m.protocols.Load(x.protocol)
			require.True(t, spoken)
			require.Equal(t, x.connections, m.connections.Load())
		})
	}
}
