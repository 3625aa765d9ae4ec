package conversation

import (
	"crypto/sha256"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
)

const (
	// After poisonTimes failures within poisonWithin a message is refused (quarantined).
	poisonTimes  = 3
	poisonWithin = time.Minute
	poisonKept   = 64
	// ownerTimes is how many failures may happen within that time while no request is handled;
	// after one more the activation ends.
	ownerTimes = 2 * poisonTimes
)

// quarantine counts the failures of messages. It outlives the state, which is read
// from the store again after a failure that may have changed it.
type quarantine struct {
	// handling is the request being served.
	handling stashed
	// changing says that the present step changes the state or makes a new one: if it
	// panics, only what is stored can be trusted.
	changing bool
	// silent is a sender that gets no answer when the state is dropped: its request is tried
	// again, or was answered already.
	silent   *actor.PID
	failures map[string][]time.Time
}

// recent returns the failures of a message that still count.
func (q *quarantine) recent(key string, now time.Time) []time.Time {
	var recent []time.Time
	for _, at := range q.failures[key] {
		if now.Sub(at) < poisonWithin {
			recent = append(recent, at)
		}
	}
	return recent
}

// failed records a failure and returns how many there were within poisonWithin.
func (q *quarantine) failed(key string, now time.Time) int {
	if q.failures == nil {
		q.failures = map[string][]time.Time{}
	}
	recent := append(q.recent(key, now), now)
	if _, known := q.failures[key]; !known {
		q.makeRoom(now)
	}
	q.failures[key] = recent
	return len(recent)
}

// makeRoom drops failures that are too old, and if that is not enough the message that
// failed longest ago.
func (q *quarantine) makeRoom(now time.Time) {
	oldest, since := "", now
	for key, times := range q.failures {
		last := times[len(times)-1]
		if now.Sub(last) >= poisonWithin {
			delete(q.failures, key)
		} else if !last.After(since) {
			oldest, since = key, last
		}
	}
	if len(q.failures) >= poisonKept {
		delete(q.failures, oldest)
	}
}

// barred reports whether a message is refused because it failed too often.
func (q *quarantine) barred(key string, now time.Time) bool {
	return len(q.recent(key, now)) >= poisonTimes
}

// guard catches the panic of a handler. If the state may be partly changed, it is read from
// the store again and the message is handled once more; after its third failure within a
// minute the message is refused and the running turn fails. A message whose handler only
// reads is refused at once, and everything else continues.
func (a *Actor) guard(ctx actor.Context) {
	r := recover()
	if r == nil {
		return
	}
	handling, changing := a.poison.handling, a.poison.changing
	a.poison.handling, a.poison.changing = stashed{}, false
	a.log(slog.LevelError, "a conversation's handler panicked",
		slog.Any("panic", r), slog.String("type", actor.MessageName(handling.message)), slog.String("stack", string(debug.Stack())))
	switch {
	case a.phase == gone:
	case changing:
		a.startAgain(ctx, handling)
	default:
		if handling.message != nil {
			a.poison.failed(key(handling.message), a.c.Clock.Now())
			a.refuse(ctx, handling.message, handling.sender, errPoison())
		}
		if len(a.stash) > 0 {
			ctx.Send(ctx.Self(), async.Again(func() { a.serveStash(ctx) }))
		}
	}
}

// startAgain reads the state from the store after a panic. If no request was being handled,
// the output of the turn caused the panic.
func (a *Actor) startAgain(ctx actor.Context, handling stashed) {
	aside := handling.message == nil
	if aside && a.poison.failed("", a.c.Clock.Now()) > ownerTimes {
		// It fails again even with a new state; the next owner tries later.
		a.refuseAll(ctx, errPoison())
		a.c.GaveUp(a.id)
		a.vanish(ctx)
		return
	}
	if !aside {
		if a.poison.failed(key(handling.message), a.c.Clock.Now()) < poisonTimes {
			a.tries.forget(requestOf(handling.message))
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

// key identifies a request by its content and its caller, so that repeats of it are
// recognised and requests of other people are not. The reader's address, the number of its
// attempt and the id of the request are not part of it.
func key(message any) string {
	m, ok := message.(proto.Message)
	if !ok {
		return actor.MessageName(message)
	}
	if s, ok := m.(*protocol.Subscribe); ok {
		m = &protocol.Subscribe{Caller: s.Caller, Cursor: s.Cursor}
	}
	if requestOf(m) != uuid.Nil {
		m = proto.Clone(m) // the message is shared with its sender
		if asks, ok := m.(protocol.Asking); ok {
			asks.GetCaller().Request = nil
		}
	}
	content, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return actor.MessageName(message) // text that is not UTF-8; such a message did not come from another node
	}
	sum := sha256.Sum256(content)
	return actor.MessageName(message) + string(sum[:])
}

func errPoison() error {
	return domain.Internal(nil, "Something went wrong with this request. It was set aside.")
}
