package actors

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node/fanout"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
	"parley.dev/parley/internal/nodetest"
)

// Nodes that cannot reach each other can all reach Postgres, and none of them is dead. A
// reader on the side without the owner reads what is stored, and the answer continues.
func TestNodes_Apart(t *testing.T) { // G9, F13, F16
	t.Parallel()
	for name, cut := range map[string]func(*nodetest.Network){
		"BothWays": func(n *nodetest.Network) { n.Apart("node-1", "node-2") },
		"OneWay":   func(n *nodetest.Network) { n.Cut("node-1", "node-2") },
		"TheOther": func(n *nodetest.Network) { n.Cut("node-2", "node-1") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNodes(t)
			n.store.Grant(n.one.id, n.one.reader.UserID, domain.PermissionRead)
			first, second := n.two.runner.gate(), n.two.runner.gate()
			n.two.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
				id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
				if err != nil {
					return err
				}
				for _, step := range []struct {
					text string
					gate chan struct{}
				}{{"before ", first}, {"during ", second}, {"größer", nil}} {
					if err := s.Delta(ctx, id, step.text); err != nil {
						return err
					}
					if step.gate != nil {
						if err := pass(ctx, step.gate); err != nil {
							return err
						}
					}
				}
				return s.Close(ctx, id)
			})
			watch := func(who domain.Caller, at string) *socket {
				s, c := n.one.connect(who, hello)
				c.Receive(n.one.subscribeFrame(at))
				s.waitType(t, protocol.FrameSubscribed)
				return s
			}
			s, bob := watch(n.one.owner, ""), watch(n.one.reader, "")
			s.waitType(t, protocol.FrameSessionReady)
			sent, err := n.one.system.Send(context.Background(), n.one.owner, n.one.prompt("why?"))
			require.NoError(t, err)
			s.waitType(t, protocol.FrameDelta)
			bob.waitType(t, protocol.FrameDelta)
			answer := n.one.answer().ID

			has := func(s *socket, text string) {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				require.NoError(t, s.waitText(ctx, answer, len(text)))
			}

			n.apart.Store(true)
			cut(n.network)
			close(first)
			has(s, "before during ")

			// A reader who subscribes only now starts from what is stored as well.
			late := watch(n.one.owner, "")
			has(late, "before during ")

			// A right that is removed has an effect here, too, although the owner of the
			// conversation cannot say so.
			n.store.Grant(n.one.id, n.one.reader.UserID, domain.PermissionNone)
			bob.waitType(t, protocol.FrameDenied)

			close(second)
			n.one.turnStatus(sent.TurnID, domain.TurnComplete)
			for _, x := range []*socket{s, late} {
				x.waitFor(t, "the end", func(f protocol.Frame) bool {
					return f.Type == "conversation.streaming-complete" && f.Stream == n.one.id.String()
				})
				text, ok := x.text(answer)
				require.True(t, ok)
				require.Equal(t, "before during größer", text)
				// The person's session lives on the other node as well, and the person's log
				// still arrives.
				x.waitType(t, protocol.FrameSessionReady)
				x.waitFor(t, "the list's end", func(f protocol.Frame) bool {
					return f.Type == "conversation.streaming-complete" && f.Stream == protocol.UserStream
				})
			}
			require.NotContains(t, string(joined(bob)), "größer")

			n.network.Together("node-1", "node-2")
			n.apart.Store(false)
			n.two.runner.set(nil)
			again := n.one.taken(n.one.prompt("and now?"))
			n.one.turnStatus(again.TurnID, domain.TurnComplete)
			for _, x := range []*socket{s, late} {
				x.waitFor(t, "the next end", func(f protocol.Frame) bool {
					return f.Type == "conversation.streaming-complete" && f.Stream == n.one.id.String() && f.Seq > 6
				})
				want := int64(0)
				for _, f := range x.all() {
					if f.Stream == n.one.id.String() && f.Seq > 0 && f.Type != protocol.FrameSubscribed {
						require.True(t, want == 0 || f.Seq == want+1, "a gap or a repeat at %s", f.Type)
						want = f.Seq
					}
				}
			}
			require.Zero(t, n.taken.Load(), "a reader takes no conversation from an owner that is alive")
			require.Empty(t, n.store.Violations())
		})
	}
}

