package domain

import (
	"context"
	"slices"
	"strings"
	"time"
)

// The limits of memories, in characters.
const (
	// MemoryNameMax is the length that a name is cut to.
	MemoryNameMax     = 30
	MemoryQuestionMax = 2000
	MemoryResponseMax = 20_000
	// MemoryLabelsMax is the maximum number of labels of one memory.
	MemoryLabelsMax = 50
)

// MemorySourceManual is the source of memories that a person wrote.
const MemorySourceManual = "manual"

// Specialist is a part of an analyst that has its own memories.
type Specialist string

// The specialists.
const (
	SpecialistChart    Specialist = "chartReview"
	SpecialistInsights Specialist = "insights"
	SpecialistSummary  Specialist = "endOfTurnSummary"
)

// Known reports whether the specialist exists.
func (s Specialist) Known() bool {
	return s == SpecialistChart || s == SpecialistInsights || s == SpecialistSummary
}

// Memory is an example to be recalled: a question and the right response to it. Memories
// belong to an organisation: its superusers write them, its members read the enabled ones.
type Memory struct {
	ID             int64
	OrganisationID int64
	Name           string // at most 30 characters
	Question       string // "index" on the wire
	Response       string // text, or text and code; "value" on the wire
	Labels         []int64
	TypeID         int64
	SourceID       int64
	// Source is the name of the source: manual for a memory that a person wrote.
	Source string
	// Specialist is the specialist of the type; empty means the analyst itself.
	Specialist Specialist
	Owner      *Person // nil for a memory that was created with the organisation
	IsEnabled  bool
	// AlwaysRecalled means that the memory is recalled with every question.
	AlwaysRecalled bool
	Version        int
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Relation returns what the rights rules need to know; it is the same for everybody in the
// organisation.
func (m *Memory) Relation(c Caller) Relation {
	return Relation{Found: m.OrganisationID == c.OrganisationID, IsEnabled: m.IsEnabled}
}

// MemoryWord is a type, a label or a source of memories.
type MemoryWord struct {
	ID   int64
	Name string
	// Specialist is set for the types whose memories are one specialist's.
	Specialist Specialist
}

// Recall asks for the memories that help with a question.
type Recall struct {
	// Text is the question. If it is empty, nothing is recalled by similarity.
	Text string
	// Labels and IDs name memories that an agent or a step adds. These are recalled
	// whatever specialist their type is for.
	Labels []int64
	IDs    []int64
	// Specialist limits the recall to the memories of one specialist; empty means the
	// analyst itself.
	Specialist Specialist
}

// MaxRecalled is the maximum number of memories that one recall returns.
const MaxRecalled = 8

// NewMemory is the input for creating a memory. The new memory is enabled, and its source
// is manual.
type NewMemory struct {
	Name           string
	Question       string
	Response       string
	TypeID         int64
	Labels         []int64
	AlwaysRecalled bool
	Key            IdempotencyKey
}

const errAllFields = "All fields are required"

// Validate checks the fields with the specification's text, and cuts the name.
func (n *NewMemory) Validate() error {
	n.Name, n.Labels = memoryName(n.Name), uniqueIDs(n.Labels)
	return checkMemory(n.Name, n.Question, n.Response, n.TypeID, n.Labels)
}

// MemoryLimits returns the limits of the fields of a memory; its name is cut.
func MemoryLimits(question, response string, labels []int64) []Limit {
	text := func(field, given string, limit int) Limit {
		return cutAt(field, limit).unless(!Blank(given), errAllFields).
			unless(Storable(given), errNotStorable).unless(short(given, limit), errTooLong)
	}
	return []Limit{
		cutAt("name", MemoryNameMax),
		text("question", question, MemoryQuestionMax),
		text("response", response, MemoryResponseMax),
		entries("labels", len(labels), MemoryLabelsMax, "Please select fewer labels"),
	}
}

// MemoryUpdate changes a memory; nil fields change nothing.
type MemoryUpdate struct {
	Name           *string
	Question       *string
	Response       *string
	TypeID         *int64
	Labels         *[]int64
	AlwaysRecalled *bool
	IsEnabled      *bool
	// Version is the version that the change is based on; 0 skips the check.
	Version int
}

// Validate checks the fields that change, and cuts the name.
func (u *MemoryUpdate) Validate() error {
	name, question, response, kind := "x", "x", "x", int64(1)
	var labels []int64
	if u.Name != nil {
		name = memoryName(*u.Name)
		u.Name = &name
	}
	if u.Question != nil {
		question = *u.Question
	}
	if u.Response != nil {
		response = *u.Response
	}
	if u.TypeID != nil {
		kind = *u.TypeID
	}
	if u.Labels != nil {
		labels = uniqueIDs(*u.Labels)
		u.Labels = &labels
	}
	return checkMemory(name, question, response, kind, labels)
}

func memoryName(name string) string {
	return strings.TrimSpace(Shorten(strings.TrimSpace(name), MemoryNameMax))
}

func checkMemory(name, question, response string, kind int64, labels []int64) error {
	var c Checks
	c.Require(!Blank(name), "name", errAllFields)
	c.Require(Storable(name), "name", errNotStorable)
	limits := MemoryLimits(question, response, labels)
	c.Within(limits[:3]...)
	c.Require(kind > 0, "type", errAllFields)
	c.Within(limits[3:]...)
	return c.Err()
}

const (
	// errNotStorable is the text for a value that is not Storable.
	errNotStorable = "The text contains characters that cannot be stored."
	// errTooLong is the text for fields whose limit the specification does not name.
	errTooLong = "The text is too long"
)

// uniqueIDs returns each id once, sorted. The result is never nil.
func uniqueIDs(ids []int64) []int64 {
	out := append([]int64{}, ids...)
	slices.Sort(out)
	return slices.Compact(out)
}

// MemoryFilter narrows the list. Zero means all that the caller may see.
type MemoryFilter struct {
	// Specialists narrows to the memories of these; empty means all memories.
	Specialists []Specialist
	// Labels narrows to the memories with one of these labels.
	Labels []int64
	// Search matches name, question and response.
	Search string
	// Filters must all hold; their fields are MemoryFields.
	Filters Filters
	Page    Page
}

// MemoryFields are the fields by which memories can be filtered.
func MemoryFields() FilterFields {
	return FilterFields{
		"name": FilterText, "index": FilterText, "value": FilterText, "type": FilterNumber, "labels": FilterIDs, "owner": FilterNumber,
		"isEnabled": FilterBoolean, "createdAt": FilterTime, "updatedAt": FilterTime,
	}
}

// MemoryService stores memories. Only superusers write them: when others try to, the result
// is CodeForbidden for a memory that they can read, CodeNotFound for one that is switched
// off, and CodeNotFound for creating one, as if that call did not exist.
type MemoryService interface {
	// Memories lists the organisation's memories, latest change first: for superusers all,
	// for others the enabled ones.
	Memories(ctx context.Context, caller Caller, f MemoryFilter) (List[Memory], error)
	// CreateMemory: CodeInvalid for bad fields, and for a type or a label that does not exist.
	CreateMemory(ctx context.Context, caller Caller, n NewMemory) (*Memory, error)
	// UpdateMemory: CodeNotFound, CodeForbidden, CodeInvalid, CodeConflict for a stale version.
	UpdateMemory(ctx context.Context, caller Caller, id int64, u MemoryUpdate) (*Memory, error)
	// DeleteMemory: CodeNotFound, CodeForbidden.
	DeleteMemory(ctx context.Context, caller Caller, id int64) error
	// MemoryTypes, MemoryLabels and MemorySources list the words of the organisation.
	MemoryTypes(ctx context.Context, caller Caller) ([]MemoryWord, error)
	MemoryLabels(ctx context.Context, caller Caller) ([]MemoryWord, error)
	MemorySources(ctx context.Context, caller Caller) ([]MemoryWord, error)
}

// Recaller finds memories for a turn. It returns only enabled memories of the organisation:
// named ones first, then those that are always recalled, then by label and by similarity to
// the question.
type Recaller interface {
	Recall(ctx context.Context, organisation, user int64, r Recall) ([]Memory, error)
}
