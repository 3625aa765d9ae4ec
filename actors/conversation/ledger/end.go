package ledger

// finish closes the activation: waiting requests are answered that they must be tried again, and
// nothing more is sent or written.
func (s *State) finish(deleted bool) {
	running := s.turn != nil
	s.abandon()
	s.out(End{Deleted: deleted, Running: running})
}

// Abandon drops a state that cannot be trusted; a new one is made from a new claim. Waiting
// requests are answered that they must be tried again.
func (s *State) Abandon() []Output {
	s.outputs = nil
	if !s.gone {
		s.abandon()
	}
	return s.outputs
}

// Deleted handles the case that a new claim no longer finds the conversation. If the write in
// flight was the deletion, it was committed.
func (s *State) Deleted() []Output {
	s.outputs, s.reclaiming = nil, false
	if b := s.inflight; b != nil && b.write.Delete {
		s.inflight = nil
		s.reportMissed(b)
		s.reveal(b, nil)
	}
	if !s.gone {
		s.finish(true)
	}
	return s.outputs
}

// Superseded handles the case that another activation owns the conversation.
func (s *State) Superseded() []Output {
	s.outputs, s.reclaiming = nil, false
	if !s.gone {
		s.finish(false)
	}
	return s.outputs
}

func (s *State) abandon() {
	s.gone = true
	s.ring.drop()
	batches := s.queue
	if s.inflight != nil {
		batches = append([]*batch{s.inflight}, batches...)
	}
	s.inflight, s.queue = nil, nil
	for _, b := range batches {
		for _, f := range b.failed {
			f(Fenced())
		}
	}
	if s.turn != nil {
		s.out(CancelTurn{Turn: s.turn.rec.ID})
		for _, to := range s.turn.stops {
			s.fail(to, Fenced())
		}
		s.turn = nil
	}
}
