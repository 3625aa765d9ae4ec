package eval

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

func TestShownOf(t *testing.T) {
	t.Parallel()
	asked, control := query{sql: "SELECT 1", result: &domain.ResultSet{}}, query{sql: "SELECT 2", result: &domain.ResultSet{}}
	failed := query{sql: "SELECT 1", err: domain.Invalid("sql", "no")}
	for name, c := range map[string]struct {
		tool, input, output string
		ran, want           []query
	}{
		"OK": {analyst.ToolRunQuery, `{"sql": " SELECT 1 "}`, `{"result": {}}`, []query{asked, control}, []query{asked}},
		"Withheld": {
			analyst.ToolRunQuery, `{"sql": "SELECT 1"}`, `{"result": {"error": "Not run", "withheld": true}}`,
			[]query{asked, control},
			[]query{{sql: "SELECT 1"}},
		},
		"Aside":      {analyst.ToolRunQuery, `{"sql": "SELECT 1", "aside": true}`, `{"result": {}}`, []query{asked}, nil},
		"Failed":     {analyst.ToolRunQuery, `{"sql": "SELECT 1"}`, `{"result": {"error": "no"}}`, []query{failed}, []query{failed}},
		"Unreadable": {analyst.ToolRunQuery, `"SELECT 1"`, `{"result": {"error": "no"}}`, nil, nil},
		"Statistic": {
			analyst.ToolStatistics, `{"kind": "profile", "sql": "SELECT 2"}`, `{"result": {}, "query": {"sql": "SELECT 1"}}`,
			[]query{control, asked},
			[]query{asked},
		},
		"StatisticFailed": {
			analyst.ToolStatistics, `{"kind": "profile"}`, `{"result": {"error": "no"}}`,
			[]query{control, failed},
			[]query{failed},
		},
		"Lookup":  {analyst.ToolFindValues, `{"text": "x"}`, `{"result": {}}`, []query{asked}, nil},
		"NoQuery": {analyst.ToolMakeChart, `{}`, `{"result": {}}`, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			step := domain.Step{Kind: domain.StepTool, Name: c.tool, Input: json.RawMessage(c.input), Output: json.RawMessage(c.output)}
			require.Equal(t, c.want, shownOf(step, c.ran))
		})
	}
}
