package persistence_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence/embedded/embeddedtest"
	"parley.dev/parley/persistence/persistencetest"
)

// released is what the last release expects of the database (persistence/testdata/release, written by
// `make release/schema`).
type released struct {
	// statements are the release's statements by their names.
	statements map[string]string
	// sums are the hashes of its migrations by their file names, and last is the number of the newest.
	sums map[string]string
	last int64
}

func lastRelease(t *testing.T) *released {
	t.Helper()
	read := func(name string) string {
		body, err := os.ReadFile("testdata/release/" + name)
		require.NoError(t, err)
		return string(body)
	}
	r := &released{statements: map[string]string{}, sums: map[string]string{}}
	for _, text := range strings.Split(read("statements.sql"), "-- name: ")[1:] {
		name, _, _ := strings.Cut(text, " ")
		r.statements[name] = "-- name: " + text
	}
	for line := range strings.Lines(read("migrations.sum")) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		r.sums[name] = sum
		number, _, _ := strings.Cut(name, "_")
		n, err := strconv.ParseInt(number, 10, 64)
		require.NoError(t, err, name)
		r.last = max(r.last, n)
	}
	require.NotEmpty(t, r.statements)
	require.NotEmpty(t, r.sums)
	return r
}

// A database has the migrations that a release has applied. To change such a file would change new
// databases only.
func TestRelease_Migrations(t *testing.T) {
	t.Parallel()
	for name, want := range lastRelease(t).sums {
		body, err := os.ReadFile("migrations/" + name)
		require.NoError(t, err, "a migration of the last release stays")
		sum := sha256.Sum256(body)
		require.Equal(t, want, hex.EncodeToString(sum[:]), "%s is a migration of the last release: a change of it is a further file", name)
	}
}

// shapesOf prepares statements with the rights of each role and lets the server plan them. It returns
// the types of parameters and columns of those that the server accepts, by "role statement".
func shapesOf(t *testing.T, url string, statements map[string]string) map[string]string {
	t.Helper()
	shapes := map[string]string{}
	for _, role := range []string{"parley_app", "parley_engine"} {
		c := persistencetest.Connect(t, url, role)
		// With a generic plan the values of parameters do not matter, so that all may be NULL.
		_, err := c.Exec(t.Context(), "SET plan_cache_mode = force_generic_plan")
		require.NoError(t, err)
		for name, text := range statements {
			d, err := c.PgConn().Prepare(t.Context(), name, text, nil)
			if err != nil {
				continue
			}
			// The server checks rights when a statement is executed, and EXPLAIN begins that.
			run := `EXPLAIN EXECUTE "` + name + `"`
			if n := len(d.ParamOIDs); n > 0 {
				run += "(NULL" + strings.Repeat(", NULL", n-1) + ")"
			}
			if _, err := c.PgConn().Exec(t.Context(), run).ReadAll(); err != nil {
				continue
			}
			shape := fmt.Sprint(d.ParamOIDs)
			for _, f := range d.Fields {
				shape += fmt.Sprintf(" %s %d", f.Name, f.DataTypeOID)
			}
			shapes[role+" "+name] = shape
		}
	}
	return shapes
}

// brokenBy lists the statements that a change of the schema has broken for nodes of the last release.
func brokenBy(before, after map[string]string) []string {
	var broken []string
	for of, shape := range before {
		if after[of] != shape {
			broken = append(broken, of)
		}
	}
	slices.Sort(broken)
	return broken
}

// TestRelease_Statements runs the statements of the last release on the newest schema: while nodes are
// replaced one by one, those of the last release go on with it. Each statement must still be accepted
// with the rights of the same roles, take the same parameters, and return the same columns.
func TestRelease_Statements(t *testing.T) { // G19
	t.Parallel()
	release := lastRelease(t)
	url := embeddedtest.Empty(t)
	cfg, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	db := stdlib.OpenDB(*cfg)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	provider, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("migrations"))
	require.NoError(t, err)
	_, err = provider.UpTo(t.Context(), release.last)
	require.NoError(t, err)
	before := shapesOf(t, url, release.statements)
	for name := range release.statements {
		require.True(t, before["parley_app "+name] != "" || before["parley_engine "+name] != "", "%s does not run on its own schema", name)
	}
	_, err = provider.Up(t.Context())
	require.NoError(t, err)
	require.Empty(t, brokenBy(before, shapesOf(t, url, release.statements)),
		"the last release uses these statements: a migration keeps what they need (docs/operating.md, Upgrades)")

	// The check finds each kind of break.
	c, err := pgx.ConnectConfig(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close(context.WithoutCancel(t.Context()))) })
	for _, x := range []struct{ change, breaks string }{
		{"ALTER TABLE cluster_member RENAME COLUMN report TO said", "MemberReport"},
		{"ALTER TABLE cluster_member ALTER COLUMN load TYPE real", "MemberList"},
		{"REVOKE DELETE ON cluster_member FROM parley_engine", "MemberLeave"},
		{"ALTER TABLE secret DROP COLUMN body", "SecretGet"},
	} {
		tried := map[string]string{x.breaks: release.statements[x.breaks]}
		require.NotEmpty(t, tried[x.breaks])
		intact := shapesOf(t, url, tried)
		_, err := c.Exec(t.Context(), x.change)
		require.NoError(t, err)
		require.Equal(t, []string{"parley_engine " + x.breaks}, brokenBy(intact, shapesOf(t, url, tried)), x.change)
	}
}
