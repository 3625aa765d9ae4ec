package main

import (
	"cmp"
	"net"
	"net/url"

	"parley.dev/parley/cmd/parley/warehouses"
	"parley.dev/parley/connectors"
	"parley.dev/parley/internal/egress"
)

// newDesk makes the desk that queries data sources: files in the workbench, and remote
// databases as far as the operator permits connections to them.
func (n *node) newDesk() *connectors.Desk {
	// Own is a function, because the address in the cluster is only known once the node has joined.
	guard := egress.New(egress.Config{Allow: n.c.connectAllow, Deny: n.c.connectDeny, Plain: n.c.connectPlain, Own: n.endpoints})
	all := warehouses.All(warehouses.Config{Guard: guard, OwnDatabase: n.store.Credentials.Identity})
	return connectors.NewDesk(n.bench, all, n.store.Credentials, connectors.Caps{})
}

// endpoints lists the addresses on which this node listens, and the addresses of its
// database, Redis, model and OpenID provider: no connector may reach them.
func (n *node) endpoints() []string {
	out := []string{n.c.addr, n.c.operatorAddr, n.c.clusterAddr}
	// The address is missing before the node has joined.
	if n.member != nil {
		if address, ok := n.member.AddressOf(n.member.ID()); ok {
			out = append(out, address)
		}
	}
	for _, service := range []struct{ link, port string }{
		{n.c.databaseURL, "5432"}, {n.c.redisURL, "6379"}, {n.c.openAIURL, "443"}, {n.c.oidcIssuer, "443"},
	} {
		u, err := url.Parse(service.link)
		if err != nil || u.Hostname() == "" {
			continue // not configured, or a socket file
		}
		port := cmp.Or(u.Port(), map[string]string{"http": "80"}[u.Scheme], service.port)
		out = append(out, net.JoinHostPort(u.Hostname(), port))
	}
	return out
}
