package actors

import (
	"maps"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/connection"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
)

// resident is what kind of actor the roster lists.
type resident uint8

const (
	residentConversation resident = iota
	residentSession
	residentConnection
	residentTask
	residents
)

// String names the kind in errors.
func (r resident) String() string {
	return [residents]string{kindConversation, kindSession, "connection", kindTask}[r]
}

const (
	// spread is the time over which the sockets of a draining node are closed, so
	// that their clients do not all come back at once. It is cut into rounds, in each
	// of which the same number is closed.
	spread      = 5 * time.Second
	closeRounds = 50
)

// roster lists what lives on this node, so that a drain reaches all of it.
type roster struct {
	clock clock.Clock
	count func(kind string, n int)
	lists [residents]map[string]*actor.PID
	// drains are the kinds that are handed over; what comes to life all the same,
	// because it was asked for a moment before, is handed over at once.
	drains [residents]bool
	waits  [residents][]*async.Promise
}

// Messages of the roster.
type (
	lives struct {
		kind resident
		pid  *actor.PID
	}
	left struct {
		kind resident
		pid  *actor.PID
	}
	// handOverAll begins the drain of a kind; empty is settled when none is left.
	handOverAll struct {
		kind  resident
		empty *async.Promise
	}
	// listAll gives who asks the pids of a kind.
	listAll struct{ kind resident }
	listed  struct{ pids []*actor.PID }
	// closeNext closes a portion of the sockets that are left.
	closeNext struct {
		left    []*actor.PID
		portion int
	}
)

func (*lives) Essential()                   {}
func (*left) Essential()                    {}
func (*left) IgnoreDeadLetterLogging()      {}
func (*handOverAll) Essential()             {}
func (*listAll) Essential()                 {}
func (*listed) Essential()                  {}
func (*listed) IgnoreDeadLetterLogging()    {}
func (*closeNext) Essential()               {}
func (*closeNext) IgnoreDeadLetterLogging() {}

// Receive implements actor.Actor.
func (r *roster) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *lives:
		if r.lists[msg.kind] == nil {
			r.lists[msg.kind] = map[string]*actor.PID{}
		}
		r.lists[msg.kind][msg.pid.Id] = msg.pid
		r.count(msg.kind.String(), len(r.lists[msg.kind]))
		if r.drains[msg.kind] {
			r.letGo(ctx, msg.kind, msg.pid)
		}
	case *left:
		delete(r.lists[msg.kind], msg.pid.Id)
		r.count(msg.kind.String(), len(r.lists[msg.kind]))
		r.settle(msg.kind)
	case *handOverAll:
		r.handOver(ctx, msg)
	case *listAll:
		ctx.Respond(&listed{pids: slices.Collect(maps.Values(r.lists[msg.kind]))})
	case *closeNext:
		r.closeNext(ctx, msg)
	}
}

func (r *roster) handOver(ctx actor.Context, msg *handOverAll) {
	r.waits[msg.kind] = append(r.waits[msg.kind], msg.empty)
	if !r.drains[msg.kind] {
		r.drains[msg.kind] = true
		pids := slices.Collect(maps.Values(r.lists[msg.kind]))
		if msg.kind == residentConnection {
			// The portion is that of the beginning: a share of what is left would grow
			// smaller with each round, and the last sockets be closed long after the spread.
			r.closeNext(ctx, &closeNext{left: pids, portion: max(1, (len(pids)+closeRounds-1)/closeRounds)})
		} else {
			for _, pid := range pids {
				r.letGo(ctx, msg.kind, pid)
			}
		}
	}
	r.settle(msg.kind)
}

// letGo asks one resident to end.
func (*roster) letGo(ctx actor.Context, kind resident, pid *actor.PID) {
	if kind == residentConnection {
		ctx.Send(pid, &connection.Close{Why: domain.DisconnectDraining})
		return
	}
	ctx.Send(pid, &protocol.HandOver{})
}

// closeNext closes a portion of the sockets now and the rest a little later.
func (r *roster) closeNext(ctx actor.Context, msg *closeNext) {
	n := min(msg.portion, len(msg.left))
	for _, pid := range msg.left[:n] {
		r.letGo(ctx, residentConnection, pid)
	}
	if rest := msg.left[n:]; len(rest) > 0 {
		root, self := ctx.ActorSystem().Root, ctx.Self()
		r.clock.AfterFunc(spread/closeRounds, func() { root.Send(self, &closeNext{left: rest, portion: msg.portion}) })
	}
}

func (r *roster) settle(kind resident) {
	if len(r.lists[kind]) > 0 {
		return
	}
	for _, w := range r.waits[kind] {
		w.Settle(nil)
	}
	r.waits[kind] = nil
}
