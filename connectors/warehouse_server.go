package connectors

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/egress"
)

// Server is the server of a warehouse and who signs in to it: what a person entered, checked
// before an address is resolved or a connection is opened.
type Server struct {
	// Params are all parameters, with the defaults of the kind.
	Params         domain.DataSourceParams
	Host           string // in lower case
	Port           uint16
	Database, User string
	// Password is the secret; UseCertificate empties it.
	Password string
	// Plain is true if the connection is not encrypted.
	Plain bool
	// authorities are those that the person entered; nil means the machine's.
	authorities *x509.CertPool
	certificate *tls.Certificate
}

// ServerOf checks an Access to a kind with the parameters that every server has
// (domain.ParamHost and the others). It returns CodeInvalid with the fields.
func ServerOf(kind domain.DataSourceType, a Access) (*Server, error) {
	k := kind.Kind()
	params, err := k.CheckParams(a.Params)
	if err != nil {
		return nil, err
	}
	if err := k.CheckSecret(a.Secret); err != nil {
		return nil, err
	}
	// Protocols write passwords as texts that end with a zero.
	if strings.ContainsRune(a.Secret, 0) {
		return nil, domain.Invalid("secret", "The password contains characters that are not allowed")
	}
	// The form of the host is checked here; whether it may be reached is decided when its address
	// is known (internal/egress).
	if err := egress.Host(egress.FieldHost, params[domain.ParamHost]); err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(params[domain.ParamPort], 10, 16)
	if err != nil {
		return nil, domain.Internal(err, "read a port that was checked")
	}
	s := &Server{
		Params: params, Host: strings.ToLower(params[domain.ParamHost]), Port: uint16(port), Database: params[domain.ParamDatabase],
		User: params[domain.ParamUser], Password: a.Secret, Plain: params[domain.ParamTLS] == domain.TLSPlain,
	}
	if authority := params[domain.ParamAuthority]; authority != "" {
		s.authorities = x509.NewCertPool()
		if !s.authorities.AppendCertsFromPEM([]byte(authority)) {
			return nil, domain.Invalid("params."+domain.ParamAuthority, "Please enter a certificate in PEM")
		}
	}
	return s, nil
}

// UseCertificate makes a client certificate of a secret that is one, with its key in PEM. A
// password stays a password. Only a kind whose database accepts client certificates calls it.
// It returns CodeInvalid for a certificate that cannot be used.
func (s *Server) UseCertificate() error {
	// The secret decides itself what it is.
	if !strings.HasPrefix(strings.TrimSpace(s.Password), "-----BEGIN ") {
		return nil
	}
	// Without encryption there is no certificate that could be checked.
	if s.Plain {
		return domain.Invalid("secret", "A certificate needs an encrypted connection")
	}
	// The library's error may quote what it read.
	pair, err := tls.X509KeyPair([]byte(s.Password), []byte(s.Password))
	if err != nil {
		return domain.Invalid("secret", "Please enter a certificate and its private key, both in PEM and without a password")
	}
	s.Password, s.certificate = "", &pair
	return nil
}

// TLS returns the settings of an encrypted connection; nil for a plain one.
func (s *Server) TLS() *tls.Config {
	if s.Plain {
		return nil
	}
	// The name of the server is verified, and TLS 1.2 is the oldest version.
	c := &tls.Config{ServerName: s.Host, RootCAs: s.authorities, MinVersion: tls.VersionTLS12}
	if s.certificate != nil {
		c.Certificates = []tls.Certificate{*s.certificate}
	}
	return c
}

// Dial connects to the server. A connection that will be plain is refused before anything is
// sent, unless an operator permits it. It returns the errors of egress.Guard.Dial.
func (s *Server) Dial(ctx context.Context, g *egress.Guard) (net.Conn, error) {
	return g.Dial(ctx, s.Host, s.Port, s.Plain)
}

// DialAgain makes a second connection to the address of a first one, for example to cancel a
// statement there. The name of the host could have another address by then.
func (s *Server) DialAgain(ctx context.Context, g *egress.Guard, to netip.AddrPort) (net.Conn, error) {
	return g.DialAddress(ctx, s.Host, to, s.Plain)
}
