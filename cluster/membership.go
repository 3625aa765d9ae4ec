package cluster

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/startstop"
)

// defaultLease is short enough that the conversations of a lost node are taken over within
// 10 s.
const defaultLease = 6 * time.Second

// renewPause is the pause between two tries to renew while they fail.
const renewPause = 250 * time.Millisecond

// Times in proportion to the lease; for the default lease 1 s, 4 s and 1.5 s. Each renewal reads the
// members as well, so the end of a killed process is known two renewals later at most (dead.go), and sooner if
// a connection to it broke (hasten.go).
func (m *membership) renewEvery() time.Duration   { return m.lease / 6 }
func (m *membership) distrustAt() time.Duration   { return m.lease / 3 * 2 }
func (m *membership) renewTimeout() time.Duration { return m.lease / 4 }

// membership keeps this node's lease and knows the living members.
type membership struct {
	store  domain.MemberStore
	clock  clock.Clock
	log    *slog.Logger
	self   domain.Member
	load   func() float64
	report func(*domain.NodeReport) // nil adds nothing
	// draining says whether this node refuses new owners; set before start.
	draining func() bool
	lease    time.Duration
	leases   leases // of all members; used only by start and then by the loop
	fenced   func(reason string)
	// onDrain is called when this node's row asks it to drain, once: asked says that it was. Both are
	// used like leases.
	onDrain func()
	asked   bool
	// lost is called for each member that is not alive any more; set before start.
	lost func(domain.Member)
	// reach records which of the living members answer.
	reach   *reach
	balance balance

	// renewed is the monotonic reading at the start of the last renewal that
	// succeeded, in nanoseconds since started. The start counts, not the end: the
	// lease began some time after it.
	started time.Time
	renewed atomic.Int64
	// knownAt is from when on the others know this node, since started; 0 if it joined alone. Set by the join.
	knownAt time.Duration
	// seen is the last reading of the table; written by the loop, read by lookups.
	seen      atomic.Pointer[sight]
	newcomers newcomers
	// endedEarly counts the leases that this node has ended before their time.
	endedEarly atomic.Int64
	// fences counts the calls of fenced. The process ends after the first one.
	fences atomic.Int64
	// ahead is how far the database's clock was ahead of this machine's at the last reading, in
	// nanoseconds.
	ahead atomic.Int64

	// broken has the nodes of living members to which a connection broke. hasteUntil is until when the table
	// is read quickly, and hastened since when because of a node, both since started; only the loop uses them.
	// unwatch ends the watch of connections.
	broken     chan string
	hasteUntil time.Duration
	hastened   map[string]time.Duration
	unwatch    func()

	life startstop.Guard
	stop chan struct{}
	done chan struct{}
}

// sight is a reading of the table, and when it began, since started.
type sight struct {
	members []domain.Member
	at      time.Duration
}

func newMembership(c *Config, self domain.Member) *membership {
	m := &membership{
		store: c.Members, clock: c.Clock, log: c.Logger, self: self, load: c.Load, report: c.Report, lease: c.Lease,
		onDrain: c.OnDrain, started: c.Clock.Now(), stop: make(chan struct{}), done: make(chan struct{}),
		broken: make(chan string, 16), hastened: map[string]time.Duration{},
	}
	m.leases.lease = m.lease
	m.fenced = func(reason string) {
		m.fences.Add(1)
		c.OnFenced(reason)
	}
	m.seen.Store(&sight{})
	m.lost, m.draining = func(domain.Member) {}, func() bool { return false }
	m.reach = &reach{clock: c.Clock, log: c.Logger, self: self.Node}
	return m
}

// start joins and begins to renew.
func (m *membership) start(ctx context.Context, system *actor.ActorSystem) error {
	return m.life.Start(func() error { return m.join(ctx, system) })
}

func (m *membership) join(ctx context.Context, system *actor.ActorSystem) error {
	m.self.Address = system.Address()
	if err := m.awaitName(ctx); err != nil {
		return err
	}
	joining, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	at := m.clock.Now()
	if err := m.store.Join(joining, m.self, m.lease); err != nil {
		return domain.Internal(err, "join the cluster")
	}
	m.renewed.Store(int64(at.Sub(m.started)))
	m.reach.system = system
	if err := m.refresh(joining); err != nil {
		return errors.Join(err, m.leave(context.WithoutCancel(ctx)))
	}
	if len(m.living()) > 1 {
		m.knownAt = at.Sub(m.started) + m.renewEvery() + renewPause
	}
	m.writeReport(joining)
	m.unwatch = m.watchConnections(system)
	go m.loop(context.WithoutCancel(ctx))
	return nil
}

// shutdown leaves the table, so that the others need not wait for the end of the lease. It
// may be called twice, and before start.
func (m *membership) shutdown(ctx context.Context) error {
	return m.life.Stop(func() error {
		m.unwatch()
		close(m.stop)
		<-m.done
		m.reach.wait()
		return m.leave(ctx)
	})
}

func (m *membership) leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, m.renewTimeout())
	defer cancel()
	if err := m.store.Leave(ctx, m.self.Node); err != nil {
		return domain.Internal(err, "leave the cluster")
	}
	return nil
}

// trusted reports whether this node may still accept calls: its last renewal is recent enough,
// by its own monotonic clock, that no other node can consider it dead.
func (m *membership) trusted() bool { return m.sinceRenewal() < m.distrustAt() }

// known reports whether the nodes that lived when this one joined have read the members since. Until then they
// place nothing on it: if one of them stopped in that second, all that it owned would go to the other ones.
func (m *membership) known() bool { return m.elapsed() >= m.knownAt }

