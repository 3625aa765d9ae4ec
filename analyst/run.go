package analyst

import (
	"context"
	"encoding/json"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// run is one turn under way. It is used by one goroutine.
type run struct {
	// given
	cfg      *Config
	job      Job
	sink     Sink
	agent    *domain.Analyst
	provider Provider
	replay   map[int]domain.Step

	// known after prepare
	system string
	tables []Table
	fence  string

	// grows
	turns   []Utterance
	step    int
	spent   Usage
	credits float64
	spoken  int
	results []*tabular
	charted bool
	pending []attachment
	failed  map[string]bool // calls that failed, by name and arguments
	speech  *speech
}

func newRun(cfg *Config, j Job, s Sink, a *domain.Analyst, p Provider) *run {
	r := &run{cfg: cfg, job: j, sink: s, agent: a, provider: p, replay: make(map[int]domain.Step, len(j.Finished)), failed: make(map[string]bool)}
	for _, step := range j.Finished {
		if step.Status == domain.StepFinished {
			r.replay[step.Number] = step
		}
	}
	r.fence = fenceOf(j.Turn.ID)
	r.speech = newSpeech(r)
	return r
}

// prepare builds what the model sees before its first call.
func (r *run) prepare(ctx context.Context) error {
	sources, err := r.readable(ctx)
	if err != nil {
		return err
	}
	r.tables = Tables(sources)
	r.system = r.systemPrompt(sources)
	r.turns, err = r.history(ctx)
	if err != nil {
		return err
	}
	r.turns = append(r.turns, Utterance{Role: UtteranceUser, Text: r.job.Prompt.Text})
	return nil
}

// loop alternates model and tools until the model calls no tool.
func (r *run) loop(ctx context.Context) error {
	for {
		out, err := r.modelStep(ctx)
		if err != nil {
			return err
		}
		r.turns = append(r.turns, Utterance{Role: UtteranceAssistant, Text: out.text(ChannelAnswer), Calls: out.Calls})
		if len(out.Calls) == 0 {
			return r.finish(ctx)
		}
		for _, call := range out.Calls {
			if err := r.toolStep(ctx, call); err != nil {
				return err
			}
		}
	}
}

// next numbers a step and guards the limit. Numbers depend only on what the
// model and the tools gave, so a replay finds each finished step again.
func (r *run) next() error {
	if r.step >= r.cfg.MaxSteps {
		return errSteps(r.cfg.MaxSteps)
	}
	r.step++
	return nil
}

// modelOutput is the journaled result of a model call.
type modelOutput struct {
	Texts []spokenText `json:"texts,omitempty"`
	Calls []ToolCall   `json:"calls,omitempty"`
	Usage Usage        `json:"usage"`

	// growing is the text of the last entry while the call streams: appending to a
	// string would copy all of it for every token. settle moves it over.
	growing []byte
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
	if err := r.next(); err != nil {
		return nil, err
	}
	if done, ok := r.replay[r.step]; ok && done.Kind == domain.StepModel {
		var out modelOutput
		if err := json.Unmarshal(done.Output, &out); err == nil {
			r.speech.remember(&out)
			return &out, r.meter(out.Usage)
		}
		// A damaged entry costs only the call: it is made again.
	}
	step := domain.Step{
		TurnID: r.job.Turn.ID, Number: r.step, Attempt: r.attempt(), Kind: domain.StepModel,
		Name: r.model(), Status: domain.StepRunning, StartedAt: r.cfg.Clock.Now(),
	}
	if err := r.sink.StepStarted(ctx, step); err != nil {
		return nil, wrap(err, "journal a model call")
	}
	out, failure := r.call(ctx)
	if failure != nil && !out.used() {
		return nil, failure
	}
	// A call that broke after it had spoken is metered all the same.
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
	return out, r.meter(out.Usage)
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

func wrap0(err error, what string) error {
	if err == nil {
		return nil
	}
	return wrap(err, what)
}

// meter adds a call to the turn's account and ends the turn over its limits.
func (r *run) meter(u Usage) error {
	r.spent.InputTokens += u.InputTokens
	r.spent.OutputTokens += u.OutputTokens
	r.credits += r.cfg.credits(r.provider.Name(), r.model(), u)
	switch {
	case r.spent.InputTokens+r.spent.OutputTokens > r.cfg.MaxTokens:
		return errTokens()
	case r.cfg.MaxCredits > 0 && r.credits > r.cfg.MaxCredits:
		return errCredits()
	}
	return nil
}

func (r *run) usage(u Usage) domain.Usage {
	return domain.Usage{
		TurnID: r.job.Turn.ID, Step: r.step, Attempt: r.attempt(), ConversationID: r.job.Turn.ConversationID,
		UserID: r.user(), Provider: r.provider.Name(), Model: r.model(),
		InputTokens: u.InputTokens, OutputTokens: u.OutputTokens,
		Credits: r.cfg.credits(r.provider.Name(), r.model(), u),
	}
}

func (r *run) attempt() int { return max(r.job.Turn.Attempt, 1) }

func (r *run) model() string {
	if r.agent.Model == "" {
		return r.provider.Name()
	}
	return r.agent.Model
}

// user is the person whose rights count and who pays.
func (r *run) user() int64 {
	if r.job.Turn.UserID != 0 {
		return r.job.Turn.UserID
	}
	return r.job.Caller.UserID
}

// bare is what a provider implements whose words are to stand alone, without an
// unasked chart or a summary made from them.
type bare interface{ Bare() bool }

// finish adds what the model left out, shows what is still held back and closes
// the last messages.
func (r *run) finish(ctx context.Context) error {
	if b, ok := r.provider.(bare); !ok || !b.Bare() {
		if err := r.chartUnasked(ctx); err != nil {
			return err
		}
		if answer := string(r.speech.said[ChannelAnswer]); answer != "" && len(r.speech.said[ChannelSummary]) == 0 {
			if _, err := r.speech.say(ctx, ChannelSummary, specialist.Digest(answer)); err != nil {
				return err
			}
		}
	}
	return r.speech.end(ctx)
}
