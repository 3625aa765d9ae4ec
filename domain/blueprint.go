package domain

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// The limits of blueprints; those of texts are in characters.
const (
	BlueprintNameMax        = 80
	BlueprintDescriptionMax = 5000
	// BlueprintTextMax is the maximum length of an initial message, of the input
	// parameters, and of each section of a step.
	BlueprintTextMax = 20_000
	// BlueprintStepsMax and BlueprintInputsMax are the maximum numbers of steps and input
	// parameters of a blueprint. BlueprintRefsMax is the maximum number of its connectors,
	// projects and categories, and of the memories of one step.
	BlueprintStepsMax  = 50
	BlueprintInputsMax = 20
	BlueprintRefsMax   = 100
	// StepNameMax is the maximum length of the name of a step.
	StepNameMax = 80
)

// Blueprint is a prompt in steps that can be run repeatedly. Its owner edits, shares,
// archives and deletes it. People with read permission start and copy it, and mark it as a
// favourite for themselves. A library blueprint belongs to the organisation: everybody reads
// it, nobody edits it, superusers archive it.
type Blueprint struct {
	ID             int64
	OrganisationID int64
	Name           string
	Description    string
	// Owner is nil for library blueprints.
	Owner      *Person
	Permission Permission // the caller's
	IsLibrary  bool
	IsArchived bool
	// IsFavorite and UsedAt are the caller's own; zero: never used.
	IsFavorite bool
	UsedAt     time.Time
	// DataSources are the ones that the caller may use; MissingDataSources counts the others.
	DataSources        []int64
	MissingDataSources int
	ProjectLabels      []LabelRef
	Categories         []UseCaseCategory
	// InputParameters has one parameter per line: a name, or a name, a colon and a hint.
	InputParameters string
	// InitialMessage may contain {{Name}} for the value of an input.
	InitialMessage string
	// Steps are in order. In lists of blueprints they have no texts.
	Steps     []BlueprintStep
	Version   int // rises with each change, also of a step
	CreatedAt time.Time
	UpdatedAt time.Time
}

// LabelRef is a project as shown on another object.
type LabelRef struct {
	ID    int64
	Name  string
	Color string
}

// LabelIDs returns the ids of labels.
func LabelIDs(labels []LabelRef) []int64 {
	ids := make([]int64, len(labels))
	for i := range labels {
		ids[i] = labels[i].ID
	}
	return ids
}

// UseCaseCategory is a category of an organisation's library.
type UseCaseCategory struct {
	ID   int64
	Name string
}

// BlueprintStep is one step of a blueprint. At least one of its three texts is not empty.
type BlueprintStep struct {
	ID int64
	// BlueprintID is 0 for a step that is not in a blueprint yet.
	BlueprintID          int64
	Name                 string
	Order                int // from 1, without gaps
	DetailedInstructions string
	QAInstructions       string
	Code                 string
	Language             string // of Code; python by default
	Memories             []int64
	AnalystID            int64 // 0: the agent of the turn
	// Version is the version of its blueprint.
	Version int
}

// Relation returns what the rights rules need to know. Permission must be the caller's.
func (b *Blueprint) Relation(c Caller) Relation {
	return Relation{Found: b.OrganisationID == c.OrganisationID, Permission: b.Permission, IsLibrary: b.IsLibrary}
}

// NeedsInputs reports whether it can be started only with values from a person, and so not
// by a schedule.
func (b *Blueprint) NeedsInputs() bool { return len(b.Inputs()) > 0 }

// ReasonIdleBlueprint is the text that says why a blueprint that IsIdle cannot run.
const ReasonIdleBlueprint = "The blueprint has no steps and no initial message."

// IsIdle reports whether the blueprint has nothing yet that could be run.
func (b *Blueprint) IsIdle() bool { return len(b.Steps) == 0 && Blank(b.InitialMessage) }

