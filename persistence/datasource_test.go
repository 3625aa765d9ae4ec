package persistence_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

func TestStore_DataSources(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	anna, ben := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Ben)
	cleo := persistencetest.Caller(t, s, persistencetest.Cleo)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	column := domain.Column{
		Name: "amount", Type: domain.ColumnNumber, DatabaseType: "DECIMAL(18,3)", Distinct: 3, Nulls: 1, Min: "1",
		Max: "9", Values: []string{"a"}, Description: "d",
	}
	n := domain.NewDataSource{
		Name: "Mine", Description: "100% mine", Type: domain.DataSourceCSV, FileName: "m\x00.csv", FileKey: "f", WorkKey: "w", Size: 7,
		Resources: []domain.DataResource{
			{Name: "One", Table: "one", Rows: 3, Preview: "a,b\n", Details: "words", Columns: []domain.Column{column}},
			{Name: "Two", Table: "two"},
		},
	}
	mine, err := createSource(t, s, anna, n)
	require.NoError(t, err)
	require.Equal(t, domain.ScopeUser, mine.Scope)
	require.True(t, mine.HasFile)
	require.Equal(t, "m\uFFFD.csv", mine.FileName)
	require.Equal(t, []string{"one", "two"}, []string{mine.Resources[0].Table, mine.Resources[1].Table})
	require.Equal(t, column, mine.Resources[0].Columns[0])

	n.Name, n.Scope, n.ConversationID = "Talked about", domain.ScopeConversation, o.Conversation
	hanging, err := createSource(t, s, anna, n)
	require.NoError(t, err)
	require.Equal(t, o.Conversation, hanging.ConversationID)
	require.Equal(t, uuid.Nil, mine.ConversationID)
	o.grant(persistencetest.Ben, domain.PermissionRead)
	sources := []int64{mine.ID}
	o.must(domain.Write{Update: &domain.ConversationUpdate{DataSources: &sources}})

	names := func(c domain.Caller, f domain.DataSourceFilter) []string {
		t.Helper()
		list, err := s.DataSources.DataSources(ctx, c, f)
		require.NoError(t, err)
		names := make([]string, len(list.Results))
		for i, d := range list.Results {
			names[i] = d.Name
		}
		require.Len(t, names, list.Count)
		return names
	}
	require.ElementsMatch(t, []string{"Orders", "Mine", "Talked about"}, names(anna, domain.DataSourceFilter{}))
	require.ElementsMatch(t, []string{"Orders", "Talked about"}, names(ben, domain.DataSourceFilter{}))
	require.Equal(t, []string{"Orders"}, names(cleo, domain.DataSourceFilter{}))
	require.Equal(t, []string{"Orders"}, names(anna, domain.DataSourceFilter{Scopes: []string{"organization"}}))
	require.Equal(t, []string{"Talked about"}, names(ben, domain.DataSourceFilter{Scopes: []string{"shared"}}))
	require.Equal(t, []string{"Talked about"}, names(anna, domain.DataSourceFilter{Scopes: []string{"conversation"}}))
	require.Empty(t, names(ben, domain.DataSourceFilter{Scopes: []string{"owned"}}))
	require.Equal(t, []string{"Mine"}, names(anna, domain.DataSourceFilter{Scopes: []string{"recent"}}))
	require.Empty(t, names(anna, domain.DataSourceFilter{Scopes: []string{"favorite"}}))
	require.Equal(t, []string{"Mine"}, names(anna, domain.DataSourceFilter{Scopes: []string{"owned", "recent"}}))
	require.Empty(t, names(anna, domain.DataSourceFilter{Scopes: []string{"recent", "organization"}}), "all scopes must hold")
	require.ElementsMatch(t, []string{"Mine", "Talked about"}, names(anna, domain.DataSourceFilter{Search: "100%"}))
	require.Empty(t, names(anna, domain.DataSourceFilter{Archived: true}))
	require.Equal(t, []string{"Mine", "Orders", "Talked about"}, names(anna, domain.DataSourceFilter{Sort: "name"}))
	require.Equal(t, []string{"Talked about", "Orders", "Mine"}, names(anna, domain.DataSourceFilter{Sort: "-name"}))
	require.Equal(t, []string{"Orders", "Mine", "Talked about"}, names(anna, domain.DataSourceFilter{Sort: "created_at"}))
	require.Equal(t, []string{"Talked about", "Mine", "Orders"}, names(anna, domain.DataSourceFilter{Sort: "-created_at"}))
	require.Equal(t, []string{"Talked about", "Mine", "Orders"}, names(anna, domain.DataSourceFilter{Sort: "-updated_at"}))
	require.Equal(t, []string{"Orders", "Mine", "Talked about"},
		names(anna, domain.DataSourceFilter{Sort: "updated_at", Scopes: []string{"owned"}}))
	_, err = s.DataSources.DataSources(ctx, anna, domain.DataSourceFilter{Sort: "size"})
	requireCode(t, domain.CodeInvalid, err)
	_, err = s.DataSources.DataSources(ctx, anna, domain.DataSourceFilter{Scopes: []string{"x"}})
	requireCode(t, domain.CodeInvalid, err)

	t.Run("ReadableNow", func(t *testing.T) {
		ids := []int64{mine.ID, hanging.ID, 1 << 40}
		list, err := s.DataSources.Readable(ctx, ben.OrganisationID, ben.UserID, ids)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, hanging.ID, list[0].ID)
		require.Equal(t, "w", list[0].WorkKey)
		doris := persistencetest.Caller(t, s, persistencetest.Doris)
		list, err = s.DataSources.Readable(ctx, doris.OrganisationID, anna.UserID, ids)
		require.NoError(t, err)
		require.Empty(t, list, "the organisation is checked, not only the person")
		o.grant(persistencetest.Ben, domain.PermissionRemove)
		list, err = s.DataSources.Readable(ctx, ben.OrganisationID, ben.UserID, ids)
		require.NoError(t, err)
		require.Empty(t, list)
	})
	t.Run("OfConversation", func(t *testing.T) {
		list, err := s.DataSources.OfConversation(ctx, anna, o.Conversation)
		require.NoError(t, err)
		require.Len(t, list, 2)
		_, err = s.DataSources.OfConversation(ctx, ben, uuid.New())
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("ErrForbidden", func(t *testing.T) {
		whole := n
		whole.Scope, whole.ConversationID = domain.ScopeOrganisation, uuid.Nil
		_, err := createSource(t, s, ben, whole)
		requireCode(t, domain.CodeForbidden, err)
		o.grant(persistencetest.Ben, domain.PermissionRead)
		_, err = createSource(t, s, ben, n)
		requireCode(t, domain.CodeForbidden, err)
		_, err = createSource(t, s, cleo, n)
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		bad := n
		bad.Scope = "world"
		_, err := createSource(t, s, anna, bad)
		requireCode(t, domain.CodeInvalid, err)
		bad = n
		bad.Name = " "
		_, err = createSource(t, s, anna, bad)
		requireCode(t, domain.CodeInvalid, err)
	})
	t.Run("Archived", func(t *testing.T) {
		_, err := persistencetest.Connect(t, url, "parley_engine").Exec(ctx, "UPDATE data_source SET is_archived = true WHERE id = $1", mine.ID)
		require.NoError(t, err)
		require.Equal(t, []string{"Mine"}, names(anna, domain.DataSourceFilter{Archived: true}))
	})
}
