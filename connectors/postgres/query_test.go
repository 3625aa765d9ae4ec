package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/postgres"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/embedded/embeddedtest"
)

func TestQuery(t *testing.T) {
	t.Parallel()
	t.Run("Values", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		got, err := b.query(t, `SELECT true AS b, 7::int AS i, 9223372036854775807 AS l, 1.25::numeric(6,2) AS n,
			12::numeric(6,0) AS w, 0.1::real AS r,
			'NaN'::float8 AS nan, 'ä'::text AS t, NULL::text AS missing, date '2024-02-29' AS d, timestamp '2024-02-29 12:30:00.5' AS ts,
			timestamptz '2024-02-29 12:30:00+02' AS tz,
			'infinity'::date AS never, interval '1 day 2 hours' AS iv, '\x00ff'::bytea AS raw,
			'{"a":1}'::jsonb AS j, ARRAY[1,2] AS a`)
		require.NoError(t, err)
		require.Equal(t, [][]any{{
			true, int64(7), int64(9223372036854775807), 1.25, int64(12), 0.1, nil, "ä", nil, "2024-02-29", "2024-02-29T12:30:00.5",
			"2024-02-29T10:30:00Z", nil, "P1DT2H", "00ff", `{"a": 1}`, "{1,2}",
		}}, got.Rows)
		types := map[string]domain.ColumnType{}
		for _, c := range got.Columns {
			types[c.Name] = c.Type
		}
		require.Equal(t, domain.ColumnInteger, types["w"])
		require.Equal(t, domain.ColumnNumber, types["n"])
		require.Equal(t, domain.ColumnTime, types["tz"])
		require.Equal(t, "numeric(6,2)", got.Columns[3].DatabaseType)
		require.False(t, got.Truncated)
		require.Positive(t, got.Elapsed)
	})
	t.Run("NoRows", func(t *testing.T) {
		t.Parallel()
		b := setup(t, "CREATE TABLE empty (a int)")
		got, err := b.query(t, "SELECT * FROM empty;")
		require.NoError(t, err)
		require.Empty(t, got.Rows)
		require.NotNil(t, got.Rows)
		require.Equal(t, "a", got.Columns[0].Name)
	})
	t.Run("SchemasAreTheSearchPath", func(t *testing.T) {
		t.Parallel()
		b := setup(t, `CREATE SCHEMA "Odd ""one"`, `CREATE TABLE "Odd ""one".t AS SELECT 5 AS v`,
			`GRANT USAGE ON SCHEMA "Odd ""one" TO public`, `GRANT SELECT ON "Odd ""one".t TO public`)
		b.access = b.with(domain.ParamSchemas, `Odd "one, public`)
		got, err := b.query(t, "SELECT v FROM t")
		require.NoError(t, err)
		require.Equal(t, [][]any{{int64(5)}}, got.Rows)
	})
	t.Run("ErrIsTheEngines", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.query(t, "SELECT nothing FROM nowhere")
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		require.ErrorContains(t, err, `relation "nowhere" does not exist`)
		_, err = b.query(t, strings.Repeat("x", 70<<10))
		require.ErrorContains(t, err, "longer than 64 kB")
	})
	t.Run("ErrTooMany", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.connector = postgres.New(postgres.Config{Guard: guard(t, b.port), Questions: 1})
		ctx, cancel := context.WithCancel(t.Context())
		busy := make(chan error, 1)
		go func() {
			_, err := b.connector.Query(ctx, b.access, "SELECT pg_sleep(60)", connectors.Caps{Deadline: time.Minute})
			busy <- err
		}()
		require.Eventually(t, func() bool { return b.running(t) > 0 }, 30*time.Second, 20*time.Millisecond)
		_, err := b.query(t, "SELECT 1")
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(err))
		cancel()
		require.ErrorIs(t, <-busy, context.Canceled)
	})
}

