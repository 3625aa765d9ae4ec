package persistence

import (
	"context"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// subject is a person as an identity provider names them.
type subject struct{ issuer, subject string }

// usersBySubject reads people with their organisations; nil for one that is not there.
func (s *core) usersBySubject(ctx context.Context, subjects []subject) ([]*dbsqlc.UsersBySubjectRow, error) {
	p := &dbsqlc.UsersBySubjectParams{Issuers: make([]string, len(subjects)), Subjects: make([]string, len(subjects))}
	for i, k := range subjects {
		p.Issuers[i], p.Subjects[i] = k.issuer, k.subject
	}
	rows, err := s.q.UsersBySubject(ctx, s.keyed, p)
	if err != nil {
		return nil, err
	}
	found := make(map[subject]*dbsqlc.UsersBySubjectRow, len(rows))
	for _, r := range rows {
		found[subject{pointer.Value(r.AppUser.Issuer), pointer.Value(r.AppUser.Subject)}] = r
	}
	return inOrder(subjects, found), nil
}

// signInStates returns a row for each key, in their order.
// It is a separate statement from that of the people, because a sign-in is only known after its
// person.
func (s *core) signInStates(ctx context.Context, list []domain.SignInKey) ([]*dbsqlc.SignInStatesRow, error) {
	// The limits are parameters, because they are settings and the clock is the database's.
	p := &dbsqlc.SignInStatesParams{Idle: interval(s.cfg.SignIns.Idle), Absolute: interval(s.cfg.SignIns.Absolute)}
	for i := range list {
		p.Users, p.Keys = append(p.Users, list[i].UserID), append(p.Keys, list[i].Hash[:])
	}
	rows, err := s.q.SignInStates(ctx, s.keyed, p)
	if err != nil {
		return nil, err
	}
	// A join may return the rows in another order, and two of them for a key that is asked for twice.
	found := make(map[domain.SignInKey]*dbsqlc.SignInStatesRow, len(rows))
	for _, r := range rows {
		found[domain.SignInKey{UserID: r.UserID, Hash: [32]byte(r.Key)}] = r
	}
	return inOrder(list, found), nil
}
