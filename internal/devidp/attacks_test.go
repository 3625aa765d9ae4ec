package devidp_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"parley.dev/parley/internal/devidp"
)

// Rows of the table of attacks that the embedded provider must resist.
func TestAttacks(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for _, row := range []struct {
		number string
		run    func(*testing.T, bundle)
	}{
		{"A11", attackA11},
		{"A12", attackA12},
		{"A13", attackA13},
		{"A13OnAnotherNode", attackA13OnAnotherNode},
		{"A18", attackA18},
		{"A20", attackA20},
		{"J07", attackJ07},
		{"J07UnknownPeople", attackJ07UnknownPeople},
		{"J08", attackJ08},
	} {
		t.Run(row.number, func(t *testing.T) {
			t.Parallel()
			row.run(t, b)
		})
	}
}

// code signs in and returns the parameters, among them the code, of the redirect to the client.
func (b bundle) code(t *testing.T, verifier string, options ...oauth2.AuthCodeOption) url.Values {
	t.Helper()

	config, _ := b.oauth(t)
	options = append(options, oauth2.S256ChallengeOption(verifier))
	page, body := b.get(t, config.AuthCodeURL("the-state", options...))
	require.Equal(t, http.StatusOK, page.status, body)

	back, _ := b.submit(t, page, body, adaMail, secret)

	return back.at.Query()
}

// exchange posts a form to the token endpoint and returns the status and body of the response.
func (b bundle) exchange(t *testing.T, form url.Values) (int, string) {
	t.Helper()

	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.issuer+"/token", strings.NewReader(form.Encode()))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, body := b.do(t, request)

	return response.status, body
}

func (b bundle) codeForm(code, verifier string) url.Values {
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {devidp.DefaultClientID}, "redirect_uri": {b.callback}, "code": {code},
	}
	if verifier != "" {
		form.Set("code_verifier", verifier)
	}

	return form
}

// A11: the provider returns the client's state unchanged; the client checks whether it is
// the state of this browser (web/src/lib/oidc.test.ts).
func attackA11(t *testing.T, b bundle) {
	t.Helper()

	query := b.code(t, oauth2.GenerateVerifier())
	require.Equal(t, []string{"the-state"}, query["state"])

	// A sign-in form cannot be posted to a request that does not exist or has ended.
	for _, state := range []string{"", "unknown", "the-state"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.issuer+"/auth/local/login?state="+state,
			strings.NewReader(url.Values{"login": {adaMail}, "password": {secret}}.Encode()))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		got, _ := b.do(t, request)
		require.Equal(t, http.StatusBadRequest, got.status, state)
		require.Empty(t, got.at.Query().Get("code"))
	}
}

// A12: the ID token contains the nonce of its own request, or no nonce if the request had none.
func attackA12(t *testing.T, b bundle) {
	t.Helper()

	for _, nonce := range []string{"one", "two", ""} {
		verifier := oauth2.GenerateVerifier()
		var options []oauth2.AuthCodeOption
		if nonce != "" {
			options = append(options, oidc.Nonce(nonce))
		}
		config, _ := b.oauth(t)
		token, err := config.Exchange(b.context(t), b.code(t, verifier, options...).Get("code"), oauth2.VerifierOption(verifier))
		require.NoError(t, err)
		raw, ok := token.Extra("id_token").(string)
		require.True(t, ok)
		_, claims := parts(t, raw)
		if nonce == "" {
			require.NotContains(t, claims, "nonce")
		} else {
			require.Equal(t, nonce, claims["nonce"])
		}
	}
}

