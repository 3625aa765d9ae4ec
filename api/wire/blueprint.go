package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
)

// Blueprint is a prompt in steps, as the caller sees it.
type Blueprint struct {
	ID                    int64              `json:"id" doc:"The id."`
	Name                  string             `json:"name" doc:"The name."`
	Description           string             `json:"description" doc:"The description."`
	Owner                 *protocol.Person   `json:"owner" doc:"Null for a library blueprint."`
	Permission            string             `json:"permission" enum:"read,owner" doc:"The caller's permission."`
	IsLibrary             bool               `json:"isLibrary" doc:"Whether it belongs to the library of the organization."`
	IsFavorite            bool               `json:"isFavorite" doc:"Whether it is a favourite of the caller."`
	IsArchived            bool               `json:"isArchived" doc:"Whether it is archived."`
	DataSources           []int64            `json:"dataSources" nullable:"false" doc:"The connectors that the caller may use."`
	MissingDataSources    int                `json:"missingDataSources" doc:"The number of its other connectors, which the caller may not use."`
	ProjectLabels         []ProjectLabelRef  `json:"projectLabels" nullable:"false" doc:"The projects that it belongs to."`
	UseCaseCategories     []UseCaseCategory  `json:"useCaseCategories" nullable:"false" doc:"Categories of the library."`
	InputParameters       string             `json:"inputParameters" doc:"One input per line: a name, optionally followed by a colon and a hint."`
	Inputs                []BlueprintInput   `json:"inputs" nullable:"false" doc:"The input parameters as a list. A blueprint with inputs cannot be scheduled."`
	InitialMessage        string             `json:"initialMessage" doc:"The first message. {{Name}} stands for the value of an input."`
	ShareWithOrganization bool               `json:"shareWithOrganization" doc:"Always false: sharing with the organization is not available."`
	Permissions           []PermissionEntry  `json:"permissions" nullable:"false" doc:"Who has access, the owner first. Only in the response for a single blueprint."`
	Steps                 []BlueprintStep    `json:"steps" nullable:"false" doc:"The steps in their order. In lists they come without their texts."`
	Version               int                `json:"version" doc:"Increases with each change of the blueprint or of its steps."`
	Abilities             BlueprintAbilities `json:"abilities" doc:"What the caller may do with it."`
	LastUsedAt            *protocol.Time     `json:"lastUsedAt" doc:"When the caller last started it; null if never."`
	CreatedAt             protocol.Time      `json:"createdAt"`
	UpdatedAt             protocol.Time      `json:"updatedAt"`
}

// BlueprintInput is one input parameter.
type BlueprintInput struct {
	Name string `json:"name" doc:"The name."`
	Hint string `json:"hint" doc:"What to enter; empty if there is no hint."`
}

// TransformSchema implements huma.SchemaTransformer.
func (BlueprintInput) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, []domain.Limit{domain.InputName("name")})
}

// UseCaseCategory is a category of the library.
type UseCaseCategory struct {
	ID   int64  `json:"id" doc:"The id."`
	Name string `json:"name" doc:"The name."`
}

// NewUseCaseCategory converts a category.
func NewUseCaseCategory(c *domain.UseCaseCategory) UseCaseCategory { return UseCaseCategory(*c) }

// BlueprintAbilities says what the caller may do.
type BlueprintAbilities struct {
	Edit              bool `json:"edit" doc:"Whether the caller may change it."`
	Delete            bool `json:"delete" doc:"Whether the caller may delete it."`
	Archive           bool `json:"archive" doc:"Whether the caller may archive and restore it."`
	ManageAccess      bool `json:"manageAccess" doc:"Whether the caller may change who has access. Everybody with access may read the list."`
	Favorite          bool `json:"favorite" doc:"Whether the caller may mark it as a favourite."`
	Copy              bool `json:"copy" doc:"Whether the caller may copy it."`
	Start             bool `json:"start" doc:"Whether the caller may start a conversation with it. An archived blueprint and one without work to do cannot be started."`
	Schedule          bool `json:"schedule" doc:"Whether the caller may schedule it. An archived blueprint, one with inputs and one without work to do cannot be scheduled."`
	AddQaInstructions bool `json:"addQaInstructions" doc:"Whether a client should offer QA instructions for a new section."`
}

