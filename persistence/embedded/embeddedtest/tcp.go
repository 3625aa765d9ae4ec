package embeddedtest

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
)

// TCP makes the server of a URL of this package, which listens on a socket file only,
// reachable at a port of the loopback interface until the test ends. With secure set it
// answers a request for encryption with that certificate; without secure it refuses the
// request, as the server does.
func TCP(tb testing.TB, address string, secure *tls.Config) (port uint16) {
	tb.Helper()

	u, err := url.Parse(address)
	if err != nil {
		tb.Fatalf("embeddedtest: %v", err)
	}
	socket := filepath.Join(u.Query().Get("host"), ".s.PGSQL."+u.Query().Get("port"))

	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatalf("embeddedtest: %v", err)
	}

	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	var running sync.WaitGroup
	tb.Cleanup(func() {
		cancel()
		_ = listener.Close()
		running.Wait()
	})

	// One goroutine accepts, and two copy for each connection; the end of the test waits for all of
	// them.
	running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { forward(ctx, conn, socket, secure) })
		}
	})

	return uint16(listener.Addr().(*net.TCPAddr).Port) //nolint:forcetypeassert,gosec // a listener of TCP has one
}

// forward copies both ways until either side or the context ends.
func forward(ctx context.Context, conn net.Conn, socket string, secure *tls.Config) {
	defer func() { _ = conn.Close() }()
	if secure != nil {
		var err error
		if conn, err = encrypt(ctx, conn, secure); err != nil {
			return
		}
	}

	server, err := (&net.Dialer{}).DialContext(ctx, "unix", socket)
	if err != nil {
		return
	}
	// Either side that ends closes both, so that no copying goroutine waits for a silent one.
	both := func() { _ = conn.Close(); _ = server.Close() }
	defer context.AfterFunc(ctx, both)()

	var copying sync.WaitGroup
	copying.Go(func() { defer both(); _, _ = io.Copy(server, conn) })
	copying.Go(func() { defer both(); _, _ = io.Copy(conn, server) })
	copying.Wait()
}

// encrypt answers the request for encryption, with which a client that wants it begins.
func encrypt(ctx context.Context, conn net.Conn, secure *tls.Config) (net.Conn, error) {
	// The length and the code of an SSLRequest (PostgreSQL documentation, Message Formats).
	const length, code = 8, 80877103 // of an SSLRequest
	request := make([]byte, length)
	if _, err := io.ReadFull(conn, request); err != nil {
		return nil, err //nolint:wrapcheck // it is not used
	}
	if binary.BigEndian.Uint32(request[4:]) != code {
		return nil, io.ErrUnexpectedEOF
	}
	if _, err := conn.Write([]byte("S")); err != nil {
		return nil, err //nolint:wrapcheck // it is not used
	}
	secured := tls.Server(conn, secure)
	return secured, secured.HandshakeContext(ctx) //nolint:wrapcheck // it is not used
}
