package actors

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// successor is another node on the same store. Its sweeper checks often.
func (b *bundle) successor(change ...func(*Config)) *bundle {
	b.t.Helper()
	n := *b
	n.runner = &scripted{}
	n.journal = fakes.NewJournal(b.store)
	c := Config{
		ActorSystem: fakes.NewActorSystem(), Dispatcher: async.NewDispatcher(1), Journal: n.journal, Conversations: b.store, Sessions: b.store,
		Analysts: b.store, Runner: n.runner,
		Logger: quiet(), Limits: Limits{Sweep: 5 * time.Millisecond, Request: patience, Hello: patience},
	}
	for _, f := range change {
		f(&c)
	}
	n.system = New(c)
	n.system.AttachLocal("node-2")
	b.store.SetAlive("node-2", true)
	b.t.Cleanup(func() {
		n.runner.release()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = n.system.Shutdown(ctx)
		c.ActorSystem.Shutdown()
	})
	return &n
}

// kill has, for the store, the same effect as kill -9: the lease ends, and no write of the
// node is committed any more.
func (b *bundle) kill() {
	b.journal.Hold()
	b.store.SetAlive("node-1", false)
}

// interrupted runs a turn up to a point, kills its node and lets another node take over.
func interrupted(
	t *testing.T, script func(ctx context.Context, j *analyst.Job, s analyst.Sink, reached chan<- struct{}) error,
) (*bundle, *domain.SendResult, *bundle) {
	t.Helper()
	b := setup(t)
	reached, gate := make(chan struct{}), b.runner.gate()
	b.runner.set(func(ctx context.Context, j *analyst.Job, s analyst.Sink) error {
		if err := script(ctx, j, s, reached); err != nil {
			return err
		}
		return pass(ctx, gate)
	})
	sent := b.send("a question of two words")
	<-reached
	b.kill()
	return b, sent, b.successor()
}

