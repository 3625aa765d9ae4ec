package persistence

import (
	"context"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// TeamChanges implements domain.ConversationStore. The horizon is read first: a change that is
// committed between the two queries is returned by this call and again by the next one, but no
// change is missed.
func (s ConversationStore) TeamChanges(ctx context.Context, node, since string) (*domain.TeamChanges, error) {
	var (
		horizon *string
		rows    []dbsqlc.TeamChangesRow
	)
	err := s.asEngine(ctx, func(r *reading) {
		r.TeamChangeHorizon(&horizon)
		r.TeamChanges(&dbsqlc.TeamChangesParams{Node: &node, Since: since}, &rows)
	})
	if err != nil {
		return nil, err
	}
	changes := &domain.TeamChanges{Next: pointer.Value(horizon)}
	for _, r := range rows {
		changes.Changes = append(changes.Changes, domain.TeamChange{ID: r.Change, Conversation: r.ConversationID, User: r.UserUuid})
	}
	return changes, nil
}
