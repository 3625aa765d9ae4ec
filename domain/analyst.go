package domain

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// DefaultAnalystName is the agent that every organisation starts with.
const DefaultAnalystName = "prism-1"

// The limits of agents: texts in characters.
const (
	AnalystNameMax         = 80
	AnalystDescriptionMax  = 5000
	AnalystInstructionsMax = 10_000
	// AnalystListMax is the most labels, memories, connectors or projects that one list of an agent has.
	AnalystListMax = 100
)

// AnalystController is the base of an agent for which none was named.
const AnalystController = "analyst"

// Analyst is an agent as people set it up: which model answers, with which
// instructions. Superusers make agents and own what they make. One without an
// owner is everybody's; one with an owner is for the owner, for whom it is
// shared with, and for the organisation's superusers, who change it, too. Only
// its owner shares and deletes it. The default one can neither be deleted nor
// switched off, and its general settings are those that others fall back on.
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
	// Permission is the caller's; none where a superuser only administers.
	Permission   Permission
	Owner        *Person // nil for the one that came with the organisation
	Instructions string  // general ones, for all that the agent does
	// GeneralDisabled has the agent work by the general settings of the default one:
	// controller, provider, model and instructions. Its own stay stored.
	GeneralDisabled bool
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

// Standing is how the caller, whose Permission it has, stands to it.
func (a *Analyst) Standing(c Caller) Standing {
	return Standing{Found: a.OrganisationID == c.OrganisationID, Permission: a.Permission, IsEnabled: a.IsEnabled, IsDefault: a.IsDefault}
}

// WithGeneral is the agent as it works: where its general settings are switched
// off, with those of the organisation's default agent.
func (a *Analyst) WithGeneral(standard *Analyst) *Analyst {
	if !a.GeneralDisabled {
		return a
	}
	as := *a
	as.Controller, as.Provider, as.Model, as.Instructions = standard.Controller, standard.Provider, standard.Model, standard.Instructions
	return &as
}

// AgentModel is a model that agents can be given: what this node is configured with.
type AgentModel struct {
	Provider string
	Model    string
}

// AnalystSectionUpdate changes how a specialist works; nil fields stay.
type AnalystSectionUpdate struct {
	Enabled             *bool
	SpecialInstructions *string
	MemoryLabels        *[]int64
	Memories            *[]int64
}

// Apply makes the change.
func (u *AnalystSectionUpdate) Apply(s *AnalystSection) {
	if u.Enabled != nil {
		s.Disabled = !*u.Enabled
	}
	if u.SpecialInstructions != nil {
		s.SpecialInstructions = *u.SpecialInstructions
	}
	if u.MemoryLabels != nil {
		s.MemoryLabels = uniqueIDs(*u.MemoryLabels)
	}
	if u.Memories != nil {
		s.Memories = uniqueIDs(*u.Memories)
	}
}

// AnalystSummaryUpdate changes how an agent closes a turn; nil fields stay.
type AnalystSummaryUpdate struct {
	Enabled             *bool
	Name                *string
	SpecialInstructions *string
}

// Apply makes the change.
func (u *AnalystSummaryUpdate) Apply(s *AnalystSummary) {
	if u.Enabled != nil {
		s.Disabled = !*u.Enabled
	}
	if u.Name != nil {
		s.Name = strings.TrimSpace(*u.Name)
	}
	if u.SpecialInstructions != nil {
		s.SpecialInstructions = *u.SpecialInstructions
	}
}

// AnalystUpdate is what a person writes of an agent; nil fields stay as they
// are, and are the defaults of a new agent.
type AnalystUpdate struct {
	Name        *string
	Description *string
	Controller  *string
	Provider    *string
	Model       *string
	Picture     *string
	IsEnabled   *bool
	// Instructions are general ones, for all that the agent does.
	Instructions *string
	// General switches the general settings on and off, as Enabled does for a section.
	General     *bool
	Knowledge   AnalystSectionUpdate
	ChartReview AnalystSectionUpdate
	Insights    AnalystSectionUpdate
	Summary     AnalystSummaryUpdate
	// Connectors must be usable by the person who writes them here.
	Connectors    *[]int64
	ProjectLabels *[]int64
	// Available are the models that agents can be given now, the usual one first. An
	// agent may keep one that is no longer among them.
	Available []AgentModel
	// Key is of a new agent, Version of a change: the one that it was made from, 0 for none.
	Key     IdempotencyKey
	Version int
}

// Validate checks the fields that are given.
func (u *AnalystUpdate) Validate() error {
	var c Checks
	c.Require(u.Name == nil || !Blank(*u.Name) && Storable(*u.Name), "name", "Enter agent name")
	c.Within(u.Limits()...)
	err := c.Err()
	var wrong *Error
	if u.Name != nil && Blank(*u.Name) && errors.As(err, &wrong) {
		// The specification's text for the whole form when something needed is missing.
		wrong.Message = "Please complete the required fields."
	}
	return err
}

