// Package warehousetest has the test that every connectors.Warehouse passes, against a real server
// or against a fake one that speaks its protocol.
package warehousetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/egress"
)

// patience is how long anything may take before the test gives up on it.
const patience = 30 * time.Second

// Database is a database of a test on the loopback interface of this machine, without encryption.
type Database struct {
	// New makes the warehouse; atOnce is how many calls it runs at once, 0 its default.
	New func(guard *egress.Guard, atOnce int) connectors.Warehouse
	// Access is of a user who may read a table, and nothing else.
	Access connectors.Access
	// Privileged is of a user whom the kind refuses, because they may do more than read tables.
	Privileged connectors.Access
	// Rows is a statement that returns rows with one text of that many bytes each.
	Rows func(rows, bytes int) string
	// Columns is a statement that returns one row with that many columns.
	Columns func(columns int) string
	// Slow is a statement that runs for at least ten minutes.
	Slow string
	// Wrong is a statement that the engine refuses with a message about it.
	Wrong string
	// Changes are statements that are no queries, or do more than read, by their names. The user
	// of Access has the rights that they need, so that only the session forbids them.
	Changes map[string]string
	// Running counts the statements of Access's user that run in the database.
	Running func(t *testing.T) int
}

// Run checks what every warehouse must obey. open makes a database of its own for each call.
func Run(t *testing.T, open func(t *testing.T) *Database) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, *Database){
		"OK": works, "Limits": limits, "Deadline": deadline, "Cancel": cancels, "TooMany": tooMany, "OnlyReads": onlyReads,
		"ClosedAddresses": addresses, "Plain": plain, "Params": params, "WithoutCheck": withoutCheck, "Secret": secret,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, open(t))
		})
	}
}

// guard permits what the lists of an operator say; "*" stands for the database of the test.
func (d *Database) guard(t *testing.T, allow, deny, plain string) *egress.Guard {
	t.Helper()
	rules := func(list string) []egress.Rule {
		if list == "*" {
			list = net.JoinHostPort(d.Access.Params[domain.ParamHost], d.Access.Params[domain.ParamPort])
		}
		out, err := egress.ParseRules(list)
		require.NoError(t, err)
		return out
	}
	return egress.New(egress.Config{Allow: rules(allow), Deny: rules(deny), Plain: rules(plain)})
}

// warehouse may reach the database.
func (d *Database) warehouse(t *testing.T) connectors.Warehouse {
	t.Helper()
	return d.New(d.guard(t, "*", "", "*"), 0)
}

// with returns the access with one parameter changed.
func (d *Database) with(name, value string) connectors.Access {
	a := connectors.Access{Params: maps.Clone(d.Access.Params), Secret: d.Access.Secret}
	a.Params[name] = value
	return a
}

// calls are all calls of a warehouse that reach its database.
func (d *Database) calls(ctx context.Context, w connectors.Warehouse, a connectors.Access) map[string]error {
	_, described := w.Describe(ctx, a)
	_, queried := w.Query(ctx, a, d.Rows(1, 1), connectors.Caps{})
	return map[string]error{"Check": w.Check(ctx, a), "Describe": described, "Query": queried}
}

// invalid requires that every call names one field in its error.
func invalid(t *testing.T, calls map[string]error, field string) {
	t.Helper()
	for name, err := range calls {
		var e *domain.Error
		require.ErrorAs(t, err, &e, name)
		require.Equal(t, domain.CodeInvalid, e.Code, "%s: %v", name, err)
		require.NotEmpty(t, e.Fields, "%s: %v", name, err)
		require.Equal(t, field, e.Fields[0].Field, "%s: %v", name, err)
	}
}

// works has what a warehouse answers, so that no other test passes because nothing works.
func works(t *testing.T, d *Database) {
	t.Helper()
	w := d.warehouse(t)
	kind := w.Type().Kind()
	require.NotEmpty(t, kind.Params, "a connection can be entered")
	require.NotEmpty(t, kind.Dialect)
	for name, err := range d.calls(t.Context(), w, d.Access) {
		require.NoError(t, err, name)
	}
	described, err := w.Describe(t.Context(), d.Access)
	require.NoError(t, err)
	require.NotEmpty(t, described.Text)
	for _, r := range described.Resources {
		require.NotEmpty(t, r.Table)
		require.NotEmpty(t, r.Columns)
	}
	got, err := w.Query(t.Context(), d.Access, d.Rows(3, 5), connectors.Caps{})
	require.NoError(t, err)
	require.Len(t, got.Columns, 1)
	require.Len(t, got.Rows, 3)
	require.Len(t, got.Rows[0][0], 5)
	require.False(t, got.Truncated)
	require.Positive(t, got.Elapsed)
}

