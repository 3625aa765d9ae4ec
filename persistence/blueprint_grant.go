package persistence

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
	return s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		row, err := s.lockBlueprint(ctx, tx, caller, id, domain.ShareBlueprint)
		if err != nil {
			return err
		}
		if err := s.checkGrantees(ctx, tx, row.OwnerID, grants); err != nil {
			return err
		}
		users := dbsqlc.BlueprintGrantUsersParams{BlueprintID: id, OrgID: caller.OrganisationID, Users: []int64{}}
		teams := dbsqlc.BlueprintGrantTeamsParams{BlueprintID: id, OrgID: caller.OrganisationID, Teams: []int64{}}
		gone := dbsqlc.BlueprintRevokeParams{BlueprintID: id, Users: []int64{}, Teams: []int64{}}
		for _, g := range grants {
			to := &users.Users
			switch isTeam := g.Grantee.Type == domain.GranteeTeam; {
			case g.Permission == domain.PermissionRemove && isTeam:
				to = &gone.Teams
			case g.Permission == domain.PermissionRemove:
				to = &gone.Users
			case isTeam:
				to = &teams.Teams
			}
			*to = append(*to, g.Grantee.ID)
		}
		if err := s.q.BlueprintRevoke(ctx, tx, &gone); err != nil {
			return err
		}
		if err := s.q.BlueprintGrantUsers(ctx, tx, &users); err != nil {
			return err
		}
		return s.q.BlueprintGrantTeams(ctx, tx, &teams)
	})
}
