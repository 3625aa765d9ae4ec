package main

// The command loadtest: its flags, and the bearers with which it signs in. The measurements are in
// package loadtest (cmd/parley/loadtest). A run that finds an error ends with exit code 1, so that
// it can be used in a test.

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"parley.dev/parley/cmd/parley/loadtest"
	"parley.dev/parley/internal/commandline"
	"parley.dev/parley/internal/devidp"
)

// list is a flag that may be given several times, or with commas.
type list []string

// String and Set implement flag.Value.
func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(s string) error {
	*l = append(*l, strings.Split(s, ",")...)
	return nil
}

// loadTest measures a server as docs/performance.md describes.
func loadTest(ctx context.Context, p *program, args []string) error {
	f := p.flags("loadtest")
	var urls, users, tokens, metrics list
	// Each flag sets a field of the configuration directly, where there is one for it.
	f.Var(&urls, "url", "base URL of a node; repeat it to spread over several (default "+defaultURL(p.getenv)+")")
	f.Var(&users, "user", "e-mail address of a person of the embedded provider; repeat it")
	f.Var(&tokens, "token", "a bearer, instead of --user; repeat it")
	people := f.Int("people", 0, "how many of the load test's own people to use (a server started with PARLEY_SCRIPTED=true has them)")
	bearerFile := f.String("bearers", "", "file that keeps the bearers of --people: checking a password takes 50 ms of the server, "+
		"and a bearer is valid for twelve hours")
	password := f.String("password", demoPassword, "password of --user and --people")
	c := loadtest.Config{Progress: func(format string, a ...any) { fmt.Fprintf(p.stderr, format+"\n", a...) }}
	f.IntVar(&c.Sockets, "sockets", 0, "sockets to open; 0 means one for each watcher")
	f.IntVar(&c.Streams, "streams", 0, "answers to keep streaming; 0 measures idle sockets; in a storm, answers of others, "+
		"to sockets that are not cut")
	f.BoolVar(&c.Subscribe, "subscribe", false, "each idle socket follows a conversation of its person")
	f.Float64Var(&c.Rate, "rate", 20, "tokens a second of each answer")
	f.IntVar(&c.Watchers, "watchers", 1, "sockets that follow each answer")
	f.DurationVar(&c.Ramp, "ramp", 10*time.Second, "time over which sockets, and then streams, are started")
	f.DurationVar(&c.Duration, "duration", 30*time.Second, "time over which the figures are taken")
	f.Uint64Var(&c.Seed, "seed", 1, "orders what starts when")
	f.Var(&metrics, "metrics", "URL of a node's /metrics, for its CPU and memory; repeat it to add up those of several")
	f.IntVar(&c.PostgresPID, "postgres-pid", 0, "process of the postmaster on this machine, for its CPU")
	trial := f.Bool("trial", false, "keep on while servers are harmed: sockets come back by their cursors, calls are repeated, and in the "+
		"end all is compared")
	f.DurationVar(&c.Cut, "cut", 0, "in a trial, break a random socket this often")
	storm := f.Bool("storm", false, "open all sockets, cut them at once and let all come back by their cursors; count gaps and repeats")
	loss := f.Bool("loss", false, "in a storm, cut no socket: wait until somebody kills a node, and measure how its clients come back")
	f.IntVar(&c.Missed, "missed", 0, "in a storm, events that each client misses while it is cut off")
	f.IntVar(&c.AtOnce, "at-once", 0, "sockets that are being opened at the same time; 0 means 64")
	f.StringVar(&c.Agent, "agent", loadAnalyst, "name of the agent that is asked; with --model, the default agent")
	model := f.String("model", "", "play the language model on this address, such as 127.0.0.1:8690, for a node that was started with "+
		"OPENAI_BASE_URL=http://127.0.0.1:8690/v1 and OPENAI_MODEL=load-test")
	jsonFile := f.String("json", "", "write the report as JSON to this file")
	htmlFile := f.String("html", "", "write the report as a page with plots to this file")
	if err := commandline.Parse(f, args); err != nil {
		return err
	}
	if *model != "" {
		// The model is played for as long as the run lasts.
		played, err := loadtest.StartModel(ctx, *model)
		if err != nil {
			return err
		}
		defer func() { _ = played.Stop() }() // what failed is in the report
		if !given(f, "agent") {
			// With a model that is played, the default agent is asked: it is the one that uses the
			// model.
			c.Agent = ""
		}
	}
	c.URLs, c.Metrics = urls, metrics
	if len(urls) == 0 {
		c.URLs = []string{defaultURL(p.getenv)}
	}
	// The bearers are made at the first node; they are valid at all of them.
	signIn := func(users []string) ([]string, error) { return bearersOf(ctx, c.URLs[0], users, *password, c.Progress) }
	own, err := signIn(users)
	if err != nil {
		return err
	}
	loaders, err := keptBearers(*bearerFile, *people, signIn)
	if err != nil {
		return err
	}
	c.Tokens = slices.Concat(tokens, own, loaders)
	if *loss {
		c.Lose = func(context.Context) error {
			c.Progress("all sockets are open: kill a node now")
			return nil
		}
	}
	// Errors of the configuration are those of the command line, and have their exit code.
	if err := c.Validate(); err != nil {
		return commandline.Usage(err)
	}
	if *trial {
		report, err := loadtest.Trial(ctx, c)
		if err != nil {
			return err
		}
		return judged(report.WriteTable(p.stdout), report.Errors)
	}
	if *storm {
		report, err := loadtest.Storm(ctx, c)
		if err != nil {
			return err
		}
		return judged(report.WriteTable(p.stdout), report.Errors)
	}
	report, err := loadtest.Run(ctx, c)
	if err != nil {
		return err
	}
	// Every report is written even if another one fails.
	return judged(errors.Join(report.WriteTable(p.stdout), commandline.WriteReport(*jsonFile, report.WriteJSON),
		commandline.WriteReport(*htmlFile, report.WriteHTML)), report.Errors)
}

