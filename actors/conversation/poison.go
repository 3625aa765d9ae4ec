package conversation

import (
	"encoding/hex"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

const (
	// poisonTimes failures within poisonWithin set a message aside.
	poisonTimes  = 3
	poisonWithin = time.Minute
	poisonKept   = 64
	// ownerTimes failures without a request within that time end the activation.
	ownerTimes = 2 * poisonTimes
)

// quarantine counts the failures of messages. It outlives the state, which is
// made anew after each of them.
type quarantine struct {
	// handling is the request being served.
	handling stashed
	// silent gets no answer while a state is given up: its request is tried again,
	// or was answered already.
	silent   *actor.PID
	failures map[string][]time.Time
}

// failed notes a failure and tells how many there were within the time.
func (q *quarantine) failed(key string, now time.Time) int {
	if q.failures == nil || len(q.failures) >= poisonKept {
		q.failures = map[string][]time.Time{}
	}
	recent := q.failures[key][:0:0]
	for _, at := range q.failures[key] {
		if now.Sub(at) < poisonWithin {
			recent = append(recent, at)
		}
	}
	q.failures[key] = append(recent, now)
	return len(recent) + 1
}

// barred tells whether a message is set aside.
func (q *quarantine) barred(key string, now time.Time) bool {
	n := 0
	for _, at := range q.failures[key] {
		if now.Sub(at) < poisonWithin {
			n++
		}
	}
	return n >= poisonTimes
}

// guard catches the panic of a handler. The state may be half changed, so it is
// made anew from what is stored; the message is tried again with it, and after
// its third failure within a minute it is set aside, and the running turn fails.
func (a *Actor) guard(ctx actor.Context) {
	r := recover()
	if r == nil {
		return
	}
	handling := a.poison.handling
	a.poison.handling = stashed{}
	a.log(slog.LevelError, "a conversation's handler panicked",
		slog.Any("panic", r), slog.String("type", actor.MessageName(handling.message)), slog.String("stack", string(debug.Stack())))
	if a.phase == gone {
		return
	}
	// Without a request it was something that the turn made.
	aside := handling.message == nil
	if aside && a.poison.failed("", a.c.Clock.Now()) > ownerTimes {
		// Not even what is stored can be gone on with here; the next owner tries later.
		a.refuseAll(ctx, errPoison())
		a.c.GaveUp(a.id)
		a.vanish(ctx)
		return
	}
	if !aside {
		if a.poison.failed(key(handling.message), a.c.Clock.Now()) < poisonTimes {
			a.stash = append(a.stash, handling)
		} else {
			aside = true
			a.refuse(ctx, handling.message, handling.sender, errPoison())
		}
	}
	if a.state != nil {
		a.poison.silent = handling.sender
		a.do(ctx, a.state.Abandon())
		a.poison.silent = nil
		a.cancelTurn(ctx)
		a.readers.move(ctx, a.id, func(*reader) bool { return true })
	}
	a.claim(ctx, aside)
}

// key names a message so that its repeats are known.
func key(message any) string {
	name := actor.MessageName(message)
	if m, ok := message.(*protocol.SendPrompt); ok {
		name += hex.EncodeToString(m.Message)
	}
	return name
}

func errPoison() error {
	return domain.Internal(nil, "Something went wrong with this request. It was set aside.")
}
