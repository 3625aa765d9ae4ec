package main

// Turns in which a model calls the tools statistics, find_values and ask_person, over the real engine and a server that
// speaks the protocol of a model.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// newPatients are turns over one table, which is not measured.
func newPatients(t *testing.T) *turns {
	t.Helper()
	var text strings.Builder
	text.WriteString("city,age,weight,arm\n")
	for i := range 40 {
		city := []string{"München", "Köln", "Zürich", "Münster"}[i%4]
		age := fmt.Sprint(30 + i)
		if i%10 == 9 {
			age = ""
		}
		fmt.Fprintf(&text, "%s,%s,%d,%s\n", city, age, 60+i/2+i%3, []string{"a", "b"}[i%2])
	}
	b := setup(t)
	s, _ := b.prepare(t, "patients.csv", text.String())
	return &turns{facts: knownFacts{}, config: analyst.Config{
		DataSources: analysttest.NewSources(s), Files: &analysttest.Files{}, Workbench: b.bench, Clock: autumn{},
	}}
}

// once makes a call and then says a text; told gets the results of the tools.
func once(told *[]string, args object, text string) func([]string) (object, string) {
	return func(results []string) (object, string) {
		*told = results
		if len(results) == 0 {
			return args, ""
		}
		return nil, text
	}
}

func TestTurn_Statistics(t *testing.T) {
	t.Parallel()
	x := newPatients(t)
	t.Run("Correlation", func(t *testing.T) {
		t.Parallel()
		var told []string
		sink, err := x.ask(t, analysttest.Job("is weight related to age?"), once(&told, object{
			toolKey: "statistics", "kind": "correlation", "table": "patients", "columns": []string{"age", "weight"},
		}, "They are related."))
		require.NoError(t, err)
		require.Contains(t, told[0], "Used 36 values; left out because a value is missing or no finite number: 4.")
		require.Contains(t, told[0], "pearson_r")
		shown := sink.Role(domain.RoleUserProxy)
		require.Len(t, shown, 1)
		require.Contains(t, shown[0].Text, "Correlation of age, weight: 1 row, 7 columns. Used 36 values")
		require.NotContains(t, shown[0].Text, "⚠")
		require.Equal(t, []domain.DisplayObjectType{domain.DisplayPython, domain.DisplayCSV}, []domain.DisplayObjectType{
			shown[0].Objects[0].Type, shown[0].Objects[1].Type,
		}, "the query and its table")
		require.Equal(t, "They are related.", sink.Role(domain.RoleAssistant)[0].Text)
	})
	t.Run("ErrorsCanBeMended", func(t *testing.T) {
		t.Parallel()
		var told []string
		_, err := x.ask(t, analysttest.Job("outliers?"), func(results []string) (object, string) {
			told = results
			switch len(results) {
			case 0:
				return object{toolKey: "statistics", "kind": "outliers", "table": "people", "columns": []string{"age"}}, ""
			case 1:
				return object{toolKey: "statistics", "kind": "outliers", "table": "patients", "columns": []string{"size"}}, ""
			case 2:
				return object{toolKey: "statistics", "kind": "outliers", "table": "patients", "columns": []string{"city"}}, ""
			case 3:
				return object{
					toolKey: "statistics", "kind": "outliers", "sql": "SELECT age, arm FROM patients WHERE city <> 'Köln' -- not there;",
					"columns": []string{"AGE"}, "by": "arm", "method": "iqr",
				}, ""
			}
			return nil, "None."
		})
		require.NoError(t, err)
		require.Contains(t, told[0], `There is no table "people". The tables are: patients.`)
		require.Contains(t, told[1], `There is no column "size". The columns are: city, age, weight, arm.`)
		require.Contains(t, told[2], "outliers needs numbers, and the column city is text.")
		require.Contains(t, told[3], "upper_bound")
		require.Contains(t, told[3], "2 rows")
	})
	t.Run("AnyQueryMayUseTheFunctions", func(t *testing.T) {
		t.Parallel()
		var told []string
		_, err := x.ask(t, analysttest.Job("p?"), once(&told, object{"sql": "SELECT p_chi2(2 * ln(2), 2) AS p"}, "Half."))
		require.NoError(t, err)
		require.Contains(t, told[0], "0.5")
	})
	t.Run("EveryKindIsChecked", func(t *testing.T) {
		t.Parallel()
		for kind, args := range map[string]object{
			"profile":      {"columns": []string{"city", "age"}, "by": "arm"},
			"outliers":     {"columns": []string{"age"}, "rows": true, "k": 1.0},
			"regression":   {"columns": []string{"weight", "age"}, "by": "arm"},
			"bins":         {"columns": []string{"age"}, "bins": 4},
			"welch_t":      {"columns": []string{"age"}, "by": "arm"},
			"mann_whitney": {"columns": []string{"age"}, "by": "city", "groups": []string{"Köln", "München"}},
			"anova":        {"columns": []string{"age"}, "by": "city"},
			"paired_t":     {"columns": []string{"age", "weight"}},
			"chi_square":   {"columns": []string{"city", "arm"}},
			"jarque_bera":  {"columns": []string{"age"}},
			"dagostino":    {"columns": []string{"age"}, "by": "arm"},
			"correlation":  {"columns": []string{"age", "weight"}, "method": "spearman", "by": "city"},
		} {
			args[toolKey], args["kind"], args["table"] = "statistics", kind, "patients"
			var told []string
			sink, err := x.ask(t, analysttest.Job("p?"), once(&told, args, "So."))
			require.NoError(t, err)
			require.NotContains(t, told[0], "Error", kind)
			require.NotContains(t, sink.Role(domain.RoleUserProxy)[0].Text, "⚠", kind)
			require.NotContains(t, sink.Role(domain.RoleUserProxy)[0].Text, "Not checked", kind)
		}
	})
}

