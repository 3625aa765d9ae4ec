package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"time"

	"parley.dev/parley/cmd/parley/apibench"
	"parley.dev/parley/persistence"
)

// benchPeople are those of the big organisation in whose name is asked: from
// one who has very much to one who has little.
func benchPeople() []int { return []int{2, 5, 20, 50, 120, 300, 600, 950} }

// bench runs a node of its own on the database that seed --scale has filled, and
// measures the calls that clients make most.
func bench(ctx context.Context, p *program, args []string) error {
	f := p.flags("bench")
	connections := f.Int("connections", 8, "connections that are kept open")
	seconds := f.Int("seconds", 2, "how long each call is measured in a round")
	rounds := f.Int("rounds", 5, "how often each call is measured, beside pgbench")
	only := f.String("only", "", "measure these calls, with commas between them; empty: "+strings.Join(apibench.Calls(), ","))
	jsonFile := f.String("json", "", "write the report as JSON to this file")
	profile := f.String("cpuprofile", "", "write the CPU profile of server and client to this file")
	if err := parse(f, args); err != nil {
		return err
	}
	if *connections < 1 || *seconds < 1 || *rounds < 1 {
		return usageError{errors.New("--connections, --seconds and --rounds must be at least 1")}
	}
	measured := apibench.Config{Connections: *connections, Duration: time.Duration(*seconds) * time.Second, Rounds: *rounds}
	if *only != "" {
		measured.Only = strings.Split(*only, ",")
	}
	for _, name := range measured.Only {
		if !slices.Contains(apibench.Calls(), name) {
			return usageError{fmt.Errorf("--only knows no call %q; there are %s", name, strings.Join(apibench.Calls(), ", "))}
		}
	}
	c, err := loadConfig(p.getenv)
	if err != nil {
		return usageError{err}
	}
	c.scripted = true // so that the people can sign in
	r := new(recorder)
	n := &node{c: c, log: p.logger(c.logLevel), out: p.stderr, fenced: make(chan string, 1), trace: r.note}
	report, err := n.measure(ctx, r, *profile, measured)
	if err = errors.Join(err, n.close()); err != nil { //nolint:contextcheck // stopping must go on when ctx has ended
		return err
	}
	return errors.Join(report.WriteTable(p.stdout), toFile(*jsonFile, report.WriteJSON))
}

func (n *node) measure(ctx context.Context, r *recorder, profile string, c apibench.Config) (*apibench.Report, error) {
	if err := n.open(ctx); err != nil {
		return nil, err
	}
	c.URL, c.Record, c.Progress = n.c.publicURL, r.record, n.say
	c.Database, c.Dir = n.c.databaseURL, os.TempDir()
	if n.postgres != nil {
		c.Database = n.postgres.URL()
	}
	if c.PGBench = apibench.FindPGBench(); c.PGBench == "" {
		n.say("pgbench is not on this machine: the API is measured alone")
	}
	for _, i := range benchPeople() {
		bearer, err := bearerOf(ctx, c.URL, scalePerson(i-1).email, demoPassword)
		if err != nil {
			return nil, fmt.Errorf("%w (parley seed --scale makes the people)", err)
		}
		c.Tokens = append(c.Tokens, bearer)
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return nil, fmt.Errorf("write the profile: %w", err)
		}
		defer func() {
			pprof.StopCPUProfile()
			if err := f.Close(); err != nil {
				n.log.LogAttrs(ctx, slog.LevelWarn, "the profile was not written", slog.Any("error", err))
			}
		}()
		if err := pprof.StartCPUProfile(f); err != nil {
			return nil, fmt.Errorf("write the profile: %w", err)
		}
	}
	return apibench.Run(ctx, c)
}

// recorder keeps the statements of requests while it is asked to.
type recorder struct {
	// mu guards what follows: any connection of the pool notes.
	mu   sync.Mutex
	on   bool
	list []apibench.Statement
	err  error
}

func (r *recorder) note(sql string, args []any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.on {
		return
	}
	s := apibench.Statement{SQL: sql}
	for _, a := range args {
		text, null, err := persistence.ParameterText(a)
		r.err = errors.Join(r.err, err)
		s.Args = append(s.Args, apibench.Argument{Text: text, Null: null})
	}
	r.list = append(r.list, s)
}

func (r *recorder) record(call func() error) ([]apibench.Statement, error) {
	r.mu.Lock()
	r.on, r.list, r.err = true, nil, nil
	r.mu.Unlock()
	err := call()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.on = false
	return r.list, errors.Join(err, r.err)
}
