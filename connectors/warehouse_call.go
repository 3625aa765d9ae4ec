package connectors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley.dev/parley/domain"
)

const (
	// callsMax is how many calls of one kind of warehouse run at once by default.
	callsMax = 16
	// retrySoon is the hint for a refused call, in seconds.
	retrySoon = 5
	// statementMax is the maximum size of a statement, in bytes.
	statementMax = 64 << 10
)

// errLate is the cause of a context that ended by the deadline of a call.
var errLate = errors.New("the deadline of the call is over")

// Calls bounds how many calls of a warehouse run at once, and how long each may take. It is
// safe for concurrent use.
type Calls struct{ slots chan struct{} }

// NewCalls makes a bound. 0 means 16 at once.
func NewCalls(atOnce int) *Calls {
	if atOnce <= 0 {
		atOnce = callsMax
	}
	return &Calls{slots: make(chan struct{}, atOnce)}
}

// Acquire reserves a slot until release is called. CodeTooMany if none is free.
func (c *Calls) Acquire() (release func(), err error) {
	select {
	case c.slots <- struct{}{}:
		return func() { <-c.slots }, nil
	default:
		return nil, Busy(domain.CodeTooMany)
	}
}

// Busy is the error for a query while too many are running, with a hint when to try again.
func Busy(code domain.Code) error {
	e := domain.Errorf(code, "Too many queries are running. Try again in a few seconds.")
	e.RetryAfter = retrySoon
	return e
}

// Session is one connection to a warehouse: Open makes it, Work uses it, Close ends it.
type Session struct {
	// Open closes what it has opened if it fails: Close is not called then.
	Open, Work func(context.Context) error
	// Close is called with the context of the call, which may have ended. What it sends to the
	// server needs a context of its own, with a time limit.
	Close func(context.Context)
	// Unopened and Failed turn an error of Open or of Work into one for people.
	Unopened, Failed func(error) error
}

// Run runs a session within the deadline. The error is the session's, translated by
// Unopened or Failed; or CodeInvalid if the work took too long; or the cause of a caller's
// context that has ended.
func (s *Session) Run(ctx context.Context, deadline time.Duration) error {
	limited, cancel := context.WithTimeoutCause(ctx, deadline, errLate)
	defer cancel()
	err := s.Open(limited)
	opened := err == nil
	if opened {
		err = s.Work(limited)
		s.Close(limited)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("query a warehouse: %w", context.Cause(ctx))
	case !opened:
		return s.Unopened(err)
	case errors.Is(context.Cause(limited), errLate):
		return domain.Errorf(domain.CodeInvalid,
			"The query took longer than %s and was ended. Ask for less: filter earlier, group coarser or limit the rows.", deadline)
	}
	return s.Failed(err)
}

// CheckStatement refuses a statement that is too long, with CodeInvalid.
func CheckStatement(sql string) error {
	if len(sql) > statementMax {
		return domain.Errorf(domain.CodeInvalid, "The query is longer than %d kB.", statementMax>>10)
	}
	return nil
}
