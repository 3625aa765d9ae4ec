package ledger

import (
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

const (
	// attempts is how often a turn is started before it ends as interrupted.
	attempts = 2
	// scheduledAttempts is how often a scheduled run is started before it fails: the first
	// time and two more.
	scheduledAttempts = 3
)

const (
	reasonLost = "The server that wrote this answer went away. The text up to here is kept."
	reasonGone = "The servers that worked on this went away three times. The text up to here is kept."
)

// recover decides what becomes of a turn that an earlier owner left running:
//
//	not begun (attempt 0)        it begins: no owner had it before, so nothing was lost
//	some answer text is stored   closed as interrupted, and the text is kept; a turn that runs
//	                             a plan only if some text does not belong to a finished step
//	finished steps, no text      it continues with the next step, same attempt
//	nothing yet                  it starts again; a turn is started at most twice
//
// In a scheduled run no person waits who could press Retry, so it always continues after its
// last finished step: an incomplete message is closed as it is, and the step that wrote it
// runs again. After two more losses it fails.
func (s *State) recover(in Recover) {
	r := in.Running
	if r == nil {
		return
	}
	t := &turn{rec: r.Turn, prompt: r.Prompt, analyst: in.Analyst, ids: map[uuid.UUID]*text{}}
	t.caller = domain.Caller{UserID: r.Turn.UserID, OrganisationID: s.org}
	if a := r.Prompt.Author; a != nil {
		t.caller.UserUUID, t.caller.FullName = a.UUID, a.FullName
	}
	spoke := r.Spoke
	for i := range r.Open {
		m := &r.Open[i]
		x := &text{id: m.ID, name: m.ID, role: m.Role, committed: len(m.Text), created: m.Seq, opened: true}
		x.said.Append(m.Text)
		t.ids[m.ID] = x
		if len(m.Text) > 0 {
			t.open = append(t.open, x)
			spoke = true
		} else {
			t.spare = append(t.spare, x)
		}
	}
	for i := range r.Steps {
		if r.Steps[i].Status == domain.StepFinished {
			t.finished = append(t.finished, r.Steps[i])
		}
	}
	s.turn = t
	if len(t.open) == 0 && t.rec.Plan != nil && r.Answered == analyst.Spoken(t.finished) {
		spoke = false
	}
	switch {
	case in.Failed:
		s.endTurn(domain.TurnFailed, protocol.ReasonInternal)
	case r.Scheduled && t.rec.Attempt >= scheduledAttempts:
		s.endTurn(domain.TurnFailed, reasonGone)
	case r.Scheduled:
		for _, x := range slices.Clone(t.open) {
			s.closeMessage(s.openBatch(false), x, domain.MessageInterrupted, reasonLost)
		}
		s.nextAttempt()
	case spoke:
		s.endTurn(domain.TurnInterrupted, reasonLost)
	case len(t.finished) > 0:
		s.startTurn()
	case t.rec.Attempt >= attempts:
		s.endTurn(domain.TurnInterrupted, reasonLost)
	default:
		s.nextAttempt()
	}
}

// nextAttempt starts the turn once more, after the new attempt is written.
func (s *State) nextAttempt() {
	s.turn.rec.Attempt++
	rec := s.turn.rec
	b := s.openBatch(false)
	b.write.TurnStart = &rec
	b.done = append(b.done, s.startTurn)
}
