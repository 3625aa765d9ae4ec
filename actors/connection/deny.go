package connection

import (
	"context"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/logctx"
)

// deny ends a subscription that its owner refused. A person who could read the conversation
// until it was deleted gets the event of the deletion first: a reader who subscribed again while
// it was written has not received that event, and neither has a reader who comes back later.
func (a *Actor) deny(ctx actor.Context, s *subscription) {
	s.stage = leaving
	a.depart(ctx, s)
	ticket := s.ticket
	var deletion *domain.Event
	async.Run(context.Background(), ctx, answerTimeout, func(c context.Context) (err error) {
		deletion, err = a.c.Store.Deletion(c, s.id, a.in.Caller.UserID)
		return err
	}, func(err error) {
		if a.phase != open || a.subs.Get(s.id) != s || s.ticket != ticket {
			return
		}
		if err != nil {
			a.c.Logger.LogAttrs(context.Background(), slog.LevelWarn, "a deletion could not be read", slog.Any("error", err),
				logctx.Conversation(s.id))
		}
		if at := s.at(); deletion != nil && (at == nil || at.Seq < deletion.Seq) {
			a.outbox.raw(protocol.EncodeEvent(
				string(deletion.Type), s.id, deletion.Seq, deletion.Epoch, deletion.Generation, deletion.At, deletion.Data,
			))
		}
		a.subs.Delete(s.id)
		a.latest = nil
		a.outbox.raw(protocol.EncodeControl(protocol.FrameDenied, s.id, 0, 0, 0))
	})
}
