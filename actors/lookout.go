package actors

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
)

// lookout is the part of an actor that looks at the database again and again: its
// life, and the pause between the end of one look and the next. The first lookAgain
// comes from outside, when all that a look may need is there.
type lookout struct {
	clock clock.Clock
	every time.Duration

	timer  clock.Timer
	ctx    context.Context //nolint:containedctx // the actor's own life is the context
	cancel context.CancelFunc
}

type lookAgain struct{}

func (*lookAgain) Essential()               {}
func (*lookAgain) IgnoreDeadLetterLogging() {}

// receive is the actor's Receive. The look ends with next, sooner or later; after a
// panic the next one comes all the same.
func (l *lookout) receive(ctx actor.Context, look func(ctx actor.Context)) {
	handled := false
	defer func() {
		if !handled {
			l.next(ctx)
		}
	}()
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		l.ctx, l.cancel = context.WithCancel(context.Background())
	case *lookAgain:
		look(ctx)
	case *async.Reentry:
		msg.Resume()
	case *actor.Stopping:
		l.cancel()
		l.stop()
	}
	handled = true
}

// next arranges the next look after the pause, unless the actor ends. There is one.
func (l *lookout) next(ctx actor.Context) {
	l.stop()
	if l.ctx.Err() != nil {
		return
	}
	root, self := ctx.ActorSystem().Root, ctx.Self()
	l.timer = l.clock.AfterFunc(l.every, func() { root.Send(self, &lookAgain{}) })
}

func (l *lookout) stop() {
	if l.timer != nil {
		l.timer.Stop()
	}
}
