package postgres

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/sqltext"
)

const (
	// messageMax is the maximum size of one message of the server, which is one row. A
	// longer message ends the connection before it is read.
	messageMax     = 16 << 20
	connectTimeout = 10 * time.Second
	// cancelWait is how long a statement that was cancelled may take to end. After that the
	// connection is closed.
	cancelWait = 2 * time.Second
	// closeWait bounds the last message to a server.
	closeWait = time.Second
	// lockWait ends a statement that waits for another session's lock.
	lockWait = 3 * time.Second
)

// session is a connection in one transaction that only reads.
type session struct {
	conn     *pgconn.PgConn
	settings *settings
	clock    clock.Clock
}

// open connects, begins the transaction, and refuses databases and roles that must not be queried.
func (c *Connector) open(ctx context.Context, a connectors.Access, deadline time.Duration) (connectors.RemoteSession, error) {
	set, err := settingsOf(a)
	if err != nil {
		return nil, err
	}
	conn, err := pgconn.ConnectConfig(ctx, c.configuration(set))
	if err != nil {
		return nil, err //nolint:wrapcheck // faultOf translates it
	}
	s := &session{conn: conn, settings: set, clock: c.config.Clock}
	err = s.begin(ctx, deadline)
	if err == nil {
		err = c.refuse(ctx, s)
	}
	if err != nil {
		s.Close(ctx)
		return nil, err
	}
	return s, nil
}

// configuration leaves nothing to the library's own defaults: no file, no fallback, no
// second host, no parameter from a person.
func (c *Connector) configuration(set *settings) *pgconn.Config {
	cfg := c.template.Copy()
	cfg.Host, cfg.Port, cfg.Database, cfg.User, cfg.Password = set.Host, set.Port, set.Database, set.User, set.Password
	cfg.TLSConfig, cfg.SSLNegotiation, cfg.Fallbacks = set.TLS(), "postgres", nil
	cfg.ConnectTimeout, cfg.MaxProtocolMessageBodyLen = connectTimeout, messageMax
	cfg.ValidateConnect, cfg.AfterConnect, cfg.AfterNetConnect = nil, nil, nil
	cfg.RequireAuth = ""
	if set.Plain {
		cfg.RequireAuth = "!password" // the password is never sent in plain text
	}
	// These are the parameters that poolers accept; the others are set in the transaction.
	cfg.RuntimeParams = map[string]string{
		"application_name": "parley", "client_encoding": "UTF8", "datestyle": "ISO, YMD", "timezone": "UTC", "standard_conforming_strings": "on",
	}
	// The guard resolves the name itself, so that the connection is made to the address that it has checked.
	cfg.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
	cfg.DialFunc = func(ctx context.Context, _, address string) (net.Conn, error) { return c.dial(ctx, set, address) }
	cfg.OnNotice, cfg.OnNotification = func(*pgconn.PgConn, *pgconn.Notice) {}, func(*pgconn.PgConn, *pgconn.Notification) {}
	cfg.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: cancelWait}
	}
	return cfg
}

// dial connects to the host that was entered; or, to cancel a statement, to the address of
// the connection.
func (c *Connector) dial(ctx context.Context, set *settings, address string) (net.Conn, error) {
	if to, err := netip.ParseAddrPort(address); err == nil && to.Addr().String() != set.Host {
		return set.DialAgain(ctx, c.config.Guard, to)
	}
	return set.Dial(ctx, c.config.Guard)
}

// begin starts the transaction and sets its limits. They end with it, so that they do not
// affect other clients to which a pooler gives the server's session.
func (s *session) begin(ctx context.Context, deadline time.Duration) error {
	if err := s.run(ctx, "BEGIN TRANSACTION READ ONLY"); err != nil {
		return err
	}
	path := make([]string, len(s.settings.schemas))
	for i, schema := range s.settings.schemas {
		path[i] = sqltext.QuoteName(schema)
	}
	_, err := s.rows(ctx, `SELECT set_config('search_path', $1, true),
		set_config('statement_timeout', $2, true), set_config('lock_timeout', $3, true),
		set_config('idle_in_transaction_session_timeout', $2, true), set_config('extra_float_digits', '1', true),
		set_config('intervalstyle', 'iso_8601', true), set_config('bytea_output', 'hex', true)`,
		strings.Join(path, ", "), millis(deadline), millis(lockWait))
	return err
}