// BlueprintStep is one step of a blueprint.
type BlueprintStep struct {
	ID                   int64    `json:"id" doc:"The id."`
	Icebreaker           *int64   `json:"icebreaker" doc:"The id of its blueprint; null if the step is not in a blueprint yet."`
	Name                 string   `json:"name" doc:"The name."`
	Order                int      `json:"order" doc:"The position in the blueprint. Positions start at 1 and have no gaps."`
	DetailedInstructions StepText `json:"detailedInstructions,omitzero" doc:"Null if the step has none. Missing in lists, like qaInstructions and code."`
	QAInstructions       StepText `json:"qaInstructions,omitzero" doc:"Null if the step has none."`
	Code                 StepText `json:"code,omitzero" doc:"Null if the step has none."`
	Language             string   `json:"language" doc:"The language of the code."`
	Memories             []int64  `json:"memories" nullable:"false" doc:"Ids of memories."`
	Analyst              *int64   `json:"analyst" doc:"The id of the agent of this step; null means the agent of the conversation."`
	Version              int      `json:"version" doc:"The version of its blueprint."`
}

// StepText is a section of a step. The zero value means that the section was not read, and is
// left out of the JSON; null means that the step has no such section.
type StepText struct {
	Text string
	read bool
}

func newStepText(text string) StepText { return StepText{Text: text, read: true} }

// IsZero reports to encoding/json whether to leave the value out.
func (s StepText) IsZero() bool { return !s.read }

// MarshalJSON implements json.Marshaler.
func (s StepText) MarshalJSON() ([]byte, error) {
	if s.Text == "" {
		return []byte("null"), nil
	}
	return json.Marshal(s.Text) //nolint:wrapcheck // the encoding of a string never fails
}

// Schema implements huma.SchemaProvider.
func (StepText) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Nullable: true}
}

// ListedBlueprint converts a blueprint of a list: the texts of its steps are not read there,
// because a page may have a thousand blueprints and a text 20,000 characters.
func ListedBlueprint(caller domain.Caller) func(*domain.Blueprint) Blueprint {
	whole := NewBlueprint(caller)
	return func(b *domain.Blueprint) Blueprint {
		out := whole(b)
		for i := range out.Steps {
			out.Steps[i].DetailedInstructions, out.Steps[i].QAInstructions, out.Steps[i].Code = StepText{}, StepText{}, StepText{}
		}
		return out
	}
}

// NewBlueprint converts a blueprint for a caller.
func NewBlueprint(caller domain.Caller) func(*domain.Blueprint) Blueprint {
	return func(b *domain.Blueprint) Blueprint {
		may := func(action domain.Action) bool { return action.May(caller, b.Relation(caller)) }
		inputs := b.Inputs()
		runs := !b.IsArchived && !b.IsIdle() && may(domain.UseBlueprint)
		out := Blueprint{
			ID: b.ID, Name: b.Name, Description: b.Description, Permission: string(b.Permission), IsLibrary: b.IsLibrary,
			IsFavorite: b.IsFavorite, IsArchived: b.IsArchived, DataSources: append([]int64{}, b.DataSources...),
			MissingDataSources: b.MissingDataSources, ProjectLabels: []ProjectLabelRef{}, UseCaseCategories: []UseCaseCategory{},
			InputParameters: b.InputParameters, Inputs: make([]BlueprintInput, len(inputs)), InitialMessage: b.InitialMessage,
			Permissions: []PermissionEntry{}, Steps: make([]BlueprintStep, len(b.Steps)), Version: b.Version,
			Abilities: BlueprintAbilities{
				Edit: may(domain.ChangeBlueprint), Delete: may(domain.DeleteBlueprint), ManageAccess: may(domain.ShareBlueprint),
				Archive:  may(domain.ArchiveBlueprint),
				Favorite: may(domain.UseBlueprint), Copy: may(domain.UseBlueprint), Start: runs, Schedule: runs && len(inputs) == 0,
				AddQaInstructions: may(domain.AddQAInstructions),
			},
			CreatedAt: protocol.Time(b.CreatedAt), UpdatedAt: protocol.Time(b.UpdatedAt),
		}
		if b.Owner != nil {
			owner := NewPerson(b.Owner)
			out.Owner = &owner
		}
		if b.UsedAt != (time.Time{}) {
			used := protocol.Time(b.UsedAt)
			out.LastUsedAt = &used
		}
		for _, l := range b.ProjectLabels {
			out.ProjectLabels = append(out.ProjectLabels, ProjectLabelRef(l))
		}
		for i := range b.Categories {
			out.UseCaseCategories = append(out.UseCaseCategories, NewUseCaseCategory(&b.Categories[i]))
		}
		for i, in := range inputs {
			out.Inputs[i] = BlueprintInput(in)
		}
		for i := range b.Steps {
			out.Steps[i] = NewBlueprintStep(&b.Steps[i])
		}
		return out
	}
}

