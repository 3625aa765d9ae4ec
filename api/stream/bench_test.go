//go:build unix

package stream

import (
	"bytes"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkWebsocketSink writes frames as the engine does, to a client that reads
// and drops them: one short frame a write, as when each reader gets its token, and
// eight, as when a core is full.
//
//	go test ./api/stream -run '^$' -bench Sink
func BenchmarkWebsocketSink(b *testing.B) {
	frame := bytes.Repeat([]byte("x"), 230)
	for what, frames := range map[string][][]byte{"One": {frame}, "Eight": {frame, frame, frame, frame, frame, frame, frame, frame}} {
		b.Run(what, func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(b, err)
			client, err := net.Dial("tcp", l.Addr().String())
			require.NoError(b, err)
			conn, err := l.Accept()
			require.NoError(b, err)
			require.NoError(b, l.Close())
			sink := benchedSink(b, conn, client)
			read := make(chan struct{})
			go func() {
				defer close(read)
				_, _ = io.Copy(io.Discard, client) // until it is closed
			}()
			b.ReportAllocs()
			for b.Loop() {
				left, err := sink.TryWrite(frames)
				if err == nil && left != nil {
					err = sink.Write(left)
				}
				require.NoError(b, err)
			}
			require.NoError(b, client.Close())
			<-read
		})
	}
}

func benchedSink(b *testing.B, conn, client net.Conn) websocketSink {
	b.Helper()
	s, opened := newTestServer()
	sink, ok := begun(b, s, opened, conn, client).sink.(websocketSink)
	require.True(b, ok)
	return sink
}