// Limits are those of the fields that are given.
func (u *AnalystUpdate) Limits() []Limit {
	name := cutAt("name", AnalystNameMax)
	if u.Name != nil {
		name = name.unless(short(strings.TrimSpace(*u.Name), name.Most), "The name can have at most {characters} characters")
	}
	picture := Limit{Field: "picture", Most: PictureMax, Unit: Bytes}.
		unless(u.Picture == nil || ValidPicture(*u.Picture), "The picture must be a PNG, JPEG, GIF or WebP image of at most {bytes}")
	return slices.Concat(
		[]Limit{
			name,
			agentText("description", u.Description, AnalystDescriptionMax),
			agentText("controller", u.Controller, AnalystNameMax),
			agentText("summary.name", u.Summary.Name, AnalystNameMax),
			picture,
			agentText("instructions", u.Instructions, AnalystInstructionsMax),
		},
		u.Knowledge.limits("knowledgeBase."), u.ChartReview.limits("chartReview."), u.Insights.limits("insights."),
		[]Limit{
			agentText("summary.specialInstructions", u.Summary.SpecialInstructions, AnalystInstructionsMax),
			agentList("connectors", u.Connectors),
			agentList("projectLabels", u.ProjectLabels),
		},
	)
}

func (u *AnalystSectionUpdate) limits(at string) []Limit {
	return []Limit{
		agentText(at+"specialInstructions", u.SpecialInstructions, AnalystInstructionsMax),
		agentList(at+"memoryLabels", u.MemoryLabels),
		agentList(at+"memories", u.Memories),
	}
}

func agentText(field string, text *string, most int) Limit {
	return atMost(field, text, most, errTooLong)
}

func agentList(field string, ids *[]int64) Limit {
	return entries(field, count(ids), AnalystListMax, "There are too many entries")
}

// AnalystFilter narrows the list. Zero means all that the caller may see.
type AnalystFilter struct {
	// Scopes must all hold: "favorite", "organization" (without an owner), "owned", "shared", "recent".
	// None of them lets everything through.
	Scopes []string
	// OnlyEnabled leaves out those that are switched off, which superusers and owners see.
	OnlyEnabled bool
	// ProjectLabels narrows to the agents in one of these projects.
	ProjectLabels []int64
	// Search matches name and description.
	Search string
	// Conditions are over AnalystFields.
	Conditions Filters
	Page       Page
}

// AnalystFields are the fields by which the list can be filtered.
func AnalystFields() FilterFields {
	return FilterFields{
		"name": FilterText, "description": FilterText, "agent": FilterText, "modelProvider": FilterText, "model": FilterText,
		"owner":     FilterNumber,
		"isEnabled": FilterBoolean, "isFavorite": FilterBoolean, "projectLabels": FilterIDs, "updatedAt": FilterTime,
	}
}

// AnalystService keeps agents. Writing an agent that the caller sees and may not change is
// CodeForbidden, as with every other object; an agent that the caller does not see is
// CodeNotFound. Only superusers may create agents; for others that call does not exist,
// CodeNotFound.
type AnalystService interface {
	// Analyst is an agent with all its settings, without a check of rights.
	Analyst(ctx context.Context, organisation, id int64) (*Analyst, error)
	DefaultAnalyst(ctx context.Context, organisation int64) (*Analyst, error)
	// UsableAnalyst is an agent that the caller may use now; CodeNotFound for another.
	// It returns an agent that is switched off as well; see IsEnabled.
	UsableAnalyst(ctx context.Context, caller Caller, id int64) (*Analyst, error)
	// Analysts lists what the caller may use, and for superusers all: the default one first, then by name.
	Analysts(ctx context.Context, caller Caller, f AnalystFilter) (List[Analyst], error)
	// AnalystFor is an agent as the caller sees it. CodeNotFound.
	AnalystFor(ctx context.Context, caller Caller, id int64) (*Analyst, error)
	// CreateAnalyst: CodeInvalid for bad fields, and for a name that is taken.
	CreateAnalyst(ctx context.Context, caller Caller, u AnalystUpdate) (*Analyst, error)
	// UpdateAnalyst: CodeInvalid, CodeConflict for a stale version.
	UpdateAnalyst(ctx context.Context, caller Caller, id int64, u AnalystUpdate) (*Analyst, error)
	// DeleteAnalyst and SetAnalystGrants: CodeForbidden for superusers who do not own it, too.
	DeleteAnalyst(ctx context.Context, caller Caller, id int64) error
	SetAnalystGrants(ctx context.Context, caller Caller, id int64, grants []Grant) error
	// AnalystGrants lists who may use it, the owner first; nobody for one that is everybody's.
	AnalystGrants(ctx context.Context, caller Caller, id int64) ([]Grant, error)
	SetAnalystFavorite(ctx context.Context, caller Caller, id int64, on bool) error
}
