package analyst

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// These are the names of the journal's entries that are not calls of a model or a tool. They mark
// actions that are done only once: announcing the steps, and closing one of them.
const (
	stepPlan  = "plan"
	stepClose = "plan_step"
)

// doneStep is a finished step of the plan, as later steps see it.
type doneStep struct {
	step    *domain.PlanStep
	answer  StepAnswer
	results []*queryResult
}

// runPlan runs a plan: its steps in order, each with its own agent, and one summary. Journal numbers
// count through the whole turn and depend only on the output of models and tools, so an attempt on
// another node reaches the interrupted step in the same way. A step that fails ends the turn: the
// results of earlier steps stay, and later steps are not run, because they may depend on it.
func (r *run) runPlan(ctx context.Context, plan *domain.Plan) error {
	// A copy, whose steps are numbered again in case the stored numbers are wrong.
	whole := *plan
	whole.Steps = slices.Clone(plan.Steps)
	for i := range whole.Steps {
		whole.Steps[i].Number = i + 1
	}
	r.job.Turn.Plan = &whole
	if err := r.announce(ctx, &whole); err != nil {
		return err
	}
	var last *performer
	for i := range whole.Steps {
		who, err := r.planStepOf(ctx, &whole.Steps[i])
		if err != nil {
			return r.failStep(ctx, &whole.Steps[i], err)
		}
		last = who
	}
	if err := r.closePlan(ctx, last); err != nil {
		return err
	}
	return r.addFacts(ctx)
}

// announce shows the names of the steps.
func (r *run) announce(ctx context.Context, plan *domain.Plan) error {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(bold("Blueprint: "+plan.Blueprint)) + "\n\n")
	for _, s := range plan.Steps {
		fmt.Fprintf(&b, "%d. %s\n", s.Number, plainName(s.Name))
	}
	// A replay does not announce the steps again.
	return r.once(ctx, stepPlan, func() error {
		_, err := r.sink.Open(ctx, Draft{Role: domain.RoleCoordinator, Text: strings.TrimSpace(b.String())})
		return wrap0(err, "open a message")
	})
}

// once does something only once in a turn: the journal records that it was done.
func (r *run) once(ctx context.Context, name string, do func() error) error {
	// An entry of the plan has a number like any step, so an attempt on another node counts the
	// same.
	r.step++
	if done, ok := r.replay[r.step]; ok && done.Kind == domain.StepTool && done.Name == name {
		return r.restorePending(done.Output)
	}
	step := domain.Step{
		TurnID: r.job.Turn.ID, Number: r.step, Attempt: r.attempt(), Kind: domain.StepTool, Name: name,
		Status: domain.StepRunning, Input: json.RawMessage("{}"), StartedAt: r.cfg.Clock.Now(),
	}
	if err := r.sink.StepStarted(ctx, step); err != nil {
		return wrap(err, "journal a step")
	}
	// before counts the bytes of leads before this entry.
	before := r.speech.leadBytes
	if err := do(); err != nil {
		return err
	}
	return r.finishStep(ctx, step, onceOutput{Pending: r.pending, Lead: r.speech.leadBytes - before}, nil)
}

// onceOutput contains the charts that the summary must show, and how many bytes of text the step has.
type onceOutput struct {
	Pending []attachment `json:"pending,omitempty"`
	Lead    int          `json:"lead,omitempty"`
}

// restorePending restores the attachments that the entry left for the summary.
func (r *run) restorePending(output json.RawMessage) error {
	var out onceOutput
	if len(output) > 0 {
		if err := json.Unmarshal(output, &out); err != nil {
			return domain.Internal(err, "read a step")
		}
	}
	r.pending = out.Pending
	return nil
}

