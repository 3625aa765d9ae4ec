package ledger

import (
	"parley.dev/parley/domain"
)

// stop ends the running turn as stopped. The answer waits for the commit, so
// that no later event of the turn exists when it arrives; a turn whose own end
// is already queued keeps that end, and the answer says which.
func (s *State) stop(in Stop) {
	t := s.turn
	if t == nil {
		if in.To != nil {
			// A turn that begins meanwhile came after this stop.
			result := domain.StopResult{Stopped: s.stopped != nil, End: s.lastEnd, LastMessage: s.stopped}
			s.whenSure(in.To, func() { s.answer(in.To, result) })
		}
		return
	}
	if in.To != nil {
		t.stops = append(t.stops, in.To)
	}
	if t.ending == "" {
		s.endTurn(domain.TurnStopped, "")
		s.out(CancelTurn{Turn: t.rec.ID})
	}
}
