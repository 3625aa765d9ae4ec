package conversation

import (
	"context"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
)

// retain keeps a committed event for the next owner.
func (a *Actor) retain(e *protocol.Entry) {
	data, err := a.state.TailEntry(e)
	switch {
	case err != nil:
		a.log(slog.LevelError, "an event could not be kept", slog.Any("error", err))
	case data != nil:
		a.c.Tails.Keep(a.id, data)
	}
}

// readTail reads the events that earlier owners have kept, while the claim is in progress.
// Nothing waits for the read.
func (a *Actor) readTail(ctx actor.Context) {
	var tail [][]byte
	a.run(ctx, func(c context.Context) error {
		tail = a.c.Tails.Tail(c, a.id)
		return nil
	}, func(error) {
		a.tail = tail
		a.loadTail()
	})
}

// loadTail passes the kept events to the state, when both have been read.
func (a *Actor) loadTail() {
	if a.phase == active && len(a.tail) > 0 {
		a.state.LoadTail(a.tail)
		a.tail = nil
	}
}
