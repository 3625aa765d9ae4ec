package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestDescribe_Constraints checks that a description has the keys and the foreign keys that hold for all rows, and no others.
func TestDescribe_Constraints(t *testing.T) {
	t.Parallel()
	b := setup(t,
		"CREATE TABLE customers (id int PRIMARY KEY, email text NOT NULL UNIQUE, nick text UNIQUE, old_id int)",
		"CREATE UNIQUE INDEX ON customers (lower(email))", "CREATE UNIQUE INDEX ON customers (old_id) WHERE old_id > 0",
		"CREATE TABLE orders (no int, year int, customer int NOT NULL REFERENCES customers, total numeric, UNIQUE (no, year) INCLUDE (total),"+
			"PRIMARY KEY (year, no))",
		"CREATE TABLE lines (order_no int, order_year int, place int, item text, PRIMARY KEY (order_year, order_no, place),"+
			"FOREIGN KEY (order_no, order_year) REFERENCES orders (no, year))",
		"CREATE TABLE notes (id int PRIMARY KEY, customer int)",
		"INSERT INTO notes VALUES (1, 99)",
		"ALTER TABLE notes ADD FOREIGN KEY (customer) REFERENCES customers NOT VALID",
		"CREATE TABLE parents (id int PRIMARY KEY)", "CREATE TABLE heirs () INHERITS (parents)",
		"CREATE TABLE parts (id int PRIMARY KEY) PARTITION BY RANGE (id)", "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (9)",
		"CREATE TABLE hidden (id int PRIMARY KEY)", "CREATE TABLE shown (id int PRIMARY KEY REFERENCES hidden)",
		"ALTER TABLE hidden ENABLE ROW LEVEL SECURITY",
		"CREATE VIEW names AS SELECT id, email FROM customers",
	)
	got, err := b.connector.Describe(t.Context(), b.access)
	require.NoError(t, err)
	declared := map[string]domain.Declared{}
	for _, r := range got.Resources {
		require.Equal(t, "public", r.Declared.Schema)
		r.Declared.Schema = ""
		declared[r.Table] = r.Declared
	}
	require.Equal(t, map[string]domain.Declared{
		// Neither a column that can be NULL, nor an expression, nor a part of the rows is a key.
		"customers": {Keys: [][]string{{"id"}, {"email"}}},
		"orders": {
			Keys:       [][]string{{"year", "no"}, {"no", "year"}},
			References: []domain.Reference{{Columns: []string{"customer"}, Table: "customers", To: []string{"id"}}},
		},
		"lines": {
			Keys:       [][]string{{"order_year", "order_no", "place"}},
			References: []domain.Reference{{Columns: []string{"order_no", "order_year"}, Table: "orders", To: []string{"no", "year"}}},
		},
		"notes":   {Keys: [][]string{{"id"}}}, // its foreign key was never checked
		"parents": {},                         // an heir can repeat a value
		"heirs":   {},
		"parts":   {Keys: [][]string{{"id"}}},
		"hidden":  {Keys: [][]string{{"id"}}},
		"shown":   {Keys: [][]string{{"id"}}}, // a policy can hide the row that it names
		"names":   {},
	}, declared)
}

// TestDescribe_ConstraintsOfColumnsThatMayNotBeRead checks that a constraint does not name a column that the user may not read.
func TestDescribe_ConstraintsOfColumnsThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	exec(t.Context(), t, b.owner, "CREATE TABLE staff (id int PRIMARY KEY, badge text NOT NULL UNIQUE)",
		"CREATE TABLE shifts (id int PRIMARY KEY, staff int REFERENCES staff)",
		"GRANT SELECT (badge) ON staff TO public", "GRANT SELECT ON shifts TO public")
	got, err := b.connector.Describe(t.Context(), b.access)
	require.NoError(t, err)
	require.Len(t, got.Resources, 2)
	require.Equal(t, domain.Declared{Schema: "public", Keys: [][]string{{"id"}}}, got.Resources[0].Declared)
	require.Equal(t, domain.Declared{Schema: "public", Keys: [][]string{{"badge"}}}, got.Resources[1].Declared)
}

// TestDescribe_Repeats checks that only a value that stands in two rows is said to repeat, in a table that is counted and in one
// that is estimated.
func TestDescribe_Repeats(t *testing.T) {
	t.Parallel()
	b := setup(t,
		"CREATE TABLE small AS SELECT i AS own, i % 5 AS often, i % 2 = 0 AS even, '{}'::json AS odd FROM generate_series(1, 20) i",
		// Some 70 MB, which are not counted.
		"CREATE TABLE large AS SELECT i AS own, i % 5 AS often, repeat('x', 900) AS text FROM generate_series(1, 75000) i",
		"ALTER TABLE large ALTER text SET STORAGE PLAIN", "ANALYZE",
	)
	got, err := b.connector.Describe(t.Context(), b.access)
	require.NoError(t, err)
	require.Len(t, got.Resources, 2)
	for _, r := range got.Resources {
		for _, c := range r.Columns {
			require.Equal(t, c.Name == "often" || c.Name == "even" || c.Name == "text", c.Repeats, "%s of %s", c.Name, r.Table)
			require.Equal(t, r.Table == "large", c.Estimated, "%s of %s", c.Name, r.Table)
		}
	}
}
