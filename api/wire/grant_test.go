package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// B06, as far as a body by itself can break its rules.
func TestActors_Grants(t *testing.T) {
	t.Parallel()
	nouns := []domain.Noun{domain.NounConversation, domain.NounBlueprint, domain.NounAnalyst, domain.NounDataSource}
	one := func(id int64, permission string) []wire.ActorGrant {
		return []wire.ActorGrant{{ID: id, Permission: permission}}
	}
	many := make([]wire.ActorGrant, 150)
	for i := range many {
		many[i].ID = int64(i + 1)
	}
	for name, row := range map[string]struct {
		body           wire.Actors
		field, message string
	}{
		"ErrOwner":         {wire.Actors{Users: one(1, "owner")}, "users[0].permission", "The owner cannot be changed"},
		"ErrUnknown":       {wire.Actors{Teams: one(1, "admin")}, "teams[0].permission", "The permission is not valid"},
		"ErrOrganizations": {wire.Actors{Organizations: one(1, "read")}, "organizations", "Sharing with an organization is not available"},
		"ErrNobody":        {wire.Actors{}, "users", "Please select at least one user or team"},
		"ErrTwice":         {wire.Actors{Users: append(one(1, "read"), one(1, "remove")...)}, "users[1].id", "The same entry is given twice"},
		"ErrMany":          {wire.Actors{Users: many, Teams: many}, "users", "At most 200 people and teams can be changed at once"},
	} {
		for _, noun := range nouns {
			t.Run(name+"/"+string(noun), func(t *testing.T) {
				t.Parallel()
				_, err := row.body.Grants(noun)
				var known *domain.Error
				require.ErrorAs(t, err, &known)
				require.Equal(t, []domain.FieldError{{Field: row.field, Message: row.message}}, known.Fields)
			})
		}
	}
	t.Run("Nothing", func(t *testing.T) {
		t.Parallel()
		grants, err := (&wire.Actors{Users: []wire.ActorGrant{}}).Grants(domain.NounConversation)
		require.NoError(t, err, "an empty list changes nothing")
		require.Empty(t, grants)
	})
	t.Run("ErrWrite", func(t *testing.T) {
		t.Parallel()
		for noun, message := range map[domain.Noun]string{
			domain.NounConversation: "A conversation can be shared for viewing only",
			domain.NounBlueprint:    "A blueprint can be shared for viewing only",
			domain.NounAnalyst:      "An agent can be shared for viewing only",
		} {
			_, err := (&wire.Actors{Users: one(1, "write")}).Grants(noun)
			var known *domain.Error
			require.ErrorAs(t, err, &known)
			require.Equal(t, []domain.FieldError{{Field: "users[0].permission", Message: message}}, known.Fields)
		}
	})
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		grants, err := (&wire.Actors{Users: append(one(1, "write"), one(2, "")...), Teams: one(1, "remove")}).Grants(domain.NounDataSource)
		require.NoError(t, err)
		require.Equal(t, []domain.Grant{
			{Grantee: domain.Grantee{ID: 1, Type: domain.GranteeUser}, Permission: domain.PermissionWrite},
			{Grantee: domain.Grantee{ID: 2, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
			{Grantee: domain.Grantee{ID: 1, Type: domain.GranteeTeam}, Permission: domain.PermissionRemove},
		}, grants)
	})
}
