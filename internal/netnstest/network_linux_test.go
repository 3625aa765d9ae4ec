package netnstest_test

import (
	"bufio"
	"context"
	"net"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/netnstest"
)

// short is how long a packet that passes may take at most, and long one that is lost.
const short = 2 * time.Second

func TestNetwork(t *testing.T) {
	t.Parallel()
	n := netnstest.New(t, "a", "b")
	l, err := net.Listen("tcp", net.JoinHostPort(n.Here(netnstest.Data), "0"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	accepted := make(chan net.Conn, 10)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // the test has ended
			}
			accepted <- c
		}
	}()

	// A shell inside of the namespace writes a line at each of ours.
	speaker := exec.CommandContext(context.WithoutCancel(t.Context()), n.Inside("a")[0], append(n.Inside("a")[1:], "bash", "-c",
		"exec 3<>/dev/tcp/"+n.Here(netnstest.Data)+"/"+port+"; while read -r line; do echo $line >&3; done")...)
	in, err := speaker.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, speaker.Start())
	t.Cleanup(func() {
		require.NoError(t, in.Close())
		require.NoError(t, speaker.Wait())
	})
	c := <-accepted
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	heard := make(chan string, 10)
	go func() {
		for lines := bufio.NewScanner(c); lines.Scan(); {
			heard <- lines.Text()
		}
	}()
	say := func(text string) {
		_, err := in.Write([]byte(text + "\n"))
		require.NoError(t, err)
	}
	comes := func(text string) {
		t.Helper()
		select {
		case got := <-heard:
			require.Equal(t, text, got)
		case <-time.After(30 * time.Second):
			t.Fatalf("%s does not come", text)
		}
	}
	nothing := func() {
		t.Helper()
		select {
		case got := <-heard:
			t.Fatalf("%s came", got)
		case <-time.After(short):
		}
	}
	say("one")
	comes("one")
	require.NoError(t, n.Off("a", netnstest.Data))
	say("two")
	nothing()
	require.NoError(t, n.On("a", netnstest.Data))
	comes("two") // the connection was never told

	reaches := func(from, to string) bool {
		ping := exec.CommandContext(t.Context(), n.Inside(from)[0], append(n.Inside(from)[1:], "bash", "-c",
			"timeout 2 bash -c 'exec 3<>/dev/tcp/"+n.Address(to, netnstest.Nodes)+"/9' 2>&1 | grep -q refused")...)
		return ping.Run() == nil
	}
	require.True(t, reaches("a", "b"), "nobody listens, and it says so")
	require.NoError(t, n.Drop("a", "b"))
	require.False(t, reaches("a", "b"))
	require.False(t, reaches("b", "a"), "the answer does not come")
	require.NoError(t, n.Heal())
	require.True(t, reaches("a", "b"))
	require.True(t, reaches("b", "a"))
}