func TestRecovery(t *testing.T) { // G7, F01
	t.Parallel()
	t.Run("NothingYetStartsAgain", func(t *testing.T) {
		t.Parallel()
		_, sent, n := interrupted(t, func(_ context.Context, _ *analyst.Job, _ analyst.Sink, reached chan<- struct{}) error {
			close(reached)
			return nil
		})
		require.NoError(t, n.system.Start(context.Background()))
		turn := n.turnStatus(sent.TurnID, domain.TurnComplete)
		require.Equal(t, 2, turn.Attempt)
		require.Equal(t, "a question of two words ", n.answer().Text)
	})
	t.Run("TheFirstLookIsAtTheStart", func(t *testing.T) { // a server that comes back ends its turns at once
		t.Parallel()
		b := setup(t)
		reached, gate := make(chan struct{}), b.runner.gate()
		b.runner.set(func(ctx context.Context, _ *analyst.Job, _ analyst.Sink) error {
			close(reached)
			return pass(ctx, gate)
		})
		sent := b.send("why?")
		<-reached
		b.kill()
		n := b.successor(func(c *Config) { c.Limits.Sweep = time.Hour })
		require.NoError(t, n.system.Start(context.Background()))
		n.turnStatus(sent.TurnID, domain.TurnComplete)
	})
	t.Run("NotMoreThanTwice", func(t *testing.T) {
		t.Parallel()
		b, sent, n := interrupted(t, func(_ context.Context, _ *analyst.Job, _ analyst.Sink, reached chan<- struct{}) error {
			close(reached)
			return nil
		})
		b.store.Look(b.id, func(c *fakes.Conversation) { c.Turns[0].Attempt = 2 })
		require.NoError(t, n.system.Start(context.Background()))
		turn := n.turnStatus(sent.TurnID, domain.TurnInterrupted)
		require.NotEmpty(t, turn.Reason)
		require.Empty(t, n.runner.ran())
	})
	t.Run("AnAttemptWhoseOwnerWasSupersededStartsAgain", func(t *testing.T) {
		t.Parallel()
		b, sent, n := interrupted(t, func(_ context.Context, _ *analyst.Job, _ analyst.Sink, reached chan<- struct{}) error {
			close(reached)
			return nil
		})
		// Another node has become the owner and has begun the second attempt.
		b.store.SetAlive("node-3", true)
		b.store.Look(b.id, func(c *fakes.Conversation) { c.Turns[0].Attempt, c.Node = 2, "node-3" })
		require.NoError(t, n.system.Start(context.Background()))
		// This node does not see it there, and becomes the owner as well.
		n.system.Wake(context.Background(), b.id)
		turn := n.turnStatus(sent.TurnID, domain.TurnComplete)
		require.Equal(t, 2, turn.Attempt)
		require.Len(t, n.runner.ran(), 1)
	})
	t.Run("FinishedStepsAreUsed", func(t *testing.T) {
		t.Parallel()
		_, sent, n := interrupted(t, func(ctx context.Context, _ *analyst.Job, s analyst.Sink, reached chan<- struct{}) error {
			step := domain.Step{Number: 1, Kind: domain.StepModel, Name: "m", Output: []byte(`{"plan":1}`)}
			if err := s.StepStarted(ctx, step); err != nil {
				return err
			}
			if err := s.StepFinished(ctx, step, &domain.Usage{Credits: 2}); err != nil {
				return err
			}
			close(reached)
			return nil
		})
		require.NoError(t, n.system.Start(context.Background()))
		turn := n.turnStatus(sent.TurnID, domain.TurnComplete)
		require.Equal(t, 1, turn.Attempt)
		jobs := n.runner.ran()
		require.Len(t, jobs, 1)
		require.Len(t, jobs[0].Finished, 1)
		require.JSONEq(t, `{"plan":1}`, string(jobs[0].Finished[0].Output))
		require.Equal(t, sent.Message.ID, jobs[0].Prompt.ID)
		require.Equal(t, int64(7), jobs[0].Caller.UserID)
	})
	t.Run("ShownTextIsKept", func(t *testing.T) {
		t.Parallel()
		b, sent, n := interrupted(t, func(ctx context.Context, _ *analyst.Job, s analyst.Sink, reached chan<- struct{}) error {
			id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
			if err != nil {
				return err
			}
			if err := s.Delta(ctx, id, "half an answer"); err != nil {
				return err
			}
			// When a step is durable, everything before it is durable as well.
			if err := s.StepFinished(ctx, domain.Step{Number: 1, Kind: domain.StepTool}, nil); err != nil {
				return err
			}
			close(reached)
			return nil
		})
		require.NoError(t, n.system.Start(context.Background()))
		turn := n.turnStatus(sent.TurnID, domain.TurnInterrupted)
		require.Equal(t, reasonOfLoss, turn.Reason)
		answer := n.answer()
		require.Equal(t, "half an answer", answer.Text)
		require.Equal(t, domain.MessageInterrupted, answer.Status)
		require.Empty(t, n.runner.ran())
		// An owner that comes back cannot write: G1.
		b.journal.Go()
		r, err := b.system.Stop(context.Background(), b.owner, b.id)
		require.NoError(t, err, "the old owner ends and the request is sent to a new one")
		require.False(t, r.Stopped)
		require.Equal(t, "half an answer", n.store.Text(answer.ID))
	})
}

const reasonOfLoss = "The server that wrote this answer went away. The text up to here is kept."

func TestFence(t *testing.T) { // G1
	t.Parallel()
	b := setup(t)
	s, c := b.connect(b.owner, hello)
	c.Receive(b.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)
	cancelled := make(chan struct{})
	said := make(chan struct{})
	b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err != nil {
			return err
		}
		if err := s.StepFinished(ctx, domain.Step{Number: 1, Kind: domain.StepTool}, nil); err != nil {
			return err
		}
		close(said)
		for err == nil {
			err = s.Delta(ctx, id, "more ")
			if ctx.Err() != nil {
				err = ctx.Err()
			}
		}
		close(cancelled)
		return err
	})
	b.send("go on")
	<-said
	// Another node becomes the owner, and this node does not know it.
	_, err := b.store.Claim(context.Background(), b.id, uuid.New(), "node-2", []string{"node-1"})
	require.NoError(t, err)
	select {
	case <-cancelled:
	case <-time.After(patience):
		t.Fatal("a fenced owner continues")
	}
	// The socket finds the next owner, and continues without a gap.
	b.runner.set(nil)
	s.waitFor(t, "the end by the next owner", func(f protocol.Frame) bool {
		return f.Type == "conversation.streaming-complete" && f.Stream == b.id.String() && f.Epoch > 1
	})
	answer := b.answer()
	text, ok := s.text(answer.ID)
	require.True(t, ok)
	require.Equal(t, answer.Text, text)
	require.Zero(t, s.code())
}

