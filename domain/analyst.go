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
	Instructions   string  // general ones, for all that the agent does
	// Knowledge guides the questions and queries, ChartReview the charts, Insights
	// the answer, Summary the message that closes a turn.
	Knowledge   AnalystSection
	ChartReview AnalystSection
	Insights    AnalystSection
	Summary     AnalystSummary
	// Connectors are data sources that people are offered with this agent.
	Connectors    []int64
	ProjectLabels []int64
	Picture       string
	Version       int
	UpdatedAt     time.Time
}

// AnalystSection is how one specialist of an agent works. The zero value is at
// work and has nothing of its own to follow.
type AnalystSection struct {
	Disabled            bool
	SpecialInstructions string
	MemoryLabels        []int64 // every memory with one of these labels
	Memories            []int64 // and these
}

// AnalystSummary is how an agent closes a turn. The zero value does.
type AnalystSummary struct {
	Disabled            bool
	Name                string // the heading of the closing message; empty for the usual one
	SpecialInstructions string
}

// AnalystService reads agents. Errors: CodeNotFound.
type AnalystService interface {
	Analyst(ctx context.Context, organisation, id int64) (*Analyst, error)
	DefaultAnalyst(ctx context.Context, organisation int64) (*Analyst, error)
	Analysts(ctx context.Context, caller Caller, onlyEnabled bool, page Page) (List[Analyst], error)
}
