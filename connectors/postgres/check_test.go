package postgres_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/postgres"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/egress"
	"parley.dev/parley/persistence/embedded/embeddedtest"
)

// fieldOf returns the field that an error names.
func fieldOf(t *testing.T, err error) string {
	t.Helper()
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, domain.CodeInvalid, e.Code, "%v", err)
	if len(e.Fields) == 0 {
		return ""
	}
	return e.Fields[0].Field
}

func TestCheck(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.connector.Check(t.Context(), b.access))
	})
	t.Run("ErrSuperuser", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		name := b.access.Params[domain.ParamUser]
		admin(t, "postgres", "ALTER ROLE "+name+" SUPERUSER")
		err := b.connector.Check(t.Context(), b.access)
		require.Equal(t, "params.user", fieldOf(t, err))
		require.ErrorContains(t, err, "superuser")
		_, err = b.query(t, "SELECT 1")
		require.ErrorContains(t, err, "superuser", "the role may have become a superuser since")
	})
	for _, group := range []string{"pg_read_server_files", "pg_write_server_files", "pg_execute_server_program"} {
		t.Run("ErrMemberOf_"+group, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			admin(t, "postgres", "GRANT "+group+" TO "+b.access.Params[domain.ParamUser])
			err := b.connector.Check(t.Context(), b.access)
			require.Equal(t, "params.user", fieldOf(t, err))
			require.ErrorContains(t, err, group)
		})
	}
	t.Run("ErrNoSchema", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		err := b.connector.Check(t.Context(), b.with(domain.ParamSchemas, "public,absent"))
		require.Equal(t, "params.schemas", fieldOf(t, err))
		require.ErrorContains(t, err, "absent")
	})
	t.Run("ErrNoDatabase", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.Equal(t, "params.database", fieldOf(t, b.connector.Check(t.Context(), b.with(domain.ParamDatabase, "absent"))))
	})
	t.Run("ErrNoUser", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.Equal(t, "secret", fieldOf(t, b.connector.Check(t.Context(), b.with(domain.ParamUser, "absent"))))
	})
	t.Run("ErrNobodyListens", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		port := listener.Addr().(*net.TCPAddr).Port
		require.NoError(t, listener.Close())
		b.connector = postgres.New(postgres.Config{Guard: guard(t, uint16(port))})
		err = b.connector.Check(t.Context(), b.with(domain.ParamPort, strconv.Itoa(port)))
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
	})
	t.Run("ErrNoPostgres", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			conn, err := listener.Accept()
			if err == nil {
				_, _ = conn.Write([]byte("SSH-2.0-OpenSSH_9.2 canary-banner\r\n"))
				_ = conn.Close()
			}
		}()
		port := listener.Addr().(*net.TCPAddr).Port
		b.connector = postgres.New(postgres.Config{Guard: guard(t, uint16(port))})
		err = b.connector.Check(t.Context(), b.with(domain.ParamPort, strconv.Itoa(port)))
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
		require.NotContains(t, messageOf(t, err), "canary", "the text of another service is never shown")
	})
}

func known(identity string, err error) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return identity, err }
}

// messageOf returns the text of an error that people see.
func messageOf(t *testing.T, err error) string {
	t.Helper()
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	return e.Message
}

// The product's own database is refused under every address.
func TestCheck_OwnDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn := connect(t, b.url)
	var identity string
	require.NoError(t, conn.QueryRow(t.Context(), postgres.Identity).Scan(&identity))
	t.Run("G09 own database", func(t *testing.T) {
		c := postgres.New(postgres.Config{Guard: guard(t, b.port), OwnDatabase: known(identity, nil)})
		err := c.Check(t.Context(), b.access)
		require.Equal(t, "params.database", fieldOf(t, err))
		require.ErrorContains(t, err, "Parley itself")
		_, err = c.Query(t.Context(), b.access, "SELECT 1", connectors.Caps{})
		require.ErrorContains(t, err, "Parley itself")
	})
	t.Run("AnotherDatabaseOfTheServer", func(t *testing.T) {
		c := postgres.New(postgres.Config{Guard: guard(t, b.port), OwnDatabase: known(identity+"1", nil)})
		require.NoError(t, c.Check(t.Context(), b.access))
	})
	t.Run("UnknownIsRefused", func(t *testing.T) {
		c := postgres.New(postgres.Config{Guard: guard(t, b.port), OwnDatabase: known("", errors.New("away"))})
		require.Error(t, c.Check(t.Context(), b.access))
	})
}