// TestTurn_StatisticsOfAJoin lets a model describe a column that its join repeats.
func TestTurn_StatisticsOfAJoin(t *testing.T) {
	t.Parallel()
	var told []string
	_, err := newTurns(t).ask(t, analysttest.Job("mean budget?"), once(&told, object{
		toolKey: "statistics", "kind": "profile", "columns": []string{"budget"},
		"sql": "SELECT budget FROM departments JOIN employees USING (department_id)",
	}, "So."))
	require.NoError(t, err)
	require.Contains(t, told[0], "Not run: avg(…) counts a department once for each of its employees")
	require.NotContains(t, told[0], "Result ")
}

func TestTurn_FindValues(t *testing.T) {
	t.Parallel()
	x := newPatients(t)
	for name, c := range map[string]struct {
		text string
		has  []string
		not  []string
	}{
		"CaseAndAccents": {"munchen", []string{"1 values", "München,10,1"}, []string{"Münster"}},
		"Misspelled":     {"Munchenn", []string{"München,10,0.9"}, []string{"Köln"}},
		"Nothing":        {"Warszawa", []string{"0 values"}, []string{"Köln"}},
		"Quotes":         {"O'Hara\"", []string{"0 values"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var told []string
			sink, err := x.ask(t, analysttest.Job("?"), once(&told, object{
				toolKey: "find_values", "table": "patients", "column": "City", "text": c.text,
			}, "So."))
			require.NoError(t, err)
			for _, want := range c.has {
				require.Contains(t, told[0], want)
			}
			for _, not := range c.not {
				require.NotContains(t, told[0], not)
			}
			require.Empty(t, sink.Role(domain.RoleUserProxy), "a lookup is not shown")
		})
	}
	t.Run("ErrNoColumn", func(t *testing.T) {
		t.Parallel()
		var told []string
		_, err := x.ask(t, analysttest.Job("?"), once(&told, object{
			toolKey: "find_values", "table": "patients", "column": "town", "text": "x",
		}, "So."))
		require.NoError(t, err)
		require.Contains(t, told[0], `There is no column "town" in the table patients.`)
	})
}

func TestTurn_AskPerson(t *testing.T) {
	t.Parallel()
	x := newPatients(t)
	calls := 0
	sink, err := x.ask(t, analysttest.Job("who is heavy?"), func(results []string) (object, string) {
		calls++
		if len(results) == 0 {
			return object{
				toolKey: "ask_person", "question": "Does heavy mean above the mean or above 80 kg?",
				"options": []string{"Which patients weigh more than the mean?", "Which patients weigh\nmore than 80 kg?"},
			}, ""
		}
		return nil, "not said"
	})
	require.NoError(t, err)
	require.Equal(t, 1, calls, "the turn ends with the question")
	said := sink.Role(domain.RoleAssistant)
	require.Len(t, said, 1)
	require.Equal(t, "Does heavy mean above the mean or above 80 kg?\n\nYou could answer:\n\n- Which patients weigh more than the mean?\n"+
		"- Which patients weigh more than 80 kg?", said[0].Text)
	require.Empty(t, said[0].Annotation.FollowUps)
	require.Equal(t, domain.PartAnswer, said[0].Annotation.Part)
	require.Empty(t, sink.Role(domain.RoleSummary))
}

// TestTurn_PlannerTellsAPValue asks the planner, without a model.
func TestTurn_PlannerTellsAPValue(t *testing.T) {
	t.Parallel()
	sink, err := newPatients(t).plan(t, analysttest.Job("p-value of the correlation between age and weight"))
	require.NoError(t, err)
	text := sink.Role(domain.RoleAssistant)[0].Text
	require.Contains(t, text, "over 36 pairs")
	require.Regexp(t, `The p-value is \*\*[0-9.]+e-[0-9]+\*\*`, text)
}
