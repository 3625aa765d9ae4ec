package scale_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// pagedList is a list that is read in pages. page returns how many rows a page has, and how
// many rows the page reports for the whole list.
type pagedList struct {
	name string
	page func(ctx context.Context, p domain.Page) (rows, count int, err error)
}

func lengths[T any](list domain.List[T], err error) (rows, count int, _ error) {
	return len(list.Results), list.Count, err
}

func (w *setup) lists() []pagedList {
	s, c := w.store, w.heavy
	conversations := func(name string, f domain.ConversationFilter) pagedList {
		return pagedList{"Conversations/" + name, func(ctx context.Context, p domain.Page) (int, int, error) {
			f.Page = p
			return lengths(s.Conversations.Conversations(ctx, c, f))
		}}
	}
	tasks := func(name string, c domain.Caller) pagedList {
		return pagedList{name, func(ctx context.Context, p domain.Page) (int, int, error) {
			return lengths(s.Tasks.Tasks(ctx, c, domain.TaskFilter{Page: p}))
		}}
	}
	return []pagedList{
		conversations("Recent", domain.ConversationFilter{}),
		conversations("ByName", domain.ConversationFilter{Sort: "name"}),
		conversations("Search", domain.ConversationFilter{Search: "week 7"}),
		conversations("Shared", domain.ConversationFilter{Scope: "shared"}),
		conversations("Archived", domain.ConversationFilter{Archived: true}),
		conversations("OfProject", domain.ConversationFilter{ProjectLabels: []int64{w.label}}),
		{"Blueprints", func(ctx context.Context, p domain.Page) (int, int, error) {
			return lengths(s.Blueprints.Blueprints(ctx, c, domain.BlueprintFilter{Page: p}))
		}},
		{"DataSources", func(ctx context.Context, p domain.Page) (int, int, error) {
			return lengths(s.DataSources.DataSources(ctx, c, domain.DataSourceFilter{Page: p}))
		}},
		{"Analysts", func(ctx context.Context, p domain.Page) (int, int, error) {
			return lengths(s.Analysts.Analysts(ctx, c, domain.AnalystFilter{Page: p}))
		}},
		{"Memories", func(ctx context.Context, p domain.Page) (int, int, error) {
			return lengths(s.Memories.Memories(ctx, c, domain.MemoryFilter{Page: p}))
		}},
		{"ProjectLabels", func(ctx context.Context, p domain.Page) (int, int, error) {
			return lengths(s.ProjectLabels.ProjectLabels(ctx, c, domain.ProjectLabelFilter{Page: p}))
		}},
		{"ShareableEntities", func(ctx context.Context, p domain.Page) (int, int, error) {
			return lengths(s.Users.ShareableEntities(ctx, c, "", p))
		}},
		tasks("Tasks", w.heavy),
		tasks("Tasks/Superuser", w.boss),
		{"TaskRuns", func(ctx context.Context, p domain.Page) (int, int, error) {
			return lengths(s.Tasks.TaskRuns(ctx, c, w.task, p))
		}},
	}
}

// requireCounts checks that each page of a list reports the number of rows of all pages, also
// a page past the end, which has no row that could contain the number.
func (w *setup) requireCounts(t *testing.T) {
	t.Helper()
	for _, l := range w.lists() {
		sum, reported := 0, -1
		for number := 1; ; number++ {
			rows, count, err := l.page(t.Context(), domain.Page{Number: number, Size: 100})
			require.NoError(t, err, l.name)
			if reported < 0 {
				reported = count
			}
			require.Equal(t, reported, count, "%s, page %d", l.name, number)
			sum += rows
			if rows == 0 {
				break
			}
		}
		require.Equal(t, sum, reported, l.name)
		require.Positive(t, sum, l.name)
	}
}