// planStepOf runs one step.
func (r *run) planStepOf(ctx context.Context, step *domain.PlanStep) (*performer, error) {
	who, note, err := r.stepPerformer(ctx, step)
	if err != nil {
		return nil, err
	}
	r.begin(who, StageWork, step)
	if err := r.sink.Progress(ctx, r.stepTitle(step)); err != nil {
		return nil, wrap(err, "report a step")
	}
	// The heading is shown with the first text of the answer, and not at all if there is none.
	r.setHeading(r.stepTitle(step), note)
	// prepare sets the prompt of the step's agent.
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	r.turns = append(r.turns, r.earlierSteps()...)
	r.turns = append(r.turns, Utterance{Role: UtteranceUser, Text: r.stepPrompt(step)})
	if runnable(step) {
		if err := r.runCode(ctx, step); err != nil {
			return nil, err
		}
	}
	answer, err := r.workAndReview(ctx, step)
	if err != nil {
		return nil, err
	}
	// The closing of the step is journaled, so it happens only once.
	if err := r.once(ctx, stepClose, func() error { return r.finish(ctx) }); err != nil {
		return nil, err
	}
	r.done = append(r.done, answer)
	r.doneSteps = append(r.doneSteps, doneStep{step: step, answer: answer, results: r.results[r.firstResult:]})
	return who, nil
}

// stepPerformer returns the step's agent, or the turn's agent if the step names none or names one that cannot be used any more.
// The note says so in the second case.
func (r *run) stepPerformer(ctx context.Context, step *domain.PlanStep) (who *performer, note string, err error) {
	if step.AnalystID == 0 || step.AnalystID == r.job.Turn.AnalystID {
		who, err = r.performer(ctx, r.job.Turn.AnalystID)
		return who, "", err
	}
	if who, err = r.performer(ctx, step.AnalystID); err == nil {
		return who, "", nil
	}
	// An internal error is not a reason to take another agent.
	if domain.CodeOf(err) == domain.CodeInternal || ctx.Err() != nil {
		return nil, "", err
	}
	own := err
	if who, err = r.performer(ctx, r.job.Turn.AnalystID); err != nil {
		return nil, "", err
	}
	r.cfg.Log.LogAttrs(ctx, slog.LevelWarn, "a step's agent cannot be used, the turn's agent is used instead",
		slog.Int64("analyst", step.AnalystID), slog.Any("error", own))
	return who, "The agent of this step is not available any more; " + plainName(who.agent.Name) + " is used instead.\n\n", nil
}

// stepTitle returns the name of a step for people.
func (r *run) stepTitle(step *domain.PlanStep) string {
	return fmt.Sprintf("Step %d of %d: %s", step.Number, len(r.job.Turn.Plan.Steps), plainName(step.Name))
}

// setHeading sets the beginning of the next answer.
func (r *run) setHeading(heading, note string) {
	if !r.bare() {
		r.speech.lead[ChannelAnswer] = bold(heading) + note
	}
}

// plainName returns a name that people chose, as text without markup.
func plainName(name string) string {
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(bold(name)), "**"), "**"))
}

// runnable reports whether a step's code is run: only SQL is. Code in other languages is shown to the
// model as text and never run, because a node has no safe environment for it.
func runnable(step *domain.PlanStep) bool {
	return strings.EqualFold(strings.TrimSpace(step.Language), "sql") && !domain.Blank(step.Code)
}

// runCode runs a step's SQL unchanged, as if the model had called the tool: with the same
// rights, limits, journal and table for people.
func (r *run) runCode(ctx context.Context, step *domain.PlanStep) error {
	args, err := json.Marshal(RunQueryArgs{SQL: step.Code, Title: plainName(step.Name)})
	if err != nil {
		return domain.Internal(err, "encode a step's code")
	}
	call := ToolCall{ID: fmt.Sprintf("plan_step_%d", step.Number), Name: ToolRunQuery, Args: args}
	r.turns = append(r.turns, Utterance{Role: UtteranceAssistant, Calls: []ToolCall{call}})
	return r.toolStep(ctx, call)
}