// A13: a code can be exchanged once, and only with its verifier.
func attackA13(t *testing.T, b bundle) {
	t.Helper()

	verifier := oauth2.GenerateVerifier()
	code := b.code(t, verifier).Get("code")
	for _, wrong := range []string{"", "x", oauth2.GenerateVerifier(), oauth2.S256ChallengeFromVerifier(verifier)} {
		own := oauth2.GenerateVerifier()
		status, body := b.exchange(t, b.codeForm(b.code(t, own).Get("code"), wrong))
		require.Equal(t, http.StatusBadRequest, status, body)
		require.NotContains(t, body, "access_token")
	}
	status, body := b.exchange(t, b.codeForm(code, verifier))
	require.Equal(t, http.StatusOK, status, body)
	status, body = b.exchange(t, b.codeForm(code, verifier))
	require.Equal(t, http.StatusBadRequest, status, body)
	require.Contains(t, body, "invalid_grant")
	require.NotContains(t, body, "access_token")

	// A second use ends the sign-in of the first use, with or without the right verifier.
	for _, verifier := range []string{verifier, ""} {
		own := oauth2.GenerateVerifier()
		code := b.code(t, own).Get("code")
		status, body := b.exchange(t, b.codeForm(code, own))
		require.Equal(t, http.StatusOK, status, body)
		claims := claimsOf(t, body)
		for _, in := range b.ended.list() {
			require.NotEqual(t, claims["sid"], in.Session, "a single use must not end the sign-in")
		}
		status, _ = b.exchange(t, b.codeForm(code, verifier))
		require.Equal(t, http.StatusBadRequest, status)
		ended := b.ended.list()
		require.NotEmpty(t, ended)
		last := ended[len(ended)-1]
		require.Equal(t, []any{adaID, adaMail, claims["sid"]}, []any{last.Subject, last.Email, last.Session})
		require.EqualValues(t, claims["auth_time"], last.Began.Unix())
	}
	status, _ = b.exchange(t, b.codeForm("unknown", verifier))
	require.Equal(t, http.StatusBadRequest, status)

	// A code cannot be exchanged with another redirect URI than the one of its request.
	form := b.codeForm(b.code(t, verifier).Get("code"), verifier)
	form.Set("redirect_uri", "http://evil.example/login")
	status, _ = b.exchange(t, form)
	require.Equal(t, http.StatusBadRequest, status)
}

// claimsOf returns the claims of the access token in a response.
func claimsOf(t *testing.T, body string) map[string]any {
	t.Helper()

	_, access, _ := strings.Cut(body, `"access_token":"`)
	access, _, _ = strings.Cut(access, `"`)
	_, claims := parts(t, access)

	return claims
}

// A13 on another node, or after a restart of the issuer: the second use of a code ends the
// sign-in of the first use there, too.
func attackA13OnAnotherNode(t *testing.T, _ bundle) {
	t.Helper()

	b := setup(t, nil)
	verifier := oauth2.GenerateVerifier()
	code := b.code(t, verifier).Get("code")
	status, body := b.exchange(t, b.codeForm(code, verifier))
	require.Equal(t, http.StatusOK, status, body)
	claims := claimsOf(t, body)

	other := httptest.NewServer(b.start(t, nil).Handler())
	t.Cleanup(other.Close)
	there := b
	there.issuer = other.URL + "/dex"
	status, _ = there.exchange(t, b.codeForm("unknown", verifier))
	require.Equal(t, http.StatusBadRequest, status)
	require.Empty(t, b.ended.list())
	status, body = there.exchange(t, b.codeForm(code, verifier))
	require.Equal(t, http.StatusBadRequest, status, body)
	require.NotContains(t, body, "access_token")
	ended := b.ended.list()
	require.Len(t, ended, 1)
	require.Equal(t, []any{adaID, adaMail, claims["sid"]}, []any{ended[0].Subject, ended[0].Email, ended[0].Session})

	// If a spent code cannot be stored, no token is issued.
	code = b.code(t, verifier).Get("code")
	b.codes.mu.Lock()
	b.codes.fails = errors.New("away")
	b.codes.mu.Unlock()
	status, body = b.exchange(t, b.codeForm(code, verifier))
	require.Equal(t, http.StatusInternalServerError, status)
	require.NotContains(t, body, "access_token")
}

