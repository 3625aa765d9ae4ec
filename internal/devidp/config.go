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

	// DefaultAudience is whom access tokens are meant for.
	DefaultAudience = "parley-api"

	// DefaultLifetime is how long a sign-in can be refreshed.
	DefaultLifetime = 12 * time.Hour
)

// Config says who may sign in and where they are sent afterwards.
type Config struct {
	// Issuer is the provider's address as browsers see it, with the path that
	// Handler is mounted under, such as http://localhost:8080/dex. Required,
	// and on loopback unless AllowRemote is set.
	Issuer string

	// RedirectURIs are the pages of the web application that a sign-in may
	// return to, compared as a whole. Required.
	RedirectURIs []string

	// People may sign in. Required.
	People []Person

	// Keys keeps the signing keys. Nil means that they end with the process,
	// and every bearer with them.
	Keys KeyStore

	// Codes keeps which codes were exchanged. Nil means that it is known to this
	// process alone, for as long as it lives.
	Codes CodeStore

	// ClientID is the public client of the web application, of scripts and of
	// load testers. Empty means DefaultClientID.
	ClientID string

	// Audience is the aud of access tokens. Empty means DefaultAudience.
	Audience string

	// Lifetime is the longest that refreshing goes on. Zero means DefaultLifetime.
	Lifetime time.Duration

	// BearerLifetime is how long access and ID tokens are valid. Providers of
	// organisations give minutes or an hour; a short one shows how clients renew.
	// Zero means Lifetime.
	BearerLifetime time.Duration

	// AllowRemote answers requests from other machines too. The passwords are
	// on the page: set it only where the network itself is closed.
	AllowRemote bool

	// EndSignIn is told of a sign-in whose code was used a second time: no token of it
	// may be taken any more. Nil means that nobody can end it before it expires.
	EndSignIn func(ctx context.Context, in SignIn) error

	// Attempts bounds how often somebody tries to sign in. Nil sets no bound: it is
	// for tests.
	Attempts Attempts

	// Clock tells the time. Nil means the machine's.
	Clock clock.Clock

	// Logger hears warnings and errors. Nil means silence.
	Logger *slog.Logger
}

// Person may sign in.
type Person struct {
	// ID becomes the sub of the person's tokens. It must never change.
	ID string

	// Email is what the person signs in with.
	Email string

	// Name is the full name.
	Name string

	// Password is shown on the page.
	Password string

	// Hint says on the page who this is, such as the organisation and role.
	Hint string

	// Unlisted keeps the person off the page: scripts sign in as these.
	Unlisted bool
}

// withDefaults fills in what the zero values stand for.
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

// mustValidate panics on a config that only a programmer can have made.
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

// isLoopback reports whether a host name or address is this machine's own.
func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
