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

// restShare is how many times as long as a look took the next one waits at least, where
// looks grow with what the node has: they shall not cost the database more than a
// hundredth of a core. restMost bounds that: a look that waited for a database in trouble
// says nothing about its cost, and that is when news get lost.
const (
	restShare = 100
	restMost  = 10 * time.Second
)

// rest sets the pause before the next look, by how long this one took.
func (l *lookout) rest(least, took time.Duration) {
	l.every = min(max(least, restShare*took), restMost)
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
