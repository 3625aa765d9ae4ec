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
	ID                    int64              `json:"id" doc:"Its id."`
	Name                  string             `json:"name" doc:"What people call it."`
	Description           string             `json:"description" doc:"What people should know of it."`
	Owner                 *protocol.Person   `json:"owner" doc:"Null for a library blueprint."`
	Permission            string             `json:"permission" enum:"read,owner" doc:"The caller's."`
	IsLibrary             bool               `json:"isLibrary" doc:"Belongs to the organisation."`
	IsFavorite            bool               `json:"isFavorite" doc:"The caller's own."`
	IsArchived            bool               `json:"isArchived" doc:"Whether it is archived."`
	DataSources           []int64            `json:"dataSources" nullable:"false" doc:"Those that the caller may use."`
	MissingDataSources    int                `json:"missingDataSources" doc:"How many more it has that the caller may not use."`
	ProjectLabels         []ProjectLabelRef  `json:"projectLabels" nullable:"false" doc:"The projects that it belongs to."`
	UseCaseCategories     []UseCaseCategory  `json:"useCaseCategories" nullable:"false" doc:"Categories of the library."`
	InputParameters       string             `json:"inputParameters" doc:"One a line: a name, or a name and a hint behind a colon."`
	Inputs                []BlueprintInput   `json:"inputs" nullable:"false" doc:"The input parameters as they are understood; with any, it cannot be scheduled."`
	InitialMessage        string             `json:"initialMessage" doc:"May hold {{Name}} for the value of an input."`
	ShareWithOrganization bool               `json:"shareWithOrganization" doc:"Always false: sharing with an organisation is refused for now."`
	Permissions           []PermissionEntry  `json:"permissions" nullable:"false" doc:"Who may see it, the owner first. Only where a single blueprint was asked for."`
	Steps                 []BlueprintStep    `json:"steps" nullable:"false" doc:"In their order. In lists without texts: their sections are null."`
	Version               int                `json:"version" doc:"Rises with each change, also of a step."`
	Abilities             BlueprintAbilities `json:"abilities" doc:"What the caller may do."`
	LastUsedAt            *protocol.Time     `json:"lastUsedAt" doc:"When the caller started it last; null for never."`
	CreatedAt             protocol.Time      `json:"createdAt"`
	UpdatedAt             protocol.Time      `json:"updatedAt"`
}

// BlueprintInput is one input parameter.
type BlueprintInput struct {
	Name string `json:"name" doc:"What people call it."`
	Hint string `json:"hint" doc:"What to fill in; empty for none."`
}

// UseCaseCategory is a category of the library.
type UseCaseCategory struct {
	ID   int64  `json:"id" doc:"Its id."`
	Name string `json:"name" doc:"What people call it."`
}

// NewUseCaseCategory converts a category.
func NewUseCaseCategory(c *domain.UseCaseCategory) UseCaseCategory { return UseCaseCategory(*c) }

// BlueprintAbilities says what the caller may do.
type BlueprintAbilities struct {
	Edit              bool `json:"edit" doc:"May change it."`
	Delete            bool `json:"delete" doc:"May delete it."`
	Archive           bool `json:"archive" doc:"May archive and restore it."`
	ManageAccess      bool `json:"manageAccess" doc:"May change who sees it; everybody who reads it may look at the list."`
	Favorite          bool `json:"favorite" doc:"May mark it as a favourite."`
	Copy              bool `json:"copy" doc:"May copy it."`
	Start             bool `json:"start" doc:"May start a conversation with it: it has something to do and is not archived."`
	Schedule          bool `json:"schedule" doc:"It needs no inputs, has something to do and is not archived."`
	AddQaInstructions bool `json:"addQaInstructions" doc:"Whether the page offers QA instructions for a new section."`
}

// BlueprintStep is one step of a blueprint.
type BlueprintStep struct {
	ID                   int64    `json:"id" doc:"Its id."`
	Icebreaker           *int64   `json:"icebreaker" doc:"The blueprint; null for a step that waits to be taken into one."`
	Name                 string   `json:"name" doc:"What people call it."`
	Order                int      `json:"order" doc:"From 1, without gaps."`
	DetailedInstructions StepText `json:"detailedInstructions,omitzero" doc:"Null: the step has none. Left out in lists, as are qaInstructions and code."`
	QAInstructions       StepText `json:"qaInstructions,omitzero" doc:"Null: the step has none."`
	Code                 StepText `json:"code,omitzero" doc:"Null: the step has none."`
	Language             string   `json:"language" doc:"Of the code."`
	Memories             []int64  `json:"memories" nullable:"false" doc:"Memories, by their ids."`
	Analyst              *int64   `json:"analyst" doc:"The agent of the step; null is that of the conversation."`
	Version              int      `json:"version" doc:"That of its blueprint."`
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
				AddQaInstructions: caller.IsSuperuser,
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
	Name                  string                `json:"name,omitempty" nullable:"true" doc:"The title: 1 to {characters} characters."`
	Description           *string               `json:"description,omitempty" nullable:"true" doc:"At most {characters} characters."`
	DataSources           *[]int64              `json:"dataSources,omitempty" nullable:"true" doc:"Connectors, by their ids."`
	ProjectLabels         *[]int64              `json:"projectLabels,omitempty" nullable:"true" doc:"The projects that it belongs to, by their ids."`
	UseCaseCategories     *[]int64              `json:"useCaseCategories,omitempty" nullable:"true" doc:"Categories of the library, by their ids."`
	InputParameters       *string               `json:"inputParameters,omitempty" nullable:"true" doc:"One a line, at most {entries}: a name, or a name and a hint behind a colon."`
	InitialMessage        *string               `json:"initialMessage,omitempty" nullable:"true" doc:"At most {characters} characters. {{Name}} is replaced by the value of an input."`
	ShareWithOrganization bool                  `json:"shareWithOrganization,omitempty" nullable:"true" doc:"Refused for now."`
	Steps                 *[]BlueprintStepEntry `json:"steps,omitempty" nullable:"true" doc:"At most {entries}. Steps that are there and not named stay as they are."`
	RemovedSteps          []int64               `json:"removedSteps,omitempty" nullable:"true" doc:"Of a change: ids of steps that leave."`
	RemovedStepIDs        []int64               `json:"removedStepIds,omitempty" nullable:"true" doc:"The same as removedSteps."`
	Version               int                   `json:"version,omitempty" nullable:"true" minimum:"0" doc:"Of a change: the version that it was made from."`
}

