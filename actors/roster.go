package actors

import (
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

// spread is the time over which the sockets of a draining node are closed, so
// that their clients do not all come back at once.
const spread = 5 * time.Second

// roster lists what lives on this node, so that a drain reaches all of it.
type roster struct {
	clock clock.Clock
	lists [residents]map[string]*actor.PID
	waits [residents][]*async.Promise
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
		limit time.Duration
		empty *async.Promise
	}
	closeNext struct{ pids []*actor.PID }
)

func (*lives) Essential()                   {}
func (*left) Essential()                    {}
func (*left) IgnoreDeadLetterLogging()      {}
func (*handOverAll) Essential()             {}
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
	case *left:
		delete(r.lists[msg.kind], msg.pid.Id)
		r.settle(msg.kind)
	case *handOverAll:
		r.handOver(ctx, msg)
	case *closeNext:
		r.closeSome(ctx, msg.pids)
	}
}

func (r *roster) handOver(ctx actor.Context, msg *handOverAll) {
	r.waits[msg.kind] = append(r.waits[msg.kind], msg.empty)
	if msg.kind == residentConnection {
		pids := make([]*actor.PID, 0, len(r.lists[msg.kind]))
		for _, pid := range r.lists[msg.kind] {
			pids = append(pids, pid)
		}
		r.closeSome(ctx, pids)
	} else {
		for _, pid := range r.lists[msg.kind] {
			ctx.Send(pid, &protocol.HandOver{LimitMillis: msg.limit.Milliseconds()})
		}
	}
	r.settle(msg.kind)
}

const closeRounds = 50

// closeSome closes a part of the sockets now and the rest a little later.
func (r *roster) closeSome(ctx actor.Context, pids []*actor.PID) {
	n := len(r.lists[residentConnection])/closeRounds + 1
	for len(pids) > 0 && n > 0 {
		ctx.Send(pids[0], &connection.Close{Why: domain.DisconnectDraining})
		pids, n = pids[1:], n-1
	}
	if len(pids) > 0 {
		root, self := ctx.ActorSystem().Root, ctx.Self()
		r.clock.AfterFunc(spread/closeRounds, func() { root.Send(self, &closeNext{pids: pids}) })
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
