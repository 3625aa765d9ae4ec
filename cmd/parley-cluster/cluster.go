package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"parley.dev/parley/internal/demo"
	"parley.dev/parley/internal/throwaway"
	"parley.dev/parley/persistence/embedded"
)

// The ports of docker-compose.yml; options.shift is added to each.
const (
	balancerPort = 8080
	pagePort     = 8404 // HAProxy's own page
	firstPort    = 8180 // of the first node, for people
	operatorPort = 1    // this much above that one
	clusterPort  = 2    // the same; compose does not open it
	nextNode     = 100  // from one node to the next
	nodeCount    = 3
)

const (
	// nodeStop is how long a node may take to stop: the default of PARLEY_DRAIN_SECONDS and a minute.
	nodeStop = 2 * time.Minute
	// neighbourStop is how long what stands beside the nodes may take.
	neighbourStop = 30 * time.Second
	// balancerConnections replaces the limit of haproxy.cfg, for which a person may not have enough open files.
	balancerConnections = 2000
)

// local returns an address of this machine. A number is written, because HAProxy would look for a name in the DNS
// again and again.
func (o options) local(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port+o.shift))
}

// address returns the URL of a port as people write it.
func (o options) address(port int) string { return fmt.Sprintf("http://localhost:%d", port+o.shift) }

// run starts everything, prints where it is, and stops it when ctx ends. It returns an error if something does not
// start, ends for ever, or does not stop in order.
func run(ctx context.Context, o options, out io.Writer) (err error) {
	say := func(format string, args ...any) {
		fmt.Fprintf(out, "▸ "+format+"\n", args...) // a terminal that has gone must not stop the cluster
	}
	if err := makeData(o.data); err != nil {
		return err
	}
	// What was started last is stopped first.
	var stops []func() error
	defer func() {
		for i := len(stops) - 1; i >= 0; i-- {
			err = errors.Join(err, stops[i]())
		}
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = nil // a signal during the start is not a failure
		}
		if err == nil {
			say("everything has stopped")
		}
	}()

	databaseURL, databaseGone := os.Getenv("DATABASE_URL"), (<-chan struct{})(nil)
	if databaseURL == "" {
		say("starting Postgres")
		database, err := embedded.Start(ctx, embedded.Config{
			DataDir: filepath.Join(o.data, "postgres"), BinDir: os.Getenv("PG_BIN"), ModulesDir: filepath.Dir(o.web),
			Logger: slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelWarn})),
		})
		if err != nil {
			return fmt.Errorf("start Postgres: %w", err)
		}
		stops = append(stops, func() error {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), neighbourStop)
			defer cancel()
			return database.Stop(ctx)
		})
		databaseURL, databaseGone = database.URL(), database.Done()
	}
	redisURL, stop, err := startRedis(ctx, o, say)
	if err != nil {
		return err
	}
	stops = append(stops, stop)

	// The balancer is started last and is not stopped first: while the nodes drain, people reach them through it.
	nodes, balancer := make([]*service, nodeCount), newBalancer(o, say)
	for i := range nodes {
		nodes[i] = newNode(o, i, databaseURL, redisURL, say)
	}
	stops = append(stops, func() error { return stopAll(balancer) }, func() error { return stopAll(nodes...) })
	// The first node makes the schema and the samples, which the others find.
	for _, together := range [][]*service{nodes[:1], nodes[1:], {balancer}} {
		if err := startAll(ctx, together...); err != nil {
			return err
		}
	}
	o.greet(say, databaseURL)

	select {
	case <-ctx.Done():
		say("stopping: the nodes wait for running answers")
		return nil
	case <-databaseGone:
		return errors.New("postgres has ended and cannot be started again, see " + filepath.Join(o.data, "postgres", "postgres.log"))
	case <-anyDone(append(nodes, balancer)):
		return nil // stopping tells the reason
	}
}

// makeData makes the data folder. Postgres, as another user, must pass through it.
func makeData(dir string) error {
	if err := os.MkdirAll(dir, 0o711); err != nil { //nolint:gosec // see above
		return fmt.Errorf("make the data folder: %w", err)
	}
	return nil
}

// greet prints what a person needs who tries the cluster.
func (o options) greet(say func(string, ...any), databaseURL string) {
	say("Parley is at %s, on %d nodes; the balancer's page is at %s", o.address(balancerPort), nodeCount, o.address(pagePort))
	for i := range nodeCount {
		port := firstPort + i*nextNode
		say("  node%d  %s  health and metrics %s", i+1, o.address(port), o.address(port+operatorPort))
	}
	say("Sign in as one of these, with the password %q:", demo.Password)
	for _, p := range demo.People() {
		say("  %-28s %s", p.Email, p.Hint())
	}
	say("The state of the cluster: DATABASE_URL='%s' %s status", databaseURL, filepath.Join(o.bin, "parley"))
	say("Ctrl-C stops all. kill -9 of a node's process shows how the others take over")
}

