//go:build unix

package stream

import (
	"bytes"
	"io"
	"net"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkWebsocketSink writes frames as the engine does, to a client that reads and
// discards them: one short frame per write, as when each token is sent at once, and
// eight, as when a core is fully loaded.
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
			s, opened := newTestServer()
			sink := benchedSink(b, s, opened, conn, client)
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

// BenchmarkWebsocketSink_Crowd writes one short frame to each of many sockets in turn, so
// that the processor's cache no longer holds anything of a socket when it is written to
// again. The clients read nothing: their network buffers hold some hundred frames.
//
//	ulimit -n 20000; go test ./api/stream -run '^$' -bench Crowd -benchtime 200000x -cpu 1
func BenchmarkWebsocketSink_Crowd(b *testing.B) {
	frame := [][]byte{bytes.Repeat([]byte("x"), 230)}
	for _, crowd := range []int{1_000, 5_000} {
		b.Run(strconv.Itoa(crowd), func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(b, err)
			s, opened := newTestServer()
			sinks := make([]websocketSink, crowd)
			for i := range sinks {
				client, err := net.Dial("tcp", l.Addr().String())
				require.NoError(b, err)
				conn, err := l.Accept()
				require.NoError(b, err)
				sinks[i] = benchedSink(b, s, opened, conn, client)
				b.Cleanup(func() {
					_ = client.Close() // the other end may have closed it already
					_ = conn.Close()
				})
			}
			require.NoError(b, l.Close())
			runtime.GC()
			before := cpuTime(b)
			b.ResetTimer()
			for i := range b.N {
				left, err := sinks[i%crowd].TryWrite(frame)
				require.NoError(b, err)
				require.Nil(b, left)
			}
			b.StopTimer()
			b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N), "cpu-ns/op")
		})
	}
}

// cpuTime returns the processor time that this process has used. Unlike the elapsed time,
// it does not depend on what else the machine does.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func benchedSink(b *testing.B, s *Server, opened recordedConns, conn, client net.Conn) websocketSink {
	b.Helper()
	sink, ok := begun(b, s, opened, conn, client).sink.(websocketSink)
	require.True(b, ok)
	return sink
}
