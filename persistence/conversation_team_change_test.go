package persistence_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// G15: a change of a team is reported to each node that has a conversation or a session
// which depends on it, in whatever order transactions commit.
func TestStore_TeamChanges(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, url := openURL(t)
	j := startJournal(t, s, persistence.JournalConfig{})
	o := own(t, s, j, persistencetest.Anna)
	ben := persistencetest.Caller(t, s, persistencetest.Ben)
	entities, err := s.Users.ShareableEntities(ctx, o.caller, "", domain.Page{Number: 1, Size: 100})
	require.NoError(t, err)
	sales := entities.Results[3]
	require.Equal(t, domain.GranteeTeam, sales.Type)
	o.must(domain.Write{Grants: []domain.Grant{{Grantee: sales, Permission: domain.PermissionRead}}})
	_, _, err = s.Sessions.ClaimSession(ctx, ben.UserUUID, "another")
	require.NoError(t, err)

	since, known := map[string]string{}, map[domain.TeamChange]bool{}
	changes := func(node string) (list []domain.TeamChange) {
		t.Helper()
		changes, err := s.ConversationStore.TeamChanges(ctx, node, since[node])
		require.NoError(t, err)
		since[node] = changes.Next
		for _, c := range changes.Changes {
			// An open transaction anywhere in the cluster may cause it to be reported again.
			if known[c] {
				continue
			}
			known[c] = true
			c.ID = ""
			list = append(list, c)
		}
		return list
	}
	require.Equal(t, []domain.TeamChange{{Conversation: o.Conversation}}, slices.Compact(changes("node")),
		"a new node gets the changes of the last minutes")
	require.Equal(t, []domain.TeamChange{{User: ben.UserUUID}}, changes("another"))

	slow, fast := persistencetest.Connect(t, url, "parley_engine"), persistencetest.Connect(t, url, "parley_engine")
	tx, err := slow.Begin(ctx)
	require.NoError(t, err)
	_, err = tx.Exec(ctx, "DELETE FROM team_member WHERE team_id = $1 AND user_id = $2", sales.ID, ben.UserID)
	require.NoError(t, err)
	_, err = fast.Exec(ctx, "DELETE FROM team_member WHERE team_id = $1 AND user_id = $2", sales.ID, o.caller.UserID)
	require.NoError(t, err)
	require.Equal(t, []domain.TeamChange{{Conversation: o.Conversation}}, changes("node"))
	require.Empty(t, changes("another"), "Anna has no session there")

	require.NoError(t, tx.Commit(ctx))
	require.Contains(t, changes("node"), domain.TeamChange{Conversation: o.Conversation}, "the transaction that began first commits last")
	require.Equal(t, []domain.TeamChange{{User: ben.UserUUID}}, changes("another"))
	require.Empty(t, changes("node"))
	require.Empty(t, changes("another"))
	require.Empty(t, changes("third"))

	// F20: the server has crashed and begins again at a lower number than the node has read.
	head, err := strconv.ParseUint(since["another"], 10, 64)
	require.NoError(t, err)
	since["another"] = strconv.FormatUint(head+1000, 10)
	_, err = fast.Exec(ctx, "INSERT INTO team_member (team_id, user_id, org_id) VALUES ($1, $2, $3)", sales.ID, ben.UserID, ben.OrganisationID)
	require.NoError(t, err)
	require.Equal(t, []domain.TeamChange{{User: ben.UserUUID}}, changes("another"))
}