// newNode returns the node of a number, counted from 0.
func newNode(o options, number int, databaseURL, redisURL string, say func(string, ...any)) *service {
	port := firstPort + number*nextNode
	s := newService(o, fmt.Sprintf("node%d", number+1), filepath.Join(o.bin, "parley"), nodeStop, say)
	s.args = []string{"serve"}
	// The data folder is common to all, as in docker-compose.yml; so is the key of secrets in it.
	s.environment = []string{
		"DATABASE_URL=" + databaseURL, "REDIS_URL=" + redisURL, "PARLEY_NODE=" + s.name,
		"PARLEY_ADDR=" + o.local(port), "PARLEY_OPERATOR_ADDR=" + o.local(port+operatorPort),
		"PARLEY_CLUSTER_ADDR=" + o.local(port+clusterPort), "PARLEY_URL=" + o.address(balancerPort), "PARLEY_TRUSTED_PROXIES=127.0.0.1",
		"PARLEY_WEB=" + o.web, "PARLEY_WORKER=" + filepath.Join(o.bin, "parley-worker"), "PARLEY_DATA=" + o.data,
		"PARLEY_FILES=" + (&url.URL{Scheme: "file", Path: filepath.Join(o.data, "files")}).String(),
	}
	ready := "http://" + o.local(port+operatorPort) + "/readyz"
	s.isUp = func(ctx context.Context) bool { return answers(ctx, ready) }
	return s
}

// newBalancer returns HAProxy with the configuration of docker-compose.yml and the addresses of this cluster.
func newBalancer(o options, say func(string, ...any)) *service {
	s := newService(o, "balancer", o.haproxy, neighbourStop, say)
	s.args = []string{"-db", "-n", strconv.Itoa(balancerConnections), "-f", o.config}
	s.environment = []string{"PARLEY_BALANCER=" + o.local(balancerPort), "PARLEY_BALANCER_PAGE=" + o.local(pagePort)}
	for i := range nodeCount {
		port := firstPort + i*nextNode
		s.environment = append(s.environment, fmt.Sprintf("PARLEY_NODE%d=%s", i+1, o.local(port)),
			fmt.Sprintf("PARLEY_NODE%d_HEALTH=%d", i+1, port+operatorPort+o.shift))
	}
	s.isUp = func(ctx context.Context) bool { return accepts(ctx, "tcp", o.local(balancerPort)) }
	return s
}

// startRedis starts the Redis of this cluster. Nobody else reaches it: it listens at a socket in the file system.
func startRedis(ctx context.Context, o options, say func(string, ...any)) (string, func() error, error) {
	if o.redis == "" {
		say("the nodes work without Redis")
		return "", func() error { return nil }, nil
	}
	program, err := exec.LookPath(o.redis)
	if err != nil {
		return "", nil, fmt.Errorf("find Redis: %w", err)
	}
	// The path of a socket has at most some hundred characters, so it is not in the data folder.
	dir, err := throwaway.Folder(os.TempDir(), "parley-cluster-")
	if err != nil {
		return "", nil, err
	}
	socket := filepath.Join(dir, "redis.sock")
	s := newService(o, "redis", program, neighbourStop, say)
	s.args = []string{
		"--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "no",
		"--maxmemory", "256mb", "--maxmemory-policy", "volatile-ttl",
	}
	s.isUp = func(ctx context.Context) bool { return accepts(ctx, "unix", socket) }
	if err := startAll(ctx, s); err != nil {
		return "", nil, errors.Join(err, stopAll(s), os.RemoveAll(dir))
	}
	return (&url.URL{Scheme: "unix", Path: socket}).String(), func() error { return errors.Join(stopAll(s), os.RemoveAll(dir)) }, nil
}

// startAll starts services at the same time, and returns when all are up or one has failed.
func startAll(ctx context.Context, services ...*service) error {
	for _, s := range services {
		s.start(ctx)
	}
	for _, s := range services {
		if err := s.await(ctx); err != nil {
			return err
		}
	}
	return nil
}

// stopAll stops services that were started, at the same time.
func stopAll(services ...*service) error {
	errs := make([]error, len(services))
	var stopped sync.WaitGroup
	for i, s := range services {
		if s.cancel != nil {
			stopped.Go(func() { errs[i] = s.stop() })
		}
	}
	stopped.Wait()
	return errors.Join(errs...)
}

// anyDone returns a channel that is closed when the first of the services has ended for ever.
func anyDone(services []*service) <-chan struct{} {
	first := make(chan struct{})
	var once sync.Once
	for _, s := range services {
		go func() {
			<-s.done
			once.Do(func() { close(first) })
		}()
	}
	return first
}
