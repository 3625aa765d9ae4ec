//go:build unix

package stream

import (
	"errors"
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// numbered is a connection whose handle has a number of the test's choice.
type numbered struct {
	net.Conn
	number uintptr
	closed bool
}

func (c numbered) SyscallConn() (syscall.RawConn, error) { return numberedRaw{of: c}, nil }

// numberedRaw is the access to its handle.
type numberedRaw struct {
	syscall.RawConn
	of numbered
}

func (r numberedRaw) Control(f func(fd uintptr)) error {
	if r.of.closed {
		return errors.New("it is closed")
	}
	f(r.of.number)
	return nil
}

func TestLacksHandles(t *testing.T) {
	t.Parallel()
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	most := uintptr(limit.Cur)
	kept := min(handlesKept, most/handlesShare)

	require.False(t, lacksHandles(numbered{number: 9}))
	require.False(t, lacksHandles(numbered{number: most - kept - 1}), "the last one that streams may take")
	require.True(t, lacksHandles(numbered{number: most - kept}), "the first one that is kept from them")
	require.True(t, lacksHandles(numbered{number: most - 1}))
	require.False(t, lacksHandles(numbered{number: most - 1, closed: true}), "it fails by itself")
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	require.False(t, lacksHandles(here), "it has no handle")
}
