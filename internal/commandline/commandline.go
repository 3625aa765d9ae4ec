// Package commandline is the code for command lines that the programs of this module share:
// parsing flags, distinguishing usage errors from other errors, and writing a report to a
// file that a flag names.
package commandline

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// UsageError is an error in the command line.
type UsageError struct{ error }

// Usage converts an error to a UsageError.
func Usage(err error) error { return UsageError{err} }

// Parse parses flags; arguments after them are refused. Errors: flag.ErrHelp unchanged,
// otherwise a UsageError.
func Parse(f *flag.FlagSet, args []string) error {
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err //nolint:wrapcheck // callers compare ErrHelp by its value
		}
		return UsageError{err}
	}
	if f.NArg() > 0 {
		return UsageError{fmt.Errorf("%s takes no argument %q", f.Name(), f.Arg(0))}
	}
	return nil
}

// WriteReport writes a report to a file; without a name it does nothing.
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
