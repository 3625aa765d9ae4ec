package devidp

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/dexidp/dex/server"
	"github.com/dexidp/dex/server/authflow"
	"github.com/dexidp/dex/server/oauth2"
	"github.com/dexidp/dex/server/signer"
	"github.com/dexidp/dex/server/tokens"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"golang.org/x/crypto/bcrypt"

	"parley.dev/parley/internal/startstop"
)

const (
	// issuerName is the name of the provider on its pages.
	issuerName = "Parley"

	// connectorID names dex's own list of passwords.
	connectorID = "local"

	// loginPath is the path to which the sign-in form is posted.
	loginPath = "/auth/" + connectorID + "/login"

	// keyLifetime is how long one key is used for signing. Old keys stay valid for as
	// long as the tokens that they have signed.
	keyLifetime = 30 * 24 * time.Hour

	// signInLimit is how long a sign-in page may stay open.
	signInLimit = time.Hour

	// reuseLimit is how long a client can repeat a refresh whose response was lost.
	reuseLimit = 10 * time.Second

	// maxBody is far larger than any form of a sign-in.
	maxBody = 64 << 10
)

// Provider is a running OpenID provider.
type Provider struct {
	cfg  Config
	dex  *server.Server
	host string // of the issuer, without a port
	path string

	// refusal is the page for too many attempts.
	refusal *template.Template

	// stop ends dex's own goroutines.
	stop context.CancelFunc
	life startstop.Guard
}

// New makes a provider. It loads or makes the signing keys, so the key store must be
// reachable. The caller must call Close.
func New(ctx context.Context, cfg Config) (*Provider, error) {
	cfg = cfg.withDefaults()
	cfg.mustValidate()

	issuer, err := url.Parse(cfg.Issuer)
	if err != nil {
		return nil, fmt.Errorf("sign-in provider: %w", err)
	}

	path := strings.TrimSuffix(issuer.Path, "/")

	refusal, err := refusalPage(path)
	if err != nil {
		return nil, fmt.Errorf("sign-in provider: %w", err)
	}

	// The provider must keep running after ctx has ended.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))

	dex, err := newDex(running, cfg)
	if err != nil {
		stop()
		return nil, fmt.Errorf("sign-in provider: %w", err)
	}

	p := &Provider{cfg: cfg, dex: dex, host: issuer.Hostname(), path: path, refusal: refusal, stop: stop}

	return p, p.life.Start(func() error { return nil })
}

// Close stops the provider. It can be called more than once. Dex has no way to wait for its
// goroutines, which end at once: they sleep until the next rotation of keys.
func (p *Provider) Close() {
	_ = p.life.Stop(func() error { // never fails
		p.stop()
		return nil
	})
}

// Audience is the aud of the access tokens.
func (p *Provider) Audience() string { return p.cfg.Audience }

// ClientID is the client that the web application signs in with.
func (p *Provider) ClientID() string { return p.cfg.ClientID }

// newDex configures dex for one public client and a list of people.
func newDex(ctx context.Context, cfg Config) (*server.Server, error) {
	// Dex logs every sign-in and every rotation at level info.
	logger := slog.New(warnings{cfg.Logger.Handler()})
	now := cfg.Clock.Now

	keys := &keyStorage{
		Storage: memory.New(logger), store: cfg.Keys, codes: cfg.Codes, clock: cfg.Clock, logger: cfg.Logger, end: cfg.EndSignIn,
		lifetime: cfg.Lifetime, sessions: map[string]session{},
	}
	if _, err := keys.GetKeys(ctx); err != nil {
		return nil, err
	}

	passwords, err := passwordsOf(cfg.People)
	if err != nil {
		return nil, err
	}

	subjects, err := subjectsOf(cfg.People)
	if err != nil {
		return nil, err
	}

	var store storage.Storage = keys
	store = storage.WithStaticPasswords(store, passwords, logger)

	if store, err = newGuardedPasswords(store); err != nil {
		return nil, err
	}

	store = storage.WithStaticClients(store, []storage.Client{{
		ID: cfg.ClientID, Name: "Parley", Public: true, RedirectURIs: cfg.RedirectURIs,
	}})
	store = storage.WithStaticConnectors(store, []storage.Connector{{ID: connectorID, Name: "Parley", Type: connectorID}})

	local := signer.LocalConfig{KeysRotationPeriod: keyLifetime.String()}

	rotating, err := local.Open(ctx, keys, cfg.Lifetime, now, logger)
	if err != nil {
		return nil, fmt.Errorf("prepare signing keys: %w", err)
	}

	extra, err := pageValues(cfg)
	if err != nil {
		return nil, err
	}

	dex, err := server.NewServer(ctx, server.Config{
		Issuer:                 cfg.Issuer,
		Storage:                store,
		Signer:                 &tokenSigner{Signer: rotating, keys: keys, audience: cfg.Audience, subjects: subjects},
		AllowedGrantTypes:      []string{oauth2.GrantTypeAuthorizationCode, oauth2.GrantTypeRefreshToken, oauth2.GrantTypePassword},
		SupportedResponseTypes: []string{oauth2.ResponseTypeCode},
		PKCE:                   authflow.PKCEConfig{Enforce: true, CodeChallengeMethodsSupported: []string{oauth2.PKCEMethodS256}},
		PasswordConnector:      connectorID,
		SkipApprovalScreen:     true,
		IDTokensValidFor:       cfg.BearerLifetime,
		AuthRequestsValidFor:   signInLimit,
		RefreshTokenPolicy:     tokens.NewRefreshStrategy(true, cfg.Lifetime, cfg.Lifetime, reuseLimit, now),
		Now:                    now,
		Logger:                 logger,
		Headers:                pageHeaders(),
		Web:                    server.WebConfig{WebFS: pages(), Theme: theme, Issuer: issuerName, Extra: extra},
	})
	if err != nil {
		return nil, fmt.Errorf("start dex: %w", err)
	}

	return dex, nil
}

