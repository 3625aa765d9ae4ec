package scheduler

import (
	"context"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
)

const (
	// dueAtOnce is how many due tasks one check handles, settleAtOnce how many ended runs.
	dueAtOnce    = 1000
	settleAtOnce = 200
	// maxSkew is the maximum difference between the database's clock and this node's. If it
	// is larger, one of them is wrong, and work that was fired by a wrong clock cannot be
	// undone, so firing pauses.
	maxSkew = time.Minute
)

// Config is what a scheduler needs. All fields are required.
type Config struct {
	Store domain.TaskStore
	// Node is this process's id: a due task that another live node owns is left to that node.
	Node  string
	Clock clock.Clock
	Log   *slog.Logger
	// Every is the pause between two checks.
	Every time.Duration
	// Locate returns the owner of a task, and activates it if necessary; it returns nil if
	// that is not possible now. It is called outside of the actor.
	Locate func(ctx context.Context, task uuid.UUID) *actor.PID
}

// Scheduler looks each second for scheduled tasks that are due and wakes them, and stores how
// their runs ended. Every node has one. A due time that one of them sees twice, or that two
// of them see, is fired once.
type Scheduler struct {
	node.Poller

	c Config

	paused bool // so that the alarm is logged once and not each second
}

// New makes the actor. It makes the first check when it gets a node.LookAgain.
func New(c Config) *Scheduler {
	return &Scheduler{Poller: node.Poller{Clock: c.Clock, Every: c.Every}, c: c}
}

// Receive implements actor.Actor.
func (s *Scheduler) Receive(ctx actor.Context) { s.Poller.Receive(ctx, s.look) }

func (s *Scheduler) look(ctx actor.Context) {
	root := ctx.ActorSystem().Root
	var skew time.Duration
	async.Run(s.Life(), ctx, 0, func(c context.Context) error {
		if _, err := s.c.Store.SettleTaskRuns(c, settleAtOnce); err != nil {
			return err
		}
		due, err := s.c.Store.DueTasks(c, s.c.Node, dueAtOnce)
		if err != nil {
			return err
		}
		if skew = due.Now.Sub(s.Clock.Now()).Abs(); skew > maxSkew {
			return nil
		}
		for _, id := range due.IDs {
			if err := c.Err(); err != nil {
				return err // the node drains: another node wakes the rest
			}
			if pid := s.c.Locate(c, id); pid != nil {
				root.Send(pid, &protocol.Wake{})
			}
		}
		return nil
	}, func(err error) {
		switch {
		case err != nil && s.Life().Err() == nil:
			s.c.Log.LogAttrs(s.Life(), slog.LevelWarn, "due tasks could not be read", slog.Any("error", err))
		case skew > maxSkew && !s.paused:
			s.c.Log.LogAttrs(s.Life(), slog.LevelError, "scheduled tasks are paused: the clocks of the database and of this node differ",
				slog.Duration("difference", skew))
		case skew <= maxSkew && s.paused && err == nil:
			s.c.Log.LogAttrs(s.Life(), slog.LevelInfo, "scheduled tasks go on: the clocks agree again")
		}
		if err == nil {
			s.paused = skew > maxSkew
		}
		s.Next(ctx)
	})
}
