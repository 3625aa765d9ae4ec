package apibench

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Config of a run.
type Config struct {
	// URL of the server, and the id of its process, whose CPU time is part of the figures.
	// Both are required.
	URL    string
	Server int

	// Calls are measured, as returned by Record. Required.
	Calls []*Call

	// Connections is the number of persistent connections, to the server and, for pgbench, to
	// the database. 0 means 8.
	Connections int

	// Duration of each measurement. 0 means 2 s.
	Duration time.Duration

	// Rounds is how often each call is measured. The API and pgbench alternate, so that other
	// load of the machine affects both equally. 0 means 5.
	Rounds int

	// Database is the address for pgbench. PGBench is the path of pgbench; if it is empty, only
	// the API is measured.
	Database, PGBench string

	// Dir is a folder for pgbench's scripts and logs. Required with PGBench.
	Dir string

	// Progress receives what is being measured. Required.
	Progress func(format string, args ...any)
}

// mustValidate fills in the zero values and panics if a required field is missing.
func (c *Config) mustValidate() {
	if c.URL == "" || c.Server == 0 || len(c.Calls) == 0 || c.Progress == nil || (c.PGBench != "" && c.Dir == "") {
		panic("apibench: Config lacks what is required")
	}
	if c.Connections == 0 {
		c.Connections = 8
	}
	if c.Duration == 0 {
		c.Duration = 2 * time.Second
	}
	if c.Rounds == 0 {
		c.Rounds = 5
	}
}

// Run measures the calls one after the other.
func Run(ctx context.Context, c Config) (*Report, error) {
	c.mustValidate()
	report := &Report{Connections: c.Connections, Seconds: c.Duration.Seconds(), Rounds: c.Rounds}
	for _, one := range c.Calls {
		c.Progress("measuring %s", one.name)
		row, err := c.measure(ctx, one)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.name, err)
		}
		report.Rows = append(report.Rows, *row)
	}
	return report, nil
}

// measure runs all rounds of one call.
func (c *Config) measure(ctx context.Context, one *Call) (*Row, error) {
	row := &Row{Call: one.name, Bytes: one.bytes, Statements: one.meanStatements()}
	requests := make([]request, len(one.people))
	for i, p := range one.people {
		requests[i] = newRequest(c.URL, p.path, p.token)
		// The server's caches are filled before anything is measured.
		if _, err := fetch(ctx, requests[i]); err != nil {
			return nil, err
		}
	}
	var server, database []Figures
	for round := range c.Rounds {
		steps := []func() error{func() error {
			f, err := c.load(ctx, requests)
			server = append(server, f)
			return err
		}}
		if c.PGBench != "" && row.Statements > 0 {
			steps = append(steps, func() error {
				f, err := c.pgbench(ctx, one.people)
				database = append(database, f)
				return err
			})
		}
		// The order changes in each round, so that neither always runs first.
		if round%2 == 1 {
			slices.Reverse(steps)
		}
		for _, step := range steps {
			if err := step(); err != nil {
				return nil, err
			}
		}
	}
	row.API, row.Database = medianFigures(server), medianFigures(database)
	for i := range database {
		row.Pairs = append(row.Pairs, server[i].PerSecond/database[i].PerSecond)
	}
	row.Ratio = median(row.Pairs)
	return row, nil
}
