package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// leeway is how far the issuer's clock and ours may be apart.
const leeway = 60 * time.Second

// Config of a Verifier.
type Config struct {
	// Issuer is compared with the token's, byte by byte.
	Issuer string
	// Audiences are the values of which aud must hold one.
	Audiences []string
	// ClientIDs are those to whom tokens for us may be issued (azp, client_id).
	// Zero: any client of the issuer.
	ClientIDs []string
	// Algorithms are those taken. Zero: RS256, RS384, RS512, PS256, PS384, PS512,
	// ES256, ES384, ES512 and EdDSA. "none" and the HMAC ones cannot be had.
	Algorithms []string
	// RequireType takes only tokens whose header says at+jwt (RFC 9068). Zero: a
	// token without that type is taken where nothing in it says that it is an ID token.
	RequireType bool
	// TrustHashClaim takes tokens without the type although they have at_hash.
	// Dex's access tokens have one. Zero: refused, for it marks an ID token.
	TrustHashClaim bool
	// KeysURL is where the issuer's keys are. Zero: as its discovery document says.
	KeysURL string

	// Client fetches keys. Zero: one with a 5 s limit that follows no redirect.
	Client *http.Client
	// Clock tells the time. Zero: the machine's.
	Clock clock.Clock
	// Logger is told why tokens are refused, at debug level, never what they are.
	// Zero: slog's default.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	if len(c.Algorithms) == 0 {
		c.Algorithms = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
	}
	if c.Client == nil {
		c.Client = &http.Client{
			Timeout:       keysTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
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
	verifier *oidc.IDTokenVerifier
}

// NewVerifier makes a verifier. Nothing is fetched before the first token comes.
func NewVerifier(c Config) *Verifier {
	c = c.withDefaults()
	c.mustValidate()
	return &Verifier{c: c, verifier: oidc.NewVerifier(c.Issuer, newKeySet(c), &oidc.Config{
		SupportedSigningAlgs: c.Algorithms,
		// Both are checked below: the library takes one audience and no leeway.
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
	var keys keysOutcome
	checked, err := v.verifier.Verify(context.WithValue(ctx, keysOutcomeKey{}, &keys), token)
	if err != nil {
		if keys.unavailable {
			return domain.Identity{}, domain.Errorf(domain.CodeUnavailable, "Signing in is not possible at the moment").WithCause(err)
		}
		v.c.Logger.LogAttrs(ctx, slog.LevelDebug, "a token was refused", slog.String("why", reason(err)))
		return domain.Identity{}, refuse(err)
	}
	var c claims
	if err := checked.Claims(&c); err != nil {
		return domain.Identity{}, refuse(err)
	}
	if err := v.check(&c, checked, headerType(token)); err != nil {
		v.c.Logger.LogAttrs(ctx, slog.LevelDebug, "a token was refused", slog.String("why", err.Error()))
		return domain.Identity{}, refuse(err)
	}
	id := domain.Identity{
		Issuer: checked.Issuer, Subject: checked.Subject, Email: c.Email, EmailVerified: bool(c.EmailVerified), Expires: checked.Expiry,
		Session: c.Session, IssuedAt: at(*c.IssuedAt), TokenID: c.TokenID,
	}
	if c.AuthTime != nil {
		id.AuthTime = at(*c.AuthTime)
	}
	if id.TokenID == "" {
		sum := sha256.Sum256([]byte(token))
		id.TokenID = hex.EncodeToString(sum[:])
	}
	return id, nil
}

// reason says what is wrong without repeating anything of the token.
func reason(err error) string {
	what, _, _ := strings.Cut(err.Error(), ":")
	return what[:min(len(what), 80)]
}

// claims are those that the library does not give.
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

// flexible is a boolean that some providers write as text.
type flexible bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *flexible) UnmarshalJSON(b []byte) error {
	*f = string(b) == "true" || string(b) == `"true"`
	return nil
}

func (v *Verifier) check(c *claims, token *oidc.IDToken, typ string) error {
	now := v.c.Clock.Now()
	switch {
	case token.Subject == "":
		return errors.New("no subject")
	case !slices.ContainsFunc(token.Audience, func(a string) bool { return slices.Contains(v.c.Audiences, a) }):
		return errors.New("another audience")
	case c.Expiry == nil || !now.Before(at(*c.Expiry).Add(leeway)):
		return errors.New("expired")
	case c.NotBefore != nil && now.Add(leeway).Before(at(*c.NotBefore)):
		return errors.New("not valid yet")
	case c.IssuedAt == nil:
		// Without it a bearer from before a log-out could not be told from one after.
		return errors.New("no time of issue")
	case now.Add(leeway).Before(at(*c.IssuedAt)):
		return errors.New("issued in the future")
	}
	for _, party := range []string{c.Party, c.ClientID} {
		if party != "" && len(v.c.ClientIDs) > 0 && !slices.Contains(v.c.ClientIDs, party) {
			return errors.New("issued to another client")
		}
	}
	return v.checkKind(c, typ)
}

func at(seconds float64) time.Time { return time.Unix(int64(seconds), 0) }

// checkKind refuses what is not an access token. One that says so in its type
// is believed, since an ID token never has that type; else whatever only ID
// tokens have gives it away.
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

// headerType reads typ of a token whose signature was checked.
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
