package api_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/api/auth"
	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/intake"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	standins "parley.dev/parley/internal/fakes"
	"parley.dev/parley/internal/semaphore"
	"parley.dev/parley/shared"
)

const (
	audience = "parley-api"
	client   = "parley-web"
	origin   = "http://parley.test"
)

// bundle is a running server with all its services.
type bundle struct {
	world   *fakes.World
	signIns *fakes.SignIns
	files   *fakes.Files
	streams *fakes.Streams
	issuer  *issuer
	clock   *clock.Fake
	server  *api.Server
	url     string
	log     *lockedBuffer
	temp    string // where uploads and exports are made
	quota   *atomic.Pointer[room]
}

// UploadRoom implements domain.QuotaService: it returns as much as b.quota says, if a test has
// set it.
func (b *bundle) UploadRoom(ctx context.Context, caller domain.Caller, key string, replaced int64) (int64, error) {
	if r := b.quota.Load(); r != nil {
		return r.UploadRoom(ctx, caller, key, replaced)
	}
	return domain.UploadMax, nil
}

// setup starts a server. change may alter its configuration.
func setup(tb testing.TB, change ...func(*api.Config)) *bundle {
	tb.Helper()
	b := unstarted(tb, change...)
	require.NoError(tb, b.server.Start(tb.Context()))
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		require.NoError(tb, b.server.Stop(ctx))
	})
	b.url = "http://" + b.server.Address()
	return b
}

// unstarted makes a server that has not been started.
func unstarted(tb testing.TB, change ...func(*api.Config)) *bundle {
	tb.Helper()
	c := clock.NewFake(time.Now()) //nolint:forbidigo // where the fake clock begins
	b := &bundle{
		world: fakes.New(c.Now()), signIns: fakes.NewSignIns(), files: fakes.NewFiles(tb.TempDir()), streams: fakes.NewStreams(),
		issuer: newIssuer(tb), clock: c, log: &lockedBuffer{}, temp: tb.TempDir(), quota: &atomic.Pointer[room]{},
	}
	logger := slog.New(slog.NewJSONHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	space, err := shared.Open(context.Background(), shared.Config{Clock: c, Logger: logger})
	require.NoError(tb, err)
	tb.Cleanup(space.Close)
	config := api.Config{
		Addr: "127.0.0.1:0", OperatorAddr: "127.0.0.1:0", URL: origin, Hosts: []string{"127.0.0.1", "x"},
		Services: api.Services{
			Users:         fakes.Users{World: b.world},
			Rights:        fakes.Rights{World: b.world},
			SignIns:       b.signIns,
			Conversations: fakes.Conversations{World: b.world},
			Engine:        fakes.Engine{World: b.world},
			DataSources:   fakes.DataSources{World: b.world},
			Facts:         fakes.Facts{World: b.world},
			Meaning:       fakes.Meaning{World: b.world},
			Corrections:   fakes.Corrections{World: b.world},
			Analysts:      fakes.Analysts{World: b.world},
			Feedback:      fakes.Feedback{World: b.world},
			Memories:      fakes.Memories{World: b.world},
			ProjectLabels: fakes.ProjectLabels{World: b.world},
			Blueprints:    fakes.Blueprints{World: b.world},
			Tasks:         fakes.Tasks{World: b.world},
			Credentials:   fakes.Credentials{World: b.world},
			Usage:         fakes.Usage{World: b.world},
			Cluster:       fakes.Cluster{World: b.world},
		},
		Shared: api.Shared{Rates: space.Rates, Seats: space.Seats, Hints: space.Hints},
		Models: []domain.AgentModel{{Provider: "builtin", Model: "builtin"}, {Provider: "openai", Model: "m-1"}},
		Files:  b.files, Intake: intake.New(intake.Config{
			Files: b.files, Account: fakes.Intake{World: b.world}, Readers: connectors.FilesByType(fakes.CSV{}), Quota: b,
			Readings: semaphore.New(domain.FilesAtOnce), TempDir: b.temp, Logger: logger,
		}),
		Streams: b.streams, Workbench: &fakes.Workbench{}, Questions: fakes.Questions{},
		Warehouses: standins.Warehouses{},
		Tokens: auth.NewVerifier(auth.Config{
			Issuer: b.issuer.url, Audiences: []string{audience}, ClientIDs: []string{client}, Clock: c, Logger: logger,
		}),
		LinkKey: bytes.Repeat([]byte{7}, 32),
		Web: fstest.MapFS{
			"index.html":               {Data: []byte(`<!doctype html><meta property="csp-nonce" nonce="{{nonce}}"><title>Parley</title>`)},
			"assets/app-1a2b.js":       {Data: []byte(strings.Repeat("export const answer = 42;\n", 100))},
			"assets/small-1a2b.css":    {Data: []byte(strings.Repeat("p{margin:0}\n", 100))},
			"assets/small-1a2b.css.br": {Data: []byte("compressed by the build")},
		},
		Browser: api.BrowserConfig{Issuer: b.issuer.url, ClientID: client, Scope: "openid email"},
		TempDir: b.temp, Clock: c, Logger: logger,
	}
	for _, f := range change {
		f(&config)
	}
	b.server, err = api.New(config)
	require.NoError(tb, err)
	return b
}

// lockedBuffer is a log that can be read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// issuer is an identity provider: it serves keys and signs tokens.
type issuer struct {
	url     string
	server  *httptest.Server
	key     *ecdsa.PrivateKey
	fetches atomic.Int32
	down    atomic.Bool
	// keys are the keys that are served; tests change them under mu.
	mu   sync.Mutex
	keys []jose.JSONWebKey
}

func newIssuer(tb testing.TB) *issuer {
	tb.Helper()
	i := &issuer{key: newKey(tb)}
	i.publish(jose.JSONWebKey{Key: &i.key.PublicKey, KeyID: "one", Algorithm: "ES256", Use: "sig"})
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": i.url, "jwks_uri": i.url + "/keys"})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		i.fetches.Add(1)
		if i.down.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		i.mu.Lock()
		defer i.mu.Unlock()
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: i.keys})
	})
	i.server = httptest.NewServer(mux)
	i.url = i.server.URL
	tb.Cleanup(i.server.Close)
	return i
}

