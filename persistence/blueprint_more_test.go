package persistence_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

func TestStore_Blueprints(t *testing.T) {
	t.Parallel()
	s := openBlueprints(t)
	ctx := t.Context()
	library := s.library(t)
	first, second := s.make(t, s.anna, "First 100%", "A"), s.make(t, s.anna, "Second", "B", "C")
	shared := s.make(t, s.anna, "Shared", "D")
	s.share(t, shared, domain.GranteeUser, s.cleo.UserID, domain.PermissionRead)
	s.share(t, shared, domain.GranteeTeam, s.team(t), domain.PermissionRead)
	mine, err := s.CreateBlueprint(ctx, s.cleo, domain.BlueprintDraft{
		Name: "Mine", Description: ptr("about second"),
		InputParameters: ptr("A"),
	})
	require.NoError(t, err)
	s.make(t, s.doris, "Foreign", "X")
	gone := s.make(t, s.anna, "Archived", "E")
	require.NoError(t, s.ArchiveBlueprint(ctx, s.anna, gone.ID, true))
	require.NoError(t, s.SetBlueprintFavorite(ctx, s.cleo, shared.ID, true))

	list := func(t *testing.T, c domain.Caller, f domain.BlueprintFilter) []string {
		t.Helper()
		got, err := s.Blueprints.Blueprints(ctx, c, f)
		require.NoError(t, err)
		if f.Page.Size == 0 {
			require.Equal(t, len(got.Results), got.Count)
		}
		return blueprintNames(got.Results)
	}
	t.Run("LatestFirst", func(t *testing.T) {
		require.Equal(t, []string{"Shared", "Second", "First 100%", library.Name}, list(t, s.anna, domain.BlueprintFilter{}))
		require.Equal(t, []string{"Mine", "Shared", library.Name}, list(t, s.cleo, domain.BlueprintFilter{}))
		require.Equal(t, []string{"Shared", library.Name}, list(t, s.ben, domain.BlueprintFilter{}), "by the team, once")
		require.Equal(t, []string{"Foreign"}, list(t, s.doris, domain.BlueprintFilter{}))
	})
	t.Run("Filters", func(t *testing.T) {
		for name, c := range map[string]struct {
			f    domain.BlueprintFilter
			want []string
		}{
			"favorite":     {domain.BlueprintFilter{Scope: "favorite"}, []string{"Shared"}},
			"organization": {domain.BlueprintFilter{Scope: "organization"}, []string{library.Name}},
			"owned":        {domain.BlueprintFilter{Scope: "owned"}, []string{"Mine"}}, "shared": {
				domain.BlueprintFilter{Scope: "shared"},
				[]string{"Shared"},
			},
			"library":    {domain.BlueprintFilter{Library: "library"}, []string{library.Name}},
			"no library": {domain.BlueprintFilter{Library: "exclude"}, []string{"Mine", "Shared"}},
			"with":       {domain.BlueprintFilter{Inputs: "with"}, []string{"Mine"}}, "without": {
				domain.BlueprintFilter{Inputs: "without"},
				[]string{"Shared", library.Name},
			},
			"search": {domain.BlueprintFilter{Search: "SECOND"}, []string{"Mine"}}, "no wildcard": {domain.BlueprintFilter{Search: "%"}, []string{}},
			"category":       {domain.BlueprintFilter{Category: library.Categories[0].ID}, []string{library.Name}},
			"other category": {domain.BlueprintFilter{Category: 1 << 40}, []string{}},
			"sort":           {domain.BlueprintFilter{Sort: "name", Library: "exclude"}, []string{"Mine", "Shared"}},
			"page":           {domain.BlueprintFilter{Page: domain.Page{Number: 2, Size: 1}}, []string{"Shared"}},
			"contains": {
				domain.BlueprintFilter{Filters: domain.Filters{{Field: "name", Op: domain.OperationContains, Values: []any{"ar"}}}},
				[]string{"Shared"},
			},
			"isLibrary": {
				domain.BlueprintFilter{Filters: domain.Filters{{Field: "isLibrary", Op: domain.OperationEqual, Values: []any{true}}}},
				[]string{library.Name},
			},
			"labels": {domain.BlueprintFilter{Labels: []int64{1 << 40}}, []string{}},
		} {
			require.Equal(t, c.want, list(t, s.cleo, c.f), name)
		}
		require.Equal(t, []string{"Archived"}, list(t, s.anna, domain.BlueprintFilter{Archived: true}))
		require.Empty(t, list(t, s.ben, domain.BlueprintFilter{Scope: "favorite"}), "a person's own mark")
		for _, bad := range []domain.BlueprintFilter{{Scope: "x"}, {Library: "x"}, {Inputs: "x"}, {Sort: "owner_id"}} {
			_, err := s.Blueprints.Blueprints(ctx, s.anna, bad)
			requireCode(t, domain.CodeInvalid, err)
		}
	})
	t.Run("RecentFirst", func(t *testing.T) {
		for _, b := range []*domain.Blueprint{second, first, second} {
			_, err := s.StartBlueprint(ctx, s.anna, b.ID, domain.BlueprintStart{})
			require.NoError(t, err)
		}
		require.Equal(t, []string{"Second", "First 100%"}, list(t, s.anna, domain.BlueprintFilter{Scope: "recent"}))
		require.Empty(t, list(t, s.ben, domain.BlueprintFilter{Scope: "recent"}))
	})
	t.Run("StepsWithoutTexts", func(t *testing.T) {
		got, err := s.Blueprints.Blueprints(ctx, s.anna, domain.BlueprintFilter{Search: "Second"})
		require.NoError(t, err)
		require.Equal(t, "B C", stepNames(&got.Results[0]))
		require.Empty(t, got.Results[0].Steps[0].DetailedInstructions)
	})
	t.Run("BackFromTheArchive", func(t *testing.T) {
		require.NoError(t, s.ArchiveBlueprint(ctx, s.anna, gone.ID, false))
		require.Contains(t, list(t, s.anna, domain.BlueprintFilter{}), "Archived")
	})
	t.Run("DeletedForGood", func(t *testing.T) {
		require.NoError(t, s.DeleteBlueprint(ctx, s.cleo, mine.ID))
		require.NotContains(t, list(t, s.cleo, domain.BlueprintFilter{}), "Mine")
	})
}

