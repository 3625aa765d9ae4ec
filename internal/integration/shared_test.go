package integration_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/api"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/nodetest"
	"parley.dev/parley/internal/redistest"
	"parley.dev/parley/persistence/persistencetest"
	"parley.dev/parley/shared"
)

// sharing is two nodes that share a Redis server. A test can break the server or the
// connections to it.
type sharing struct {
	server   *redistest.Server
	proxy    *redistest.Proxy
	network  *nodetest.Network
	one, two *node
	id       uuid.UUID // a conversation of Anna that the first node owns
}

// share starts the two nodes. call is the time limit of a call to Redis; 0 means the
// product's default.
func share(t *testing.T, call time.Duration) *sharing {
	t.Helper()
	s := &sharing{server: redistest.Start(t), network: nodetest.New(t)}
	s.proxy = redistest.NewProxy(t, s.server.Addr)
	url, dir, redis := persistencetest.URL(t), t.TempDir(), shared.Config{URL: redistest.URL(s.proxy.Addr, 0), CallTime: call}
	s.one = startWithRedis(t, s.network, url, dir, "one", 0, redis)
	anna := s.one.as(t, persistencetest.Anna)
	s.id = anna.create()
	anna.send(s.id, "seed=1 tokens=1 rate=0") // makes the first node its owner
	s.two = startWithRedis(t, s.network, url, dir, "two", 0, redis)
	require.Eventually(t, func() bool { return s.one.shared.Up() && s.two.shared.Up() }, patience, time.Millisecond)
	for _, n := range []*node{s.one, s.two} { // with limits, so that each prompt calls Redis
		n.url = n.serve(t, api.Limits{SendsPerMinute: 1 << 20, UploadsPerHour: -1, SocketsPerUser: 1 << 20, SocketsPerAddress: -1})
	}
	return s
}

// command runs a command on the server itself.
func (s *sharing) command(t *testing.T, args ...any) {
	t.Helper()
	c := s.server.Client(0)
	require.NoError(t, c.Do(t.Context(), args...).Err())
	require.NoError(t, c.Close())
}

// TestShared_Faults breaks Redis while answers are streamed, in every way that the table of
// faults lists. Readers on the owner's node and on the other node miss nothing, and no request
// calls Redis after it is known to be unreachable.
func TestShared_Faults(t *testing.T) { // G9, F15, F26, F27, F28
	t.Parallel()
	s := share(t, 0)
	faults := []struct {
		name         string
		breaks, ends func(t *testing.T)
		stays        bool // Redis still answers during the fault
	}{
		{name: "Emptied", breaks: func(t *testing.T) { t.Helper(); s.command(t, "FLUSHALL") }, ends: func(*testing.T) {}, stays: true},
		{name: "Cut", breaks: func(*testing.T) { s.proxy.Set(redistest.Cut) }, ends: func(*testing.T) { s.proxy.Set(redistest.Pass) }},
		{name: "Silent", breaks: func(*testing.T) { s.proxy.Set(redistest.Hang) }, ends: func(*testing.T) { s.proxy.Set(redistest.Pass) }},
		{name: "Slow", breaks: func(*testing.T) { s.proxy.Delay(3 * time.Second) }, ends: func(*testing.T) { s.proxy.Delay(0) }},
		{
			name:   "ReadOnly",
			breaks: func(t *testing.T) { t.Helper(); s.command(t, "REPLICAOF", "127.0.0.1", "1") },
			ends:   func(t *testing.T) { t.Helper(); s.command(t, "REPLICAOF", "NO", "ONE") },
		},
		{
			name:   "RefusesWrites",
			breaks: func(t *testing.T) { t.Helper(); s.command(t, "CONFIG", "SET", "min-replicas-to-write", "1") },
			ends:   func(t *testing.T) { t.Helper(); s.command(t, "CONFIG", "SET", "min-replicas-to-write", "0") },
		},
		{name: "Killed", breaks: func(*testing.T) {
			s.server.Stop()
		}, ends: func(t *testing.T) { t.Helper(); require.NoError(t, s.server.Restart()) }},
	}
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			here, there := s.one.as(t, persistencetest.Anna), s.two.as(t, persistencetest.Anna)
			c := here.get(s.id)
			near, far := newView(&c), newView(&c)
			nearby, away := here.dial(near.cursor()), there.dial(far.cursor())
			there.send(s.id, "seed=9 tokens=400 rate=400")
			for _, x := range []struct {
				v *view
				s *socket
			}{{near, nearby}, {far, away}} {
				for len(x.v.texts[x.v.open]) == 0 { // until the answer has begun
					f, err := x.s.next()
					require.NoError(t, err)
					require.NoError(t, x.v.apply(f))
				}
			}

			fault.breaks(t)
			other := here.create() // succeeds, even if it has to wait for the time limit of a call
			there.send(other, "seed=2 tokens=5 rate=0")
			if !fault.stays {
				require.Eventually(t, func() bool {
					there.send(there.create(), "seed=2 tokens=1 rate=0")
					here.send(here.create(), "seed=2 tokens=1 rate=0")
					return !s.one.shared.Up() && !s.two.shared.Up()
				}, patience, time.Millisecond, "the nodes must find out that Redis is unreachable")
				// Calls that were pending at that moment end, and are counted, a little later.
				require.Eventually(t, func() bool {
					asked, spared := calls(t, s.two)
					for range 10 {
						there.send(there.create(), "seed=2 tokens=1 rate=0")
					}
					after, more := calls(t, s.two)
					require.GreaterOrEqual(t, more, spared+10)
					return asked == after
				}, patience, time.Millisecond, "no request may wait for a server that is unreachable")
			}
			near.follow(t, nearby)
			far.follow(t, away)
			c = there.get(s.id)
			near.agrees(t, &c)
			far.agrees(t, &c)

			// A reader who connects later finds everything, too.
			later := there.dial(newView(&c).cursor())
			later.wait(func(f frame) bool { return f.Type == "subscribed" && f.Seq == c.Head })

			fault.ends(t)
			require.Eventually(t, func() bool { return s.one.shared.Up() && s.two.shared.Up() }, patience, time.Millisecond)
		})
	}
}