// NewBlueprintStep converts a step.
func NewBlueprintStep(s *domain.BlueprintStep) BlueprintStep {
	return BlueprintStep{
		ID: s.ID, Icebreaker: notZero(s.BlueprintID), Name: s.Name, Order: s.Order, DetailedInstructions: newStepText(s.DetailedInstructions),
		QAInstructions: newStepText(s.QAInstructions), Code: newStepText(s.Code), Language: s.Language,
		Memories: append([]int64{}, s.Memories...),
		Analyst:  notZero(s.AnalystID), Version: s.Version,
	}
}

// notZero returns nil for a zero value.
func notZero[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// BlueprintRequest has the fields of a blueprint that a person writes. The rules are checked
// with the texts of the product and not by the schema. The other fields that the
// specification lists (id, owner) are accepted and have no effect.
type BlueprintRequest struct {
	_                     struct{}              `additionalProperties:"true"`
	Name                  string                `json:"name,omitempty" nullable:"true" doc:"The name: 1 to {characters} characters."`
	Description           *string               `json:"description,omitempty" nullable:"true" doc:"At most {characters} characters."`
	DataSources           *[]int64              `json:"dataSources,omitempty" nullable:"true" doc:"Ids of connectors."`
	ProjectLabels         *[]int64              `json:"projectLabels,omitempty" nullable:"true" doc:"Ids of the projects that it belongs to."`
	UseCaseCategories     *[]int64              `json:"useCaseCategories,omitempty" nullable:"true" doc:"Ids of categories of the library."`
	InputParameters       *string               `json:"inputParameters,omitempty" nullable:"true" doc:"One input per line, at most {entries}: a name, optionally followed by a colon and a hint."`
	InitialMessage        *string               `json:"initialMessage,omitempty" nullable:"true" doc:"The first message. At most {characters} characters. {{Name}} is replaced by the value of an input."`
	ShareWithOrganization bool                  `json:"shareWithOrganization,omitempty" nullable:"true" doc:"Must be false: sharing with the organization is not available."`
	Steps                 *[]BlueprintStepEntry `json:"steps,omitempty" nullable:"true" doc:"At most {entries} steps. Existing steps that are not in the list do not change."`
	RemovedSteps          []int64               `json:"removedSteps,omitempty" nullable:"true" doc:"For a change: the ids of the steps to remove."`
	RemovedStepIDs        []int64               `json:"removedStepIds,omitempty" nullable:"true" doc:"The same as removedSteps."`
	Version               int                   `json:"version,omitempty" nullable:"true" minimum:"0" doc:"For a change: the version that it is based on."`
}

// TransformSchema implements huma.SchemaTransformer.
func (BlueprintRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, append(new(domain.BlueprintDraft).Limits(), domain.StepCount("steps", 0)))
}

// NewBlueprintRequest makes a blueprint, from the given fields or from a conversation.
type NewBlueprintRequest struct {
	_ struct{} `additionalProperties:"true"`
	BlueprintRequest
	FromConversation *uuid.UUID `json:"fromConversation,omitempty" nullable:"true" format:"uuid" doc:"Creates the blueprint from this conversation, with one step for each prompt. Of the other fields, only name, description and projectLabels are used; they replace those of the conversation."`
}

