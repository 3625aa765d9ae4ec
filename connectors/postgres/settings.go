package postgres

// Settings of a connection: what the person entered and what their secret is. Everything is checked
// here, before an address is resolved or a connection is opened. A secret is a password, or a
// certificate with its key in PEM.

import (
	"crypto/tls"
	"crypto/x509"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/egress"
)

const (
	schemasMax = 20
	fieldHost  = "params." + domain.ParamHost
)

// settings is what a person entered, checked.
type settings struct {
	host     string
	port     uint16
	database string
	user     string
	schemas  []string
	plain    bool
	// authorities are those that the person entered; nil means the machine's.
	authorities *x509.CertPool
	// password is empty if the secret is a certificate with its key.
	password    string
	certificate *tls.Certificate
}

// settingsOf checks an Access. It returns CodeInvalid with the fields.
func settingsOf(a connectors.Access) (*settings, error) {
	kind := domain.DataSourcePostgres.Kind()
	params, err := kind.CheckParams(a.Params)
	if err != nil {
		return nil, err
	}
	if err := kind.CheckSecret(a.Secret); err != nil {
		return nil, err
	}
	// The form of the host is checked here; whether it may be reached is decided when its address
	// is known (internal/egress).
	if err := egress.Host(fieldHost, params[domain.ParamHost]); err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(params[domain.ParamPort], 10, 16)
	if err != nil {
		return nil, domain.Internal(err, "read a port that was checked")
	}
	s := &settings{
		host: strings.ToLower(params[domain.ParamHost]), port: uint16(port), database: params[domain.ParamDatabase],
		user: params[domain.ParamUser], plain: params[domain.ParamTLS] == domain.TLSPlain, password: a.Secret,
	}
	// The order of the schemas is that of the search path, so duplicates are removed and the order
	// stays.
	for name := range strings.SplitSeq(params[domain.ParamSchemas], ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(s.schemas, name) {
			s.schemas = append(s.schemas, name)
		}
	}
	if len(s.schemas) == 0 || len(s.schemas) > schemasMax {
		return nil, domain.Invalid("params."+domain.ParamSchemas, "Please enter from 1 to "+strconv.Itoa(schemasMax)+" schemas")
	}
	return s, s.readKeys(params[domain.ParamAuthority])
}

// readKeys reads what is in PEM: an authority, and a client's certificate with its key.
func (s *settings) readKeys(authority string) error {
	if authority != "" {
		s.authorities = x509.NewCertPool()
		if !s.authorities.AppendCertsFromPEM([]byte(authority)) {
			return domain.Invalid("params."+domain.ParamAuthority, "Please enter a certificate in PEM")
		}
	}
	// The secret decides itself what it is.
	if !strings.HasPrefix(strings.TrimSpace(s.password), "-----BEGIN ") {
		if strings.ContainsRune(s.password, 0) {
			return domain.Invalid("secret", "The password contains characters that are not allowed")
		}
		return nil
	}
	// Without encryption there is no certificate that could be checked.
	if s.plain {
		return domain.Invalid("secret", "A certificate needs an encrypted connection")
	}
	// The library's error may quote what it read.
	pair, err := tls.X509KeyPair([]byte(s.password), []byte(s.password))
	if err != nil {
		return domain.Invalid("secret", "Please enter a certificate and its private key, both in PEM and without a password")
	}
	s.password, s.certificate = "", &pair
	return nil
}

// tls is nil for a plain connection.
func (s *settings) tls() *tls.Config {
	if s.plain {
		return nil
	}
	// The name of the server is verified, and TLS 1.2 is the oldest version.
	c := &tls.Config{ServerName: s.host, RootCAs: s.authorities, MinVersion: tls.VersionTLS12}
	if s.certificate != nil {
		c.Certificates = []tls.Certificate{*s.certificate}
	}
	return c
}
