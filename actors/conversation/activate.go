package conversation

import (
	"context"
	"log/slog"
	"math"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/conversation/ledger"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/mailbox"
)

const (
	storeLimit = 10 * time.Second
	// claimsMax is how often a first claim is tried before the waiting requests are answered
	// that the store is unavailable.
	claimsMax = 3
	// tailRead is how many messages a rebuild reads to find the head.
	tailRead = 20
)

// begin starts the activation: all requests wait for the claim.
func (a *Actor) begin(ctx actor.Context) {
	a.poison.changing = true
	a.readers = newReaders(ctx.ActorSystem(), a.c.Fanout, ctx.Self())
	id, ok := protocol.IdentityOf(ctx.Self().Id)
	if !ok {
		a.phase = gone
		a.log(slog.LevelWarn, "a conversation was asked for by something that is no id", slog.String("name", ctx.Self().Id))
		a.vanish(ctx)
		return
	}
	a.id = id
	a.c.Lives(ctx.Self())
	a.checkIdle(ctx, a.c.Idle)
	a.readTail(ctx)
	a.claim(ctx, false)
}

// loaded is the result of a claim and of the reads that follow it.
type loaded struct {
	claim   *domain.Claim
	state   *ledger.State
	analyst string
}

// claim makes this activation the owner. failed says that a running turn must end as failed.
func (a *Actor) claim(ctx actor.Context, failed bool) {
	a.phase = claiming
	var l loaded
	a.run(ctx, func(c context.Context) error {
		return a.load(c, &l)
	}, func(err error) {
		a.poison.changing = true
		switch {
		case a.phase != claiming:
		case err == nil:
			if a.state == nil && l.claim.Running != nil && !l.claim.OwnerLives {
				a.c.TookOver()
			}
			a.activate(ctx, &l, failed)
		case domain.CodeOf(err) == domain.CodeNotFound:
			a.refuseAll(ctx, domain.NotFound("Conversation"))
			a.vanish(ctx)
		case domain.CodeOf(err) == domain.CodeFenced:
			// Two nodes that see different members have both activated it, and the other was first.
			// Waiting requests go there.
			a.log(slog.LevelInfo, "a conversation that another node owns was not claimed")
			a.c.Kept()
			a.vanish(ctx)
		default:
			a.claims++
			a.log(slog.LevelWarn, "a conversation could not be claimed", slog.Any("error", err))
			if a.claims >= claimsMax && a.state == nil {
				// One of the claims may have been written although its answer got lost.
				a.refuseAll(ctx, errStore())
				a.c.GaveUp(a.id)
				a.vanish(ctx)
				return
			}
			a.later(ctx, func() { a.claim(ctx, failed) })
		}
	})
}

func (a *Actor) load(c context.Context, l *loaded) error {
	claim, err := a.c.Store.Claim(c, a.id, uuid.New(), a.c.Node, a.c.Silent())
	if err != nil {
		return err
	}
	a.c.Claimed()
	l.claim, l.state = claim, ledger.NewState(claim, a.c.Limits)
	if !l.state.Restore(claim.Snapshot) {
		messages, err := a.c.Store.MessagesBefore(c, a.id, math.MaxInt64, tailRead)
		if err != nil {
			return err
		}
		l.state.Rebuild(messages)
	}
	if claim.Running != nil {
		// The messages that follow contain the agent's name. Without it they have no name,
		// but the turn continues.
		if analyst, err := a.c.Analysts.Analyst(c, claim.OrganisationID, claim.Running.Turn.AnalystID); err == nil {
			l.analyst = analyst.Name
		} else {
			a.c.Logger.LogAttrs(c, slog.LevelWarn, "the agent of a running turn could not be read", slog.Any("error", err))
		}
	}
	return nil
}

// activate begins the work of an owner.
func (a *Actor) activate(ctx actor.Context, l *loaded, failed bool) {
	a.phase, a.state, a.claims = active, l.state, 0
	self := mailbox.DoorTo(ctx.ActorSystem(), ctx.Self())
	state := l.state
	a.submitted = func(r domain.WriteResult) { self.Send(&committed{state: state, result: r}) }
	a.access.forget()
	a.used = a.c.Clock.Now()
	a.claimed = a.used
	a.loadTail()
	if epoch := a.state.Epoch(); epoch > 1 {
		a.c.Owns(a.id, epoch, a.state.Head()) // readers may still follow the previous owner
	}
	if l.claim.Running != nil {
		a.step(ctx, ledger.Recover{Running: l.claim.Running, Analyst: l.analyst, OwnerLives: l.claim.OwnerLives, Failed: failed})
	}
	a.serveStash(ctx)
}

// serveStash serves the requests that have waited for the claim, one at a time: if one
// panics the others are still stashed.
func (a *Actor) serveStash(ctx actor.Context) {
	for len(a.stash) > 0 && a.phase == active {
		next := a.stash[0]
		a.stash = a.stash[1:]
		a.serve(ctx, next.message, next.sender)
	}
	if len(a.stash) == 0 {
		a.stash = nil // its array still refers to the requests
	}
	a.afterTurn(ctx)
}

// reclaim finds out with a new claim whether a write was committed.
func (a *Actor) reclaim(ctx actor.Context, o ledger.Reclaim) {
	a.log(slog.LevelWarn, "the fate of a write is unknown", slog.Any("error", o.Cause), slog.Bool("reset", o.Reset))
	state := a.state
	var l loaded
	a.later(ctx, func() {
		a.run(ctx, func(c context.Context) error { return a.load(c, &l) }, func(err error) {
			a.poison.changing = true
			switch {
			case a.state != state || a.phase == gone:
			case domain.CodeOf(err) == domain.CodeNotFound:
				a.do(ctx, state.Deleted())
			case domain.CodeOf(err) == domain.CodeFenced:
				a.do(ctx, state.Superseded())
			case err != nil:
				a.claims++
				a.reclaim(ctx, o)
			case o.Reset || !state.Consistent(l.claim):
				a.remake(ctx, &l, o.Reset && domain.CodeOf(o.Cause) != "")
			default:
				a.claims, a.claimed = 0, a.c.Clock.Now()
				a.step(ctx, ledger.Reclaimed{Claim: l.claim})
			}
		})
	})
}

// remake drops the state and starts again from what is stored. The readers subscribe again
// with their cursors.
func (a *Actor) remake(ctx actor.Context, l *loaded, failed bool) {
	a.do(ctx, a.state.Abandon())
	a.readers.move(ctx, a.id, func(*reader) bool { return true })
	// Output of this node's own attempt may still arrive, so the next one must have another number.
	l.claim.OwnerLives = false
	a.activate(ctx, l, failed)
}

// later calls do after a pause that grows with the failures in a row.
func (a *Actor) later(ctx actor.Context, do func()) {
	pause := min(time.Duration(1)<<min(a.claims, 6)*50*time.Millisecond, 2*time.Second)
	root, self := ctx.ActorSystem().Root, ctx.Self()
	a.c.Clock.AfterFunc(pause, func() { root.Send(self, async.Again(do)) })
}

func errStore() error {
	return &domain.Error{Code: domain.CodeUnavailable, Message: "The conversation cannot be opened now. Please try again.", RetryAfter: 2}
}
