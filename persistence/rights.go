package persistence

import (
	"context"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Rights read a person's relation to one object (domain.Standing), which is the input of the table of rights.
type Rights struct{ *core }

var _ domain.RightsService = Rights{}

// Standing implements domain.RightsService.
func (s Rights) Standing(ctx context.Context, caller domain.Caller, noun domain.Noun, key domain.Key) (domain.Standing, error) {
	return standingOf(caller, noun, key, func(queue func(r *reading)) error { return s.asTenant(ctx, caller.OrganisationID, queue) })
}

// standingOf reads a standing with the given way to send queries.
func standingOf(caller domain.Caller, noun domain.Noun, key domain.Key, send func(queue func(r *reading)) error) (domain.Standing, error) {
	var row *dbsqlc.Standing
	known := true
	err := send(func(r *reading) { known = queueStanding(r, caller, noun, key, &row) })
	if !known {
		return domain.Standing{}, domain.Internal(nil, "Nothing is stored of a "+string(noun)+" that rights could rest on.")
	}
	if err != nil || row == nil {
		return domain.Standing{}, err
	}
	return domain.Standing{
		Found: true, Permission: permissionOf(row.Rank), Scope: domain.DataSourceScope(row.Scope), IsLibrary: row.IsLibrary,
		IsEnabled: row.IsEnabled, IsDefault: row.IsDefault,
	}, nil
}

// queueStanding adds the query of a noun to a reading; false if the noun has none.
func queueStanding(r *reading, caller domain.Caller, noun domain.Noun, key domain.Key, into **dbsqlc.Standing) bool {
	user := caller.UserID
	switch noun {
	case domain.NounConversation:
		r.StandingConversation(&dbsqlc.StandingConversationParams{UserID: user, ID: key.ID}, into)
	case domain.NounMessage:
		r.StandingMessage(&dbsqlc.StandingMessageParams{UserID: user, ID: key.ID, Superuser: caller.IsSuperuser}, into)
	case domain.NounDisplayObject:
		r.StandingObject(&dbsqlc.StandingObjectParams{UserID: user, ID: key.ID}, into)
	case domain.NounFeedback:
		r.StandingFeedback(&dbsqlc.StandingFeedbackParams{UserID: user, ID: key.Number}, into)
	case domain.NounBlueprint:
		r.StandingBlueprint(&dbsqlc.StandingBlueprintParams{UserID: user, ID: key.Number}, into)
	case domain.NounStep:
		r.StandingStep(&dbsqlc.StandingStepParams{UserID: user, ID: key.Number}, into)
	case domain.NounDataSource:
		r.StandingDataSource(&dbsqlc.StandingDataSourceParams{UserID: user, ID: key.Number}, into)
	case domain.NounTable:
		r.StandingTable(&dbsqlc.StandingTableParams{UserID: user, ID: key.Number}, into)
	case domain.NounAnalyst:
		r.StandingAnalyst(&dbsqlc.StandingAnalystParams{UserID: user, ID: key.Number}, into)
	case domain.NounMemory:
		r.StandingMemory(key.Number, into)
	case domain.NounProjectLabel:
		r.StandingProjectLabel(&dbsqlc.StandingProjectLabelParams{UserID: user, ID: key.Number}, into)
	case domain.NounTask:
		r.StandingTask(&dbsqlc.StandingTaskParams{UserID: user, ID: key.ID}, into)
	default:
		return false
	}
	return true
}

// ranked converts the rank of the reader views to a Standing.
func ranked(rank int32) domain.Standing {
	return domain.Standing{Found: true, Permission: permissionOf(rank)}
}

// ownedBy is the Standing of the caller to an object that cannot be shared.
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
func (s Rights) Repeated(ctx context.Context, caller domain.Caller, key string) (bool, error) {
	var row *dbsqlc.IdempotencyResultRow
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.IdempotencyResult(&dbsqlc.IdempotencyResultParams{UserID: caller.UserID, Key: key}, &row)
	})
	return row != nil, err
}

// mayReview reports whether the caller may review feedback. The queries for reviews return only
// objects that have feedback.
func mayReview(caller domain.Caller) bool {
	return domain.ReviewConversation.May(caller, domain.Standing{Found: true, HasFeedback: true})
}
