package mailbox

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/fakes"
)

type essential struct{ n int }

func (essential) Essential() {}

// perhaps is an essential message if it is true.
type perhaps bool

func (p perhaps) IsEssential() bool { return bool(p) }

// invoker receives the messages of a mailbox in place of an actor.
type invoker struct {
	got      chan any
	block    chan struct{}
	panics   bool
	escalate chan any
}

func (i *invoker) InvokeSystemMessage(m any) { i.got <- m }
func (i *invoker) InvokeUserMessage(m any) {
	if i.block != nil {
		<-i.block
	}
	if i.panics {
		i.panics = false
		panic("handler")
	}
	_, inner := unwrap(m)
	if b, ok := inner.(brought); ok && b.during != nil {
		b.during()
	}
	i.got <- inner
}
func (i *invoker) EscalateFailure(reason, _ any) { i.escalate <- reason }

func setup(limit int) (actor.Mailbox, *invoker, *[]any) {
	var refused []any
	m := Bounded(limit, func(_ *actor.PID, message any) { refused = append(refused, message) })()
	i := &invoker{got: make(chan any, 1000), escalate: make(chan any, 10)}
	return m, i, &refused
}

func (i *invoker) next(t *testing.T) any {
	t.Helper()
	select {
	case m := <-i.got:
		return m
	case <-time.After(time.Minute):
		t.Fatal("no message was received")
		return nil
	}
}

func TestBounded(t *testing.T) {
	t.Parallel()
	t.Run("KeepsMessagesPostedBeforeStart", func(t *testing.T) {
		t.Parallel()
		m, i, _ := setup(10)
		m.PostUserMessage("early")
		m.RegisterHandlers(i, actor.NewDefaultDispatcher(300))
		m.PostSystemMessage("started")
		m.Start()
		require.Equal(t, "started", i.next(t))
		require.Equal(t, "early", i.next(t))
	})
	t.Run("FullRefusesRequests", func(t *testing.T) {
		t.Parallel()
		m, i, refused := setup(2)
		i.block = make(chan struct{})
		m.RegisterHandlers(i, actor.NewDefaultDispatcher(300))
		m.Start()
		sender := actor.NewPID("a", "b")
		for n := range 5 {
			m.PostUserMessage(&actor.MessageEnvelope{Message: n, Sender: sender})
			if n == 0 {
				// The first message is being handled and is no longer in the queue.
				require.Eventually(t, func() bool { return m.UserMessageCount() == 0 }, time.Minute, time.Millisecond)
			}
		}
		require.Equal(t, []any{3, 4}, *refused)
		m.PostUserMessage(essential{7})
		require.Equal(t, 3, m.UserMessageCount(), "an essential message is accepted")
		m.PostUserMessage(perhaps(true))
		m.PostUserMessage(&actor.MessageEnvelope{Message: perhaps(false), Sender: sender})
		require.Equal(t, []any{3, 4, perhaps(false)}, *refused)
		close(i.block)
		for range 3 {
			i.next(t)
		}
		require.Equal(t, essential{7}, i.next(t))
		require.Equal(t, perhaps(true), i.next(t))
		require.Zero(t, m.(*bounded).essential, "essential messages are no longer counted")
	})
	t.Run("FullReportsDroppedMessages", func(t *testing.T) {
		t.Parallel()
		m, i, refused := setup(1)
		i.block = make(chan struct{})
		m.RegisterHandlers(i, actor.NewDefaultDispatcher(300))
		m.Start()
		m.PostUserMessage("a")
		require.Eventually(t, func() bool { return m.UserMessageCount() == 0 }, time.Minute, time.Millisecond)
		for _, s := range []string{"b", "c", "d"} {
			m.PostUserMessage(s)
		}
		close(i.block)
		require.Equal(t, "a", i.next(t))
		require.Equal(t, "b", i.next(t))
		require.IsType(t, &Overflow{}, i.next(t))
		require.Empty(t, i.got)
		require.Equal(t, []any{"c", "d"}, *refused, "each dropped message is told")
	})
	t.Run("PanicIsEscalatedAndTheRestServed", func(t *testing.T) {
		t.Parallel()
		m, i, _ := setup(10)
		i.panics = true
		m.RegisterHandlers(i, actor.NewDefaultDispatcher(300))
		m.Start()
		m.PostUserMessage("bad")
		m.PostUserMessage("good")
		require.Equal(t, "handler", <-i.escalate)
		require.Equal(t, "good", i.next(t))
	})
	t.Run("SuspendedServesSystemMessagesOnly", func(t *testing.T) {
		t.Parallel()
		m, i, _ := setup(10)
		m.RegisterHandlers(i, actor.NewDefaultDispatcher(300))
		m.Start()
		m.PostSystemMessage(&actor.SuspendMailbox{})
		m.PostUserMessage("user")
		m.PostSystemMessage("system")
		require.Equal(t, "system", i.next(t))
		require.Empty(t, i.got)
		m.PostSystemMessage(&actor.ResumeMailbox{})
		require.Equal(t, "user", i.next(t))
	})
	t.Run("IdleHasNoBuffer", func(t *testing.T) {
		t.Parallel()
		var q fifo
		for n := range 1000 {
			q.push(n)
		}
		for n := range 1000 {
			require.Equal(t, n, q.pop())
		}
		require.Nil(t, q.items)
	})
	t.Run("StoppedActorAnswersUnreadRequests", func(t *testing.T) {
		t.Parallel()
		system := fakes.NewActorSystem()
		defer system.Shutdown()
		a := &ender{reached: make(chan struct{}), gate: make(chan struct{})}
		pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a },
			actor.WithMailbox(Bounded(10, func(*actor.PID, any) {}))))
		system.Root.Send(pid, "wait")
		<-a.reached
		unread := system.Root.RequestFuture(pid, "unread", time.Minute)
		system.Root.Stop(pid)
		close(a.gate)
		_, err := unread.Result()
		require.ErrorIs(t, err, actor.ErrDeadLetter)
	})
	t.Run("InAnActor", func(t *testing.T) {
		t.Parallel()
		system := fakes.NewActorSystem()
		defer system.Shutdown()
		pid := system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			if s, ok := c.Message().(string); ok {
				c.Respond(s + "!")
			}
		}, actor.WithMailbox(Bounded(10, func(*actor.PID, any) {}))))
		answer, err := system.Root.RequestFuture(pid, "hi", time.Minute).Result()
		require.NoError(t, err)
		require.Equal(t, "hi!", answer)
	})
}

