package persistence_test

import (
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// G8: all parts of a read are from one snapshot, so that a stream which continues at its
// head has no gap and no repeat.
func TestStore_ConversationOfOneMoment(t *testing.T) {
	t.Parallel()
	const writes = 300
	s := persistencetest.Open(t)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range writes {
			r := o.try(domain.Write{Events: []domain.Event{event(domain.EventMessageCreated)}, Messages: []domain.Message{{
				ID: uuid.New(), Seq: o.NextSeq, Generation: 1, Role: domain.RoleUser, Text: "x", Status: domain.MessageComplete,
			}}})
			if !assertNoError(t, r.Err) {
				return
			}
		}
	}()
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		default:
		}
		c, err := s.Conversations.Conversation(t.Context(), o.caller, o.Conversation)
		require.NoError(t, err)
		require.Len(t, c.Messages, int(c.Head)-1, "every event but the first made a message")
		if len(c.Messages) > 0 {
			require.Equal(t, c.Head, c.Messages[len(c.Messages)-1].Seq)
		}
	}
}

// The list of conversations is filtered in each of the ways in which it is read.
func TestStore_ConversationsFiltered(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	anna, ben := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Ben)
	label, err := s.ProjectLabels.CreateProjectLabel(ctx, anna, domain.ProjectLabelDraft{Name: "P", Description: "D", Color: "Teal blue"})
	require.NoError(t, err)
	made := map[string]uuid.UUID{}
	for _, name := range []string{"North 100%", "South", "West"} {
		n := domain.NewConversation{Name: name, Description: "of " + name}
		if name != "West" {
			n.ProjectLabels = []int64{label.ID}
		}
		c, err := s.Conversations.CreateConversation(ctx, anna, n)
		require.NoError(t, err)
		made[name] = c.ID
	}
	require.NoError(t, s.Conversations.SetFavorite(ctx, anna, made["South"], true))
	require.NoError(t, s.Conversations.SetStatus(ctx, anna, made["West"], domain.ConversationArchived))
	for name, row := range map[string]struct {
		f    domain.ConversationFilter
		raw  []string
		want []string
	}{
		"ByName": {domain.ConversationFilter{}, []string{"name:contains:NORTH 1"}, []string{"North 100%"}},
		"ByBoth": {domain.ConversationFilter{}, []string{"name:contains:o", "isFavorite:eq:true"}, []string{"South"}},
		"ByProject": {
			domain.ConversationFilter{Sort: "name"},
			[]string{"projectLabels:contains:" + strconv.FormatInt(label.ID, 10)},
			[]string{"North 100%", "South"},
		},
		"ByTime":      {domain.ConversationFilter{}, []string{"createdAt:gt:2999-01-01"}, nil},
		"OfProject":   {domain.ConversationFilter{ProjectLabels: []int64{label.ID}}, []string{"name:eq:South"}, []string{"South"}},
		"Archived":    {domain.ConversationFilter{Archived: true}, []string{"description:contains:west"}, []string{"West"}},
		"NotArchived": {domain.ConversationFilter{Archived: true}, []string{"name:eq:South"}, nil},
		"Favorite":    {domain.ConversationFilter{Scope: "favorite"}, []string{"name:neq:South"}, nil},
		"OfSomebody":  {domain.ConversationFilter{}, []string{"owner:eq:" + strconv.FormatInt(ben.UserID, 10)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			conditions, err := domain.ParseFilters(row.raw, domain.ConversationFields())
			require.NoError(t, err)
			row.f.Conditions = conditions
			list, err := s.Conversations.Conversations(ctx, anna, row.f)
			require.NoError(t, err)
			var names []string
			for i := range list.Results {
				names = append(names, list.Results[i].Name)
			}
			require.Equal(t, row.want, names)
			require.Equal(t, len(row.want), list.Count)
			list, err = s.Conversations.Conversations(ctx, ben, row.f)
			require.NoError(t, err)
			require.Empty(t, list.Results, "another person's list")
			require.Zero(t, list.Count)
		})
	}
}
