package main

// What is done to the cluster: one function for each fault, which begins it, waits, ends it, and
// says what the processes did that they ought not to do.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/proxytest"
	"parley.dev/parley/internal/redistest"
)

// fault is one row of the table of faults.
type fault struct {
	// name begins with the row's number (docs/test-numbers.md).
	name string
	// short says that make test does it as well.
	short bool
	// most is how long a prompt may take meanwhile until it is acknowledged.
	most time.Duration
	// leave says that processes may end; otherwise none may.
	leave bool
	// unharmed says that no running turn may be interrupted.
	unharmed bool
	// bed starts the cluster of a fault that needs another one than all others, or leaves it changed.
	bed func(t *testing.T) *bed
	do  func(ctx context.Context, l *load, random *rand.Rand) error
}

// harm does a fault and compares what it may do with what it did.
func (w *world) harm(ctx context.Context, l *load, f *fault, random *rand.Rand) error {
	before := make([]int, len(w.members))
	for i, m := range w.members {
		before[i] = len(m.ends())
	}
	interrupted := w.interrupted(ctx)
	err := f.do(ctx, l, random)
	if f.leave {
		return err
	}
	for i, m := range w.members {
		if codes := m.ends()[before[i]:]; len(codes) > 0 {
			err = errors.Join(err, fmt.Errorf("%s has left with %v", m.name, codes))
		}
	}
	if n := w.interrupted(ctx) - interrupted; f.unharmed && n > 0 {
		err = errors.Join(err, fmt.Errorf("%d turns were interrupted", n))
	}
	return err
}

// interrupted is how many turns were interrupted so far.
func (w *world) interrupted(ctx context.Context) int { return w.turns(ctx, domain.TurnInterrupted) }

// turns is how many turns have one of some states; Postgres may be away.
func (w *world) turns(ctx context.Context, states ...domain.TurnStatus) (n int) {
	waitUntil(ctx, func() bool {
		return w.db.QueryRow(ctx, "SELECT count(*) FROM turn WHERE status = ANY($1::text[])", states).Scan(&n) == nil
	})
	return n
}

// expectEnd waits for the end of a process and compares its exit code.
func expectEnd(ctx context.Context, m *member, before, code int) error {
	got, err := m.awaitEnd(ctx, before)
	if err == nil && got != code {
		err = fmt.Errorf("%s has ended with %d instead of %d", m.name, got, code)
	}
	return err
}

const killed = -1 // the exit code of a process that was killed

// fullLength is a variable of the environment: then each fault lasts as long as its row says. Some last so long that they
// are shorter by default.
const fullLength = "PARLEY_TEST_FULL_LENGTH"

// lasting is how long a fault lasts.
func lasting(standard, full time.Duration) time.Duration {
	if os.Getenv(fullLength) != "" {
		return full
	}
	return standard
}

// kill ends a process as kill -9 does, and keeps it away for a while.
func kill(ctx context.Context, m *member, away time.Duration) error {
	before := len(m.ends())
	m.keepAway(true)
	defer m.keepAway(false)
	err := errors.Join(m.signal(syscall.SIGKILL), expectEnd(ctx, m, before, killed))
	wait(ctx, away)
	return err
}

// paused stops a process for a while.
func paused(ctx context.Context, m *member, d time.Duration) error {
	if err := m.signal(syscall.SIGSTOP); err != nil {
		return err
	}
	wait(ctx, d)
	return m.signal(syscall.SIGCONT)
}

// ruled lets rules hold for the databases of some members for a while.
func ruled(ctx context.Context, members []*member, d time.Duration, r proxytest.Rules) {
	for _, m := range members {
		m.database.Set(r)
	}
	wait(ctx, d)
	for _, m := range members {
		m.database.Set(proxytest.Rules{})
	}
}

// faults are all of them, in the order of their numbers.
func faults() []*fault {
	return slices.Concat(faultsOfProcesses(), faultsOfNetworks(), faultsOfStores(), faultsOfServers(), faultsOfPeople(), faultsOfLimits())
}