func TestStore_BlueprintSteps(t *testing.T) {
	t.Parallel()
	s := openBlueprints(t)
	ctx := t.Context()
	now := func(t *testing.T, b *domain.Blueprint) string {
		t.Helper()
		got, err := s.Blueprint(ctx, s.anna, b.ID)
		require.NoError(t, err)
		return stepNames(got)
	}
	step := func(name string, order int) domain.StepDraft {
		return domain.StepDraft{Name: name, Order: order, Code: ptr("x")}
	}
	t.Run("Create", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Create", "A", "B")
		d := step("Last", 0)
		d.BlueprintID, d.Key = b.ID, domain.IdempotencyKey{Key: "step"}
		last, err := s.CreateStep(ctx, s.anna, d)
		require.NoError(t, err)
		require.Equal(t, 3, last.Order)
		again, err := s.CreateStep(ctx, s.anna, d)
		require.NoError(t, err)
		require.Equal(t, last, again)
		d = step("First", 1)
		d.BlueprintID = b.ID
		_, err = s.CreateStep(ctx, s.anna, d)
		require.NoError(t, err)
		require.Equal(t, "First A B Last", now(t, b))
	})
	t.Run("Move", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Move", "A", "B", "C", "D")
		for _, c := range []struct {
			step, order int
			want        string
		}{{3, 1, "D A B C"}, {3, 3, "A B D C"}, {0, 4, "B D C A"}, {0, 99, "B D C A"}, {1, 0, "B D C A"}, {2, 2, "B C D A"}} {
			_, err := s.UpdateStep(ctx, s.anna, b.Steps[c.step].ID, step(b.Steps[c.step].Name, c.order))
			require.NoError(t, err)
			require.Equal(t, c.want, now(t, b))
		}
	})
	t.Run("Delete", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Delete", "A", "B", "C")
		require.NoError(t, s.DeleteStep(ctx, s.anna, b.Steps[1].ID))
		require.Equal(t, "A C", now(t, b))
		require.NoError(t, s.DeleteStep(ctx, s.anna, b.Steps[0].ID))
		requireFields(t, s.DeleteStep(ctx, s.anna, b.Steps[2].ID), "steps")
		require.Equal(t, "C", now(t, b))
		requireCode(t, domain.CodeNotFound, s.DeleteStep(ctx, s.anna, b.Steps[0].ID))
	})
	t.Run("WaitsToBeTaken", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Waits", "A")
		w, err := s.CreateStep(ctx, s.anna, step("W", 0))
		require.NoError(t, err)
		require.Zero(t, w.BlueprintID)
		_, err = s.UpdateStep(ctx, s.anna, w.ID, step("W2", 0))
		require.NoError(t, err)
		_, err = s.UpdateStep(ctx, s.ben, w.ID, step("Stolen", 0))
		requireCode(t, domain.CodeNotFound, err)
		requireCode(t, domain.CodeNotFound, s.DeleteStep(ctx, s.ben, w.ID))
		got, err := s.UpdateBlueprint(ctx, s.anna, b.ID,
			domain.BlueprintDraft{Name: "Waits", Steps: &[]domain.StepDraft{{ID: w.ID, Untouched: true}, {ID: b.Steps[0].ID, Untouched: true}}})
		require.NoError(t, err)
		require.Equal(t, "W2 A", stepNames(got))
		require.Equal(t, "x", got.Steps[0].Code)
		other, err := s.CreateStep(ctx, s.anna, step("Dropped", 0))
		require.NoError(t, err)
		require.NoError(t, s.DeleteStep(ctx, s.anna, other.ID))
	})
	t.Run("ErrAnotherBlueprint", func(t *testing.T) {
		t.Parallel()
		a, b := s.make(t, s.anna, "One", "A"), s.make(t, s.anna, "Two", "B")
		d := step("A", 0)
		d.BlueprintID = b.ID
		_, err := s.UpdateStep(ctx, s.anna, a.Steps[0].ID, d)
		requireFields(t, err, "icebreaker")
	})
	t.Run("TogetherWithoutAGap", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Together", "A")
		errs := make(chan error, 10)
		for range cap(errs) {
			go func() {
				d := step("N", 1)
				d.BlueprintID = b.ID
				_, err := s.CreateStep(ctx, s.anna, d)
				errs <- err
			}()
		}
		for range cap(errs) {
			require.NoError(t, <-errs)
		}
		require.Equal(t, strings.Repeat("N ", 10)+"A", now(t, b))
	})
}

