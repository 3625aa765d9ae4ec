package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/cmd/parley-bench/scale"
	"parley.dev/parley/internal/devidp"
	"parley.dev/parley/persistence"
)

const (
	// issuerSecret is the name under which the database stores the previous issuer of the
	// people's sign-ins.
	issuerSecret = "bench-issuer"
	// password is the same for all people. The provider can be reached from this machine only.
	password = "parley"
)

// issuer is an OpenID provider that signs in the people of the big organisation. The
// provider embedded in the product does not know them.
type issuer struct {
	url      string
	provider *devidp.Provider
	server   *http.Server
	done     chan struct{} // closed when server has ended
}

// startIssuer starts the provider for some of the people, given by number from 1 on. The
// provider has a new address each time, so the database must be told that it replaces the
// previous one.
func startIssuer(ctx context.Context, database string, people []int) (*issuer, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", "localhost:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the sign-in: %w", err)
	}
	i := &issuer{url: "http://" + listener.Addr().String() + "/dex", done: make(chan struct{})}
	if err := moveIssuer(ctx, database, i.url); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	list := make([]devidp.Person, len(people))
	for n, person := range people {
		email := scale.Email(person)
		list[n] = devidp.Person{
			ID: uuid.NewSHA1(uuid.NameSpaceOID, []byte(email)).String(), Email: email,
			Name: fmt.Sprintf("Scale Person %d", person), Password: password,
		}
	}
	i.provider, err = devidp.New(ctx, devidp.Config{Issuer: i.url, RedirectURIs: []string{"http://localhost/authorizing"}, People: list})
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	i.server = &http.Server{Handler: i.provider.Handler(), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		defer close(i.done)
		_ = i.server.Serve(listener) // it returns after stop; if it fails, the sign-ins fail with their own errors
	}()
	return i, nil
}

// moveIssuer moves the people whom the previous provider signed in to this one.
func moveIssuer(ctx context.Context, database, url string) error {
	s, err := persistence.Open(ctx, persistence.Config{URL: database})
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Users.MoveIssuer(ctx, issuerSecret, url)
}

// environment returns the variables with which a server accepts bearer tokens of this provider.
func (i *issuer) environment() []string {
	return []string{"OIDC_ISSUER=" + i.url, "OIDC_CLIENT_ID=" + devidp.DefaultClientID, "OIDC_AUDIENCE=" + devidp.DefaultAudience}
}

// bearers signs the people in and returns their bearer tokens.
func (i *issuer) bearers(ctx context.Context, people []int) (_ []string, err error) {
	dir, err := os.MkdirTemp("", "parley-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for bearers: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	source := devidp.TokenSource{Dir: dir}
	list := make([]string, len(people))
	for n, person := range people {
		if list[n], err = source.PasswordToken(ctx, i.url, devidp.DefaultClientID, scale.Email(person), password); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// stop stops the provider.
func (i *issuer) stop(ctx context.Context) error {
	err := i.server.Shutdown(ctx)
	<-i.done
	i.provider.Close()
	if err != nil {
		return fmt.Errorf("end the sign-in: %w", err)
	}
	return nil
}
