package persistence_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

func TestJournal_Grants(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	ben := persistencetest.Caller(t, s, persistencetest.Ben)
	cleo := persistencetest.Caller(t, s, persistencetest.Cleo)
	entities, err := s.Users.ShareableEntities(ctx, anna, "", domain.Page{Number: 1, Size: 100})
	require.NoError(t, err)
	require.Equal(t, 4, entities.Count)
	sales := entities.Results[3]
	require.Equal(t, domain.Grantee{ID: sales.ID, Type: domain.GranteeTeam, Name: "Sales"}, sales)

	t.Run("TeamThenPersonThenNobody", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, j, persistencetest.Anna)
		_, before, err := s.ConversationStore.Access(ctx, o.Conversation, ben.UserID)
		require.NoError(t, err)
		r := o.must(domain.Write{
			Grants:     []domain.Grant{{Grantee: sales, Permission: domain.PermissionRead}},
			UserEvents: []domain.UserEventDraft{{Type: domain.EventConversationUpdated, Data: json.RawMessage(`{"accessChanged":true}`)}},
		})
		var kinds []domain.EventType
		for _, e := range r.UserEvents {
			if e.UserID == ben.UserID {
				kinds = append(kinds, e.Type)
			}
		}
		require.Equal(t, []domain.EventType{domain.EventConversationCreated, domain.EventConversationUpdated}, kinds,
			"it is new to Ben, and then changed")
		p, version, err := s.ConversationStore.Access(ctx, o.Conversation, ben.UserID)
		require.NoError(t, err)
		require.Equal(t, domain.PermissionRead, p)
		require.Greater(t, version, before)
		c, err := s.Conversations.Conversation(ctx, ben, o.Conversation)
		require.NoError(t, err)
		require.Equal(t, domain.PermissionRead, c.Permission)
		require.Equal(t, anna.UserID, c.Owner.ID)

		o.grant(persistencetest.Cleo, domain.PermissionRead)
		grants, err := s.Conversations.Grants(ctx, cleo, o.Conversation)
		require.NoError(t, err)
		require.Equal(t, []domain.Permission{domain.PermissionOwner, domain.PermissionRead, domain.PermissionRead},
			[]domain.Permission{grants[0].Permission, grants[1].Permission, grants[2].Permission})
		require.Equal(t, []string{"Anna Acme", "Cleo Carr", "Sales"}, []string{
			grants[0].Grantee.Name, grants[1].Grantee.Name,
			grants[2].Grantee.Name,
		})

		r = o.must(domain.Write{
			Grants: []domain.Grant{
				{Grantee: sales, Permission: domain.PermissionRemove},
				{Grantee: domain.Grantee{ID: cleo.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRemove},
			},
			UserEvents: []domain.UserEventDraft{{Type: domain.EventMessageCreated, Data: json.RawMessage(`{"secret":1}`)}},
		})
		for _, e := range r.UserEvents {
			if e.UserID != anna.UserID {
				require.Equal(t, domain.EventConversationDeleted, e.Type, "a person who lost the right receives only that")
			}
		}
		require.Len(t, r.UserEvents, 3)
		_, err = s.Conversations.Conversation(ctx, cleo, o.Conversation)
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("ErrConflictOfAnotherOrganisation", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, j, persistencetest.Anna)
		doris := persistencetest.Caller(t, s, persistencetest.Doris)
		requireCode(t, domain.CodeConflict, o.try(domain.Write{Grants: []domain.Grant{
			{Grantee: domain.Grantee{ID: cleo.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
			{Grantee: domain.Grantee{ID: doris.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
		}}).Err)
		p, _, err := s.ConversationStore.Access(ctx, o.Conversation, cleo.UserID)
		require.NoError(t, err)
		require.Equal(t, domain.PermissionNone, p, "nothing of the write is stored")
	})
	t.Run("UnreadForOthersOnly", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, j, persistencetest.Anna)
		o.grant(persistencetest.Ben, domain.PermissionRead)
		draft := domain.UserEventDraft{Type: domain.EventMessageCreated, Data: json.RawMessage(`{}`), Unread: true, Except: anna.UserID}
		o.must(domain.Write{UserEvents: []domain.UserEventDraft{draft, draft}})
		o.must(domain.Write{UserEvents: []domain.UserEventDraft{draft}})
		c, err := s.Conversations.Conversation(ctx, ben, o.Conversation)
		require.NoError(t, err)
		require.Equal(t, 3, c.Unread)
		c, err = s.Conversations.Conversation(ctx, anna, o.Conversation)
		require.NoError(t, err)
		require.Zero(t, c.Unread)
		require.NoError(t, s.Conversations.MarkRead(ctx, ben, o.Conversation))
		c, err = s.Conversations.Conversation(ctx, ben, o.Conversation)
		require.NoError(t, err)
		require.Zero(t, c.Unread)
	})
}

func TestStore_Conversations(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	ben := persistencetest.Caller(t, s, persistencetest.Ben)
	named := func(email, name string) *owned {
		o := own(t, s, j, email)
		description := "about " + name
		o.must(domain.Write{Update: &domain.ConversationUpdate{Name: &name, Description: &description}})
		return o
	}
	alpha, beta := named(persistencetest.Anna, "Alpha"), named(persistencetest.Anna, "beta")
	named(persistencetest.Anna, "100% sure")
	bens := named(persistencetest.Ben, "Bens")
	hidden := named(persistencetest.Ben, "Hidden")
	bens.grant(persistencetest.Anna, domain.PermissionRead)
	require.NoError(t, s.Conversations.SetFavorite(ctx, anna, beta.Conversation, true))
	require.NoError(t, s.Conversations.SetStatus(ctx, anna, alpha.Conversation, domain.ConversationArchived))

	names := func(f domain.ConversationFilter) []string {
		t.Helper()
		if f.Sort == "" {
			f.Sort = "name"
		}
		list, err := s.Conversations.Conversations(ctx, anna, f)
		require.NoError(t, err)
		names := make([]string, len(list.Results))
		for i, c := range list.Results {
			names[i] = c.Name
		}
		if f.Page.Size == 0 {
			require.Equal(t, len(names), list.Count)
		}
		return names
	}
	require.Equal(t, []string{"100% sure", "Bens", "beta"}, names(domain.ConversationFilter{}))
	require.Equal(t, []string{"beta", "Bens", "100% sure"}, names(domain.ConversationFilter{Sort: "-name"}))
	require.Equal(t, []string{"Alpha"}, names(domain.ConversationFilter{Archived: true}))
	require.Equal(t, []string{"beta"}, names(domain.ConversationFilter{Scope: "favorite"}))
	require.Equal(t, []string{"100% sure", "beta"}, names(domain.ConversationFilter{Scope: "user"}))
	require.Equal(t, []string{"Bens"}, names(domain.ConversationFilter{Scope: "shared"}))
	require.Equal(t, []string{"beta"}, names(domain.ConversationFilter{Search: "BETA"}))
	require.Equal(t, []string{"100% sure"}, names(domain.ConversationFilter{Search: "%"}))
	require.Empty(t, names(domain.ConversationFilter{Search: "' OR 1=1--"}))
	require.Equal(t, []string{"Bens"}, names(domain.ConversationFilter{Page: domain.Page{Number: 2, Size: 1}}))
	require.Empty(t, names(domain.ConversationFilter{Page: domain.Page{Number: 1 << 60, Size: 1 << 60}}))
	require.Equal(t, []string{"Bens", "100% sure", "beta"}, names(domain.ConversationFilter{Sort: "-updated_at"}),
		"a grant does not move it up")
	require.Equal(t, []string{"beta", "100% sure", "Bens"}, names(domain.ConversationFilter{Sort: "updated_at"}))
	require.Equal(t, []string{"Bens", "100% sure", "beta"}, names(domain.ConversationFilter{Sort: "-created_at"}))

	list, err := s.Conversations.Conversations(ctx, ben, domain.ConversationFilter{})
	require.NoError(t, err)
	require.Equal(t, 2, list.Count)
	require.Equal(t, hidden.Conversation, list.Results[0].ID)
	require.Equal(t, domain.ConversationActive, list.Results[0].Status)

	for _, f := range []domain.ConversationFilter{{Sort: "id; DROP TABLE message"}, {Sort: "owner"}, {Scope: "x"}} {
		_, err := s.Conversations.Conversations(ctx, anna, f)
		requireCode(t, domain.CodeInvalid, err)
	}
	requireCode(t, domain.CodeInvalid, s.Conversations.SetStatus(ctx, anna, alpha.Conversation, "gone"))
}