// B09: a copy has no grants, and refers to nothing that its owner may not use.
func TestStore_CopyBlueprint(t *testing.T) {
	t.Parallel()
	s := openBlueprints(t)
	ctx := t.Context()
	hidden, orders := s.own(t, s.anna), s.orders(t)
	b, err := s.CreateBlueprint(ctx, s.anna, domain.BlueprintDraft{
		Name: strings.Repeat("n", 80), Description: ptr("D"), InputParameters: ptr("A"), InitialMessage: ptr("M"),
		DataSources: &[]int64{hidden, orders},
		Steps:       &[]domain.StepDraft{{Name: "S", DetailedInstructions: ptr("I"), QAInstructions: ptr("Q"), Code: ptr("C"), Language: "sql"}},
	})
	require.NoError(t, err)
	s.share(t, b, domain.GranteeUser, s.cleo.UserID, domain.PermissionRead)

	seen, err := s.Blueprint(ctx, s.cleo, b.ID)
	require.NoError(t, err)
	require.Equal(t, []int64{orders}, seen.DataSources, "sharing a blueprint does not share its data sources")
	require.Equal(t, 1, seen.MissingDataSources)

	key := domain.IdempotencyKey{Key: "copy"}
	c, err := s.CopyBlueprint(ctx, s.cleo, b.ID, "", key)
	require.NoError(t, err)
	require.Equal(t, "Copy of "+strings.Repeat("n", 72), c.Name)
	require.Equal(t, s.cleo.UserID, c.Owner.ID)
	require.Equal(t, []int64{orders}, c.DataSources)
	require.Zero(t, c.MissingDataSources)
	require.Equal(t, b.Steps[0].Code+b.Steps[0].Language+b.Steps[0].QAInstructions,
		c.Steps[0].Code+c.Steps[0].Language+c.Steps[0].QAInstructions)
	require.NotEqual(t, b.Steps[0].ID, c.Steps[0].ID)
	grants, err := s.BlueprintGrants(ctx, s.cleo, c.ID)
	require.NoError(t, err)
	require.Len(t, grants, 1)
	_, err = s.Blueprint(ctx, s.anna, c.ID)
	requireCode(t, domain.CodeNotFound, err)
	again, err := s.CopyBlueprint(ctx, s.cleo, b.ID, "", key)
	require.NoError(t, err)
	require.Equal(t, c.ID, again.ID)

	own, err := s.CopyBlueprint(ctx, s.cleo, s.library(t).ID, "Named", domain.IdempotencyKey{})
	require.NoError(t, err)
	require.False(t, own.IsLibrary)
	require.Equal(t, "Named", own.Name)
	require.Len(t, own.Categories, 2)
}

