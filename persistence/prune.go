package persistence

import "context"

// Prune takes away what is kept for a time only: entries of people's own logs
// after seven days, keys of creations, changes of teams, and steps that no
// blueprint took, after a day, sign-ins after ninety, spent codes when no bearer
// of theirs lives. Any node may call it at any time; once an hour is enough.
func (s *Store) Prune(ctx context.Context) error {
	if _, err := s.q.UserEventPrune(ctx, s.engine); err != nil {
		return translate(err)
	}
	if _, err := s.q.TeamChangePrune(ctx, s.engine); err != nil {
		return translate(err)
	}
	if _, err := s.q.BlueprintStepPrune(ctx, s.engine); err != nil {
		return translate(err)
	}
	if _, err := s.q.SignInPrune(ctx, s.engine); err != nil {
		return translate(err)
	}
	if _, err := s.q.SpentCodePrune(ctx, s.engine); err != nil {
		return translate(err)
	}
	_, err := s.q.IdempotencyPrune(ctx, s.engine)
	return translate(err)
}
