package loadtest

// The report of a run, in three forms: a table for people, JSON for programs, and a page with
// plots.

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Report is the result of a run. Times are in milliseconds, CPU in seconds, memory in bytes.
type Report struct {
	Streams  int     `json:"streams"`
	Rate     float64 `json:"rate"`
	Watchers int     `json:"watchers"`
	Sockets  int     `json:"sockets"`
	Seconds  float64 `json:"seconds"`

	TokensPerSecond float64 `json:"tokensPerSecond"` // delivered to all watchers
	Expected        float64 `json:"expectedTokensPerSecond"`
	FramesPerSecond float64 `json:"framesPerSecond"`
	BytesPerSecond  float64 `json:"bytesPerSecond"`
	Latency         Spread  `json:"latencyMs"` // from the provider's byte to the client
	Connect         Spread  `json:"connectMs"`
	ConnectsPerSec  float64 `json:"connectsPerSecond"`

	Errors  int64    `json:"errors"` // gaps, repeats, reorderings, failed calls, dropped sockets
	Resets  int64    `json:"resets"`
	Dropped int64    `json:"dropped"`
	Samples []string `json:"samples,omitempty"`

	// Resources of the server and of Postgres; zero if Config has no Metrics or PostgresPID.
	CPUPerMillion      float64 `json:"cpuSecondsPerMillionTokens,omitempty"`
	CPUShare           float64 `json:"cpuCores,omitempty"`
	PostgresPerMillion float64 `json:"postgresCpuSecondsPerMillionTokens,omitempty"`
	BytesPerSocket     float64 `json:"bytesPerIdleSocket,omitempty"`
	Resident           float64 `json:"residentBytes,omitempty"`

	PerSecond []second   `json:"perSecond"`
	Curve     []quantile `json:"latencyCurve"`
}

// Spread summarizes a distribution.
type Spread struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
	N   int64   `json:"n"`
}

// quantile is one point of the curve of latencies.
type quantile struct {
	Percent float64 `json:"percent"`
	Ms      float64 `json:"ms"`
}

// spreadOf summarizes a histogram in microseconds; its results are in milliseconds.
func spreadOf(h *hdrhistogram.Histogram) Spread {
	ms := func(q float64) float64 { return float64(h.ValueAtQuantile(q)) / 1000 }
	return Spread{P50: ms(50), P95: ms(95), P99: ms(99), Max: float64(h.Max()) / 1000, N: h.TotalCount()}
}

// latencies is a histogram that several goroutines can add to.
type latencies struct {
	mu sync.Mutex
	h  *hdrhistogram.Histogram
}

// The range is one microsecond to two minutes, with three significant digits.
func newLatencies() *latencies { return &latencies{h: hdrhistogram.New(1, 120_000_000, 3)} }

func (l *latencies) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// Only a value above two minutes is refused; it is recorded as two minutes.
	if l.h.RecordValue(max(d.Microseconds(), 1)) != nil {
		_ = l.h.RecordValue(120_000_000)
	}
}

// report makes the report of a run. opening is the time in which the sockets were opened.
func (r *run) report(elapsed, opening time.Duration, frames, tokens, bytes int64) *Report {
	h := r.tally.merged()
	s := elapsed.Seconds()
	r.tally.mu.Lock()
	defer r.tally.mu.Unlock()
	out := &Report{
		Streams: r.c.Streams, Rate: r.c.Rate, Watchers: r.c.Watchers, Sockets: r.c.Sockets, Seconds: s,
		TokensPerSecond: float64(tokens) / s, FramesPerSecond: float64(frames) / s, BytesPerSecond: float64(bytes) / s,
		Expected: float64(r.c.Streams*r.c.Watchers) * r.c.Rate,
		Latency:  spreadOf(h), Connect: spreadOf(r.connect.h), ConnectsPerSec: float64(r.c.Sockets) / opening.Seconds(),
		Errors: r.tally.faults.Load(), Resets: r.tally.resets.Load(), Dropped: r.tally.dropped.Load(),
		Samples: r.tally.samples, PerSecond: r.tally.seconds,
	}
	for _, q := range []float64{1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100} {
		out.Curve = append(out.Curve, quantile{q, float64(h.ValueAtQuantile(q)) / 1000})
	}
	return out
}

// resources adds what the server used. before is without sockets, idle with open ones, start and
// end are around the measurement.
func (r *Report) resources(before, idle, start, end reading) {
	tokens := r.TokensPerSecond * r.Seconds
	if tokens > 0 {
		r.CPUPerMillion = (end.cpu - start.cpu) / tokens * 1e6
		r.PostgresPerMillion = (end.postgres - start.postgres) / tokens * 1e6
	}
	r.CPUShare = (end.cpu - start.cpu) / r.Seconds
	r.Resident = end.resident
	// The memory of a socket is the growth from none to all of them.
	r.BytesPerSocket = (idle.resident - before.resident) / float64(r.Sockets)
}

