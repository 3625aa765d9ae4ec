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
		seen *dbsqlc.DataSourceShown
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
		gone := dbsqlc.DataSourceRevokeParams{DataSourceID: id}
		for _, g := range grants {
			if err := s.grantDataSource(ctx, tx, caller, id, g, &gone); err != nil {
				return err
			}
		}
		// Grants are removed in one statement, after the others were inserted. No entry can be in
		// both lists.
		return s.q.DataSourceRevoke(ctx, tx, &gone)
	})
	if err != nil {
		return nil, err
	}
	return s.DataSourceGrants(ctx, caller, id)
}

// grantDataSource inserts one grant, or adds it to those that are to be removed.
func (s DataSources) grantDataSource(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, id int64, g domain.Grant, gone *dbsqlc.DataSourceRevokeParams,
) error {
	user := g.Grantee.Type == domain.GranteeUser
	switch {
	case g.Permission == domain.PermissionRemove && user:
		gone.Users = append(gone.Users, g.Grantee.ID)
		return nil
	case g.Permission == domain.PermissionRemove:
		gone.Teams = append(gone.Teams, g.Grantee.ID)
		return nil
	// wire has refused other permissions already; the rule is repeated here for other callers.
	case g.Permission != domain.PermissionRead && g.Permission != domain.PermissionWrite:
		return domain.Invalid("users", "The permission is not valid")
	case user:
		return s.q.DataSourceGrantUser(ctx, tx, &dbsqlc.DataSourceGrantUserParams{
			DataSourceID: id, OrgID: caller.OrganisationID, UserID: g.Grantee.ID, Permission: string(g.Permission),
		})
	}
	return s.q.DataSourceGrantTeam(ctx, tx, &dbsqlc.DataSourceGrantTeamParams{
		DataSourceID: id, OrgID: caller.OrganisationID, TeamID: g.Grantee.ID, Permission: string(g.Permission),
	})
}