// Draft converts it.
func (r *BlueprintRequest) Draft() domain.BlueprintDraft {
	d := domain.BlueprintDraft{
		Name: r.Name, Description: r.Description, DataSources: r.DataSources, ProjectLabels: r.ProjectLabels, Categories: r.UseCaseCategories,
		InputParameters: r.InputParameters, InitialMessage: r.InitialMessage, ShareWithOrganisation: r.ShareWithOrganization,
		RemovedSteps: append(append([]int64{}, r.RemovedSteps...), r.RemovedStepIDs...), Version: r.Version,
	}
	if r.Steps != nil {
		steps := make([]domain.StepDraft, len(*r.Steps))
		for i := range *r.Steps {
			steps[i] = (*r.Steps)[i].draft()
		}
		d.Steps = &steps
	}
	return d
}

// KeptSteps returns the ids of existing steps that were named without their fields.
func (r *BlueprintRequest) KeptSteps() []int64 {
	var ids []int64
	for _, entry := range pointer.Value(r.Steps) {
		if entry.bare {
			ids = append(ids, entry.ID)
		}
	}
	return ids
}

// Unsaved returns the blueprint with the fields that the person has written so far, and with
// the kept steps by their ids.
func (r *BlueprintRequest) Unsaved(kept map[int64]domain.BlueprintStep) domain.Blueprint {
	b := domain.Blueprint{Name: r.Name, Description: pointer.Value(r.Description), InputParameters: pointer.Value(r.InputParameters)}
	for _, entry := range pointer.Value(r.Steps) {
		if entry.bare {
			b.Steps = append(b.Steps, kept[entry.ID])
			continue
		}
		b.Steps = append(b.Steps, domain.BlueprintStep{
			Name: entry.Name, DetailedInstructions: pointer.Value(entry.DetailedInstructions), QAInstructions: pointer.Value(entry.QAInstructions),
			Code: pointer.Value(entry.Code),
		})
	}
	return b
}

// BlueprintStepRequest has the fields of a step that a person writes.
type BlueprintStepRequest struct {
	_                    struct{} `additionalProperties:"true"`
	ID                   int64    `json:"id,omitempty" nullable:"true" doc:"The id of an existing step. In a blueprint, a step without an id is created."`
	Icebreaker           *int64   `json:"icebreaker,omitempty" nullable:"true" doc:"The id of the blueprint that the step is added to. Without it, the step is deleted after 24 hours unless a blueprint has included its id in its steps."`
	Blueprint            *int64   `json:"blueprint,omitempty" nullable:"true" doc:"The same as icebreaker."`
	Name                 string   `json:"name,omitempty" nullable:"true" doc:"1 to {characters} characters."`
	Order                int      `json:"order,omitempty" nullable:"true" doc:"The position, from 1. The default is the position in the list, or the last position."`
	DetailedInstructions *string  `json:"detailedInstructions,omitempty" nullable:"true" doc:"Null means that the step has no such section. Otherwise the text must not be empty and has at most {characters} characters."`
	QAInstructions       *string  `json:"qaInstructions,omitempty" nullable:"true" doc:"The same rules as for detailedInstructions."`
	Code                 *string  `json:"code,omitempty" nullable:"true" doc:"The same rules as for detailedInstructions."`
	Language             string   `json:"language,omitempty" nullable:"true" doc:"The language of the code. The default is python. SQL is run unchanged."`
	Memories             []int64  `json:"memories,omitempty" nullable:"true" doc:"Ids of memories."`
	Analyst              *int64   `json:"analyst,omitempty" nullable:"true" doc:"The id of the agent of this step; null means the agent of the conversation."`
	AnalystID            *int64   `json:"analystId,omitempty" nullable:"true" doc:"The same as analyst."`
	Version              int      `json:"version,omitempty" nullable:"true" minimum:"0" doc:"For a change: the version of the blueprint that it is based on."`
}

// TransformSchema implements huma.SchemaTransformer.
func (BlueprintStepRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, append(new(domain.StepDraft).Limits(), domain.StepMemories("memories", 0)))
}

