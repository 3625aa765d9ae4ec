package node

import (
	"context"
	"log/slog"
	"runtime/debug"

	"github.com/asynkron/protoactor-go/actor"
)

// Guarded is an actor of the node that keeps its state when a handler panics. The library
// would restart it with an empty state: without the readers that follow a conversation of
// another node, without the ticks that sockets wait for, and without the list that a drain
// uses, and the loss would not be noticed. Each of these actors is written so that a lost
// message affects only one reader, tick or entry, and so that its regular work continues.
type Guarded struct {
	actor.Actor

	// Name and Log are used to report a panic.
	Name string
	Log  *slog.Logger
}

// Receive implements actor.Actor.
func (g *Guarded) Receive(ctx actor.Context) {
	defer func() {
		if r := recover(); r != nil {
			g.Log.LogAttrs(context.Background(), slog.LevelError, "a handler of the node panicked", slog.String("actor", g.Name),
				slog.Any("panic", r), slog.String("type", actor.MessageName(ctx.Message())), slog.String("stack", string(debug.Stack())))
		}
	}()
	g.Actor.Receive(ctx)
}
