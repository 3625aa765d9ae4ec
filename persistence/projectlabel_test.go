package persistence_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

func TestStore_ProjectLabels(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	anna, ben, cleo := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Ben),
		persistencetest.Caller(t, s, persistencetest.Cleo)
	doris := persistencetest.Caller(t, s, persistencetest.Doris)
	create := func(c domain.Caller, name string) *domain.ProjectLabel {
		t.Helper()
		l, err := s.ProjectLabels.CreateProjectLabel(ctx, c, domain.ProjectLabelDraft{Name: name, Description: "d", Color: "#00FF00"})
		require.NoError(t, err)
		return l
	}
	launch, audit, theirs := create(ben, "launch"), create(cleo, "Audit"), create(doris, "Theirs")
	counts := func(c domain.Caller) map[string]int64 {
		t.Helper()
		l, err := s.ProjectLabels.ProjectLabels(ctx, c, domain.ProjectLabelFilter{})
		require.NoError(t, err)
		require.Len(t, l.Results, l.Count)
		out := map[string]int64{}
		for _, label := range l.Results {
			out[label.Name] = label.Conversations
		}
		return out
	}
	conversations := func(c domain.Caller, f domain.ConversationFilter) []uuid.UUID {
		t.Helper()
		l, err := s.Conversations.Conversations(ctx, c, f)
		require.NoError(t, err)
		require.Len(t, l.Results, l.Count)
		ids := []uuid.UUID{}
		for _, one := range l.Results {
			ids = append(ids, one.ID)
		}
		return ids
	}
	one, two, other := own(t, s, j, persistencetest.Ben), own(t, s, j, persistencetest.Ben), own(t, s, j, persistencetest.Cleo)
	put := func(o *owned, labels ...int64) {
		t.Helper()
		o.must(domain.Write{Update: &domain.ConversationUpdate{ProjectLabels: &labels}})
	}
	put(one, audit.ID, launch.ID)
	put(two, launch.ID)
	put(other, launch.ID)

	t.Run("List", func(t *testing.T) {
		require.Equal(t, "#00ff00", launch.Color)
		require.Equal(t, ben.UserID, launch.Owner.ID)
		l, err := s.ProjectLabels.ProjectLabels(ctx, anna, domain.ProjectLabelFilter{Page: domain.Page{Number: 1, Size: 1}})
		require.NoError(t, err)
		require.Equal(t, "Audit", l.Results[0].Name, "by name, whatever the case of its letters")
		require.Equal(t, 2, l.Count)
		found, err := s.ProjectLabels.ProjectLabels(ctx, anna, domain.ProjectLabelFilter{Search: "LAU"})
		require.NoError(t, err)
		require.Equal(t, 1, found.Count)
		require.Equal(t, map[string]int64{"Theirs": 0}, counts(doris), "B11")
	})
	// B11: other people's conversations in a project are neither listed nor counted.
	t.Run("Conversations", func(t *testing.T) {
		require.Equal(t, map[string]int64{"launch": 2, "Audit": 1}, counts(ben))
		require.Equal(t, map[string]int64{"launch": 1, "Audit": 0}, counts(cleo))
		require.Equal(t, map[string]int64{"launch": 0, "Audit": 0}, counts(anna))
		launched := domain.ConversationFilter{ProjectLabels: []int64{launch.ID}}
		require.Equal(t, []uuid.UUID{two.Conversation, one.Conversation}, conversations(ben, launched))
		require.Equal(t, []uuid.UUID{one.Conversation}, conversations(ben, domain.ConversationFilter{ProjectLabels: []int64{audit.ID}}))
		require.Len(t, conversations(ben, domain.ConversationFilter{ProjectLabels: []int64{audit.ID, launch.ID}}), 2, "each once")
		require.Empty(t, conversations(anna, launched))
		require.Empty(t, conversations(doris, domain.ConversationFilter{ProjectLabels: []int64{launch.ID, theirs.ID}}))

		two.grant(persistencetest.Cleo, domain.PermissionRead)
		require.Equal(t, int64(2), counts(cleo)["launch"])
		require.ElementsMatch(t, []uuid.UUID{two.Conversation, other.Conversation}, conversations(cleo, launched))
		launched.Scope = "shared"
		require.Equal(t, []uuid.UUID{two.Conversation}, conversations(cleo, launched))
		launched.Scope = "user"
		require.Equal(t, []uuid.UUID{other.Conversation}, conversations(cleo, launched))
		changed, err := s.ProjectLabels.UpdateProjectLabel(ctx, ben, launch.ID, domain.ProjectLabelDraft{
			Name: "Launch", Description: "d",
			Color: "Royal Blue",
		})
		require.NoError(t, err)
		require.Equal(t, int64(2), changed.Conversations)
		require.Equal(t, 2, changed.Version)
	})
	t.Run("LeftAndDeleted", func(t *testing.T) {
		put(one, audit.ID)
		require.Equal(t, int64(1), counts(ben)["Launch"])
		two.must(domain.Write{Delete: true})
		require.Equal(t, int64(0), counts(ben)["Launch"])
		require.Equal(t, int64(1), counts(cleo)["Launch"], "the conversation that was shared is not counted any more")
		put(one, audit.ID, launch.ID)
	})
	t.Run("Rights", func(t *testing.T) {
		d := domain.ProjectLabelDraft{Name: "Mine", Description: "d", Color: "Royal Blue"}
		_, err := s.ProjectLabels.UpdateProjectLabel(ctx, cleo, launch.ID, d)
		requireCode(t, domain.CodeForbidden, err)
		requireCode(t, domain.CodeForbidden, s.ProjectLabels.DeleteProjectLabel(ctx, cleo, launch.ID))
		elsewhere := doris
		elsewhere.IsSuperuser = true
		for _, c := range []domain.Caller{doris, elsewhere} {
			_, err = s.ProjectLabels.UpdateProjectLabel(ctx, c, launch.ID, d)
			requireCode(t, domain.CodeNotFound, err)
			requireCode(t, domain.CodeNotFound, s.ProjectLabels.DeleteProjectLabel(ctx, c, launch.ID))
		}
		_, err = s.ProjectLabels.UpdateProjectLabel(ctx, anna, audit.ID, domain.ProjectLabelDraft{
			Name: "Audits", Description: "d",
			Color: "Royal Blue",
		})
		require.NoError(t, err, "a superuser may")
	})
	t.Run("ErrConflict", func(t *testing.T) { // D12
		d := domain.ProjectLabelDraft{Name: "Stale", Description: "d", Color: "Royal Blue", Version: 1}
		_, err := s.ProjectLabels.UpdateProjectLabel(ctx, cleo, audit.ID, d)
		requireCode(t, domain.CodeConflict, err)
		d.Version = 2
		_, err = s.ProjectLabels.UpdateProjectLabel(ctx, cleo, audit.ID, d)
		require.NoError(t, err)
	})
	t.Run("Once", func(t *testing.T) { // D11
		d := domain.ProjectLabelDraft{
			Name: "Once", Description: "d", Color: "Royal Blue",
			Key: domain.IdempotencyKey{Key: "p", Body: [32]byte{1}},
		}
		first, err := s.ProjectLabels.CreateProjectLabel(ctx, ben, d)
		require.NoError(t, err)
		again, err := s.ProjectLabels.CreateProjectLabel(ctx, ben, d)
		require.NoError(t, err)
		require.Equal(t, first.ID, again.ID)
		d.Key.Body = [32]byte{2}
		_, err = s.ProjectLabels.CreateProjectLabel(ctx, ben, d)
		requireCode(t, domain.CodeInvalid, err)
	})
	t.Run("Tombstone", func(t *testing.T) {
		require.NoError(t, s.ProjectLabels.DeleteProjectLabel(ctx, ben, launch.ID))
		require.NotContains(t, counts(ben), "Launch")
		requireCode(t, domain.CodeNotFound, s.ProjectLabels.DeleteProjectLabel(ctx, ben, launch.ID))
		c, err := s.Conversations.Conversation(ctx, ben, one.Conversation)
		require.NoError(t, err)
		require.Equal(t, []int64{audit.ID}, c.ProjectLabels)
		list, err := s.Conversations.Conversations(ctx, ben, domain.ConversationFilter{})
		require.NoError(t, err)
		require.Equal(t, []int64{audit.ID}, list.Results[0].ProjectLabels)
		named, err := s.ProjectLabels.NamedProjectLabels(ctx, ben.OrganisationID, []int64{launch.ID, audit.ID, theirs.ID})
		require.NoError(t, err)
		require.Len(t, named, 1)
		require.Equal(t, audit.ID, named[0].ID)
		raw := persistencetest.Connect(t, url, "parley_engine")
		require.Equal(t, 1, count(t, raw, "SELECT count(*) FROM project_label WHERE name = 'Launch' AND deleted_at IS NOT NULL"),
			"past usage keeps the name")
	})
}