// Draft converts it.
func (r *BlueprintStepRequest) Draft() domain.StepDraft {
	return domain.StepDraft{
		ID: r.ID, BlueprintID: pointer.Value(either(r.Icebreaker, r.Blueprint)), Name: r.Name, Order: r.Order,
		DetailedInstructions: r.DetailedInstructions,
		QAInstructions:       r.QAInstructions, Code: r.Code, Language: r.Language, Memories: r.Memories,
		AnalystID: pointer.Value(either(r.Analyst, r.AnalystID)), Version: r.Version,
	}
}

// BlueprintStepEntry is a step within a blueprint: its fields, or only the id of an existing
// step.
type BlueprintStepEntry struct {
	BlueprintStepRequest
	bare bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *BlueprintStepEntry) UnmarshalJSON(b []byte) error {
	*e = BlueprintStepEntry{}
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] != '{' {
		e.bare = true
		if err := json.Unmarshal(b, &e.ID); err != nil {
			return fmt.Errorf("read a step's id: %w", err)
		}
		return nil
	}
	if err := json.Unmarshal(b, &e.BlueprintStepRequest); err != nil {
		return fmt.Errorf("read a step: %w", err)
	}
	return nil
}

// Schema implements huma.SchemaProvider.
func (BlueprintStepEntry) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		{
			Type: huma.TypeInteger, Format: "int64",
			Description: "The id of an existing step, which does not change, or of a step that has no blueprint yet.",
		},
		r.Schema(reflect.TypeFor[BlueprintStepRequest](), true, "BlueprintStepRequest"),
	}}
}

func (e *BlueprintStepEntry) draft() domain.StepDraft {
	d := e.Draft()
	// The blueprint of the step is the one that contains it.
	d.BlueprintID, d.Version = 0, 0
	d.Untouched = e.bare
	return d
}

// BlueprintArchive moves a blueprint to the archive, or back.
type BlueprintArchive struct {
	_          struct{} `additionalProperties:"true"`
	IsArchived *bool    `json:"isArchived,omitempty" nullable:"true" doc:"True (the default) archives, false restores."`
}

// BlueprintCopy names the copy.
type BlueprintCopy struct {
	_    struct{} `additionalProperties:"true"`
	Name string   `json:"name,omitempty" nullable:"true" doc:"The name of the copy. The default is Copy of, followed by the name of the original."`
}

// BlueprintStart starts a conversation with a blueprint.
type BlueprintStart struct {
	_           struct{}       `additionalProperties:"true"`
	Inputs      map[string]any `json:"inputs,omitempty" nullable:"true" doc:"Values of the inputs (strings, numbers or booleans), by the name of the input."`
	DataSources *[]int64       `json:"dataSources,omitempty" nullable:"true" maxItems:"100" doc:"Ids of the connectors to use in place of those of the blueprint."`
	AnalystID   *int64         `json:"analystId,omitempty" nullable:"true" doc:"The id of the agent. The default is the default agent."`
}

// Start converts it. It returns CodeInvalid for a value that is not a single value.
func (r *BlueprintStart) Start() (domain.BlueprintStart, error) {
	inputs, err := InputValues(r.Inputs)
	return domain.BlueprintStart{Inputs: inputs, DataSources: r.DataSources, AnalystID: pointer.Value(r.AnalystID)}, err
}

// InputValues returns the values of input parameters as texts, and CodeInvalid for a value
// that is not a single value.
func InputValues(given map[string]any) (map[string]string, error) {
	out := make(map[string]string, len(given))
	var c domain.Checks
	for name, v := range given {
		switch v := v.(type) {
		case nil:
		case string:
			out[name] = v
		case bool:
			out[name] = strconv.FormatBool(v)
		case float64:
			out[name] = strconv.FormatFloat(v, 'f', -1, 64)
		default:
			c.Require(false, "inputs."+name, "The value is not valid.")
		}
	}
	return out, c.Err()
}

// StartedConversation is the conversation that a blueprint started; its first
// turn runs.
type StartedConversation struct {
	Conversation
	MissingDataSources int `json:"missingDataSources" doc:"The number of the blueprint's connectors that the caller may not use."`
}

// InitialMessage is a message written from a blueprint.
type InitialMessage struct {
	InitialMessage string `json:"initialMessage" doc:"The first message of a conversation that is started from the blueprint."`
}
