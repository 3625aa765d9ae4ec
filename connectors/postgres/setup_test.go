package postgres_test

import (
	"context"
	"crypto/rand"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/postgres"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/egress"
	"parley.dev/parley/internal/leaktest"
	"parley.dev/parley/persistence/embedded/embeddedtest"
)

func TestMain(m *testing.M) { leaktest.Main(m, embeddedtest.LeakOptions()...) }

// bundle is a database of a test, a role that may read it, and a connector that may
// reach it on the loopback interface.
type bundle struct {
	connector *postgres.Connector
	access    connectors.Access
	owner     *pgx.Conn // owns the database
	url       string
	port      uint16
}

func setup(t *testing.T, statements ...string) *bundle {
	t.Helper()
	b := &bundle{url: embeddedtest.Empty(t)}
	b.port = embeddedtest.TCP(t, b.url, nil)
	b.connector = postgres.New(postgres.Config{Guard: guard(t, b.port)})
	b.owner = connect(t, b.url)
	reader := "reader_" + strings.ToLower(rand.Text())
	admin(t, "postgres", "CREATE ROLE "+reader+" LOGIN PASSWORD 'canary-password'")
	t.Cleanup(func() {
		admin(t, databaseOf(t, b.url), "DROP OWNED BY "+reader, "DROP ROLE "+reader)
	})
	exec(t.Context(), t, b.owner, statements...)
	exec(t.Context(), t, b.owner, "GRANT USAGE ON SCHEMA public TO "+reader, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO "+reader)
	b.access = connectors.Access{
		Params: domain.DataSourceParams{
			domain.ParamHost: "127.0.0.1", domain.ParamPort: strconv.Itoa(int(b.port)), domain.ParamDatabase: databaseOf(t, b.url),
			domain.ParamUser: reader, domain.ParamTLS: domain.TLSPlain,
		},
		Secret: "canary-password",
	}
	return b
}

// with returns the access with one parameter changed.
func (b *bundle) with(name, value string) connectors.Access {
	a := connectors.Access{Params: domain.DataSourceParams{}, Secret: b.access.Secret}
	for n, v := range b.access.Params {
		a.Params[n] = v
	}
	a.Params[name] = value
	return a
}

func (b *bundle) query(t *testing.T, sql string) (*domain.ResultSet, error) {
	t.Helper()
	return b.connector.Query(t.Context(), b.access, sql, connectors.Caps{})
}

// guard permits connections to a port of the loopback interface, without encryption.
func guard(t *testing.T, port uint16) *egress.Guard {
	t.Helper()
	rules, err := egress.ParseRules("127.0.0.1:" + strconv.Itoa(int(port)))
	require.NoError(t, err)
	return egress.New(egress.Config{Allow: rules, Plain: rules})
}

func databaseOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return strings.TrimPrefix(u.Path, "/")
}

func connect(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

func exec(ctx context.Context, t *testing.T, conn *pgx.Conn, statements ...string) {
	t.Helper()
	for _, s := range statements {
		_, err := conn.Exec(ctx, s)
		require.NoError(t, err, s)
	}
}

// admin runs statements as the superuser of the server.
func admin(t *testing.T, database string, statements ...string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, embeddedtest.Server(t).AdminURL(database))
	require.NoError(t, err)
	exec(ctx, t, conn, statements...)
	require.NoError(t, conn.Close(ctx))
}
