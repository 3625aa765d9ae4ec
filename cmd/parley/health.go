package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	"parley.dev/parley/internal/commandline"
)

// healthTimeout is how long a node may take to answer; a supervisor that asks has its own limit besides.
const healthTimeout = 5 * time.Second

// health asks the node of this machine, by its PARLEY_OPERATOR_ADDR, whether it is alive. An image
// without a shell and curl has no other program that can ask. It returns an error if the node does
// not answer, or not with 200.
func health(ctx context.Context, p *program, args []string) error {
	f := p.flags("health")
	ready := f.Bool("ready", false, "ask whether it takes people: the database is reachable, the lease fresh, no drain")
	if err := commandline.Parse(f, args); err != nil {
		return err
	}
	c, err := loadConfig(p.getenv)
	if err != nil {
		return commandline.Usage(err)
	}
	path := "/healthz"
	if *ready {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+dialable(c.operatorAddr)+path, nil)
	if err != nil {
		return fmt.Errorf("ask the node: %w", err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("ask the node: %w", err)
	}
	_, err = io.Copy(p.stdout, response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the node answers %s", response.Status)
	}
	return nil
}

// dialable returns an address at which this machine reaches what listens at addr: a process that
// listens at every address, 0.0.0.0, is asked at the loopback one.
func dialable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr // config.go has checked it already
	}
	ip, err := netip.ParseAddr(host)
	if host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}
