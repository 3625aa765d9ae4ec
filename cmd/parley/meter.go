package main

// The metrics of a node beside those of requests (api/operator.go) and of the journal (metrics.go),
// and the version of the build.

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"parley.dev/parley/actors"
	"parley.dev/parley/analyst"
	"parley.dev/parley/cluster"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/mailbox"
	"parley.dev/parley/persistence"
)

// version is set by the build (-X main.version).
var version = "unknown"

// printVersion prints the version of the build and of Go.
func printVersion(w io.Writer) error {
	if _, err := fmt.Fprintln(w, "parley", version, runtime.Version()); err != nil {
		return fmt.Errorf("print the version: %w", err)
	}
	return nil
}

// meter has the metrics of this node: its cluster membership, its actors and its database connections.
type meter struct {
	registry prometheus.Registerer
	running  atomic.Int64
	// lives has the number of actors of each kind that live on this node; the map never changes.
	lives map[string]*atomic.Int64
}

// newMeter makes the metrics that need no other part of the node.
func newMeter(r prometheus.Registerer) *meter {
	m := &meter{registry: r, lives: map[string]*atomic.Int64{}}
	for _, kind := range []string{"conversation", "session", "connection", "task"} {
		m.lives[kind] = &atomic.Int64{}
	}
	m.gauge("build_info", "Always 1; the labels say what runs.", prometheus.Labels{"version": version, "go": runtime.Version()},
		func() float64 { return 1 })
	m.gauge("turns_running", "Answers that are being made on this node.", nil, func() float64 { return float64(m.running.Load()) })
	return m
}

// gauge registers a metric whose value is read at each scrape. The function must be quick and safe
// for concurrent use.
func (m *meter) gauge(name, help string, labels prometheus.Labels, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "parley_" + name, Help: help, ConstLabels: labels}, value))
}

// total registers a metric that only rises and whose value is read at each scrape.
func (m *meter) total(name, help string, labels prometheus.Labels, value func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "parley_" + name, Help: help, ConstLabels: labels}, value))
}

// number registers a gauge that the returned function sets.
func (m *meter) number(name, help string) func(float64) {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Name: "parley_" + name, Help: help})
	m.registry.MustRegister(g)
	return g.Set
}

// counter registers a metric that only rises.
func (m *meter) counter(name, help string, labels prometheus.Labels) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Name: "parley_" + name, Help: help, ConstLabels: labels})
	m.registry.MustRegister(c)
	return c
}

// load is the load that this node reports to the other nodes: the conversations that live here, each one
// that makes an answer twice.
func (m *meter) load() float64 { return float64(m.lives["conversation"].Load() + m.running.Load()) }

// idle reports whether no answer runs here. Conversations may live here for their readers.
func (m *meter) idle() bool { return m.running.Load() == 0 }

// report fills in the figures of this node for operators.
func (m *meter) report(r *domain.NodeReport) {
	count := func(kind string) int { return int(m.lives[kind].Load()) }
	r.Version, r.Running = version, int(m.running.Load())
	r.Conversations, r.Sessions, r.Tasks, r.Sockets = count("conversation"), count("session"), count("task"), count("connection")
}

// engine makes the metrics of the actors. Each series exists from the start, because an alert
// cannot evaluate a series that does not exist.
func (m *meter) engine() actors.Meter {
	for kind, n := range m.lives {
		m.gauge("owned", "What lives on this node, by kind.", prometheus.Labels{"kind": kind}, func() float64 { return float64(n.Load()) })
	}
	ended := map[domain.TurnStatus]prometheus.Counter{}
	for _, s := range []domain.TurnStatus{domain.TurnComplete, domain.TurnStopped, domain.TurnInterrupted, domain.TurnFailed} {
		ended[s] = m.counter("turns_ended_total", "Turns whose end this node has committed, by how they ended.",
			prometheus.Labels{"status": string(s)})
	}
	taken := map[string]prometheus.Counter{}
	for _, from := range []string{actors.TakenFromLost, actors.TakenFromSilent} {
		// The labels are fixed, so a new reason needs a new line here.
		taken[from] = m.counter("conversations_taken_over_total",
			"Conversations taken over: with a running turn, of a lost node; for a call, from a node that lives and does not answer.",
			prometheus.Labels{"from": from})
	}
	followed := m.number("conversations_followed", "Conversations of other nodes that readers of this node follow.")
	silence := m.number("conversations_followed_silence_seconds", "How long the most silent owner of those has sent nothing.")
	orphans := m.number("orphans", "Running turns without an owner at the last check, as far as one check reads.")
	known := m.number("orphans_known_seconds", "How long this node has known the oldest of them.")
	waiting := m.number("turns_waiting", "Answers that wait for a place on this node.")
	// 15 buckets that double reach from 50 ms to 14 minutes, about as long as a turn may wait.
	waits := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "parley_turn_wait_seconds", Help: "How long an answer that found no place at once has waited for one.",
		Buckets: prometheus.ExponentialBuckets(0.05, 2, 15),
	})
	m.registry.MustRegister(waits)
	return actors.Meter{
		TurnsWaiting: func(n int) { waiting(float64(n)) },
		TurnWaited:   func(d time.Duration) { waits.Observe(d.Seconds()) },
		TurnRefused:  m.counter("turns_refused_total", "Answers that were not begun, because too many wait.", nil).Inc,
		Lives:        func(kind string, n int) { m.lives[kind].Store(int64(n)) },
		Claimed:      m.counter("conversations_claimed_total", "Claims of conversations by this node.", nil).Inc,
		Kept: m.counter("conversations_kept_total",
			"Conversations that this node did not claim because another node was the owner already.", nil).Inc,
		Fenced: m.counter("conversations_fenced_total", "Owners on this node that another one had superseded.", nil).Inc,
		Moved: m.counter("conversations_moved_total",
			"Idle conversations that this node has let go to one that carries less.", nil).Inc,
		// A status that is not in the table is not counted.
		TurnEnded: func(s domain.TurnStatus) {
			if c, ok := ended[s]; ok {
				c.Inc()
			}
		},
		TakenOver: func(from string) { taken[from].Inc() },
		Followed:  func(n int, d time.Duration) { followed(float64(n)); silence(d.Seconds()) },
		Orphans:   func(n int, d time.Duration) { orphans(float64(n)); known(d.Seconds()) },
		Reset:     m.counter("resets_total", "Readers that were told to fetch their conversation again.", nil).Inc,
		Resubscribed: m.counter("resubscriptions_total",
			"Readers that went on at another owner of their conversation, or again at the same one.", nil).Inc,
		Mailbox:    m.mailboxes(),
		Mark:       m.deepest(),
		Overflowed: m.counter("mailbox_refused_total", "Messages that a full mailbox has refused or dropped.", nil).Inc,
	}
}