func millis(d time.Duration) string { return strconv.FormatInt(max(d.Milliseconds(), 1), 10) }

// Identity is SQL that identifies a database independently of its address: the number of
// its cluster, which a copy shares, and the database's own number in the cluster.
const Identity = `SELECT (SELECT system_identifier FROM pg_control_system())::text || '/' ||
	(SELECT oid FROM pg_database WHERE datname = current_database())::text`

// refuse returns an error for what must not be queried: the product's own database,
// superusers, and roles that could access files or programs of the server.
func (c *Connector) refuse(ctx context.Context, s *session) error {
	if c.config.OwnDatabase != nil {
		own, err := c.config.OwnDatabase(ctx)
		if err != nil {
			return err
		}
		rows, err := s.rows(ctx, Identity)
		if err != nil {
			return err
		}
		if own == text(rows[0][0]) {
			return domain.Invalid("params."+domain.ParamDatabase, "This is the database of Parley itself, which cannot be a connector.")
		}
	}
	rows, err := s.rows(ctx, `SELECT r.rolname FROM pg_roles r WHERE (r.rolsuper AND r.rolname IN (current_user, session_user))
		OR (r.rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
			AND (pg_has_role(current_user, r.oid, 'MEMBER') OR pg_has_role(session_user, r.oid, 'MEMBER')))
		ORDER BY r.rolsuper DESC, 1 LIMIT 1`)
	if err != nil || len(rows) == 0 {
		return err
	}
	if role := text(rows[0][0]); strings.HasPrefix(role, "pg_") {
		return domain.Invalid("params."+domain.ParamUser,
			"This user is a member of "+role+", and could reach files or programs of the server. Please enter one that can only read tables.")
	}
	return domain.Invalid("params."+domain.ParamUser, "This user is a superuser of the server. Please enter one that can only read tables.")
}

// Check refuses schemas that do not exist or may not be used: later that would not be noticed.
func (s *session) Check(ctx context.Context) error {
	rows, err := s.rows(ctx, `SELECT want FROM unnest($1::text[]) WITH ORDINALITY AS w (want, place)
		WHERE NOT EXISTS (SELECT FROM pg_namespace n WHERE n.nspname = want AND has_schema_privilege(n.oid, 'USAGE'))
		ORDER BY place LIMIT 1`, array(s.settings.schemas))
	if err != nil || len(rows) == 0 {
		return err
	}
	return domain.Invalid("params."+domain.ParamSchemas,
		fmt.Sprintf("There is no schema %s, or the user may not use it.", domain.Shorten(text(rows[0][0]), 63)))
}

// run executes a statement of this package that returns no rows.
func (s *session) run(ctx context.Context, sql string) error {
	return s.conn.ExecParams(ctx, sql, nil, nil, nil, nil).Read().Err
}

// rows executes a statement of this package and returns its rows; a nil cell is NULL.
func (s *session) rows(ctx context.Context, sql string, args ...string) ([][][]byte, error) {
	values := make([][]byte, len(args))
	for i, a := range args {
		values[i] = []byte(a)
	}
	result := s.conn.ExecParams(ctx, sql, values, nil, nil, nil).Read()
	return result.Rows, result.Err
}

// Fault implements connectors.RemoteSession.
func (s *session) Fault(err error) error { return faultOf(err) }

// Close ends the transaction and the connection. It notifies the server even if the context
// has ended.
func (s *session) Close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWait)
	defer cancel()
	_ = s.conn.Close(ctx) // the server notices by itself, too
}

func text(cell []byte) string { return string(cell) }

// array writes texts as an array of PostgreSQL.
func array(texts []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = `"` + escape.Replace(t) + `"`
	}
	return "{" + strings.Join(out, ",") + "}"
}
