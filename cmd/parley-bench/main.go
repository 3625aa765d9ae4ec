// Command parley-bench measures a server of the product beside its database, from
// outside: what only measuring needs is here and not in the product.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"parley.dev/parley/internal/commandline"
)

// Exit codes.
const (
	exitFailed = 1
	exitUsage  = 2
)

// command is one word after the program's name.
type command struct {
	name, meaning string
	run           func(ctx context.Context, p *program, args []string) error
}

func commands() []command {
	return []command{
		{"seed", "fill an organisation with as much as a big customer has", seed},
		{"api", "measure the commonest calls beside pgbench on what seed has made", api},
	}
}

// program is what a command may use of the process. Where the database and the data
// folder are, it is told by the same variables as the product.
type program struct {
	stdout, stderr io.Writer
	environment    []string // NAME=value, of which the last counts; servers inherit it
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := &program{stdout: os.Stdout, stderr: os.Stderr, environment: os.Environ()}
	err := p.main(ctx, os.Args[1:])
	stop()
	os.Exit(p.exit(err))
}

func (p *program) main(ctx context.Context, args []string) error {
	if len(args) > 0 {
		for _, c := range commands() {
			if c.name == args[0] {
				return c.run(ctx, p, args[1:])
			}
		}
	}
	fmt.Fprintln(p.stderr, "usage: parley-bench COMMAND [flags]")
	for _, c := range commands() {
		fmt.Fprintf(p.stderr, "  %-5s %s\n", c.name, c.meaning)
	}
	return commandline.Usage(fmt.Errorf("unknown command %q", strings.Join(args, " ")))
}

// exit says why the program ends, in one line, and gives the process its code.
func (p *program) exit(err error) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(p.stderr, "parley-bench:", err)
	if usage := (commandline.UsageError{}); errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

// say tells the person at the terminal what is being done.
func (p *program) say(format string, args ...any) { fmt.Fprintf(p.stderr, "▸ "+format+"\n", args...) }

// flags makes the flag set of a command; its help goes to stderr.
func (p *program) flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet("parley-bench "+name, flag.ContinueOnError)
	f.SetOutput(p.stderr)
	return f
}

// getenv is a variable of the environment; empty without it.
func (p *program) getenv(name string) string {
	for _, v := range slices.Backward(p.environment) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// setting is a variable of the environment, or its default.
func (p *program) setting(name, standard string) string {
	if value := p.getenv(name); value != "" {
		return value
	}
	return standard
}
