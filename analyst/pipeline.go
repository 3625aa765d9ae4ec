package analyst

// The entry point of the package: one turn, with or without a plan, its time limit, and the errors that end it. Errors of
// domain and of providers have texts for people; all others are hidden (wrap).

import (
	"context"
	"errors"
	"log/slog"

	"parley.dev/parley/domain"
)

// Pipeline runs turns. It is safe for concurrent use and keeps no state between turns: the
// state of a turn is in its Job, in the journal and in the stores.
type Pipeline struct{ cfg Config }

// NewPipeline makes a Pipeline. It panics if a required field of the config is missing.
func NewPipeline(cfg Config) *Pipeline {
	cfg.mustValidate()
	return &Pipeline{cfg: cfg}
}

var _ Runner = (*Pipeline)(nil)

// Errors that end a turn. Their text is shown to people.
func errSteps(n int) error {
	return domain.Errorf(domain.CodeTooMany, "The answer needed more than %d steps and was ended.", n)
}

func errTokens() error {
	return domain.Errorf(domain.CodeTooMany, "The answer used up its token limit and was ended.")
}

func errCredits() error {
	return domain.Errorf(domain.CodeTooMany, "The answer used up its credit limit and was ended.")
}

func errOrganisationCredits() error {
	return domain.Errorf(domain.CodeTooMany, "Your organization has used up its credits for this month, so the model was not asked.")
}

func errText() error {
	return domain.Errorf(domain.CodeTooLarge, "The answer grew too long and was ended.")
}

func errRepeated(tool string) error {
	return domain.Errorf(domain.CodeInvalid, "The analyst repeated a step that had failed (%s), so the answer was ended.", tool)
}

func errSources() error {
	return domain.Errorf(domain.CodeForbidden, "None of the data sources of this conversation may be read any more.")
}

func errTurnTime() error {
	return domain.Errorf(domain.CodeUnavailable, "The answer took too long and was ended.")
}

// Run implements Runner. It runs the same loop for a new turn and for one that began on another node: finished steps of the job
// are read and not repeated.
func (p *Pipeline) Run(ctx context.Context, j *Job, s Sink) error {
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := p.cfg.Clock.AfterFunc(p.cfg.TurnTimeout, func() { cancel(errTurnTime()) })
	defer timer.Stop()

	err := p.run(limited, j, s)
	if err == nil {
		return nil
	}
	// The reason of the turn's own deadline is more precise than the cancellation that it caused; a stop stays a cancellation.
	var limit *domain.Error
	if ctx.Err() == nil && limited.Err() != nil && errors.As(context.Cause(limited), &limit) {
		return sameStep(err, limit)
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return context.Canceled
	}
	return err
}

// run runs a plain turn, or the steps of its plan.
func (p *Pipeline) run(ctx context.Context, j *Job, s Sink) error {
	r := newRun(&p.cfg, j, s)
	if j.Turn.Plan != nil && len(j.Turn.Plan.Steps) > 0 {
		return r.runPlan(ctx, j.Turn.Plan)
	}
	who, err := r.performer(ctx, j.Turn.AnalystID)
	if err != nil {
		return err
	}
	r.begin(who, StageWork, nil)
	return r.answer(ctx)
}

// performer is an agent with its model's provider.
type performer struct {
	agent    *domain.Analyst
	provider Provider
}

// performer finds the agent of a turn or step, the default one for 0.
func (r *run) performer(ctx context.Context, id int64) (*performer, error) {
	org := r.job.Caller.OrganisationID
	var a *domain.Analyst
	var err error
	if id == 0 {
		if a, err = r.cfg.Analysts.DefaultAnalyst(ctx, org); err != nil {
			return nil, wrap(err, "read the default agent")
		}
	} else {
		// The person's right to the agent is read now and not when the prompt was sent.
		if a, err = r.cfg.Analysts.UsableAnalyst(ctx, r.job.Caller, id); err != nil {
			return nil, wrap(err, "read the agent")
		}
		if !a.IsEnabled {
			return nil, domain.Errorf(domain.CodeInvalid, "This agent is switched off. Please choose another one.")
		}
		// Such an agent has the general settings of the default one.
		if a.GeneralDisabled {
			standard, err := r.cfg.Analysts.DefaultAnalyst(ctx, org)
			if err != nil {
				return nil, wrap(err, "read the default agent")
			}
			a = a.WithGeneral(standard)
		}
	}
	provider, ok := r.cfg.Providers[a.Provider]
	if !ok {
		r.cfg.Log.LogAttrs(ctx, slog.LevelError, "analyst has a provider that is not configured",
			slog.String("provider", a.Provider), slog.Int64("analyst", a.ID))
		return nil, domain.Errorf(domain.CodeUnavailable, "The model provider %q of this agent is not set up.", a.Provider)
	}
	return &performer{a, provider}, nil
}

// wrap keeps errors that people may read, and hides other errors behind an internal error that says
// what was attempted.
func wrap(err error, what string) error {
	var known *domain.Error
	var vendor *ProviderError
	if errors.As(err, &known) || errors.As(err, &vendor) || errors.Is(err, context.Canceled) {
		return err
	}
	return domain.Internal(err, what)
}
