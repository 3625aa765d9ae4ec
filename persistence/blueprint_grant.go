package persistence

// Who may see a blueprint. A grant is for reading only, for a person or a team of the organization.
// The caller's rights to what the blueprint uses are not part of it: data sources are not shared
// with it.

import (
	"context"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// BlueprintGrants implements domain.BlueprintService.
func (s Blueprints) BlueprintGrants(ctx context.Context, caller domain.Caller, id int64) ([]domain.Grant, error) {
	var (
		row  *dbsqlc.BlueprintSeen
		rows []dbsqlc.GrantShown
	)
	// The first query says whether the caller may see the blueprint at all; both see the same
	// snapshot.
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.BlueprintGet(&dbsqlc.BlueprintGetParams{UserID: caller.UserID, ID: id}, &row)
		r.BlueprintGrants(id, &rows)
	})
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NounBlueprint.Missing()
	}
	return grantsOf(rows), nil
}

// SetBlueprintGrants implements domain.BlueprintService. A grant that exists already and the
// removal of one that does not exist change nothing.
func (s Blueprints) SetBlueprintGrants(ctx context.Context, caller domain.Caller, id int64, grants []domain.Grant) error {
	// The entries are idempotent, so no key is needed for a repeated request.
	return s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		row, err := s.lockBlueprint(ctx, tx, caller, id, domain.ShareBlueprint)
		if err != nil {
			return err
		}
		if err := s.checkGrantees(ctx, tx, row.OwnerID, grants); err != nil {
			return err
		}
		split := splitOf(grants)
		// Grants are removed first. No entry can be in both lists: wire refuses one that is given
		// twice.
		err = s.q.BlueprintRevoke(ctx, tx, &dbsqlc.BlueprintRevokeParams{
			BlueprintID: id, Users: split.removedUsers, Teams: split.removedTeams,
		})
		if err != nil {
			return err
		}
		err = s.q.BlueprintGrantUsers(ctx, tx, &dbsqlc.BlueprintGrantUsersParams{
			BlueprintID: id, OrgID: caller.OrganisationID, Users: split.users,
		})
		if err != nil {
			return err
		}
		return s.q.BlueprintGrantTeams(ctx, tx, &dbsqlc.BlueprintGrantTeamsParams{
			BlueprintID: id, OrgID: caller.OrganisationID, Teams: split.teams,
		})
	})
}