func faultsOfProcesses() []*fault {
	return []*fault{
		{
			name: "F01 kill -9 of the owner", short: true, most: 10 * time.Second, leave: true,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				owner, _, err := l.owner(ctx)
				if err != nil {
					return err
				}
				return kill(ctx, owner, 8*time.Second)
			},
		},
		{
			name: "F02 kill -9 of a node that owns nothing of what is watched", most: 10 * time.Second, leave: true, do: killGateway,
		},
		{
			name: "F03 kill -9 of all nodes", short: true, most: 25 * time.Second, leave: true,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				var errs []error
				for _, m := range l.members {
					errs = append(errs, m.signal(syscall.SIGKILL))
				}
				return errors.Join(append(errs, l.awaitReady(ctx))...)
			},
		},
		{
			name: "F04 SIGTERM", most: 10 * time.Second, leave: true, unharmed: true,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				owner, _, err := l.owner(ctx)
				if err != nil {
					return err
				}
				before, cut := len(owner.ends()), l.interrupted(ctx)
				err = errors.Join(owner.signal(syscall.SIGTERM), expectEnd(ctx, owner, before, 0))
				if n := l.interrupted(ctx) - cut; n > 0 && !l.overlapped {
					err = errors.Join(err, fmt.Errorf("%d turns were interrupted", n))
				}
				return err
			},
		},
		{name: "F06 SIGSTOP of the owner for 30 s", most: 15 * time.Second, leave: true, do: stand(30 * time.Second)},
		{name: "F06 SIGSTOP of the owner for 10 s", short: true, most: 15 * time.Second, leave: true, do: stand(10 * time.Second)},
		{
			name: "F07 SIGSTOP for 3 s, twice", short: true, most: 10 * time.Second, unharmed: true,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				var errs []error
				for range 2 {
					owner, _, err := l.owner(ctx)
					if err != nil {
						return err
					}
					errs = append(errs, paused(ctx, owner, 3*time.Second))
					wait(ctx, 2*time.Second)
				}
				return errors.Join(errs...)
			},
		},
		{
			name: "F09 a node at 5 % of a CPU", most: 15 * time.Second, leave: true,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				owner, _, err := l.owner(ctx)
				if err != nil {
					return err
				}
				var errs []error
				for until := time.Now().Add(lasting(20*time.Second, time.Minute)); time.Now().Before(until); {
					errs = append(errs, paused(ctx, owner, 380*time.Millisecond))
					wait(ctx, 20*time.Millisecond)
				}
				return errors.Join(errs...)
			},
		},
	}
}

func faultsOfNetworks() []*fault {
	all := func(l *load, one *member, do func(from, to string)) {
		for _, m := range l.members {
			if m != one {
				do(one.name, m.name)
			}
		}
	}
	// beginning is called with the conversations that are taken over, and what it returns at the end.
	type beginning func(context.Context, *load, []*talk) (after func() error, err error)
	part := func(both bool, before beginning) func(context.Context, *load, *rand.Rand) error {
		return func(ctx context.Context, l *load, random *rand.Rand) (err error) {
			var talks []*talk
			for i := range 6 {
				k, err := l.guest(ctx, i)
				if err != nil {
					return err
				}
				talks = append(talks, k)
				l.share(ctx, "apart", k, i, true)
			}
			l.askLong(ctx, talks)
			wait(ctx, time.Duration(random.IntN(1000))*time.Millisecond)
			owner, _, err := l.owner(ctx)
			if err != nil {
				return err
			}
			if before != nil {
				after, err := before(ctx, l, talks)
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, after()) }()
			}
			all(l, owner, func(a, b string) {
				l.network.Cut(a, b)
				if both {
					l.network.Cut(b, a)
				}
			})
			// What streams on the other side is asked for here, so it is taken over.
			for i, m := range l.members {
				if m == owner {
					l.askApart(ctx, i+1, talks)
				}
			}
			all(l, owner, func(a, b string) {
				l.network.Heal(a, b)
				l.network.Heal(b, a)
			})
			return nil
		}
	}
	return []*fault{
		{name: "F13 partition between the owner and the others", most: 12 * time.Second, do: part(true, nil)},
		{name: "F16 one-way drop from the owner", most: 12 * time.Second, do: part(false, nil)},
		{name: "F21 a takeover gets the number of a lost claim", most: 12 * time.Second, do: part(true, lostClaims)},
		{
			name: "F14 the owner is cut from Postgres for 10 s", short: true, most: 12 * time.Second, leave: true, do: cutOff,
		},
		{
			name: "F15 the owner is cut from Redis for 6 s", short: true, most: 5 * time.Second, unharmed: true,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				p, err := newProbe(ctx, l, 6*time.Second, true)
				if err != nil {
					return err
				}
				owner, _, err := l.owner(ctx)
				if err != nil {
					return err
				}
				owner.redis.Set(redistest.Hang)
				err = p.last(ctx, 6*time.Second)
				owner.redis.Set(redistest.Pass)
				return errors.Join(err, p.judge(pushMost))
			},
		},
		{
			name: "F18 Postgres 300 ms away, resets", short: true, most: 15 * time.Second,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				ruled(ctx, l.members, 8*time.Second, proxytest.Rules{Delay: 150 * time.Millisecond, ResetOneIn: 100})
				return nil
			},
		},
		{
			// A prompt that is sent while another one of its conversation is being stored is decided when that is
			// stored, and then waits for its own commit. Each commit waits for the one before: some six seconds.
			name: "F22 commits take 2 s", most: 25 * time.Second, do: slowCommits,
		},
		{
			name: "F25 connection cut after COMMIT", short: true, most: 10 * time.Second,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				before := 0
				for _, m := range l.members {
					before -= m.database.Lost()
				}
				ruled(ctx, l.members, 6*time.Second, proxytest.Rules{LoseCommits: 5})
				for _, m := range l.members {
					before += m.database.Lost()
				}
				if before == 0 {
					return errors.New("no commit was met")
				}
				return nil
			},
		},
	}
}