func TestStore_StartBlueprint(t *testing.T) {
	t.Parallel()
	s := openBlueprints(t)
	ctx := t.Context()
	hidden, orders := s.own(t, s.anna), s.orders(t)
	b, err := s.CreateBlueprint(ctx, s.anna, domain.BlueprintDraft{
		Name: "Review of the regions and their shares", InputParameters: ptr("Region"), InitialMessage: ptr("Review {{Region}}"),
		DataSources: &[]int64{hidden, orders},
		Steps:       &[]domain.StepDraft{{Name: "S", DetailedInstructions: ptr("In {{Region}}")}},
	})
	require.NoError(t, err)
	s.share(t, b, domain.GranteeUser, s.cleo.UserID, domain.PermissionRead)
	west := domain.BlueprintStart{Inputs: map[string]string{"Region": "West"}}

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		started, err := s.StartBlueprint(ctx, s.anna, b.ID, west)
		require.NoError(t, err)
		require.Zero(t, started.MissingDataSources)
		c, err := s.store.Conversations.Conversation(ctx, s.anna, started.Conversation)
		require.NoError(t, err)
		require.ElementsMatch(t, []int64{hidden, orders}, c.DataSources)
		require.Equal(t, "Review West", c.Messages[0].Text)
		claim, err := s.store.ConversationStore.Claim(ctx, c.ID, uuid.New(), "node", nil)
		require.NoError(t, err)
		require.Equal(t, "In West", claim.Running.Turn.Plan.Steps[0].DetailedInstructions)
	})
	t.Run("ReaderWithoutTheDataSource", func(t *testing.T) {
		t.Parallel()
		start := west
		start.Key = domain.IdempotencyKey{Key: "start"}
		started, err := s.StartBlueprint(ctx, s.cleo, b.ID, start)
		require.NoError(t, err)
		require.Equal(t, 1, started.MissingDataSources)
		c, err := s.store.Conversations.Conversation(ctx, s.cleo, started.Conversation)
		require.NoError(t, err)
		require.Equal(t, []int64{orders}, c.DataSources)
		again, err := s.StartBlueprint(ctx, s.cleo, b.ID, start)
		require.NoError(t, err)
		require.Equal(t, started, again)
		start.Key.Body[0] = 1
		_, err = s.StartBlueprint(ctx, s.cleo, b.ID, start)
		requireFields(t, err, "Idempotency-Key") // D11
	})
	t.Run("ErrB08", func(t *testing.T) {
		t.Parallel()
		start := west
		start.DataSources = &[]int64{hidden}
		_, err := s.StartBlueprint(ctx, s.cleo, b.ID, start)
		requireFields(t, err, "dataSources")
	})
	t.Run("ErrAgent", func(t *testing.T) {
		t.Parallel()
		foreign, err := s.store.Analysts.DefaultAnalyst(ctx, s.doris.OrganisationID)
		require.NoError(t, err)
		start := west
		start.AnalystID = foreign.ID
		_, err = s.StartBlueprint(ctx, s.anna, b.ID, start)
		requireFields(t, err, "analystId")
	})
	t.Run("ErrMissingInput", func(t *testing.T) {
		t.Parallel()
		_, err := s.StartBlueprint(ctx, s.anna, b.ID, domain.BlueprintStart{})
		requireFields(t, err, "inputs.Region")
	})
	t.Run("ErrArchived", func(t *testing.T) {
		t.Parallel()
		old := s.make(t, s.anna, "Old", "A")
		require.NoError(t, s.ArchiveBlueprint(ctx, s.anna, old.ID, true))
		_, err := s.StartBlueprint(ctx, s.anna, old.ID, domain.BlueprintStart{})
		requireFields(t, err, "blueprint")
	})
	t.Run("ErrTakenAwayB08", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Shared for a moment", "A")
		s.share(t, b, domain.GranteeUser, s.cleo.UserID, domain.PermissionRead)
		// Another request with the same key holds the start up after the blueprint was read.
		other, err := persistencetest.Connect(t, s.url, "parley_engine").Begin(ctx)
		require.NoError(t, err)
		_, err = other.Exec(ctx, "INSERT INTO idempotency (user_id, key, org_id, kind, body) VALUES ($1, 'held', $2, 'x', '')",
			s.cleo.UserID, s.cleo.OrganisationID)
		require.NoError(t, err)
		result := make(chan error, 1)
		go func() {
			_, err := s.StartBlueprint(ctx, s.cleo, b.ID, domain.BlueprintStart{Key: domain.IdempotencyKey{Key: "held"}})
			result <- err
		}()
		// A transaction reads pg_stat_activity once and sees no connection that is opened later. So a
		// connection without a transaction asks.
		outside := persistencetest.Connect(t, s.url, "parley_engine")
		require.Eventually(t, func() bool {
			var waiting bool
			err := outside.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid)))",
				other.Conn().PgConn().PID()).Scan(&waiting)
			return err == nil && waiting
		}, time.Minute, 10*time.Millisecond)
		s.share(t, b, domain.GranteeUser, s.cleo.UserID, domain.PermissionRemove)
		require.NoError(t, other.Rollback(ctx))
		requireCode(t, domain.CodeNotFound, <-result)
	})
}

