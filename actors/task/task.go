package task

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/mailbox"
)

// storeLimit is the maximum duration of a call of the store.
const storeLimit = 20 * time.Second

// Config is what a task needs. All fields are required.
type Config struct {
	// Node is this process's id; it is written into the row that is claimed.
	Node   string
	Store  domain.TaskStore
	Clock  clock.Clock
	Logger *slog.Logger
	// Begin wakes a conversation whose turn has not begun.
	Begin func(ctx context.Context, conversation uuid.UUID)
	// Lives and Left add this task to the node's list, and remove it.
	Lives, Left func(*actor.PID)
	// Idle is how long a task stays after it was last used.
	Idle time.Duration
}

func (c *Config) mustValidate() {
	if c.Node == "" || c.Store == nil || c.Clock == nil || c.Logger == nil || c.Begin == nil || c.Lives == nil || c.Left == nil ||
		c.Idle <= 0 {
		panic("task: every field of Config is required")
	}
}

// Actor is the shell around State.
type Actor struct {
	// set at spawn
	c Config

	// owned, reset by every activation
	id    uuid.UUID
	state *State
	claim *domain.TaskClaim
	over  bool
	timer clock.Timer

	// work outside of the actor ends when the actor ends
	ctx    context.Context //nolint:containedctx // the context ends with the actor
	cancel context.CancelFunc
}

// New makes the actor.
func New(c Config) *Actor {
	c.mustValidate()
	return &Actor{c: c}
}

// idleCheck asks whether the task is still used.
type idleCheck struct{}

func (*idleCheck) Essential()               {}
func (*idleCheck) IgnoreDeadLetterLogging() {}

// Receive implements actor.Actor.
func (a *Actor) Receive(ctx actor.Context) {
	defer a.guard(ctx)
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		a.begin(ctx)
	case *actor.Restarting, *mailbox.Overflow:
		// A wake that was dropped is sent again.
	case *actor.Stopped:
		a.over = true
	case *actor.Stopping:
		a.stopping(ctx)
	case *async.Reentry:
		msg.Resume()
	case *idleCheck:
		a.step(ctx, CheckIdle{})
	case *protocol.Wake:
		a.step(ctx, Wake{})
	case *protocol.HandOver:
		a.step(ctx, HandOver{})
	default:
		a.log(slog.LevelWarn, "a task got a message it does not know", slog.String("type", actor.MessageName(msg)))
	}
}

// Ended implements mailbox.Ender.
func (a *Actor) Ended() bool { return a.over }

func (a *Actor) begin(ctx actor.Context) {
	a.ctx, a.cancel = context.WithCancel(context.Background())
	a.state = NewState(a.c.Idle)
	a.c.Lives(ctx.Self())
	a.id, _ = protocol.IdentityOf(ctx.Self().Id) // an invalid id finds no row, which ends the actor below
	if a.id == uuid.Nil {
		a.log(slog.LevelWarn, "a task was asked for by something that is no id")
		a.state.phase = gone
		ctx.Stop(ctx.Self())
		return
	}
	a.step(ctx, Started{})
}

// step applies an input and executes the outputs.
func (a *Actor) step(ctx actor.Context, in Input) {
	for _, o := range a.state.Apply(in, a.c.Clock.Now()) {
		switch o := o.(type) {
		case Claim:
			a.claimRow(ctx)
		case Fire:
			a.fire(ctx)
		case Begin:
			a.wake(ctx, o.Conversation)
		case Release:
			a.release(ctx)
		case CheckIdleAfter:
			root, self := ctx.ActorSystem().Root, ctx.Self()
			a.timer = a.c.Clock.AfterFunc(o.Time, func() { root.Send(self, &idleCheck{}) })
		case Trouble:
			a.log(slog.LevelError, "a scheduled task could not be fired", slog.Any("error", o.Err))
		case End:
			ctx.Stop(ctx.Self())
		default:
			panic(fmt.Sprintf("task: no case for the output %T", o))
		}
	}
}

func (a *Actor) claimRow(ctx actor.Context) {
	var claim *domain.TaskClaim
	async.Run(a.ctx, ctx, storeLimit, func(c context.Context) (err error) {
		claim, err = a.c.Store.ClaimTask(c, a.id, uuid.New(), a.c.Node)
		return err
	}, func(err error) {
		a.claim = claim
		a.step(ctx, Claimed{Err: err})
	})
}

func (a *Actor) fire(ctx actor.Context) {
	var fired *domain.TaskFired
	claim := a.claim
	async.Run(a.ctx, ctx, storeLimit, func(c context.Context) (err error) {
		fired, err = a.c.Store.FireTask(c, claim)
		return err
	}, func(err error) { a.step(ctx, Fired{Result: fired, Err: err}) })
}

// wake locates and wakes the conversation outside the actor, since that may read the store.
// If it fails the sweeper finds the turn.
func (a *Actor) wake(ctx actor.Context, conversation uuid.UUID) {
	async.Run(a.ctx, ctx, storeLimit, func(c context.Context) error {
		a.c.Begin(c, conversation)
		return nil
	}, func(error) {})
}

func (a *Actor) release(ctx actor.Context) {
	claim := a.claim
	async.Run(a.ctx, ctx, storeLimit, func(c context.Context) error { return a.c.Store.ReleaseTask(c, claim) }, func(err error) {
		if err != nil {
			a.log(slog.LevelWarn, "a scheduled task could not be given back", slog.Any("error", err))
		}
		a.step(ctx, Released{})
	})
}

func (a *Actor) stopping(ctx actor.Context) {
	a.state.phase = gone
	a.cancel()
	if a.timer != nil {
		a.timer.Stop()
	}
	a.c.Left(ctx.Self())
}

// guard ends a task whose handler panicked; the next check of what is due starts another one.
func (a *Actor) guard(ctx actor.Context) {
	if r := recover(); r != nil {
		a.c.Logger.LogAttrs(context.Background(), slog.LevelError, "a task's handler panicked", slog.Any("panic", r))
		ctx.Stop(ctx.Self())
	}
}

// log adds the task's id to a log entry.
func (a *Actor) log(level slog.Level, msg string, attrs ...slog.Attr) {
	//nolint:sloglint // the callers' messages are static
	a.c.Logger.LogAttrs(context.Background(), level, msg, append(attrs, slog.String("task", a.id.String()))...)
}
