package task

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

const (
	// pause is the first pause after a failure; each further failure doubles it, up to pauseMax.
	pause    = time.Second
	pauseMax = time.Minute
)

type phase uint8

const (
	claiming phase = iota
	ready
	firing    // the call of the store is running
	releasing // giving up the ownership
	gone
)

// State is the task as its owner knows it. Only Apply changes it, and it does no I/O: it
// returns the actions as Outputs.
type State struct {
	idle    time.Duration
	phase   phase
	outputs []Output

	// woken says that a due time may exist that no firing has handled.
	woken bool
	// closing says that the node drains and the task must be released.
	closing bool
	// failures counts the failures in a row; there is no further attempt before until.
	failures int
	until    time.Time
	// used is the time of the last wake or firing.
	used time.Time
}

// Input is what can happen.
//
//sumtype:decl
type Input interface{ input() }

// The inputs.
type (
	// Started is the first one.
	Started struct{}
	// Wake says that the task may be due.
	Wake struct{}
	// Claimed is how a Claim ended.
	Claimed struct{ Err error }
	// Fired is how a Fire ended.
	Fired struct {
		Result *domain.TaskFired // nil with an error
		Err    error
	}
	// CheckIdle asks whether the task is still used.
	CheckIdle struct{}
	// HandOver asks to release the task.
	HandOver struct{}
	// Released is the end of a Release, successful or not.
	Released struct{}
)

func (Started) input()   {}
func (Wake) input()      {}
func (Claimed) input()   {}
func (Fired) input()     {}
func (CheckIdle) input() {}
func (HandOver) input()  {}
func (Released) input()  {}

// Output is something to do.
//
//sumtype:decl
type Output interface{ output() }

// The outputs.
type (
	// Claim becomes the owner; Claimed follows.
	Claim struct{}
	// Fire does what is due; Fired follows.
	Fire struct{}
	// Begin wakes a conversation whose turn waits.
	Begin struct{ Conversation uuid.UUID }
	// Release gives up the ownership; Released follows.
	Release struct{}
	// CheckIdleAfter asks for a CheckIdle after a time.
	CheckIdleAfter struct{ Time time.Duration }
	// Trouble is for the log.
	Trouble struct{ Err error }
	// End stops the actor.
	End struct{}
)

func (Claim) output()          {}
func (Fire) output()           {}
func (Begin) output()          {}
func (Release) output()        {}
func (CheckIdleAfter) output() {}
func (Trouble) output()        {}
func (End) output()            {}

// NewState makes the state of a new activation, which is released after idle.
func NewState(idle time.Duration) *State { return &State{idle: idle} }

// Apply takes one input and returns the outputs, in order.
func (s *State) Apply(in Input, now time.Time) []Output {
	s.outputs = nil
	if s.phase == gone {
		return nil
	}
	switch in := in.(type) {
	case Started:
		s.used = now
		s.out(Claim{})
		s.out(CheckIdleAfter{s.idle})
	case Wake:
		s.woken, s.used = true, now
	case Claimed:
		s.claimed(in)
	case Fired:
		s.fired(in, now)
	case CheckIdle:
		s.look(now)
	case HandOver:
		s.closing = true
	case Released:
		s.end()
	default:
		panic(fmt.Sprintf("task: no case for the input %T", in))
	}
	s.goOn(now)
	return s.outputs
}

// goOn begins the next action, if none is in progress.
func (s *State) goOn(now time.Time) {
	switch {
	case s.phase != ready:
	case s.closing:
		s.phase = releasing
		s.out(Release{})
	case s.woken && !now.Before(s.until):
		s.woken, s.phase = false, firing
		s.out(Fire{})
	}
}

func (s *State) claimed(in Claimed) {
	if s.phase != claiming {
		return
	}
	if in.Err != nil {
		// The next check of what is due wakes another activation.
		s.trouble(in.Err)
		s.end()
		return
	}
	s.phase = ready
}

func (s *State) fired(in Fired, now time.Time) {
	if s.phase != firing {
		return
	}
	s.phase = ready
	switch domain.CodeOf(in.Err) {
	case "":
		s.failures = 0
		s.woken = s.woken || in.Result.Again
		if in.Result.Conversation != uuid.Nil {
			s.out(Begin{in.Result.Conversation})
		}
	case domain.CodeFenced, domain.CodeNotFound:
		s.end()
	case domain.CodeConflict:
		// A person changed it between the read and the write. If it is still due, the next
		// check of what is due wakes it.
	default:
		// The next attempt finds out whether the store has done it.
		s.failures++
		s.until = now.Add(min(pause<<min(s.failures-1, 10), pauseMax))
		s.trouble(in.Err)
	}
}

func (s *State) look(now time.Time) {
	rest := s.idle - now.Sub(s.used)
	if s.phase == ready && rest <= 0 {
		s.closing = true
		return
	}
	if rest <= 0 {
		rest = s.idle
	}
	s.out(CheckIdleAfter{rest})
}

func (s *State) trouble(err error) {
	if domain.CodeOf(err) != domain.CodeNotFound {
		s.out(Trouble{err})
	}
}

func (s *State) end() {
	s.phase = gone
	s.out(End{})
}

func (s *State) out(o Output) { s.outputs = append(s.outputs, o) }