func (m *membership) sinceRenewal() time.Duration {
	return m.elapsed() - time.Duration(m.renewed.Load())
}

// elapsed is the time since started.
func (m *membership) elapsed() time.Duration { return m.clock.Now().Sub(m.started) }

// carries is the load that this node reports.
func (m *membership) carries() float64 {
	if m.draining() {
		return drainingLoad
	}
	return m.load()
}

// surplus returns how much more than its share this node carries.
func (m *membership) surplus() int {
	if !m.trusted() {
		return 0
	}
	return m.balance.surplus(m.present(), m.self.Node, m.carries())
}

// living returns the members as they were last read.
func (m *membership) living() []domain.Member { return m.seen.Load().members }

// present returns the members whose lease has not ended since they were read, so that an
// identity without owner is not placed on a node that has just died.
func (m *membership) present() []domain.Member {
	s := m.seen.Load()
	since := m.elapsed() - s.at
	return slices.DeleteFunc(slices.Clone(s.members), func(x domain.Member) bool { return x.Left <= since })
}

// lives finds a member whose lease has not ended since it was read.
func (m *membership) lives(node string) (domain.Member, bool) {
	s := m.seen.Load()
	since := m.elapsed() - s.at
	for _, x := range s.members {
		if x.Node == node {
			return x, x.Left > since
		}
	}
	return domain.Member{}, false
}

// member finds a living member by its node id, as it was last read.
func (m *membership) member(node string) (domain.Member, bool) {
	for _, x := range m.living() {
		if x.Node == node {
			return x, true
		}
	}
	return domain.Member{}, false
}

func (m *membership) loop(ctx context.Context) {
	defer close(m.done)
	tick := make(chan struct{}, 1)
	for {
		timer := m.clock.AfterFunc(m.nextDelay(), func() { tick <- struct{}{} })
		select {
		case <-m.stop:
			timer.Stop()
			return
		case node := <-m.broken:
			timer.Stop()
			m.hasten(node)
			continue
		case <-tick:
		}
		if !m.renew(ctx) {
			return
		}
	}
}

// nextDelay is the time until the next renewal. While renewals fail it is short: to keep a lease,
// some more queries are acceptable. It is short as well after a connection broke.
func (m *membership) nextDelay() time.Duration {
	if m.hastening() {
		return renewPause
	}
	return max(m.renewEvery()-m.sinceRenewal(), renewPause)
}

// renew prolongs the lease and reads the living members. It returns false when this node
// has left the cluster permanently.
func (m *membership) renew(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, m.renewTimeout())
	defer cancel()
	if m.sinceRenewal() >= m.lease {
		// By now the others consider this node dead, whatever the table says.
		m.fenced("the lease ran out")
		return false
	}
	at := m.clock.Now()
	err := m.store.Renew(ctx, m.self.Node, m.carries(), m.lease)
	switch {
	case domain.CodeOf(err) == domain.CodeFenced:
		m.declaredDead()
		return false
	case err != nil:
		m.log.LogAttrs(ctx, slog.LevelWarn, "the lease could not be renewed", slog.Any("error", err), slog.Duration("for", m.sinceRenewal()))
		return true
	}
	m.renewed.Store(int64(at.Sub(m.started)))
	if !m.tryRefresh(ctx) {
		return false
	}
	m.writeReport(ctx)
	return true
}

func (m *membership) declaredDead() { m.fenced("the cluster has declared this node dead") }

// tryRefresh is refresh; if that fails it is logged and the last reading stays in use. It
// returns false when this node has left the cluster permanently.
func (m *membership) tryRefresh(ctx context.Context) bool {
	err := m.refresh(ctx)
	switch {
	case domain.CodeOf(err) == domain.CodeFenced:
		m.declaredDead()
		return false
	case err != nil:
		m.log.LogAttrs(ctx, slog.LevelWarn, "the members could not be read", slog.Any("error", err))
	}
	return true
}

// refresh reads the members from the table, and ends the leases of lost ones. A node that is not
// in the table was declared dead. It learns that here and not only from its next renewal: the
// clock of a virtual machine stands still while the machine is paused, so such a node still trusts
// its lease when it continues, and would claim what others own by now.
func (m *membership) refresh(ctx context.Context) error {
	at := m.clock.Now()
	members, err := m.store.Members(ctx)
	if err != nil {
		return domain.Internal(err, "read the members")
	}
	own := slices.IndexFunc(members, func(x domain.Member) bool { return x.Node == m.self.Node })
	if own < 0 {
		return domain.Errorf(domain.CodeFenced, "This node was declared dead.")
	}
	if members[own].DrainAsked && !m.asked {
		m.asked = true
		m.onDrain()
	}
	m.compareClocks(at, members)
	members, dead := m.leases.observe(at.Sub(m.started), members)
	members = m.declareDead(ctx, members, dead)
	m.balance.observe(members)
	before := m.seen.Swap(&sight{members: members, at: at.Sub(m.started)})
	for _, x := range before.members {
		if _, lives := m.member(x.Node); !lives && x.Node != m.self.Node {
			m.lost(x)
		}
	}
	m.reach.ask(members) //nolint:contextcheck // the answers come after this call has ended
	return nil
}

// compareClocks compares the clocks of the database and of this machine. The database computed what
// was left of a lease between the begin of the query and now, so the middle of that time is the best
// guess.
func (m *membership) compareClocks(began time.Time, members []domain.Member) {
	for _, x := range members {
		middle := began.Add(m.clock.Now().Sub(began) / 2)
		m.ahead.Store(int64(x.ExpiresAt.Add(-x.Left).Sub(middle)))
		return
	}
}