func newKey(tb testing.TB) *ecdsa.PrivateKey {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(tb, err)
	return key
}

func (i *issuer) publish(keys ...jose.JSONWebKey) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = keys
}

type claims map[string]any

// token signs claims that are valid unless change makes them invalid.
func (b *bundle) token(tb testing.TB, user *domain.User, change ...func(claims, map[jose.HeaderKey]any)) string {
	tb.Helper()
	now := b.clock.Now()
	c := claims{
		"iss": b.issuer.url, "sub": "sub-" + user.FullName, "aud": audience, "azp": client, "client_id": client,
		"exp": now.Add(time.Hour).Unix(), "iat": now.Unix(), "email": user.Email, "email_verified": true,
	}
	head := map[jose.HeaderKey]any{"typ": "at+jwt", "kid": "one"}
	for _, f := range change {
		f(c, head)
	}
	return sign(tb, jose.ES256, b.issuer.key, c, head)
}

func sign(tb testing.TB, alg jose.SignatureAlgorithm, key any, c claims, head map[jose.HeaderKey]any) string {
	tb.Helper()
	options := &jose.SignerOptions{ExtraHeaders: head}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, options)
	require.NoError(tb, err)
	payload, err := json.Marshal(c)
	require.NoError(tb, err)
	signed, err := signer.Sign(payload)
	require.NoError(tb, err)
	out, err := signed.CompactSerialize()
	require.NoError(tb, err)
	return out
}

// reply is an answer whose body was read.
type reply struct {
	status int
	header http.Header
	body   string
}

func (r reply) json(t *testing.T) map[string]any {
	t.Helper()
	var out map[string]any
	require.NoError(t, json.Unmarshal([]byte(r.body), &out), r.body)
	return out
}

// code returns the code of a problem document, and checks its other required fields.
func (r reply) code(t *testing.T) string {
	t.Helper()
	p := r.json(t)
	require.Equal(t, "application/problem+json", r.header.Get("Content-Type"), r.body)
	require.InDelta(t, r.status, p["status"], 0)
	require.NotEmpty(t, p["title"])
	require.NotEmpty(t, p["detail"])
	require.Equal(t, r.header.Get("X-Request-Id"), p["requestId"])
	code, ok := p["code"].(string)
	require.True(t, ok)
	return code
}

// call sends a request as a person; nil means without a bearer. A body that is not empty is
// JSON.
func (b *bundle) call(t *testing.T, user *domain.User, method, path, body string, header ...string) reply {
	t.Helper()
	if user != nil {
		header = append([]string{"Authorization", "Bearer " + b.token(t, user)}, header...)
	}
	if body != "" {
		header = append([]string{"Content-Type", "application/json"}, header...)
	}
	return b.send(t, method, path, strings.NewReader(body), header...)
}

func (b *bundle) send(t *testing.T, method, path string, body io.Reader, header ...string) reply {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, b.url+path, body)
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return reply{response.StatusCode, response.Header, string(content)}
}
