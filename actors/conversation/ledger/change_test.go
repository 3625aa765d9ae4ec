package ledger

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// A late try of a request whose change an earlier owner has made changes nothing: the person may have undone
// the change since.
func TestState_RequestOfAnEarlierOwner(t *testing.T) { // G4, G5
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	made := uuid.New()
	name := "Sales"
	grants := []domain.Grant{{Grantee: domain.Grantee{ID: 8, Type: domain.GranteeUser}, Permission: domain.PermissionRemove}}
	for kind, input := range map[string]func(uuid.UUID) Input{
		"Share": func(r uuid.UUID) Input { return SetGrants{To: "try", Request: r, Grants: grants} },
		"Change": func(r uuid.UUID) Input {
			return Change{To: "try", Request: r, Update: domain.ConversationUpdate{Name: &name}}
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := NewState(&domain.Claim{
				Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 9, Requests: []uuid.UUID{uuid.New(), made},
			}, Limits{TurnText: 1000})
			require.Equal(t, []Output{Answer{To: "try"}}, s.Apply(input(made), now))

			other := uuid.New()
			out := s.Apply(input(other), now)
			require.Len(t, out, 1)
			require.Equal(t, other, out[0].(Submit).Write.Request)
			require.NotContains(t, s.requests, other, "it is not stored yet")
			require.Contains(t, s.Apply(Committed{}, now), Answer{To: "try"})
			require.Equal(t, []Output{Answer{To: "try"}}, s.Apply(input(other), now))
			require.Contains(t, s.requests, made)

			require.Equal(t, uuid.Nil, s.Apply(input(uuid.Nil), now)[0].(Submit).Write.Request)
		})
	}
}