// limits has the limits of a result.
func limits(t *testing.T, d *Database) {
	t.Helper()
	w := d.warehouse(t)
	ask := func(sql string, caps connectors.Caps) *domain.ResultSet {
		got, err := w.Query(t.Context(), d.Access, sql, caps)
		require.NoError(t, err)
		return got
	}
	got := ask(d.Rows(1200, 1), connectors.Caps{Rows: 1200})
	require.Len(t, got.Rows, 1200)
	require.False(t, got.Truncated, "exactly the rows that are allowed")
	got = ask(d.Rows(1201, 1), connectors.Caps{Rows: 1200})
	require.Len(t, got.Rows, 1200)
	require.True(t, got.Truncated)
	got = ask(d.Rows(100, 1000), connectors.Caps{Bytes: 10_500})
	require.Len(t, got.Rows, 10)
	require.True(t, got.Truncated)
	got = ask(d.Rows(1, connectors.MaxCell+1), connectors.Caps{})
	require.Len(t, got.Rows[0][0], connectors.MaxCell)
	require.True(t, got.Truncated)
	require.Eventually(t, func() bool { return d.Running(t) == 0 }, patience, 10*time.Millisecond, "what is not read any more is ended")

	_, err := w.Query(t.Context(), d.Access, d.Columns(connectors.MaxColumns+1), connectors.Caps{})
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%v", err)
	_, err = w.Query(t.Context(), d.Access, d.Rows(1, 1)+strings.Repeat(" ", 64<<10), connectors.Caps{})
	require.ErrorContains(t, err, "longer than 64 kB")
}

// deadline has a statement that takes too long, and is gone from the database as well.
func deadline(t *testing.T, d *Database) {
	t.Helper()
	_, err := d.warehouse(t).Query(t.Context(), d.Access, d.Slow, connectors.Caps{Deadline: 2 * time.Second})
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%v", err)
	require.Eventually(t, func() bool { return d.Running(t) == 0 }, patience, 10*time.Millisecond, "the statement still runs")
}

// start runs the slow statement until the context ends, and returns when it runs.
func (d *Database) start(ctx context.Context, t *testing.T, w connectors.Warehouse) <-chan error {
	t.Helper()
	ended := make(chan error, 1)
	go func() {
		_, err := w.Query(ctx, d.Access, d.Slow, connectors.Caps{Deadline: 10 * time.Minute})
		ended <- err
	}()
	require.Eventually(t, func() bool { return d.Running(t) > 0 }, patience, 10*time.Millisecond)
	return ended
}

// cancels has a caller who goes away: the statement is gone from the database as well.
func cancels(t *testing.T, d *Database) {
	t.Helper()
	gone := errors.New("the caller is gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	ended := d.start(ctx, t, d.warehouse(t))
	cancel(gone)
	require.ErrorIs(t, <-ended, gone)
	require.Eventually(t, func() bool { return d.Running(t) == 0 }, patience, 10*time.Millisecond, "the statement still runs")
	// Nothing is asked for a caller who has gone before.
	for name, err := range d.calls(ctx, d.warehouse(t), d.Access) {
		require.ErrorIs(t, err, gone, name)
	}
}

// tooMany has one call more than run at once.
func tooMany(t *testing.T, d *Database) {
	t.Helper()
	w := d.New(d.guard(t, "*", "", "*"), 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := d.start(ctx, t, w)
	for name, err := range d.calls(t.Context(), w, d.Access) {
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(err), "%s: %v", name, err)
	}
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.NoError(t, w.Check(t.Context(), d.Access), "the place is free again")
}

// onlyReads has statements that are no queries.
func onlyReads(t *testing.T, d *Database) {
	t.Helper()
	w := d.warehouse(t)
	require.NotEmpty(t, d.Changes)
	for name, sql := range d.Changes {
		_, err := w.Query(t.Context(), d.Access, sql, connectors.Caps{})
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%s: %v", name, err)
	}
	_, err := w.Query(t.Context(), d.Access, d.Wrong, connectors.Caps{})
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "The database says: ", "the author of a statement sees what is wrong with it")
}

