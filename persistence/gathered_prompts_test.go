package persistence_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// Each prompt of a group gets the agent that its own person may use, and none of another organisation, whatever
// the order of the organisations in the group is.
func TestStore_AgentsTogether(t *testing.T) { // G16
	t.Parallel()
	a := openAgents(t)
	theirs, err := a.DefaultAnalyst(t.Context(), a.elsewhere.OrganisationID)
	require.NoError(t, err)
	mine, prism := a.mine.ID, a.prism.ID
	callers := []domain.Caller{a.anna, a.elsewhere, a.anna, a.elsewhere, a.ben, a.elsewhere, a.cleo, a.anna, a.anna, a.elsewhere}
	ids := []int64{mine, mine, 0, 0, mine, prism, mine, theirs.ID, 1 << 40, theirs.ID}
	got, err := a.store.AgentsTogether(t.Context(), callers, ids)
	require.NoError(t, err)
	require.Len(t, got, len(ids))
	for i, found := range got {
		var alone *domain.Analyst
		if ids[i] == 0 {
			alone, err = a.DefaultAnalyst(t.Context(), callers[i].OrganisationID)
		} else {
			alone, err = a.UsableAnalyst(t.Context(), callers[i], ids[i])
		}
		if domain.CodeOf(err) == domain.CodeNotFound {
			require.Nil(t, found, i)
			continue
		}
		require.NoError(t, err, i)
		require.Equal(t, alone, found, i)
	}
	require.Equal(t, mine, got[0].ID)
	require.Nil(t, got[1], "another organisation's")
	require.Equal(t, prism, got[2].ID)
	require.Equal(t, theirs.ID, got[3].ID)
	require.Nil(t, got[5], "another organisation's")
	require.Nil(t, got[7], "another organisation's")
	require.Nil(t, got[8], "nobody's")
	require.Equal(t, theirs.ID, got[9].ID)
}

// Each of a group gets its own message, and nothing of another organisation.
func TestStore_MessagesByIDTogether(t *testing.T) { // G4, G16
	t.Parallel()
	s, _ := openURL(t)
	j := startJournal(t, s, persistence.JournalConfig{})
	one, two := own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Ben)
	_, asked := one.prompt("one")
	_, other := two.prompt("two")
	organisation := persistencetest.Caller(t, s, persistencetest.Anna).OrganisationID
	got, err := s.MessagesByIDTogether(t.Context(), []int64{organisation, organisation, organisation, organisation + 1, organisation},
		[]uuid.UUID{other, uuid.New(), asked, asked, other})
	require.NoError(t, err)
	texts := make([]string, len(got))
	for i, m := range got {
		if m != nil {
			texts[i] = m.Text
		}
	}
	require.Equal(t, []string{"two", "", "one", "", "two"}, texts)
}
