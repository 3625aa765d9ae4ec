//go:build !race

// protoactor's remote sets grpc's logger for the whole process at each start, which is a
// data race if there are two remotes. Tests that do not need real connections use the
// network of nodetest, with the race detector.

package cluster

import (
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/remote"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"parley.dev/parley/internal/clock"
)

// onWire makes a node use the real transport.
func onWire(c *Config) { c.Transport = nil }

func TestWire(t *testing.T) {
	t.Parallel()
	s := newWorld(t)
	a, b := s.start(t, "a", onWire), s.start(t, "b", onWire)
	meet(t, a, b)

	t.Run("OneOwnerSeenFromEveryNode", func(t *testing.T) {
		for _, id := range identities()[:16] {
			require.Equal(t, where(t, a, id), where(t, b, id))
		}
	})

	t.Run("RefusesWhoHasNoCertificate", func(t *testing.T) {
		for name, creds := range map[string]credentials.TransportCredentials{
			"plain":         insecure.NewCredentials(),
			"noCertificate": credentials.NewTLS(&tls.Config{InsecureSkipVerify: true}),
		} {
			conn, err := grpc.NewClient(b.system.Address(), grpc.WithTransportCredentials(creds))
			require.NoError(t, err, name)
			_, err = remote.NewRemotingClient(conn).ListProcesses(t.Context(), &remote.ListProcessesRequest{})
			require.Error(t, err, name)
			require.NoError(t, conn.Close())
		}
		require.Equal(t, b.ID(), where(t, b, ownedBy(t, b)), "the node is alive")
	})

	t.Run("SurvivesAHandlerThatPanics", func(t *testing.T) {
		cert, key, err := s.Authority(t.Context(), nil)
		require.NoError(t, err)
		is, err := newIssuer(cert, key, clock.System{})
		require.NoError(t, err)
		conn, err := grpc.NewClient(b.system.Address(), dialOptions(is)...)
		require.NoError(t, err)
		_, err = remote.NewRemotingClient(conn).ListProcesses(t.Context(), &remote.ListProcessesRequest{})
		require.Error(t, err)
		require.NoError(t, conn.Close())
		require.Equal(t, b.ID(), where(t, b, ownedBy(t, b)), "the node is alive")
	})
}

// slow is a node that accepts messages only while a test permits it.
type slow struct {
	remote.UnimplementedRemotingServer
	goOn chan struct{}
	got  atomic.Int64
}

func (s *slow) Receive(stream remote.Remoting_ReceiveServer) error {
	if _, err := stream.Recv(); err != nil {
		return err
	}
	response := &remote.RemoteMessage_ConnectResponse{ConnectResponse: &remote.ConnectResponse{}}
	if err := stream.Send(&remote.RemoteMessage{MessageType: response}); err != nil {
		return err
	}
	<-s.goOn
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		s.got.Add(int64(len(m.GetMessageBatch().GetEnvelopes())))
	}
}

// A node that renews its lease and reads slowly costs the other nodes only a bounded amount of memory.
func TestWire_SlowNode(t *testing.T) { // G17
	t.Parallel()
	w := newWorld(t)
	a := w.start(t, "a", onWire)
	cert, key, err := w.Authority(t.Context(), nil)
	require.NoError(t, err)
	is, err := newIssuer(cert, key, clock.System{})
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	peer, server := &slow{goOn: make(chan struct{})}, grpc.NewServer(serverOptions(is, slog.New(slog.DiscardHandler))...)
	remote.RegisterRemotingServer(server, peer)
	go func() { _ = server.Serve(l) }()
	t.Cleanup(server.Stop)

	o := a.transport.(*grpcTransport).outlets
	waits := func() outlet {
		o.mu.Lock()
		defer o.mu.Unlock()
		return *o.byAddress[l.Addr().String()]
	}
	const many, size = 100_000, 2000 // 200 MB
	to := actor.NewPID(l.Addr().String(), "fanout")
	for range many {
		a.system.Root.Send(to, wrapperspb.Bytes(make([]byte, size)))
	}
	require.LessOrEqual(t, waits().bytes, outletBytes)
	o.mu.Lock()
	lost := o.lost
	o.mu.Unlock()
	require.Greater(t, lost, int64(many/2))

	close(peer.goOn)
	require.Eventually(t, func() bool { return peer.got.Load() == many-lost }, patience, time.Millisecond)
	require.Zero(t, waits().messages)
	a.system.Root.Send(to, wrapperspb.Bytes(nil))
	require.Eventually(t, func() bool { return peer.got.Load() == many-lost+1 }, patience, time.Millisecond)
}

