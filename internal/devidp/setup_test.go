package devidp_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/devidp"
	"parley.dev/parley/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// bundle is a provider with its own server.
type bundle struct {
	provider *devidp.Provider
	server   *httptest.Server
	issuer   string
	callback string
	client   *http.Client
	clock    *clock.Fake
	ended    *endings
	codes    *sharedCodes
}

// sharedCodes stores spent codes independently of a provider, like a database.
type sharedCodes struct {
	// mu guards all and fails, which requests read.
	mu    sync.Mutex
	all   map[devidp.CodeHash]devidp.SignIn
	fails error
}

func (c *sharedCodes) Keep(_ context.Context, code devidp.CodeHash, in devidp.SignIn, _ time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fails != nil {
		return c.fails
	}
	c.all[code] = in

	return nil
}

func (c *sharedCodes) Find(_ context.Context, code devidp.CodeHash) (*devidp.SignIn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if in, ok := c.all[code]; ok {
		return &in, nil
	}

	return nil, nil
}

// endings records the sign-ins that the provider has ended.
type endings struct {
	// mu guards all, which requests write and tests read.
	mu  sync.Mutex
	all []devidp.SignIn
}

func (e *endings) add(_ context.Context, in devidp.SignIn) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, in)

	return nil
}

func (e *endings) list() []devidp.SignIn {
	e.mu.Lock()
	defer e.mu.Unlock()

	return slices.Clone(e.all)
}

func setup(t *testing.T, keys devidp.KeyStore, change ...func(*devidp.Config)) bundle {
	t.Helper()

	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	jar, err := cookiejar.New(nil)
	require.NoError(t, err)

	// The clock starts at the real time, because oauth2 and dex's cookies use the real time.
	now := clock.NewFake(clock.System{}.Now())
	b := bundle{
		server: server, issuer: server.URL + "/dex", callback: server.URL + "/login",
		client: &http.Client{Jar: jar, Transport: server.Client().Transport}, clock: now, ended: &endings{},
		codes: &sharedCodes{all: map[devidp.CodeHash]devidp.SignIn{}},
	}

	b.provider = b.start(t, keys, change...)
	mux.Handle("/dex/", b.provider.Handler())

	// The page of the web application that a sign-in returns to.
	mux.HandleFunc("/login", func(http.ResponseWriter, *http.Request) {})

	return b
}

// start starts a provider: the first one, or the one of another node.
func (b bundle) start(t *testing.T, keys devidp.KeyStore, change ...func(*devidp.Config)) *devidp.Provider {
	t.Helper()

	config := devidp.Config{
		Issuer:       b.issuer,
		RedirectURIs: []string{b.callback},
		Keys:         keys,
		Codes:        b.codes,
		Clock:        b.clock,
		EndSignIn:    b.ended.add,
		Logger:       slog.New(slog.DiscardHandler),
		People: []devidp.Person{
			{ID: adaID, Email: adaMail, Name: "Ada Lovelace", Password: secret, Hint: "Analytical Engines"},
			{ID: "b1c7a9de-0000-4000-8000-000000000001", Email: "quiet@example.test", Name: "Quiet Tester", Password: secret, Unlisted: true},
			{ID: graceID, Email: "grace@example.test", Name: "Grace Hopper", Password: secret, Hint: "Compilers <b>"},
		},
	}
	for _, do := range change {
		do(&config)
	}

	provider, err := devidp.New(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(provider.Close)

	return provider
}

// oauth is the web application's side of the protocol.
func (b bundle) oauth(t *testing.T) (oauth2.Config, *oidc.Provider) {
	t.Helper()

	provider, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(t.Context()), b.client), b.issuer)
	require.NoError(t, err)

	endpoint := provider.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInParams

	return oauth2.Config{
		ClientID: devidp.DefaultClientID, Endpoint: endpoint, RedirectURL: b.callback,
		Scopes: []string{oidc.ScopeOpenID, "email", "profile", oidc.ScopeOfflineAccess},
	}, provider
}

func (b bundle) context(t *testing.T) context.Context {
	t.Helper()
	return context.WithValue(t.Context(), oauth2.HTTPClient, b.client)
}

func (b bundle) get(t *testing.T, address string) (answer, string) {
	t.Helper()

	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)

	return b.do(t, request)
}

// answer is a response without its body.
type answer struct {
	status int
	header http.Header

	// at is the final URL after redirects.
	at *url.URL
}

func (b bundle) do(t *testing.T, request *http.Request) (answer, string) {
	t.Helper()

	response, err := b.client.Do(request)
	require.NoError(t, err)

	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())

	return answer{status: response.StatusCode, header: response.Header, at: response.Request.URL}, string(body)
}

// submit posts the sign-in form of a page.
func (b bundle) submit(t *testing.T, page answer, body, email, password string) (answer, string) {
	t.Helper()

	found := regexp.MustCompile(`<form class="form" method="post" action="([^"]+)"`).FindStringSubmatch(body)
	require.NotNil(t, found, body)

	action, err := page.at.Parse(strings.ReplaceAll(found[1], "&amp;", "&"))
	require.NoError(t, err)

	form := url.Values{"login": {email}, "password": {password}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, action.String(), strings.NewReader(form.Encode()))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")

	return b.do(t, request)
}

// signIn performs a whole sign-in like a browser and returns the tokens.
func (b bundle) signIn(t *testing.T) *oauth2.Token {
	t.Helper()

	config, _ := b.oauth(t)
	verifier := oauth2.GenerateVerifier()
	page, body := b.get(t, config.AuthCodeURL("the-state", oauth2.S256ChallengeOption(verifier), oidc.Nonce("the-nonce")))
	require.Equal(t, http.StatusOK, page.status, body)

	back, _ := b.submit(t, page, body, adaMail, secret)
	query := back.at.Query()
	require.Equal(t, "/login", back.at.Path)
	require.Equal(t, "the-state", query.Get("state"))

	token, err := config.Exchange(b.context(t), query.Get("code"), oauth2.VerifierOption(verifier))
	require.NoError(t, err)

	return token
}

// parts decodes a token's header and claims without verifying it.
func parts(t *testing.T, token string) (header, claims map[string]any) {
	t.Helper()

	pieces := strings.Split(token, ".")
	require.Len(t, pieces, 3)

	for i, into := range []*map[string]any{&header, &claims} {
		raw, err := base64.RawURLEncoding.DecodeString(pieces[i])
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, into))
	}

	return header, claims
}