// brought is an inline message, unless elsewhere is set. during is called while the message
// is handled.
type brought struct {
	name      string
	elsewhere bool
	during    func()
}

func (b brought) Inline() bool { return !b.elsewhere }

// later is a dispatcher that keeps what a mailbox schedules until run is called.
type later struct {
	due        []func()
	throughput int // 0 means more messages than any test posts
}

func (l *later) Schedule(f func()) { l.due = append(l.due, f) }

func (l *later) Throughput() int {
	if l.throughput > 0 {
		return l.throughput
	}
	return 300
}

func (l *later) run() {
	for len(l.due) > 0 {
		f := l.due[0]
		l.due = l.due[1:]
		f()
	}
}

// After its share of messages a mailbox schedules its next turn and ends this one, even if
// the handling of its messages panics.
func TestBounded_Share(t *testing.T) {
	t.Parallel()
	for name, message := range map[string]any{"OK": "message", "OKPanics": brought{elsewhere: true, during: func() { panic("handler") }}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, i, _ := setup(10)
			l := &later{throughput: 3}
			m.RegisterHandlers(i, l)
			m.Start()
			handled := func() int { return len(i.got) + len(i.escalate) }
			for range 7 {
				m.PostUserMessage(message)
			}
			for _, want := range []int{3, 6, 7} {
				require.Len(t, l.due, 1, "one turn is scheduled at a time")
				turn := l.due[0]
				l.due = nil
				turn()
				require.Equal(t, want, handled())
			}
			require.Empty(t, l.due)
			m.PostUserMessage(message)
			l.run()
			require.Equal(t, 8, handled())
		})
	}
}

