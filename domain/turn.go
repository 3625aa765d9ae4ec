package domain

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// TurnStatus is the status of a turn; every turn ends exactly once.
type TurnStatus string

// The statuses of a turn.
const (
	TurnRunning     TurnStatus = "running"
	TurnComplete    TurnStatus = "complete"
	TurnStopped     TurnStatus = "stopped"
	TurnInterrupted TurnStatus = "interrupted"
	TurnFailed      TurnStatus = "failed"
)

// Turn is one prompt and the work that answers it.
type Turn struct {
	ID             uuid.UUID
	ConversationID uuid.UUID
	Prompt         uuid.UUID // the user's message
	UserID         int64     // the person who is charged and whose rights apply
	AnalystID      int64
	// Attempt is 0 for a turn that was stored with its conversation and waits to be
	// started, then 1, or 2 if its node was lost before the first byte of the answer.
	Attempt int
	// Plan is set when the turn runs a blueprint.
	Plan      *Plan
	Status    TurnStatus
	Reason    string // shown with failed and interrupted
	StartedAt time.Time
	EndedAt   time.Time
}

// StepKind is what a step of a turn did.
type StepKind string

// The kinds of steps.
const (
	StepModel StepKind = "model"
	StepTool  StepKind = "tool"
)

// StepStatus is the status of a step.
type StepStatus string

// The statuses of a step.
const (
	StepRunning  StepStatus = "running"
	StepFinished StepStatus = "finished"
)

// Step is one journaled part of a turn: a model call or a tool call. After a crash, the
// Output of a finished step is used again and the call is not repeated.
type Step struct {
	TurnID  uuid.UUID
	Number  int // from 1, without gaps
	Attempt int
	Kind    StepKind
	Name    string // the tool's name, or the model's
	// Effect is true if the tool changes something; its key (turn, number) allows only one
	// effect.
	Effect     bool
	Status     StepStatus
	Input      json.RawMessage
	Output     json.RawMessage
	StartedAt  time.Time
	FinishedAt time.Time
}

// Usage is one metered model call. (TurnID, Step, Attempt) is unique: a call is counted once.
type Usage struct {
	TurnID         uuid.UUID
	Step           int
	Attempt        int
	ConversationID uuid.UUID
	UserID         int64
	Provider       string
	Model          string
	InputTokens    int64
	OutputTokens   int64
	Credits        float64
}
