package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestDescribe(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		b := setup(t,
			"CREATE TABLE orders (id int PRIMARY KEY, country varchar(10), amount numeric(8,2), paid boolean, placed date, note json)",
			"COMMENT ON TABLE orders IS 'What the shop sold'", "COMMENT ON COLUMN orders.amount IS 'in EUR'",
			"INSERT INTO orders VALUES (1, 'FR', 10.5, true, '2024-01-31', '{}'), (2, 'DE', 3, false, '2024-02-29', NULL)",
			"INSERT INTO orders VALUES (3, 'FR', NULL, true, NULL, NULL)",
			"CREATE VIEW french AS SELECT id FROM orders WHERE country = 'FR'",
			"CREATE SCHEMA sales", "CREATE TABLE sales.orders (id int)", "CREATE TABLE sales.goals (id int)",
			"GRANT USAGE ON SCHEMA sales TO public", "GRANT SELECT ON sales.orders TO public")
		b.access = b.with(domain.ParamSchemas, "public, sales")
		got, err := b.connector.Describe(t.Context(), b.access)
		require.NoError(t, err)
		require.Empty(t, got.LeftOut)
		require.Contains(t, got.Text, "3 tables of the database")
		var names []string
		for _, r := range got.Resources {
			names = append(names, r.Table)
		}
		require.Equal(t, []string{"french", "orders", "sales.orders"}, names, "what may not be read is not listed")

		orders := got.Resources[1]
		require.Equal(t, int64(3), orders.Rows)
		require.Equal(t, "What the shop sold", orders.Description)
		require.Equal(t, "id,country,amount,paid,placed,note\n1,FR,10.5,true,2024-01-31,{}\n2,DE,3,false,2024-02-29,\n3,FR,,true,,\n",
			orders.Preview)
		require.Equal(t, []domain.Column{
			{Name: "id", Type: domain.ColumnInteger, DatabaseType: "integer", Distinct: 3, Min: "1", Max: "3"},
			{
				Name: "country", Type: domain.ColumnText, DatabaseType: "character varying(10)", Distinct: 2, Min: "DE", Max: "FR",
				Repeats: true, Values: []string{"FR", "DE"},
			},
			{
				Name: "amount", Type: domain.ColumnNumber, DatabaseType: "numeric(8,2)", Distinct: 2, Nulls: 1, Min: "3.00", Max: "10.50",
				Description: "in EUR",
			},
			{Name: "paid", Type: domain.ColumnBoolean, DatabaseType: "boolean", Distinct: 2, Repeats: true},
			{Name: "placed", Type: domain.ColumnDate, DatabaseType: "date", Distinct: 2, Nulls: 1, Min: "2024-01-31", Max: "2024-02-29"},
			{Name: "note", Type: domain.ColumnText, DatabaseType: "json", Nulls: 2},
		}, orders.Columns)
	})
	t.Run("ColumnsThatMayBeRead", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		exec(t.Context(), t, b.owner, "CREATE TABLE staff (name text, salary int)", "INSERT INTO staff VALUES ('Ann', 5)",
			"GRANT SELECT (name) ON staff TO public", "CREATE TABLE closed (a int)")
		got, err := b.connector.Describe(t.Context(), b.access)
		require.NoError(t, err)
		require.Len(t, got.Resources, 1)
		require.Len(t, got.Resources[0].Columns, 1)
		require.Equal(t, "name\nAnn\n", got.Resources[0].Preview)
	})
	t.Run("TypesOfTheirOwn", func(t *testing.T) {
		t.Parallel()
		b := setup(t, "CREATE TYPE mood AS ENUM ('sad', 'glad')", "CREATE DOMAIN euro AS numeric(10,2)",
			"CREATE TABLE days (mood mood, spent euro)", "INSERT INTO days VALUES ('sad', 1), ('glad', 2), ('glad', 3)")
		got, err := b.connector.Describe(t.Context(), b.access)
		require.NoError(t, err)
		columns := got.Resources[0].Columns
		require.Equal(t, []string{"glad", "sad"}, columns[0].Values)
		require.Equal(t, domain.ColumnNumber, columns[1].Type)
		require.Equal(t, "3.00", columns[1].Max)
	})
	t.Run("AViewThatNeverEnds", func(t *testing.T) {
		t.Parallel()
		b := setup(t, "CREATE VIEW slow AS SELECT pg_sleep(600)::text AS a", "CREATE TABLE quick AS SELECT 1 AS a")
		got, err := b.connector.Describe(t.Context(), b.access)
		require.NoError(t, err)
		require.Equal(t, "quick", got.Resources[0].Table)
		require.Equal(t, "slow", got.Resources[1].Table)
		require.Empty(t, got.Resources[1].Preview)
		require.Equal(t, int64(1), got.Resources[1].Rows, "as the engine estimates")
	})
	t.Run("ErrNothingToRead", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.connector.Describe(t.Context(), b.access)
		require.Equal(t, "params.schemas", fieldOf(t, err))
	})
	t.Run("ManyTablesAndNames", func(t *testing.T) {
		t.Parallel()
		b := setup(t, `CREATE TABLE "a.b" (a int)`,
			"DO $$ BEGIN FOR i IN 1..205 LOOP EXECUTE format('CREATE TABLE t%s (a int)', lpad(i::text, 3, '0')); END LOOP; END $$")
		got, err := b.connector.Describe(t.Context(), b.access)
		require.NoError(t, err)
		require.Len(t, got.Resources, 199)
		require.Contains(t, got.LeftOut, "first 200 tables")
		require.Contains(t, got.LeftOut, "point in their names")
	})
}