// signInsAtOnce is the number of people who are signed in at the same time.
const signInsAtOnce = 8

// bearersOf signs people in and returns their bearers in the same order.
func bearersOf(
	ctx context.Context, base string, users []string, password string, progress func(format string, args ...any),
) ([]string, error) {
	bearers := make([]string, len(users))
	g, ctx := errgroup.WithContext(ctx)
	// Checking a password takes the server 50 ms, so only a few are checked at once.
	g.SetLimit(signInsAtOnce)
	for i, u := range users {
		// This can take minutes, so the progress is told.
		if i%500 == 0 {
			progress("signing in %d of %d", i, len(users))
		}
		g.Go(func() (err error) {
			bearers[i], err = bearerOf(ctx, base, u, password)
			return err
		})
	}
	return bearers, g.Wait() //nolint:wrapcheck // the errors say who could not sign in
}

// bearersKept is the age up to which kept bearers are used. They live for devidp.DefaultLifetime.
const bearersKept = devidp.DefaultLifetime - time.Hour

// keptBearers returns the bearers of the first n of the load test's people, and keeps them in a file, one
// in each line, if there is one.
func keptBearers(file string, n int, signIn func(users []string) ([]string, error)) ([]string, error) {
	var kept []string
	if file != "" {
		b, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the bearers: %w", err)
		}
		// A file that does not exist yet is empty. One with old bearers is made again: they were got over
		// some minutes, and a run must not see them end.
		if at, err := os.Stat(file); err == nil && time.Since(at.ModTime()) < bearersKept {
			kept = strings.Fields(string(b))
		}
	}
	var missing []string
	// People are numbered, so the kept bearers are those of the first ones.
	for i := len(kept); i < n; i++ {
		missing = append(missing, loadPerson(i).email)
	}
	signedIn, err := signIn(missing)
	if err != nil {
		return nil, err
	}
	kept = append(kept, signedIn...)
	// The file is only written if something was added to it.
	if file != "" && len(missing) > 0 {
		//nolint:gosec // the file that the command line names
		if err := os.WriteFile(file, []byte(strings.Join(kept, "\n")+"\n"), 0o600); err != nil {
			return nil, fmt.Errorf("keep the bearers: %w", err)
		}
	}
	return kept[:n], nil
}

// given reports whether a flag was set on the command line.
func given(f *flag.FlagSet, name string) bool {
	set := false
	f.Visit(func(one *flag.Flag) { set = set || one.Name == name })
	return set
}

// judged returns err, or an error if the run has found any errors.
func judged(err error, found int64) error {
	if err == nil && found > 0 {
		return fmt.Errorf("%d errors", found)
	}
	return err
}
