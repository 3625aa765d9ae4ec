package devidp

import (
	"context"
	"log/slog"
	"net"
	"net/url"
	"time"

	"parley.dev/parley/internal/clock"
)

const (
	// DefaultClientID is the web application's client.
	DefaultClientID = "parley-web"

	// DefaultAudience is the default audience of access tokens.
	DefaultAudience = "parley-api"

	// DefaultLifetime is how long a sign-in can be refreshed.
	DefaultLifetime = 12 * time.Hour
)

// Config is the configuration of a Provider.
type Config struct {
	// Issuer is the provider's address as browsers see it, with the path that
	// Handler is mounted under, such as http://localhost:8080/dex. Required,
	// and on loopback unless AllowRemote is set.
	Issuer string

	// RedirectURIs are the pages of the web application that a sign-in may
	// return to; they must match exactly. Required.
	RedirectURIs []string

	// People lists the people who can sign in. Required.
	People []Person

	// Keys stores the signing keys. Nil means that they are lost when the process
	// ends, so that every bearer becomes invalid.
	Keys KeyStore

	// Codes records which codes were exchanged. Nil means that only this process
	// knows them, until it ends.
	Codes CodeStore

	// ClientID is the public client of the web application, of scripts and of
	// load testers. Empty means DefaultClientID.
	ClientID string

	// Audience is the aud of access tokens. Empty means DefaultAudience.
	Audience string

	// Lifetime is how long a sign-in can be refreshed. Zero means DefaultLifetime.
	Lifetime time.Duration

	// BearerLifetime is how long access and ID tokens are valid. The providers of
	// organisations use minutes or an hour; a short lifetime shows whether clients
	// renew their tokens. Zero means Lifetime.
	BearerLifetime time.Duration

	// AllowRemote also permits requests from other machines. The passwords are on
	// the page: set it only in a closed network.
	AllowRemote bool

	// EndSignIn is called for a sign-in whose code was used a second time: its tokens
	// must not be accepted any more. Nil means that they stay valid until they expire.
	EndSignIn func(ctx context.Context, in SignIn) error

	// Attempts limits how often somebody can try to sign in. Nil means no limit, and is
	// for tests.
	Attempts Attempts

	// Clock is the source of time. Nil means the machine's clock.
	Clock clock.Clock

	// Logger receives warnings and errors. Nil means no logging.
	Logger *slog.Logger
}

// Person is a person who can sign in.
type Person struct {
	// ID is the sub of the person's tokens. It must never change.
	ID string

	// Email is the address with which the person signs in.
	Email string

	// Name is the full name.
	Name string

	// Password is shown on the page.
	Password string

	// Hint describes the person on the page, for example the organisation and role.
	Hint string

	// Unlisted hides the person from the page: it is for people as whom scripts sign in.
	Unlisted bool
}

// withDefaults replaces zero values by defaults.
func (c Config) withDefaults() Config {
	if c.ClientID == "" {
		c.ClientID = DefaultClientID
	}

	if c.Audience == "" {
		c.Audience = DefaultAudience
	}

	if c.Lifetime == 0 {
		c.Lifetime = DefaultLifetime
	}

	if c.BearerLifetime == 0 {
		c.BearerLifetime = c.Lifetime
	}

	if c.Keys == nil {
		c.Keys = &memoryKeyStore{}
	}

	if c.Attempts == nil {
		c.Attempts = anyNumber{}
	}

	if c.EndSignIn == nil {
		c.EndSignIn = func(context.Context, SignIn) error { return nil }
	}

	if c.Clock == nil {
		c.Clock = clock.System{}
	}

	if c.Codes == nil {
		c.Codes = newMemoryCodes(c.Clock)
	}

	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}

	return c
}

// mustValidate panics if the config is invalid, because that is a programming error.
func (c Config) mustValidate() {
	issuer, err := url.Parse(c.Issuer)

	switch {
	case err != nil || issuer.Host == "" || issuer.Path == "" || issuer.Path == "/":
		panic("devidp: Config.Issuer must be a URL with a path, such as http://localhost:8080/dex")
	case !c.AllowRemote && !isLoopback(issuer.Hostname()):
		panic("devidp: Config.Issuer must be on loopback: its passwords are public")
	case len(c.RedirectURIs) == 0:
		panic("devidp: Config.RedirectURIs is required")
	case len(c.People) == 0:
		panic("devidp: Config.People is required")
	case c.ClientID == c.Audience:
		panic("devidp: Config.Audience must differ from the client, or ID tokens pass for access tokens")
	}
}

// isLoopback reports whether a host name or address is a loopback name or address.
func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
