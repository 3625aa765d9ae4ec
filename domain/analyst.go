package domain

import (
	"context"
	"time"
)

// DefaultAnalystName is the agent that every organisation starts with.
const DefaultAnalystName = "prism-1"

// Analyst is an agent as people set it up: which model answers, with which instructions.
type Analyst struct {
	ID             int64
	OrganisationID int64
	Name           string
	Description    string
	Controller     string
	Provider       string // builtin, openai, scripted
	Model          string
	IsEnabled      bool
	IsFavorite     bool
	IsDefault      bool
	Owner          *Person // nil for the one that came with the organisation
	Instructions   string
	UpdatedAt      time.Time
}

// AnalystService reads agents. Errors: CodeNotFound.
type AnalystService interface {
	Analyst(ctx context.Context, organisation, id int64) (*Analyst, error)
	DefaultAnalyst(ctx context.Context, organisation int64) (*Analyst, error)
	Analysts(ctx context.Context, caller Caller, onlyEnabled bool, page Page) (List[Analyst], error)
}