// BlueprintDraft is the input for creating or changing a blueprint. Nil fields change
// nothing, and are empty in a new blueprint.
type BlueprintDraft struct {
	Name            string
	Description     *string
	InputParameters *string
	InitialMessage  *string
	DataSources     *[]int64
	ProjectLabels   *[]int64
	Categories      *[]int64
	// Steps are changed or added; existing steps that are not named stay.
	Steps *[]StepDraft
	// RemovedSteps are the ids of steps to remove.
	RemovedSteps []int64
	// ShareWithOrganisation is always refused.
	ShareWithOrganisation bool
	// Version is the version that a change is based on; 0 skips the check.
	Version int
	// Key is for a new blueprint.
	Key IdempotencyKey
}

// StepDraft is the input for creating or changing a step. A section whose text is nil is not
// shown; a shown section must not be blank.
type StepDraft struct {
	// ID is the id of an existing step; 0 creates a new one.
	ID int64
	// Untouched leaves the step unchanged: only its id was given.
	Untouched bool
	// BlueprintID is the blueprint of a step that is created by itself; 0: none yet.
	BlueprintID          int64
	Name                 string
	Order                int // 0: by its place in the list, or last
	DetailedInstructions *string
	QAInstructions       *string
	Code                 *string
	Language             string
	Memories             []int64
	AnalystID            int64
	Version              int // of its blueprint; 0 skips the check
	Key                  IdempotencyKey
}

// Draft returns the draft that would create the same blueprint.
func (b *Blueprint) Draft() BlueprintDraft {
	labels, categories, steps := LabelIDs(b.ProjectLabels), make([]int64, len(b.Categories)), make([]StepDraft, len(b.Steps))
	for i := range b.Categories {
		categories[i] = b.Categories[i].ID
	}
	for i := range b.Steps {
		steps[i] = b.Steps[i].Draft()
	}
	return BlueprintDraft{
		Name: b.Name, Description: &b.Description, InputParameters: &b.InputParameters, InitialMessage: &b.InitialMessage,
		DataSources: &b.DataSources, ProjectLabels: &labels, Categories: &categories, Steps: &steps,
	}
}

// Draft returns the draft of the step, with its id.
func (s *BlueprintStep) Draft() StepDraft {
	shown := func(text *string) *string {
		if *text == "" {
			return nil
		}
		return text
	}
	return StepDraft{
		ID: s.ID, Name: s.Name, Order: s.Order, DetailedInstructions: shown(&s.DetailedInstructions), QAInstructions: shown(&s.QAInstructions),
		Code: shown(&s.Code), Language: s.Language, Memories: s.Memories, AnalystID: s.AnalystID,
	}
}

// Limits returns the limits of the fields of a blueprint.
func (d *BlueprintDraft) Limits() []Limit {
	var inputs []Input
	if d.InputParameters != nil {
		inputs = parseInputs(*d.InputParameters)
	}
	return []Limit{
		atMost("name", &d.Name, BlueprintNameMax, "The title has at most {characters} characters."),
		atMost("description", d.Description, BlueprintDescriptionMax, "The description has at most {characters} characters."),
		atMost("initialMessage", d.InitialMessage, BlueprintTextMax, "The initial message has at most {characters} characters."),
		atMost("inputParameters", d.InputParameters, BlueprintTextMax, "The input parameters have at most {characters} characters."),
		entries("inputParameters", len(inputs), BlueprintInputsMax, "There can be at most {entries} input parameters."),
		InputName("inputParameters", inputs...),
		entries("dataSources", count(d.DataSources), BlueprintRefsMax, "There can be at most {entries} connectors."),
		entries("projectLabels", count(d.ProjectLabels), BlueprintRefsMax, "There can be at most {entries} projects."),
		entries("useCaseCategories", count(d.Categories), BlueprintRefsMax, "There can be at most {entries} categories."),
	}
}

// InputName returns the limit of the name of each input parameter.
func InputName(field string, inputs ...Input) Limit {
	l := cutAt(field, BlueprintNameMax)
	for i := range inputs {
		one := atMost(l.Field, &inputs[i].Name, l.Most, "The name of an input parameter has at most {characters} characters.")
		l.faults = append(l.faults, one.faults...)
	}
	return l
}

// StepCount returns the limit of the number of steps of a blueprint.
func StepCount(field string, count int) Limit {
	return entries(field, count, BlueprintStepsMax, "A blueprint has at most {entries} steps.")
}

// StepMemories returns the limit of the number of memories of a step.
func StepMemories(field string, count int) Limit {
	return entries(field, count, BlueprintRefsMax, "There can be at most {entries} memories.")
}

