package devidp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/dexidp/dex/server/oauth2"
	"github.com/dexidp/dex/storage"
	"golang.org/x/crypto/bcrypt"
)

// tooManyAttempts is the message for people whose attempt was refused without a check.
const tooManyAttempts = "There were too many attempts to sign in. Please wait a moment."

// Attempts limits how often somebody can try to sign in, with a password on the page or
// with the password grant. Each attempt costs a slow hash, and may be a guess.
type Attempts interface {
	// Count counts one attempt. If there were too many, it returns false and the time to
	// wait until the next attempt. person is derived from the e-mail address that was typed,
	// known or not, and does not contain it; address is the client's, without a port.
	Count(ctx context.Context, person, address string) (wait time.Duration, ok bool)
}

// serveAttempt counts requests with a password before it passes them on to dex.
func (p *Provider) serveAttempt(w http.ResponseWriter, r *http.Request, page bool) {
	// Dex reads forms of both encodings with the same function.
	//nolint:gosec // Handler has limited the body
	if err := r.ParseMultipartForm(maxBody); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		http.Error(w, "The form could not be read.", http.StatusBadRequest)
		return
	}

	var email string

	switch {
	case page && r.Method == http.MethodPost:
		email = r.FormValue("login")
	case !page && r.PostFormValue("grant_type") == oauth2.GrantTypePassword:
		email = r.PostFormValue("username")
	default:
		p.dex.ServeHTTP(w, r)
		return
	}

	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		address = r.RemoteAddr
	}

	if wait, ok := p.cfg.Attempts.Count(r.Context(), personKey(email), address); !ok {
		p.refuseAttempt(w, r, page, wait)
		return
	}

	p.dex.ServeHTTP(w, r)
}

// personKey returns a hash of an e-mail address, in the form in which dex compares addresses.
// Somebody may type a password into the field, so the text itself must not be stored.
func personKey(email string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(email)))
	return hex.EncodeToString(sum[:16])
}

// refuseAttempt answers 429, with a page for browsers and with JSON for other clients.
func (p *Provider) refuseAttempt(w http.ResponseWriter, r *http.Request, page bool, wait time.Duration) {
	for name, values := range pageHeaders() {
		w.Header()[name] = values
	}

	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))

	var err error

	if page {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusTooManyRequests)
		err = p.refusal.ExecuteTemplate(w, "error.html", map[string]string{
			"ErrType": http.StatusText(http.StatusTooManyRequests), "ErrMsg": tooManyAttempts, "ReqPath": r.URL.Path,
		})
	} else {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusTooManyRequests)
		// RFC 6749 has no error code for this at the token endpoint; the status tells the client.
		err = json.NewEncoder(w).Encode(map[string]string{"error": "temporarily_unavailable", "error_description": tooManyAttempts})
	}

	if err != nil {
		p.cfg.Logger.LogAttrs(r.Context(), slog.LevelWarn, "a refusal could not be sent", slog.Any("error", err))
	}
}

// refusalPage returns dex's error page as a template of our own, because dex shows the page
// only for its own errors.
func refusalPage(path string) (*template.Template, error) {
	parsed, err := template.New("").Funcs(template.FuncMap{
		"issuer": func() string { return issuerName },
		"url":    func(_, asset string) string { return path + "/" + asset },
	}).ParseFS(own, "assets/templates/header.html", "assets/templates/footer.html", "assets/templates/error.html")
	if err != nil {
		return nil, fmt.Errorf("page of refused attempts: %w", err)
	}

	return parsed, nil
}

// guardedPasswords is dex's list of people. For a person who is not on it, it returns a
// password that nobody has, so that dex compares a hash for unknown people, too: the
// response time does not reveal who exists.
type guardedPasswords struct {
	storage.Storage

	nobody storage.Password
}

func newGuardedPasswords(s storage.Storage) (*guardedPasswords, error) {
	hash, err := bcrypt.GenerateFromPassword([]byte(rand.Text()), bcrypt.DefaultCost)
	if err != nil {
		return nil, fmt.Errorf("password of nobody: %w", err)
	}

	return &guardedPasswords{Storage: s, nobody: storage.Password{Hash: hash}}, nil
}

// GetPassword implements storage.Storage.
func (s *guardedPasswords) GetPassword(ctx context.Context, email string) (storage.Password, error) {
	found, err := s.Storage.GetPassword(ctx, email)
	if errors.Is(err, storage.ErrNotFound) {
		return s.nobody, nil
	}

	return found, err //nolint:wrapcheck // dex compares its own errors
}

// anyNumber is Attempts without a limit.
type anyNumber struct{}

// Count implements Attempts.
func (anyNumber) Count(context.Context, string, string) (time.Duration, bool) { return 0, true }
