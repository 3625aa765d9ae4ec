package analyst

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// run is one running turn. It is used by one goroutine.
type run struct {
	// given
	cfg  *Config
	sink Sink
	// Other fields that each token uses, here so that they share cache lines.
	stage    Stage
	planStep *domain.PlanStep // nil outside the steps of a plan
	agent    *domain.Analyst  // of this section
	spoken   int
	speech   speech

	// given
	job    Job
	replay map[int]domain.Step
	fence  string

	// of this section: a section is a whole turn without a plan, one step of a plan, or the closing summary
	provider  Provider
	budgets   budgets
	baseStep  int // steps of the turn before this section
	memories  recalled
	system    string
	sources   []domain.DataSource
	tables    []Table
	unread    []string // why attached sources cannot be queried
	turns     []Utterance
	failed    map[string]bool // calls that failed, by name and arguments
	chartMade bool
	// asked means that the person was asked a question, which ends the turn.
	asked bool
	// correcting means that a review of this step did not pass.
	correcting bool
	// withoutTools means that the next model call is given no tools.
	withoutTools bool
	firstResult  int // index in results of the first result of this section

	// of the turn; grows
	conversation []Utterance // the conversation before the turn, and the prompt
	// earlierResults are the results of earlier turns, oldest first.
	earlierResults []*earlierResult
	done           []StepAnswer
	// doneSteps are the same steps, with what later steps see of them; hiddenSummary is the latest summary of a step, which is
	// not shown.
	doneSteps     []doneStep
	hiddenSummary string
	step          int
	spent         Usage
	credits       float64
	hiddenBytes   int
	results       []*queryResult
	// refusedAt is, for each model, the limit of the context after its vendor has refused a
	// longer one.
	refusedAt map[string]int
	pending   []attachment
	// hasChart means that the answer of this section shows a chart; lastAnswer is the latest answer, and queries counts the
	// queries of the turn.
	hasChart   bool
	lastAnswer uuid.UUID
	stepAnswer uuid.UUID // the answer of this section before its review
	queries    int
	// gradeGiven means that the provider has set the grade of this section's answer.
	gradeGiven bool
	// withheld counts the results that were not shown because of a wrong total or a failed check; withheldBefore is its value
	// before this section. knowledge is what is known of the sources.
	withheldBefore, withheld int
	knowledge                *knowledge
	// failures are the checks of the results of this section that were not shown.
	failures []domain.AnswerCheck
	// meaning is what the data of the turn's sources mean, as in the prompt.
	meaning *meaning.Meaning
}

// newRun creates the state of a turn. Finished steps of earlier attempts are read from the job and not repeated.
func newRun(cfg *Config, j *Job, s Sink) *run {
	r := &run{cfg: cfg, job: *j, sink: s, replay: make(map[int]domain.Step, len(j.Finished))}
	for _, step := range j.Finished {
		if step.Status == domain.StepFinished {
			r.replay[step.Number] = step
		}
	}
	r.fence = fenceOf(j.Turn.ConversationID)
	r.refusedAt = make(map[string]int)
	r.speech.prepare(r)
	return r
}

// begin starts a section of the turn with its agent.
func (r *run) begin(p *performer, stage Stage, step *domain.PlanStep) {
	r.agent, r.provider, r.stage, r.planStep = p.agent, p.provider, stage, step
	r.budgets = budgetsOf(r.cfg, r.promptLimit())
	r.baseStep, r.firstResult = r.step, len(r.results)
	r.failed, r.chartMade, r.correcting, r.withoutTools = make(map[string]bool), false, false, false
	r.hasChart, r.stepAnswer = false, uuid.Nil
	r.gradeGiven, r.withheldBefore, r.failures = false, r.withheld, nil
	r.speech.begin()
	if name := strings.TrimSpace(p.agent.Summary.Name); name != "" && step == nil {
		r.speech.lead[ChannelSummary] = bold(name)
	}
}

// bold returns a heading of a message, with the markup in it escaped.
func bold(heading string) string {
	return "**" + strings.NewReplacer("*", "", "`", "'", "[", "(", "]", ")", "<", "", ">", "", "\\", "").Replace(oneLine(heading, 120)) +
		"**\n\n"
}

