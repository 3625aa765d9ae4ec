package async

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Panic is the error of work that panicked.
type Panic struct{ Value any }

// Error implements error.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Reentry is the message with the result of work that was done for an actor. The actor's
// Receive calls Resume and does nothing else with it.
type Reentry struct {
	done func(error)
	err  error
}

// Resume calls the done function of Run.
func (r *Reentry) Resume() { r.done(r.err) }

// Essential marks it as a message for a full mailbox, too: the actor itself requested the work.
func (*Reentry) Essential() {}

// IgnoreDeadLetterLogging is implemented because an actor may stop before its work has ended.
func (*Reentry) IgnoreDeadLetterLogging() {}

// Run does work in a goroutine and then calls done inside the actor a. A limit of 0
// means no time limit. A panic of work is logged and passed to done as *Panic.
func Run(ctx context.Context, a actor.Context, limit time.Duration, work func(context.Context) error, done func(error)) {
	system, self := a.ActorSystem(), a.Self()
	go func() {
		err := guarded(ctx, system.Logger(), limit, work)
		system.Root.Send(self, &Reentry{done: done, err: err})
	}()
}

// Go does work in a goroutine; no actor waits for it. A panic of work is logged and passed
// to done, if there is one, as *Panic.
func Go(ctx context.Context, log *slog.Logger, limit time.Duration, work func(context.Context) error, done func(error)) {
	go func() {
		err := guarded(ctx, log, limit, work)
		if done != nil {
			done(err)
		}
	}()
}

func guarded(ctx context.Context, log *slog.Logger, limit time.Duration, work func(context.Context) error) (err error) {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	defer func() {
		if r := recover(); r != nil {
			log.LogAttrs(ctx, slog.LevelError, "work beside an actor panicked",
				slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
			err = &Panic{Value: r}
		}
	}()
	return work(ctx)
}

// Again makes a message that calls do inside the actor that receives it; timers send it.
func Again(do func()) *Reentry { return &Reentry{done: func(error) { do() }} }
