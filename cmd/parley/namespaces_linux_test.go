package main

// Partitions in which packets are really lost: each process has network namespaces of its own.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/netnstest"
	"parley.dev/parley/internal/processtest"
	"parley.dev/parley/internal/proxytest"
	"parley.dev/parley/internal/redistest"
	"parley.dev/parley/persistence/persistencetest"
)

// severed is one kind of partition between namespaces.
type severed struct {
	name string
	// lasts says that the network stays cut, so that a node must report it.
	lasts bool
	// begin cuts the network. It returns the process that must end as fenced, if there is one.
	begin func(ctx context.Context, n *netnstest.Network, random *rand.Rand) (fenced string, err error)
}

// severings are the kinds of them (F13, F14, F16).
func severings(names []string) []severed {
	pick := func(random *rand.Rand) (one string, others []string) {
		order := random.Perm(len(names))
		for _, i := range order[1:] {
			others = append(others, names[i])
		}
		return names[order[0]], others
	}
	return []severed{
		{"one node off the bridge of the nodes", true, func(_ context.Context, n *netnstest.Network, random *rand.Rand) (string, error) {
			one, _ := pick(random)
			return "", n.Off(one, netnstest.Nodes)
		}},
		{"from one node to the others", true, func(_ context.Context, n *netnstest.Network, random *rand.Rand) (string, error) {
			one, others := pick(random)
			return "", errors.Join(n.Drop(one, others[0]), n.Drop(one, others[1]))
		}},
		{"to one node from the others", true, func(_ context.Context, n *netnstest.Network, random *rand.Rand) (string, error) {
			one, others := pick(random)
			return "", errors.Join(n.Drop(others[0], one), n.Drop(others[1], one))
		}},
		{"one pair", true, func(_ context.Context, n *netnstest.Network, random *rand.Rand) (string, error) {
			one, others := pick(random)
			return "", errors.Join(n.Drop(one, others[0]), n.Drop(others[0], one))
		}},
		{"one node off the bridge, on and off", false, func(ctx context.Context, n *netnstest.Network, random *rand.Rand) (string, error) {
			one, _ := pick(random)
			var errs []error
			for off := true; ctx.Err() == nil; off = !off {
				if off {
					errs = append(errs, n.Off(one, netnstest.Nodes))
				} else {
					errs = append(errs, n.On(one, netnstest.Nodes))
				}
				wait(ctx, 200*time.Millisecond+time.Duration(random.Int64N(int64(2*time.Second))))
			}
			return "", errors.Join(errs...)
		}},
		// People still reach it: what it says to them is what counts.
		{"one node off the bridges of nodes and data", false, func(_ context.Context, n *netnstest.Network, random *rand.Rand) (string, error) {
			one, _ := pick(random)
			return one, errors.Join(n.Off(one, netnstest.Nodes), n.Off(one, netnstest.Data))
		}},
	}
}

// separate starts processes in network namespaces, which reach Postgres and Redis in a network of its own.
func separate(t *testing.T, n *netnstest.Network, database string, names ...string) []*server {
	t.Helper()
	_, through := proxiedAt(t, n.Here(netnstest.Data), database)
	var redis []string
	if redistest.Binary() != "" {
		redis = []string{"REDIS_URL=" + redistest.URL(proxytest.NewAt(t, n.Here(netnstest.Data), "tcp", redistest.Start(t).Addr).Addr, 0)}
	}
	dir, worker := t.TempDir(), processtest.Build(t, t.TempDir(), "parley-worker")
	var servers []*server
	var hosts []string
	for _, name := range names {
		hosts = append(hosts, n.Address(name, netnstest.People))
	}
	for _, name := range names {
		people := n.Address(name, netnstest.People)
		s := &server{
			name: name, url: "http://" + net.JoinHostPort(people, "8080"), operator: net.JoinHostPort(people, "8081"), log: &bytes.Buffer{},
			inside: n.Inside(name),
		}
		s.env = append(s.environment(dir, through, worker), "PARLEY_CLUSTER_ADDR="+net.JoinHostPort(n.Address(name, netnstest.Nodes), "7946"),
			// All have the URL of the first one, as behind a balancer: it is the issuer of the bearers.
			"PARLEY_URL=http://"+net.JoinHostPort(hosts[0], "8080"), "PARLEY_HOSTS="+strings.Join(hosts, ","), "PARLEY_DEMO_REMOTE=true",
			"PARLEY_SOCKETS_PER_ADDRESS=10000", "PARLEY_SIGN_INS_PER_MINUTE=100000")
		s.env = append(s.env, redis...)
		require.NoError(t, s.run())
		t.Cleanup(func() { s.end(t) })
		require.NoError(t, s.awaitReady(t))
		servers = append(servers, s)
	}
	return servers
}