// stepPrompt returns a step as its model reads it. Like the person's prompt, it cannot override the rules.
func (r *run) stepPrompt(step *domain.PlanStep) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (of the blueprint %q).\n", r.stepTitle(step), plainName(r.job.Turn.Plan.Blueprint))
	if !domain.Blank(step.DetailedInstructions) {
		b.WriteString("\nDo this:\n" + r.asGuidance(step.DetailedInstructions) + "\n")
	}
	switch {
	case runnable(step):
		b.WriteString("\nThe SQL of this step is run as it stands; its result follows. Answer from it, and query further only where the " +
			"instructions ask for more.\n")
	case !domain.Blank(step.Code):
		fmt.Fprintf(&b, "\nThe step has code (%s). It is not run: read it as a description of what is wanted, and get the numbers with "+
			"run_query.\n%s\n",
			oneLine(codeLanguage(step.Language), 40), r.asData(oneText(step.Code, 4*r.budgets.guide)))
	}
	if !domain.Blank(step.QAInstructions) {
		b.WriteString("\nWhen you are done, the step is checked against:\n" + r.asGuidance(step.QAInstructions) + "\n")
	}
	return b.String()
}

// codeLanguage is the language of a step's code; the default is Python.
func codeLanguage(language string) string {
	if domain.Blank(language) {
		return "python"
	}
	return strings.ToLower(strings.TrimSpace(language))
}

// earlierSteps returns the finished steps within the budget, oldest first. If a step does not fit, only the beginning of its
// answer is returned.
func (r *run) earlierSteps() []Utterance {
	budget := r.budgets.history
	// If the budget is too small for all, the latest steps keep their whole answers.
	out := make([]Utterance, 0, 2*len(r.doneSteps))
	for _, d := range slices.Backward(r.doneSteps) {
		answer := oneText(d.answer.Answer, 4000)
		if d.answer.Failed {
			answer += "\n(The check of this step did not pass.)"
		}
		for _, t := range d.results {
			// A few rows are enough for a later step to refer to them; the result can be opened by
			// its name.
			answer += fmt.Sprintf("\n(Result %s, %s: %s)\n%s", t.ref, oneLine(t.title, 80), dimensions(t.table),
				r.asData(oneText(CSV(t.table, 30), 2*r.budgets.result)))
		}
		if budget -= tokens(answer); budget < 0 {
			answer = specialist.Digest(d.answer.Answer)
		}
		// The list is built in reverse order: an answer, then its question.
		out = append(out, Utterance{Role: UtteranceAssistant, Text: answer}, Utterance{Role: UtteranceUser, Text: r.stepTitle(d.step) + "\n" +
			r.asGuidance(oneText(d.step.DetailedInstructions, 1000))})
	}
	slices.Reverse(out)
	return out
}

// closePlan closes a plan with one summary, by the turn's agent, or else by the agent of the last step.
// If the model returns none, the summary is the first sentences of the answers, so that a failed
// summary does not fail the turn.
func (r *run) closePlan(ctx context.Context, last *performer) error {
	who, err := r.performer(ctx, r.job.Turn.AnalystID)
	if err != nil {
		// The turn's agent may have been deleted or switched off since.
		if ctx.Err() != nil || domain.CodeOf(err) == domain.CodeInternal {
			return err
		}
		who = last
	}
	held := r.hiddenSummary
	r.begin(who, StageSummary, nil)
	switch {
	case who.agent.Summary.Disabled:
		return r.speech.end(ctx)
	// The text of a bare provider already contains its summary.
	case r.bare():
		if held == "" {
			return r.speech.end(ctx)
		}
		if _, _, err := r.speech.say(ctx, ChannelSummary, held); err != nil {
			return err
		}
		return r.speech.end(ctx)
	}
	if err := r.summarise(ctx); err != nil {
		var vendor *ProviderError
		// A summary that is partly shown cannot be replaced.
		if ctx.Err() != nil || errors.As(err, &vendor) && vendor.Midstream {
			return err
		}
		r.cfg.Log.LogAttrs(ctx, slog.LevelWarn, "the summary of a plan could not be made and its answers stand in", slog.Any("error", err))
	}
	if r.speech.all(ChannelSummary).Len() == 0 {
		answers := make([]string, 0, len(r.done))
		for _, d := range r.done {
			answers = append(answers, d.Answer)
		}
		if _, _, err := r.speech.say(ctx, ChannelSummary, specialist.DigestAll(answers)); err != nil {
			return err
		}
	}
	return r.speech.end(ctx)
}