// draft returns a message of the current agent. A turn without a plan has one agent, which its
// conversation knows.
func (r *run) draft(role domain.Role) Draft {
	if r.job.Turn.Plan == nil {
		return Draft{Role: role}
	}
	d := Draft{Role: role, AnalystID: r.agent.ID, AnalystName: r.agent.Name}
	if r.planStep != nil {
		d.Annotation.PlanStep = r.planStep.Number
	}
	if r.stage == StageReview {
		// A review is not the answer, whatever its verdict.
		d.Annotation.Part = domain.PartWorking
	}
	return d
}

// prepare builds the model's context before its first call.
func (r *run) prepare(ctx context.Context) error {
	sources, err := r.readable(ctx)
	if err != nil {
		return err
	}
	// A step of a plan that needs connectors cannot be answered without any.
	if r.planStep != nil && len(sources) == 0 && len(r.job.Prompt.DataSources) > 0 {
		return errSources()
	}
	if err := r.recall(ctx); err != nil {
		return err
	}
	r.sources, r.tables, r.unread = sources, Tables(sources), Unread(sources)
	if err := r.readConversation(ctx); err != nil {
		return err
	}
	r.meaning = r.readKnowledge(ctx, sources).meaning
	r.system = r.systemPrompt(ctx)
	return nil
}

// readConversation reads the conversation up to the prompt, once a turn.
func (r *run) readConversation(ctx context.Context) error {
	if r.conversation == nil {
		past, err := r.history(ctx)
		if err != nil {
			return err
		}
		r.conversation = append(past, Utterance{Role: UtteranceUser, Text: r.job.Prompt.Text})
	}
	r.turns = slices.Clone(r.conversation)
	return nil
}

// answer runs a plain turn.
func (r *run) answer(ctx context.Context) error {
	if err := r.prepare(ctx); err != nil {
		return err
	}
	err := r.converse(ctx)
	if err == nil {
		if err := r.finish(ctx); err != nil {
			return err
		}
		return r.addFacts(ctx)
	}
	if more := r.attachAfterCut(ctx, err); more != nil {
		return errors.Join(err, more)
	}
	return err
}

// attachAfterCut shows the chart with an answer that is incomplete because of its model's limit. The
// message stays open: the end of the turn closes it with its status.
func (r *run) attachAfterCut(ctx context.Context, err error) error {
	var vendor *ProviderError
	if !errors.As(err, &vendor) || vendor.Reason != reasonCut {
		return nil
	}
	if err := r.chartByDefault(ctx); err != nil {
		return err
	}
	return r.speech.attach(ctx)
}

// converse alternates model and tool calls until the model calls no tool. The last step within the limit is a model call
// without tools, so that the turn ends with an answer.
func (r *run) converse(ctx context.Context) error {
	for {
		last := r.stepsLeft() == 1
		if last {
			r.announceLastCall()
		}
		out, err := r.modelStep(ctx)
		if err != nil {
			return err
		}
		// The last call has no tools. If a model calls one nevertheless, its text counts as the answer if there is any.
		if last && len(out.Calls) > 0 {
			if out.text(ChannelAnswer) == "" {
				return errSteps(r.cfg.MaxSteps)
			}
			out.Calls = nil
		}
		r.turns = append(r.turns, Utterance{Role: UtteranceAssistant, Text: out.text(ChannelAnswer), Calls: out.Calls, Vendor: out.Vendor})
		if len(out.Calls) == 0 {
			return nil
		}
		for _, call := range out.Calls {
			if err := r.toolStep(ctx, call); err != nil {
				return err
			}
		}
		if r.asked {
			return nil
		}
	}
}

// stepsLeft returns how many steps this section may still make.
func (r *run) stepsLeft() int { return r.cfg.MaxSteps - (r.step - r.baseStep) }

// reserveSteps reserves at least n steps for what comes next, or the whole limit if that is less.
func (r *run) reserveSteps(n int) {
	r.baseStep = max(r.baseStep, r.step-r.cfg.MaxSteps+min(n, r.cfg.MaxSteps))
	r.withoutTools = false
}

