package domain

import (
	"context"
	"time"
)

// Specialist is a part of an analyst that has memories of its own.
type Specialist string

// The specialists.
const (
	SpecialistChart    Specialist = "chartReview"
	SpecialistInsights Specialist = "insights"
	SpecialistSummary  Specialist = "endOfTurnSummary"
)

// Memory is an example to be recalled: a question and the response that was
// right for it. Memories belong to an organisation; its superusers keep them.
type Memory struct {
	ID             int64
	OrganisationID int64
	Name           string // at most 30 characters
	Question       string // "index" on the wire
	Response       string // text, or text and code; "value" on the wire
	Labels         []int64
	TypeID         int64
	SourceID       int64
	Owner          *Person
	IsEnabled      bool
	// AlwaysRecalled ones come with every question, whatever it is like.
	AlwaysRecalled bool
	Version        int
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Recall asks for the memories that help with a question.
type Recall struct {
	// Text is the question. Empty recalls nothing by likeness.
	Text string
	// Labels and IDs name memories that an agent or a step brings along.
	Labels []int64
	IDs    []int64
	// Specialist narrows to the memories of one specialist; empty means the analyst itself.
	Specialist Specialist
}

// MaxRecalled is the most memories that one recall gives.
const MaxRecalled = 8

// Recaller finds memories for a turn. Only enabled ones of the organisation
// come: named ones first, then those that are always recalled, then by label
// and by likeness of the question.
type Recaller interface {
	Recall(ctx context.Context, organisation, user int64, r Recall) ([]Memory, error)
}
