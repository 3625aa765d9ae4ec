package persistence

import (
	"context"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Standing implements domain.RightsService.
func (s *Store) Standing(ctx context.Context, caller domain.Caller, noun domain.Noun, key domain.Key) (domain.Standing, error) {
	var row *dbsqlc.Standing
	queue := standingOf(caller, noun, key)
	if queue == nil {
		return domain.Standing{}, domain.Internal(nil, "Nothing is stored of a "+string(noun)+" that rights could rest on.")
	}
	err := s.read(ctx, caller.OrganisationID, func(r *reading) { queue(r, &row) })
	if err != nil || row == nil {
		return domain.Standing{}, err
	}
	return domain.Standing{
		Found: true, Permission: permissionOf(row.Rank), Scope: domain.DataSourceScope(row.Scope), IsLibrary: row.IsLibrary,
		IsEnabled: row.IsEnabled, IsDefault: row.IsDefault,
	}, nil
}

// ask is the table's answer about one thing, for what holds no row of it.
func (s *Store) ask(ctx context.Context, caller domain.Caller, action domain.Action, key domain.Key) error {
	right, _ := action.Right()
	standing, err := s.Standing(ctx, caller, right.Noun, key)
	if err != nil {
		return err
	}
	return action.Ask(caller, standing)
}

// standingOf is the query of a noun; nil where there is none.
func standingOf(caller domain.Caller, noun domain.Noun, key domain.Key) func(r *reading, into **dbsqlc.Standing) {
	user := caller.UserID
	return map[domain.Noun]func(r *reading, into **dbsqlc.Standing){
		domain.NounConversation: func(r *reading, into **dbsqlc.Standing) {
			r.StandingConversation(&dbsqlc.StandingConversationParams{UserID: user, ID: key.ID}, into)
		},
		domain.NounMessage: func(r *reading, into **dbsqlc.Standing) {
			r.StandingMessage(&dbsqlc.StandingMessageParams{UserID: user, ID: key.ID, Superuser: caller.IsSuperuser}, into)
		},
		domain.NounDisplayObject: func(r *reading, into **dbsqlc.Standing) {
			r.StandingObject(&dbsqlc.StandingObjectParams{UserID: user, ID: key.ID}, into)
		},
		domain.NounFeedback: func(r *reading, into **dbsqlc.Standing) {
			r.StandingFeedback(&dbsqlc.StandingFeedbackParams{UserID: user, ID: key.Number}, into)
		},
		domain.NounBlueprint: func(r *reading, into **dbsqlc.Standing) {
			r.StandingBlueprint(&dbsqlc.StandingBlueprintParams{UserID: user, ID: key.Number}, into)
		},
		domain.NounStep: func(r *reading, into **dbsqlc.Standing) {
			r.StandingStep(&dbsqlc.StandingStepParams{UserID: user, ID: key.Number}, into)
		},
		domain.NounDataSource: func(r *reading, into **dbsqlc.Standing) {
			r.StandingDataSource(&dbsqlc.StandingDataSourceParams{UserID: user, ID: key.Number}, into)
		},
		domain.NounTable: func(r *reading, into **dbsqlc.Standing) {
			r.StandingTable(&dbsqlc.StandingTableParams{UserID: user, ID: key.Number}, into)
		},
		domain.NounAnalyst: func(r *reading, into **dbsqlc.Standing) {
			r.StandingAnalyst(&dbsqlc.StandingAnalystParams{UserID: user, ID: key.Number}, into)
		},
		domain.NounMemory: func(r *reading, into **dbsqlc.Standing) { r.StandingMemory(key.Number, into) },
		domain.NounProjectLabel: func(r *reading, into **dbsqlc.Standing) {
			r.StandingProjectLabel(&dbsqlc.StandingProjectLabelParams{UserID: user, ID: key.Number}, into)
		},
		domain.NounTask: func(r *reading, into **dbsqlc.Standing) {
			r.StandingTask(&dbsqlc.StandingTaskParams{UserID: user, ID: key.ID}, into)
		},
	}[noun]
}

// ranked is how one stands to a thing by a rank of the views of its readers.
func ranked(rank int32) domain.Standing {
	return domain.Standing{Found: true, Permission: permissionOf(rank)}
}

// ownedBy is how one stands to a thing that cannot be shared.
func ownedBy(owner int64, caller domain.Caller) domain.Standing {
	if owner == caller.UserID {
		return domain.Standing{Found: true, Permission: domain.PermissionOwner}
	}
	return domain.Standing{Found: true}
}

func blueprintStanding(rank int32, isLibrary bool) domain.Standing {
	st := ranked(rank)
	st.IsLibrary = isLibrary
	return st
}

func sourceStanding(rank int32, scope string) domain.Standing {
	st := ranked(rank)
	st.Scope = domain.DataSourceScope(scope)
	return st
}

// Repeated implements domain.RightsService.
func (s *Store) Repeated(ctx context.Context, caller domain.Caller, key string) (bool, error) {
	var row *dbsqlc.IdempotencyMadeRow
	err := s.read(ctx, caller.OrganisationID, func(r *reading) {
		r.IdempotencyMade(&dbsqlc.IdempotencyMadeParams{UserID: caller.UserID, Key: key}, &row)
	})
	return row != nil, err
}

// mayReview tells whether the caller reviews feedback. The queries of what was reviewed
// give only what has some.
func mayReview(caller domain.Caller) bool {
	return domain.ReviewConversation.May(caller, domain.Standing{Found: true, HasFeedback: true})
}