// Validate checks all rules that do not need the store.
func (d *BlueprintDraft) Validate() error {
	var c Checks
	c.Require(!Blank(d.Name), "name", "Please enter the title.")
	c.Within(d.Limits()...)
	c.Require(!d.ShareWithOrganisation, "shareWithOrganization", "Sharing with an organization is not available")
	c.Within(StepCount("removedSteps", len(d.RemovedSteps)))
	if d.Steps != nil {
		d.validateSteps(&c)
	}
	return c.Err()
}

// Override replaces name, description and projects, which were generated from a conversation,
// by the given ones. The rest stays as generated.
func (d *BlueprintDraft) Override(given *BlueprintDraft) {
	if !Blank(given.Name) {
		d.Name = given.Name
	}
	if given.Description != nil {
		d.Description = given.Description
	}
	if given.ProjectLabels != nil {
		d.ProjectLabels = given.ProjectLabels
	}
}

func (d *BlueprintDraft) validateSteps(c *Checks) {
	steps := *d.Steps
	c.Within(StepCount("steps", len(steps)))
	seen := make(map[int64]bool, len(steps))
	for i := range steps {
		s, at := &steps[i], "steps["+strconv.Itoa(i)+"]."
		c.Require(s.ID == 0 || !seen[s.ID], at+"id", "The same step is given twice.")
		seen[s.ID] = true
		if !s.Untouched {
			s.validate(c, at)
		}
	}
}

// Limits returns the limits of the fields of a step.
func (d *StepDraft) Limits() []Limit { return d.limits("") }

func (d *StepDraft) limits(at string) []Limit {
	return []Limit{
		atMost(at+"name", &d.Name, StepNameMax, "The name of a step has at most {characters} characters."),
		section(at+"detailedInstructions", d.DetailedInstructions, "Please enter step detailed instructions",
			"Detailed instructions cannot be empty", "Detailed instructions have at most {characters} characters."),
		section(at+"qaInstructions", d.QAInstructions, "Please enter step QA Instructions",
			"QA Instructions cannot be empty", "QA Instructions have at most {characters} characters."),
		section(at+"code", d.Code, "Please enter code", "Code cannot be empty", "Code has at most {characters} characters."),
	}
}

// Validate checks a step by itself.
func (d *StepDraft) Validate() error {
	var c Checks
	d.validate(&c, "")
	return c.Err()
}

// validate adds the broken rules to c, with the prefix at before the names of fields.
func (d *StepDraft) validate(c *Checks, at string) {
	c.Require(!Blank(d.Name), at+"name", "Please enter step name.")
	c.Within(d.limits(at)...)
	c.Require(d.DetailedInstructions != nil || d.QAInstructions != nil || d.Code != nil, at+"detailedInstructions",
		"At least one of Detailed Instructions, QA Instructions, or Code must be provided.")
	c.Require(len(d.Language) <= 40 && Storable(d.Language), at+"language", "The language is not valid.")
	c.Within(StepMemories(at+"memories", len(d.Memories)))
	c.Require(d.Order >= 0, at+"order", "The order is not valid.")
}