// The engine refuses each statement that is not a query (G10).
func TestQuery_OnlyReads(t *testing.T) {
	t.Parallel()
	b := setup(t, "CREATE TABLE kept (id int)", "INSERT INTO kept VALUES (1)",
		"CREATE FUNCTION sneaky() RETURNS int LANGUAGE sql AS 'INSERT INTO kept VALUES (2) RETURNING id'", "CREATE SEQUENCE numbers",
		"GRANT ALL ON ALL TABLES IN SCHEMA public TO public", "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO public")
	for name, sql := range map[string]string{
		"G10 delete in WITH":         "WITH gone AS (DELETE FROM kept RETURNING *) SELECT * FROM gone",
		"G10 function that writes":   "SELECT sneaky()",
		"G10 sequence":               "SELECT nextval('numbers')",
		"G10 insert":                 "INSERT INTO kept VALUES (3)",
		"G10 copy to a program":      "COPY kept TO PROGRAM 'cat'",
		"G10 block":                  "DO $$ BEGIN PERFORM 1; END $$",
		"G10 role":                   "SET ROLE postgres",
		"G10 second statement":       "SELECT 1; DROP TABLE kept",
		"G10 end of the transaction": "SELECT 1; COMMIT; DROP TABLE kept",
		"G10 comment":                "SELECT 1 /* */; -- \nDELETE FROM kept",
		"G10 into":                   "SELECT * INTO stolen FROM kept",
		"G10 lock":                   "SELECT * FROM kept FOR UPDATE",
		"G10 made writable":          "SELECT set_config('transaction_read_only', 'off', false), sneaky()",
		"G10 explain":                "EXPLAIN ANALYZE DELETE FROM kept",
		"G10 file of the server":     "SELECT pg_read_file('/etc/passwd')",
		"G10 program of the server":  "SELECT lo_import('/etc/passwd')",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.query(t, sql)
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%v", err)
		})
	}
	var rows int
	require.NoError(t, b.owner.QueryRow(t.Context(), "SELECT count(*) FROM kept").Scan(&rows))
	require.Equal(t, 1, rows)
}

// This test checks the limits of an answer (G11).
func TestQuery_Bounds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ask := func(t *testing.T, sql string, caps connectors.Caps) (*domain.ResultSet, error) {
		t.Helper()
		return b.connector.Query(t.Context(), b.access, sql, caps)
	}
	t.Run("G11 a billion rows", func(t *testing.T) {
		got, err := ask(t, "SELECT generate_series(1, 1000000000)", connectors.Caps{Rows: 1200})
		require.NoError(t, err)
		require.Len(t, got.Rows, 1200)
		require.Equal(t, int64(1200), got.Rows[1199][0])
		require.True(t, got.Truncated)
	})
	t.Run("ExactlyTheRows", func(t *testing.T) {
		got, err := ask(t, "SELECT n FROM generate_series(1, 1000) AS n", connectors.Caps{Rows: 1000})
		require.NoError(t, err)
		require.Len(t, got.Rows, 1000)
		require.False(t, got.Truncated)
	})
	t.Run("G11 many bytes", func(t *testing.T) {
		got, err := ask(t, "SELECT repeat('x', 1000) FROM generate_series(1, 1000)", connectors.Caps{Bytes: 10_500})
		require.NoError(t, err)
		require.Len(t, got.Rows, 10)
		require.True(t, got.Truncated)
	})
	t.Run("G11 large cell", func(t *testing.T) {
		got, err := ask(t, "SELECT repeat('ä', 100000)", connectors.Caps{})
		require.NoError(t, err)
		require.Len(t, got.Rows[0][0], 64<<10)
		require.True(t, got.Truncated)
	})
	t.Run("G11 row of 50 MB", func(t *testing.T) {
		_, err := ask(t, "SELECT repeat('x', 50000000)", connectors.Caps{})
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		require.ErrorContains(t, err, "larger than 16 MB")
	})
	t.Run("G11 too late", func(t *testing.T) {
		_, err := ask(t, "SELECT pg_sleep(1e6)", connectors.Caps{Deadline: 500 * time.Millisecond})
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		require.ErrorContains(t, err, "took")
		b.goneFromServer(t)
	})
	t.Run("TooManyColumns", func(t *testing.T) {
		_, err := ask(t, "SELECT 1"+strings.Repeat(", 1", 500), connectors.Caps{})
		require.ErrorContains(t, err, "501 columns")
	})
}

func TestQuery_Cancel(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"Sleeping": "SELECT pg_sleep(600)",
		"Working":  "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b, generate_series(1, 100000) c",
	} {
		t.Run("G11 "+name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			stop := errors.New("somebody stopped it")
			ctx, cancel := context.WithCancelCause(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := b.connector.Query(ctx, b.access, sql, connectors.Caps{Deadline: 10 * time.Minute})
				ended <- err
			}()
			require.Eventually(t, func() bool { return b.running(t) > 0 }, 30*time.Second, 10*time.Millisecond)
			cancel(stop)
			require.ErrorIs(t, <-ended, stop)
			b.goneFromServer(t)
		})
	}
}

// running counts the reader's statements that are running on the server.
func (b *bundle) running(t *testing.T) int {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), embeddedtest.Server(t).AdminURL("postgres"))
	if err != nil {
		return -1
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var n int
	active := "SELECT count(*) FROM pg_stat_activity WHERE usename = $1 AND state = 'active'"
	if conn.QueryRow(t.Context(), active, b.access.Params[domain.ParamUser]).Scan(&n) != nil {
		return -1
	}
	return n
}

func (b *bundle) goneFromServer(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return b.running(t) == 0 }, 10*time.Second, 10*time.Millisecond,
		"the statement still runs in the engine")
}
