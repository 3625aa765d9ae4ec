package persistence_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence/embedded/embeddedtest"
)

// lastUntriedDown is the last file whose Down is not tried: the rules for migrations begin after it.
const lastUntriedDown = 30

// TestMigrations_DownAndUp takes each migration back and applies it again. The schema must be the
// same as before, and so must the rights of the roles: a Down that drops a view has to make it
// again with its GRANT, because the Up of an older file is not applied again.
func TestMigrations_DownAndUp(t *testing.T) {
	t.Parallel()
	cfg, err := pgx.ParseConfig(embeddedtest.Empty(t))
	require.NoError(t, err)
	db := stdlib.OpenDB(*cfg)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	provider, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("migrations"))
	require.NoError(t, err)
	c, err := pgx.ConnectConfig(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close(context.WithoutCancel(t.Context()))) })

	_, err = provider.UpTo(t.Context(), lastUntriedDown)
	require.NoError(t, err)
	before := schema(t, c)
	tried := 0
	for _, source := range provider.ListSources() {
		if source.Version <= lastUntriedDown {
			continue
		}
		_, err := provider.UpByOne(t.Context())
		require.NoError(t, err, source.Path)
		after := schema(t, c)
		_, err = provider.Down(t.Context())
		require.NoError(t, err, "the Down of %s fails", source.Path)
		down := schema(t, c)
		require.Equal(t, before, down, "the Down of %s does not leave the schema that was there before its Up", source.Path)
		_, err = provider.UpByOne(t.Context())
		require.NoError(t, err, "the Up of %s fails after its Down", source.Path)
		require.Equal(t, after, schema(t, c), "the Up of %s makes another schema after its Down", source.Path)
		before = after
		tried++
	}
	require.Positive(t, tried)
}

// schema describes each object of the database in one line: columns, views, constraints, indexes,
// policies, functions, and who has which right on them. Whether a constraint is validated is not
// a part of it: a Down need not forget that.
func schema(t *testing.T, c *pgx.Conn) string {
	t.Helper()
	rows, err := c.Query(t.Context(), `
WITH rel AS (SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname NOT LIKE 'goose%')
SELECT line FROM (
  SELECT format('%s %s', relkind, relname) FROM rel
  UNION ALL
  SELECT format('column %s.%s %s not null %s default %s', r.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                pg_get_expr(d.adbin, d.adrelid))
    FROM rel r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
  UNION ALL SELECT format('view %s %s', relname, pg_get_viewdef(oid)) FROM rel WHERE relkind = 'v'
  UNION ALL SELECT format('options %s %s', relname, reloptions) FROM rel WHERE relkind <> 'i'
  UNION ALL SELECT format('index %s', pg_get_indexdef(oid)) FROM rel WHERE relkind = 'i'
  UNION ALL
  SELECT format('constraint %s %s %s', r.relname, k.conname, replace(pg_get_constraintdef(k.oid), ' NOT VALID', ''))
    FROM pg_constraint k JOIN rel r ON r.oid = k.conrelid WHERE k.contype <> 'n'
  UNION ALL SELECT format('policy %s %s %s %s', tablename, policyname, qual, with_check) FROM pg_policies
  UNION ALL SELECT format('right %s %s', relname, unnest(relacl)) FROM rel
  UNION ALL
  SELECT format('right %s.%s %s', r.relname, a.attname, unnest(a.attacl))
    FROM rel r JOIN pg_attribute a ON a.attrelid = r.oid AND NOT a.attisdropped
  UNION ALL SELECT format('trigger %s', pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT format('function %s', pg_get_functiondef(oid)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
) lines (line) ORDER BY line COLLATE "C"`)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(lines, "\n")
}
