package conversation

import (
	"github.com/asynkron/protoactor-go/actor"
)

// yield releases the conversation, so that it is placed again, if nothing is in progress. Its readers
// subscribe again with their cursors, as after a hand-over. It must not have had a request for a while
// (Config.Rest): a person should not wait for a move in the middle of a dialogue, and an owner that has
// just moved should stay.
func (a *Actor) yield(ctx actor.Context) {
	if a.phase != active || a.working > 0 || !a.state.Idle() || a.c.Clock.Now().Sub(a.used) < a.c.Rest {
		return
	}
	a.yielded = true
	a.readers.move(ctx, a.id, func(*reader) bool { return true })
	a.release(ctx)
}
