package conversation

import (
	"github.com/google/uuid"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// attempts is how often a turn is begun before it is given up.
const attempts = 2

const (
	reasonLost   = "The server that wrote this answer went away. The text up to here is kept."
	reasonFailed = "Something went wrong on our side while this answer was written."
)

// recover decides what becomes of a turn that an earlier owner left running:
//
//	not begun (attempt 0)        it begins: nobody has owned it before, so nothing was lost
//	some answer text is stored   closed as interrupted, the text kept; of a turn
//	                             that runs a plan only where the text is not all
//	                             of finished steps, which stand as they are
//	finished steps, no text      it goes on with the next step, same attempt
//	nothing yet                  it starts again, at most twice
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
		x := &text{id: m.ID, role: m.Role, bytes: []byte(m.Text), committed: len(m.Text), created: m.Seq, opened: true}
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
		s.endTurn(domain.TurnFailed, reasonFailed)
	case spoke:
		s.endTurn(domain.TurnInterrupted, reasonLost)
	case len(t.finished) > 0:
		s.start()
	case t.rec.Attempt >= attempts:
		s.endTurn(domain.TurnInterrupted, reasonLost)
	default:
		t.rec.Attempt++
		rec := t.rec
		b := s.pending(false)
		b.write.TurnStart = &rec
		b.done = append(b.done, s.start)
	}
}