// A request on the side without the owner soon takes the conversation over, and only one
// owner writes. The owner on the other side learns of it from the store, and its readers
// continue.
func TestNodes_TakenOver(t *testing.T) { // F13, F16, G1
	t.Parallel()
	var fenced, taken, resubscribed atomic.Int32
	n := newNodes(t, func(c *Config) {
		c.Meter = Meter{
			Fenced: func() { fenced.Add(1) }, Resubscribed: func() { resubscribed.Add(1) },
			TakenOver: func(from string) {
				if from == TakenFromSilent {
					taken.Add(1)
				}
			},
		}
	})
	ended := make(chan struct{})
	n.two.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		defer close(ended)
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err != nil {
			return err
		}
		if err := s.Delta(ctx, id, "half"); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	})
	watch := func(at *bundle) *socket {
		s, c := at.connect(n.one.owner, hello)
		c.Receive(n.one.subscribeFrame(""))
		s.waitType(t, protocol.FrameSubscribed)
		return s
	}
	here, there := watch(n.one), watch(n.two)
	sent, err := n.one.system.Send(context.Background(), n.one.owner, n.one.prompt("why?"))
	require.NoError(t, err)
	here.waitType(t, protocol.FrameDelta)
	there.waitType(t, protocol.FrameDelta)

	n.network.Apart("node-1", "node-2")
	n.apart.Store(true)
	began := time.Now() //nolint:forbidigo // the time is only logged, not compared
	stopped, err := n.one.system.Stop(context.Background(), n.one.owner, n.one.id)
	require.NoError(t, err)
	t.Logf("taken over after %v", time.Since(began))
	require.Equal(t, domain.TurnInterrupted, stopped.End)
	require.Equal(t, int32(1), n.taken.Load())
	select {
	case <-ended:
	case <-time.After(patience):
		require.Fail(t, "the answer of the other side continues")
	}
	again := n.one.taken(n.one.prompt("and now?"))
	n.one.turnStatus(sent.TurnID, domain.TurnInterrupted)
	n.one.turnStatus(again.TurnID, domain.TurnComplete)
	require.Equal(t, int32(1), n.taken.Load(), "the conversation that was taken over stays here")
	require.Equal(t, int32(1), taken.Load())
	require.Equal(t, int32(1), fenced.Load())

	answered := func(times int) {
		t.Helper()
		for _, s := range []*socket{here, there} {
			require.Eventually(t, func() bool {
				ends := 0
				for _, f := range s.all() {
					if f.Type == "conversation.streaming-complete" && f.Stream == n.one.id.String() {
						ends++
					}
				}
				return ends == times
			}, patience, time.Millisecond)
		}
	}
	answered(2)
	require.GreaterOrEqual(t, resubscribed.Load(), int32(1), "a reader goes on at the other owner")
	n.apart.Store(false)
	n.network.Together("node-1", "node-2")
	third := n.two.taken(n.one.prompt("and on the other side?"))
	n.one.turnStatus(third.TurnID, domain.TurnComplete)
	answered(3)
	for _, s := range []*socket{here, there} {
		want := int64(0)
		for _, f := range s.all() {
			if f.Stream == n.one.id.String() && f.Seq > 0 && f.Type != protocol.FrameSubscribed {
				require.True(t, want == 0 || f.Seq == want+1, "a gap or a repeat at %s", f.Type)
				want = f.Seq
			}
		}
	}
	n.store.Look(n.one.id, func(c *fakes.Conversation) {
		for i := 1; i < len(c.Events); i++ {
			require.GreaterOrEqual(t, c.Events[i].Epoch, c.Events[i-1].Epoch)
		}
	})
	require.Empty(t, n.store.Violations())
}

// joined returns all frames that were sent to a socket.
func joined(s *socket) (all []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, raw := range s.raw {
		all = append(all, raw...)
	}
	return all
}

