package persistence_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

func TestStore_CreateConversation(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	sources, err := s.DataSources(ctx, anna, domain.DataSourceFilter{})
	require.NoError(t, err)
	require.Len(t, sources.Results, 1)
	require.Equal(t, 1, sources.Count)
	require.Equal(t, "orders", sources.Results[0].Resources[0].Table)
	require.Len(t, sources.Results[0].Resources[0].Columns, 2)

	c, err := s.CreateConversation(ctx, anna, domain.NewConversation{Name: "Sales", DataSources: []int64{sources.Results[0].ID}})
	require.NoError(t, err)
	list, err := s.Conversations(ctx, anna, domain.ConversationFilter{})
	require.NoError(t, err)
	require.Equal(t, 1, list.Count)
	require.Equal(t, c.ID, list.Results[0].ID)

	claim, err := s.Claim(ctx, c.ID, uuid.New(), "node")
	require.NoError(t, err)
	require.Equal(t, int64(1), claim.Fence.Epoch)
	require.Equal(t, int64(2), claim.NextSeq)
}
