package conversation

import (
	"context"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/conversation/ledger"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// access caches what people may do, until a grant or a team changes.
type access struct {
	known map[int64]domain.Permission
	// round increases with each change, so that a permission that was read from the store
	// before the change is not used after it.
	round int
}

// accessMax is the maximum number of cached permissions, which limits the memory for one
// conversation's readers.
const accessMax = 10_000

func (c *access) forget() { c.known, c.round = nil, c.round+1 }

// recheck drops all cached rights: every reader except the owner gets nothing until its right
// was read from the store again.
func (a *Actor) recheck(ctx actor.Context) {
	a.access.forget()
	a.readers.move(ctx, a.id, func(r *reader) bool { return !r.owns })
}

// permission finds what the caller may do. If it cannot be read, the caller may do nothing.
func (a *Actor) permission(ctx actor.Context, caller domain.Caller, then func(domain.Permission, error)) {
	if a.state.MayWrite(caller) {
		then(domain.PermissionOwner, nil)
		return
	}
	if caller.OrganisationID != a.state.Organisation() {
		// A caller of another organisation never has a permission here.
		then(domain.PermissionNone, nil)
		return
	}
	if p, ok := a.access.known[caller.UserID]; ok {
		then(p, nil)
		return
	}
	var p domain.Permission
	round := a.access.round
	a.read(ctx, func(c context.Context) (err error) {
		p, _, err = a.c.Store.Access(c, a.id, caller.UserID)
		return err
	}, func(err error) {
		switch {
		case a.phase != active:
			then(domain.PermissionNone, ledger.Fenced())
		case err != nil && domain.CodeOf(err) != domain.CodeNotFound:
			a.log(slog.LevelWarn, "a permission could not be read", slog.Any("error", err))
			then(domain.PermissionNone, errStore())
		case round != a.access.round:
			a.permission(ctx, caller, then)
		default:
			if a.access.known == nil || len(a.access.known) >= accessMax {
				a.access.known = map[int64]domain.Permission{}
			}
			a.access.known[caller.UserID] = p
			then(p, nil)
		}
	})
}

// allowed calls then if the caller may do the action. Other callers get CodeForbidden if
// they may see the conversation, and CodeNotFound otherwise.
func (a *Actor) allowed(ctx actor.Context, from *protocol.Caller, action domain.Action, w *caller, then func(*caller)) {
	caller := from.Domain()
	a.permission(ctx, caller, func(p domain.Permission, err error) {
		if err == nil {
			err = action.Authorize(caller, domain.Relation{Found: true, Permission: p})
		}
		if err != nil {
			a.answer(ctx, ledger.Answer{To: w, Err: err})
			return
		}
		then(w)
	})
}
