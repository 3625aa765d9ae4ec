package auth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// leeway is the tolerated difference between the issuer's clock and the clock of this node.
const leeway = 60 * time.Second

// Config of a Verifier.
type Config struct {
	// Issuer must be equal to the token's issuer, byte by byte.
	Issuer string
	// Audiences are the accepted audiences: aud must contain one of them.
	Audiences []string
	// ClientIDs are the clients to which a token may be issued (azp, client_id).
	// Zero: any client of the issuer.
	ClientIDs []string
	// Algorithms are the accepted algorithms. Zero: RS256, RS384, RS512, PS256, PS384,
	// PS512, ES256, ES384, ES512 and EdDSA. "none" and the HMAC algorithms are not allowed.
	Algorithms []string
	// RequireType accepts only tokens with the type at+jwt in the header (RFC 9068). Zero:
	// a token without that type is accepted if it has no claim that only ID tokens have.
	RequireType bool
	// TrustHashClaim accepts tokens without that type even if they have at_hash or nonce,
	// as Dex's access tokens do. Zero: such tokens are refused as ID tokens.
	TrustHashClaim bool
	// KeysURL is the address of the issuer's keys. Zero: from its discovery document.
	KeysURL string
	// KeysHost is the Host header of the request for KeysURL, if the issuer answers only by its own name and is asked at another
	// address. Zero: that of the address.
	KeysHost string

	// Renewed is called with a digest of the new keys when a fetch has returned other keys
	// than before. Nil: it is not called.
	Renewed func(mark []byte)

	// Client fetches keys. Zero: a client with a limit of 5 s that follows no redirects.
	Client *http.Client
	// Clock is the clock to use. Zero: the clock of the machine.
	Clock clock.Clock
	// Logger reports why tokens are refused, at debug level, but never their contents. Zero:
	// the default logger of slog.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	if len(c.Algorithms) == 0 {
		c.Algorithms = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
	}
	if c.Client == nil {
		c.Client = keysClient()
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

// keysClient returns a client that does not follow redirects, so that only the issuer itself
// is asked.
func keysClient() *http.Client {
	return &http.Client{
		Timeout:       keysTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (c Config) mustValidate() {
	if c.Issuer == "" {
		panic("auth: Config.Issuer is missing")
	}
	if len(c.Audiences) == 0 {
		panic("auth: Config.Audiences is missing")
	}
	for _, a := range c.Algorithms {
		if strings.HasPrefix(a, "HS") || strings.EqualFold(a, "none") {
			panic("auth: Config.Algorithms must not hold " + a)
		}
	}
}

// Verifier checks bearers of one issuer.
type Verifier struct {
	c        Config
	keys     *keySet
	verifier *oidc.IDTokenVerifier

	// mu protects proved: the tokens whose signature was checked, by their hash. They are
	// cached because checking a token costs more than the rest of a small request.
	mu     sync.Mutex
	proved map[[sha256.Size]byte]*proof
}

// provedMax is the maximum number of cached tokens.
const provedMax = 10_000

// proof is the content of a token whose signature was checked. It is valid as long as the
// same key value is held, which is until the next fetch of keys. The times in its claims are
// checked at each request.
type proof struct {
	header   jose.Header
	key      *jose.JSONWebKey
	typ      string
	claims   claims
	audience []string
	identity domain.Identity
}

// NewVerifier makes a verifier. It fetches nothing before it gets the first token.
func NewVerifier(c Config) *Verifier {
	c = c.withDefaults()
	c.mustValidate()
	keys := newKeySet(c)
	return &Verifier{c: c, keys: keys, proved: map[[sha256.Size]byte]*proof{}, verifier: oidc.NewVerifier(c.Issuer, keys, &oidc.Config{
		SupportedSigningAlgs: c.Algorithms,
		// Verifier.check does both: the library supports only one audience and no leeway.
		SkipClientIDCheck: true,
		SkipExpiryCheck:   true,
		Now:               c.Clock.Now,
	})}
}

// Verify implements api.TokenVerifier.
func (v *Verifier) Verify(ctx context.Context, token string) (domain.Identity, error) {
	if len(token) > tokenMax || strings.Count(token, ".") != 2 {
		return domain.Identity{}, refuse(errors.New("not a signed token"))
	}
	sum := sha256.Sum256([]byte(token))
	p := v.remembered(sum)
	if p == nil || !v.keys.holds(ctx, p.header, p.key) {
		var err error
		if p, err = v.prove(ctx, token, sum); err != nil {
			return domain.Identity{}, err
		}
	}
	if err := v.check(p); err != nil {
		v.c.Logger.LogAttrs(ctx, slog.LevelDebug, "a token was refused", slog.String("why", err.Error()))
		return domain.Identity{}, refuse(err)
	}
	return p.identity, nil
}

// Renew makes the next use fetch the keys, because another node has seen keys with this
// mark. It does nothing if these keys are already held, and has an effect at most once in
// the minimum time between two fetches.
func (v *Verifier) Renew(mark []byte) { v.keys.renew(mark) }

// prove checks the signature of a token, reads the token and caches the result.
func (v *Verifier) prove(ctx context.Context, token string, sum [sha256.Size]byte) (*proof, error) {
	if !isCanonical(token) {
		return nil, refuse(errors.New("not the only spelling of a token"))
	}
	var keys keysOutcome
	checked, err := v.verifier.Verify(context.WithValue(ctx, keysOutcomeKey{}, &keys), token)
	if err != nil {
		if keys.unavailable {
			return nil, domain.Errorf(domain.CodeUnavailable, "Signing in is not possible at the moment").WithCause(err)
		}
		v.c.Logger.LogAttrs(ctx, slog.LevelDebug, "a token was refused", slog.String("why", reason(err)))
		return nil, refuse(err)
	}
	p := &proof{header: keys.header, key: keys.key, typ: headerType(token), audience: checked.Audience}
	if err := checked.Claims(&p.claims); err != nil {
		return nil, refuse(err)
	}
	p.identity = domain.Identity{
		Issuer: checked.Issuer, Subject: checked.Subject, Email: p.claims.Email, EmailVerified: bool(p.claims.EmailVerified),
		Expires: checked.Expiry,
		Session: p.claims.Session, TokenID: p.claims.TokenID,
	}
	if p.claims.IssuedAt != nil {
		p.identity.IssuedAt = at(*p.claims.IssuedAt)
	}
	if p.claims.AuthTime != nil {
		p.identity.AuthTime = at(*p.claims.AuthTime)
	}
	if p.identity.TokenID == "" {
		p.identity.TokenID = hex.EncodeToString(sum[:])
	}
	v.remember(sum, p)
	return p, nil
}

func (v *Verifier) remembered(sum [sha256.Size]byte) *proof {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.proved[sum]
}

func (v *Verifier) remember(sum [sha256.Size]byte, p *proof) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.proved) >= provedMax {
		clear(v.proved)
	}
	v.proved[sum] = p
}

// reason returns the start of an error's text, without any part of the token.
func reason(err error) string {
	what, _, _ := strings.Cut(err.Error(), ":")
	return what[:min(len(what), 80)]
}

// claims are the claims that the library does not return by itself.
type claims struct {
	NotBefore       *float64 `json:"nbf"`
	IssuedAt        *float64 `json:"iat"`
	Expiry          *float64 `json:"exp"`
	AuthTime        *float64 `json:"auth_time"` //nolint:tagliatelle // a name of the standard
	Session         string   `json:"sid"`
	TokenID         string   `json:"jti"`
	Party           string   `json:"azp"`
	ClientID        string   `json:"client_id"` //nolint:tagliatelle // a name of the standard
	Nonce           string   `json:"nonce"`
	AccessTokenHash string   `json:"at_hash"`   //nolint:tagliatelle // a name of the standard
	CodeHash        string   `json:"c_hash"`    //nolint:tagliatelle // a name of the standard
	TokenUse        string   `json:"token_use"` //nolint:tagliatelle // a name of the standard
	Email           string   `json:"email"`
	EmailVerified   flexible `json:"email_verified"` //nolint:tagliatelle // a name of the standard
}

// flexible is a boolean that some providers write as a string.
type flexible bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *flexible) UnmarshalJSON(b []byte) error {
	*f = string(b) == "true" || string(b) == `"true"`
	return nil
}

