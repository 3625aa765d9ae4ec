package query_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
)

func TestEqual(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, m, old := b.is("employees", "sex", "f"), b.is("employees", "sex", "m"), query.Missing(b.col("employees", "age"))
	count := func(p query.Pred) query.Ask {
		return ok[query.Groups](t)(b.Groups(b.rows("employees", p), nil, []query.Measure{query.Count(b.rows("employees"))}))
	}
	and, or := func(p ...query.Pred) query.Pred { return ok[query.Pred](t)(query.And(p...)) },
		func(p ...query.Pred) query.Pred { return ok[query.Pred](t)(query.Or(p...)) }
	number := ok[query.Scalar](t)(query.Const(4))
	salary := b.amount("employees", "salary")
	span := func(from, to string) query.Pred {
		return ok[query.Pred](t)(query.During(b.Calendar(), ok[query.Span](t)(query.NewSpan(from, to))))
	}
	for name, c := range map[string][2]query.Pred{
		"order":         {and(f, old), and(old, f)},
		"doubles":       {and(f, and(f, old), query.All()), and(old, f)},
		"or":            {or(m, or(f, old)), or(old, f, m, f)},
		"or with all":   {or(m, query.All()), query.All()},
		"two nots":      {query.Not(query.Not(f)), f},
		"not of and":    {query.Not(and(f, old)), or(query.Not(f), query.Not(old))},
		"values":        {b.is("employees", "sex", "m", "f", "m"), b.is("employees", "sex", "f", "m")},
		"lists":         {and(b.is("employees", "sex", "m", "f"), f), f},
		"spans":         {and(span("2024-01-01", "2025-01-01"), span("2024-06-01", "2026-01-01")), span("2024-06-01", "2025-01-01")},
		"constant left": {ok[query.Pred](t)(b.Cmp(number, "<", salary)), ok[query.Pred](t)(b.Cmp(salary, ">", number))},
	} {
		t.Run(name, func(t *testing.T) { require.True(t, query.Equal(count(c[0]), count(c[1]))) })
	}
	for name, c := range map[string][2]query.Pred{
		"other value": {f, m}, "and is not or": {and(f, old), or(f, old)}, "not": {f, query.Not(f)},
		"not is kept apart from the opposite": {
			query.Not(ok[query.Pred](t)(b.Cmp(salary, ">", number))), ok[query.Pred](t)(b.Cmp(salary, "<=", number)),
		},
	} {
		t.Run(name, func(t *testing.T) { require.False(t, query.Equal(count(c[0]), count(c[1]))) })
	}
}

// question is a script with a bit of everything.
func question(b *bundle) *query.Script {
	t := b.tb
	s := query.NewScript(b.Model)
	require.NoError(t, s.Keep(b.rows("employees", query.Not(query.Missing(b.rate("employees", "age"))))))
	before := b.Model
	b.Model = s.Model()
	defer func() { b.Model = before }()
	salary := query.Total(b.amount("employees", "salary"))
	require.NoError(t, s.Ask(ok[query.Groups](t)(b.Groups(b.rows("employees", b.is("employees", "sex", "f")),
		[]query.By{b.dim("departments", "department_name"), b.by("employees", "hired", "year")},
		[]query.Measure{salary, query.Ratio(salary, query.Count(b.rows("employees")))},
		query.Over(ok[query.Window](t)(b.Running(salary, b.by("employees", "hired", "year")))),
		ok[query.Part](t)(query.Having(salary, ">", 10)), ok[query.Part](t)(query.TopOf(salary, "desc", 3, 1))))))
	return s
}

func TestRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text, err := json.Marshal(question(b))
	require.NoError(t, err)
	s, err := query.Read(b.Model, text)
	require.NoError(t, err)
	again, err := json.Marshal(s)
	require.NoError(t, err)
	require.JSONEq(t, string(text), string(again))
	require.Equal(t, b.sql(question(b).Asks()[0]), b.sql(s.Asks()[0]))

	for name, text := range map[string]string{
		"nothing": ``, "no question": `{"op":"count"}`,
		"an unknown operation": `{"op":"script","of":[{"op":"list"},{"op":"list","of":[{"op":"x"}]}]}`,
		"too few parts":        `{"op":"script","of":[{"op":"list"}]}`, "null": `null`, "something behind": string(text) + "{}",
		"an unknown field": `{"op":"script","sql":"DROP TABLE x","of":[{"op":"list"},{"op":"list"}]}`,
		"a total of a level": `{"op":"script","of":[{"op":"list"},{"op":"list","of":[{"op":"groups","of":[
			{"op":"set","table":"revenue","of":[{"op":"all"}]},{"op":"list"},
			{"op":"list","of":[{"op":"total","of":[{"op":"col","table":"revenue","column":"mrr"}]}]},
			{"op":"list"},{"op":"list"},{"op":"list"},{"op":"list"}]}]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := query.Read(b.Model, []byte(text))
			require.Error(t, err)
		})
	}
}

// FuzzRead: whatever the journal holds, reading it ends with a question or an error, and every question can be said and is
// written or refused.
func FuzzRead(f *testing.F) {
	b := setup(f)
	text, err := json.Marshal(question(b))
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte(`{"op":"script","of":[{"op":"list"},{"op":"list","of":[{"op":"rows","of":[{"op":"set","table":"items","of":[` +
		`{"op":"all"}]},{"op":"list","of":[{"op":"bins","numbers":[1],"words":["a","b"],"of":[` +
		`{"op":"number","numbers":[2]}]}]},{"op":"list"},{"op":"list"}]}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := query.Read(b.Model, text)
		if err != nil {
			return
		}
		for _, a := range s.Asks() {
			require.NotEmpty(t, query.Say(a))
			for _, d := range []query.Dialect{query.DuckDB(), query.Postgres()} {
				if _, err := query.Compile(a, d); err != nil {
					require.ErrorAs(t, err, new(*query.Error), "%s", text)
				}
			}
		}
	})
}
