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
	// dueAtOnce is how many due tasks one look takes, settleAtOnce how many ended runs.
	dueAtOnce    = 1000
	settleAtOnce = 200
	// maxSkew is how far the database's clock may stand from this node's. Beyond
	// it one of them is wrong, and work that is fired by a wrong clock cannot be
	// taken back: firing pauses.
	maxSkew = time.Minute
)

// Config is what a scheduler stands on. All fields are required.
type Config struct {
	Store domain.TaskStore
	// Node is this process's id: what is due and owned by another living node is left to it.
	Node  string
	Clock clock.Clock
	Log   *slog.Logger
	// Every is the pause between two looks.
	Every time.Duration
	// Locate gives the owner of a task, activated if need be; nil when that cannot be done
	// now. It is called beside the actor.
	Locate func(ctx context.Context, task uuid.UUID) *actor.PID
}

// Scheduler looks each second for scheduled tasks that are due and wakes them,
// and writes down how their runs ended. Every node has one; what one of them
// sees twice, or two of them see, is fired once.
type Scheduler struct {
	node.Poller

	c Config

	paused bool // so that the alarm is given once and not each second
}

// New makes the actor. It looks for the first time when it gets a node.LookAgain.
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
				return err // the node drains: another one wakes the rest
			}
			if pid := s.c.Locate(c, id); pid != nil {
				root.Send(pid, &protocol.Wake{})
			}
		}
		return nil
	}, func(err error) {
		switch {
		case err != nil && s.Life().Err() == nil:
			s.c.Log.LogAttrs(s.Life(), slog.LevelWarn, "due tasks could not be looked for", slog.Any("error", err))
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
