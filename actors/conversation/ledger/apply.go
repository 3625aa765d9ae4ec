package ledger

import (
	"fmt"
	"time"
)

// Apply takes one input and returns the outputs, in order. The result is valid until the
// next Apply, or until Reuse is called with it.
func (s *State) Apply(in Input, now time.Time) []Output {
	s.outputs, s.room = s.room[:0], nil
	if s.gone {
		s.refuse(in)
		return s.outputs
	}
	if to := in.input(); to != nil {
		if s.overloaded(in) {
			s.out(Answer{To: to, Err: Busy()})
			return s.outputs
		}
		s.waiting++
	}
	switch in := in.(type) {
	case Recover:
		s.recover(in)
	case Send:
		s.send(in, now)
	case Stop:
		s.stop(in)
	case Rewind:
		s.rewind(in)
	case Change:
		s.change(in)
	case SetGrants:
		s.setGrants(in)
	case Delete:
		s.delete(in)
	case Piece:
		s.takePiece(in, now)
	case Committed:
		s.committed(in)
	case Reclaimed:
		s.reclaimed(in, now)
	case Flush:
		s.flush(in)
	default:
		panic(fmt.Sprintf("ledger: no case for the input %T", in))
	}
	if p, ok := in.(Piece); !ok || !p.More {
		s.submit(now)
	}
	return s.outputs
}

// Reuse returns the outputs of an Apply when all of them have been executed, so that the next
// Apply reuses the slice.
func (s *State) Reuse(outputs []Output) {
	if cap(outputs) <= outputsKept {
		clear(outputs)
		s.room = outputs
	}
}

func (s *State) out(o Output) { s.outputs = append(s.outputs, o) }

// answer sends a waiting request its result.
func (s *State) answer(to Token, value any) {
	if to != nil {
		s.waiting--
		s.out(Answer{To: to, Value: value})
	}
}

// fail answers with an error.
func (s *State) fail(to Token, err error) {
	if to != nil {
		s.waiting--
		s.out(Answer{To: to, Err: err})
	}
}

// refuse answers inputs that arrive after the end of the activation.
func (s *State) refuse(in Input) {
	if p, ok := in.(Piece); ok && p.Piece.Receipt != nil {
		s.out(Settle{Receipt: p.Piece.Receipt, Err: Fenced()})
	}
	s.fail(in.input(), Fenced())
}

// overloaded reports whether too many requests wait already. For stops there is separate
// room, and the actor's single Flush is always accepted.
func (s *State) overloaded(in Input) bool {
	if _, ok := in.(Flush); ok {
		return false
	}
	if _, ok := in.(Stop); ok {
		return s.waiting >= 2*waitingMax
	}
	return s.waiting >= waitingMax
}
