// Command parley-bench measures a server of the product and compares it with its database,
// from outside. Code that only measurements need is here and not in the product.
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

// command is a subcommand of the program.
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

// program holds what a command may use of the process. The same environment variables as for
// the product set the database and the data folder.
type program struct {
	stdout, stderr io.Writer
	environment    []string // NAME=value; the last one of a name applies; servers inherit all
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

// exit prints why the program ends, in one line, and returns the exit code.
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

// say prints progress for the person at the terminal.
func (p *program) say(format string, args ...any) { fmt.Fprintf(p.stderr, "▸ "+format+"\n", args...) }

// flags returns the flag set of a command. Its help is written to stderr.
func (p *program) flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet("parley-bench "+name, flag.ContinueOnError)
	f.SetOutput(p.stderr)
	return f
}

// getenv returns an environment variable, or an empty string if it is not set.
func (p *program) getenv(name string) string {
	for _, v := range slices.Backward(p.environment) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// setting returns an environment variable, or its default.
func (p *program) setting(name, standard string) string {
	if value := p.getenv(name); value != "" {
		return value
	}
	return standard
}
