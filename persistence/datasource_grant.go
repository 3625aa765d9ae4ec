package persistence

// Who may use a connector, and for what: reading, or writing as well. Connectors are the only
// objects that can be shared for writing (docs/rights.md).

import (
	"context"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// DataSourceGrants implements domain.DataSourceService.
func (s DataSources) DataSourceGrants(ctx context.Context, caller domain.Caller, id int64) ([]domain.Grant, error) {
	var (
		seen *dbsqlc.DataSourceSeen
		rows []dbsqlc.GrantShown
	)
	// The first query says whether the caller may see the connector; both see the same snapshot.
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.DataSourceGet(&dbsqlc.DataSourceGetParams{UserID: caller.UserID, ID: id}, &seen)
		r.DataSourceGrants(id, &rows)
	})
	if err != nil {
		return nil, err
	}
	if seen == nil {
		return nil, domain.NounDataSource.Missing()
	}
	return grantsOf(rows), nil
}

// SetDataSourceGrants implements domain.DataSourceService. A removed right takes effect with
// the next query of a running turn: rights are read when a tool runs.
func (s DataSources) SetDataSourceGrants(
	ctx context.Context, caller domain.Caller, id int64, grants []domain.Grant,
) ([]domain.Grant, error) {
	err := s.changeDataSource(ctx, caller, id, domain.ShareDataSource, func(tx pgx.Tx, d *dbsqlc.DataSourceLockRow) error {
		// The owner and people of other organizations are refused, all of them in one error.
		if err := s.checkGrantees(ctx, tx, d.OwnerID, grants); err != nil {
			return err
		}
		if err := checkPermissions(domain.NounDataSource, grants, "The permission is not valid"); err != nil {
			return err
		}
		return s.grantDataSource(ctx, tx, caller, id, splitOf(grants))
	})
	if err != nil {
		return nil, err
	}
	return s.DataSourceGrants(ctx, caller, id)
}

// grantDataSource inserts the grants, or changes their permissions, and then removes others. No entry
// can be in both lists.
func (s DataSources) grantDataSource(ctx context.Context, tx pgx.Tx, caller domain.Caller, id int64, split *splitGrants) error {
	for i, user := range split.users {
		err := s.q.DataSourceGrantUser(ctx, tx, &dbsqlc.DataSourceGrantUserParams{
			DataSourceID: id, OrgID: caller.OrganisationID, UserID: user, Permission: split.userPermissions[i],
		})
		if err != nil {
			return err
		}
	}
	for i, team := range split.teams {
		err := s.q.DataSourceGrantTeam(ctx, tx, &dbsqlc.DataSourceGrantTeamParams{
			DataSourceID: id, OrgID: caller.OrganisationID, TeamID: team, Permission: split.teamPermissions[i],
		})
		if err != nil {
			return err
		}
	}
	return s.q.DataSourceRevoke(ctx, tx, &dbsqlc.DataSourceRevokeParams{
		DataSourceID: id, Users: split.removedUsers, Teams: split.removedTeams,
	})
}