// A18: the provider chooses the sid of each sign-in itself, and ignores one from the client.
func attackA18(t *testing.T, b bundle) {
	t.Helper()

	seen := map[any]bool{"chosen": true}
	for range 3 {
		verifier := oauth2.GenerateVerifier()
		query := b.code(t, verifier, oauth2.SetAuthURLParam("sid", "chosen"))
		form := b.codeForm(query.Get("code"), verifier)
		form.Set("sid", "chosen")
		status, body := b.exchange(t, form)
		require.Equal(t, http.StatusOK, status, body)
		_, access, _ := strings.Cut(body, `"access_token":"`)
		access, _, _ = strings.Cut(access, `"`)
		_, claims := parts(t, access)
		require.NotEmpty(t, claims["sid"])
		require.False(t, seen[claims["sid"]])
		seen[claims["sid"]] = true
	}
}

// A20: a refreshed token belongs to the same sign-in as the first token, so that the API can
// refuse it after a log-out.
func attackA20(t *testing.T, _ bundle) {
	t.Helper()

	b := setup(t, nil)
	config, _ := b.oauth(t)
	first := b.signIn(t)
	b.clock.Advance(time.Hour)
	spent := *first
	spent.Expiry = time.Unix(1, 0)
	second, err := config.TokenSource(b.context(t), &spent).Token()
	require.NoError(t, err)
	_, before := parts(t, first.AccessToken)
	_, after := parts(t, second.AccessToken)
	require.NotEmpty(t, before["sid"])
	require.Equal(t, before["sid"], after["sid"])
	require.Equal(t, before["auth_time"], after["auth_time"])
	require.NotEqual(t, before["iat"], after["iat"])
	_, other := parts(t, b.signIn(t).AccessToken)
	require.NotEqual(t, before["sid"], other["sid"])
}

// attempts counts attempts, and refuses them when a person has reached the limit.
type attempts struct {
	// mu guards people and addresses, which requests write.
	mu                sync.Mutex
	limit             int
	people, addresses map[string]int
}

func (a *attempts) Count(_ context.Context, person, address string) (time.Duration, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.people[person] >= a.limit {
		return 41500 * time.Millisecond, false
	}
	a.people[person]++
	a.addresses[address]++

	return 0, true
}

func passwordForm(email, password string) url.Values {
	return url.Values{
		"grant_type": {"password"}, "client_id": {devidp.DefaultClientID}, "scope": {"openid"},
		"username": {email}, "password": {password},
	}
}

