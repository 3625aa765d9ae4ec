package analyst

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// followUps is how many questions are offered after an answer.
const followUps = 3

// Follower makes questions that follow from an answer, without a model.
type Follower interface {
	// FollowUps answers at most limit questions, each of which can be answered from the
	// tables. The questions are those of the conversation, the last one that was answered;
	// found is the result that the answer comes from, nil where it comes from several.
	FollowUps(tables []Table, questions []string, found *domain.ResultSet, limit int) []string
}

// annotate adds the annotation of this stretch's answer: that it is the answer, its table if
// there is no chart, and follow-up questions.
func (r *run) annotate(ctx context.Context) error {
	id := r.speech.spokenAnswer()
	if r.planStep != nil {
		// The last message may be the check of the step.
		id = r.worked
	}
	if id == uuid.Nil || r.bare() {
		// The answer was complete before its node was lost, or there is nothing to add.
		return nil
	}
	r.answered = id
	a := domain.Annotation{Part: domain.PartAnswer}
	if found := r.found(); found != nil {
		if !r.pictured && (len(found.table.Rows) > 1 || len(found.table.Columns) > 1) && len(found.table.Rows) > 0 {
			a.Table = found.object
		}
		if r.planStep == nil && r.cfg.FollowUps != nil {
			a.FollowUps = r.cfg.FollowUps.FollowUps(r.tables, r.questions(), found.table, followUps)
		}
	}
	if r.lastStep() && r.cfg.FollowUps != nil {
		// The next prompt has as its context the message that started the plan and none of the
		// steps: so follow-up questions are made from that message and from no step's result.
		a.FollowUps = r.cfg.FollowUps.FollowUps(r.tables, r.questions(), nil, followUps)
	}
	return wrap0(r.sink.Annotate(ctx, id, a), "annotate the answer")
}

// found is the result that the answer of this stretch comes from, nil for none: the last one that is more than
// an aside.
func (r *run) found() *tabular {
	for _, t := range slices.Backward(r.results[r.first:]) {
		if !t.aside {
			return t
		}
	}
	return nil
}

// lastStep tells the last step of a plan, whose answer is the turn's latest.
func (r *run) lastStep() bool {
	return r.planStep != nil && r.planStep.Number == len(r.job.Turn.Plan.Steps)
}

// questions are those that people asked in this conversation, the last one at the end.
func (r *run) questions() []string {
	var out []string
	for _, u := range r.past {
		if u.Role == UtteranceUser {
			out = append(out, u.Text)
		}
	}
	return out
}

// tellFacts adds the turn's queries, time and credits to the latest answer.
func (r *run) tellFacts(ctx context.Context) error {
	if r.answered == uuid.Nil || r.job.Turn.StartedAt.IsZero() {
		return nil
	}
	facts := domain.TurnFacts{
		Queries: r.queries, Seconds: max(0, r.cfg.Clock.Now().Sub(r.job.Turn.StartedAt).Seconds()), Credits: r.credits,
	}
	return wrap0(r.sink.Annotate(ctx, r.answered, domain.Annotation{Facts: &facts}), "annotate the answer")
}
