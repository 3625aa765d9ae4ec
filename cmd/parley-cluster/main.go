// Command parley-cluster starts the topology of docker-compose.yml on one machine without containers: Postgres,
// Redis, three nodes, and HAProxy in front of them with the configuration of deploy/haproxy, at the same ports of
// the loopback address. It is for trials and tests, and no part of the product. dex, Prometheus and Grafana are
// left out: the nodes serve the embedded OpenID provider, and their metrics are at their operator ports.
//
// A program that ends is started again, as by compose, and each start is a line of the output. SIGINT or SIGTERM
// stops everything: the nodes drain while HAProxy still leads people to them, then the rest ends.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"parley.dev/parley/internal/commandline"
)

// Exit codes.
const (
	exitFailed = 1
	exitUsage  = 2
)

// options are the flags of the program.
type options struct {
	bin     string // folder with parley and parley-worker
	web     string // folder of the built web
	data    string // folder of the database, the files and the logs
	haproxy string // program
	config  string // of HAProxy
	redis   string // program; empty: the nodes work without Redis
	shift   int    // added to all ports
}

// The first signal ends the context, and everything is then stopped in order. Later signals do nothing.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := start(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(exit(err, os.Stderr))
}

// exit prints why the program ends, and returns the exit code.
func exit(err error, stderr io.Writer) int {
	var usage commandline.UsageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &usage):
		fmt.Fprintln(stderr, "parley-cluster:", err)
		return exitUsage
	}
	fmt.Fprintln(stderr, "parley-cluster:", err)
	return exitFailed
}

// start reads the flags and runs the cluster until ctx ends.
func start(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o := options{}
	f := flag.NewFlagSet("parley-cluster", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.bin, "bin", "bin", "folder with parley and parley-worker")
	f.StringVar(&o.web, "web", filepath.Join("web", "dist"), "folder of the built web")
	f.StringVar(&o.data, "data", filepath.Join(".parley", "cluster"), "folder of the database, the files and the logs")
	f.StringVar(&o.haproxy, "haproxy", "haproxy", "HAProxy's program")
	f.StringVar(&o.config, "config", filepath.Join("deploy", "haproxy", "haproxy.cfg"), "HAProxy's configuration")
	f.StringVar(&o.redis, "redis", "redis-server", "Redis' program; empty: the nodes work without Redis")
	f.IntVar(&o.shift, "shift", 0, "a number that is added to all ports")
	if err := commandline.Parse(f, args); err != nil {
		return err
	}
	for _, path := range []*string{&o.bin, &o.web, &o.data, &o.config} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return fmt.Errorf("find %s: %w", *path, err)
		}
		*path = absolute
	}
	return run(ctx, o, stdout)
}