// TransformSchema implements huma.SchemaTransformer.
func (BlueprintRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return limited(s, append(new(domain.BlueprintDraft).Limits(), domain.StepCount("steps", 0)))
}

// NewBlueprintRequest makes a blueprint, from the given fields or from a conversation.
type NewBlueprintRequest struct {
	_ struct{} `additionalProperties:"true"`
	BlueprintRequest
	FromConversation *uuid.UUID `json:"fromConversation,omitempty" nullable:"true" format:"uuid" doc:"Written from this conversation: one step for each prompt. Of the other fields name, description and projectLabels count then, in the place of what the conversation has."`
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
	ID                   int64    `json:"id,omitempty" nullable:"true" doc:"Of a step that is there; left out in a blueprint, it is a new one."`
	Icebreaker           *int64   `json:"icebreaker,omitempty" nullable:"true" doc:"The blueprint that a step of its own belongs to. Without it, the step waits a day to be named in a blueprint."`
	Blueprint            *int64   `json:"blueprint,omitempty" nullable:"true" doc:"The same as icebreaker."`
	Name                 string   `json:"name,omitempty" nullable:"true" doc:"1 to {characters} characters."`
	Order                int      `json:"order,omitempty" nullable:"true" doc:"From 1; left out, by its place in the list, or last."`
	DetailedInstructions *string  `json:"detailedInstructions,omitempty" nullable:"true" doc:"Null: the section is not shown. Shown, it must not be empty. At most {characters} characters."`
	QAInstructions       *string  `json:"qaInstructions,omitempty" nullable:"true" doc:"As detailedInstructions."`
	Code                 *string  `json:"code,omitempty" nullable:"true" doc:"As detailedInstructions."`
	Language             string   `json:"language,omitempty" nullable:"true" doc:"Of the code; python when left out. SQL is run unchanged."`
	Memories             []int64  `json:"memories,omitempty" nullable:"true" doc:"Memories, by their ids."`
	Analyst              *int64   `json:"analyst,omitempty" nullable:"true" doc:"The agent of the step, by its id; null is that of the conversation."`
	AnalystID            *int64   `json:"analystId,omitempty" nullable:"true" doc:"The same as analyst."`
	Version              int      `json:"version,omitempty" nullable:"true" minimum:"0" doc:"Of a change: the version of the blueprint that it was made from."`
}

// TransformSchema implements huma.SchemaTransformer.
func (BlueprintStepRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return limited(s, new(domain.StepDraft).Limits())
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
		{Type: huma.TypeInteger, Format: "int64", Description: "The id of a step that is there and stays as it is, or that waits to be taken."},
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
	IsArchived *bool    `json:"isArchived,omitempty" nullable:"true" doc:"false restores it; if it is left out, it goes to the archive."`
}

// BlueprintCopy names the copy.
type BlueprintCopy struct {
	_    struct{} `additionalProperties:"true"`
	Name string   `json:"name,omitempty" nullable:"true" doc:"Left out: Copy of, and the name of the first one."`
}

// BlueprintStart starts a conversation with a blueprint.
type BlueprintStart struct {
	_           struct{}       `additionalProperties:"true"`
	Inputs      map[string]any `json:"inputs,omitempty" nullable:"true" doc:"Values (text, numbers or truth values) by the names of the input parameters."`
	DataSources *[]int64       `json:"dataSources,omitempty" nullable:"true" maxItems:"100" doc:"Instead of those of the blueprint."`
	AnalystID   *int64         `json:"analystId,omitempty" nullable:"true" doc:"The agent; left out, the default one."`
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
	MissingDataSources int `json:"missingDataSources" doc:"How many data sources of the blueprint the caller may not use."`
}

// InitialMessage is a message written from a blueprint.
type InitialMessage struct {
	InitialMessage string `json:"initialMessage" doc:"The message that a conversation from it begins with."`
}