// An entry of a form is only ever used as a value.
func TestCheck_Params(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, row := range []struct{ name, param, value, field string }{
		{"G05 user in the host", domain.ParamHost, "good@127.0.0.1", "params.host"},
		{"G05 URL", domain.ParamHost, "postgres://127.0.0.1", "params.host"},
		{"G05 backslash", domain.ParamHost, `127.0.0.1\@good`, "params.host"},
		{"G05 line break", domain.ParamHost, "127.0.0.1\r\nhost: x", "params.host"},
		{"G05 port in the host", domain.ParamHost, "127.0.0.1:5432", "params.host"},
		{"G07 socket file", domain.ParamHost, "/var/run/postgresql", "params.host"},
		{"G07 several hosts", domain.ParamHost, "127.0.0.1,db", "params.host"},
		{"G07 options", "options", "-c session_preload_libraries=x", "params.options"},
		{"G07 sslrootcert", "sslrootcert", "/etc/passwd", "params.sslrootcert"},
		{"G07 passfile", "passfile", "/root/.pgpass", "params.passfile"},
		{"G07 service", "service", "x", "params.service"},
		{"G07 sslmode", "sslmode", "disable", "params.sslmode"},
		{"G07 the secret among the others", domain.ParamCredentials, "x", "params.password"},
		{"G07 no encryption", domain.ParamTLS, "disable", "params.tls"},
		{"PortWithSign", domain.ParamPort, "+5432", "params.port"},
		{"PortTooLarge", domain.ParamPort, "65536", "params.port"},
		{"ManySchemas", domain.ParamSchemas, strings.Repeat("s,", 10) + "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,t,u", "params.schemas"},
		{"NoCertificate", domain.ParamAuthority, "/etc/passwd", "params.certificateAuthority"},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.field, fieldOf(t, b.connector.Check(t.Context(), b.with(row.param, row.value))))
		})
	}
	t.Run("G07 values that would be options in a string", func(t *testing.T) {
		for _, param := range []string{domain.ParamDatabase, domain.ParamUser} {
			err := b.connector.Check(t.Context(), b.with(param, "x options='-c x' host=/tmp sslmode=disable"))
			require.Contains(t, []string{"params.database", "secret"}, fieldOf(t, err), "it is the name of a database or a user that does not exist")
		}
	})
	t.Run("ErrNoSecret", func(t *testing.T) {
		a := b.access
		a.Secret = ""
		require.Equal(t, "secret", fieldOf(t, b.connector.Check(t.Context(), a)))
	})
}

