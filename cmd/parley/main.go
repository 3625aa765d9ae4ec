// Command parley is the product: an AI analytics assistant for organisations on
// an actor-based realtime conversation engine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // schedules and dates must not depend on the machine's zone files

	"parley.dev/parley/internal/commandline"
	"parley.dev/parley/internal/logctx"
)

// Exit codes. exitFenced tells a supervisor to start the node again as a new incarnation.
const (
	exitFailed = 1
	exitUsage  = 2
	exitFenced = 70
)

// command is one word after the program's name.
type command struct {
	name, meaning string
	run           func(ctx context.Context, p *program, args []string) error
}

// The order is that of the help.
func commands() []command {
	return []command{
		{"serve", "start a node (the default)", serve},
		{"migrate", "bring the database's schema up to date, and stop", migrate},
		{"seed", "create the demo people and data where they are missing, and stop", seed},
		{"token", "print a bearer for scripts and load testers: --user <email>", token},
		{"loadtest", "open sockets and streams against a server, check every byte, report", loadTest},
		{"eval", "ask questions with known answers, and count what is right, refused and wrong", evaluate},
		{"status", "print the nodes of the cluster, as the database and as each node sees them", status},
		{"cluster", "ask a node to end its answers and leave, as SIGTERM does: cluster drain <node> [--wait]", clusterCommand},
		{"where", "print which node owns a conversation: where <conversation>", where},
		{"health", "ask the node of this machine whether it is alive, or with --ready whether it takes people: exit code 0 or 1", health},
		{"version", "print which build this is", func(_ context.Context, p *program, _ []string) error { return printVersion(p.stdout) }},
		{"config", "print the environment variables that are read", func(_ context.Context, p *program, _ []string) error {
			return printVariables(p.stdout)
		}},
	}
}

// program is the part of the process that a command may use.
type program struct {
	stdout, stderr io.Writer
	getenv         func(string) string
}

// errFenced ends the process with exitFenced.
var errFenced = errors.New("fenced: another node may own what this one owned")

// The first signal ends the context, and the command then stops in order. Later signals do nothing
// until it has returned.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := &program{stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv}
	err := p.main(ctx, os.Args[1:])
	stop()
	os.Exit(p.exit(err))
}

func (p *program) main(ctx context.Context, args []string) error {
	// A flag without a command belongs to serve.
	name := "serve"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(ctx, p, args)
		}
	}
	// An unknown command is an error, help is not.
	if name != "help" {
		p.usage()
		return commandline.Usage(fmt.Errorf("unknown command %q", name))
	}
	p.usage()
	return nil
}

// usage prints the commands. The flags of one are printed by its own -h.
func (p *program) usage() {
	fmt.Fprintln(p.stderr, "usage: parley COMMAND [flags]")
	for _, c := range commands() {
		fmt.Fprintf(p.stderr, "  %-9s %s\n", c.name, c.meaning)
	}
}

// exit prints in one line why the program ends, and returns the exit code.
func (p *program) exit(err error) int {
	var usage commandline.UsageError
	switch {
	// Asking for help is not an error.
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &usage):
		fmt.Fprintln(p.stderr, "parley:", err)
		return exitUsage
	case errors.Is(err, errFenced):
		fmt.Fprintln(p.stderr, "parley:", err)
		return exitFenced
	}
	fmt.Fprintln(p.stderr, "parley:", err)
	return exitFailed
}

// flags makes the flag set of a command; its help is written to stderr.
func (p *program) flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet("parley "+name, flag.ContinueOnError)
	f.SetOutput(p.stderr)
	return f
}

// logger writes the log to stderr: a line for each entry, as text for people or as JSON, with the ids
// of what it is about (logctx) and those that are always on it.
func (p *program) logger(level, format string, always ...slog.Attr) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo // config.go has checked it already
	}
	options := &slog.HandlerOptions{Level: l}
	var lines slog.Handler = slog.NewTextHandler(p.stderr, options)
	if format == formatJSON {
		lines = slog.NewJSONHandler(p.stderr, options)
	}
	return slog.New(logctx.NewHandler(lines, always...))
}
