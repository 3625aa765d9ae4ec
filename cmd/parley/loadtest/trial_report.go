package loadtest

// The report of a trial. A trial asks whether anything was lost. Of its times the report has only
// the longest ones, which say how long people have waited because of a fault.

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// TrialReport is the result of a trial.
type TrialReport struct {
	Streams, Sockets int
	// Prompts counts the acknowledged prompts; Repeats counts the repeated calls of prompts. Calls is the
	// greatest number of calls that one of them took: 2 is one retry.
	Prompts, Repeats, Calls int64
	// Cuts counts the sockets that the trial broke; Reconnects counts all reconnected sockets.
	Cuts, Reconnects, Resets int64
	// Ends counts the ended turns by their status.
	Ends map[string]int
	// Oldest is the greatest age of text when a reader was shown it, if the clocks of this
	// machine and of the servers agree. Longest is the longest time until a prompt was
	// acknowledged, with its repeated calls.
	Oldest, Longest time.Duration
	Errors          int64
	Samples         []string
}

// trialReport is made after all goroutines have ended, except for the samples, which have a lock.
func (t *trial) trialReport() *TrialReport {
	r := &TrialReport{
		Streams: t.c.Streams, Sockets: len(t.readers), Repeats: t.repeats.Load(), Calls: t.calls.Load(), Cuts: t.cuts.Load(),
		Reconnects: t.reconnects.Load(), Resets: t.tally.resets.Load(), Ends: map[string]int{}, Errors: t.tally.faults.Load(),
	}
	r.Oldest, r.Longest = time.Duration(t.oldest.Load()), time.Duration(t.longest.Load())
	for _, a := range t.answers {
		r.Prompts += int64(len(a.acknowledged))
	}
	// Every reader of a conversation has seen the same ends, so the first one counts.
	for i := 0; i < len(t.readers); i += t.c.Watchers {
		for _, status := range t.readers[i].ends {
			r.Ends[status]++
		}
	}
	t.tally.mu.Lock()
	defer t.tally.mu.Unlock()
	r.Samples = slices.Clone(t.tally.samples)
	return r
}

// WriteTable prints the report for people.
func (r *TrialReport) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "%s\t"+format+"\n", append([]any{name}, args...)...)
	}
	row("answers × sockets", "%d × %d", r.Streams, r.Sockets)
	row("prompts", "%d acknowledged, %d calls repeated, %d calls for one at most", r.Prompts, r.Repeats, r.Calls)
	ends := make([]string, 0, len(r.Ends))
	for _, status := range slices.Sorted(maps.Keys(r.Ends)) {
		ends = append(ends, fmt.Sprintf("%d %s", r.Ends[status], status))
	}
	row("ends of turns", "%s", strings.Join(ends, ", "))
	row("sockets", "%d cut, %d came back, %d resets", r.Cuts, r.Reconnects, r.Resets)
	row("longest", "a prompt was acknowledged after %s, text was shown %s after it was made",
		r.Longest.Round(time.Millisecond), r.Oldest.Round(time.Millisecond))
	row("errors", "%d", r.Errors)
	for _, s := range r.Samples {
		row("error", "%s", s)
	}
	return t.Flush() //nolint:wrapcheck // the writer's error needs no further context
}
