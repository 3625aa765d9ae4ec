package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/postgres"
	"parley.dev/parley/connectors/warehousetest"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/egress"
)

// TestWarehouse has what every warehouse must obey; the other tests of this package have what is
// special to PostgreSQL.
func TestWarehouse(t *testing.T) {
	t.Parallel()
	warehousetest.Run(t, func(t *testing.T) *warehousetest.Database {
		t.Helper()
		b := setup(t, "CREATE TABLE kept (id int)", "INSERT INTO kept VALUES (1)", "CREATE SEQUENCE numbers",
			"GRANT ALL ON ALL TABLES IN SCHEMA public TO public", "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO public")
		other := setup(t)
		admin(t, "postgres", "GRANT pg_read_server_files TO "+other.access.Params[domain.ParamUser])
		privileged := b.with(domain.ParamUser, other.access.Params[domain.ParamUser])
		return &warehousetest.Database{
			New: func(guard *egress.Guard, atOnce int) connectors.Warehouse {
				return postgres.New(postgres.Config{Guard: guard, Questions: atOnce})
			},
			Access: b.access, Privileged: privileged,
			Rows: func(rows, bytes int) string {
				return fmt.Sprintf("SELECT repeat('x', %d) FROM generate_series(1, %d)", bytes, rows)
			},
			Columns: func(columns int) string { return "SELECT 1" + strings.Repeat(", 1", columns-1) },
			Slow:    "SELECT pg_sleep(600)", Wrong: "SELECT nothing FROM nowhere",
			Changes: map[string]string{
				"insert": "INSERT INTO kept VALUES (2)", "in WITH": "WITH gone AS (DELETE FROM kept RETURNING *) SELECT * FROM gone",
				"second statement": "SELECT 1; DROP TABLE kept", "sequence": "SELECT nextval('numbers')", "setting": "SET ROLE postgres",
			},
			Running: b.running,
		}
	})
}
