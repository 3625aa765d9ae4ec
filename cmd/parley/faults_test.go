package main

// The faults of real processes: each is done to a cluster under load, and afterwards the recorded
// history is checked (internal/history). make test does the short ones in one run; make chaos does
// each by itself, several times, and prints a table.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/history"
)

const (
	// betweenFaults is how long the cluster is left alone after a fault.
	betweenFaults = 3 * time.Second
	// quietTime is how long it is left alone after the last one.
	quietTime = 3 * time.Second
)

// spell is one fault of a run with what came of it.
type spell struct {
	fault *fault
	// over is when the fault had ended, and until when the cluster had been left alone for a while.
	began, over, until int64
	err                error
}

// outcome is what a run has shown.
type outcome struct {
	spells  []spell
	verdict history.Verdict
	ops     []*history.Op
	history *history.History
	// figures are the times by which the faults were measured.
	figures map[string]figure
}

// acks are the times, from the call to its acknowledgement, of the prompts that a spell has met.
func (o *outcome) acks(s *spell) (took []time.Duration) {
	for _, op := range o.ops {
		if op.Kind == history.Send && op.Outcome == history.OK && op.Return >= s.began && op.Invoke <= s.until {
			took = append(took, time.Duration(op.Return-op.Invoke))
		}
	}
	slices.Sort(took)
	return took
}

// silent is how many prompts of a spell had no definite answer in all their tries.
func (o *outcome) silent(s *spell) (n int) {
	for _, op := range o.ops {
		if op.Kind == history.Send && op.Silent && op.Return >= s.began && op.Invoke <= s.until {
			n++
		}
	}
	return n
}

// runFaults does faults to a cluster under load, one after the other, and checks the history.
func runFaults(t *testing.T, w *world, faults []*fault, seed uint64) *outcome {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	w.baseline(t)
	l := startLoad(t, w, random)
	watch, unwatch := context.WithCancel(t.Context())
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		w.watchClaims(watch)
	}()
	wait(t.Context(), settled)
	o := &outcome{}
	for _, f := range faults {
		s := spell{fault: f, began: w.now()}
		w.recorder.Add(history.Line{Mark: &history.Mark{At: s.began, Fault: f.name}})
		l.askLong(t.Context(), l.quiet)
		s.err = w.harm(t.Context(), l, f, random)
		s.over = w.now()
		w.recorder.Add(history.Line{Mark: &history.Mark{At: s.over, Healed: true}})
		require.NoError(t, w.awaitReady(t.Context()), f.name)
		wait(t.Context(), betweenFaults)
		s.err = errors.Join(s.err, w.orphans(t.Context(), s.over))
		s.until = w.now()
		o.spells = append(o.spells, s)
	}
	wait(t.Context(), quietTime)
	l.finish(t)
	unwatch()
	<-watched
	w.sampleEnd(t)
	o.history, o.figures = w.recorder.History(), w.figures
	limits := history.Standard()
	limits.Again *= slower
	limits.Revoked *= slower
	// The faults of tasks compare each start with the time that their row names; none has a longer one than this.
	limits.Late = slower * lastStart
	o.verdict = history.Check(o.history, limits)
	t.Logf("the order of the calls: of %d conversations decided, of %d not within %s", o.verdict.Ordered, o.verdict.Undecided, limits.Order)
	for i := range o.history.Lines {
		if op := o.history.Lines[i].Op; op != nil {
			o.ops = append(o.ops, op)
		}
	}
	return o
}

// watchClaims records who owns each conversation, twice a second.
func (w *world) watchClaims(ctx context.Context) {
	for ctx.Err() == nil {
		wait(ctx, 500*time.Millisecond)
		rows, err := w.db.Query(ctx, "SELECT id, epoch, activation FROM conversation WHERE activation IS NOT NULL")
		if err != nil {
			continue // Postgres is away
		}
		for rows.Next() {
			var c history.Claim
			if rows.Scan(&c.Conversation, &c.Epoch, &c.Activation) == nil && !w.givenAgain(c.Conversation) {
				w.recorder.Add(history.Line{Claim: &c})
			}
		}
		rows.Close()
	}
}

// judge returns what was wrong in a run.
func (o *outcome) judge() (wrong []string) {
	for _, v := range o.verdict.Violations {
		wrong = append(wrong, v.String())
	}
	for i := range o.spells {
		s := &o.spells[i]
		if s.err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", s.fault.name, s.err))
		}
		took := o.acks(s)
		if len(took) == 0 {
			wrong = append(wrong, s.fault.name+": it met no prompt")
		} else if took[len(took)-1] > slower*s.fault.most {
			wrong = append(wrong, fmt.Sprintf("%s: a prompt was acknowledged after %s", s.fault.name, took[len(took)-1]))
		}
		if n := o.silent(s); n > 0 {
			wrong = append(wrong, fmt.Sprintf("%s: %d prompts had no answer", s.fault.name, n))
		}
	}
	return wrong
}