func faultsOfStores() []*fault {
	falls, last := 0, time.Time{}
	ended := func(s syscall.Signal) func(context.Context, *load, *rand.Rand) error {
		return func(ctx context.Context, l *load, _ *rand.Rand) error {
			// The embedded server gives up after six falls in a row, each within a minute of its start.
			if falls++; falls%5 == 0 {
				wait(ctx, time.Until(last.Add(70*time.Second)))
			}
			last = time.Now()
			p, err := l.postmaster()
			if err != nil {
				return err
			}
			return p.Signal(s)
		}
	}
	command := func(ctx context.Context, l *load, args ...any) error {
		c := l.redis.Client(0)
		return errors.Join(c.Do(ctx, args...).Err(), c.Close())
	}
	return []*fault{
		// An embedded server is started again by its watch.
		{name: "F19 Postgres restarts", short: true, most: 15 * time.Second, do: ended(syscall.SIGINT)},
		{name: "F20 kill -9 of the postmaster", short: true, most: 20 * time.Second, do: ended(syscall.SIGKILL)},
		{
			name: "F24 a lock held for 10 s on one conversation", most: 20 * time.Second, unharmed: true, do: lockedOne,
		},
		{
			name: "F26 Redis is away", most: 5 * time.Second, unharmed: true,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				d := lasting(20*time.Second, 5*time.Minute)
				p, err := newProbe(ctx, l, d, true)
				if err != nil {
					return err
				}
				l.redis.Stop()
				err = p.last(ctx, d)
				return errors.Join(err, l.redis.Restart(), p.judge(pushMost))
			},
		},
		{
			name: "F27 FLUSHALL, three times", short: true, most: 5 * time.Second, unharmed: true,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				var errs []error
				for range 3 {
					errs = append(errs, command(ctx, l, "FLUSHALL"))
					wait(ctx, time.Second)
				}
				return errors.Join(errs...)
			},
		},
		{
			name: "F28 Redis is slow, then read-only", most: 5 * time.Second, unharmed: true,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				for _, m := range l.members {
					m.redis.Delay(3 * time.Second)
				}
				wait(ctx, 6*time.Second)
				for _, m := range l.members {
					m.redis.Delay(0)
				}
				err := command(ctx, l, "REPLICAOF", "127.0.0.1", "1")
				wait(ctx, 6*time.Second)
				return errors.Join(err, command(ctx, l, "REPLICAOF", "NO", "ONE"))
			},
		},
	}
}
