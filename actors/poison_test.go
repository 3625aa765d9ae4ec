package actors

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

func TestPoison(t *testing.T) { // G18, F45
	t.Parallel()
	t.Run("RequestIsSetAside", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		tries := 0
		b.journal.OnSubmit(func(w *domain.Write) {
			if len(w.Messages) > 0 && w.Messages[0].Text == "poison" {
				tries++
				panic("poison")
			}
		})
		s, c := b.connect(b.owner, hello)
		c.Receive(b.subscribeFrame(""))
		s.waitType(t, protocol.FrameSubscribed)
		p := b.prompt("poison")
		_, err := b.system.Send(context.Background(), b.owner, p)
		require.Equal(t, domain.CodeInternal, domain.CodeOf(err))
		require.Equal(t, 3, tries)
		_, err = b.system.Send(context.Background(), b.owner, p)
		require.Equal(t, domain.CodeInternal, domain.CodeOf(err))
		require.Equal(t, 3, tries, "what is set aside is not tried again")
		sent := b.send("and now?")
		b.turnStatus(sent.TurnID, domain.TurnComplete)
		s.waitFor(t, "the conversation goes on", func(f protocol.Frame) bool {
			return f.Type == "conversation.streaming-complete" && f.Stream == b.id.String()
		})
	})
	t.Run("TurnFails", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.journal.OnSubmit(func(w *domain.Write) {
			for _, step := range w.Steps {
				if step.Name == "poison" {
					panic("poison")
				}
			}
		})
		b.runner.set(func(ctx context.Context, _ analyst.Job, s analyst.Sink) error {
			if err := say(ctx, s, "kept"); err != nil {
				return err
			}
			return s.StepFinished(ctx, domain.Step{Number: 1, Kind: domain.StepTool, Name: "poison"}, nil)
		})
		sent := b.send("why?")
		b.turnStatus(sent.TurnID, domain.TurnFailed)
		b.runner.set(nil)
		again := b.send("and now?")
		b.turnStatus(again.TurnID, domain.TurnComplete)
		b.store.Look(b.id, func(c *fakes.Conversation) { require.Len(t, c.Turns, 2) })
	})
}
