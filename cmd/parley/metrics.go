package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"parley.dev/parley/analyst/check"
	"parley.dev/parley/persistence"
)

// observeJournal makes the metrics of the group commit. Everything that people see in a
// conversation is committed through it before it is shown, so these metrics are the first to
// check when answers are slow.
func observeJournal(r prometheus.Registerer) func(persistence.GroupStats) {
	// 14 buckets that double reach from 1 ms to 8 s.
	seconds := prometheus.ExponentialBuckets(0.001, 2, 14)
	histogram := func(name, help string, buckets []float64) prometheus.Histogram {
		h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "parley_journal_" + name, Help: help, Buckets: buckets})
		r.MustRegister(h)
		return h
	}
	// The same number of buckets reaches from 1 to 8,192 writes; a group has at most
	// JournalConfig.GroupSize of them.
	writes := histogram("group_writes", "Conversations committed together.", prometheus.ExponentialBuckets(1, 2, 14))
	took := histogram("group_seconds", "From the begin of a group to the answer of its commit.", seconds)
	lock := histogram("group_lock_seconds", "Of that, until the rows were locked and compared.", seconds)
	waited := histogram("wait_seconds", "How long the oldest write of a group had waited for its begin.", seconds)
	skipped := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "parley_journal_skipped_total", Help: "Writes that were tried alone, because another transaction had the conversation locked.",
	})
	r.MustRegister(skipped)
	return func(s persistence.GroupStats) {
		writes.Observe(float64(s.Writes))
		took.Observe(s.Took.Seconds())
		lock.Observe(s.Lock.Seconds())
		waited.Observe(s.Waited.Seconds())
		skipped.Add(float64(s.Skipped))
	}
}

// The values of the label statement: whether this program has built the statement, or a model, a memory or a blueprint has it.
const (
	statementBuilt   = "built"
	statementWritten = "written"
)

// observeChecks makes the metric of the checks of answers. A failed one of a statement that was built here is a fault of this
// program: its figure was withheld, and its series is there from the start, so that an alarm sees the first one. A failed one of a
// statement that others wrote is what the checks are for.
func observeChecks(r prometheus.Registerer) func(k check.Kind, o check.Outcome, written bool) {
	checks := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "parley_answer_checks_total", Help: "Checks of the figures of answers by outcome. No built statement may have a failed one.",
	}, []string{"check", "outcome", "statement"})
	r.MustRegister(checks)
	for _, k := range check.Kinds() {
		for _, o := range check.Outcomes() {
			checks.WithLabelValues(string(k), string(o), statementBuilt)
			checks.WithLabelValues(string(k), string(o), statementWritten)
		}
	}
	return func(k check.Kind, o check.Outcome, written bool) {
		statement := statementBuilt
		if written {
			statement = statementWritten
		}
		checks.WithLabelValues(string(k), string(o), statement).Inc()
	}
}
