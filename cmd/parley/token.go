package main

// The commands token, migrate and seed, which need no running node or no server of their own.

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"strings"
	"time"

	"parley.dev/parley/internal/commandline"
	"parley.dev/parley/internal/devidp"
)

// token signs a person of the embedded provider in by password and prints the bearer. The
// bearer is kept in the user's cache folder, because a new one needs a slow password hash.
func token(ctx context.Context, p *program, args []string) error {
	f := p.flags("token")
	user := f.String("user", "", "e-mail address of the person")
	base := f.String("url", defaultURL(p.getenv), "the server's address")
	password := f.String("password", demoPassword, "the person's password at the identity provider")
	if err := commandline.Parse(f, args); err != nil {
		return err
	}
	if *user == "" {
		return commandline.Usage(errors.New("token needs --user <email>"))
	}
	bearer, err := bearerOf(ctx, *base, *user, *password)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, bearer)
	return err //nolint:wrapcheck // the writer's error needs no further context
}

// defaultURL is the URL of a server on this machine.
func defaultURL(getenv func(string) string) string {
	if u := getenv("PARLEY_URL"); u != "" {
		return u
	}
	if a := getenv("PARLEY_ADDR"); a != "" {
		return "http://" + a
	}
	return "http://localhost:8080"
}

// signInConfig is the part of a server's config.json that describes its identity provider.
type signInConfig struct {
	OIDC struct {
		Authority string `json:"authority"`
		ClientID  string `json:"clientId"`
	} `json:"oidc"`
}

// bearerOf asks the server for its identity provider, and the provider for a bearer.
func bearerOf(ctx context.Context, base, user, password string) (string, error) {
	// The time includes a password hash of the provider, which is slow on purpose.
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var c signInConfig
	if err := getJSON(ctx, strings.TrimSuffix(base, "/")+"/config.json", &c); err != nil {
		return "", fmt.Errorf("no server answers at %s (start it with make run, or name it with --url): %w", base, err)
	}
	// A cached bearer is checked once before it is used, so that a log-out in between does not make
	// a script fail.
	tokens := devidp.TokenSource{Refused: func(ctx context.Context, bearer string) bool { return refused(ctx, base, bearer) }}
	bearer, err := tokens.PasswordToken(ctx, c.OIDC.Authority, c.OIDC.ClientID, user, password)
	if err != nil {
		return "", fmt.Errorf("sign %s in: %w", user, err)
	}
	return bearer, nil
}

// refused reports whether the API refuses a bearer, because its session is over. If the API
// does not answer, the bearer is not the cause.
func refused(ctx context.Context, base, bearer string) bool {
	// Every signed-in person may make this call.
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(base, "/")+"/api/v1/user/me", nil)
	if err != nil {
		return false
	}
	req.Header.Set("Authorization", "Bearer "+bearer)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusUnauthorized
}

// getJSON reads a JSON document. Its body is not limited: it comes from the operator's own server.
func getJSON(ctx context.Context, url string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the answer is %s", resp.Status)
	}
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	return nil
}

// migrate brings the schema of DATABASE_URL, or of the private database, up to date.
func migrate(ctx context.Context, p *program, args []string) error {
	// Opening the database migrates it, so nothing is left to do.
	return withDatabase(ctx, p, p.flags("migrate"), args, func(context.Context, *node) error { return nil })
}

// withDatabase runs a command that needs the database, but no server.
func withDatabase(ctx context.Context, p *program, f *flag.FlagSet, args []string, do func(context.Context, *node) error) error {
	if err := commandline.Parse(f, args); err != nil {
		return err
	}
	c, err := loadConfig(p.getenv)
	if err != nil {
		return commandline.Usage(err)
	}
	// The node has only its database; nothing listens.
	n := &node{c: c, log: p.logger(c.logLevel, c.logFormat), out: p.stdout}
	err = n.openDatabase(ctx)
	if err == nil {
		err = do(ctx, n)
	}
	return errors.Join(err, n.close()) //nolint:contextcheck // stopping must continue when ctx has ended
}
