// Package commandline is what the programs of this module share of a command line: how
// flags are read, how a fault of the person who typed them is told apart, and how a report
// is written to a file that they name.
package commandline

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// UsageError is a fault of the command line.
type UsageError struct{ error }

// Usage makes a fault of the command line of an error.
func Usage(err error) error { return UsageError{err} }

// Parse reads flags; arguments behind them are refused. Errors: flag.ErrHelp as it is,
// and otherwise a UsageError.
func Parse(f *flag.FlagSet, args []string) error {
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err //nolint:wrapcheck // ErrHelp is told apart by its value
		}
		return UsageError{err}
	}
	if f.NArg() > 0 {
		return UsageError{fmt.Errorf("%s takes no argument %q", f.Name(), f.Arg(0))}
	}
	return nil
}

// WriteReport writes a report to a file; no name writes nothing.
func WriteReport(name string, write func(io.Writer) error) (err error) {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f)
}
