package partitiontest

import (
	"bufio"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const patience = time.Minute

// echoing accepts connections and sends back each line.
func echoing(t *testing.T) string {
	t.Helper()
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				lines := bufio.NewReader(c)
				for {
					line, err := lines.ReadString('\n')
					if err != nil {
						return
					}
					if _, err := c.Write([]byte(line)); err != nil {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	// setup connects this process, which plays both sides, through a proxy.
	setup := func(t *testing.T) (*Network, net.Conn, *bufio.Reader) {
		t.Helper()
		n := New(t)
		address := n.Proxy("b", echoing(t))
		n.Know("a", os.Getpid())
		var d net.Dialer
		c, err := d.DialContext(t.Context(), "tcp", address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		require.NoError(t, c.SetDeadline(time.Now().Add(patience))) //nolint:forbidigo // only a limit
		return n, c, bufio.NewReader(c)
	}
	say := func(t *testing.T, c net.Conn, line string) {
		t.Helper()
		_, err := c.Write([]byte(line))
		require.NoError(t, err)
	}
	hears := func(t *testing.T, r *bufio.Reader, want string) {
		t.Helper()
		got, err := r.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, want, got)
	}

	for name, cut := range map[string]pair{"TheWayThere": {"a", "b"}, "TheWayBack": {"b", "a"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, c, r := setup(t)
			say(t, c, "one\n")
			hears(t, r, "one\n")
			n.Cut(cut.from, cut.to)
			say(t, c, "two\n")
			there := int64(4)
			if cut.from == "b" {
				there = 8
			}
			require.Eventually(t, func() bool { return n.Passed("a", "b") == there }, patience, time.Millisecond)
			require.NoError(t, c.SetReadDeadline(time.Now().Add(50*time.Millisecond))) //nolint:forbidigo // as above
			_, err := r.ReadString('\n')
			require.ErrorIs(t, err, os.ErrDeadlineExceeded, "the bytes wait")
			require.EqualValues(t, 4, n.Passed("b", "a"))
			require.NoError(t, c.SetReadDeadline(time.Now().Add(patience))) //nolint:forbidigo // as above
			n.Heal(cut.from, cut.to)
			hears(t, r, "two\n")
		})
	}

	t.Run("ANewConnection", func(t *testing.T) {
		t.Parallel()
		n := New(t)
		address := n.Proxy("b", echoing(t))
		n.Know("a", os.Getpid())
		n.Cut("b", "a")
		var d net.Dialer
		c, err := d.DialContext(t.Context(), "tcp", address)
		require.NoError(t, err)
		defer c.Close()
		say(t, c, "one\n")
		require.NoError(t, c.SetReadDeadline(time.Now().Add(50*time.Millisecond))) //nolint:forbidigo // as above
		r := bufio.NewReader(c)
		_, err = r.ReadString('\n')
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Zero(t, n.Passed("a", "b"))
		n.Heal("b", "a")
		require.NoError(t, c.SetReadDeadline(time.Now().Add(patience))) //nolint:forbidigo // as above
		hears(t, r, "one\n")
	})

	t.Run("AnUnknownProcess", func(t *testing.T) {
		t.Parallel()
		n := New(t)
		address := n.Proxy("b", echoing(t))
		var d net.Dialer
		c, err := d.DialContext(t.Context(), "tcp", address)
		require.NoError(t, err)
		defer c.Close()
		require.NoError(t, c.SetReadDeadline(time.Now().Add(patience))) //nolint:forbidigo // as above
		_, err = c.Read(make([]byte, 1))
		require.Error(t, err)
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
	})
}
