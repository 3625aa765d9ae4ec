package main

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/mailbox"
)

// held is a runner that signals its start and then runs until end is closed.
type held struct{ begun, end chan struct{} }

func (h held) Run(context.Context, *analyst.Job, analyst.Sink) error {
	h.begun <- struct{}{}
	<-h.end
	return nil
}

// Every series exists from the start: an alert on a series that does not exist cannot fire.
func TestMeter(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	m := newMeter(registry)
	e := m.engine()
	values := func() map[string]float64 {
		families, err := registry.Gather()
		require.NoError(t, err)
		all := map[string]float64{}
		for _, f := range families {
			for _, x := range f.GetMetric() {
				name := f.GetName()
				for _, l := range x.GetLabel() {
					if name != "parley_build_info" {
						name += " " + l.GetValue()
					}
				}
				all[name] = x.GetGauge().GetValue() + x.GetCounter().GetValue()
			}
		}
		return all
	}
	none := map[string]float64{
		"parley_build_info": 1, "parley_turns_running": 0, "parley_owned conversation": 0, "parley_owned session": 0,
		"parley_owned connection": 0,
		"parley_owned task":       0, "parley_turns_ended_total complete": 0, "parley_turns_ended_total stopped": 0,
		"parley_turns_ended_total interrupted": 0, "parley_turns_ended_total failed": 0, "parley_conversations_claimed_total": 0,
		"parley_conversations_fenced_total": 0, "parley_conversations_kept_total": 0,
		"parley_conversations_moved_total": 0, "parley_turns_waiting": 0, "parley_turns_refused_total": 0,
		"parley_turn_wait_seconds": 0, "parley_conversations_taken_over_total lost": 0,
		"parley_conversations_taken_over_total silent": 0, "parley_conversations_followed": 0,
		"parley_conversations_followed_silence_seconds": 0, "parley_resets_total": 0, "parley_resubscriptions_total": 0,
		"parley_orphans": 0, "parley_orphans_known_seconds": 0,
		"parley_mailbox_refused_total": 0, "parley_mailbox_deepest_messages": 0,
	}
	for _, name := range actors.NodeActors() {
		none["parley_mailbox_messages "+name] = 0
	}
	require.Equal(t, none, values())

	runner := held{make(chan struct{}), make(chan struct{})}
	ended := make(chan error)
	go func() { ended <- counted{runner, &m.running}.Run(t.Context(), &analyst.Job{}, nil) }()
	<-runner.begun
	require.InDelta(t, 1, m.load(), 0)
	e.Lives("conversation", 7)
	e.Claimed()
	e.Fenced()
	e.Kept()
	e.Moved()
	e.TurnsWaiting(9)
	e.TurnWaited(time.Second)
	e.TurnRefused()
	e.TurnEnded(domain.TurnFailed)
	e.TakenOver(actors.TakenFromLost)
	e.Followed(3, 2*time.Second)
	e.Orphans(4, 5*time.Second)
	e.Reset()
	e.Resubscribed()
	e.Overflowed()
	e.Mailbox("fanout", func() int { return 6 })
	box := mailbox.Marked(10, nil, e.Mark)() // not started, so it keeps what is posted
	for range 5 {
		box.PostUserMessage("one")
	}
	now := values()
	for name, value := range map[string]float64{
		"parley_turns_running": 1, "parley_owned conversation": 7, "parley_conversations_claimed_total": 1,
		"parley_conversations_fenced_total": 1, "parley_conversations_kept_total": 1,
		"parley_conversations_moved_total": 1, "parley_turns_waiting": 9, "parley_turns_refused_total": 1,
		"parley_turns_ended_total failed": 1, "parley_conversations_taken_over_total lost": 1, "parley_conversations_followed": 3,
		"parley_conversations_followed_silence_seconds": 2, "parley_orphans": 4, "parley_orphans_known_seconds": 5, "parley_resets_total": 1,
		"parley_resubscriptions_total": 1,
		"parley_mailbox_refused_total": 1, "parley_mailbox_messages fanout": 6, "parley_mailbox_deepest_messages": 5,
	} {
		require.InDelta(t, value, now[name], 0, name)
	}
	require.InDelta(t, 8, m.load(), 0, "one that makes an answer counts twice")
	close(runner.end)
	require.NoError(t, <-ended)
	require.InDelta(t, 7, m.load(), 0)
}

func TestUnanswered(t *testing.T) {
	t.Parallel()
	require.Empty(t, unanswered(nil))
	require.Equal(t, "no answer from b, c", unanswered([]string{"b", "c"}))
}

func TestVersion(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, (&program{stdout: &out, stderr: &out}).main(t.Context(), []string{"version"}))
	require.Contains(t, out.String(), "parley "+version)
}
