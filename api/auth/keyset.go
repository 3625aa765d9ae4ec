package auth

// The issuer's public keys (RFC 7517), which are fetched from the address in its discovery
// document. Fetching has three rules: a token cannot cause a fetch more often than every 30
// seconds, a revoked key is refused within a minute, and keys are used for at most an hour while
// the issuer cannot be reached.

import (
	"bytes"
	"context"
	"crypto"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"parley.dev/parley/domain"
)

const (
	// refreshAfter is the age at which keys are fetched again, so that a revoked key is
	// refused and a new one is known within a minute.
	refreshAfter = 45 * time.Second
	// retryAfter is the minimum time between two fetches, whatever tokens contain.
	retryAfter = 30 * time.Second
	// keysLife is how long keys are used while their source is unreachable.
	keysLife    = time.Hour
	keysTimeout = 5 * time.Second
	keysMax     = 1 << 20 // bytes of a key or discovery document
	keyIDMax    = 128
)

// keySet holds the issuer's keys. No token can make it fetch more often than every 30
// seconds, nor from another address than the configured or discovered one.
type keySet struct {
	c          Config
	algorithms []jose.SignatureAlgorithm

	// fetching is a lock that is held during a fetch; others wait for it.
	fetching chan struct{}

	// mu protects the fields below it.
	mu         sync.Mutex
	keys       []jose.JSONWebKey
	fetched    time.Time // when the keys were fetched
	tried      time.Time // when the last fetch began, successful or not
	inProgress bool      // a fetch is in progress
	url        string    // of the keys, once discovered
	due        bool      // the keys must be fetched, whatever their age
	mark       []byte    // digest of the keys
	renewed    time.Time // when another node's notice last made a fetch due
}

// newKeySet makes a set without keys. They are fetched by the first token.
func newKeySet(c Config) *keySet {
	k := &keySet{c: c, url: c.KeysURL, fetching: make(chan struct{}, 1)}
	for _, a := range c.Algorithms {
		k.algorithms = append(k.algorithms, jose.SignatureAlgorithm(a))
	}
	return k
}

// keysOutcome returns to the verifier with which key a token was checked, or that there were
// no keys. It bypasses the library, which turns errors into text and does not return keys.
type keysOutcome struct {
	unavailable bool
	header      jose.Header
	key         *jose.JSONWebKey
}

type keysOutcomeKey struct{}

// VerifySignature implements oidc.KeySet.
// The errors say why a token is refused.
func (k *keySet) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	signed, err := jose.ParseSignedCompact(token, k.algorithms)
	if err != nil {
		return nil, errors.New("malformed, or of an algorithm that is not supported")
	}
	header := signed.Signatures[0].Protected
	if err := checkHeader(header); err != nil {
		return nil, err
	}
	// Without an outcome in the context the caller does not want to know the key.
	outcome, ok := ctx.Value(keysOutcomeKey{}).(*keysOutcome)
	if !ok {
		outcome = new(keysOutcome)
	}
	key, err := k.find(ctx, header)
	if err != nil {
		outcome.unavailable = domain.CodeOf(err) == domain.CodeUnavailable
		return nil, err
	}
	payload, err := signed.Verify(key)
	if err != nil {
		return nil, errors.New("the signature does not fit")
	}
	outcome.header, outcome.key = header, key
	return payload, nil
}

// holds reports whether the key with which a token was checked is still the one for it.
// After each fetch it is not, even if the issuer has changed nothing.
func (k *keySet) holds(ctx context.Context, header jose.Header, key *jose.JSONWebKey) bool {
	held, err := k.find(ctx, header)
	// Pointers are compared: each fetch makes new keys, so a result that was cached before it is
	// checked again.
	return err == nil && held == key
}

// checkHeader refuses a token without a key id, and one that contains its own key or the
// address of a key.
func checkHeader(h jose.Header) error {
	if h.KeyID == "" || len(h.KeyID) > keyIDMax {
		return errors.New("no usable key id")
	}
	if h.JSONWebKey != nil {
		return errors.New("brings its own key")
	}
	// These headers are refused even if they would be ignored: a token that names its own key is
	// not from the issuer.
	for _, name := range []jose.HeaderKey{"jku", "x5u", "x5c", "jwk"} {
		if _, ok := h.ExtraHeaders[name]; ok {
			return errors.New("brings its own key")
		}
	}
	return nil
}

// find returns the key of a token, and fetches the keys first if that is due. The request that
// fetches waits, and so do all that need the result.
func (k *keySet) find(ctx context.Context, h jose.Header) (*jose.JSONWebKey, error) {
	key, refresh, err := k.held(h)
	if !refresh {
		return key, err
	}
	select {
	// The channel is a lock that a request can stop waiting for.
	case k.fetching <- struct{}{}:
		defer func() { <-k.fetching }()
	case <-ctx.Done():
		return nil, domain.Errorf(domain.CodeUnavailable, "the keys are being fetched").WithCause(ctx.Err())
	}
	// Another goroutine may have fetched the keys while this one waited.
	if _, refresh, _ = k.held(h); refresh {
		k.refresh(ctx)
	}
	key, _, err = k.held(h)
	return key, err
}

