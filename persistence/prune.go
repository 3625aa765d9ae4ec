package persistence

import "context"

// Prune takes away what is kept for a time only: entries of people's own logs
// after seven days, keys of creations, changes of teams, and steps that no
// blueprint took, after a day, sign-ins after ninety, spent codes when no bearer
// of theirs lives. Any node may call it at any time; once an hour is enough.
func (s *Store) Prune(ctx context.Context) error {
	if _, err := s.core.q.UserEventPrune(ctx, s.core.engine); err != nil {
		return translate(err)
	}
	if _, err := s.core.q.TeamChangePrune(ctx, s.core.engine); err != nil {
		return translate(err)
	}
	if _, err := s.core.q.BlueprintStepPrune(ctx, s.core.engine); err != nil {
		return translate(err)
	}
	if _, err := s.core.q.SignInPrune(ctx, s.core.engine); err != nil {
		return translate(err)
	}
	if _, err := s.core.q.SpentCodePrune(ctx, s.core.engine); err != nil {
		return translate(err)
	}
	_, err := s.core.q.IdempotencyPrune(ctx, s.core.engine)
	return translate(err)
}