// mailboxes makes the metrics of the mailboxes of the node's own actors. A mailbox is told to the
// returned function when its actor starts; until then, it counts as empty.
func (m *meter) mailboxes() func(name string, length func() int) {
	lengths := map[string]*atomic.Pointer[func() int]{}
	for _, name := range actors.NodeActors() {
		current := &atomic.Pointer[func() int]{}
		lengths[name] = current
		m.gauge("mailbox_messages", "Messages that wait for an actor of the node.", prometheus.Labels{"actor": name}, func() float64 {
			if length := current.Load(); length != nil {
				return float64((*length)())
			}
			return 0
		})
	}
	return func(name string, length func() int) { lengths[name].Store(&length) }
}

// deepest makes the metric of the fullest mailbox of all others. One conversation that stands still is not seen in the number of
// those that wait.
func (m *meter) deepest() *mailbox.Mark {
	mark := &mailbox.Mark{}
	m.gauge("mailbox_deepest_messages", "The most messages that one conversation, socket, session, task or turn has had waiting lately.",
		nil, func() float64 { return float64(mark.Lately(clock.System{}.Now())) })
	return mark
}

// crowd makes the metric of the mailboxes that share the dispatcher.
func (m *meter) crowd(d *async.Dispatcher) {
	m.gauge("mailboxes_waiting", "Conversations and connections that have messages and wait for a processor.", nil, func() float64 {
		return float64(d.Waiting())
	})
}

// cluster makes the metrics of the membership as this node sees it.
func (m *meter) cluster(n *cluster.Node) {
	m.gauge("cluster_members", "Nodes whose lease has not ended, this one among them.", nil, func() float64 {
		return float64(len(n.Members()))
	})
	m.gauge("cluster_silent_members", "Of those, how many do not answer this node.", nil, func() float64 { return float64(len(n.Silent())) })
	m.gauge("cluster_lease_age_seconds", "Since the last renewal of this node's lease; at 4 it takes no more calls, at 6 it exits.", nil,
		func() float64 { return n.LeaseAge().Seconds() })
	m.total("cluster_leases_ended_early_total", "Leases of lost nodes that this one has ended before their time.", nil,
		func() float64 { return float64(n.EndedEarly()) })
	m.total("cluster_fences_total", "How often this node was fenced; the process ends after the first time.", nil,
		func() float64 { return float64(n.Fences()) })
	m.gauge("database_clock_ahead_seconds", "How far the clock of the database is ahead of this machine's.", nil,
		func() float64 { return n.ClockAhead().Seconds() })
	for outcome, count := range map[string]func() int64{
		"named":   func() int64 { named, _, _ := n.Placements(); return named },
		"refused": func() int64 { _, refused, _ := n.Placements(); return refused },
		"silent":  func() int64 { _, _, silent := n.Placements(); return silent },
	} {
		m.total("placements_total", "Questions to members for the owner of an identity, by the answer.", prometheus.Labels{"outcome": outcome},
			func() float64 { return float64(count()) })
	}
}

// pools makes the metrics of the connections to the database.
func (m *meter) pools(store *persistence.Store) {
	// The pools are fixed when the store is opened, so their metrics are registered once.
	for name := range store.Pools() {
		labels := prometheus.Labels{"pool": name}
		m.gauge("database_connections_used", "Connections in use, by pool.", labels, func() float64 { return float64(store.Pools()[name].InUse) })
		m.gauge("database_connections_max", "The most connections of a pool.", labels, func() float64 {
			return float64(store.Pools()[name].Most)
		})
		m.total("database_waits_total", "How often a connection of the pool had to be waited for.", labels,
			func() float64 { return float64(store.Pools()[name].Waited) })
		m.total("database_wait_seconds_total", "How long connections of the pool were waited for, all together.", labels,
			func() float64 { return store.Pools()[name].WaitedFor.Seconds() })
	}
}

// counted is a runner that counts the runs in progress.
type counted struct {
	analyst.Runner

	running *atomic.Int64
}

// Run implements analyst.Runner.
func (c counted) Run(ctx context.Context, job *analyst.Job, sink analyst.Sink) error {
	c.running.Add(1)
	defer c.running.Add(-1)
	return c.Runner.Run(ctx, job, sink)
}

// unanswered is the note in /readyz about members that do not answer this node.
func unanswered(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "no answer from " + strings.Join(names, ", ")
}