func TestJournal_LostAnswers(t *testing.T) { // F19, F25
	t.Parallel()
	lost := errors.New("connection reset")
	for name, fault := range map[string]fakes.Fault{"NotWritten": {Before: lost}, "Written": {After: lost}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s, c := b.connect(b.owner, hello)
			c.Receive(b.subscribeFrame(""))
			s.waitType(t, protocol.FrameSubscribed)
			n := 0
			b.journal.OnFault(func(*domain.Write) fakes.Fault {
				if n++; n%2 == 1 {
					return fault
				}
				return fakes.Fault{}
			})
			sent := b.send("an answer in spite of it all")
			b.turnStatus(sent.TurnID, domain.TurnComplete)
			require.Equal(t, "an answer in spite of it all ", b.answer().Text)
			s.waitFor(t, "the end", func(f protocol.Frame) bool {
				return f.Type == "conversation.streaming-complete" && f.Stream == b.id.String()
			})
			text, ok := s.text(b.answer().ID)
			require.True(t, ok)
			require.Equal(t, b.answer().Text, text)
			require.Len(t, b.runner.ran(), 1, "a pause of the store costs no turn")
		})
	}
}

func TestTurn_Ends(t *testing.T) { // G6, F12, F31 to F34
	t.Parallel()
	provider := &analyst.ProviderError{Status: 529, Reason: "The model is overloaded."}
	open := func(ctx context.Context, s analyst.Sink, text string) (uuid.UUID, error) {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err == nil {
			err = s.Delta(ctx, id, text)
		}
		return id, err
	}
	// The clock is stopped, so that a slow machine ends no turn. The scripts of turns that
	// must end because of the time move the clock.
	type script func(ctx context.Context, now *clock.Fake, s analyst.Sink) error
	const silence, whole = time.Minute, 15 * time.Minute
	for name, c := range map[string]struct {
		script script
		status domain.TurnStatus
		reason string
		text   string
	}{
		"Panic": {
			func(context.Context, *clock.Fake, analyst.Sink) error { panic("a nil map") },
			domain.TurnFailed, "Something went wrong on our side while this answer was written.", "",
		},
		"ProviderBeforeTheFirstByte": {
			func(context.Context, *clock.Fake, analyst.Sink) error { return provider },
			domain.TurnFailed, provider.Reason, "",
		},
		"ProviderCutInTheMiddle": {
			func(ctx context.Context, _ *clock.Fake, s analyst.Sink) error {
				// Only a part of the last character has arrived.
				_, err := open(ctx, s, "exactly this €\xe2\x82")
				return errors.Join(err, provider)
			},
			domain.TurnInterrupted, provider.Reason, "exactly this €",
		},
		"DomainError": {
			func(context.Context, *clock.Fake, analyst.Sink) error {
				return domain.Errorf(domain.CodeTooMany, "This turn used all its credits.")
			},
			domain.TurnFailed, "This turn used all its credits.", "",
		},
		"InternalErrorIsNotShown": {
			func(context.Context, *clock.Fake, analyst.Sink) error { return errors.New("pq: secret table") },
			domain.TurnFailed, "Something went wrong on our side while this answer was written.", "",
		},
		"NoFirstByte": {
			func(ctx context.Context, now *clock.Fake, _ analyst.Sink) error {
				now.Advance(silence)
				<-ctx.Done()
				return ctx.Err()
			},
			domain.TurnFailed, "The model did not answer in time.", "",
		},
		"ThinksForLongAndIsAlive": {
			func(ctx context.Context, now *clock.Fake, s analyst.Sink) error {
				for range 5 {
					s.Alive()
					now.Advance(silence - time.Second)
				}
				s.Alive()
				id, err := open(ctx, s, "at last")
				if err != nil {
					return err
				}
				return s.Close(ctx, id)
			},
			domain.TurnComplete, "", "at last",
		},
		"Stall": {
			func(ctx context.Context, now *clock.Fake, s analyst.Sink) error {
				if _, err := open(ctx, s, "then nothing"); err != nil {
					return err
				}
				now.Advance(silence)
				<-ctx.Done()
				return ctx.Err()
			},
			domain.TurnInterrupted, "The model stopped in the middle of the answer.", "then nothing",
		},
		"TooLong": {
			func(ctx context.Context, now *clock.Fake, s analyst.Sink) error {
				for range 2 * whole / silence {
					if err := s.Progress(ctx, "still at it"); err != nil {
						return err
					}
					now.Advance(silence / 2)
				}
				<-ctx.Done()
				return ctx.Err()
			},
			domain.TurnFailed, "The answer took too long.", "",
		},
		"TooMuch": {
			func(ctx context.Context, _ *clock.Fake, s analyst.Sink) error {
				id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
				for err == nil {
					err = s.Delta(ctx, id, strings.Repeat("x", 1000))
				}
				return err
			},
			domain.TurnFailed, "The answer became too long.", "",
		},
		"SplitRunesAndBadBytes": {
			func(ctx context.Context, _ *clock.Fake, s analyst.Sink) error {
				id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
				for _, p := range []string{"\xe2", "\x82", "\xac", "a\x00b", "\xff", "\xf0\x9f"} {
					if err == nil {
						err = s.Delta(ctx, id, p)
					}
				}
				if err != nil {
					return err
				}
				return s.Close(ctx, id)
			},
			domain.TurnComplete, "", "€a\uFFFDb\uFFFD\uFFFD",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			b := setup(t, func(c *Config) {
				c.Clock, c.Limits.FirstByte, c.Limits.Stall, c.Limits.Turn = now, silence, silence, whole
				c.Limits.TurnText = 50_000
			})
			b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error { return c.script(ctx, now, s) })
			sent := b.send("why?")
			turn := b.turnStatus(sent.TurnID, c.status)
			require.Equal(t, c.reason, turn.Reason)
			// What is read later shows the failure as well: no message looks complete.
			require.Equal(t, domain.MessageStatus(c.status), b.answer().Status)
			if c.text != "" {
				require.Equal(t, c.text, b.answer().Text)
			}
			b.runner.set(nil)
			again := b.send("and now?")
			b.turnStatus(again.TurnID, domain.TurnComplete)
		})
	}
}

