package integration_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/api"
	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/postgres"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/egress"
	"parley.dev/parley/persistence/embedded/embeddedtest"
)

// allowLoopback permits unencrypted connections to databases on the loopback interface.
func allowLoopback(t *testing.T) *egress.Guard {
	t.Helper()
	rules, err := egress.ParseRules("127.0.0.1")
	require.NoError(t, err)
	return egress.New(egress.Config{Allow: rules, Plain: rules})
}

// warehouse is a remote database with the tables of a shop, and a role that may read it.
type warehouse struct {
	params domain.DataSourceParams
	secret string
	admin  *pgx.Conn
}

func newWarehouse(t *testing.T) *warehouse {
	t.Helper()
	address := embeddedtest.Empty(t)
	database, reader := databaseOf(t, address), "shop_"+strings.ToLower(rand.Text())
	ctx := context.WithoutCancel(t.Context())
	admin, err := pgx.Connect(ctx, embeddedtest.Server(t).AdminURL(database))
	require.NoError(t, err)
	w := &warehouse{admin: admin, secret: "canary-" + rand.Text()}
	w.exec(t, "CREATE ROLE "+reader+" LOGIN PASSWORD '"+w.secret+"'")
	t.Cleanup(func() {
		w.exec(t, "DROP OWNED BY "+reader, "DROP ROLE "+reader)
		require.NoError(t, admin.Close(ctx))
	})
	w.exec(t,
		`CREATE TABLE customers (id int PRIMARY KEY, name text, city text)`,
		`INSERT INTO customers SELECT n, 'Customer ' || n, (ARRAY['Paris', 'Berlin', 'Rome'])[n % 3 + 1] FROM generate_series(1, 40) n`,
		`CREATE TABLE orders (id int PRIMARY KEY, customer_id int, placed date, shipped timestamp, country text, product text,
			amount numeric(10,2), quantity int, discount double precision, paid boolean, "user" text)`,
		`INSERT INTO orders SELECT n, n % 40 + 1, date '2024-01-01' + n, timestamp '2024-01-01 08:30' + n * interval '25 hours',
			(ARRAY['France', 'Germany', 'Italy'])[n % 3 + 1], (ARRAY['Chair', 'Table', 'Lamp', 'Desk'])[n % 4 + 1],
			n % 97 + 0.5, n % 7 + 1, (n % 10) / 10.0, n % 5 <> 0, 'u' || n % 9 FROM generate_series(1, 600) n`,
		`INSERT INTO orders (id, country, product) VALUES (601, NULL, 'Lamp')`,
		`CREATE SCHEMA back`, `CREATE TABLE back."Stock Levels" ("Warehouse" text, level int)`,
		`INSERT INTO back."Stock Levels" VALUES ('North', 5), ('South', 7)`,
		`GRANT USAGE ON SCHEMA back TO `+reader, `GRANT SELECT ON ALL TABLES IN SCHEMA public, back TO `+reader)
	w.params = domain.DataSourceParams{
		domain.ParamHost: "127.0.0.1", domain.ParamPort: strconv.Itoa(int(embeddedtest.TCP(t, address, nil))), domain.ParamDatabase: database,
		domain.ParamUser: reader, domain.ParamTLS: domain.TLSPlain, domain.ParamSchemas: "public, back",
	}
	return w
}

func (w *warehouse) exec(t *testing.T, statements ...string) {
	t.Helper()
	for _, s := range statements {
		_, err := w.admin.Exec(context.WithoutCancel(t.Context()), s)
		require.NoError(t, err, s)
	}
}

// running counts the statements that the reading role is running on the server.
func (w *warehouse) running(t *testing.T) int {
	t.Helper()
	var n int
	require.NoError(t, w.admin.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE usename = $1 AND state = 'active'",
		w.params[domain.ParamUser]).Scan(&n))
	return n
}

