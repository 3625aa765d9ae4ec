package actors

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

// Text that a turn writes while a write is in flight stays in its window until the journal
// begins that write or the write is committed. None of the text may be lost or shown twice
// because of what happens meanwhile.
func TestTurn_SpeaksWhileAWriteIsInFlight(t *testing.T) {
	t.Parallel()
	speak := func(b *bundle, said chan<- struct{}, until func(context.Context, analyst.Sink, uuid.UUID) error) {
		submitted := make(chan struct{})
		b.journal.OnSubmit(func(w *domain.Write) {
			if len(w.Chunks) > 0 && w.Chunks[0].Whole() == "a" {
				close(submitted)
			}
		})
		b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
			id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
			if err != nil {
				return err
			}
			if err := s.StepFinished(ctx, domain.Step{Number: 1, Kind: domain.StepTool}, nil); err != nil {
				return err
			}
			b.journal.Hold()
			if err := s.Delta(ctx, id, "a"); err != nil {
				return err
			}
			<-submitted
			for _, text := range []string{"b", "c"} {
				if err := s.Delta(ctx, id, text); err != nil {
					return err
				}
			}
			close(said)
			return until(ctx, s, id)
		})
	}

	t.Run("AndEnds", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var chunks []string
		b.journal.OnFault(func(w *domain.Write) fakes.Fault {
			for _, c := range w.Chunks {
				chunks = append(chunks, c.Text)
			}
			return fakes.Fault{}
		})
		said := make(chan struct{})
		speak(b, said, func(context.Context, analyst.Sink, uuid.UUID) error { return nil })
		sent := b.send("go on")
		<-said
		require.Eventually(t, func() bool { return !runs(b, "turn-"+sent.TurnID.String()) }, patience, time.Millisecond)
		b.journal.Go()
		b.turnStatus(sent.TurnID, domain.TurnComplete)
		require.Equal(t, "abc", b.answer().Text)
		b.journal.Hold() // so that nothing writes to chunks any more
		// Whether the first write takes all of the text depends on the order of events.
		require.Equal(t, "abc", strings.Join(chunks, ""))
	})

	t.Run("AndIsStoppedAfterTheWriteHasTakenIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		taken, goOn := make(chan struct{}), make(chan struct{})
		var (
			once   sync.Once
			chunks []string
		)
		b.journal.OnFault(func(w *domain.Write) fakes.Fault {
			if len(w.Chunks) > 0 {
				once.Do(func() { close(taken); <-goOn })
				chunks = append(chunks, w.Chunks[0].Whole())
			}
			return fakes.Fault{}
		})
		said, more, spoken := make(chan struct{}), make(chan struct{}), make(chan struct{})
		speak(b, said, func(ctx context.Context, s analyst.Sink, id uuid.UUID) error {
			<-more
			if err := s.Delta(ctx, id, "d"); err != nil {
				return err
			}
			close(spoken)
			<-ctx.Done()
			return ctx.Err()
		})
		sent := b.send("go on")
		<-said
		b.journal.Go()
		<-taken
		close(more)
		<-spoken
		stopped := make(chan error, 1)
		go func() {
			_, err := b.system.Stop(context.Background(), b.owner, b.id)
			stopped <- err
		}()
		require.Eventually(t, func() bool { return !runs(b, "turn-"+sent.TurnID.String()) }, patience, time.Millisecond)
		close(goOn)
		require.NoError(t, <-stopped)
		b.turnStatus(sent.TurnID, domain.TurnStopped)
		require.Equal(t, "abcd", b.answer().Text)
		b.journal.Hold() // so that nothing writes to chunks any more
		require.Equal(t, []string{"abc", "d"}, chunks)
	})

	t.Run("AgainAndAgain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		begun, goOn := make(chan struct{}, 1), make(chan struct{})
		var chunks []string
		b.journal.OnFault(func(w *domain.Write) fakes.Fault {
			if len(w.Chunks) > 0 {
				chunks = append(chunks, w.Chunks[0].Whole())
				begun <- struct{}{}
				<-goOn
			}
			return fakes.Fault{}
		})
		texts := make(chan string)
		b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
			id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
			if err != nil {
				return err
			}
			if err := s.StepFinished(ctx, domain.Step{Number: 1, Kind: domain.StepTool}, nil); err != nil {
				return err
			}
			for text := range texts {
				if err := s.Delta(ctx, id, text); err != nil {
					return err
				}
			}
			return nil
		})
		sent := b.send("go on")
		// Each text is written when the write before it can take no more text. It is in the
		// next write, which begins as soon as the one before has ended.
		for i, text := range []string{"a", "b", "c", "d"} {
			texts <- text
			texts <- "" // the text before it is in the window now
			if i > 0 {
				goOn <- struct{}{}
			}
			select {
			case <-begun:
			case <-time.After(patience):
				require.Fail(t, "the text was not written to the store", text)
			}
		}
		close(texts)
		close(goOn)
		b.turnStatus(sent.TurnID, domain.TurnComplete)
		require.Equal(t, "abcd", b.answer().Text)
		b.journal.Hold() // so that nothing writes to chunks any more
		require.Equal(t, []string{"a", "b", "c", "d"}, chunks)
	})

	t.Run("AndIsStopped", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		said := make(chan struct{})
		speak(b, said, func(ctx context.Context, _ analyst.Sink, _ uuid.UUID) error { <-ctx.Done(); return ctx.Err() })
		sent := b.send("go on")
		<-said
		stopped := make(chan error, 1)
		go func() {
			_, err := b.system.Stop(context.Background(), b.owner, b.id)
			stopped <- err
		}()
		require.Eventually(t, func() bool { return !runs(b, "turn-"+sent.TurnID.String()) }, patience, time.Millisecond)
		b.journal.Go()
		require.NoError(t, <-stopped)
		b.turnStatus(sent.TurnID, domain.TurnStopped)
		require.Equal(t, "abc", b.answer().Text)
	})
}

// runs reports whether an actor of that name exists.
func runs(b *bundle, name string) bool {
	for _, part := range b.system.c.ActorSystem.ProcessRegistry.LocalPIDs.LocalPIDs {
		for _, key := range part.Keys() {
			if strings.Contains(key, name) {
				return true
			}
		}
	}
	return false
}
