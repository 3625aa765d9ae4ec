package persistence_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// Text waits until the previous text was handled by its conversations, and merges
// meanwhile; writes that people wait for do not wait.
func TestJournal_Pace(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	owners, answers := speaking(t, s, 4)
	pausing, resume := make(chan struct{}, 100), make(chan struct{})
	j := startJournal(t, s, persistence.JournalConfig{Lanes: 1, Deliver: func(portion func()) func(context.Context) {
		portion()
		return func(context.Context) {
			pausing <- struct{}{}
			<-resume
		}
	}})
	// Two portions may be in flight; here each of them is one write.
	requireAnswer(t, submit(j, owners[0].write(chunk(answers[0], 0, "first"))))
	requireAnswer(t, submit(j, owners[1].write(chunk(answers[1], 0, "second"))))
	select {
	case <-pausing:
	case <-time.After(time.Minute):
		require.Fail(t, "the journal does not wait")
	}

	w := owners[2].write(chunk(answers[2], 0, "third"))
	w.Source = follows(" and more")
	text := submit(j, w)
	requireAnswer(t, submit(j, owners[3].write(domain.Write{Events: []domain.Event{event(domain.EventMessageUpdated)}})))
	requireText(t, owners[2], answers[2], "")
	require.Empty(t, text)
	close(resume)
	requireAnswer(t, text)
	requireText(t, owners[2], answers[2], "third and more")
}

// follows is text that was submitted meanwhile.
type follows string

func (f follows) Next(domain.Continuation) string { return string(f) }

// Answers run on the executor of the actors that they are for; until an answer has run, the
// next write of its conversation waits.
func TestJournal_AnswerInItsTurn(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	owners, answers := speaking(t, s, 2)
	portions := make(chan func(), 100)
	j := startJournal(t, s, persistence.JournalConfig{Deliver: func(portion func()) func(context.Context) {
		portions <- portion
		return func(context.Context) {}
	}})
	first := submit(j, owners[0].write(chunk(answers[0], 0, "first")))
	answer := <-portions
	second := submit(j, owners[0].write(chunk(answers[0], int64(len("first")), " second")))
	other := submit(j, owners[1].write(domain.Write{Events: []domain.Event{event(domain.EventMessageUpdated)}}))
	(<-portions)()
	requireAnswer(t, other)
	requireText(t, owners[0], answers[0], "first")
	require.Empty(t, first, "it is answered when its portion runs")
	answer()
	requireAnswer(t, first)
	(<-portions)()
	requireAnswer(t, second)
	requireText(t, owners[0], answers[0], "first second")
}

// While there are few writes of text, the first one is committed at once and the next ones together; a
// full group does not wait.
func TestJournal_Groups(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	owners, answers := speaking(t, s, 6)
	sizes := make(chan int, 100)
	observe := func(g persistence.GroupStats) { sizes <- g.Writes }
	text := func(j *persistence.Journal, i int, at int64) <-chan domain.WriteResult {
		return submit(j, owners[i].write(chunk(answers[i], at, "text")))
	}

	j := startJournal(t, s, persistence.JournalConfig{GroupSize: 3, Pace: time.Hour, Observe: observe})
	requireAnswer(t, text(j, 0, 0))
	require.Equal(t, 1, <-sizes)
	second, third := text(j, 1, 0), text(j, 2, 0)
	// Writes that people wait for have no pace.
	requireAnswer(t, submit(j, owners[4].write(domain.Write{Events: []domain.Event{event(domain.EventMessageUpdated)}})))
	require.Equal(t, 1, <-sizes)
	require.Empty(t, second)
	fourth := text(j, 3, 0)
	for _, answer := range []<-chan domain.WriteResult{second, third, fourth} {
		requireAnswer(t, answer)
	}
	require.Equal(t, 3, <-sizes)
	last := text(j, 5, 0)
	j.Stop()
	requireAnswer(t, last)

	// The time is over by itself.
	j = startJournal(t, s, persistence.JournalConfig{Pace: time.Millisecond})
	for at := range int64(3) {
		requireAnswer(t, text(j, 0, 4+4*at))
	}
	requireText(t, owners[0], answers[0], "texttexttexttext")
}
