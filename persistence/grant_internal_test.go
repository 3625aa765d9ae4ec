package persistence

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestSplitOf(t *testing.T) {
	t.Parallel()
	grant := func(kind domain.GranteeType, id int64, p domain.Permission) domain.Grant {
		return domain.Grant{Grantee: domain.Grantee{ID: id, Type: kind}, Permission: p}
	}
	const user, team = domain.GranteeUser, domain.GranteeTeam
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		got := splitOf([]domain.Grant{
			grant(user, 1, domain.PermissionRead), grant(team, 2, domain.PermissionWrite), grant(user, 3, domain.PermissionRemove),
			grant(team, 4, domain.PermissionRemove), grant(user, 5, domain.PermissionWrite), grant(team, 6, domain.PermissionRead),
		})
		require.Equal(t, &splitGrants{
			users: []int64{1, 5}, userPermissions: []string{"read", "write"},
			teams: []int64{2, 6}, teamPermissions: []string{"write", "read"},
			removedUsers: []int64{3}, removedTeams: []int64{4},
		}, got)
		require.True(t, got.removes())
	})
	t.Run("EmptyIsNotNil", func(t *testing.T) {
		t.Parallel()
		got := splitOf(nil)
		require.Equal(t, &splitGrants{
			users: []int64{}, teams: []int64{}, userPermissions: []string{}, teamPermissions: []string{},
			removedUsers: []int64{}, removedTeams: []int64{},
		}, got)
		require.False(t, got.removes())
	})
}

func TestCheckPermissions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		noun domain.Noun
		p    domain.Permission
		ok   bool
	}{
		{domain.NounAnalyst, domain.PermissionRead, true},
		{domain.NounAnalyst, domain.PermissionRemove, true},
		{domain.NounAnalyst, domain.PermissionWrite, false},
		{domain.NounDataSource, domain.PermissionWrite, true},
		{domain.NounDataSource, domain.PermissionOwner, false},
		{domain.NounDataSource, domain.PermissionNone, false},
	} {
		err := checkPermissions(c.noun, []domain.Grant{{Permission: domain.PermissionRead}, {Permission: c.p}}, "no")
		require.Equal(t, c.ok, err == nil, "%s %s", c.noun, c.p)
		if !c.ok {
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		}
	}
}
