package persistence

import (
	"context"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Rights read a person's relation to one object (domain.Relation), which is the input of the table of rights.
type Rights struct{ *core }

var _ domain.RightsService = Rights{}

// Relation implements domain.RightsService.
func (s Rights) Relation(ctx context.Context, caller domain.Caller, noun domain.Noun, key domain.Key) (domain.Relation, error) {
	return relationOf(caller, noun, key, func(queue func(r *reading)) error { return s.asTenant(ctx, caller.OrganisationID, queue) })
}

// relationOf reads a relation with the given way to send queries.
func relationOf(caller domain.Caller, noun domain.Noun, key domain.Key, send func(queue func(r *reading)) error) (domain.Relation, error) {
	var row *dbsqlc.Relation
	// Nouns without an object have no query; asking for one is an error of the program.
	known := true
	err := send(func(r *reading) { known = queueRelation(r, caller, noun, key, &row) })
	if !known {
		return domain.Relation{}, domain.Internal(nil, "Nothing is stored of a "+string(noun)+" that rights could rest on.")
	}
	if err != nil || row == nil {
		return domain.Relation{}, err
	}
	return domain.Relation{
		Found: true, Permission: permissionOf(row.Rank), Scope: domain.DataSourceScope(row.Scope), IsLibrary: row.IsLibrary,
		IsEnabled: row.IsEnabled, IsDefault: row.IsDefault,
	}, nil
}

// queueRelation adds the query of a noun to a reading; false if the noun has none.
func queueRelation(r *reading, caller domain.Caller, noun domain.Noun, key domain.Key, into **dbsqlc.Relation) bool {
	// The keys of some nouns are UUIDs, of others numbers (domain.Noun.Key).
	user := caller.UserID
	switch noun {
	case domain.NounConversation:
		r.RelationConversation(&dbsqlc.RelationConversationParams{UserID: user, ID: key.ID}, into)
	case domain.NounMessage:
		// For other people an internal message does not exist.
		r.RelationMessage(&dbsqlc.RelationMessageParams{UserID: user, ID: key.ID, Superuser: domain.RoleInternal.VisibleTo(caller)}, into)
	case domain.NounDisplayObject:
		r.RelationObject(&dbsqlc.RelationObjectParams{UserID: user, ID: key.ID}, into)
	case domain.NounFeedback:
		r.RelationFeedback(&dbsqlc.RelationFeedbackParams{UserID: user, ID: key.Number}, into)
	case domain.NounBlueprint:
		r.RelationBlueprint(&dbsqlc.RelationBlueprintParams{UserID: user, ID: key.Number}, into)
	case domain.NounStep:
		r.RelationStep(&dbsqlc.RelationStepParams{UserID: user, ID: key.Number}, into)
	case domain.NounDataSource:
		r.RelationDataSource(&dbsqlc.RelationDataSourceParams{UserID: user, ID: key.Number}, into)
	case domain.NounTable:
		r.RelationTable(&dbsqlc.RelationTableParams{UserID: user, ID: key.Number}, into)
	case domain.NounAnalyst:
		r.RelationAnalyst(&dbsqlc.RelationAnalystParams{UserID: user, ID: key.Number}, into)
	case domain.NounMemory:
		r.RelationMemory(key.Number, into)
	case domain.NounProjectLabel:
		r.RelationProjectLabel(&dbsqlc.RelationProjectLabelParams{UserID: user, ID: key.Number}, into)
	case domain.NounTask:
		r.RelationTask(&dbsqlc.RelationTaskParams{UserID: user, ID: key.ID}, into)
	default:
		return false
	}
	return true
}

// ranked converts the rank of the reader views to a Relation.
func ranked(rank int32) domain.Relation {
	return domain.Relation{Found: true, Permission: permissionOf(rank)}
}

// ownedBy is the Relation of the caller to an object that cannot be shared.
func ownedBy(owner int64, caller domain.Caller) domain.Relation {
	if owner == caller.UserID {
		return domain.Relation{Found: true, Permission: domain.PermissionOwner}
	}
	return domain.Relation{Found: true}
}

// blueprintRelation adds whether it is a library blueprint, which everybody may use.
func blueprintRelation(rank int32, isLibrary bool) domain.Relation {
	relation := ranked(rank)
	relation.IsLibrary = isLibrary
	return relation
}

// sourceRelation adds the scope, because a connector of the whole organisation has rules of its own.
func sourceRelation(rank int32, scope string) domain.Relation {
	relation := ranked(rank)
	relation.Scope = domain.DataSourceScope(scope)
	return relation
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
	return domain.ReviewConversation.May(caller, domain.Relation{Found: true, HasFeedback: true})
}
