package actors

import (
	"context"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
)

const (
	// dueAtOnce is how many due tasks one look takes, settleAtOnce how many ended runs.
	dueAtOnce    = 1000
	settleAtOnce = 200
	// schedulerSkew is how far the database's clock may stand from this node's. Beyond
	// it one of them is wrong, and work that is fired by a wrong clock cannot be
	// taken back: firing pauses.
	schedulerSkew = time.Minute
)

// scheduler looks each second for scheduled tasks that are due and wakes them,
// and writes down how their runs ended. Every node has one; what one of them
// sees twice, or two of them see, is fired once.
type scheduler struct {
	lookout

	store  domain.TaskStore
	node   string
	log    *slog.Logger
	locate func(ctx context.Context, kind, identity string) *actor.PID

	paused bool // so that the alarm is given once and not each second
}

// Receive implements actor.Actor.
func (s *scheduler) Receive(ctx actor.Context) { s.receive(ctx, s.look) }

func (s *scheduler) look(ctx actor.Context) {
	root := ctx.ActorSystem().Root
	var skew time.Duration
	async.Run(s.ctx, ctx, 0, func(c context.Context) error {
		if _, err := s.store.SettleTaskRuns(c, settleAtOnce); err != nil {
			return err
		}
		due, err := s.store.DueTasks(c, s.node, dueAtOnce)
		if err != nil {
			return err
		}
		if skew = due.Now.Sub(s.clock.Now()).Abs(); skew > schedulerSkew {
			return nil
		}
		for _, id := range due.IDs {
			if pid := s.locate(c, kindTask, id.String()); pid != nil {
				root.Send(pid, &protocol.Wake{})
			}
		}
		return nil
	}, func(err error) {
		switch {
		case err != nil && s.ctx.Err() == nil:
			s.log.LogAttrs(s.ctx, slog.LevelWarn, "due tasks could not be looked for", slog.Any("error", err))
		case skew > schedulerSkew && !s.paused:
			s.log.LogAttrs(s.ctx, slog.LevelError, "scheduled tasks are paused: the clocks of the database and of this node differ",
				slog.Duration("difference", skew))
		case skew <= schedulerSkew && s.paused && err == nil:
			s.log.LogAttrs(s.ctx, slog.LevelInfo, "scheduled tasks go on: the clocks agree again")
		}
		if err == nil {
			s.paused = skew > schedulerSkew
		}
		s.next(ctx)
	})
}
