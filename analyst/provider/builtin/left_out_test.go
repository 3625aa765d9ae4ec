package builtin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// A source that is no longer available, while others are, is reported once, as a remark below the
// answer.
func TestProvider_SourceLeftOut(t *testing.T) {
	t.Parallel()
	const one = "One of the data sources that you chose is not available any more: it was deleted, or is no longer shared with you. " +
		"This answer leaves it out."
	const two = "2 of the data sources that you chose are not available any more: they were deleted, or are no longer shared with you. " +
		"This answer leaves them out."
	chosen := func(t *testing.T, gone ...int64) []int64 {
		t.Helper()
		ids := gone
		for _, table := range schema(t, "sales").Tables {
			ids = append(ids, table.SourceID)
		}
		return ids
	}
	for name, c := range map[string]struct {
		question, remark string
		gone             []int64
		refuse           string
		memory           *domain.Memory
	}{
		"OK":            {question: "total revenue by region", remark: one, gone: []int64{99}},
		"Two":           {question: "total revenue by region", remark: two, gone: []int64{98, 99}},
		"None":          {question: "total revenue by region"},
		"NotUnderstood": {question: "why do swallows migrate?", remark: one, gone: []int64{99}},
		"QueryFailed":   {question: "total revenue by region", remark: one, gone: []int64{99}, refuse: "SELECT"},
		"QueryOfAMemory": {
			question: "what is the grand total?", remark: one, gone: []int64{99},
			memory: &domain.Memory{Name: "M", Question: "what is the grand total?", Response: "SELECT sum(x) AS total FROM sales"},
		},
		"TextOfAMemory": {
			question: "who owns the grand total?", remark: one, gone: []int64{99},
			memory: &domain.Memory{Name: "M", Question: "who owns the grand total?", Response: "Mara does."},
		},
		"NoneWithAMemory": {question: "what is the grand total?", memory: &domain.Memory{
			Name: "M", Question: "what is the grand total?",
			Response: "SELECT sum(x) AS total FROM sales",
		}},
		"NotToAGreeting": {question: "hello", gone: []int64{99}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := staged(t, analysttest.Job(c.question))
			s.job.Prompt.DataSources, s.refuse = chosen(t, c.gone...), c.refuse
			if c.memory != nil {
				s.memories = analysttest.NewMemories(*c.memory)
				s.config.Memories = s.memories
			}
			require.NoError(t, s.run(t))
			answers := s.sink.Role(domain.RoleAssistant)
			answer := answers[len(answers)-1]
			if c.remark == "" {
				require.NotContains(t, answer.Text, "not available any more")
				return
			}
			require.Equal(t, c.remark, answer.Text[answer.Annotation.CaveatsAt:])
			require.NotContains(t, answer.Text[:answer.Annotation.CaveatsAt], "not available any more")
		})
	}
	t.Run("OnceInAPlan", func(t *testing.T) {
		t.Parallel()
		for _, first := range []domain.PlanStep{
			{Name: "A", DetailedInstructions: "total revenue by region"},
			{Name: "A", Code: "SELECT 1 AS x FROM sales", Language: "sql"},
		} {
			s := staged(t, analysttest.PlanJob("Run it.", first,
				domain.PlanStep{Name: "B", DetailedInstructions: "how many orders are there by region?"}))
			s.job.Prompt.DataSources = chosen(t, 99)
			require.NoError(t, s.run(t))
			answers := s.sink.Role(domain.RoleAssistant)
			require.Equal(t, one, answers[0].Text[answers[0].Annotation.CaveatsAt:])
			require.NotContains(t, answers[1].Text, one)
		}
	})
	t.Run("WhereAllAreGoneThatIsTheAnswer", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.Job("total revenue by region"))
		s.job.Prompt.DataSources = []int64{98, 99}
		require.NoError(t, s.run(t))
		require.Contains(t, s.answers(), "The data source of this conversation is not available any more")
		require.NotContains(t, s.answers(), "leaves")
	})
}