// A turn whose actor stops without reporting an end still gets exactly one end.
func TestTurn_ActorGone(t *testing.T) { // G6
	t.Parallel()
	b := setup(t)
	begun, gate := make(chan struct{}), b.runner.gate()
	b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		if err := say(ctx, s, "kept"); err != nil {
			return err
		}
		close(begun)
		return pass(ctx, gate)
	})
	sent := b.send("why?")
	<-begun
	// Only what was committed is kept; the rest is lost with the actor.
	require.Eventually(t, func() bool {
		answer := b.answer()
		return answer != nil && answer.Text == "kept "
	}, patience, time.Millisecond)
	b.store.Look(b.id, func(c *fakes.Conversation) {
		name := fmt.Sprintf("%s/%s/turn-%s-1-%d", kindConversation, b.id, sent.TurnID, c.Epoch)
		b.system.root().Stop(actor.NewPID(b.system.c.ActorSystem.Address(), name))
	})
	turn := b.turnStatus(sent.TurnID, domain.TurnFailed)
	require.NotEmpty(t, turn.Reason)
	messages, err := b.store.Messages(context.Background(), b.id, 0)
	require.NoError(t, err)
	require.Equal(t, "kept ", messages[1].Text)
	require.Equal(t, domain.MessageFailed, messages[2].Status)
	b.runner.set(nil)
	again := b.send("and now?")
	b.turnStatus(again.TurnID, domain.TurnComplete)
}

// A turn that reads waits for a store that is unreachable for a moment.
func TestTurn_RetryTime(t *testing.T) { // F19
	t.Parallel()
	b := setup(t)
	patient := make(chan time.Duration, 1)
	b.runner.set(func(ctx context.Context, j *analyst.Job, s analyst.Sink) error {
		patient <- domain.RetryTime(ctx)
		return echo(ctx, j, s)
	})
	b.send("why?")
	require.Equal(t, domain.StoreRetryTime, <-patient)
}