// A request that was lost while the network was cut is sent again when the nodes answer each
// other, although the owner has not moved: nobody waits for an answer that cannot come.
func TestNodes_LostRequest(t *testing.T) { // F13
	t.Parallel()
	for name, way := range map[string][3]string{
		"TheRequest": {"node-1", "node-2"}, "ItsAnswer": {"node-2", "node-1"}, "AfterALapse": {"node-1", "node-2", "mute"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNodes(t)
			n.one.system.step = patience // a request that is not sent again does not end in time
			// While its answer is being written, the second prompt would rightly be refused.
			first := n.one.taken(n.one.prompt("first"))
			n.one.turnStatus(first.TurnID, domain.TurnComplete)
			_, err := n.one.system.Stop(t.Context(), n.one.owner, n.one.id) // it returns when the owner knows the end
			require.NoError(t, err)
			before := n.network.Sent(way[0], way[1])
			n.network.Cut(way[0], way[1])
			n.mute.Store(way[2] != "")
			result := make(chan error, 1)
			go func() {
				_, err := n.one.system.Send(context.Background(), n.one.owner, n.one.prompt("second"))
				result <- err
			}()
			require.Eventually(t, func() bool { return n.network.Sent(way[0], way[1]) > before }, patience, time.Millisecond)
			n.network.Heal(way[0], way[1])
			if way[2] == "" {
				n.lapses.Add(1)
			}
			n.mute.Store(false)
			select {
			case err := <-result:
				require.NoError(t, err)
			case <-time.After(patience / 2):
				require.Fail(t, "the request is not sent again")
			}
			require.Zero(t, n.taken.Load())
			require.Empty(t, n.store.Violations())
		})
	}
}

// The same for a reader that subscribes, which would otherwise wait for five seconds.
func TestNodes_LostSubscription(t *testing.T) { // F13, G8
	t.Parallel()
	for name, before := range map[string]bool{"TheNodeAnswersAtFirst": true, "TheNodeDoesNotAnswer": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNodes(t)
			n.one.taken(n.one.prompt("first"))
			s, c := n.one.connect(n.one.owner, hello)
			s.waitType(t, protocol.FrameSessionReady)
			sent := n.network.Sent("node-1", "node-2")
			n.network.Cut("node-1", "node-2")
			n.mute.Store(!before)
			c.Receive(n.one.subscribeFrame(""))
			require.Eventually(t, func() bool { return n.network.Sent("node-1", "node-2") > sent }, patience, time.Millisecond)
			n.network.Heal("node-1", "node-2")
			if before {
				n.lapses.Add(1)
			}
			n.mute.Store(false)
			began := time.Now() //nolint:forbidigo // a limit that is far from what is measured
			s.waitType(t, protocol.FrameSubscribed)
			require.Less(t, time.Since(began), 4*time.Second)
		})
	}
}

// A node that restarts at the same address has the same names of actors as before, so news of the
// end of the earlier process may reach an owner after the readers of the new one. The owner then
// forgets these readers, and they come back with the next check.
func TestNodes_LateEndOfAnEarlierProcess(t *testing.T) { // G8
	t.Parallel()
	n := newNodes(t)
	s, c := n.one.connect(n.one.owner, hello)
	c.Receive(n.one.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)
	first := n.one.taken(n.one.prompt("first"))
	n.one.turnStatus(first.TurnID, domain.TurnComplete)
	ended := func(turns int) {
		t.Helper()
		require.Eventually(t, func() bool {
			ends := 0
			for _, f := range s.all() {
				if f.Type == "conversation.streaming-complete" && f.Stream == n.one.id.String() {
					ends++
				}
			}
			return ends == turns
		}, patience, time.Millisecond)
	}
	ended(1)

	system := n.two.system.c.ActorSystem
	owner := actor.NewPID(system.Address(), kindConversation+"/"+n.one.id.String())
	process, there := system.ProcessRegistry.GetLocal(owner.Id)
	require.True(t, there)
	process.SendSystemMessage(owner, &actor.Terminated{Who: actor.NewPID(n.one.system.c.ActorSystem.Address(), fanoutName)})
	second := n.one.taken(n.one.prompt("second"))
	n.one.turnStatus(second.TurnID, domain.TurnComplete)
	began := time.Now() //nolint:forbidigo // a limit that is far from what is measured
	ended(2)
	require.Less(t, time.Since(began), 3*fanout.CheckEvery)
	want := int64(0)
	for _, f := range s.all() {
		if f.Stream == n.one.id.String() && f.Seq > 0 && f.Type != protocol.FrameSubscribed {
			require.True(t, want == 0 || f.Seq == want+1, "a gap or a repeat at %s", f.Type)
			want = f.Seq
		}
	}
}
