package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"parley.dev/parley/cmd/parley-bench/apibench"
	"parley.dev/parley/cmd/parley-bench/pgproxy"
	"parley.dev/parley/cmd/parley-bench/scale"
	"parley.dev/parley/internal/commandline"
)

// requestsRole is the application_name that a server sets on connections for requests.
const requestsRole = "parley_app"

// benchPeople returns the numbers of the people as whom requests are sent: from a person with
// very many objects to one with few. Numbers greater than people are left out.
func benchPeople(people int64) []int {
	return slices.DeleteFunc([]int{2, 5, 20, 50, 120, 300, 600, 950}, func(n int) bool { return int64(n) > people })
}

// bench is one run of the command api.
type bench struct {
	*program
	server   string // path of the server program
	database string
	issuer   *issuer
	tokens   []string
}

// api measures the calls that clients make most often. It starts a server of its own on the
// database that seed has filled.
func api(ctx context.Context, p *program, args []string) (err error) {
	f := p.flags("api")
	connections := f.Int("connections", 8, "connections that are kept open")
	seconds := f.Int("seconds", 2, "how long each call is measured in a round")
	rounds := f.Int("rounds", 5, "how often each call is measured, beside pgbench")
	only := f.String("only", "", "measure these calls, with commas between them; empty: "+strings.Join(apibench.Names(), ","))
	jsonFile := f.String("json", "", "write the report as JSON to this file")
	program := f.String("server", "", "the program of the server; default parley beside this one")
	if err := commandline.Parse(f, args); err != nil {
		return err
	}
	if *connections < 1 || *seconds < 1 || *rounds < 1 {
		return commandline.Usage(errors.New("--connections, --seconds and --rounds must be at least 1"))
	}
	var names []string
	if *only != "" {
		names = strings.Split(*only, ",")
	}
	for _, name := range names {
		if !slices.Contains(apibench.Names(), name) {
			return commandline.Usage(fmt.Errorf("--only knows no call %q; there are %s", name, strings.Join(apibench.Names(), ", ")))
		}
	}
	b := &bench{program: p, server: *program}
	if b.server == "" {
		if b.server, err = inProgramFolder("parley"); err != nil {
			return err
		}
	}
	var closeDatabase func(context.Context) error
	if b.database, closeDatabase, err = p.openDatabase(ctx); err != nil {
		return err
	}
	defer func() { err = stopped(ctx, err, closeDatabase) }()
	if err := b.signIn(ctx); err != nil {
		return err
	}
	defer func() { err = stopped(ctx, err, b.issuer.stop) }()
	calls, err := b.record(ctx, names)
	if err != nil {
		return err
	}
	report, err := b.measure(ctx, apibench.Config{
		Calls: calls, Connections: *connections, Duration: time.Duration(*seconds) * time.Second, Rounds: *rounds,
	})
	if err != nil {
		return err
	}
	return errors.Join(report.WriteTable(p.stdout), commandline.WriteReport(*jsonFile, report.WriteJSON))
}

// signIn starts the identity provider and fetches bearer tokens of the people.
func (b *bench) signIn(ctx context.Context) error {
	counts, err := scale.Count(ctx, b.database)
	if err != nil {
		return err
	}
	people := benchPeople(counts.People)
	if len(people) == 0 {
		return errors.New("the database has nobody to ask for: fill it with parley-bench seed first")
	}
	if b.issuer, err = startIssuer(ctx, b.database, people); err != nil {
		return err
	}
	if b.tokens, err = b.issuer.bearers(ctx, people); err != nil {
		return stopped(ctx, err, b.issuer.stop)
	}
	return nil
}

// record runs a server that uses the database through a proxy, and returns each call with
// the statements that the server runs for it.
func (b *bench) record(ctx context.Context, names []string) (_ []*apibench.Call, err error) {
	b.say("recording what the server asks of its database")
	proxy, err := pgproxy.Start(ctx, pgproxy.Config{Database: b.database, Application: requestsRole})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, proxy.Stop()) }()
	s, err := b.start(ctx, proxy.URL())
	if err != nil {
		return nil, err
	}
	defer func() { err = stopped(ctx, err, s.stop) }()
	return apibench.Record(ctx, apibench.Recording{URL: s.url, Tokens: b.tokens, Proxy: proxy, Only: names})
}

// measure runs and measures a server that uses the database directly.
func (b *bench) measure(ctx context.Context, c apibench.Config) (_ *apibench.Report, err error) {
	s, err := b.start(ctx, b.database)
	if err != nil {
		return nil, err
	}
	defer func() { err = stopped(ctx, err, s.stop) }()
	c.URL, c.Server, c.Database, c.Dir, c.Progress = s.url, s.cmd.Process.Pid, b.database, os.TempDir(), b.say
	if c.PGBench = apibench.FindPGBench(); c.PGBench == "" {
		b.say("pgbench is not on this machine: the API is measured alone")
	}
	return apibench.Run(ctx, c)
}

// start starts a server on a database.
func (b *bench) start(ctx context.Context, database string) (*server, error) {
	return b.startServer(ctx, b.server, append(b.issuer.environment(), "DATABASE_URL="+database)...)
}