// These texts are for a model at the limit of its steps.
const (
	lastCallText = "The limit of steps is reached and no tool can be called any more. Answer now from what was found, and say what is missing."
	skippedText  = "Not run: the limit of steps is reached."
)

// announceLastCall tells the model that it must answer now. The text is added to the latest result if
// there is one, because some templates accept no user message after a result.
func (r *run) announceLastCall() {
	r.withoutTools = true
	if n := len(r.turns); n > 0 && r.turns[n-1].Role == UtteranceTool {
		r.turns[n-1].Text += "\n\n" + lastCallText
		return
	}
	r.turns = append(r.turns, Utterance{Role: UtteranceUser, Text: lastCallText})
}

// nextStep numbers a step and checks the limit. Numbers depend only on the output of the model and
// the tools, so a replay finds each finished step again.
func (r *run) nextStep() error {
	if r.stepsLeft() <= 0 {
		return errSteps(r.cfg.MaxSteps)
	}
	r.step++
	return nil
}

// modelOutput is the journaled result of a model call.
type modelOutput struct {
	// While the call streams, the text of the last entry is the range from..to of all, the text of the channel on; copyText
	// copies it. all is nil if no entry grows.
	all  *domain.Growing
	from int
	to   int
	on   Channel

	Texts []spokenText `json:"texts,omitempty"`
	Calls []ToolCall   `json:"calls,omitempty"`
	Usage Usage        `json:"usage"`
	// Lead counts the bytes of the pipeline's own text before the model's.
	Lead int `json:"lead,omitempty"`
	// Held is a summary of a plan's step that was not shown.
	Held string `json:"held,omitempty"`
	// Vendor is End.Vendor of the call.
	Vendor json.RawMessage `json:"vendor,omitempty"`
	// Broken is the reason why the call failed in the middle: its text is not the whole answer.
	Broken string `json:"broken,omitempty"`
}

// spokenText is what was said on one channel.
type spokenText struct {
	Channel Channel `json:"channel,omitempty"`
	Text    string  `json:"text"`
}

// text is everything said on a channel.
func (o *modelOutput) text(c Channel) string {
	var all string
	for _, t := range o.Texts {
		if t.Channel == c {
			all += t.Text
		}
	}
	return all
}

// modelStep makes the next model call, or reads it from the journal.
func (r *run) modelStep(ctx context.Context) (*modelOutput, error) {
	if err := r.nextStep(); err != nil {
		return nil, err
	}
	if done, ok := r.replay[r.step]; ok && done.Kind == domain.StepModel {
		var out modelOutput
		if err := json.Unmarshal(done.Output, &out); err == nil {
			r.speech.restore(&out)
			r.hiddenSummary = cmp.Or(out.Held, r.hiddenSummary)
			if out.Broken != "" {
				return nil, &ProviderError{Midstream: true, Reason: out.Broken}
			}
			return &out, r.addUsage(out.Usage)
		}
		// After a damaged entry the call is made again.
	}
	if err := r.checkCredits(ctx); err != nil {
		return nil, err
	}
	step := domain.Step{
		TurnID: r.job.Turn.ID, Number: r.step, Attempt: r.attempt(), Kind: domain.StepModel,
		Name: r.model(), Status: domain.StepRunning, Input: r.input(), StartedAt: r.cfg.Clock.Now(),
	}
	if err := r.sink.StepStarted(ctx, step); err != nil {
		return nil, wrap(err, "journal a model call")
	}
	out, failure := r.call(ctx)
	if failure != nil && !out.used() {
		return nil, failure
	}
	// The usage of a call that failed after its first text counts too.
	if failure != nil {
		out.Broken = cmp.Or(reasonOf(failure), "The model call broke off.")
	}
	usage := r.usage(out.Usage)
	if err := r.finishStep(ctx, step, out, &usage); err != nil {
		if failure != nil {
			return nil, failure
		}
		return nil, err
	}
	if failure != nil {
		return nil, failure
	}
	r.hiddenSummary = cmp.Or(out.Held, r.hiddenSummary)
	return out, r.addUsage(out.Usage)
}