// WriteTable prints the report for people.
func (r *Report) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "%s\t"+format+"\n", append([]any{name}, args...)...)
	}
	row("streams × tokens/s × watchers", "%d × %g × %d on %d sockets, %.0f s", r.Streams, r.Rate, r.Watchers, r.Sockets, r.Seconds)
	row("connects", "%.0f/s; p50 %.1f, p99 %.1f ms", r.ConnectsPerSec, r.Connect.P50, r.Connect.P99)
	if r.Streams > 0 {
		row("tokens delivered", "%.0f/s of %.0f/s, in %.0f frames/s", r.TokensPerSecond, r.Expected, r.FramesPerSecond)
		row("provider to client", "p50 %.1f  p95 %.1f  p99 %.1f  max %.1f ms", r.Latency.P50, r.Latency.P95, r.Latency.P99, r.Latency.Max)
	}
	row("errors", "%d (resets %d, dropped sockets %d)", r.Errors, r.Resets, r.Dropped)
	// Resident is 0 if no metrics were read.
	if r.Resident > 0 {
		row("server", "%.2f cores, %.1f CPU s per million tokens, %.0f MB resident", r.CPUShare, r.CPUPerMillion, r.Resident/1e6)
		row("memory a socket", "%.1f kB", r.BytesPerSocket/1e3)
	}
	if r.PostgresPerMillion > 0 {
		row("Postgres", "%.1f CPU s per million tokens", r.PostgresPerMillion)
	}
	for _, s := range r.Samples {
		row("error", "%s", s)
	}
	return t.Flush() //nolint:wrapcheck // the writer's error needs no further context
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r) //nolint:wrapcheck // the writer's error needs no further context
}

// WriteHTML writes a self-contained page with plots.
func (r *Report) WriteHTML(w io.Writer) error {
	const width, height = 720.0, 200.0
	plot := func(n int, at func(i int) float64) template.HTMLAttr {
		// A curve of zeros must not divide by zero.
		top := 1e-9
		for i := range n {
			top = max(top, at(i))
		}
		points := ""
		for i := range n {
			points += fmt.Sprintf("%.1f,%.1f ", width*float64(i)/max(float64(n-1), 1), height-height*at(i)/top)
		}
		// The points are numbers that were formatted here, so they need no escaping.
		return template.HTMLAttr(`points="` + points + `"`) //nolint:gosec // numbers only
	}
	return page.Execute(w, map[string]any{ //nolint:wrapcheck // the writer's error needs no further context
		"R": r, "Width": width, "Height": height,
		"Rate":    plot(len(r.PerSecond), func(i int) float64 { return float64(r.PerSecond[i].Tokens) }),
		"Latency": plot(len(r.Curve), func(i int) float64 { return r.Curve[i].Ms }),
	})
}

// The page has its styles and plots in itself, so that it can be sent as one file.
var page = template.Must(template.New("report").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Load test</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:760px;padding:0 1rem;color:#1c2024;background:#fff}
table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left;font-variant-numeric:tabular-nums}
svg{border-left:1px solid #8b8d98;border-bottom:1px solid #8b8d98;overflow:visible}polyline{fill:none;stroke:#3e63dd;stroke-width:2}</style>
<h1>Load test</h1>
<table>
<tr><th>Streams × tokens/s × watchers<td>{{.R.Streams}} × {{.R.Rate}} × {{.R.Watchers}} on {{.R.Sockets}} sockets
<tr><th>Delivered<td>{{printf "%.0f" .R.TokensPerSecond}} of {{printf "%.0f" .R.Expected}} tokens/s
<tr><th>Provider to client<td>p50 {{printf "%.1f" .R.Latency.P50}} · p95 {{printf "%.1f" .R.Latency.P95}}
 · p99 {{printf "%.1f" .R.Latency.P99}} · max {{printf "%.1f" .R.Latency.Max}} ms
<tr><th>Connects<td>{{printf "%.0f" .R.ConnectsPerSec}}/s
<tr><th>Server<td>{{printf "%.2f" .R.CPUShare}} cores · {{printf "%.1f" .R.CPUPerMillion}} CPU s per million tokens
<tr><th>Errors<td>{{.R.Errors}}
</table>
<h2>Tokens per second</h2><svg width="{{.Width}}" height="{{.Height}}"><polyline {{.Rate}}/></svg>
<h2>Latency by percentile</h2><svg width="{{.Width}}" height="{{.Height}}"><polyline {{.Latency}}/></svg>
<p>{{range .R.Curve}}p{{.Percent}} {{printf "%.1f" .Ms}} ms · {{end}}</p></html>
`))
