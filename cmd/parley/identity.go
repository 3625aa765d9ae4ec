package main

// Signing in: the embedded OpenID provider for trials, the verifier of bearers for any provider
// (OpenID Connect Core 1.0), and the settings that pages need for it. With the embedded provider
// all nodes of a database are one issuer (ADR 6).

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"time"

	"parley.dev/parley/api"
	"parley.dev/parley/api/auth"
	"parley.dev/parley/api/stream"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/devidp"
	"parley.dev/parley/persistence"
)

// Names of the secrets that the nodes of one database share (see persistence.Secret).
//
//nolint:gosec // these are names, not secrets
const (
	secretKeys    = "devidp-keys"
	secretIssuer  = "devidp-issuer"
	secretLinkKey = "link-key"
	linkKeyBytes  = 32
)

// openIdentity starts the embedded OpenID provider if no other provider is configured.
// A node that starts while other nodes run takes over their issuer, so that a bearer
// is valid on all nodes (docs/adr/0006).
func (n *node) openIdentity(ctx context.Context) error {
	if !n.c.embeddedIssuer() {
		n.c.issuerURL = n.c.oidcIssuer
		return nil
	}
	// The path is that of the provider below the public address of this node.
	own := n.c.publicURL + "/dex"
	members, err := n.store.Members.Members(ctx)
	if err != nil {
		return fmt.Errorf("read the members: %w", err)
	}
	n.c.issuerURL = own
	others := false
	for _, m := range members {
		// An earlier incarnation of this node may still have a lease.
		others = others || m.Name != n.c.nodeName
	}
	if others {
		stored, err := n.store.Secrets.LoadSecret(ctx, secretIssuer)
		if err != nil {
			return fmt.Errorf("read the issuer: %w", err)
		}
		if len(stored) > 0 {
			n.c.issuerURL = string(stored)
		}
	}
	// This node's address is the issuer's: people who were bound to a former address follow it.
	if n.c.issuerURL == own {
		if err := n.store.Users.MoveIssuer(ctx, secretIssuer, own); err != nil {
			return fmt.Errorf("save the issuer: %w", err)
		}
	}
	people := n.people()
	list := make([]devidp.Person, len(people))
	// People without a hint are those of the load tester, and are not listed on the page.
	for i, p := range people {
		list[i] = devidp.Person{ID: p.uuid.String(), Email: p.email, Name: p.name, Password: demoPassword, Hint: p.hint, Unlisted: p.hint == ""}
	}
	n.identity, err = devidp.New(ctx, devidp.Config{
		Issuer: n.c.issuerURL, RedirectURIs: n.redirects(), People: list, ClientID: n.c.oidcClientID,
		BearerLifetime: time.Duration(n.c.bearerSeconds) * time.Second,
		Attempts:       attempts{rates: n.shared.Rates, limit: n.c.signInsPerMin},
		EndSignIn:      n.endSignIn, Keys: n.store.Secrets.Secret(secretKeys), Codes: spentCodes{n.store}, AllowRemote: n.c.demoRemote,
		Logger: n.log,
	})
	if err != nil {
		return fmt.Errorf("start the embedded sign-in: %w", err)
	}
	n.running.started("stop the embedded sign-in", quietly(n.identity.Close))
	return nil
}

// attempts limits how often a person can try to sign in, counted over all nodes.
type attempts struct {
	rates domain.RateCounter
	limit int
}

// Count implements devidp.Attempts.
func (a attempts) Count(ctx context.Context, person, address string) (time.Duration, bool) {
	// An IPv6 address is counted with its network, since one person may have all of it
	// (stream.SeatAddress).
	if ip, err := netip.ParseAddr(address); err == nil {
		address = stream.SeatAddress(ip)
	}
	// Both windows must have room: one for the person who is attacked, one for the address that
	// attacks.
	return a.rates.Count(ctx,
		domain.Window{Key: "sign-in/person/" + person, Most: a.limit, Per: time.Minute},
		domain.Window{Key: "sign-in/address/" + address, Most: a.limit, Per: time.Minute})
}

// spentCodes stores the provider's spent codes in the database, where all nodes find them.
type spentCodes struct{ store *persistence.Store }

// Keep implements devidp.CodeStore.
func (c spentCodes) Keep(ctx context.Context, code devidp.CodeHash, in devidp.SignIn, until time.Time) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("write a sign-in: %w", err)
	}
	if err := c.store.Secrets.KeepSpentCode(ctx, code[:], body, until); err != nil {
		return fmt.Errorf("keep a spent code: %w", err)
	}
	return nil
}

// Find implements devidp.CodeStore.
func (c spentCodes) Find(ctx context.Context, code devidp.CodeHash) (*devidp.SignIn, error) {
	body, err := c.store.Secrets.SpentCode(ctx, code[:])
	// No row is not an error: the code was not spent.
	if err != nil || body == nil {
		return nil, err
	}
	var in devidp.SignIn
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("read a sign-in: %w", err)
	}
	return &in, nil
}