// calls returns how many calls to Redis a node has made, and how many it has skipped because
// Redis was unreachable.
func calls(t *testing.T, n *node) (asked, spared int) {
	t.Helper()
	return counted(t, n.metrics, "ok") + counted(t, n.metrics, "late") + counted(t, n.metrics, "failed"), counted(t, n.metrics, "spared")
}

func counted(t *testing.T, r *prometheus.Registry, outcome string) (sum int) {
	t.Helper()
	families, err := r.Gather()
	require.NoError(t, err)
	for _, family := range families {
		if family.GetName() != "parley_redis_calls_total" {
			continue
		}
		for _, m := range family.GetMetric() {
			if m.GetLabel()[0].GetValue() == outcome {
				sum += int(m.GetCounter().GetValue())
			}
		}
	}
	return sum
}

// TestShared_Nodes tests what two nodes share, with a real Redis server.
func TestShared_Nodes(t *testing.T) {
	t.Parallel()
	s := share(t, patience) // a slow call must not make a node count by itself

	t.Run("Limit", func(t *testing.T) {
		const ben = persistencetest.Ben
		limits := api.Limits{SendsPerMinute: 4, UploadsPerHour: -1, SocketsPerUser: 2, SocketsPerAddress: -1}
		at := func(n *node) *person {
			server := *n
			server.url = n.serve(t, limits)
			return server.as(t, ben)
		}
		here, there := at(s.one), at(s.two)
		for i := range 4 {
			p := []*person{here, there}[i%2]
			p.send(p.create(), "seed=1 tokens=1 rate=0")
		}
		for _, p := range []*person{here, there} {
			require.Equal(t, http.StatusTooManyRequests, p.do("POST", "/discourse/user-text", p.prompt(p.create(), "one too many")).status)
		}
		here.dial(nil).wait(func(f frame) bool { return f.Type == "session.ready" })
		there.dial(nil).wait(func(f frame) bool { return f.Type == "session.ready" })
		one := here.do("GET", "/user/"+here.me().UUID.String()+"/stream", nil, "Accept", "text/event-stream")
		require.Equal(t, http.StatusTooManyRequests, one.status, "the limit of sockets holds for both nodes together")
	})
	t.Run("LogOut", func(t *testing.T) {
		// The clock of the other server stands still: its cached sign-ins do not expire, and
		// its next periodic check of them does not run by itself.
		ticks := clock.NewFake(time.Now()) //nolint:forbidigo // tokens expire by the system clock
		other := *s.two
		other.url = s.two.serve(t, api.Limits{}, func(c *api.Config) { c.Clock = ticks })
		const bearer = persistencetest.Anna + "#ends"
		here, there := s.one.as(t, bearer), other.as(t, bearer)
		stream := there.dial(nil)
		there.do("GET", "/user/me", nil).into(t, 200, nil)
		require.Equal(t, http.StatusNoContent, here.do("POST", "/user/me/logout", nil).status)
		ended := make(chan error, 1)
		go func() { ended <- stream.end() }()
		require.Eventually(t, func() bool {
			ticks.Advance(0) // runs what is due now: the check of the stream may be scheduled after the cache is cleared
			return len(ended) == 1 && there.do("GET", "/user/me", nil).status == http.StatusUnauthorized
		}, patience, time.Millisecond)
		require.Equal(t, 4401, codeOf(t, <-ended))
	})
	t.Run("Presence", func(t *testing.T) {
		anna, ben := s.one.as(t, persistencetest.Anna), s.two.as(t, persistencetest.Ben)
		id := anna.create()
		anna.share(id, ben, "read")
		c := anna.get(id)
		both := []protocol.Attendee{{UUID: anna.me().UUID, FullName: "Anna Acme"}, {UUID: ben.me().UUID, FullName: "Ben Bond"}}
		here, there := anna.dial(newView(&c).cursor()), ben.dial(newView(&c).cursor())
		present := func(people ...protocol.Attendee) func(frame) bool {
			return func(f frame) bool {
				if f.Type != protocol.FramePresence || f.Conversation != id || f.Count != len(people) {
					return false
				}
				require.ElementsMatch(t, people, f.People)
				return true
			}
		}
		here.wait(present(both...))
		there.wait(present(both...))
		require.NoError(t, there.conn.Close())
		here.wait(present(both[0]))

		back := ben.dial(newView(&c).cursor())
		back.wait(present(both...))
		here.wait(present(both...))
	})
	t.Run("StopApart", func(t *testing.T) { // G10
		here, there := s.one.as(t, persistencetest.Anna), s.two.as(t, persistencetest.Anna)
		here.send(s.id, "seed=4 tokens=40000 rate=50")
		s.network.Apart("one", "two")
		t.Cleanup(func() { s.network.Together("one", "two") })
		require.True(t, there.stop(s.id).Stopped, "the stop flag must arrive through Redis")
		c := here.get(s.id)
		require.False(t, c.IsStreaming)
		require.Equal(t, c, there.get(s.id))
		home, err := s.one.store.ConversationStore.Home(context.Background(), s.id)
		require.NoError(t, err)
		require.Equal(t, s.one.id, home, "the owner must have ended the turn")
	})
}
