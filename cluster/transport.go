package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"runtime/debug"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

const (
	// serverName is in every node's certificate. Nodes are distinguished by their row in the
	// membership table; the certificate only proves that a node belongs to the cluster.
	serverName = "node.parley.internal"
	// caLife is the validity of the authority, leafLife that of a node's certificate, which
	// is replaced after half of that time.
	caLife   = 10 * 365 * 24 * time.Hour
	leafLife = 90 * 24 * time.Hour
	// maxMessage is the maximum size of a message between nodes. With the library's
	// defaults, 4 MB and batches of 1,000, a larger batch breaks the connection and is
	// lost.
	maxMessage = 64 << 20
	// writerBatch keeps a batch below maxMessage.
	writerBatch = 256
	// unacknowledged is how long sent data may stay without acknowledgement before the
	// connection counts as lost, and connecting is how long it may take to connect. Both are
	// short, so that nodes reconnect soon after a failure of the network: the library's own
	// values are 20 s and 20 s.
	unacknowledged = 3 * time.Second
	connecting     = time.Second
)

// newAuthority makes the certificate authority of a cluster, PEM encoded.
func newAuthority(now time.Time) (certPEM, keyPEM []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, domain.Internal(err, "make the cluster's key")
	}
	tmpl := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "Parley cluster authority"},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.Add(caLife),
		IsCA:                  true,
		BasicConstraintsValid: true,
		MaxPathLenZero:        true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		return nil, nil, domain.Internal(err, "sign the cluster's certificate")
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, domain.Internal(err, "encode the cluster's key")
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}), nil
}

// issuer makes this node's certificates from the cluster's authority.
type issuer struct {
	authority *x509.Certificate
	key       any
	pool      *x509.CertPool
	clock     clock.Clock

	// mu guards leaf, which is read and renewed by handshakes on any goroutine.
	mu   sync.Mutex
	leaf *tls.Certificate
}

func newIssuer(certPEM, keyPEM []byte, c clock.Clock) (*issuer, error) {
	certBlock, _ := pem.Decode(certPEM)
	keyBlock, _ := pem.Decode(keyPEM)
	if certBlock == nil || keyBlock == nil {
		return nil, domain.Errorf(domain.CodeInternal, "the cluster's authority is not PEM")
	}
	cert, err := x509.ParseCertificate(certBlock.Bytes)
	if err != nil {
		return nil, domain.Internal(err, "read the cluster's certificate")
	}
	key, err := x509.ParsePKCS8PrivateKey(keyBlock.Bytes)
	if err != nil {
		return nil, domain.Internal(err, "read the cluster's key")
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return &issuer{authority: cert, key: key, pool: pool, clock: c}, nil
}

// certificate returns the node's certificate, and replaces it after half of its validity.
func (i *issuer) certificate() (*tls.Certificate, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	now := i.clock.Now()
	if i.leaf != nil && now.Before(i.leaf.Leaf.NotAfter.Add(-leafLife/2)) {
		return i.leaf, nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, domain.Internal(err, "make the node's key")
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, domain.Internal(err, "draw a serial number")
	}
	tmpl := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: "Parley node"},
		DNSNames:     []string{serverName},
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.Add(leafLife),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, i.authority, &key.PublicKey, i.key)
	if err != nil {
		return nil, domain.Internal(err, "sign the node's certificate")
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, domain.Internal(err, "read the node's certificate")
	}
	i.leaf = &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
	return i.leaf, nil
}

// server and client are the two sides of mutual TLS: each presents a certificate of the
// cluster's authority and accepts only such a certificate.
func (i *issuer) server() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS13,
		ClientAuth:     tls.RequireAndVerifyClientCert,
		ClientCAs:      i.pool,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return i.certificate() },
	}
}

func (i *issuer) client() *tls.Config {
	return &tls.Config{
		MinVersion:           tls.VersionTLS13,
		RootCAs:              i.pool,
		ServerName:           serverName,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return i.certificate() },
	}
}

// serverOptions protect the remote's gRPC server: they set mutual TLS and a message limit,
// and recover panics of handlers (an unprotected node crashed after a plain ListProcesses
// call).
func serverOptions(i *issuer, log *slog.Logger) []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.Creds(credentials.NewTLS(i.server())),
		grpc.MaxRecvMsgSize(maxMessage),
		grpc.MaxSendMsgSize(maxMessage),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: 2 * time.Second, Timeout: unacknowledged}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 5 * time.Second}),
		grpc.UnaryInterceptor(func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (resp any, err error) {
			defer recovered(ctx, log, info.FullMethod, &err)
			return next(ctx, req)
		}),
		grpc.StreamInterceptor(func(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) (err error) {
			defer recovered(ss.Context(), log, info.FullMethod, &err)
			return next(srv, ss)
		}),
	}
}

func recovered(ctx context.Context, log *slog.Logger, method string, err *error) {
	if r := recover(); r != nil {
		log.LogAttrs(ctx, slog.LevelError, "a handler between nodes panicked",
			slog.String("method", method), slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
		*err = status.Error(codes.Internal, "internal error")
	}
}

func dialOptions(i *issuer) []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithTransportCredentials(credentials.NewTLS(i.client())),
		// HTTPS_PROXY, which an operator may set for the model, is not for other nodes.
		grpc.WithNoProxy(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)),
		// A client's keep-alive also sets how long the kernel waits for acknowledgements
		// (TCP_USER_TIMEOUT), which is the reason for setting it here: the nodes ping each
		// other every second anyway. 10 s is the minimum of grpc.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: unacknowledged}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: connecting,
		}),
	}
}