// endSignIn ends a sign-in that the embedded provider identifies by its own subject and
// session. The other nodes learn of it from the database, in the same way as when the person
// signs out.
func (n *node) endSignIn(ctx context.Context, in devidp.SignIn) error {
	id := domain.Identity{
		// The embedded provider has only verified addresses.
		Issuer: n.c.issuerURL, Subject: in.Subject, Email: in.Email, EmailVerified: true, Session: in.Session,
		AuthTime: in.Began,
	}
	user, err := n.store.Users.UserByIdentity(ctx, id)
	if err != nil {
		return fmt.Errorf("find whose sign-in it is: %w", err)
	}
	signIn := id.SignIn(user)
	// The sign-in may not have been used yet. It must be entered first, because only an entered one can be ended.
	switch err := n.store.SignIns.EnterSignIn(ctx, signIn, false); {
	case domain.CodeOf(err) == domain.CodeUnauthenticated:
		return nil // it is over already
	case err != nil:
		return fmt.Errorf("enter the sign-in: %w", err)
	}
	if err := n.store.SignIns.EndSignIn(ctx, signIn); err != nil {
		return fmt.Errorf("end the sign-in: %w", err)
	}
	return nil
}

// redirects lists the pages to which a sign-in may return, one for each origin of this server.
func (n *node) redirects() []string {
	uris := []string{n.c.publicURL + "/authorizing"}
	for _, o := range n.c.origins() {
		uris = append(uris, o+"/authorizing")
	}
	return uris
}

// hintKeys announces that the keys of the issuer have changed. The hint carries a digest of the keys.
const hintKeys domain.HintTopic = "keys"

// verifier makes the verifier of bearers. The keys of the embedded issuer are fetched from
// this node, because the node that the issuer's URL names may no longer exist.
func (n *node) verifier() *auth.Verifier {
	c := auth.Config{Issuer: n.c.issuerURL, Audiences: []string{n.c.audience()}, Logger: n.log}
	// The tokens of the embedded provider have a type and a client id, so both are required.
	if n.identity != nil {
		c.RequireType = true
		c.ClientIDs = []string{n.c.oidcClientID}
		c.KeysURL = n.c.localURL() + "/dex/keys"
		// This node may be called by the issuer's name alone, which need not be that of the address on which it listens.
		if issuer, err := url.Parse(n.c.issuerURL); err == nil {
			c.KeysHost = issuer.Host
		}
	}
	// The other nodes fetch the keys as well; a hint that is lost only means that they do so at
	// their own time.
	c.Renewed = func(mark []byte) { n.shared.Hints.Send(hintKeys, "keys", mark) }
	v := auth.NewVerifier(c)
	n.shared.Hints.Listen(hintKeys, v.Renew)
	return v
}

// browser is the configuration of the pages: how to sign in, and the collector that they
// report to. Only a collector needs the version, so it is absent without one.
func (n *node) browser() api.BrowserConfig {
	b := api.BrowserConfig{Issuer: n.c.issuerURL, ClientID: n.c.oidcClientID, Scope: "openid profile email offline_access"}
	if n.c.webCollector != "" {
		b.Collector, b.Version = n.c.webCollector, version
	}
	return b
}

// linkKey returns the key that signs links to files. All nodes use the key that was offered first.
func (n *node) linkKey(ctx context.Context) ([]byte, error) {
	// Each node draws a key; the one that is stored first is used by all.
	key := make([]byte, linkKeyBytes)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("draw the key of links: %w", err)
	}
	key, err := n.store.Secrets.OfferSecret(ctx, secretLinkKey, key)
	if err != nil {
		return nil, fmt.Errorf("keep the key of links: %w", err)
	}
	return key, nil
}

// audience is the expected audience of access tokens.
func (c *config) audience() string {
	switch {
	case c.oidcAudience != "":
		return c.oidcAudience
	case c.embeddedIssuer():
		// Without a setting it is what the provider writes into its tokens.
		return devidp.DefaultAudience
	}
	return c.oidcClientID
}

// localURL is the URL under which this node reaches itself.
func (c *config) localURL() string { return "http://" + c.addr }

// port is the port of people's address, which tells several nodes on one machine apart.
func (c *config) port() string {
	_, port, err := net.SplitHostPort(c.addr)
	if err != nil {
		return "" // config.go has checked it already
	}
	return port
}

// origins lists the other origins of this server on its own machine: if the host of the public URL is one of
// the loopback names, the origins with the other name.
func (c *config) origins() []string {
	u, err := url.Parse(c.publicURL)
	if err != nil {
		return nil
	}
	var list []string
	names := []string{"localhost", "127.0.0.1"}
	for _, name := range names {
		if u.Hostname() != names[0] && u.Hostname() != names[1] {
			continue
		}
		// A public address without a port, or with another host, has no other name on this machine.
		if o := u.Scheme + "://" + net.JoinHostPort(name, u.Port()); name != u.Hostname() && u.Port() != "" {
			list = append(list, o)
		}
	}
	return list
}
