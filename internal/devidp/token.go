package devidp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"parley.dev/parley/internal/clock"
)

const (
	// tokenReserve is how long a cached token must still be valid to be used.
	tokenReserve = 5 * time.Minute
	// tokenUse is how long a cached token is used at most: the API ends a sign-in that was
	// idle for hours, even if its token is still valid.
	tokenUse = time.Hour
)

// TokenSource fetches bearers for scripts and load tests by password, and caches them,
// because each new bearer costs the provider a slow hash.
type TokenSource struct {
	// Dir is the folder of cached tokens. Each token has a file that only the owner can
	// read. Empty means a folder parley in the user's cache folder.
	Dir string

	// Refused reports whether the API no longer accepts a cached token, for example after
	// a log-out. Nil: a cached token is assumed to be accepted as long as it is valid.
	Refused func(ctx context.Context, token string) bool

	// Clock is the source of time. Nil means the machine's clock.
	Clock clock.Clock
}

// cachedToken is the content of a file of TokenSource.
type cachedToken struct {
	AccessToken string    `json:"accessToken"`
	IssuedAt    time.Time `json:"issuedAt"`
	Expiry      time.Time `json:"expiry"`
}

// PasswordToken returns an access token of the person for the API. A cached token is used
// for at most an hour, and only if it is valid for five more minutes, its key is still one
// of the provider's, and it is not refused. The name of its file depends on the password,
// so that a wrong password never returns a cached token.
func (s TokenSource) PasswordToken(ctx context.Context, issuerURL, clientID, email, password string) (string, error) {
	now := clock.Clock(clock.System{})
	if s.Clock != nil {
		now = s.Clock
	}

	provider, err := oidc.NewProvider(ctx, issuerURL)
	if err != nil {
		return "", fmt.Errorf("reach the sign-in provider %s: %w", issuerURL, err)
	}

	file, err := s.file(issuerURL, clientID, email, password)
	if err != nil {
		return "", err
	}

	if kept, ok := readToken(file); ok && kept.Expiry.Sub(now.Now()) > tokenReserve && now.Now().Sub(kept.IssuedAt) < tokenUse {
		// The provider may have been restarted with other keys in the meantime.
		verifier := provider.VerifierContext(ctx, &oidc.Config{SkipClientIDCheck: true, Now: now.Now})
		if _, err := verifier.Verify(ctx, kept.AccessToken); err == nil && (s.Refused == nil || !s.Refused(ctx, kept.AccessToken)) {
			return kept.AccessToken, nil
		}
	}

	client := oauth2.Config{ClientID: clientID, Endpoint: provider.Endpoint(), Scopes: []string{oidc.ScopeOpenID, "email", "profile"}}
	client.Endpoint.AuthStyle = oauth2.AuthStyleInParams

	token, err := client.PasswordCredentialsToken(ctx, email, password)
	if refused := (*oauth2.RetrieveError)(nil); errors.As(err, &refused) {
		return "", fmt.Errorf("sign in as %s: %s", email, refusal(refused))
	}

	if err != nil {
		return "", fmt.Errorf("sign in as %s: %w", email, err)
	}

	if err := writeToken(file, cachedToken{AccessToken: token.AccessToken, IssuedAt: now.Now(), Expiry: token.Expiry}); err != nil {
		return "", err
	}

	return token.AccessToken, nil
}

// refusal returns the provider's description of the error, or else the status.
func refusal(err *oauth2.RetrieveError) string {
	if err.ErrorDescription != "" {
		return err.ErrorDescription
	}

	return err.Response.Status
}

// file returns the path of a token's file. Its name is a hash of all parameters of the request.
func (s TokenSource) file(parts ...string) (string, error) {
	dir := s.Dir
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("find a place for the token: %w", err)
		}

		dir = filepath.Join(cache, "parley")
	}

	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make a place for the token: %w", err)
	}

	key, err := json.Marshal(parts)
	if err != nil {
		return "", fmt.Errorf("name the token's file: %w", err)
	}

	sum := sha256.Sum256(key)

	return filepath.Join(dir, "token-"+hex.EncodeToString(sum[:16])+".json"), nil
}

// readToken reads a cached token. It returns false if the file is missing or cannot be read.
func readToken(file string) (cachedToken, bool) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return cachedToken{}, false
	}

	var kept cachedToken

	return kept, json.Unmarshal(raw, &kept) == nil
}

func writeToken(file string, token cachedToken) error {
	raw, err := json.Marshal(token) //nolint:gosec // is written to a file that only the owner can read
	if err != nil {
		return fmt.Errorf("keep the token: %w", err)
	}

	if err := writePrivate(file, raw); err != nil {
		return fmt.Errorf("keep the token: %w", err)
	}

	return nil
}