func TestStore_BlueprintFromConversation(t *testing.T) {
	t.Parallel()
	s := openBlueprints(t)
	ctx := t.Context()
	o := own(t, s.store, startJournal(t, s.store, persistence.JournalConfig{}), persistencetest.Anna)
	sources, err := s.store.DataSources.DataSources(ctx, s.anna, domain.DataSourceFilter{})
	require.NoError(t, err)
	orders := sources.Results[0].ID
	o.sources = []int64{orders, orders + 1}
	turn, prompt := o.prompt("How did sales develop?")
	answer := o.open(turn, prompt)
	for i, step := range []domain.Step{
		{Name: "run_query", Input: json.RawMessage(`{"sql":"SELECT 1"}`), Output: json.RawMessage(`{"result":{"text":"1"}}`)},
		{Name: "run_query", Input: json.RawMessage(`{"sql":"SELEC"}`), Output: json.RawMessage(`{"result":{"text":"","error":"wrong"}}`)},
		{Name: "make_chart", Input: json.RawMessage(`{"sql":"no"}`), Output: json.RawMessage(`{}`)},
	} {
		step.TurnID, step.Number, step.Attempt, step.Kind, step.Status = turn, i+1, 1, domain.StepTool, domain.StepFinished
		o.must(domain.Write{Steps: []domain.Step{step}})
	}
	require.NoError(t, o.end(turn, answer, domain.TurnComplete).Err)
	key := domain.IdempotencyKey{Key: "from"}
	b, err := s.BlueprintFromConversation(ctx, s.anna, o.Conversation, domain.BlueprintDraft{Key: key})
	require.NoError(t, err)
	require.Equal(t, "Talk", b.Name)
	require.Len(t, b.Steps, 1)
	require.Equal(t, "How did sales develop?", b.Steps[0].DetailedInstructions)
	require.Equal(t, "SELECT 1", b.Steps[0].Code)
	require.Equal(t, "sql", b.Steps[0].Language)
	require.Equal(t, []int64{orders}, b.DataSources, "the other one is left out")
	again, err := s.BlueprintFromConversation(ctx, s.anna, o.Conversation, domain.BlueprintDraft{Key: key})
	require.NoError(t, err)
	require.Equal(t, b.ID, again.ID)
	labels := []int64{}
	named, err := s.BlueprintFromConversation(ctx, s.anna, o.Conversation,
		domain.BlueprintDraft{Name: "Mine", Description: ptr("As I see it"), ProjectLabels: &labels})
	require.NoError(t, err)
	require.Equal(t, []string{"Mine", "As I see it"}, []string{named.Name, named.Description})
	require.Equal(t, "SELECT 1", named.Steps[0].Code, "the steps are the conversation's")
	_, err = s.BlueprintFromConversation(ctx, s.anna, o.Conversation, domain.BlueprintDraft{ProjectLabels: &[]int64{1 << 40}})
	requireFields(t, err, "projectLabels")

	_, err = s.BlueprintFromConversation(ctx, s.cleo, o.Conversation, domain.BlueprintDraft{})
	requireCode(t, domain.CodeNotFound, err)
	o.grant(persistencetest.Cleo, domain.PermissionRead)
	read, err := s.BlueprintFromConversation(ctx, s.cleo, o.Conversation, domain.BlueprintDraft{})
	require.NoError(t, err)
	require.Equal(t, s.cleo.UserID, read.Owner.ID)
	empty := own(t, s.store, startJournal(t, s.store, persistence.JournalConfig{}), persistencetest.Anna)
	_, err = s.BlueprintFromConversation(ctx, s.anna, empty.Conversation, domain.BlueprintDraft{})
	requireFields(t, err, "fromConversation")
}