// summarise asks the model for the closing summary.
func (r *run) summarise(ctx context.Context) error {
	if err := r.recall(ctx); err != nil {
		return err
	}
	if err := r.readConversation(ctx); err != nil {
		return err
	}
	r.system = r.systemPrompt(ctx)
	r.turns = append(r.turns, r.earlierSteps()...)
	r.turns = append(r.turns, Utterance{Role: UtteranceUser, Text: "All steps are done. Write the closing summary."})
	_, err := r.modelStep(ctx)
	return err
}

// Spoken returns how many bytes of answers and summaries the finished steps of a turn have. If more is
// stored, the rest belongs to an unfinished step.
func Spoken(steps []domain.Step) int64 {
	n := 0
	for i := range steps {
		if steps[i].Status != domain.StepFinished {
			continue
		}
		// For a tool only Lead is read, which only entries of the pipeline have.
		var out modelOutput
		if err := json.Unmarshal(steps[i].Output, &out); err != nil {
			continue
		}
		n += out.Lead
		for _, t := range out.Texts {
			if steps[i].Kind == domain.StepModel && (t.Channel == ChannelAnswer || t.Channel == ChannelSummary) {
				n += len(t.Text)
			}
		}
	}
	return int64(n)
}

// stepError is the step of a plan in which a turn was stopped or timed out.
type stepError struct {
	where string
	err   error
}

func (e *stepError) Error() string { return e.where + ": " + e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

// failStep returns the error that says which step failed, why, and which others were finished or not run. The conversation
// stores and shows it as the reason of the turn's end.
func (r *run) failStep(ctx context.Context, step *domain.PlanStep, err error) error {
	total := len(r.job.Turn.Plan.Steps)
	where := fmt.Sprintf("Step %d of %d (%s) failed", step.Number, total, plainName(step.Name))
	// The end of the turn reports a stop; only the step is added.
	if ctx.Err() != nil {
		return &stepError{where, err}
	}
	reason := "Something went wrong on our side."
	var vendor *ProviderError
	var known *domain.Error
	switch {
	case errors.As(err, &vendor):
		reason = vendor.Reason
	case errors.As(err, &known) && known.Code != domain.CodeInternal:
		reason = known.Message
	}
	text := where + ": " + reason
	if step.Number > 1 {
		text += " What the steps before it found stands."
	}
	if step.Number < total {
		text += " The steps after it were not run."
	}
	// Text was shown before the error, so the turn ends as interrupted.
	if vendor != nil && vendor.Midstream {
		broken := *vendor
		broken.Reason, broken.Cause = text, err
		return &broken
	}
	code := domain.CodeOf(err)
	if code == domain.CodeInternal || known == nil {
		code = domain.CodeUnavailable
	}
	return domain.Errorf(code, "%s", text).WithCause(cause{err})
}

// cause is only logged: errors.As must not find a vendor's error of one step, because other steps of the turn are finished.
type cause struct{ err error }

func (c cause) Error() string { return c.err.Error() }

// sameStep adds to the error of a turn's limit the step in which it was reached.
func sameStep(err error, limit *domain.Error) error {
	var in *stepError
	if errors.As(err, &in) {
		return domain.Errorf(limit.Code, "%s: %s", in.where, limit.Message).WithCause(err)
	}
	return limit
}