func TestCheck_Encryption(t *testing.T) {
	t.Parallel()
	authority, key := newAuthority(t)
	stranger, strangerKey := newAuthority(t)
	b := setup(t)
	// checks connects to a server with a certificate for a name.
	checks := func(t *testing.T, signer *x509.Certificate, signerKey *ecdsa.PrivateKey, name, trusted string) error {
		t.Helper()
		port := embeddedtest.TCP(t, b.url, &tls.Config{Certificates: []tls.Certificate{newCertificate(t, signer, signerKey, name)}})
		rules, err := egress.ParseRules("127.0.0.1:" + strconv.Itoa(int(port)))
		require.NoError(t, err)
		a := b.with(domain.ParamTLS, domain.TLSVerify)
		a.Params[domain.ParamPort] = strconv.Itoa(int(port))
		a.Params[domain.ParamAuthority] = trusted
		return postgres.New(postgres.Config{Guard: egress.New(egress.Config{Allow: rules})}).Check(t.Context(), a)
	}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, checks(t, authority, key, "127.0.0.1", pemOf(authority)))
	})
	t.Run("G12 unknown authority", func(t *testing.T) {
		t.Parallel()
		err := checks(t, stranger, strangerKey, "127.0.0.1", pemOf(authority))
		require.Equal(t, "params.tls", fieldOf(t, err))
	})
	t.Run("G12 certificate of another host", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "params.tls", fieldOf(t, checks(t, authority, key, "127.0.0.2", pemOf(authority))))
	})
	t.Run("G12 not signed by a public authority", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "params.tls", fieldOf(t, checks(t, authority, key, "127.0.0.1", "")))
	})
	t.Run("G07 server without encryption", func(t *testing.T) {
		t.Parallel()
		err := b.connector.Check(t.Context(), b.with(domain.ParamTLS, domain.TLSVerify))
		require.Equal(t, "params.tls", fieldOf(t, err))
		require.ErrorContains(t, err, "does not offer")
	})
	t.Run("G07 plain without an operator's word", func(t *testing.T) {
		t.Parallel()
		rules, err := egress.ParseRules("127.0.0.1:" + strconv.Itoa(int(b.port)))
		require.NoError(t, err)
		err = postgres.New(postgres.Config{Guard: egress.New(egress.Config{Allow: rules})}).Check(t.Context(), b.access)
		require.Equal(t, "params.tls", fieldOf(t, err))
		require.ErrorContains(t, err, "administrator")
	})
	t.Run("CancelIsEncryptedToo", func(t *testing.T) {
		t.Parallel()
		port := embeddedtest.TCP(t, b.url, &tls.Config{Certificates: []tls.Certificate{newCertificate(t, authority, key, "127.0.0.1")}})
		rules, err := egress.ParseRules("127.0.0.1:" + strconv.Itoa(int(port)))
		require.NoError(t, err)
		own := setup(t)
		a := own.with(domain.ParamTLS, domain.TLSVerify)
		a.Params[domain.ParamPort], a.Params[domain.ParamAuthority] = strconv.Itoa(int(port)), pemOf(authority)
		c := postgres.New(postgres.Config{Guard: egress.New(egress.Config{Allow: rules})})
		_, err = c.Query(t.Context(), a, "SELECT pg_sleep(600)", connectors.Caps{Deadline: 2 * time.Second})
		require.Error(t, err)
		own.goneFromServer(t)
	})
}

// The secret is in no error and in no text of an Access.
func TestSecretIsNowhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const canary = "canary-of-the-secret"
	for name, a := range map[string]connectors.Access{
		"G13 no such user":   b.with(domain.ParamUser, "absent"),
		"G13 wrong host":     b.with(domain.ParamHost, "10.0.0.1"),
		"G13 wrong port":     b.with(domain.ParamPort, "1025"),
		"G13 no encryption":  b.with(domain.ParamTLS, domain.TLSVerify),
		"G13 no database":    b.with(domain.ParamDatabase, "absent"),
		"G13 wrong name":     b.with("canary", "x"),
		"G13 half a key":     b.access,
		"G13 password fault": b.access,
	} {
		t.Run(name, func(t *testing.T) {
			a.Secret = canary
			if name == "G13 half a key" {
				a.Secret = "-----BEGIN PRIVATE KEY-----\n" + canary
			}
			if name == "G13 password fault" {
				a.Secret = canary + "\x00"
			}
			err := b.connector.Check(t.Context(), a)
			require.Error(t, err)
			require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), canary)
			require.NotContains(t, fmt.Sprintf("%v %+v", a, &a), canary)
		})
	}
}

func newAuthority(t *testing.T) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotAfter: clock.System{}.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(raw)
	require.NoError(t, err)
	return certificate, key
}

func newCertificate(t *testing.T, authority *x509.Certificate, authorityKey *ecdsa.PrivateKey, address string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "server"}, NotAfter: clock.System{}.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.ParseIP(address)}, KeyUsage: x509.KeyUsageDigitalSignature,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, authority, key.Public(), authorityKey)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}
}

func pemOf(c *x509.Certificate) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}))
}
