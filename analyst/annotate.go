package analyst

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// followUps is the number of questions that are offered after an answer.
const followUps = 3

// Follower creates questions that follow from an answer, without a model.
type Follower interface {
	// FollowUps returns at most limit questions, each of which can be answered from the tables. questions are the questions of
	// the conversation; the last one was just answered. m is the meaning of the tables, and may be nil. found is the result
	// that the answer is based on; nil if there are several.
	FollowUps(tables []Table, m *meaning.Meaning, questions []string, found *domain.ResultSet, limit int) []string
}

// annotate adds the annotation of this section's answer: that it is the answer, its table if there is
// no chart, and follow-up questions.
func (r *run) annotate(ctx context.Context) error {
	id := r.speech.answerMessage()
	if r.planStep != nil {
		// The last message may be the review of the step.
		id = r.stepAnswer
	}
	if id == uuid.Nil || r.bare() {
		// The answer was complete before its node was lost, or there is nothing to add.
		return nil
	}
	r.lastAnswer = id
	a := domain.Annotation{Part: domain.PartAnswer}
	if found := r.found(); found != nil && !r.asked {
		if !r.hasChart && (len(found.table.Rows) > 1 || len(found.table.Columns) > 1) && len(found.table.Rows) > 0 {
			a.Table = found.object
		}
		if r.planStep == nil && r.cfg.FollowUps != nil {
			a.FollowUps = r.cfg.FollowUps.FollowUps(r.tables, r.meaning, r.questions(), found.table, followUps)
		}
	}
	if b := r.graded(); !r.asked {
		a.Checks = b.Checks
		if !r.gradeGiven {
			// A provider that plans has set the grade of its answer.
			a.Grade, a.Assumptions = b.Grade, r.assumptions()
		}
	}
	if r.lastStep() && !r.asked && r.cfg.FollowUps != nil {
		// The next prompt has as its context the message that started the plan and none of the steps.
		// So follow-up questions are based on that message and not on a step's result.
		a.FollowUps = r.cfg.FollowUps.FollowUps(r.tables, r.meaning, r.questions(), nil, followUps)
	}
	return wrap0(r.sink.Annotate(ctx, id, a), "annotate the answer")
}

// assumptions returns what the results of the answer took of the data although nobody said so, each once.
func (r *run) assumptions() []domain.Assumption {
	var out []domain.Assumption
	for _, t := range r.results[r.firstResult:] {
		a := t.basis.Assumption
		if t.aside || a == nil || len(out) == domain.AssumptionsMax || slices.ContainsFunc(out, func(o domain.Assumption) bool {
			return o.Source == a.Source && o.Table == a.Table && o.Column == a.Column
		}) {
			continue
		}
		out = append(out, *a)
	}
	return out
}

// found returns the result that the answer of this section is based on: the last one that is not an aside; nil if there is
// none.
func (r *run) found() *queryResult {
	for _, t := range slices.Backward(r.results[r.firstResult:]) {
		if !t.aside {
			return t
		}
	}
	return nil
}

// lastStep reports whether this is the last step of a plan, whose answer is the latest answer of the
// turn.
func (r *run) lastStep() bool {
	return r.planStep != nil && r.planStep.Number == len(r.job.Turn.Plan.Steps)
}

// questions returns the questions that people asked in this conversation, oldest first.
func (r *run) questions() []string {
	var out []string
	for _, u := range r.conversation {
		if u.Role == UtteranceUser {
			out = append(out, u.Text)
		}
	}
	return out
}

// addFacts adds the turn's queries, time and credits to the latest answer.
func (r *run) addFacts(ctx context.Context) error {
	if r.lastAnswer == uuid.Nil || r.job.Turn.StartedAt.IsZero() {
		return nil
	}
	facts := domain.TurnFacts{
		Queries: r.queries, Seconds: max(0, r.cfg.Clock.Now().Sub(r.job.Turn.StartedAt).Seconds()), Credits: r.credits,
	}
	return wrap0(r.sink.Annotate(ctx, r.lastAnswer, domain.Annotation{Facts: &facts}), "annotate the answer")
}