// A node that listens at another address than the one at which others reach it advertises the latter.
func TestWire_Advertise(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.start(t, "a", onWire)
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	_, there := listening(t)
	b := w.start(t, "b", onWire, func(c *Config) { c.Address, c.Advertise = there, l.Addr().String() })
	require.Equal(t, l.Addr().String(), b.system.Address())
	came := make(chan struct{})
	go func() {
		defer close(came)
		near, err := l.Accept()
		if err != nil {
			return
		}
		defer near.Close()
		var d net.Dialer
		far, err := d.DialContext(t.Context(), "tcp", there)
		if err != nil {
			return
		}
		go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
		_, _ = io.Copy(near, far)
	}()
	meet(t, a, b)
	looks(t, 1, a)
	require.Empty(t, a.SilentNames())
	lapses, now := a.Answers(l.Addr().String())
	require.Zero(t, lapses)
	require.True(t, now)
	require.NoError(t, b.Stop())
	require.NoError(t, l.Close())
	<-came
}

// A proxy that the environment names is for calls to other services, not for nodes. Go reads the
// environment once in a process, and never uses a proxy for a loopback address, so the test is a
// process of its own, and its node has the address of a network interface.
func TestWire_WithoutProxy(t *testing.T) {
	t.Parallel()
	const mark = "PARLEY_TEST_PROXIED"
	if os.Getenv(mark) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestWire_WithoutProxy$", "-test.count=1")
		cmd.Env = append(os.Environ(), mark+"=1", "HTTPS_PROXY=http://127.0.0.1:1", "https_proxy=http://127.0.0.1:1", "NO_PROXY=", "no_proxy=")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	addresses, err := net.InterfaceAddrs()
	require.NoError(t, err)
	i := slices.IndexFunc(addresses, func(a net.Addr) bool {
		n, ok := a.(*net.IPNet)
		return ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast()
	})
	if i < 0 {
		return // a machine without a network has no proxy either
	}
	host, _, _ := strings.Cut(addresses[i].String(), "/")
	w := newWorld(t)
	a := w.start(t, "a", onWire)
	b := w.start(t, "b", onWire, func(c *Config) { c.Address = net.JoinHostPort(host, "0") })
	meet(t, a, b)
	looks(t, silentAfter, a, b)
	require.Empty(t, a.SilentNames())
}

// connections counts the connections of grpc in this process.
func connections() int {
	stacks := make([]byte, 8<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "grpcsync.(*CallbackSerializer).run(")
}

// Nothing is kept for nodes that have left after they were connected: neither connections nor
// goroutines.
func TestWire_LeavingNodes(t *testing.T) { //nolint:paralleltest // it counts the goroutines of the process
	w := newWorld(t)
	a := w.start(t, "a", onWire)
	before, all := connections(), runtime.NumGoroutine()
	for i := range 5 {
		b := w.start(t, fmt.Sprint("b", i), onWire)
		meet(t, a, b)
		for _, way := range [][2]*Node{{a, b}, {b, a}} {
			activator := actor.NewPID(way[1].system.Address(), placementName)
			_, err := way[0].system.Root.RequestFuture(activator, &actor.Touch{}, patience).Result()
			require.NoError(t, err)
		}
		require.Greater(t, connections(), before)
		// The process of a node that leaves ends with its connections; here it continues.
		b.transport.Lost(a.system.Address())
		require.NoError(t, b.Stop())
		looks(t, 1, a)
	}
	require.Eventually(t, func() bool { return connections() <= before }, patience, 10*time.Millisecond, "%d connections before", before)
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= all+2 }, patience, 10*time.Millisecond, "%d goroutines before", all)
}

// Nothing is kept for nodes that have ended, although other nodes still send messages to them.
func TestWire_GoneNodes(t *testing.T) { //nolint:paralleltest // it counts the goroutines of the process
	w := newWorld(t)
	a := w.start(t, "a", onWire)
	before := connections()
	var asked []actor.Future
	for range 5 {
		_, gone := listening(t)
		asked = append(asked, a.system.Root.RequestFuture(actor.NewPID(gone, "fanout"), &actor.Touch{}, patience))
	}
	for _, f := range asked {
		_, err := f.Result()
		require.ErrorIs(t, err, actor.ErrDeadLetter)
	}
	require.Eventually(t, func() bool { return connections() <= before }, patience, time.Millisecond)
}

// With the first message to a node the library opens the connection to it. It must do so
// concurrently with the sender, which may be an actor that must not block.
func TestWire_TheFirstMessageWaitsForNobody(t *testing.T) {
	t.Parallel()
	node := newWorld(t).start(t, "a", onWire)
	// This server accepts the connection and sends nothing.
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, silent.Close()) })
	took := make(chan net.Conn, 10)
	go func() {
		for {
			conn, err := silent.Accept()
			if err != nil {
				return
			}
			took <- conn
		}
	}()
	sent := make(chan struct{})
	go func() {
		node.system.Root.Send(actor.NewPID(silent.Addr().String(), "somebody"), wrapperspb.String("first"))
		close(sent)
	}()
	select {
	case <-sent:
	case <-time.After(time.Minute):
		require.Fail(t, "it waits for the other node")
	}
	conn := <-took
	require.NoError(t, conn.Close())
}