// addresses has the lists of an operator.
func addresses(t *testing.T, d *Database) {
	t.Helper()
	for name, guard := range map[string]*egress.Guard{
		"closed by default": d.guard(t, "", "", "*"), "denied": d.guard(t, "*", "*", "*"), "another port": d.guard(t, "127.0.0.1:1", "", "*"),
	} {
		t.Run(name, func(t *testing.T) {
			invalid(t, d.calls(t.Context(), d.New(guard, 0), d.Access), "params.host")
		})
	}
	t.Run("not the kind's server", func(t *testing.T) {
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		_, port, err := net.SplitHostPort(listener.Addr().String())
		require.NoError(t, err)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				_, _ = conn.Write([]byte("SSH-2.0-OpenSSH_9.2 canary-banner\r\n"))
				_ = conn.Close()
			}
		}()
		t.Cleanup(func() {
			_ = listener.Close()
			<-done
		})
		w := d.New(d.guard(t, "127.0.0.1", "", "127.0.0.1"), 0)
		a := d.with(domain.ParamPort, port)
		for name, err := range d.calls(t.Context(), w, a) {
			var e *domain.Error
			require.ErrorAs(t, err, &e, name)
			require.Equal(t, domain.CodeUnavailable, e.Code, "%s: %v", name, err)
			require.NotContains(t, e.Message, "canary", "the text of another service is never shown")
		}
	})
}

// plain has connections without encryption that nobody has permitted, and encrypted ones to a
// server without encryption.
func plain(t *testing.T, d *Database) {
	t.Helper()
	for _, list := range []string{"", "127.0.0.1:1", "other.example"} {
		invalid(t, d.calls(t.Context(), d.New(d.guard(t, "*", "", list), 0), d.Access), "params.tls")
	}
	// A server that cannot encrypt is not talked to in plain text instead.
	invalid(t, d.calls(t.Context(), d.warehouse(t), d.with(domain.ParamTLS, domain.TLSVerify)), "params.tls")
}

// params has entries of a form that are more than their value.
func params(t *testing.T, d *Database) {
	t.Helper()
	w := d.warehouse(t)
	for _, row := range []struct{ param, value, field string }{
		{domain.ParamHost, "good@127.0.0.1", "params.host"},
		{domain.ParamHost, "https://127.0.0.1", "params.host"},
		{domain.ParamHost, `127.0.0.1\@good`, "params.host"},
		{domain.ParamHost, "127.0.0.1\r\nx", "params.host"},
		{domain.ParamHost, "127.0.0.1:5432", "params.host"},
		{domain.ParamHost, "127.0.0.1,db", "params.host"},
		{domain.ParamHost, "/var/run/server.sock", "params.host"},
		{domain.ParamHost, "", "params.host"},
		{domain.ParamPort, "+5432", "params.port"},
		{domain.ParamPort, "65536", "params.port"},
		{domain.ParamTLS, "disable", "params.tls"},
		{domain.ParamAuthority, "/etc/passwd", "params." + domain.ParamAuthority},
		{"options", "x", "params.options"},
		{domain.ParamCredentials, "x", "params." + domain.ParamCredentials},
	} {
		invalid(t, map[string]error{row.param + " " + row.value: w.Check(t.Context(), d.with(row.param, row.value))}, row.field)
	}
	a := d.Access
	a.Secret = ""
	invalid(t, d.calls(t.Context(), w, a), "secret")
}

// withoutCheck has a user who may do more than read tables: each call refuses them by itself.
func withoutCheck(t *testing.T, d *Database) {
	t.Helper()
	invalid(t, d.calls(t.Context(), d.warehouse(t), d.Privileged), "params.user")
}

// secret has errors of all sorts, none of which contains the secret.
func secret(t *testing.T, d *Database) {
	t.Helper()
	const canary = "canary-of-the-secret"
	w := d.warehouse(t)
	for _, change := range [][2]string{
		{domain.ParamUser, "absent"},
		{domain.ParamDatabase, "absent"},
		{domain.ParamHost, "10.0.0.1"},
		{domain.ParamPort, "1025"},
		{domain.ParamTLS, domain.TLSVerify},
		{domain.ParamTLS, "x"},
		{"canary", "x"},
	} {
		for _, text := range []string{canary, canary + "\x00", "-----BEGIN PRIVATE KEY-----\n" + canary} {
			a := d.with(change[0], change[1])
			a.Secret = text
			for name, err := range d.calls(t.Context(), w, a) {
				require.Error(t, err, "%s %v", name, change)
				require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), canary, "%s %v", name, change)
			}
			require.NotContains(t, fmt.Sprintf("%v %+v", a, &a), canary)
		}
	}
	// A statement may be wrong as well.
	_, err := w.Query(t.Context(), d.Access, d.Wrong, connectors.Caps{})
	require.Error(t, err)
	require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), d.Access.Secret)
}
