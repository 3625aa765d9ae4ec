package ledger

import (
	"slices"
	"time"

	"parley.dev/parley/domain"
)

// reclaimed finds out from a new claim whether the write in flight was committed. A write is
// stored completely or not at all, so the next seq, the turn's attempt, the length of an open
// text or a finished step shows whether it was committed.
func (s *State) reclaimed(in Reclaimed, now time.Time) {
	b := s.inflight
	if b == nil || !s.reclaiming {
		return
	}
	s.reclaiming = false
	s.fence = in.Claim.Fence
	if written(b, in.Claim) {
		s.inflight = nil
		s.reportMissed(b)
		s.reveal(b, nil)
		return
	}
	s.next = b.first
	s.assemble(b, now)
	s.out(s.submission(b))
}

// reportMissed causes the sessions to be notified of a batch whose answer got lost, together
// with the user events in it.
func (s *State) reportMissed(b *batch) {
	if len(b.write.UserEvents)+len(b.write.Grants) == 0 {
		return
	}
	changed := make([]domain.Grantee, len(b.write.Grants))
	for i, g := range b.write.Grants {
		changed[i] = g.Grantee
	}
	s.out(ReportMissed{Changed: changed})
}

// Consistent reports whether a claim fits the state, with the write in flight committed or
// not. If not, a new state must be made.
func (s *State) Consistent(c *domain.Claim) bool {
	b := s.inflight
	if b == nil {
		return false
	}
	return c.NextSeq == b.first || c.NextSeq == b.last+1
}

// written reports whether a batch, whose answer got lost, was committed before the claim.
func written(b *batch, c *domain.Claim) bool {
	if b.last >= b.first {
		return c.NextSeq == b.last+1
	}
	if c.Running == nil {
		return false
	}
	if start := b.write.TurnStart; start != nil {
		return c.Running.Turn.ID == start.ID && c.Running.Turn.Attempt >= start.Attempt
	}
	if len(b.write.Chunks) > 0 {
		chunk := &b.write.Chunks[0]
		i := slices.IndexFunc(c.Running.Open, func(m domain.Message) bool { return m.ID == chunk.Message })
		return i >= 0 && int64(len(c.Running.Open[i].Text)) >= chunk.Offset+int64(chunk.Len())
	}
	if len(b.write.Steps) > 0 {
		want := &b.write.Steps[0]
		i := slices.IndexFunc(c.Running.Steps, func(s domain.Step) bool { return s.Number == want.Number })
		return i >= 0 && c.Running.Steps[i].Status == want.Status && c.Running.Steps[i].Attempt == want.Attempt
	}
	return false
}
