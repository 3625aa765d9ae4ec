package wire

import (
	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
)

// Memory is an example that agents recall.
type Memory struct {
	ID             int64            `json:"id" doc:"The id."`
	Name           string           `json:"name" doc:"At most {characters} characters."`
	Index          string           `json:"index" doc:"The question."`
	Value          string           `json:"value" doc:"The response: text, or text and code."`
	Labels         []int64          `json:"labels" nullable:"false" doc:"Ids of labels."`
	Type           int64            `json:"type" doc:"The id of the type."`
	Source         string           `json:"source" doc:"The name of the source. manual: written by a person." example:"manual"`
	SourceID       int64            `json:"sourceId" doc:"The id of the source."`
	Owner          *protocol.Person `json:"owner" doc:"Null for a memory that belongs to the organization."`
	IsEnabled      bool             `json:"isEnabled" doc:"Whether it is enabled."`
	AlwaysRecalled bool             `json:"alwaysRecalled" doc:"Whether it is recalled for every question, and not only for similar ones."`
	Version        int              `json:"version" doc:"Increases by 1 with each change. A change that is based on an older version returns 409."`
	Abilities      MemoryAbilities  `json:"abilities" doc:"What the caller may do with it."`
	CreatedAt      protocol.Time    `json:"createdAt"`
	UpdatedAt      protocol.Time    `json:"updatedAt"`
}

// TransformSchema implements huma.SchemaTransformer.
func (Memory) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, domain.MemoryLimits("", "", nil))
}

// MemoryAbilities says what the caller may do.
type MemoryAbilities struct {
	Edit   bool `json:"edit" doc:"Whether the caller may change it."`
	Enable bool `json:"enable" doc:"May switch it on and off."`
	Delete bool `json:"delete" doc:"Whether the caller may delete it."`
}

// NewMemory converts a memory for a caller.
func NewMemory(caller domain.Caller) func(*domain.Memory) Memory {
	return func(m *domain.Memory) Memory {
		change := domain.ChangeMemory.May(caller, m.Relation(caller))
		out := Memory{
			ID: m.ID, Name: m.Name, Index: m.Question, Value: m.Response, Labels: append([]int64{}, m.Labels...), Type: m.TypeID,
			Source: m.Source, SourceID: m.SourceID, IsEnabled: m.IsEnabled, AlwaysRecalled: m.AlwaysRecalled, Version: m.Version,
			Abilities: MemoryAbilities{Edit: change, Enable: change, Delete: domain.DeleteMemory.May(caller, m.Relation(caller))},
			CreatedAt: protocol.Time(m.CreatedAt), UpdatedAt: protocol.Time(m.UpdatedAt),
		}
		if m.Owner != nil {
			owner := NewPerson(m.Owner)
			out.Owner = &owner
		}
		return out
	}
}

// MemoryRequest has the fields of a memory that a person writes. Which of them are required
// is checked with the texts of the product and not by the schema.
type MemoryRequest struct {
	_              struct{} `additionalProperties:"true"`
	Question       *string  `json:"question,omitempty" doc:"At most {characters} characters."`
	Index          *string  `json:"index,omitempty" doc:"The same as question."`
	Name           *string  `json:"name,omitempty" doc:"A longer name is shortened to {characters} characters."`
	Type           *int64   `json:"type,omitempty" doc:"The id of the type."`
	Response       *string  `json:"response,omitempty" doc:"At most {characters} characters."`
	Value          *string  `json:"value,omitempty" doc:"The same as response."`
	Labels         *[]int64 `json:"labels,omitempty" maxItems:"50" doc:"Ids of labels."`
	AlwaysRecalled *bool    `json:"alwaysRecalled,omitempty" doc:"Whether it is recalled for every question, and not only for similar ones."`
	IsEnabled      *bool    `json:"isEnabled,omitempty" doc:"Only for a change: a new memory is always enabled."`
	Version        int      `json:"version,omitempty" minimum:"0" doc:"For a change: the version that it is based on."`
}

// TransformSchema implements huma.SchemaTransformer.
func (MemoryRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, domain.MemoryLimits("", "", nil))
}

// question and response accept both names of a field.
func (r *MemoryRequest) question() *string { return either(r.Question, r.Index) }
func (r *MemoryRequest) response() *string { return either(r.Response, r.Value) }

func either[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

// New makes a new memory from it.
func (r *MemoryRequest) New() domain.NewMemory {
	n := domain.NewMemory{
		Name: pointer.Value(r.Name), Question: pointer.Value(r.question()), Response: pointer.Value(r.response()),
		TypeID: pointer.Value(r.Type), AlwaysRecalled: pointer.Value(r.AlwaysRecalled),
	}
	if r.Labels != nil {
		n.Labels = *r.Labels
	}
	return n
}

// Patch changes the fields that are present.
func (r *MemoryRequest) Patch() domain.MemoryUpdate {
	return domain.MemoryUpdate{
		Name: r.Name, Question: r.question(), Response: r.response(), TypeID: r.Type, Labels: r.Labels,
		AlwaysRecalled: r.AlwaysRecalled, IsEnabled: r.IsEnabled, Version: r.Version,
	}
}

// Put changes the whole memory: a required field that is missing becomes empty. An optional
// field that is missing does not change.
func (r *MemoryRequest) Put() domain.MemoryUpdate {
	u := r.Patch()
	name, question, response, kind := pointer.Value(u.Name), pointer.Value(u.Question), pointer.Value(u.Response), pointer.Value(u.TypeID)
	u.Name, u.Question, u.Response, u.TypeID = &name, &question, &response, &kind
	return u
}

// MemoryWord is a label or a source of memories.
type MemoryWord struct {
	ID   int64  `json:"id" doc:"The id."`
	Name string `json:"name" doc:"The name."`
}

// NewMemoryWord converts a label or a source.
func NewMemoryWord(w *domain.MemoryWord) MemoryWord { return MemoryWord{ID: w.ID, Name: w.Name} }

// MemoryType is a type of memories.
type MemoryType struct {
	ID         int64  `json:"id" doc:"The id."`
	Name       string `json:"name" doc:"The name."`
	Specialist string `json:"specialist" enum:",chartReview,insights,endOfTurnSummary" doc:"The specialist that uses these memories; empty for the agent itself."`
}

// NewMemoryType converts a type.
func NewMemoryType(w *domain.MemoryWord) MemoryType {
	return MemoryType{ID: w.ID, Name: w.Name, Specialist: string(w.Specialist)}
}
