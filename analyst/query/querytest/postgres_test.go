package querytest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/analyst/query/querytest"
	"parley.dev/parley/persistence/embedded/embeddedtest"
)

// cells runs a statement and returns its cells as texts.
func cells(t *testing.T, db *pgx.Conn, sql string, columns int) [][]*string {
	t.Helper()
	var names, texts []string
	for i := range columns {
		names = append(names, fmt.Sprintf("c%d", i))
		texts = append(texts, fmt.Sprintf("CAST(c%d AS TEXT)", i))
	}
	rows, err := db.Query(t.Context(), "SELECT "+strings.Join(texts, ", ")+" FROM ("+sql+") AS q("+strings.Join(names, ", ")+")")
	require.NoError(t, err, sql)
	defer rows.Close()
	var out [][]*string
	for rows.Next() {
		row := make([]*string, columns)
		into := make([]any, columns)
		for i := range row {
			into[i] = &row[i]
		}
		require.NoError(t, rows.Scan(into...))
		out = append(out, row)
	}
	require.NoError(t, rows.Err(), sql)
	return out
}

// TestPostgres runs random questions in PostgreSQL and compares them with the oracle.
func TestPostgres(t *testing.T) {
	t.Parallel()
	db, err := pgx.Connect(t.Context(), embeddedtest.Empty(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close(t.Context())) })
	asked, lacking := 0, 0
	for seed := range uint64(20) {
		w := querytest.New(1000 + seed)
		_, err := db.Exec(t.Context(), fmt.Sprintf("CREATE SCHEMA w%d; SET search_path TO w%d", seed, seed))
		require.NoError(t, err)
		for _, sql := range w.SQL("") {
			_, err := db.Exec(t.Context(), sql)
			require.NoError(t, err, sql)
		}
		r, err := querytest.NewTrees(seed, w)
		require.NoError(t, err)
		for i := range 15 {
			s := r.Script()
			text, err := s.MarshalJSON()
			require.NoError(t, err)
			name := fmt.Sprintf("seed %d, question %d: %s\n%s", seed, i, query.Say(s.Asks()[0]), text)
			statement, err := query.Compile(s.Asks()[0], query.Postgres())
			if refused := (*query.Error)(nil); errors.As(err, &refused) {
				require.Contains(t, err.Error(), "PostgreSQL", name)
				lacking++
				continue
			}
			require.NoError(t, err, name)
			answer, err := w.Ask(text)
			require.NoError(t, err, name)
			require.Empty(t, answer.Agrees(cells(t, db, statement.SQL, len(statement.Columns))), "%s\n%s", name, statement.SQL)
			asked++
		}
	}
	t.Logf("%d questions asked, %d need what PostgreSQL lacks", asked, lacking)
	require.Greater(t, asked, 200)
}
