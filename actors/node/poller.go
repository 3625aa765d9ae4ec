package node

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
)

// Poller is the part of an actor that queries the database regularly: its lifetime, and the
// pause between the end of one check and the next. The first LookAgain is sent from outside,
// when everything that a check may need exists.
type Poller struct {
	Clock clock.Clock
	// Every is the pause; the actor may change it between two checks.
	Every time.Duration

	timer  clock.Timer
	ctx    context.Context //nolint:containedctx // the context ends with the actor
	cancel context.CancelFunc
}

const (
	// restFactor is for checks whose cost grows with what lives on the node: the pause before
	// the next check is at least the duration of the last one times restFactor, so that the
	// checks cost the database at most a hundredth of a core.
	restFactor = 100
	// MaxRest limits that pause: the duration of a check that waited for an overloaded
	// database says nothing about its cost, and at such times messages get lost.
	MaxRest = 10 * time.Second
)

// Rest sets the pause before the next check from the duration of this one, between two limits.
func (l *Poller) Rest(least, most, took time.Duration) {
	l.Every = min(max(least, restFactor*took), most)
}

// LookAgain asks for a check.
type LookAgain struct{}

// Essential lets it into a full mailbox: there is one.
func (*LookAgain) Essential() {}

// IgnoreDeadLetterLogging says that the actor may have ended meanwhile.
func (*LookAgain) IgnoreDeadLetterLogging() {}

// Receive is the actor's Receive. look must call Next when the check has ended; after a panic
// the next check is arranged here.
func (l *Poller) Receive(ctx actor.Context, look func(ctx actor.Context)) {
	handled := false
	defer func() {
		if !handled {
			l.Next(ctx)
		}
	}()
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		l.ctx, l.cancel = context.WithCancel(context.Background())
	case *LookAgain:
		look(ctx)
	case *async.Reentry:
		msg.Resume()
	case *actor.Stopping:
		l.cancel()
		l.stop()
	}
	handled = true
}

// Next arranges the next check after the pause, unless the actor ends. At most one is
// arranged at a time.
func (l *Poller) Next(ctx actor.Context) {
	l.stop()
	if l.ctx.Err() != nil {
		return
	}
	root, self := ctx.ActorSystem().Root, ctx.Self()
	l.timer = l.Clock.AfterFunc(l.Every, func() { root.Send(self, &LookAgain{}) })
}

func (l *Poller) stop() {
	if l.timer != nil {
		l.timer.Stop()
	}
}

// Life is a context that ends with the actor. What a check does outside of the actor uses it.
func (l *Poller) Life() context.Context { return l.ctx }
