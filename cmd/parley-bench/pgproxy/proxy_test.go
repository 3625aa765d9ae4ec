package pgproxy_test

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/cmd/parley-bench/pgproxy"
	"parley.dev/parley/internal/startstop/startstoptest"
	"parley.dev/parley/persistence/persistencetest"
)

// start runs a proxy in front of a database of the test.
func start(t *testing.T) *pgproxy.Proxy {
	t.Helper()
	p, err := pgproxy.Start(t.Context(), pgproxy.Config{Database: persistencetest.URL(t), Application: "measured"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Stop()) })
	return p
}

// connect opens a connection through the proxy, with name as its application_name.
func connect(t *testing.T, p *pgproxy.Proxy, name string) *pgx.Conn {
	t.Helper()
	cfg, err := pgx.ParseConfig(p.URL())
	require.NoError(t, err)
	cfg.RuntimeParams["application_name"] = name
	c, err := pgx.ConnectConfig(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close(context.Background())) })
	return c
}

func TestProxy_StopsAtOnce(t *testing.T) {
	t.Parallel()
	database := persistencetest.URL(t)
	startstoptest.Stress(t, 20, func(tb testing.TB) startstoptest.Subject {
		tb.Helper()
		p, err := pgproxy.Start(tb.Context(), pgproxy.Config{Database: database})
		require.NoError(tb, err)
		return startstoptest.Subject{Stop: p.Stop, Ended: func(tb testing.TB) {
			tb.Helper()
			u, err := url.Parse(p.URL())
			require.NoError(tb, err)
			require.NoDirExists(tb, u.Query().Get("host"))
		}}
	})
}

func TestProxy_Record(t *testing.T) {
	t.Parallel()

	t.Run("Parameters", func(t *testing.T) {
		t.Parallel()
		p := start(t)
		c := connect(t, p, "measured")
		id := uuid.MustParse("0190c7a0-0000-7000-8000-000000000001")
		at := time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC)
		const sql = "SELECT $1::text, $2::bigint, $3::boolean, $4::uuid, $5::bigint[], $6::text[], $7::timestamptz, $8::text, $9::text"
		run := func() error {
			rows, err := c.Query(t.Context(), sql, "it's", int64(42), true, id, []int64{1, 2}, []string{`a"b`, `c\d`, ""}, at, nil, "")
			rows.Close()
			return err
		}
		// The first run is not recorded, but prepares the statement: the recorded run only binds it.
		require.NoError(t, run())
		list, err := p.Record(t.Context(), run)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, sql, list[0].SQL)
		args := list[0].Args
		require.Equal(t, []pgproxy.Argument{
			{Text: "it's"},
			{Text: "42"},
			{Text: "true"},
			{Text: id.String()},
			{Text: "{1,2}"},
			{Text: `{"a\"b","c\\d",""}`},
			args[6],
			{Null: true},
			{Text: ""},
		}, args)
		said, err := time.Parse("2006-01-02 15:04:05Z07", args[6].Text)
		require.NoError(t, err)
		require.True(t, said.Equal(at), args[6].Text)
		require.Equal(t, "'it''s'", args[0].Literal())
		require.Equal(t, "NULL", args[7].Literal())
	})

	t.Run("InTheirOrder", func(t *testing.T) {
		t.Parallel()
		p := start(t)
		c := connect(t, p, "measured")
		list, err := p.Record(t.Context(), func() error {
			b := new(pgx.Batch)
			b.Queue("BEGIN READ ONLY")
			b.Queue("SELECT $1::int + 1", 1)
			b.Queue("COMMIT")
			if err := c.SendBatch(t.Context(), b).Close(); err != nil {
				return err
			}
			if err := c.Ping(t.Context()); err != nil {
				return err
			}
			_, err := c.Exec(t.Context(), "SELECT 2")
			return err
		})
		require.NoError(t, err)
		require.Equal(t, []pgproxy.Statement{
			{SQL: "BEGIN READ ONLY"},
			{SQL: "SELECT $1::int + 1", Args: []pgproxy.Argument{{Text: "1"}}},
			{SQL: "COMMIT"},
			{SQL: "SELECT 2"},
		}, list)
	})

	t.Run("OthersAreNot", func(t *testing.T) {
		t.Parallel()
		p := start(t)
		c := connect(t, p, "another")
		list, err := p.Record(t.Context(), func() error {
			_, err := c.Exec(t.Context(), "SELECT $1::int", 1)
			return err
		})
		require.NoError(t, err)
		require.Empty(t, list)
	})

	t.Run("ErrOfTheCall", func(t *testing.T) {
		t.Parallel()
		p := start(t)
		_, err := p.Record(t.Context(), func() error { return context.Canceled })
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestProxy_Stop(t *testing.T) {
	t.Parallel()
	p := start(t)
	c := connect(t, p, "measured")
	require.NoError(t, c.Ping(t.Context()))
	require.NoError(t, p.Stop())
	require.NoError(t, p.Stop())
	require.Error(t, c.Ping(t.Context()))
	_, err := pgx.Connect(t.Context(), p.URL())
	require.Error(t, err)
}