// J07: attempts are counted by person and by address, both on the page and at the token
// endpoint, for known and unknown people; refreshing and exchanging are not attempts.
func attackJ07(t *testing.T, _ bundle) {
	t.Helper()

	counted := &attempts{limit: 2, people: map[string]int{}, addresses: map[string]int{}}
	b := setup(t, nil, func(c *devidp.Config) { c.Attempts = counted })
	config, _ := b.oauth(t)
	page, body := b.get(t, config.AuthCodeURL("the-state", oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))

	for _, who := range []string{adaMail, "nobody@example.test"} {
		status, answered := b.exchange(t, passwordForm(who, "wrong"))
		require.Equal(t, http.StatusUnauthorized, status, answered)
		back, _ := b.submit(t, page, body, strings.ToUpper(who), "wrong")
		require.Equal(t, http.StatusUnauthorized, back.status)

		// The right password is not checked either.
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.issuer+"/token",
			strings.NewReader(passwordForm(who, secret).Encode()))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		got, answered := b.do(t, request)
		require.Equal(t, http.StatusTooManyRequests, got.status)
		require.Equal(t, "42", got.header.Get("Retry-After"))
		require.JSONEq(t, `{"error":"temporarily_unavailable","error_description":"There were too many attempts to sign in. Please wait `+
			`a moment."}`, answered)

		back, answered = b.submit(t, page, body, who, secret)
		require.Equal(t, http.StatusTooManyRequests, back.status)
		require.Equal(t, "42", back.header.Get("Retry-After"))
		require.Contains(t, back.header.Get("Content-Security-Policy"), "script-src 'none'")
		require.Contains(t, answered, "There were too many attempts to sign in.")
		require.Contains(t, answered, `href="/dex/theme/styles.css"`)
	}

	// A multipart form counts as the same attempt.
	var parts bytes.Buffer
	form := multipart.NewWriter(&parts)
	for name, values := range passwordForm(adaMail, secret) {
		require.NoError(t, form.WriteField(name, values[0]))
	}
	require.NoError(t, form.Close())
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.issuer+"/token", &parts)
	require.NoError(t, err)
	request.Header.Set("Content-Type", form.FormDataContentType())
	got, _ := b.do(t, request)
	require.Equal(t, http.StatusTooManyRequests, got.status)

	require.Len(t, counted.people, 2)
	require.Equal(t, map[string]int{"127.0.0.1": 4}, counted.addresses)
	for person := range counted.people {
		require.NotContains(t, person, "@")
	}

	// Other people can sign in; requests after a sign-in are not attempts.
	status, answered := b.exchange(t, passwordForm("grace@example.test", secret))
	require.Equal(t, http.StatusOK, status, answered)
	for range 5 {
		status, _ := b.exchange(t, b.codeForm("unknown", oauth2.GenerateVerifier()))
		require.Equal(t, http.StatusBadRequest, status)
	}
	require.Len(t, counted.people, 3)
}

// J07: the response for a person who does not exist is the same as for one who exists.
func attackJ07UnknownPeople(t *testing.T, b bundle) {
	t.Helper()

	status, known := b.exchange(t, passwordForm(adaMail, "wrong"))
	require.Equal(t, http.StatusUnauthorized, status)
	for who, password := range map[string]string{"nobody@example.test": "wrong", "": "", strings.Repeat("x", 10_000): strings.Repeat("x",
		100)} {
		status, unknown := b.exchange(t, passwordForm(who, password))
		require.Equal(t, http.StatusUnauthorized, status)
		require.Equal(t, known, unknown)
	}
}

// J08: the log contains no text that somebody has typed, and no part of a request.
func attackJ08(t *testing.T, _ bundle) {
	t.Helper()

	var log lockedBuffer
	b := setup(t, nil, func(c *devidp.Config) {
		c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	config, _ := b.oauth(t)
	page, body := b.get(t, config.AuthCodeURL("the-state", oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
	back, _ := b.submit(t, page, body, "canary-typed-here", "canary-password")
	require.Equal(t, http.StatusUnauthorized, back.status)
	b.submit(t, page, body, adaMail, "canary-password")

	for _, form := range []url.Values{
		passwordForm("canary-name", "canary-password"),
		passwordForm(adaMail, "canary-password"),
		{"grant_type": {"canary-grant"}},
		{"grant_type": {"refresh_token"}, "client_id": {devidp.DefaultClientID}, "refresh_token": {"canary-refresh"}},
		{
			"grant_type": {"password"}, "client_id": {"canary-client"}, "client_secret": {"canary-secret"}, "username": {adaMail},
			"password": {secret},
		},
		b.codeForm("canary-code", "canary-verifier"),
	} {
		status, _ := b.exchange(t, form)
		require.GreaterOrEqual(t, status, 400)
	}
	for _, path := range []string{
		"/auth?client_id=canary-client&redirect_uri=http://canary/&response_type=code&scope=openid",
		"/auth/local?state=canary-state", "/auth/local/login?state=canary-state", "/userinfo?access_token=canary-token",
	} {
		b.get(t, b.issuer+path)
	}

	require.Contains(t, log.String(), "failed login attempt", "the failed sign-in itself is still logged")
	require.NotContains(t, log.String(), "canary")
	require.NotContains(t, log.String(), adaMail)
}

// lockedBuffer is a log that requests write to and a test reads.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()

	return b.text.String()
}
