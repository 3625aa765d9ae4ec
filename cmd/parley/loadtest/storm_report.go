package loadtest

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// StormReport is the result of a storm.
type StormReport struct {
	Clients, Missed int
	// Lost is how many clients have lost their sockets with a node, if they were not all cut.
	Lost int
	// Arrivals are the first sockets, to conversations that no node had loaded; Resumes are
	// the sockets after the cut, complete with what was missed.
	Arrivals, Resumes Arrivals
	// Quiet and Meanwhile are the times that text of other people's answers took to reach them,
	// before the cut and while the clients came back.
	Quiet, Meanwhile Spread
	// Events counts the events that have come of those that were missed, or made after a loss.
	Events, Resets int64
	// Errors counts gaps, repeats, and clients that did not come back.
	Errors  int64
	Samples []string
}

// Arrivals says how long clients took to be connected. Times are in milliseconds; those of
// clients that all start at once count from that moment.
type Arrivals struct {
	N         int
	Seconds   float64
	PerSecond float64
	Time      Spread
	// CPU and Postgres are microseconds of the processor for each client, of the node and of
	// its database; zero if Config has no Metrics or PostgresPID.
	CPU, Postgres float64
}

func (a *Arrivals) resources(before, after reading) {
	if a.N > 0 {
		a.CPU, a.Postgres = (after.cpu-before.cpu)/float64(a.N)*1e6, (after.postgres-before.postgres)/float64(a.N)*1e6
	}
}

// WriteTable prints the report for people.
func (r *StormReport) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "%s\t"+format+"\n", append([]any{name}, args...)...)
	}
	arrivals := func(name string, a *Arrivals) {
		row(name, "%d in %.2f s, %.0f/s; p50 %.0f, p99 %.0f, max %.0f ms", a.N, a.Seconds, a.PerSecond, a.Time.P50, a.Time.P99, a.Time.Max)
		if a.CPU > 0 {
			row("", "%.0f µs of the node's CPU each, %.0f of Postgres'", a.CPU, a.Postgres)
		}
	}
	if r.Lost > 0 {
		row("clients", "%d, %d of which were lost with a node", r.Clients, r.Lost)
	} else {
		row("clients", "%d, each cut once; %d events missed by each", r.Clients, r.Missed)
	}
	arrivals("arrived", &r.Arrivals)
	arrivals("came back", &r.Resumes)
	if r.Quiet.N > 0 {
		row("others, before", "p50 %.1f  p95 %.1f  p99 %.1f  max %.1f ms", r.Quiet.P50, r.Quiet.P95, r.Quiet.P99, r.Quiet.Max)
		m := r.Meanwhile
		row("others, meanwhile", "p50 %.1f  p95 %.1f  p99 %.1f  max %.1f ms", m.P50, m.P95, m.P99, m.Max)
	}
	row("events", "%d received, %d resets", r.Events, r.Resets)
	row("errors", "%d", r.Errors)
	for _, s := range r.Samples {
		row("error", "%s", s)
	}
	return t.Flush() //nolint:wrapcheck // the writer's error needs no further context
}