// namespaces is the state of the trial below.
type namespaces struct {
	network *netnstest.Network
	servers []*server
	random  *rand.Rand
	// lasting are the partitions that last, reports those of them that a node has reported, and fenced the processes that ended.
	lasting, reports, fenced int
}

// sever makes one partition and mends it.
func (ns *namespaces) sever(t *testing.T, life context.Context, kind severed) (err error) {
	t.Helper()
	cut, over := context.WithTimeout(life, apartFor)
	defer over()
	type begun struct {
		fenced string
		err    error
	}
	began, result := time.Now(), make(chan begun, 1)
	go func() {
		fenced, err := kind.begin(cut, ns.network, ns.random)
		result <- begun{fenced, err}
	}()
	wait(cut, apartFor/2)
	if kind.lasts && life.Err() == nil {
		ns.lasting++
		if reported(life, ns.servers) {
			ns.reports++
		}
	}
	<-cut.Done()
	r := <-result
	err = r.err
	var ended *server
	for _, s := range ns.servers {
		if s.name == r.fenced {
			ended = s
		} else if s.hasEnded() {
			err = errors.Join(err, fmt.Errorf("%s has left", s.name))
		}
	}
	if ended != nil && !ended.hasEnded() {
		err = errors.Join(err, fmt.Errorf("%s still runs, %s after it was cut from everything", ended.name, time.Since(began)))
		ended = nil
	}
	err = errors.Join(err, ns.network.Heal())
	if ended == nil {
		wait(life, togetherFor)
		return err
	}
	if code := ended.cmd.ProcessState.ExitCode(); code != exitFenced {
		err = errors.Join(err, fmt.Errorf("%s ended with %d instead of %d", ended.name, code, exitFenced))
	}
	ns.fenced++
	return errors.Join(err, ended.run(), ended.awaitReady(t))
}

// TestTrial_Namespaces cuts the network between three processes in network namespaces of their own, while answers are streaming. What
// people are promised is that of TestTrial_Apart: on either side they read on, and calls are served, within 10 s. A process that
// reaches nothing must end by itself. PARLEY_TEST_NAMESPACES says how many partitions there are, in turn of each kind (make chaos), and
// PARLEY_TEST_SEED repeats their places.
//
//nolint:paralleltest // its times are those of one cluster, and other tests of this package have more of them
func TestTrial_Namespaces(t *testing.T) { // F13, F14, F16, G1 to G9
	names := []string{"one", "two", "three"}
	kinds := severings(names)
	many := setting(t, "PARLEY_TEST_NAMESPACES", 0)
	if many == 0 {
		t.Skip("make chaos/network does it")
	}
	seed := setting(t, "PARLEY_TEST_SEED", rand.IntN(1_000_000))
	t.Logf("PARLEY_TEST_NAMESPACES=%d PARLEY_TEST_SEED=%d", many, seed)
	network := netnstest.New(t, names...)
	database := persistencetest.URL(t)
	ns := &namespaces{network: network, servers: separate(t, network, database, names...), random: rand.New(rand.NewPCG(uint64(seed), 0))}

	trial := newApartTrial(settled + time.Duration(many)*(apartFor+rollLimit))
	enough, severed := make(chan struct{}), make(chan error, 1)
	trial.Enough = enough
	sever := func() error {
		trial.awaitAnswers(t.Context())
		var errs []error
		for i := range many {
			kind := kinds[i%len(kinds)]
			if err := ns.sever(t, t.Context(), kind); err != nil {
				errs = append(errs, fmt.Errorf("partition %d, %s: %w", i+1, kind.name, err))
			}
		}
		return errors.Join(errs...)
	}
	go func() {
		defer close(enough)
		severed <- sever()
	}()
	t.Cleanup(func() { <-enough })
	report := trial.run(t, urlsOf(ns.servers))
	require.NoError(t, <-severed)
	t.Logf("%d partitions, %d of %d lasting ones were reported, %d processes were fenced, %d errors of bytes, places or ends; text was "+
		"shown after %s at most, a prompt acknowledged after %s", many, ns.reports, ns.lasting, ns.fenced, report.Errors,
		report.Oldest.Round(time.Millisecond), report.Longest.Round(time.Millisecond))
	require.Zero(t, report.Errors, "%s", report.Samples)
	require.NotZero(t, report.Prompts)
	require.Less(t, report.Oldest, slower*withoutWord, "text was shown late")
	require.Less(t, report.Longest, slower*withoutWord, "a prompt was acknowledged late")
	require.Equal(t, ns.lasting, ns.reports, "partitions that /readyz and the metrics of a node have reported")
	sound(t, database)
}