// checkCredits ends a turn whose organisation has used up its credits, before a call that would cost some.
// The turn's own calls are already committed, so they count.
func (r *run) checkCredits(ctx context.Context) error {
	if r.cfg.Credits == nil || r.cfg.price(r.provider.Name(), r.model()) == (Price{}) {
		return nil
	}
	left, err := r.cfg.Credits.CreditsLeft(ctx, r.job.Caller.OrganisationID)
	if err != nil {
		return wrap(err, "read the organisation's credits")
	}
	if left != nil && *left <= 0 {
		return errOrganisationCredits()
	}
	return nil
}

// reasonOf returns the text for people about a failed call; "" if there is none.
func reasonOf(err error) string {
	var vendor *ProviderError
	if errors.As(err, &vendor) {
		return vendor.Reason
	}
	return ""
}

func (o *modelOutput) used() bool { return o.Usage.InputTokens+o.Usage.OutputTokens > 0 }

// finishStep journals a step's end and returns when it is durable.
func (r *run) finishStep(ctx context.Context, step domain.Step, output any, u *domain.Usage) error {
	body, err := json.Marshal(output)
	if err != nil {
		return domain.Internal(err, "encode a step")
	}
	step.Status, step.Output, step.FinishedAt = domain.StepFinished, body, r.cfg.Clock.Now()
	return wrap0(r.sink.StepFinished(ctx, step, u), "journal a step")
}

// wrap0 is wrap for an error that may be nil.
func wrap0(err error, what string) error {
	if err == nil {
		return nil
	}
	return wrap(err, what)
}

// addUsage adds a call's usage to the turn's and fails if a limit is exceeded.
func (r *run) addUsage(u Usage) error {
	r.spent.InputTokens += u.InputTokens
	r.spent.OutputTokens += u.OutputTokens
	r.credits = domain.SumCredits(r.credits, r.cfg.credits(r.provider.Name(), r.model(), u))
	switch {
	case r.spent.InputTokens+r.spent.OutputTokens > r.cfg.MaxTokens:
		return errTokens()
	case r.cfg.MaxCredits > 0 && r.credits > r.cfg.MaxCredits:
		return errCredits()
	}
	return nil
}

// usage returns the usage row of a call: the turn, the step and the attempt are its key (G20).
func (r *run) usage(u Usage) domain.Usage {
	return domain.Usage{
		TurnID: r.job.Turn.ID, Step: r.step, Attempt: r.attempt(), ConversationID: r.job.Turn.ConversationID,
		UserID: r.user(), Provider: r.provider.Name(), Model: r.model(),
		InputTokens: u.InputTokens, OutputTokens: u.OutputTokens,
		Credits: r.cfg.credits(r.provider.Name(), r.model(), u),
	}
}

// attempt counts from 1.
func (r *run) attempt() int { return max(r.job.Turn.Attempt, 1) }

// model is the name of the model in usage and prices; a provider without models uses its own name.
func (r *run) model() string {
	if r.agent.Model == "" {
		return r.provider.Name()
	}
	return r.agent.Model
}

// user returns the person whose rights apply and who pays.
func (r *run) user() int64 {
	if r.job.Turn.UserID != 0 {
		return r.job.Turn.UserID
	}
	return r.job.Caller.UserID
}

// bare reports whether only the provider's text is shown: without memories, without a chart that was not asked for, and without
// a summary.
func (r *run) bare() bool {
	b, ok := r.provider.(interface{ Bare() bool })
	return ok && b.Bare()
}

// finish adds the chart and summary that the model did not make, shows attachments that were
// held back, and closes the last messages.
func (r *run) finish(ctx context.Context) error {
	// A question to the person has no chart and no summary.
	if !r.bare() && !r.asked {
		if err := r.chartByDefault(ctx); err != nil {
			return err
		}
		answer := r.speech.all(ChannelAnswer).String()
		if answer != "" && r.speech.all(ChannelSummary).Len() == 0 && r.planStep == nil && !r.agent.Summary.Disabled {
			if _, _, err := r.speech.say(ctx, ChannelSummary, specialist.Digest(answer)); err != nil {
				return err
			}
		}
	}
	if err := r.speech.end(ctx); err != nil {
		return err
	}
	return r.annotate(ctx)
}