// TestWarehouse_Dialect runs questions of the builtin planner on a real PostgreSQL server: the
// planner understands each, and the server runs its statement.
func TestWarehouse_Dialect(t *testing.T) {
	t.Parallel()
	w := newWarehouse(t)
	room := postgres.New(postgres.Config{Guard: allowLoopback(t)})
	access := connectors.Access{Params: w.params, Secret: w.secret}
	found, err := room.Describe(t.Context(), access)
	require.NoError(t, err)
	source := domain.DataSource{ID: 7, Name: "Shop", Type: domain.DataSourcePostgres, Params: w.params, Resources: found.Resources}
	tables := analyst.Tables([]domain.DataSource{source})
	now := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)
	for _, row := range []struct{ question, first string }{
		{"How many orders are there?", "[601]"},
		{"Total amount by country", ""},
		{"Average amount by product", ""},
		{"Median amount by country", ""},
		{"90th percentile of amount by country", ""},
		{"Standard deviation of amount by product", ""},
		{"Total amount by month", ""},
		{"Total quantity by quarter", ""},
		{"Total quantity by week", ""},
		{"Number of orders by weekday", ""},
		{"Number of orders by hour of the day of shipped", ""},
		{"Total amount by month name", ""},
		{"Number of orders on weekends", ""},
		{"Share of amount by country", ""},
		{"What share of orders is paid?", ""},
		{"Top 3 products by amount in each country", ""},
		{"Top 5 products by amount", ""},
		{"Growth of amount by month", ""},
		{"7-day moving average of amount", ""},
		{"Running total of amount by month", ""},
		{"Average amount per month", ""},
		{"Average amount of each user", ""},
		{"Correlation between amount and quantity", ""},
		{"Number of different customers by country", ""},
		{"Orders in 2024 in France", ""},
		{"Total amount in March 2024 by product", ""},
		{"The latest order of each country", ""},
		{"Which countries have a total amount of more than 100?", ""},
		{"Total amount by city", ""},
		{"Distribution of amount", ""},
		{"Compare amount in 2024 and 2025 by country", ""},
		{"Describe orders", ""},
		{"Total level by warehouse", ""},
	} {
		t.Run(row.question, func(t *testing.T) {
			t.Parallel()
			r := builtin.Read(tables, now, row.question)
			require.True(t, r.Understood)
			got, err := room.Query(t.Context(), access, r.SQL, connectors.Caps{Deadline: patience})
			require.NoError(t, err, r.SQL)
			require.NotEmpty(t, got.Rows, r.SQL)
			if row.first != "" {
				require.Equal(t, row.first, fmt.Sprint(got.Rows[0]))
			}
		})
	}
}

// aConnection is a request body for a connection to a database of fakes.Warehouses.
const aConnection = `{"kind":"postgres","name":"<name>","scope":"user","secret":"s",` +
	`"params":{"host":"db.example","database":"d","user":"u"}}`

