package apibench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Config of a run.
type Config struct {
	// URL of the server, and bearers of people who take turns. Required.
	URL    string
	Tokens []string

	// Connections that are kept open, to the server and for pgbench to the database. 0 means 8.
	Connections int

	// Duration of each measurement. 0 means 2 s.
	Duration time.Duration

	// Rounds is how often each call is measured, the API and pgbench in turns: what
	// else the machine does meets both alike. 0 means 5.
	Rounds int

	// Only names the calls that are measured. Empty: all.
	Only []string

	// Record makes a call and gives the statements that the server ran for it. Required.
	Record func(call func() error) ([]Statement, error)

	// Database is the address for pgbench. PGBench is the program; empty leaves its part out.
	Database, PGBench string

	// Dir is a folder for pgbench's scripts and logs. Required with PGBench.
	Dir string

	// Progress is told what is measured. Required.
	Progress func(format string, args ...any)
}

// mustValidate fills in the zero values and refuses what cannot work.
func (c *Config) mustValidate() {
	if c.URL == "" || len(c.Tokens) == 0 || c.Record == nil || c.Progress == nil || (c.PGBench != "" && c.Dir == "") {
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

// Statement is one that the server ran, with its parameters.
type Statement struct {
	SQL  string
	Args []Argument
}

// Argument is a parameter as the database reads it.
type Argument struct {
	Text string
	Null bool
}

// call is one that clients make often; %s in its path is a conversation of the person.
type call struct{ name, path string }

func calls() []call {
	return []call{
		{"conversations", "discourse/conversations"},
		{"one conversation", "discourse/conversations/%s"},
		{"running", "discourse/conversations/running"},
		{"me", "user/me"},
		{"data sources", "memory/datasources"},
		{"agents", "analyst/analysts"},
		{"blueprints", "discourse/blueprints?page_size=50"},
		{"project labels", "discourse/projectlabels"},
		{"memories", "memory/memories"},
		{"usage report", "discourse/llm-statistics/usage-report"},
	}
}

// Calls are the names of those that are measured.
func Calls() []string {
	var names []string
	for _, one := range calls() {
		names = append(names, one.name)
	}
	return names
}

// Run measures the calls one after the other.
func Run(ctx context.Context, c Config) (*Report, error) {
	c.mustValidate()
	report := &Report{Connections: c.Connections, Seconds: c.Duration.Seconds(), Rounds: c.Rounds}
	paths, err := c.conversations(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range calls() {
		if len(c.Only) > 0 && !slices.Contains(c.Only, one.name) {
			continue
		}
		c.Progress("measuring %s", one.name)
		row, err := c.measure(ctx, one, paths)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.name, err)
		}
		report.Rows = append(report.Rows, *row)
	}
	return report, nil
}

// measure is all rounds of one call.
func (c *Config) measure(ctx context.Context, one call, paths []string) (*Row, error) {
	row := &Row{Call: one.name}
	requests, scripts, err := c.record(ctx, one, paths, row)
	if err != nil {
		return nil, err
	}
	var server, database []Figures
	for round := range c.Rounds {
		steps := []func() error{func() error {
			f, err := load(ctx, requests, c.Connections, c.Duration)
			server = append(server, f)
			return err
		}}
		if c.PGBench != "" && row.Statements > 0 {
			steps = append(steps, func() error {
				f, err := c.pgbench(ctx, scripts)
				database = append(database, f)
				return err
			})
		}
		// The one that was first is second the next time.
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

// record makes the call once for each of the people and notes what the server
// asks of the database for it.
func (c *Config) record(ctx context.Context, one call, paths []string, row *Row) ([]request, [][]Statement, error) {
	requests := make([]request, len(c.Tokens))
	scripts := make([][]Statement, len(c.Tokens))
	for i, token := range c.Tokens {
		path := one.path
		if strings.Contains(path, "%s") {
			path = fmt.Sprintf(path, paths[i])
		}
		requests[i] = newRequest(c.URL, path, token)
		// The first time fills what the server keeps in memory; the second is recorded.
		if _, err := once(ctx, requests[i]); err != nil {
			return nil, nil, err
		}
		var err error
		if scripts[i], err = c.Record(func() error {
			size, err := once(ctx, requests[i])
			row.Bytes += size / len(c.Tokens)
			return err
		}); err != nil {
			return nil, nil, err
		}
		row.Statements += float64(len(scripts[i])) / float64(len(c.Tokens))
	}
	return requests, scripts, nil
}

// conversations finds for each person one that they read: the last one.
func (c *Config) conversations(ctx context.Context) ([]string, error) {
	ids := make([]string, len(c.Tokens))
	for i, token := range c.Tokens {
		var list struct {
			Results []struct {
				ID string `json:"id"`
			} `json:"results"`
		}
		body, err := fetch(ctx, newRequest(c.URL, "discourse/conversations?page_size=1", token))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &list); err != nil {
			return nil, fmt.Errorf("read a person's conversations: %w", err)
		}
		if len(list.Results) == 0 {
			return nil, errors.New("a person has no conversation: fill the database with parley seed --scale first")
		}
		ids[i] = list.Results[0].ID
	}
	return ids, nil
}