// held looks the key up and reports whether the caller must fetch the keys or wait for a
// fetch in progress: a token that arrives during a fetch is not refused for a missing key.
func (k *keySet) held(h jose.Header) (key *jose.JSONWebKey, refresh bool, err error) {
	now := k.c.Clock.Now()
	k.mu.Lock()
	defer k.mu.Unlock()
	rested := k.tried.IsZero() || now.Sub(k.tried) >= retryAfter
	missing := rested || k.inProgress
	// Without usable keys no token can be judged, so the error is unavailable (503) and not
	// unauthenticated.
	if k.fetched.IsZero() || now.Sub(k.fetched) > keysLife {
		return nil, missing, domain.Errorf(domain.CodeUnavailable, "no keys of the issuer")
	}
	for i := range k.keys {
		if fits(&k.keys[i], h) {
			// A known key that is old, or that another node's notice concerns, causes a fetch, but
			// not more often than retryAfter.
			return &k.keys[i], rested && (k.due || now.Sub(k.fetched) >= refreshAfter), nil
		}
	}
	return nil, missing, errors.New("signed with an unknown key")
}

// fits reports whether the key's id, algorithm and use allow it to check the token.
func fits(key *jose.JSONWebKey, h jose.Header) bool {
	return key.KeyID == h.KeyID && (key.Algorithm == "" || key.Algorithm == h.Algorithm) && (key.Use == "" || key.Use == "sig")
}

// refresh fetches the keys. After a failure it keeps the current ones.
func (k *keySet) refresh(ctx context.Context) {
	// Other requests wait for the fetch too, so it does not end with the request that began it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keysTimeout)
	defer cancel()
	k.mu.Lock()
	k.tried, k.inProgress, k.due = k.c.Clock.Now(), true, false
	url := k.url
	k.mu.Unlock()

	keys, url, err := k.fetch(ctx, url)
	// The keys stay until keysLife. The next attempt is after retryAfter.
	if err != nil {
		k.mu.Lock()
		k.inProgress = false
		k.mu.Unlock()
		k.c.Logger.LogAttrs(ctx, slog.LevelWarn, "the keys of the issuer cannot be fetched", slog.String("issuer", k.c.Issuer),
			slog.Any("error", err))
		return
	}
	mark := markOf(keys)
	k.mu.Lock()
	changed := k.mark != nil && !bytes.Equal(mark, k.mark)
	// This changes in one step with the keys: a token that arrives in between would neither
	// wait for the fetch nor find a key.
	k.inProgress = false
	k.keys, k.url, k.fetched, k.mark = keys, url, k.c.Clock.Now(), mark
	k.mu.Unlock()
	if changed && k.c.Renewed != nil {
		k.c.Renewed(mark)
	}
}

// renew makes a fetch due. Notices of other nodes cause at most one fetch per retryAfter.
func (k *keySet) renew(mark []byte) {
	now := k.c.Clock.Now()
	k.mu.Lock()
	defer k.mu.Unlock()
	if bytes.Equal(mark, k.mark) || k.fetched.IsZero() || !k.renewed.IsZero() && now.Sub(k.renewed) < retryAfter {
		return
	}
	// The time of the last try is cleared, so that the next token fetches at once.
	k.renewed, k.tried = now, time.Time{}
	k.due = true
}

// markOf returns a digest of a set of keys.
func markOf(keys []jose.JSONWebKey) []byte {
	sum := sha256.New()
	for i := range keys {
		print, err := keys[i].Thumbprint(crypto.SHA256)
		if err != nil {
			continue // this kind of key has no thumbprint, and no token can be signed with it
		}
		_, _ = sum.Write(append(print, keys[i].KeyID...)) // never fails
	}
	return sum.Sum(nil)
}

// fetch reads the keys, and their address if it is not configured or known. The address is kept
// only if the fetch succeeds.
func (k *keySet) fetch(ctx context.Context, url string) ([]jose.JSONWebKey, string, error) {
	host := k.c.KeysHost
	if url == "" {
		m, err := discover(ctx, k.c.Client, k.c.Issuer)
		if err != nil {
			return nil, "", err
		}
		url, host = m.KeysURL, ""
	}
	var set jose.JSONWebKeySet
	if err := getDocument(ctx, k.c.Client, url, host, &set); err != nil {
		return nil, "", err
	}
	// A symmetric or private key in a public document is a mistake of the issuer.
	keys := slices.DeleteFunc(set.Keys, func(key jose.JSONWebKey) bool { return !key.Valid() || !key.IsPublic() })
	return keys, url, nil
}

// getDocument reads a JSON document of at most keysMax bytes. The default client follows no
// redirects (verifier.go). An empty host is that of the URL.
func getDocument(ctx context.Context, client *http.Client, url, host string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return domain.Internal(err, "the address cannot be used")
	}
	if host != "" {
		request.Host = host
	}
	response, err := client.Do(request)
	if err != nil {
		return domain.Internal(err, "no answer")
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	if response.StatusCode != http.StatusOK {
		return domain.Errorf(domain.CodeUnavailable, "answered %d", response.StatusCode)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, keysMax)).Decode(into); err != nil {
		return domain.Internal(err, "the answer cannot be read")
	}
	return nil
}

// decodeSegment decodes one of the three parts of a token (RFC 7515, 7.1).
func decodeSegment(s string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(s) //nolint:wrapcheck // only whether it failed matters
}
