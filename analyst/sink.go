package analyst

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"parley.dev/parley/analyst/check"
	"parley.dev/parley/domain"
)

// Sink receives the output of a pipeline. Its methods return when the output is accepted in order, not when it is durable, but
// they block while too much output is not durable yet, so that a fast model waits for the store. After a stop they return
// context.Canceled. They are called from one goroutine at a time.
type Sink interface {
	// Open starts a message; its text follows through Delta.
	Open(ctx context.Context, d Draft) (uuid.UUID, error)
	Delta(ctx context.Context, message uuid.UUID, text string) error
	// Attach adds a display object to a message (open or closed) of this turn.
	Attach(ctx context.Context, o domain.DisplayObject) error
	// Annotate adds to the annotation of a message (open or closed) of this turn.
	Annotate(ctx context.Context, message uuid.UUID, a domain.Annotation) error
	// Close ends a message as complete.
	Close(ctx context.Context, message uuid.UUID) error
	// Progress reports the current activity, for people; it is not stored.
	Progress(ctx context.Context, text string) error
	// StepStarted and StepFinished journal a step; StepFinished returns when it is durable.
	StepStarted(ctx context.Context, s domain.Step) error
	StepFinished(ctx context.Context, s domain.Step, u *domain.Usage) error
	// Alive reports that the model is at work without output yet. It never blocks.
	Alive()
}

// Draft is a message about to be opened.
type Draft struct {
	Role domain.Role
	// Text, if set, is the whole text; the message is opened and closed at once.
	Text    string
	Objects []domain.DisplayObject
	// AnalystID and AnalystName identify the agent that speaks; 0 means the agent of the turn.
	AnalystID   int64
	AnalystName string
	Annotation  domain.Annotation
}

// Job is one turn to be run.
type Job struct {
	Turn   domain.Turn
	Caller domain.Caller
	Prompt domain.Message
	// Finished are journaled steps of an earlier attempt: their outputs are used again.
	Finished []domain.Step
}

// ToolResult is the result of a tool. Text is for a model; the rest is for people and planners.
type ToolResult struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
	// Withheld means that the query ran and its result is not shown, because a total in it is wrong, as Error says.
	Withheld bool `json:"withheld,omitempty"`
	// Check is the report of the checks of the figures; nil if there were none.
	Check  *check.Report     `json:"check,omitempty"`
	Table  *domain.ResultSet `json:"table,omitempty"`
	Chart  json.RawMessage   `json:"chart,omitempty"`
	Object uuid.UUID         `json:"object,omitzero"`
}

// Workbench runs a query over data sources that the caller may read. It is the only access of an
// analyst to data. Errors: *domain.Error with CodeInvalid (the query is wrong; the message is meant for
// the model), CodeTooLarge, CodeUnavailable.
type Workbench interface {
	Query(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error)
}

// ControlledWorkbench is a Workbench that can run a control together with a query: a statement whose single row is compared
// with the figures of the result (analyst/check). It is given, or derived from the plan of the query (guard.Derive). If the
// control fails or takes too long, ResultSet.Control is nil and the result is unchanged.
type ControlledWorkbench interface {
	Workbench
	Controlled(ctx context.Context, sources []domain.DataSource, sql string, control domain.QueryControl) (*domain.ResultSet, error)
}

// History reads the conversation for the model's context.
type History interface {
	Messages(ctx context.Context, conversation uuid.UUID, limit int) ([]domain.Message, error)
}

// Runner runs a turn to its end. The error says why it failed: *ProviderError, *domain.Error, or
// context.Canceled after a stop. nil means that the turn is complete.
type Runner interface {
	Run(ctx context.Context, j *Job, s Sink) error
}
