package persistence_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// words are ids of the organisation's types and labels, by name.
func words(t *testing.T, s *persistence.Store, c domain.Caller) (types, labels map[string]int64) {
	t.Helper()
	types, labels = map[string]int64{}, map[string]int64{}
	list, err := s.Memories.MemoryTypes(t.Context(), c)
	require.NoError(t, err)
	for _, w := range list {
		types[w.Name] = w.ID
	}
	list, err = s.Memories.MemoryLabels(t.Context(), c)
	require.NoError(t, err)
	for _, w := range list {
		labels[w.Name] = w.ID
	}
	return types, labels
}

func names(memories []domain.Memory) []string {
	out := make([]string, len(memories))
	for i := range memories {
		out[i] = memories[i].Name
	}
	return out
}

func ptr[T any](v T) *T { return &v }

func TestStore_Memories(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	anna, ben, doris := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Ben),
		persistencetest.Caller(t, s, persistencetest.Doris)
	types, labels := words(t, s, anna)
	require.Len(t, types, 6)
	_, foreign := words(t, s, doris)
	require.Len(t, foreign, len(labels), "each organisation has its own words")
	require.NotContains(t, labels, foreign["Sales"])

	create := func(n domain.NewMemory) *domain.Memory {
		t.Helper()
		m, err := s.Memories.CreateMemory(ctx, anna, n)
		require.NoError(t, err)
		return m
	}
	sales := create(domain.NewMemory{
		Name: "Net sales", Question: "What are net sales?", Response: "Sales less discounts.",
		TypeID: types["Definition"], Labels: []int64{labels["Sales"]},
	})
	chart := create(domain.NewMemory{Name: "Bars", Question: "Which chart for regions?", Response: "Bars.", TypeID: types["Chart"]})
	list := func(c domain.Caller, f domain.MemoryFilter) []string {
		t.Helper()
		l, err := s.Memories.Memories(ctx, c, f)
		require.NoError(t, err)
		require.Len(t, l.Results, l.Count)
		return names(l.Results)
	}

	t.Run("Created", func(t *testing.T) {
		require.Equal(t, domain.MemorySourceManual, sales.Source)
		require.True(t, sales.IsEnabled)
		require.Equal(t, 1, sales.Version)
		require.Equal(t, anna.UserID, sales.Owner.ID)
		require.Equal(t, anna.OrganisationID, sales.OrganisationID)
	})
	t.Run("List", func(t *testing.T) {
		require.Equal(t, []string{"Bars", "Net sales"}, list(anna, domain.MemoryFilter{}))
		require.Equal(t, []string{"Bars"},
			list(ben, domain.MemoryFilter{Specialists: []domain.Specialist{domain.SpecialistChart, domain.SpecialistSummary}}))
		require.Equal(t, []string{"Net sales"}, list(ben, domain.MemoryFilter{Labels: []int64{labels["Sales"], labels["Style"]}}))
		require.Equal(t, []string{"Net sales"}, list(ben, domain.MemoryFilter{Search: "DISCOUNTS"}))
		require.Empty(t, list(ben, domain.MemoryFilter{Search: "%"}))
		for filter, want := range map[string][]string{
			"name:contains:SALES": {"Net sales"}, "name:neq:Net sales": {"Bars"}, "isEnabled:eq:false": {},
			"updatedAt:gt:2020-01-01":                             {"Bars", "Net sales"},
			"labels:in:" + strconv.FormatInt(labels["Sales"], 10): {"Net sales"}, "type:eq:" + strconv.FormatInt(types["Chart"], 10): {"Bars"},
		} {
			filters, err := domain.ParseFilters([]string{filter}, domain.MemoryFields())
			require.NoError(t, err)
			require.Equal(t, want, list(ben, domain.MemoryFilter{Filters: filters}), filter)
		}
		require.Empty(t, list(doris, domain.MemoryFilter{}), "B11")
		_, err := s.Memories.Memories(ctx, ben, domain.MemoryFilter{Specialists: []domain.Specialist{"x"}})
		requireCode(t, domain.CodeInvalid, err)
		page, err := s.Memories.Memories(ctx, ben, domain.MemoryFilter{Page: domain.Page{Number: 2, Size: 1}})
		require.NoError(t, err)
		require.Equal(t, []string{"Net sales"}, names(page.Results))
		require.Equal(t, 2, page.Count)
	})
	// A person who may read but not change a memory gets CodeForbidden; another
	// organisation's memory is not found.
	t.Run("ErrForbidden", func(t *testing.T) {
		for _, u := range []domain.MemoryUpdate{{IsEnabled: ptr(false)}, {Name: ptr(" ")}} {
			_, err := s.Memories.UpdateMemory(ctx, ben, sales.ID, u)
			requireCode(t, domain.CodeForbidden, err)
		}
		requireCode(t, domain.CodeForbidden, s.Memories.DeleteMemory(ctx, ben, sales.ID))
	})
	// B13: a person who is not a superuser cannot find the administration, and no one finds a
	// memory of another organisation.
	t.Run("ErrNotFound", func(t *testing.T) {
		elsewhere := doris
		elsewhere.IsSuperuser = true
		for _, c := range []domain.Caller{doris, elsewhere} {
			for _, u := range []domain.MemoryUpdate{{IsEnabled: ptr(false)}, {Name: ptr(" ")}} {
				_, err := s.Memories.UpdateMemory(ctx, c, sales.ID, u)
				requireCode(t, domain.CodeNotFound, err)
			}
			requireCode(t, domain.CodeNotFound, s.Memories.DeleteMemory(ctx, c, sales.ID))
		}
		_, err := s.Memories.CreateMemory(ctx, ben, domain.NewMemory{Name: "n", Question: "q", Response: "r", TypeID: types["Query"]})
		requireCode(t, domain.CodeNotFound, err)
		_, err = s.Memories.UpdateMemory(ctx, anna, 1<<40, domain.MemoryUpdate{})
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("ErrWordsOfAnotherOrganisation", func(t *testing.T) {
		foreignTypes, _ := words(t, s, doris)
		n := domain.NewMemory{Name: "n", Question: "q", Response: "r", TypeID: foreignTypes["Query"], Labels: []int64{foreign["Sales"]}}
		_, err := s.Memories.CreateMemory(ctx, anna, n)
		requireCode(t, domain.CodeInvalid, err)
		_, err = s.Memories.UpdateMemory(ctx, anna, sales.ID, domain.MemoryUpdate{Labels: &n.Labels})
		requireCode(t, domain.CodeInvalid, err)
		_, err = s.Memories.UpdateMemory(ctx, anna, sales.ID, domain.MemoryUpdate{TypeID: &n.TypeID})
		requireCode(t, domain.CodeInvalid, err)
	})
	// D12: if two people change the same version, one of them gets a conflict, and nothing is lost.
	t.Run("ErrConflict", func(t *testing.T) {
		first, err := s.Memories.UpdateMemory(ctx, anna, sales.ID, domain.MemoryUpdate{
			Response: ptr("Sales less discounts and returns."),
			Version:  sales.Version,
		})
		require.NoError(t, err)
		require.Equal(t, sales.Version+1, first.Version)
		_, err = s.Memories.UpdateMemory(ctx, anna, sales.ID, domain.MemoryUpdate{Response: ptr("Mine."), Version: sales.Version})
		requireCode(t, domain.CodeConflict, err)
		require.Contains(t, list(anna, domain.MemoryFilter{Search: "and returns"}), "Net sales")
	})
	t.Run("Disabled", func(t *testing.T) {
		off, err := s.Memories.UpdateMemory(ctx, anna, chart.ID, domain.MemoryUpdate{IsEnabled: ptr(false)})
		require.NoError(t, err)
		require.False(t, off.IsEnabled)
		require.Equal(t, "Bars", off.Name, "what is not named stays")
		_, err = s.Memories.UpdateMemory(ctx, ben, chart.ID, domain.MemoryUpdate{IsEnabled: ptr(true)})
		requireCode(t, domain.CodeNotFound, err)
		requireCode(t, domain.CodeNotFound, s.Memories.DeleteMemory(ctx, ben, chart.ID))
		require.Equal(t, []string{"Net sales"}, list(ben, domain.MemoryFilter{}))
		require.Contains(t, list(anna, domain.MemoryFilter{}), "Bars")
	})
	t.Run("Once", func(t *testing.T) {
		n := domain.NewMemory{
			Name: "Once", Question: "q", Response: "r", TypeID: types["Query"],
			Key: domain.IdempotencyKey{Key: "m", Body: [32]byte{1}},
		}
		first := create(n)
		require.Equal(t, first.ID, create(n).ID)
		n.Key.Body = [32]byte{2} // D11
		_, err := s.Memories.CreateMemory(ctx, anna, n)
		requireCode(t, domain.CodeInvalid, err)
	})
	t.Run("Deleted", func(t *testing.T) {
		require.NoError(t, s.Memories.DeleteMemory(ctx, anna, chart.ID))
		requireCode(t, domain.CodeNotFound, s.Memories.DeleteMemory(ctx, anna, chart.ID))
		require.NotContains(t, list(anna, domain.MemoryFilter{}), "Bars")
	})
}

func TestStore_Recall(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	anna, doris := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Doris)
	doris.IsSuperuser = true
	types, labels := words(t, s, anna)
	create := func(name, question, kind, label string, always bool) int64 {
		t.Helper()
		n := domain.NewMemory{Name: name, Question: question, Response: "r", TypeID: types[kind], AlwaysRecalled: always}
		if label != "" {
			n.Labels = []int64{labels[label]}
		}
		m, err := s.Memories.CreateMemory(ctx, anna, n)
		require.NoError(t, err)
		return m.ID
	}
	region := create("region", "Net sales by region", "Query", "", false)
	create("returns", "How many orders were returned?", "Query", "", false)
	create("always", "Which currency do we use?", "Definition", "", true)
	create("labelled", "Fiscal year begins in April", "Definition", "Finance", false)
	create("bars", "Chart of net sales by region", "Chart", "", false)
	off := create("off", "Net sales by region and month", "Query", "Finance", true)
	_, err := s.Memories.UpdateMemory(ctx, anna, off, domain.MemoryUpdate{IsEnabled: ptr(false)})
	require.NoError(t, err)
	theirTypes, _ := words(t, s, doris)
	theirs, err := s.Memories.CreateMemory(ctx, doris, domain.NewMemory{
		Name: "theirs", Question: "Net sales by region", Response: "secret",
		TypeID: theirTypes["Query"], AlwaysRecalled: true,
	})
	require.NoError(t, err)

	recall := func(q domain.Recall) []string {
		t.Helper()
		found, err := s.Memories.Recall(ctx, anna.OrganisationID, anna.UserID, q)
		require.NoError(t, err)
		return names(found)
	}
	require.Equal(t, []string{"always"}, recall(domain.Recall{}))
	require.Equal(t, []string{"always", "region"}, recall(domain.Recall{Text: "What were the net sales per region in 2025?"}))
	require.Equal(t, []string{"always", "region"}, recall(domain.Recall{
		Text: "For the board meeting of next Tuesday I need a table of the net sales of every region, with the best month of each and a " +
			"total below",
	}), "a long question that has all words of a short one")
	require.Equal(t, []string{"always", "returns"}, recall(domain.Recall{Text: "count of returned orders"}))
	require.Equal(t, []string{"always"}, recall(domain.Recall{Text: "weather in Lisbon"}))
	require.Equal(t, []string{"always"}, recall(domain.Recall{Text: "Which orders left the warehouse in Lyon late by truck?"}),
		"one common word is not enough")
	require.Equal(t, []string{"always", "labelled", "region"},
		recall(domain.Recall{Text: "net sales by region", Labels: []int64{labels["Finance"]}}))
	require.Equal(t, []string{"returns", "region", "always"}, recall(domain.Recall{
		IDs: []int64{mustID(t, s, anna, "returns"), region, off, theirs.ID, 1 << 40}, Text: "net sales by region",
	}), "named ones are first, in their order; disabled and foreign ones are left out")
	require.Equal(t, []string{"bars"}, recall(domain.Recall{Specialist: domain.SpecialistChart, Text: "net sales by region"}))
	require.Equal(t, []string{"labelled"}, recall(domain.Recall{Specialist: domain.SpecialistInsights, Labels: []int64{labels["Finance"]}}))

	t.Run("AtMostEight", func(t *testing.T) {
		for i := range 12 {
			create(fmt.Sprintf("many %d", i), "Orders of the last quarter", "Query", "", false)
		}
		require.Len(t, recall(domain.Recall{Text: "orders of the last quarter"}), domain.MaxRecalled)
	})
	t.Run("ByItsNewWords", func(t *testing.T) {
		_, err := s.Memories.UpdateMemory(ctx, anna, region, domain.MemoryUpdate{Question: ptr("Churn of subscribers")})
		require.NoError(t, err)
		require.Equal(t, []string{"always"}, recall(domain.Recall{Text: "net sales by region"}))
		require.Equal(t, []string{"always", "region"}, recall(domain.Recall{Text: "subscriber churn"}))
	})
}

func mustID(t *testing.T, s *persistence.Store, c domain.Caller, name string) int64 {
	t.Helper()
	l, err := s.Memories.Memories(t.Context(), c, domain.MemoryFilter{Search: name})
	require.NoError(t, err)
	for _, m := range l.Results {
		if m.Name == name {
			return m.ID
		}
	}
	t.Fatalf("no memory %q", name)
	return 0
}
