package persistence

import "context"

// Prune deletes what is kept only for a time: entries of people's own logs after seven days;
// idempotency keys, changes of teams, and steps without a blueprint after a day; sign-ins
// after ninety days; spent codes when no bearer that was issued for them is valid any more.
// Any node may call it at any time; once an hour is enough.
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