// remoteDatabases: a remote database is connected over the API, described, queried by the planner
// in its dialect, synchronised and deleted. A stopped turn cancels its statement on the
// database server. The secret appears in no response, log or table.
func remoteDatabases(t *testing.T, n *node) {
	t.Helper()
	const wim = "wim@acme.test"
	db := connectAsEngine(t, n)
	insertPerson(t, db, wim)
	w := newWarehouse(t)
	log := &lockedLog{}
	served := *n
	served.url = n.serve(t, api.Limits{UploadsPerHour: -1}, func(c *api.Config) {
		c.Logger = slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	p := served.as(t, wim)
	var answers []answer
	ask := func(method, path string, body any, header ...string) answer {
		got := p.do(method, path, body, header...)
		answers = append(answers, got)
		return got
	}
	body := func(name, value string) map[string]any {
		params := maps.Clone(w.params)
		params[name] = value
		return map[string]any{"kind": "postgres", "name": "Shop", "params": params, "secret": w.secret}
	}

	// A wrong connection is refused before anything is stored.
	for name, row := range map[string]struct {
		body  map[string]any
		field string
	}{
		"closed host":  {body(domain.ParamHost, "10.0.0.1"), "params.host"},
		"unknown name": {body("sslmode", "disable"), "params.sslmode"},
		"own database": {body(domain.ParamDatabase, databaseOf(t, n.database)), "params.database"},
		"no kind":      {map[string]any{"kind": "snowflake", "name": "Shop", "params": map[string]string{}}, "kind"},
	} {
		for _, path := range []string{"/memory/datasources/check", "/memory/datasources"} {
			refused := ask("POST", path, row.body).refused(t, 422)
			require.Equal(t, row.field, refused.Errors[0].Field, "%s %s", path, name)
		}
	}
	require.Equal(t, 204, ask("POST", "/memory/datasources/check", body("port", w.params["port"])).status)
	require.Contains(t, string(ask("GET", "/memory/datasources/type", nil).body), `"isConnectable":true,"params":[{"name":"host"`)

	// A connection is created together with its secret. The same key again creates nothing.
	var made source
	ask("POST", "/memory/datasources", body("port", w.params["port"]), "Idempotency-Key", "shop").into(t, 201, &made)
	var again source
	ask("POST", "/memory/datasources", body("port", w.params["port"]), "Idempotency-Key", "shop").into(t, 201, &again)
	require.Equal(t, made.ID, again.ID)
	other := body("port", w.params["port"])
	other["secret"] = "another"
	require.NotEqual(t, 201, ask("POST", "/memory/datasources", other, "Idempotency-Key", "shop").status)
	require.Contains(t, made.Description, "3 tables of the database")
	require.Equal(t, []string{"postgres"}, made.Type)
	one := fmt.Sprintf("/memory/datasources/%d", made.ID)

	// A second connection uses a secret that was stored before.
	kept := place(t, p.form("/memory/secrets", "secret.txt", []byte(w.secret), "", "name", "Of the shop").body, "id")
	require.Contains(t, string(ask("GET", "/memory/secrets", nil).body), "Of the shop")
	second := body("port", w.params["port"])
	delete(second, "secret")
	second["credentialId"], second["name"] = kept, "Shop with a kept secret"
	require.Equal(t, 201, ask("POST", "/memory/datasources", second).status)
	stranger := served.as(t, "sam@acme.test")
	insertPerson(t, db, "sam@acme.test")
	require.Equal(t, "credentialId", stranger.do("POST", "/memory/datasources", second).refused(t, 422).Errors[0].Field)

	// The planner queries it.
	id := p.create()
	prompt := map[string]any{
		"conversationId": id, "dataSources": []int64{made.ID}, "message": map[string]any{"text": "Total amount by country"},
	}
	ask("POST", "/discourse/user-text", prompt).into(t, 200, nil)
	require.Eventually(t, func() bool { return !p.get(id).IsStreaming }, patience, 20*time.Millisecond)
	var total float64
	require.NoError(t, w.admin.QueryRow(t.Context(), "SELECT sum(amount)::float8 FROM orders WHERE country = 'France'").Scan(&total))
	text := string(ask("GET", "/discourse/conversations/"+id.String(), nil).body)
	require.Contains(t, text, specialist.Format(total))
	var asked int
	dialect := "SELECT count(*) FROM step WHERE name = 'run_query' AND input::text LIKE '%GROUP BY 1%'"
	require.NoError(t, db.QueryRow(t.Context(), dialect).Scan(&asked))
	require.Positive(t, asked, "the planner must use the dialect of PostgreSQL")

	// A stop cancels the statement on the database server as well.
	id = p.create()
	slow := p.prompt(id, `seed=1 tokens=1 rate=0 query="SELECT count(*) FROM orders a, orders b, orders c, orders d"`)
	slow["dataSources"] = []int64{made.ID}
	ask("POST", "/discourse/user-text", slow).into(t, 200, nil)
	require.Eventually(t, func() bool { return w.running(t) > 0 }, patience, 10*time.Millisecond)
	p.stop(id)
	require.Eventually(t, func() bool { return w.running(t) == 0 }, patience, 10*time.Millisecond,
		"the database server must cancel the statement")

	// A sync describes the database again.
	require.Empty(t, made.Notice)
	w.exec(t, "DO $$ BEGIN EXECUTE 'CREATE TABLE arrived (' ||"+
		" (SELECT string_agg('c' || n || ' int', ',') FROM generate_series(1, 301) n) || ')'; END $$",
		"GRANT SELECT ON arrived TO "+w.params[domain.ParamUser])
	var synced source
	ask("POST", one+"/sync", nil).into(t, 200, &synced)
	require.Len(t, synced.DataResourceSet, 4)
	require.Equal(t, "Tables with more than 300 columns, of which the first ones are shown: 1.", synced.Notice,
		"the notice must tell what the description leaves out")

	// A connection has no file, and none can replace it.
	require.Equal(t, "file", p.formBy("PUT", one+"/file", "a.csv", []byte("a,b\n1,2\n"), "").refused(t, 422).Errors[0].Field)
	ask("GET", one+"/file", nil).refused(t, 422)

	ask("GET", one, nil)
	ask("GET", "/memory/datasources?include_nested_objects=true", nil)
	for _, a := range answers {
		require.NotContains(t, string(a.body), w.secret)
	}
	require.NotContains(t, log.String(), w.secret)
	inNoTable(t, db, w.secret)

	// The secret is deleted together with the connection.
	var secrets int
	count := "SELECT count(*) FROM credential WHERE data_source_id = $1"
	require.NoError(t, db.QueryRow(t.Context(), count, made.ID).Scan(&secrets))
	require.Equal(t, 1, secrets)
	require.Equal(t, 204, ask("DELETE", one, nil).status)
	require.NoError(t, db.QueryRow(t.Context(), count, made.ID).Scan(&secrets))
	require.Zero(t, secrets)
}

func databaseOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return strings.TrimPrefix(u.Path, "/")
}
