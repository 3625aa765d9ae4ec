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
	// AnalystListMax is the maximum length of each list of an agent: labels, memories,
	// connectors or projects.
	AnalystListMax = 100
)

// AnalystController is the default controller of an agent.
const AnalystController = "analyst"

// Analyst is an agent as people set it up: which model answers, with which instructions.
// Superusers create agents and own the agents that they create. An agent without an owner
// may be used by everybody. An agent with an owner may be used by the owner, by those whom
// it is shared with, and by the organisation's superusers, who may also change it. Only the
// owner shares and deletes it. The default agent can be neither deleted nor switched off,
// and its general settings are the fallback of other agents.
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
	// Permission is the caller's; empty for a superuser who only administers the agent.
	Permission   Permission
	Owner        *Person // nil for the agent that was created with the organisation
	Instructions string  // general instructions, for all that the agent does
	// GeneralDisabled makes the agent use the general settings of the default agent:
	// controller, provider, model and instructions. Its own settings stay stored.
	GeneralDisabled bool
	// Knowledge guides the questions and queries, ChartReview the charts, Insights
	// the answer, Summary the message that closes a turn.
	Knowledge   AnalystSection
	ChartReview AnalystSection
	Insights    AnalystSection
	Summary     AnalystSummary
	// Connectors are the data sources that are offered to people with this agent.
	Connectors    []int64
	ProjectLabels []int64
	Picture       string
	Version       int
	UpdatedAt     time.Time
}

// AnalystSection holds the settings of one specialist of an agent. The zero value is
// enabled and has no special instructions.
type AnalystSection struct {
	Disabled            bool
	SpecialInstructions string
	MemoryLabels        []int64 // it uses every memory with one of these labels
	Memories            []int64 // and these memories
}

// AnalystSummary holds the settings of the message that closes a turn. The zero value is
// enabled.
type AnalystSummary struct {
	Disabled            bool
	Name                string // the heading of the closing message; empty for the default
	SpecialInstructions string
}

// Relation returns what the rights rules need to know. Permission must be the caller's.
func (a *Analyst) Relation(c Caller) Relation {
	return Relation{Found: a.OrganisationID == c.OrganisationID, Permission: a.Permission, IsEnabled: a.IsEnabled, IsDefault: a.IsDefault}
}

// WithGeneral returns the agent with its effective settings: if its general settings are
// switched off, it has those of the organisation's default agent.
func (a *Analyst) WithGeneral(standard *Analyst) *Analyst {
	if !a.GeneralDisabled {
		return a
	}
	as := *a
	as.Controller, as.Provider, as.Model, as.Instructions = standard.Controller, standard.Provider, standard.Model, standard.Instructions
	return &as
}

// AgentModel is a model that this node is configured with and that agents can use.
type AgentModel struct {
	Provider string
	Model    string
}

// AnalystSectionUpdate changes the settings of a specialist; nil fields change nothing.
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

// AnalystSummaryUpdate changes the settings of the closing message; nil fields change
// nothing.
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

// AnalystUpdate is the input for creating or changing an agent. Nil fields change nothing,
// and have their defaults in a new agent.
type AnalystUpdate struct {
	Name        *string
	Description *string
	Controller  *string
	Provider    *string
	Model       *string
	Picture     *string
	IsEnabled   *bool
	// Instructions are general instructions, for all that the agent does.
	Instructions *string
	// General switches the general settings on and off, as Enabled does for a section.
	General     *bool
	Knowledge   AnalystSectionUpdate
	ChartReview AnalystSectionUpdate
	Insights    AnalystSectionUpdate
	Summary     AnalystSummaryUpdate
	// Connectors must be usable by the person who sets them here.
	Connectors    *[]int64
	ProjectLabels *[]int64
	// Available are the models that agents can use now, the default first. An agent may
	// keep a model that is no longer among them.
	Available []AgentModel
	// Key is for a new agent. Version is for a change: the version that it is based on; 0
	// skips the check.
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
		// The specification's text for the whole form when a required field is missing.
		wrong.Message = "Please complete the required fields."
	}
	return err
}

// Limits returns the limits of the fields.
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

// Limits returns the limits of the fields of a specialist's settings.
func (u *AnalystSectionUpdate) Limits() []Limit { return u.limits("") }

func (u *AnalystSectionUpdate) limits(at string) []Limit {
	return []Limit{
		agentText(at+"specialInstructions", u.SpecialInstructions, AnalystInstructionsMax),
		agentList(at+"memoryLabels", u.MemoryLabels),
		agentList(at+"memories", u.Memories),
	}
}

func agentText(field string, text *string, limit int) Limit {
	return atMost(field, text, limit, errTooLong)
}

func agentList(field string, ids *[]int64) Limit {
	return entries(field, count(ids), AnalystListMax, "There are too many entries")
}

// AnalystFilter narrows the list. Zero means all that the caller may see.
type AnalystFilter struct {
	// Scopes must all hold: "favorite", "organization" (without an owner), "owned", "shared", "recent".
	// An empty list matches all agents.
	Scopes []string
	// OnlyEnabled leaves out the agents that are switched off, which superusers and owners
	// would see.
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

// AnalystService stores agents. Changing an agent that the caller sees but may not change
// is CodeForbidden, as for every other object; an agent that the caller does not see is
// CodeNotFound. Only superusers may create agents; for others that call returns
// CodeNotFound, as if it did not exist.
type AnalystService interface {
	// Analyst returns an agent with all its settings, without a check of rights.
	Analyst(ctx context.Context, organisation, id int64) (*Analyst, error)
	DefaultAnalyst(ctx context.Context, organisation int64) (*Analyst, error)
	// UsableAnalyst returns an agent that the caller may use now; CodeNotFound for any other.
	// It also returns an agent that is switched off; see IsEnabled.
	UsableAnalyst(ctx context.Context, caller Caller, id int64) (*Analyst, error)
	// Analysts lists the agents that the caller may use, and for superusers all agents: the
	// default agent first, then by name.
	Analysts(ctx context.Context, caller Caller, f AnalystFilter) (List[Analyst], error)
	// AnalystFor returns an agent as the caller sees it. CodeNotFound.
	AnalystFor(ctx context.Context, caller Caller, id int64) (*Analyst, error)
	// CreateAnalyst: CodeInvalid for bad fields, and for a name that is taken.
	CreateAnalyst(ctx context.Context, caller Caller, u AnalystUpdate) (*Analyst, error)
	// UpdateAnalyst: CodeInvalid, CodeConflict for a stale version.
	UpdateAnalyst(ctx context.Context, caller Caller, id int64, u AnalystUpdate) (*Analyst, error)
	// DeleteAnalyst and SetAnalystGrants: CodeForbidden also for superusers who do not own it.
	DeleteAnalyst(ctx context.Context, caller Caller, id int64) error
	SetAnalystGrants(ctx context.Context, caller Caller, id int64, grants []Grant) error
	// AnalystGrants lists who may use it, the owner first; it is empty for an agent without
	// an owner, which everybody may use.
	AnalystGrants(ctx context.Context, caller Caller, id int64) ([]Grant, error)
	SetAnalystFavorite(ctx context.Context, caller Caller, id int64, on bool) error
}
