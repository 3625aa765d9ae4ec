package eval

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// folder makes a folder with these files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

const about = `{"title": "t", "today": "2026-11-23"}`

func TestRead(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"s/suite.json": about, "s/tables/sales.csv": "a\n1\n", "s/sales.txt": `// a comment
? total
= SELECT 1
> and now?
=1? SELECT 2
~ line
^ so I took
@ Retail_orders sales
? open
> judged
=
`,
		"s/more.jsonl":    `{"question": "q", "sources": ["sales"], "truth": [[1, null]], "or": [{"sql": "SELECT 1"}], "rows": "some"}`,
		"twin/suite.json": `{"title": "t", "today": "2026-11-23", "filesOf": ["s"]}`,
		"twin/de.jsonl":   `{"question": "wie viel?", "sources": ["sales"], "kind": "refuse"}`,
	})
	s, err := Read(filepath.Join(dir, "s"))
	require.NoError(t, err)
	require.Equal(t, "2026-11-23", s.Today.Format("2006-01-02"))
	require.Len(t, s.Conversations, 3)
	require.Equal(t, table{{1.0, nil}}, s.Conversations[0][0].Values)
	two := s.Conversations[1]
	require.Equal(t, []string{"sales"}, two[0].Sources, "the file beside the questions")
	require.Equal(t, "SELECT 1", two[0].SQL)
	require.Equal(t, Question{
		Text: "and now?", Sources: []string{"sales"}, Kind: KindAnswer, Declinable: true, Follows: true, Truth: Truth{SQL: "SELECT 2"},
		Rows: RowsFirst, Chart: "line", Plan: "so I took", Where: "sales.txt:4",
	}, two[1])
	require.Equal(t, []string{"Retail orders", "sales"}, s.Conversations[2][0].Sources)
	require.Equal(t, []Kind{KindOpen, KindRefuse}, []Kind{s.Conversations[2][0].Kind, s.Conversations[2][1].Kind})
	twin, err := Read(filepath.Join(dir, "twin"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "s/tables/sales.csv"), twin.files["sales"])
}

func TestRead_Err(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ suite, line, says string }{
		"ErrNoDay":       {`{"title": "t"}`, `{"question": "q", "kind": "refuse", "sources": ["x"]}`, "today is missing"},
		"ErrMisspelled":  {about, `{"question": "q", "sources": ["x"], "kynd": "refuse"}`, "unknown field"},
		"ErrKind":        {about, `{"question": "q", "sources": ["x"], "kind": "guess"}`, "unknown kind"},
		"ErrRows":        {about, `{"question": "q", "sources": ["x"], "sql": "SELECT 1", "rows": "most"}`, "unknown rows"},
		"ErrNoTruth":     {about, `{"question": "q", "sources": ["x"]}`, "a truth is required"},
		"ErrOnlyOr":      {about, `{"question": "q", "sources": ["x"], "kind": "refuse", "or": [{"sql": "SELECT 1"}]}`, "no first one"},
		"ErrNoSource":    {about, `{"question": "q", "sources": ["y"], "kind": "refuse"}`, "no source"},
		"ErrNoQuestion":  {about, `{"sources": ["x"], "kind": "refuse"}`, "the question is missing"},
		"ErrFollows":     {about, `{"question": "q", "sources": ["x"], "kind": "refuse", "follows": true}`, "follows nothing"},
		"ErrNoQuestions": {about, ``, "has no questions"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(folder(t, map[string]string{"suite.json": c.suite, "x.csv": "a\n1\n", "q.jsonl": c.line}))
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestReadPublic_DABench(t *testing.T) {
	t.Parallel()
	s, err := ReadPublic(folder(t, map[string]string{
		"da-dev-questions.jsonl": `{"id": 3, "question": "mean?", "file_name": "a b.csv", "level": "easy"}`,
		"da-dev-labels.jsonl":    `{"id": 3, "common_answers": [["mean", "34.65"]]}`,
		"da-dev-tables/a b.csv":  "x\n1\n",
	}))
	require.NoError(t, err)
	require.Equal(t, table{{"34.65"}}, s.Conversations[0][0].Values)
	joined, err := ReadPublic(folder(t, map[string]string{"questions.jsonl": `
{"id": 3, "question": "mean?", "file": "a.csv", "kind": "plain", "answers": [["m", "1"]]}
{"id": 4, "question": "predict", "file": "a.csv", "kind": "machine learning", "answers": [["m", "1"]]}`}))
	require.NoError(t, err)
	require.Len(t, joined.Conversations, 1, "machine learning is no question to data")
	_, err = ReadPublic(t.TempDir())
	require.ErrorContains(t, err, "has neither")
}

func TestReadPublic_Defog(t *testing.T) {
	t.Parallel()
	s, err := ReadPublic(folder(t, map[string]string{
		"questions_gen_postgres.csv": "question,query,db_name,query_category\n" +
			"who?,\"SELECT {a.name, a.id}, count(*) FROM a GROUP BY {};SELECT 2\",shop,group_by\nelsewhere?,SELECT 1,missing,x\n" +
			"most?,SELECT name FROM a GROUP BY name ORDER BY count(*) DESC LIMIT 1;,shop,order_by\n",
		"shop/shop.sql": `CREATE TABLE public.a (id bigint, name text);
INSERT INTO public.a (id, "name", at) VALUES
(1, 'It''s; here', now()), (2, NULL, NULL);
INSERT INTO public.a (id, name, at) VALUES (-3, 'x, (y)', DATE '2025-01-01');
`,
	}))
	require.NoError(t, err)
	require.Len(t, s.Conversations, 2, "a database that is not there is left out")
	require.Equal(t, RowsFirst, s.Conversations[1][0].Rows, "the first of a ranking")
	q := s.Conversations[0][0]
	require.Empty(t, q.Rows)
	require.Equal(t, []string{"shop/a"}, q.Sources)
	require.Equal(t, "SELECT a.name, count(*) FROM a GROUP BY a.name", q.SQL)
	require.Equal(t, []Truth{{SQL: "SELECT  a.id, count(*) FROM a GROUP BY  a.id"}, {SQL: "SELECT 2"}}, q.Or)
	require.Equal(t, "id,name,at\n1,It's; here,now()\n2,,\n-3,\"x, (y)\",2025-01-01\n", string(s.contents["shop/a"]))
}
