package ledger

import (
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

const (
	// attempts is how many attempts a turn has before it ends as interrupted. An attempt is used
	// up when the node that made it is lost.
	attempts = 2
	// scheduledAttempts is how many attempts a scheduled run has before it fails: the first one
	// and two more.
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
//	nothing yet                  it starts again, with the second attempt at most
//
// Answer text is that of the roles assistant and summary. An open message of another role, such
// as the plan before an answer, is closed, and the turn continues without it.
//
// When a node is lost, two others may become the owner within milliseconds, because they do not
// learn of the loss at the same moment. The second owner finds an attempt that the first one has
// begun. The node of the first owner was not lost, so that attempt is not used up: if it is the
// last one, it starts again.
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
	spoke, answering := r.Spoke, false
	for i := range r.Open {
		m := &r.Open[i]
		x := &text{id: m.ID, name: m.ID, role: m.Role, committed: len(m.Text), created: m.Seq, opened: true}
		x.said.Append(m.Text)
		t.ids[m.ID] = x
		if len(m.Text) > 0 {
			t.open = append(t.open, x)
			answering = answering || answers(m.Role)
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
	if t.rec.Plan != nil && r.Answered == analyst.Spoken(t.finished) {
		spoke = false
	}
	spoke = spoke || answering
	last := attempts
	if r.Scheduled {
		last = scheduledAttempts
	}
	usedUp := t.rec.Attempt >= last && !in.OwnerLives
	switch {
	case in.Failed:
		s.endTurn(domain.TurnFailed, protocol.ReasonInternal)
	case r.Scheduled && usedUp:
		s.endTurn(domain.TurnFailed, reasonGone)
	case r.Scheduled:
		s.startAgain(t.rec.Attempt < last)
	case spoke:
		s.endTurn(domain.TurnInterrupted, reasonLost)
	case len(t.finished) > 0:
		s.startAgain(false)
	case usedUp:
		s.endTurn(domain.TurnInterrupted, reasonLost)
	default:
		s.startAgain(t.rec.Attempt < last)
	}
}

// answers reports whether the text of a role is answer text.
func answers(r domain.Role) bool { return r == domain.RoleAssistant || r == domain.RoleSummary }

// startAgain starts the turn once more, as the next attempt or as the same one. Before that, the
// new attempt and the ends of incomplete messages are written, if there are any.
func (s *State) startAgain(next bool) {
	t := s.turn
	if !next && len(t.open) == 0 {
		s.startTurn()
		return
	}
	b := s.openBatch(false)
	for _, x := range slices.Clone(t.open) {
		status, reason := domain.MessageInterrupted, reasonLost
		if !answers(x.role) {
			// An interrupted message is how readers know that a turn has ended without an answer.
			status, reason = domain.MessageComplete, ""
		}
		s.closeMessage(b, x, status, reason)
	}
	if next {
		t.rec.Attempt++
		rec := t.rec
		b.write.TurnStart = &rec
	}
	b.done = append(b.done, s.startTurn)
}
