package actors

import (
	"context"
	"log/slog"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// hintStop is the flag by which a node that cannot reach the owner of a conversation causes a
// turn to be stopped. It contains the ids of both. The owner stops that turn and no later
// one.
const hintStop domain.HintTopic = "stop"

// Stop implements domain.ConversationEngine. If the owner cannot be reached the stop flag is
// sent as a hint, and the answer is read from the store when the turn has ended. No event of
// the turn follows, whichever node ended it (G10).
func (s *System) Stop(ctx context.Context, caller domain.Caller, conversation uuid.UUID) (*domain.StopResult, error) {
	request := &protocol.StopTurn{Caller: protocol.FromCaller(caller)}
	answer, err := askOr(ctx, s, conversation, request, func(ctx context.Context) (*protocol.StopAnswer, bool) {
		answer, err := s.stopApart(ctx, caller, conversation)
		if err != nil {
			s.c.Logger.LogAttrs(ctx, slog.LevelWarn, "a turn whose owner cannot be reached could not be stopped", slog.Any("error", err))
		}
		return answer, answer != nil
	})
	if err != nil {
		return nil, err
	}
	last, err := protocol.DecodeMessage(answer.LastMessageJson)
	if err != nil {
		return nil, err
	}
	return &domain.StopResult{Stopped: answer.Stopped, End: domain.TurnStatus(answer.End), LastMessage: last}, nil
}

// stopApart sends the stop flag for the running turn and returns nil. If no turn runs it
// returns the answer. It may be repeated.
func (s *System) stopApart(ctx context.Context, caller domain.Caller, conversation uuid.UUID) (*protocol.StopAnswer, error) {
	may, err := s.mayByStore(ctx, conversation, caller, domain.StopTurn)
	if err != nil || !may {
		return nil, err
	}
	turn, stopped, err := s.c.Conversations.Underway(ctx, conversation)
	switch {
	case err != nil:
		return nil, err
	case turn != uuid.Nil:
		s.c.Hints.Send(hintStop, turn.String(), append(conversation[:], turn[:]...))
		return nil, nil //nolint:nilnil // the caller tries again
	case stopped == nil:
		return &protocol.StopAnswer{}, nil
	}
	last, err := protocol.EncodeMessage(stopped)
	if err != nil {
		return nil, err
	}
	return &protocol.StopAnswer{Stopped: true, End: string(domain.TurnStopped), LastMessageJson: last}, nil
}

// flagged handles the stop flags of other nodes.
func (s *System) flagged(data []byte) {
	if len(data) != 32 {
		return // flags were missed; the node that sent one sends it again
	}
	s.root().Send(s.here(kindConversation)(uuid.UUID(data[:16])), &protocol.StopFlag{Turn: uuid.UUID(data[16:])})
}
