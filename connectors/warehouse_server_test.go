package connectors_test

import (
	"context"
	"crypto/tls"
	"errors"
	"maps"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// TestServerOf has what is special to the secret and to TLS; warehousetest has the other entries.
func TestServerOf(t *testing.T) {
	t.Parallel()
	access := func(secret string, change domain.DataSourceParams) connectors.Access {
		a := connectors.Access{Params: domain.DataSourceParams{
			domain.ParamHost: "DB.example", domain.ParamDatabase: "d", domain.ParamUser: "u",
		}, Secret: secret}
		maps.Copy(a.Params, change)
		return a
	}
	s, err := connectors.ServerOf(domain.DataSourcePostgres, access("word", nil))
	require.NoError(t, err)
	require.Equal(t, "db.example", s.Host)
	require.Equal(t, uint16(5432), s.Port, "the default of the kind")
	require.NoError(t, s.UseCertificate())
	require.Equal(t, "word", s.Password)
	c := s.TLS()
	require.Equal(t, "db.example", c.ServerName)
	require.GreaterOrEqual(t, c.MinVersion, uint16(tls.VersionTLS12))
	require.False(t, c.InsecureSkipVerify)
	require.Nil(t, c.RootCAs, "the machine's authorities")

	const half = "-----BEGIN PRIVATE KEY-----\ncanary"
	for _, tlsMode := range []string{domain.TLSVerify, domain.TLSPlain} {
		s, err = connectors.ServerOf(domain.DataSourcePostgres, access(half, domain.DataSourceParams{domain.ParamTLS: tlsMode}))
		require.NoError(t, err)
		require.Equal(t, tlsMode == domain.TLSPlain, s.TLS() == nil)
		err = s.UseCertificate()
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		require.NotContains(t, err.Error(), "canary")
	}
	for _, wrong := range []connectors.Access{
		access("", nil), access("a\x00b", nil), access("x", domain.DataSourceParams{domain.ParamAuthority: "no certificate"}),
		access("x", domain.DataSourceParams{domain.ParamHost: "2130706433"}),
	} {
		_, err := connectors.ServerOf(domain.DataSourcePostgres, wrong)
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
	}
}

func TestCells(t *testing.T) {
	t.Parallel()
	require.Equal(t, int64(math.MinInt64), connectors.IntegerCell([]byte("-9223372036854775808")))
	require.InEpsilon(t, 1e19, connectors.IntegerCell([]byte("10000000000000000000")), 1e-9)
	require.InEpsilon(t, 1.25, connectors.NumberCell([]byte("1.25")), 1e-9)
	for _, none := range []string{"NaN", "Infinity", "-Infinity", "x", ""} {
		require.Nil(t, connectors.NumberCell([]byte(none)), none)
	}
	require.Equal(t, int64(0), connectors.Whole(nil))
	require.InDelta(t, -0.5, connectors.Fraction([]byte("-0.5")), 1e-9)
	require.Equal(t, `"a""b"`, sqltext.QuoteName(`a"b`))
	require.Equal(t, `"s"."t"`, (&connectors.Relation{Schema: "s", Name: "t"}).SQL())
	require.Equal(t, `"t"`, (&connectors.Relation{Name: "t"}).SQL())
}

// visit is a session that only counts what is done with it.
type visit struct {
	connectors.RemoteSession
	closed int
	fail   error
}

func (v *visit) Check(context.Context) error { return v.fail }

func (v *visit) Query(context.Context, string, connectors.Caps) (*domain.ResultSet, error) {
	return &domain.ResultSet{}, v.fail
}

func (v *visit) Close(context.Context) { v.closed++ }

func (v *visit) Fault(err error) error {
	return domain.Errorf(domain.CodeUnavailable, "fault of %s", err)
}

// TestRemote has a session for each call, which is closed, and errors that are for people.
func TestRemote(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	v := &visit{}
	var unopened error
	var within time.Duration
	r := connectors.NewRemote(connectors.RemoteConfig{
		Type: domain.DataSourcePostgres,
		Open: func(_ context.Context, _ connectors.Access, deadline time.Duration) (connectors.RemoteSession, error) {
			within = deadline
			return v, unopened
		},
		Unopened: func(err error) error { return domain.Errorf(domain.CodeInvalid, "not opened: %s", err) },
	})
	require.NoError(t, r.Check(t.Context(), connectors.Access{}))
	require.Equal(t, 1, v.closed)
	_, err := r.Query(t.Context(), connectors.Access{}, "SELECT 1", connectors.Caps{Deadline: time.Minute})
	require.NoError(t, err)
	require.Equal(t, time.Minute, within)
	v.fail = broken
	_, err = r.Describe(t.Context(), connectors.Access{})
	require.ErrorContains(t, err, "fault of broken", "a description is refused as a check is")
	require.Equal(t, 3, v.closed)
	unopened = broken
	require.ErrorContains(t, r.Check(t.Context(), connectors.Access{}), "not opened: broken")
	require.Equal(t, 3, v.closed, "what was not opened is not closed")
	require.Panics(t, func() { connectors.NewRemote(connectors.RemoteConfig{}) })
}
