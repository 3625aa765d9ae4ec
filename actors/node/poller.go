package node

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
)

// Poller is the part of an actor that looks at the database again and again: its
// life, and the pause between the end of one look and the next. The first LookAgain
// comes from outside, when all that a look may need is there.
type Poller struct {
	Clock clock.Clock
	// Every is the pause; the actor may change it between two looks.
	Every time.Duration

	timer  clock.Timer
	ctx    context.Context //nolint:containedctx // the actor's own life is the context
	cancel context.CancelFunc
}

const (
	// restFactor is how many times as long as a look took the next one waits at least,
	// where looks grow with what the node has: they shall not cost the database more than
	// a hundredth of a core.
	restFactor = 100
	// MaxRest bounds that: a look that waited for a database in trouble says nothing about
	// its cost, and that is when news get lost.
	MaxRest = 10 * time.Second
)

// Rest sets the pause before the next look, by how long this one took.
func (l *Poller) Rest(least, took time.Duration) {
	l.Every = min(max(least, restFactor*took), MaxRest)
}

// LookAgain asks for a look.
type LookAgain struct{}

// Essential lets it into a full mailbox: there is one.
func (*LookAgain) Essential() {}

// IgnoreDeadLetterLogging says that the actor may have ended meanwhile.
func (*LookAgain) IgnoreDeadLetterLogging() {}

// Receive is the actor's Receive. The look ends with Next, sooner or later; after a
// panic the next one comes all the same.
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

// Next arranges the next look after the pause, unless the actor ends. There is one.
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

// Life ends with the actor: what a look does beside it stands on this context.
func (l *Poller) Life() context.Context { return l.ctx }
