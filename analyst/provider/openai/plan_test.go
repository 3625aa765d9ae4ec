package openai_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// sent returns the messages of a request as "role: content", and the system prompt separately.
func sent(t *testing.T, body map[string]any) (system string, rest []string) {
	t.Helper()
	messages, ok := body["messages"].([]any)
	require.True(t, ok)
	for _, m := range messages {
		o, ok := m.(map[string]any)
		require.True(t, ok)
		content, _ := o["content"].(string)
		if o["role"] == "system" {
			system = content
			continue
		}
		if calls, ok := o["tool_calls"].([]any); ok {
			require.Len(t, calls, 1)
			call, ok := calls[0].(map[string]any)
			require.True(t, ok)
			require.Contains(t, call["id"], "plan_step_")
			content += "calls"
		}
		rest = append(rest, o["role"].(string)+": "+content)
	}
	return system, rest
}

// TestProvider_Plan checks that the settings of a person and the texts of a blueprint reach the vendor.
func TestProvider_Plan(t *testing.T) {
	t.Parallel()
	v := newVendor(t,
		sse(said("<plan>I look.</plan>North has 3.<summary>Not here.</summary>"), finish("stop")),
		sse(said("Passed: "), said("it is so."), finish("stop")),
		sse(said("South has 4."), finish("stop")),
		sse(said("<summary>All is well.</summary>"), finish("stop")),
	)
	cfg := config(v)
	cfg.DataSources = analysttest.NewSources(domain.DataSource{ID: 1, Name: "sales", Resources: []domain.DataResource{{
		Table: "sales", Details: "rev = revenue in EUR",
		Columns: []domain.Column{{Name: "rev", Type: domain.ColumnNumber, Description: "after discounts"}},
	}}})
	cfg.Memories = analysttest.NewMemories(
		domain.Memory{ID: 1, Name: "Fiscal", Question: "when does the year begin?", Response: "Our year begins in April.", AlwaysRecalled: true},
		domain.Memory{ID: 2, Name: "Own", Question: "?", Response: "Of the step alone."},
	)
	cfg.Analysts = &analysttest.Agents{
		Agent: domain.Analyst{
			ID: 1, Name: "prism-1", IsEnabled: true, Provider: "openai", Model: "big", Instructions: "Be brief.",
			Summary: domain.AnalystSummary{Name: "In short", SpecialInstructions: "One sentence."},
		},
		Others: map[int64]domain.Analyst{9: {
			ID: 9, Name: "second", IsEnabled: true, Provider: "openai", Model: "other", Instructions: "Be exact.",
			Knowledge:   domain.AnalystSection{SpecialInstructions: "Ask the net amounts."},
			ChartReview: domain.AnalystSection{SpecialInstructions: "Lines over time."},
			Insights:    domain.AnalystSection{SpecialInstructions: "Name the risk."},
		}},
	}
	var ran []string
	bench := cfg.Workbench
	cfg.Workbench = analysttest.QueryFunc(func(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error) {
		ran = append(ran, sql)
		return bench.Query(ctx, sources, sql)
	})
	sink, err := run(t, cfg, analysttest.PlanJob("Review the week for Germany.",
		domain.PlanStep{
			Name: "Count", DetailedInstructions: "Count by region.", Code: "SELECT region, count(*) AS n FROM sales GROUP BY ALL",
			Language: "sql", QAInstructions: "Nothing is missing.", Memories: []int64{2},
		},
		domain.PlanStep{Name: "Second", DetailedInstructions: "Look further.", Code: "df.describe()", AnalystID: 9},
	))
	require.NoError(t, err)
	require.Equal(t, []string{"SELECT region, count(*) AS n FROM sales GROUP BY ALL"}, ran)

	first := <-v.requests
	require.Equal(t, "big", first["model"])
	system, rest := sent(t, first)
	for _, want := range []string{"Be brief.", "Our year begins in April.", "Of the step alone.", "rev = revenue in EUR", "after discounts"} {
		require.Contains(t, system, want)
	}
	require.Len(t, rest, 3, "the prompt and the step's task are one message of the user")
	require.True(t, strings.HasPrefix(rest[0], "user: Review the week for Germany.\n\nStep 1 of 2: Count"))
	for _, want := range []string{"Weekly review", "Count by region.", "Nothing is missing."} {
		require.Contains(t, rest[0], want)
	}
	require.Equal(t, "assistant: calls", rest[1])
	require.Contains(t, rest[2], "North,3")

	_, rest = sent(t, <-v.requests)
	require.Contains(t, rest[len(rest)-1], "check what you did in this step")
	require.Contains(t, rest[len(rest)-1], "Nothing is missing.")

	second := <-v.requests
	require.Equal(t, "other", second["model"])
	system, rest = sent(t, second)
	for _, want := range []string{"Be exact.", "Ask the net amounts.", "Lines over time.", "Name the risk.", "Our year begins in April."} {
		require.Contains(t, system, want)
	}
	require.NotContains(t, system, "Be brief.")
	require.NotContains(t, system, "Of the step alone.")
	require.Contains(t, strings.Join(rest, "\n"), "North has 3.", "the result of the step before it")
	require.Contains(t, strings.Join(rest, "\n"), "North,3")
	require.Contains(t, rest[len(rest)-1], "df.describe()")
	require.Contains(t, rest[len(rest)-1], "It is not run")

	last := <-v.requests
	require.Equal(t, "big", last["model"])
	require.Nil(t, last["tools"])
	system, rest = sent(t, last)
	require.Contains(t, system, "One sentence.")
	require.Contains(t, strings.Join(rest, "\n"), "South has 4.")
	require.Empty(t, v.requests)

	summaries := sink.Role(domain.RoleSummary)
	require.Len(t, summaries, 1, "one summary for the whole plan")
	require.Equal(t, "**In short**\n\nAll is well.", summaries[0].Text)
	require.Len(t, sink.Usage(), 4)
}
