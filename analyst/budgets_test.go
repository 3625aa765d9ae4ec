package analyst_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// windowedModel is a model with a limited context window.
type windowedModel struct {
	*model
	window int
}

func (n *windowedModel) Window(string) int { return n.window }

// weight estimates the number of tokens of a request, without its tools.
func weight(r *analyst.Request) int {
	n := len(r.System)
	for _, u := range r.Turns {
		n += len(u.Text)
	}
	return n / 4
}

// fullBundle is a bundle with too much of everything: schema, history and results.
func fullBundle(t *testing.T, calls ...step) *bundle {
	t.Helper()
	b := setup(t, calls...)
	wide := domain.DataSource{ID: 1, Name: "Warehouse"}
	for i := range 60 {
		r := domain.DataResource{Table: fmt.Sprintf("table_%d", i), Rows: 10}
		for k := range 30 {
			r.Columns = append(r.Columns, domain.Column{Name: fmt.Sprintf("column_%d_%d", i, k), Type: domain.ColumnText})
		}
		wide.Resources = append(wide.Resources, r)
	}
	b.config.DataSources = analysttest.NewSources(wide)
	var past analysttest.Past
	for i := range 20 {
		past = append(past, domain.Message{
			ID: domain.NewID(), Role: domain.RoleUser,
			Text: fmt.Sprintf("question %d? %s", i, strings.Repeat("words ", 200)),
		},
			domain.Message{ID: domain.NewID(), Role: domain.RoleAssistant, Text: strings.Repeat("answers ", 200)})
	}
	b.config.History = past
	b.config.Workbench = analysttest.QueryFunc(func(context.Context, []domain.DataSource, string) (*domain.ResultSet, error) {
		table := result()
		for range 2000 {
			table.Rows = append(table.Rows, []any{"some region or other", int64(1)})
		}
		return table, nil
	})
	return b
}

// requireComplete checks what must hold for every context, even a shortened one.
func requireComplete(t *testing.T, r *analyst.Request) {
	t.Helper()
	require.Equal(t, analyst.UtteranceUser, r.Turns[0].Role)
	waiting := map[string]int{}
	prompt := false
	for _, u := range r.Turns {
		prompt = prompt || u.Text == "total by region?"
		for _, c := range u.Calls {
			waiting[c.ID]++
		}
		if u.Role == analyst.UtteranceTool {
			waiting[u.CallID]--
			require.Equal(t, strings.Count(u.Text, "<data-"), strings.Count(u.Text, "</data-"), "marks stay complete")
		}
	}
	for id, n := range waiting {
		require.Zero(t, n, "call %s has its result", id)
	}
	require.True(t, prompt, "the prompt stays")
}

func TestPipeline_Window(t *testing.T) {
	t.Parallel()
	query := callsTool(analyst.ToolRunQuery, analyst.RunQueryArgs{SQL: "SELECT 1", Title: "T"})

	t.Run("EveryCallFits", func(t *testing.T) {
		t.Parallel()
		for _, window := range []int{4096, 8192, 32_768, 200_000} {
			b := fullBundle(t, query, query, query, query, query, query, query, query, speaks("", "42."))
			m := &windowedModel{b.model, window}
			b.config.Providers["test"] = m
			require.NoError(t, b.run(t))
			require.Len(t, m.made, 9)
			for _, r := range m.made {
				require.Less(t, weight(r), window*3/4)
				requireComplete(t, r)
			}
			require.Contains(t, m.made[0].System, "Further tables")
		}
	})

	t.Run("AWideOneTakesWhatIsConfigured", func(t *testing.T) {
		t.Parallel()
		known, unknown := fullBundle(t, speaks("", "42.")), fullBundle(t, speaks("", "42."))
		unknown.job = known.job
		known.config.Providers["test"] = &windowedModel{known.model, 1_000_000}
		require.NoError(t, known.run(t))
		require.NoError(t, unknown.run(t))
		require.Equal(t, unknown.model.made[0].System, known.model.made[0].System)
		require.Len(t, known.model.made[0].Turns, len(unknown.model.made[0].Turns))
	})
}

func TestPipeline_TooLong(t *testing.T) {
	t.Parallel()
	query := callsTool(analyst.ToolRunQuery, analyst.RunQueryArgs{SQL: "SELECT 1", Title: "T"})
	refuses := fails(&analyst.ProviderError{Status: 400, TooLong: true, Reason: "The conversation has grown too long for this model."})

	t.Run("OnceMoreWithLess", func(t *testing.T) {
		t.Parallel()
		b := fullBundle(t, query, refuses, speaks("", "42."))
		require.NoError(t, b.run(t))
		require.Equal(t, "42.", b.sink.Role(domain.RoleAssistant)[0].Text)
		long, short := b.model.made[1], b.model.made[2]
		require.Less(t, weight(short), weight(long)*6/10)
		requireComplete(t, short)
		require.NotContains(t, short.Turns[0].Text, "question 0?", "the oldest questions are left out first")
		require.Contains(t, strings.Join(b.sink.Notices(), "\n"), "Trying again with less")
		require.Len(t, b.sink.Steps(), 3, "the journal contains one call")
		require.Len(t, b.sink.Usage(), 2)
	})

	t.Run("WhatWasRefusedIsRemembered", func(t *testing.T) {
		t.Parallel()
		b := fullBundle(t, query, refuses, query, query, speaks("", "42."))
		require.NoError(t, b.run(t))
		for _, r := range b.model.made[2:] {
			require.Less(t, weight(r), weight(b.model.made[1])*7/10)
			requireComplete(t, r)
		}
	})

	t.Run("TwiceIsTheEnd", func(t *testing.T) {
		t.Parallel()
		b := fullBundle(t, refuses)
		var e *analyst.ProviderError
		require.ErrorAs(t, b.run(t), &e)
		require.True(t, e.TooLong)
		require.Len(t, b.model.made, 2)
	})

	t.Run("NotAfterTheFirstByte", func(t *testing.T) {
		t.Parallel()
		b := fullBundle(t, func(r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
			if err := emit(analyst.Piece{Text: "Half"}); err != nil {
				return analyst.End{}, err
			}
			return refuses(r, emit)
		})
		var e *analyst.ProviderError
		require.ErrorAs(t, b.run(t), &e)
		require.True(t, e.Midstream)
		require.Len(t, b.model.made, 1)
	})
}
