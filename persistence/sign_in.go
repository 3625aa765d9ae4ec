package persistence

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// SignIns keep the sign-ins of people and their times.
type SignIns struct{ *core }

var _ domain.SignInService = SignIns{}

// SignInLimits bound how long people stay signed in.
type SignInLimits struct {
	// Idle is the longest time without a call, not counting keep-alives. 0 means domain.SignInIdle.
	Idle time.Duration
	// Absolute is the longest time in any case. 0 means domain.SignInAbsolute.
	Absolute time.Duration
}

// signInsAtOnce is how many sign-ins one statement reads.
const signInsAtOnce = 1000

func signInOver() error {
	return domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
}

// EnterSignIn implements domain.SignInService. Mostly it is one read.
func (s SignIns) EnterSignIn(ctx context.Context, in domain.SignIn, active bool) error {
	// A bearer that old is refused in any case.
	if !in.IssuedAt.IsZero() && s.clock.Now().Sub(in.IssuedAt) > s.cfg.SignIns.Absolute {
		return signInOver()
	}
	state, err := s.signIn(ctx, in.SignInKey)
	if err == nil && !state.IsKnown {
		if err = s.insertSignIn(ctx, in); err == nil {
			state, err = s.signIn(ctx, in.SignInKey)
		}
	}
	// Only a later authentication can reopen a sign-in, so bearers that were issued before its end
	// stay refused.
	if err == nil && state.IsOver && !in.AuthTime.IsZero() {
		state, err = s.reopenSignIn(ctx, in, state)
	}
	switch {
	case err != nil:
		return err
	case state.IsOver:
		return signInOver()
	case !in.AuthTime.IsZero() && in.AuthTime.Before(state.BeganAt):
		// The bearer was issued before the sign-in was ended and reopened.
		return signInOver()
	case active && state.IsStale:
		return translate(s.q.SignInTouch(ctx, s.engine, &dbsqlc.SignInTouchParams{UserID: in.UserID, Key: in.Hash[:]}))
	}
	return nil
}

func (s SignIns) signIn(ctx context.Context, key domain.SignInKey) (*dbsqlc.SignInStatesRow, error) {
	return gatheredCall(ctx, s.gathered.signIns, key)
}

// insertSignIn stores the first call of a sign-in. Of several at once one inserts the row, and the
// others find it.
func (s SignIns) insertSignIn(ctx context.Context, in domain.SignIn) error {
	p := &dbsqlc.SignInInsertParams{UserID: in.UserID, Key: in.Hash[:], OrgID: in.OrganisationID, IsNamed: in.Named}
	if at := in.BeganAt(); !at.IsZero() {
		p.BeganAt = &at
	}
	return translate(s.q.SignInInsert(ctx, s.engine, p))
}

// reopenSignIn starts an ended sign-in again if the person has authenticated again and the
// provider has used the same name (sid). A provider that has its own sign-in (single
// sign-on) keeps the name.
func (s SignIns) reopenSignIn(ctx context.Context, in domain.SignIn, state *dbsqlc.SignInStatesRow) (*dbsqlc.SignInStatesRow, error) {
	n, err := s.q.SignInReopen(ctx, s.engine, &dbsqlc.SignInReopenParams{At: in.AuthTime, UserID: in.UserID, Key: in.Hash[:]})
	if err != nil {
		return nil, translate(err)
	}
	if n == 0 {
		return state, nil
	}
	return s.signIn(ctx, in.SignInKey)
}

// EndSignIn implements domain.SignInService.
func (s SignIns) EndSignIn(ctx context.Context, in domain.SignIn) error {
	return inTransaction(ctx, s.engine, func(tx pgx.Tx) error {
		if err := s.q.SignInEnd(ctx, tx, &dbsqlc.SignInEndParams{UserID: in.UserID, Key: in.Hash[:]}); err != nil {
			return err
		}
		// A sign-in without a name cannot be distinguished from the person's other ones, so all earlier ones
		// end (docs/guarantees.md).
		if in.Named {
			return nil
		}
		return s.q.SignOutNote(ctx, tx, &dbsqlc.SignOutNoteParams{UserID: in.UserID, OrgID: in.OrganisationID})
	})
}

// EndedSignIns implements domain.SignInService.
func (s SignIns) EndedSignIns(ctx context.Context, list []domain.SignInKey) ([]domain.SignInKey, error) {
	var ended []domain.SignInKey
	for from := 0; from < len(list); from += signInsAtOnce {
		rows, err := s.signInRows(ctx, list[from:min(from+signInsAtOnce, len(list))], true)
		if err != nil {
			return nil, translate(err)
		}
		for _, r := range rows {
			ended = append(ended, domain.SignInKey{UserID: r.UserID, Hash: [32]byte(r.Key)})
		}
	}
	return ended, nil
}