// BlueprintService stores blueprints. CodeNotFound for a blueprint that the caller may not
// see, CodeForbidden for one that they may see but not change, CodeInvalid for broken rules,
// CodeConflict for a change that is based on an older version.
type BlueprintService interface {
	Blueprint(ctx context.Context, caller Caller, id int64) (*Blueprint, error)
	Blueprints(ctx context.Context, caller Caller, f BlueprintFilter) (List[Blueprint], error)
	// CreateBlueprint refuses data sources, agents, projects, categories and
	// memories that the caller may not use: CodeInvalid.
	CreateBlueprint(ctx context.Context, caller Caller, d BlueprintDraft) (*Blueprint, error)
	UpdateBlueprint(ctx context.Context, caller Caller, id int64, d BlueprintDraft) (*Blueprint, error)
	DeleteBlueprint(ctx context.Context, caller Caller, id int64) error
	// ArchiveBlueprint moves it to the archive or back, for everybody.
	ArchiveBlueprint(ctx context.Context, caller Caller, id int64, archived bool) error
	SetBlueprintFavorite(ctx context.Context, caller Caller, id int64, on bool) error
	// CopyBlueprint creates a copy that the caller owns, without grants and without the
	// parts that the caller may not use. An empty name means "Copy of" and the original's
	// name.
	CopyBlueprint(ctx context.Context, caller Caller, id int64, name string, key IdempotencyKey) (*Blueprint, error)
	// BlueprintFromConversation creates a blueprint with a step for each prompt of a
	// conversation that the caller may read. CodeInvalid if it has no prompts.
	BlueprintFromConversation(ctx context.Context, caller Caller, conversation uuid.UUID, given BlueprintDraft) (*Blueprint, error)
	// StartBlueprint creates a conversation whose first turn runs the steps. The turn waits
	// to be started: the caller must wake the engine. CodeInvalid for a missing input.
	StartBlueprint(ctx context.Context, caller Caller, id int64, s BlueprintStart) (*BlueprintStarted, error)
	// UseBlueprint records that the caller uses it now, for the list of recent blueprints.
	UseBlueprint(ctx context.Context, caller Caller, id int64) error

	BlueprintGrants(ctx context.Context, caller Caller, id int64) ([]Grant, error)
	SetBlueprintGrants(ctx context.Context, caller Caller, id int64, grants []Grant) error
	UseCaseCategories(ctx context.Context, caller Caller) ([]UseCaseCategory, error)

	// CreateStep adds a step to a blueprint of the caller, or creates one without a
	// blueprint, which is kept for a day so that it can be added to one.
	CreateStep(ctx context.Context, caller Caller, d StepDraft) (*BlueprintStep, error)
	UpdateStep(ctx context.Context, caller Caller, id int64, d StepDraft) (*BlueprintStep, error)
	// Steps returns the steps with these ids, by id. CodeInvalid for the field steps if one
	// of them does not exist or the caller may not see it.
	Steps(ctx context.Context, caller Caller, ids []int64) (map[int64]BlueprintStep, error)
	// DeleteStep closes the gap in the order. CodeInvalid for the last step of a blueprint.
	DeleteStep(ctx context.Context, caller Caller, id int64) error
}

// BlueprintFilter narrows the list. Zero means all that the caller may see and is not archived.
type BlueprintFilter struct {
	// Scope is "", "favorite", "organization" (the library), "owned", "shared" or
	// "recent" (used by the caller, the latest first).
	Scope string
	// Library is "", "library" or "exclude"; Inputs is "", "with" or "without".
	Library  string
	Inputs   string
	Archived bool
	Category int64 // 0: any
	// Search matches name and description, ignoring case; empty matches all.
	Search string
	// Sort is a column of {updated_at, created_at, name}, descending when it starts with "-".
	Sort string
	// Filters are conditions on BlueprintFields. Labels are projects; if there are any, the
	// blueprint must be in one of them.
	Filters Filters
	Labels  []int64
	Page    Page
}

// BlueprintFields are the fields by which the list can be filtered.
func BlueprintFields() FilterFields {
	return FilterFields{
		"name": FilterText, "description": FilterText, "isFavorite": FilterBoolean, "isLibrary": FilterBoolean, "owner": FilterNumber,
		"projectLabels": FilterIDs, "useCaseCategories": FilterIDs, "createdAt": FilterTime, "updatedAt": FilterTime,
	}
}

// BlueprintStart is the input for starting a blueprint.
type BlueprintStart struct {
	// Name is the name of the conversation; empty means the blueprint's name.
	Name string
	// Inputs are values by the names of the input parameters. Names are compared without
	// regard to case, spaces and punctuation.
	Inputs map[string]string
	// DataSources replace the blueprint's data sources; nil keeps them.
	DataSources *[]int64
	AnalystID   int64 // 0: the default agent
	Key         IdempotencyKey
}

// BlueprintStarted is the conversation that was started.
type BlueprintStarted struct {
	Conversation uuid.UUID
	// MissingDataSources counts the blueprint's data sources that the caller may not use.
	MissingDataSources int
}

// TurnQuery is SQL that a turn ran.
type TurnQuery struct {
	Turn uuid.UUID
	SQL  string
}
