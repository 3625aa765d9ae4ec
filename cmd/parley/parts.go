package main

import (
	"context"
	"errors"
	"fmt"
)

// parts are the running parts of a node, in the order in which they were started. They are
// stopped backwards, so that each part is stopped before the parts that it needs. This is the
// only order of stops of the program.
type parts []part

type part struct {
	// does says what stop does, for its error.
	does string
	stop func(context.Context) error
}

// started adds a part that has been started, or that has been made and may be stopped before its
// start by the contract of package startstop.
func (p *parts) started(does string, stop func(context.Context) error) {
	*p = append(*p, part{does, stop})
}

// stop stops all parts, also after errors. A second call does nothing.
func (p *parts) stop(ctx context.Context) error {
	var errs []error
	for len(*p) > 0 {
		last := (*p)[len(*p)-1]
		*p = (*p)[:len(*p)-1]
		if err := last.stop(ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", last.does, err))
		}
	}
	return errors.Join(errs...)
}

// quietly is the stop of a part whose stop cannot fail.
func quietly(stop func()) func(context.Context) error {
	return func(context.Context) error { stop(); return nil }
}
