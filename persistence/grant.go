package persistence

import (
	"context"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// checkGrantees refuses, by the fields of the body, what only the store can know: the owner
// among the people, and people and teams that do not exist or are of another organisation,
// which row level security hides. A person or team whose grant is removed must exist, too,
// but need not have a grant.
func (s *core) checkGrantees(ctx context.Context, tx pgx.Tx, owner int64, grants []domain.Grant) error {
	var (
		c             domain.Checks
		people, teams []int64
	)
	for _, g := range grants {
		switch g.Grantee.Type {
		case domain.GranteeUser:
			c.Require(g.Grantee.ID != owner || owner == 0, "users", "The owner's access cannot be changed")
			people = append(people, g.Grantee.ID)
		case domain.GranteeTeam:
			teams = append(teams, g.Grantee.ID)
		default:
			c.Require(false, "organizations", "Sharing with an organization is not available")
		}
	}
	if err := c.Err(); err != nil {
		return err
	}
	known, err := s.q.GranteesKnown(ctx, tx, &dbsqlc.GranteesKnownParams{Users: people, Teams: teams})
	if err != nil {
		return err
	}
	c.Require(known.People == int64(len(people)), "users", "Please select people of your organization")
	c.Require(known.Teams == int64(len(teams)), "teams", "Please select teams of your organization")
	return c.Err()
}

// splitGrants is a change of access as the queries take it: people and teams are different columns,
// and a grant that is removed has its own statement. The lists are never nil, which would be NULL for
// the database.
type splitGrants struct {
	users, teams []int64
	// userPermissions and teamPermissions are those of users and teams, in the same order.
	userPermissions, teamPermissions []string
	// removedUsers and removedTeams are those whose grants are removed.
	removedUsers, removedTeams []int64
}

// splitOf splits a change of access. Other kinds of grantees than people and teams are refused before
// (checkGrantees).
func splitOf(grants []domain.Grant) *splitGrants {
	s := splitGrants{
		users: []int64{}, teams: []int64{}, userPermissions: []string{}, teamPermissions: []string{},
		removedUsers: []int64{}, removedTeams: []int64{},
	}
	for _, g := range grants {
		id, permission := g.Grantee.ID, string(g.Permission)
		switch isTeam := g.Grantee.Type == domain.GranteeTeam; {
		case g.Permission == domain.PermissionRemove && isTeam:
			s.removedTeams = append(s.removedTeams, id)
		case g.Permission == domain.PermissionRemove:
			s.removedUsers = append(s.removedUsers, id)
		case isTeam:
			s.teams, s.teamPermissions = append(s.teams, id), append(s.teamPermissions, permission)
		default:
			s.users, s.userPermissions = append(s.users, id), append(s.userPermissions, permission)
		}
	}
	return &s
}

// removes reports whether grants are removed.
func (s *splitGrants) removes() bool { return len(s.removedUsers)+len(s.removedTeams) > 0 }

// checkPermissions refuses permissions that an object of the noun cannot be shared with. wire has
// refused them already; the rule is repeated for other callers.
func checkPermissions(noun domain.Noun, grants []domain.Grant, refusal string) error {
	for _, g := range grants {
		if !noun.Takes(g.Permission) {
			return domain.Invalid("users", refusal)
		}
	}
	return nil
}

// grantsOf converts the entries of Manage access. The queries of all nouns return the same
// columns.
func grantsOf(rows []dbsqlc.GrantShown) []domain.Grant {
	grants := make([]domain.Grant, len(rows))
	for i, r := range rows {
		grants[i] = domain.Grant{
			Grantee:    domain.Grantee{ID: r.ID, Type: domain.GranteeType(r.Type), Name: r.Name, Picture: r.Picture},
			Permission: domain.Permission(r.Permission),
		}
	}
	return grants
}
