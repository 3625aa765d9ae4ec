package analyst

// The review of a plan's step by its own model (docs/architecture.md, a turn that runs a plan).

import (
	"context"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
)

// reviewSteps is the minimum number of model and tool calls for the review of a step and its
// correction, even if the step has used up its limit.
const reviewSteps = 4

// workAndReview lets the step's model answer and, if the step has QA instructions, check its
// work against them. Work that does not pass is corrected once and checked again; the second
// verdict is final.
func (r *run) workAndReview(ctx context.Context, step *domain.PlanStep) (StepAnswer, error) {
	answer := StepAnswer{Number: step.Number, Name: step.Name}
	for round := 0; ; round++ {
		from := r.speech.all(ChannelAnswer).Len()
		if err := r.converse(ctx); err != nil {
			return answer, err
		}
		answer.Answer = r.speech.all(ChannelAnswer).From(from)
		r.stepAnswer = r.speech.answerMessage()
		if domain.Blank(step.QAInstructions) || r.bare() {
			return answer, nil
		}
		passed, err := r.review(ctx, step)
		if err != nil {
			return answer, err
		}
		answer.Failed = !passed
		if passed || round == 1 {
			return answer, nil
		}
		r.correcting = true
		r.reserveSteps(reviewSteps)
		r.setHeading(r.stepTitle(step)+" (corrected)", "")
		r.turns = append(r.turns, Utterance{Role: UtteranceUser, Text: "The check did not pass. Correct the step, and answer again in full."})
	}
}

// review runs the review. The model may use the tools in it.
func (r *run) review(ctx context.Context, step *domain.PlanStep) (passed bool, err error) {
	r.stage = StageReview
	r.reserveSteps(reviewSteps)
	defer func() { r.stage = StageWork }()
	r.setHeading("Check of step "+strconv.Itoa(step.Number), "")
	r.turns = append(r.turns, Utterance{Role: UtteranceUser, Text: "Now check what you did in this step against these instructions:\n" +
		r.asGuidance(step.QAInstructions) +
		"\nBegin with \"Passed:\" or \"Not passed:\" and say why in one to three sentences. Make a query where a number is in doubt."})
	from := r.speech.all(ChannelAnswer).Len()
	if err := r.converse(ctx); err != nil {
		return false, err
	}
	return !notPassed(r.speech.all(ChannelAnswer).From(from)), nil
}

// notPassed reads the verdict: the last line that begins with one. Without a verdict the work counts as passed.
func notPassed(text string) bool {
	no := false
	for line := range strings.Lines(strings.ToLower(text)) {
		switch line = strings.TrimLeft(line, "*#>- "); {
		case strings.HasPrefix(line, "not passed"), strings.HasPrefix(line, "failed"):
			no = true
		case strings.HasPrefix(line, "passed"):
			no = false
		}
	}
	return no
}