func TestBounded_Inline(t *testing.T) {
	t.Parallel()
	start := func() (*bounded, *invoker, *later) {
		made, i, _ := setup(10)
		m, ok := made.(*bounded)
		require.True(t, ok)
		l := &later{}
		m.RegisterHandlers(i, l)
		m.Start()
		return m, i, l
	}
	names := func(i *invoker) (all []string) {
		for len(i.got) > 0 {
			switch m := (<-i.got).(type) {
			case brought:
				all = append(all, m.name)
			case string:
				all = append(all, m)
			}
		}
		return all
	}
	t.Run("AtOnceWhenIdle", func(t *testing.T) {
		t.Parallel()
		m, i, l := start()
		m.PostUserMessage(brought{name: "a"})
		m.PostUserMessage(&actor.MessageEnvelope{Message: brought{name: "in an envelope"}})
		require.Len(t, i.got, 2)
		require.Empty(t, l.due)
		m.PostUserMessage(brought{name: "b", elsewhere: true})
		require.Len(t, i.got, 2, "the message is not inline")
		l.run()
		require.Len(t, i.got, 3)
	})
	t.Run("InItsTurn", func(t *testing.T) {
		t.Parallel()
		m, i, l := start()
		m.PostUserMessage("first")
		m.PostUserMessage(brought{name: "second"})
		m.PostUserMessage("third")
		require.Empty(t, i.got)
		l.run()
		require.Equal(t, []string{"first", "second", "third"}, names(i))
	})
	t.Run("MessagesPostedMeanwhileFollow", func(t *testing.T) {
		t.Parallel()
		m, i, l := start()
		m.PostUserMessage(brought{name: "a", during: func() {
			m.PostUserMessage(brought{name: "b"})
			m.PostSystemMessage("system")
			require.Empty(t, i.got, "an actor handles one message at a time")
		}})
		require.Equal(t, []string{"a"}, names(i))
		m.PostUserMessage(brought{name: "c"})
		require.Empty(t, i.got)
		l.run()
		require.Equal(t, []string{"system", "b", "c"}, names(i))
		m.PostUserMessage(brought{name: "d"})
		require.Equal(t, []string{"d"}, names(i), "the mailbox is idle again")
	})
	t.Run("NotBeforeStart", func(t *testing.T) {
		t.Parallel()
		m, i, _ := setup(10)
		l := &later{}
		m.RegisterHandlers(i, l)
		m.PostUserMessage(brought{name: "a"})
		require.Empty(t, i.got)
		m.Start()
		l.run()
		require.Equal(t, []string{"a"}, names(i))
	})
	t.Run("NotWhileSuspended", func(t *testing.T) {
		t.Parallel()
		m, i, l := start()
		m.PostSystemMessage(&actor.SuspendMailbox{})
		l.run()
		m.PostUserMessage(brought{name: "a"})
		l.run()
		require.Empty(t, i.got)
		m.PostSystemMessage(&actor.ResumeMailbox{})
		l.run()
		require.Equal(t, []string{"a"}, names(i))
	})
	t.Run("SuspendedMeanwhile", func(t *testing.T) {
		t.Parallel()
		m, i, l := start()
		m.PostUserMessage(brought{name: "a", during: func() {
			m.PostSystemMessage(&actor.SuspendMailbox{})
			m.PostUserMessage("b")
		}})
		l.run()
		require.Equal(t, []string{"a"}, names(i))
		m.PostSystemMessage(&actor.ResumeMailbox{})
		l.run()
		require.Equal(t, []string{"b"}, names(i))
	})
	t.Run("PanicIsEscalatedAndTheRestServed", func(t *testing.T) {
		t.Parallel()
		m, i, l := start()
		m.PostUserMessage(brought{name: "a", during: func() {
			m.PostUserMessage("b")
			panic("handler")
		}})
		require.Equal(t, "handler", <-i.escalate)
		l.run()
		require.Equal(t, []string{"b"}, names(i))
	})
}

// ender is an actor that blocks in its first message and knows when it has stopped.
type ender struct {
	reached, gate chan struct{}
	over          bool
}

func (e *ender) Ended() bool { return e.over }

func (e *ender) Receive(c actor.Context) {
	switch c.Message() {
	case "wait":
		close(e.reached)
		<-e.gate
	case "unread":
		panic("a stopped actor handled a message")
	}
	if _, ok := c.Message().(*actor.Stopped); ok {
		e.over = true
	}
}
