package api

import (
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// failing is a listener that fails with each of its errors before it accepts.
type failing struct {
	net.Listener
	errs []error
}

func (l *failing) Accept() (net.Conn, error) {
	if len(l.errs) == 0 {
		return l.Listener.Accept()
	}
	err := l.errs[0]
	l.errs = l.errs[1:]
	return nil, &net.OpError{Op: "accept", Net: "tcp", Err: err}
}

// A node that has no file handle for a moment keeps its port.
func TestAcceptFrom(t *testing.T) { // F10
	t.Parallel()
	var lc net.ListenConfig
	tcp, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := newLineListener(&failing{Listener: tcp, errs: []error{
		os.NewSyscallError("accept4", syscall.EMFILE), os.NewSyscallError("accept4", syscall.ENFILE), syscall.ECONNABORTED,
	}})
	var d net.Dialer
	client, err := d.DialContext(t.Context(), "tcp", tcp.Addr().String())
	require.NoError(t, err)
	defer client.Close()
	conn, err := l.Accept()
	require.NoError(t, err)
	require.Equal(t, client.LocalAddr().String(), conn.RemoteAddr().String())
	require.NoError(t, conn.Close())
	require.NoError(t, tcp.Close())
	_, err = l.Accept()
	require.ErrorIs(t, err, net.ErrClosed, "the end of the listener is told at once")
}
