package main

// The fault of a node whose clock is wrong. Its process is a build of its own, whose clock the environment shifts.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	// shiftedClock is the variable by which the clock of that build differs from the machine's.
	shiftedClock = "PARLEY_TEST_CLOCK"
	// dueLater is when tasks are due that must not run: a clock that is an hour ahead has passed it.
	dueLater = 30 * time.Minute
)

// clockBed is a bed with a build whose clock can be shifted.
func clockBed(t *testing.T) *bed {
	t.Helper()
	const file, now = "internal/clock/clock.go", "func (System) Now() time.Time { return time.Now() }"
	shifted := plant{name: "another clock", edits: []edit{
		{file, "import \"time\"\n", "import (\n\t\"os\"\n\t\"time\"\n)\n"},
		{file, now, "func (System) Now() time.Time { return time.Now().Add(shift) }\n\nvar shift, _ = time.ParseDuration(os.Getenv(\"" +
			shiftedClock + "\"))"},
	}}
	program := shifted.build(t, t.TempDir())
	b := newBed(t)
	b.other = program
	return b
}

// clocksApart lets one node work with a clock that is an hour ahead, and then an hour behind. It must leave
// service, what is due must run once and in time on the others, and what is due later must not run.
func clocksApart(ctx context.Context, l *load, _ *rand.Rand) error {
	later, _, err := l.makeTasks(ctx, dueTasks, dueLater)
	if err != nil {
		return err
	}
	m, cut := l.members[len(l.members)-1], l.interrupted(ctx)
	for _, shift := range []time.Duration{time.Hour, -time.Hour} {
		err := l.shifted(ctx, m, shift, func() error {
			soon, due, err := l.makeTasks(ctx, dueTasks, dueIn)
			if err != nil {
				return err
			}
			err = l.awaitRuns(ctx, soon, dueTasks)
			late, failed := l.keepTasks(ctx, soon, due)
			wait(ctx, wrongFor)
			return errors.Join(err, failed, l.inTime("a task starts beside a node with another clock after", late, healthyLate))
		})
		if err != nil {
			return fmt.Errorf("with a clock that differs by %s: %w", shift, err)
		}
	}
	early := 0
	if err := l.db.QueryRow(ctx, "SELECT count(*) FROM task_run r JOIN scheduled_task t ON t.id = r.task_id WHERE t.blueprint_id = $1",
		later).Scan(&early); err != nil {
		return fmt.Errorf("count what has run early: %w", err)
	}
	if cut = l.interrupted(ctx) - cut; early > 0 || cut > 0 {
		return fmt.Errorf("%d tasks have run half an hour early, and %d turns were interrupted", early, cut)
	}
	return nil
}

// shifted replaces a process by one with another clock, does something, and replaces it again. People do not
// go there: the balancer asks /readyz.
func (l *load) shifted(ctx context.Context, m *member, shift time.Duration, do func() error) error {
	m.out.Store(true)
	defer m.out.Store(false)
	if err := m.replace(ctx, l.other, shiftedClock+"="+shift.String()); err != nil {
		return err
	}
	if !waitUntil(ctx, func() bool {
		return strings.Contains(m.server.operatorPage(ctx, "/readyz"), `"clock":"failed"`) && !readyAt(ctx, m.server.operator)
	}) {
		return fmt.Errorf("%s serves people: %s", m.name, m.server.operatorPage(ctx, "/readyz"))
	}
	ahead := regexp.MustCompile(`(?m)^parley_database_clock_ahead_seconds (\S+)$`).FindStringSubmatch(m.server.operatorPage(ctx, "/metrics"))
	if ahead == nil {
		return fmt.Errorf("%s does not say what its clock shows", m.name)
	}
	if seconds, err := strconv.ParseFloat(ahead[1], 64); err != nil || math.Abs(seconds+shift.Seconds()) > 10 {
		return fmt.Errorf("the database's clock is ahead of that of %s by %s s: %w", m.name, ahead[1], err)
	}
	return errors.Join(do(), m.replace(ctx, "", ""), l.awaitReady(ctx))
}

// replace lets a process end by SIGTERM, and starts it again as another build, with one more variable of its
// environment; empty means the build and the environment of all.
func (m *member) replace(ctx context.Context, program, variable string) error {
	before := len(m.ends())
	m.keepAway(true)
	defer m.keepAway(false)
	err := errors.Join(m.signal(syscall.SIGTERM), expectEnd(ctx, m, before, 0))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.server.program, m.server.env = program, m.env
	if variable != "" {
		m.server.env = append(m.env[:len(m.env):len(m.env)], variable)
	}
	return err
}