// TestStore_StepTakenMeanwhile: a step that waits is changed, or deleted, while a blueprint
// takes it. Whichever is first, a blueprint whose change succeeded has the step.
func TestStore_StepTakenMeanwhile(t *testing.T) {
	t.Parallel()
	s := openBlueprints(t)
	ctx := t.Context()
	for name, change := range map[string]func(id int64) error{
		"Update": func(id int64) error {
			_, err := s.UpdateStep(ctx, s.anna, id, domain.StepDraft{Name: "Changed", Code: ptr("y")})
			return err
		},
		"Delete": func(id int64) error { return s.DeleteStep(ctx, s.anna, id) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 30 {
				step, err := s.CreateStep(ctx, s.anna, domain.StepDraft{Name: "Waits", Code: ptr("x")})
				require.NoError(t, err)
				var (
					both             sync.WaitGroup
					made             *domain.Blueprint
					making, changing error
				)
				both.Go(func() {
					made, making = s.CreateBlueprint(ctx, s.anna,
						domain.BlueprintDraft{Name: "B", Steps: &[]domain.StepDraft{{ID: step.ID, Name: "Waits", Code: ptr("x")}}})
				})
				both.Go(func() { changing = change(step.ID) })
				both.Wait()
				if making != nil {
					require.NoError(t, changing, "one of them wins: %v", making)
					continue
				}
				if changing != nil {
					require.Contains(t, []domain.Code{domain.CodeConflict, domain.CodeInvalid, domain.CodeNotFound}, domain.CodeOf(changing), "%v",
						changing)
				}
				now, err := s.Blueprint(ctx, s.anna, made.ID)
				require.NoError(t, err)
				require.Len(t, now.Steps, 1)
			}
		})
	}
}