func (v *Verifier) check(p *proof) error {
	c, now := &p.claims, v.c.Clock.Now()
	switch {
	case p.identity.Subject == "":
		return errors.New("no subject")
	case !slices.ContainsFunc(p.audience, func(a string) bool { return slices.Contains(v.c.Audiences, a) }):
		return errors.New("another audience")
	case c.Expiry == nil || !now.Before(at(*c.Expiry).Add(leeway)):
		return errors.New("expired")
	case c.NotBefore != nil && now.Add(leeway).Before(at(*c.NotBefore)):
		return errors.New("not valid yet")
	case c.IssuedAt == nil:
		// Without it, a bearer from before a log-out and one from after it look the same.
		return errors.New("no time of issue")
	case now.Add(leeway).Before(at(*c.IssuedAt)):
		return errors.New("issued in the future")
	}
	for _, party := range []string{c.Party, c.ClientID} {
		if party != "" && len(v.c.ClientIDs) > 0 && !slices.Contains(v.c.ClientIDs, party) {
			return errors.New("issued to another client")
		}
	}
	return v.checkKind(c, p.typ)
}

func at(seconds float64) time.Time { return time.Unix(int64(seconds), 0) }

// checkKind refuses a token that is not an access token. A token with the type of access
// tokens is accepted, because an ID token never has that type. Otherwise the token must have
// no claim that only ID tokens have.
func (v *Verifier) checkKind(c *claims, typ string) error {
	switch strings.ToLower(typ) {
	case "at+jwt", "application/at+jwt":
		return nil
	case "", "jwt":
		if v.c.RequireType {
			return errors.New("not of the type at+jwt")
		}
	default:
		return errors.New("of another type")
	}
	switch {
	case c.CodeHash != "":
		return errors.New("an ID token (c_hash)")
	case c.AccessTokenHash != "" && !v.c.TrustHashClaim:
		return errors.New("an ID token (at_hash)")
	case c.Nonce != "" && !v.c.TrustHashClaim:
		return errors.New("an ID token (nonce)")
	case c.TokenUse == "id":
		return errors.New("an ID token (token_use)")
	}
	return nil
}

// isCanonical reports whether every segment of a token is in the canonical base64 encoding.
// The last character of a segment has unused bits. With other values in these bits the
// signature is still valid, but the text of the token differs, and so does its hash, which
// would then count as another token.
func isCanonical(token string) bool {
	for segment := range strings.SplitSeq(token, ".") {
		raw, err := decodeSegment(segment)
		if err != nil || base64.RawURLEncoding.EncodeToString(raw) != segment {
			return false
		}
	}
	return true
}

// headerType returns the header field typ of a token whose signature was checked.
func headerType(token string) string {
	head, _, _ := strings.Cut(token, ".")
	raw, err := decodeSegment(head)
	if err != nil {
		return "unreadable"
	}
	var h struct {
		Type string `json:"typ"`
	}
	if err := json.Unmarshal(raw, &h); err != nil {
		return "unreadable"
	}
	return h.Type
}
