package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
)

// BenchmarkIdleSocket reports how much memory an open, idle websocket uses in this process:
// heap and stacks, including the client's end of the connection and the fake connection
// actor. It only reports a number and checks nothing.
//
//	go test ./api -run '^$' -bench IdleSocket -benchtime 5000x
func BenchmarkIdleSocket(b *testing.B) {
	s := setup(b, func(c *api.Config) { c.Limits.SocketsPerUser, c.Limits.SocketsPerAddress = -1, -1 })
	s.streams.Depth = 1
	request := "GET " + s.streamPath() + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + s.token(b, &s.world.Owner) +
		"\r\n" + strings.Join(pairs(upgradeHeaders()), "\r\n") + "\r\n\r\n"
	open := func() net.Conn {
		conn, err := net.Dial("tcp", s.server.Address())
		require.NoError(b, err)
		_, err = io.WriteString(conn, request)
		require.NoError(b, err)
		head := bufio.NewReaderSize(conn, 2048)
		for line := ""; line != "\r\n"; {
			line, err = head.ReadString('\n')
			require.NoError(b, err)
		}
		<-s.streams.Opened
		return conn
	}
	conns := make([]net.Conn, 0, b.N)
	for range 100 { // warm pools
		conns = append(conns, open())
	}
	before := held()
	b.ResetTimer()
	for range b.N {
		conns = append(conns, open())
	}
	b.StopTimer()
	b.ReportMetric((held()-before)/float64(b.N), "B/socket")
	for _, conn := range conns {
		_ = conn.Close()
	}
}

// BenchmarkServer_A10 shows what a token of 1 MB of dots costs the server: it is refused
// because of the size of its headers, before it is read to its end.
//
//	go test ./api -run '^$' -bench A10 -benchtime 1000x
func BenchmarkServer_A10(b *testing.B) {
	s := setup(b)
	request := "GET " + me + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + strings.Repeat(".", 1<<20) + "\r\n\r\n"
	before := held()
	b.ReportAllocs()
	for b.Loop() {
		conn, err := net.Dial("tcp", s.server.Address())
		require.NoError(b, err)
		written := make(chan struct{})
		go func() {
			defer close(written)
			_, _ = io.WriteString(conn, request) // it is not read to its end
		}()
		line, err := bufio.NewReaderSize(conn, 1024).ReadString('\n')
		require.NoError(b, err)
		require.Contains(b, line, "431")
		require.NoError(b, conn.Close())
		<-written
	}
	b.ReportMetric(held()-before, "B-left")
}

func pairs(header []string) []string {
	var lines []string
	for i := 0; i+1 < len(header); i += 2 {
		lines = append(lines, fmt.Sprintf("%s: %s", header[i], header[i+1]))
	}
	return lines
}

func held() float64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc + m.StackInuse)
}
