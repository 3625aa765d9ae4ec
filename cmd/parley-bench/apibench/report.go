package apibench

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
)

// Report is the result of a run.
type Report struct {
	Connections int     `json:"connections"`
	Seconds     float64 `json:"seconds"` // of each measurement
	Rounds      int     `json:"rounds"`
	Rows        []Row   `json:"rows"`
}

// Row is one call, with the medians of its rounds.
type Row struct {
	Call string `json:"call"`
	// Statements that the server runs for the call, and Bytes of the response: means of all people.
	Statements float64 `json:"statements"`
	Bytes      int     `json:"bytes"`
	API        Figures `json:"api"`
	Database   Figures `json:"pgbench"` // zero without pgbench, or if the call runs no statements
	// Ratio of the rates, API to pgbench: the median of Pairs, the ratios of the rounds.
	Ratio float64   `json:"ratio"`
	Pairs []float64 `json:"pairs"`
}

// Figures are a rate and times in milliseconds.
type Figures struct {
	PerSecond float64 `json:"perSecond"`
	P50       float64 `json:"p50"`
	P99       float64 `json:"p99"`
	Max       float64 `json:"max"`
	// CPU time of one call: CPU is that of all processes, Own that of the server and its
	// clients. 0 if it is not known.
	CPU float64 `json:"cpu"`
	Own float64 `json:"cpuOwn"`
}

func figuresOf(took []time.Duration, over time.Duration, cpu usage) Figures {
	if len(took) == 0 {
		return Figures{}
	}
	slices.Sort(took)
	at := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Microseconds()) / 1000 }
	each := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(len(took)) }
	return Figures{
		PerSecond: float64(len(took)) / over.Seconds(), P50: at(0.5), P99: at(0.99), Max: at(1),
		CPU: each(cpu.own + cpu.started), Own: each(cpu.own),
	}
}

// medianFigures returns the median of each figure separately.
func medianFigures(rounds []Figures) Figures {
	of := func(take func(Figures) float64) float64 {
		values := make([]float64, len(rounds))
		for i, r := range rounds {
			values[i] = take(r)
		}
		return median(values)
	}
	return Figures{
		PerSecond: of(func(f Figures) float64 { return f.PerSecond }),
		P50:       of(func(f Figures) float64 { return f.P50 }),
		P99:       of(func(f Figures) float64 { return f.P99 }),
		Max:       of(func(f Figures) float64 { return f.Max }),
		CPU:       of(func(f Figures) float64 { return f.CPU }),
		Own:       of(func(f Figures) float64 { return f.Own }),
	}
}

// median returns the middle value, the lower one if the number is even, and 0 without values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(values))[(len(values)-1)/2]
}

// WriteTable prints the report as a table that is also Markdown.
func (r *Report) WriteTable(w io.Writer) error {
	const head = "| call | statements | kB | API/s | p50 ms | p99 ms | CPU ms" +
		" | pgbench/s | p50 ms | p99 ms | CPU ms | ratio | of the rounds |\n" +
		"|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
	if _, err := fmt.Fprintf(w, "%d connections, %d rounds of %.0f s each\n\n"+head, r.Connections, r.Rounds, r.Seconds); err != nil {
		return err //nolint:wrapcheck // the writer's own error is clear
	}
	for _, row := range r.Rows {
		database := "– | – | – | – | – | –"
		if row.Database.PerSecond > 0 {
			database = fmt.Sprintf("%.0f | %.1f | %.1f | %.2f | %.2f | %.2f–%.2f",
				row.Database.PerSecond, row.Database.P50, row.Database.P99, row.Database.CPU,
				row.Ratio, slices.Min(row.Pairs), slices.Max(row.Pairs))
		}
		if _, err := fmt.Fprintf(w, "| %s | %.0f | %.1f | %.0f | %.1f | %.1f | %.2f | %s |\n",
			row.Call, row.Statements, float64(row.Bytes)/1e3, row.API.PerSecond, row.API.P50, row.API.P99, row.API.CPU, database); err != nil {
			return err //nolint:wrapcheck // as above
		}
	}
	return nil
}

// WriteJSON writes the report as JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r) //nolint:wrapcheck // the writer's own error is clear
}