// keep writes the history of a failed run, so that it can be read.
func (o *outcome) keep(t *testing.T, seed uint64) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, o.history.Write(&b))
	path := filepath.Join(os.TempDir(), fmt.Sprintf("parley-history-%d-%s.jsonl", seed, uuid.NewString()[:8]))
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	t.Logf("the history is in %s", path)
}

// TestFaults_Short does the faults that take only seconds, one after the other, in one run.
// PARLEY_TEST_SEED repeats the order of a run's choices.
//
//nolint:paralleltest // its times are those of one cluster, and other tests of this package have more of them
func TestFaults_Short(t *testing.T) {
	seed := uint64(setting(t, "PARLEY_TEST_SEED", rand.IntN(1_000_000)))
	t.Logf("PARLEY_TEST_SEED=%d", seed)
	var short []*fault
	for _, f := range faults() {
		if f.short {
			short = append(short, f)
		}
	}
	o := runFaults(t, newWorld(t, newBed(t)), short, seed)
	for i := range o.spells {
		s := &o.spells[i]
		if took := o.acks(s); len(took) > 0 {
			t.Logf("%-50s %5.1f s, %3d prompts, p95 %s, most %s", s.fault.name, float64(s.over-s.began)/1e9, len(took),
				took[len(took)*95/100].Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond))
		}
	}
	t.Log(figuresText(o.figures))
	if wrong := o.judge(); len(wrong) > 0 {
		o.keep(t, seed)
		t.Fatalf("PARLEY_TEST_SEED=%d:\n%s", seed, strings.Join(wrong, "\n"))
	}
}

// TestFaults does each fault by itself, PARLEY_TEST_FAULT_RUNS times, and prints a table (make chaos).
// PARLEY_TEST_FAULTS is a pattern of the names of the faults to do.
//
//nolint:paralleltest // its times are those of a machine that does nothing else
func TestFaults(t *testing.T) {
	runs := setting(t, "PARLEY_TEST_FAULT_RUNS", 0)
	if runs == 0 {
		t.Skip("make chaos does each fault by itself")
	}
	seed := uint64(setting(t, "PARLEY_TEST_SEED", rand.IntN(1_000_000)))
	only := regexp.MustCompile(os.Getenv("PARLEY_TEST_FAULTS"))
	r := newResults(t)
	for _, f := range faults() {
		if only.MatchString(f.name) {
			r.do(f, seed, runs)
		}
	}
	t.Log(r.table.String())
}

// results are what the runs of faults have shown, as a table.
type results struct {
	t     *testing.T
	table strings.Builder
	// common is the bed of all faults that need no other one.
	common *bed
}

func newResults(t *testing.T) *results {
	t.Helper()
	r := &results{t: t}
	fmt.Fprintf(&r.table, "\n%-52s %5s %6s %9s %9s\n", "fault", "runs", "passes", "p95", "most")
	return r
}

// do does a fault so many times, each with another seed, and adds its line.
func (r *results) do(f *fault, seed uint64, runs int) {
	r.t.Helper()
	passes, skipped, took := 0, 0, []time.Duration(nil)
	figures := map[string]figure{}
	for n := range runs {
		own := seed + uint64(n)
		var o *outcome
		if f.bed != nil {
			r.t.Run(strconv.FormatUint(own, 10), func(t *testing.T) { o = runFaults(t, newWorld(t, f.bed(t)), []*fault{f}, own) })
			if o == nil {
				skipped++ // the bed says why
				continue
			}
		} else {
			if r.common == nil {
				r.common = newBed(r.t)
			}
			o = runFaults(r.t, newWorld(r.t, r.common), []*fault{f}, own)
		}
		took = append(took, o.acks(&o.spells[0])...)
		for what, f := range o.figures {
			figures[what] = figure{max(f.took, figures[what].took), f.most}
		}
		wrong := o.judge()
		if len(wrong) == 0 {
			passes++
			continue
		}
		o.keep(r.t, own)
		r.t.Errorf("%s, PARLEY_TEST_SEED=%d:\n%s", f.name, own, strings.Join(wrong, "\n"))
	}
	slices.Sort(took)
	if skipped == runs {
		fmt.Fprintf(&r.table, "%-52s not possible on this machine\n", f.name)
		return
	}
	if len(took) == 0 {
		r.t.Errorf("%s met no prompt", f.name)
		return
	}
	line := fmt.Sprintf("%-52s %5d %6d %9s %9s", f.name, runs, passes, took[len(took)*95/100].Round(time.Millisecond),
		took[len(took)-1].Round(time.Millisecond)) + figuresText(figures)
	r.table.WriteString(line + "\n")
	r.t.Log(line)
}