// passwordsOf hashes each different password only once, because a hash is slow and delays the
// start.
func passwordsOf(people []Person) ([]storage.Password, error) {
	hashes := map[string][]byte{}
	list := make([]storage.Password, 0, len(people))

	for _, person := range people {
		if hashes[person.Password] == nil {
			hash, err := bcrypt.GenerateFromPassword([]byte(person.Password), bcrypt.DefaultCost)
			if err != nil {
				return nil, fmt.Errorf("password of %s: %w", person.Email, err)
			}

			hashes[person.Password] = hash
		}

		list = append(list, storage.Password{
			Email: person.Email, Hash: hashes[person.Password], Username: person.Name, Name: person.Name, UserID: person.ID,
		})
	}

	return list, nil
}

// subjectsOf returns the ids of people by the packed form of the ids in dex.
func subjectsOf(people []Person) (map[string]string, error) {
	subjects := make(map[string]string, len(people))

	for _, person := range people {
		packed, err := tokens.GenSubject(person.ID, connectorID)
		if err != nil {
			return nil, fmt.Errorf("subject of %s: %w", person.Email, err)
		}

		subjects[packed] = person.ID
	}

	return subjects, nil
}

// Handler serves the provider. It expects the full path of a request, so it must be mounted
// at the path of the issuer without stripping the path.
func (p *Provider) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !p.cfg.AllowRemote && !fromLoopback(r) {
			http.Error(w, "The embedded sign-in answers on this machine only.", http.StatusForbidden)
			return
		}

		if !p.called(r.Host) {
			http.Error(w, "The embedded sign-in is not called by that name.", http.StatusBadRequest)
			return
		}

		path, ok := strings.CutPrefix(r.URL.Path, p.path)

		switch {
		case ok && path == "/.well-known/openid-configuration":
			p.serveDiscovery(w, r)
		case ok && path == "/token":
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			p.serveAttempt(w, r.WithContext(withIssuance(r.Context())), false)
		case ok && path == loginPath:
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			p.serveAttempt(w, r, true)
		case ok && served(path):
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			p.dex.ServeHTTP(w, r)
		default:
			http.NotFound(w, r)
		}
	})
}

// served reports whether a path of dex is in use. All other paths (devices, second factors,
// introspection, its home page) are not reachable.
func served(path string) bool {
	switch path {
	case "/auth", "/keys", "/userinfo":
		return true
	default:
		return path == "/auth/"+connectorID || strings.HasPrefix(path, "/theme/")
	}
}

// called reports whether a request was sent to the issuer's host or to a loopback name. This
// prevents DNS rebinding: a page whose host name resolves to this machine sends its own host
// name, and could otherwise use the password grant with the public passwords.
func (p *Provider) called(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}

	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")

	return strings.EqualFold(host, p.host) || isLoopback(host)
}

// fromLoopback reports whether a request comes from this machine.
func fromLoopback(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && isLoopback(host)
}

// serveDiscovery answers with dex's document, without the endpoints that are not served, and
// with the client authentication of public clients.
func (p *Provider) serveDiscovery(w http.ResponseWriter, r *http.Request) {
	raw, err := json.Marshal(p.dex.Discovery().Construct(r.Context()))
	if err != nil {
		http.Error(w, "Internal error.", http.StatusInternalServerError)
		return
	}

	document := map[string]any{}
	if err := json.Unmarshal(raw, &document); err != nil {
		http.Error(w, "Internal error.", http.StatusInternalServerError)
		return
	}

	delete(document, "device_authorization_endpoint")
	delete(document, "introspection_endpoint")

	document["token_endpoint_auth_methods_supported"] = []string{"none"}

	w.Header().Set("Content-Type", "application/json")

	if err := json.NewEncoder(w).Encode(document); err != nil {
		p.cfg.Logger.LogAttrs(r.Context(), slog.LevelWarn, "the discovery document could not be sent", slog.Any("error", err))
	}
}
