package roster

import (
	"maps"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/connection"
	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
)

// Kind is a kind of actor that is listed.
type Kind uint8

// The kinds of actors that live on a node.
const (
	Conversation Kind = iota
	Session
	Connection
	Task
	kinds
)

// String returns the name of the kind, for errors and for metrics.
func (k Kind) String() string {
	return [kinds]string{"conversation", "session", "connection", "task"}[k]
}

const (
	// Spread is the time over which the sockets of a draining node are closed, so that their
	// clients do not all come back at once. It is divided into rounds, and each round closes
	// the same number.
	Spread      = 5 * time.Second
	closeRounds = 50
)

// Roster lists the actors that live on this node, so that a drain reaches all of them.
type Roster struct {
	clock clock.Clock
	count func(kind string, n int)
	lists [kinds]map[string]*actor.PID
	// drains are the kinds that are handed over. An actor that still starts, because it was
	// requested a moment before, is handed over at once.
	drains [kinds]bool
	waits  [kinds][]*async.Promise
}

// New makes the actor. count is called with the new number of a kind when it changes.
func New(c clock.Clock, count func(kind string, n int)) *Roster {
	return &Roster{clock: c, count: count}
}

// Messages of the roster.
type (
	// Lives says that an actor has started here.
	Lives struct {
		Kind Kind
		PID  *actor.PID
	}
	// Left says that it has ended.
	Left struct {
		Kind Kind
		PID  *actor.PID
	}
	// HandOverAll begins the drain of a kind; Empty is settled when none is left.
	HandOverAll struct {
		Kind  Kind
		Empty *async.Promise
	}
	// ListAll asks for a node.Listed with the PIDs of a kind.
	ListAll struct{ Kind Kind }
	// closeNext closes a portion of the sockets that are left.
	closeNext struct {
		left    []*actor.PID
		portion int
	}
)

// Essential lets it into a full mailbox: a drain must find every actor.
func (*Lives) Essential() {}

// Essential lets it into a full mailbox: a drain waits for it.
func (*Left) Essential() {}

// IgnoreDeadLetterLogging says that the node may be ending.
func (*Left) IgnoreDeadLetterLogging() {}

// Essential lets it into a full mailbox: it is sent once for each kind.
func (*HandOverAll) Essential() {}

// Essential lets it into a full mailbox: one is asked at a time.
func (*ListAll) Essential() {}

func (*closeNext) Essential()               {}
func (*closeNext) IgnoreDeadLetterLogging() {}

// Receive implements actor.Actor.
func (r *Roster) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *Lives:
		if r.lists[msg.Kind] == nil {
			r.lists[msg.Kind] = map[string]*actor.PID{}
		}
		r.lists[msg.Kind][msg.PID.Id] = msg.PID
		r.count(msg.Kind.String(), len(r.lists[msg.Kind]))
		if r.drains[msg.Kind] {
			r.letGo(ctx, msg.Kind, msg.PID)
		}
	case *Left:
		delete(r.lists[msg.Kind], msg.PID.Id)
		r.count(msg.Kind.String(), len(r.lists[msg.Kind]))
		r.settle(msg.Kind)
	case *HandOverAll:
		r.handOver(ctx, msg)
	case *ListAll:
		ctx.Respond(&node.Listed{PIDs: slices.Collect(maps.Values(r.lists[msg.Kind]))})
	case *closeNext:
		r.closeNext(ctx, msg)
	}
}

func (r *Roster) handOver(ctx actor.Context, msg *HandOverAll) {
	r.waits[msg.Kind] = append(r.waits[msg.Kind], msg.Empty)
	if !r.drains[msg.Kind] {
		r.drains[msg.Kind] = true
		pids := slices.Collect(maps.Values(r.lists[msg.Kind]))
		if msg.Kind == Connection {
			// The portion is computed once, at the beginning: a share of the sockets that are
			// left would become smaller with each round, and the last sockets would be closed
			// long after Spread.
			r.closeNext(ctx, &closeNext{left: pids, portion: max(1, (len(pids)+closeRounds-1)/closeRounds)})
		} else {
			for _, pid := range pids {
				r.letGo(ctx, msg.Kind, pid)
			}
		}
	}
	r.settle(msg.Kind)
}

// letGo asks one listed actor to end.
func (*Roster) letGo(ctx actor.Context, kind Kind, pid *actor.PID) {
	if kind == Connection {
		ctx.Send(pid, &connection.Close{Why: domain.DisconnectDraining})
		return
	}
	ctx.Send(pid, &protocol.HandOver{})
}

// closeNext closes a portion of the sockets now and the rest a little later.
func (r *Roster) closeNext(ctx actor.Context, msg *closeNext) {
	n := min(msg.portion, len(msg.left))
	for _, pid := range msg.left[:n] {
		r.letGo(ctx, Connection, pid)
	}
	if rest := msg.left[n:]; len(rest) > 0 {
		root, self := ctx.ActorSystem().Root, ctx.Self()
		r.clock.AfterFunc(Spread/closeRounds, func() { root.Send(self, &closeNext{left: rest, portion: msg.portion}) })
	}
}

func (r *Roster) settle(kind Kind) {
	if len(r.lists[kind]) > 0 {
		return
	}
	for _, w := range r.waits[kind] {
		w.Settle(nil)
	}
	r.waits[kind] = nil
}