func TestTurn_Backpressure(t *testing.T) { // G17: a fast model cannot outrun the store
	t.Parallel()
	b := setup(t, func(c *Config) { c.Limits.Window = 10_000 })
	started, counted := make(chan struct{}), make(chan int, 1)
	b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err != nil {
			return err
		}
		if err := s.StepFinished(ctx, domain.Step{Number: 1, Kind: domain.StepTool}, nil); err != nil {
			return err
		}
		b.journal.Hold()
		close(started)
		n := 0
		for {
			// After the first delta was accepted, a delta that has to wait for a moment is
			// waiting for the store.
			limited, cancel := ctx, context.CancelFunc(func() {})
			if n > 0 {
				limited, cancel = context.WithTimeout(ctx, 200*time.Millisecond)
			}
			err := s.Delta(limited, id, strings.Repeat("x", 100))
			cancel()
			if err != nil {
				break
			}
			n += 100
		}
		counted <- n
		return s.Close(ctx, id)
	})
	sent := b.send("fast")
	<-started
	n := <-counted
	require.LessOrEqual(t, n, 10_000)
	require.Positive(t, n)
	b.journal.Go()
	b.turnStatus(sent.TurnID, domain.TurnComplete)
	require.Len(t, b.answer().Text, n)
}

func TestMailbox_Busy(t *testing.T) { // G17
	t.Parallel()
	release := make(chan struct{})
	b := setup(t, func(c *Config) { c.Limits.Mailbox = 8 })
	b.store.SetErr(func(op string, _ uuid.UUID) error {
		if op == "claim" {
			<-release
		}
		return nil
	})
	answers := make(chan error, 64)
	for range 64 {
		go func() {
			_, err := b.system.Stop(context.Background(), b.owner, b.id)
			answers <- err
		}()
	}
	refused := <-answers
	require.Equal(t, domain.CodeTooMany, domain.CodeOf(refused))
	var e *domain.Error
	require.ErrorAs(t, refused, &e)
	require.Positive(t, e.RetryAfter)
	close(release)
	served := 0
	for range 63 {
		if err := <-answers; err == nil {
			served++
		} else {
			require.Equal(t, domain.CodeTooMany, domain.CodeOf(err))
		}
	}
	require.Positive(t, served)
}

func TestSnapshot(t *testing.T) { // G21
	t.Parallel()
	for name, spoil := range map[string]func(*domain.Snapshot){
		"Good":    func(*domain.Snapshot) {},
		"Missing": nil,
		"FlippedBit": func(s *domain.Snapshot) {
			// This changes one bit of the id of the head: the result is still JSON, but names
			// another message.
			s.Body = bytes.Clone(s.Body)
			at := bytes.IndexByte(s.Body, '-') + 1
			s.Body[at] ^= 1
		},
		"Truncated":    func(s *domain.Snapshot) { s.Body = s.Body[:len(s.Body)/2] },
		"FutureSchema": func(s *domain.Snapshot) { s.SchemaVersion = 99 },
		"FutureEpoch":  func(s *domain.Snapshot) { s.Epoch = 1000 },
		"Old": func(s *domain.Snapshot) {
			s.Seq--
			s.Body = []byte(`{"tail":["` + domain.NewID().String() + `"],"credits":0}`)
			s.Checksum = crc32.Checksum(s.Body, crc32.MakeTable(crc32.Castagnoli))
		},
		"OfAnother": func(s *domain.Snapshot) { s.Conversation = domain.NewID() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, func(c *Config) { c.Limits.ConversationIdle = 20 * time.Millisecond })
			first := b.send("one")
			b.turnStatus(first.TurnID, domain.TurnComplete)
			last := b.answer()
			b.passivated()
			b.store.Look(b.id, func(c *fakes.Conversation) {
				require.NotNil(t, c.Snapshot)
				if spoil == nil {
					c.Snapshot = nil
					return
				}
				copied := *c.Snapshot
				spoil(&copied)
				c.Snapshot = &copied
			})
			p := b.prompt("two")
			p.Parent = first.Message.ID
			_, err := b.system.Send(context.Background(), b.owner, p)
			require.Equal(t, domain.CodeConflict, domain.CodeOf(err))
			p.Parent = last.ID
			b.taken(p)
		})
	}
}
