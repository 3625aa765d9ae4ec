package node

import (
	"context"
	"log/slog"
	"runtime/debug"

	"github.com/asynkron/protoactor-go/actor"
)

// Guarded is an actor of the node that outlives the panic of a handler, with what it
// knows. The library would start it again empty: without the readers that follow a
// conversation of another node, the ticks that sockets wait for, the list by which a
// drain finds them, and nobody would notice. Each of them is written so that a message
// that is lost costs one of them, and what repeats goes on.
type Guarded struct {
	actor.Actor

	// Name and Log are for what is said of a panic.
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
