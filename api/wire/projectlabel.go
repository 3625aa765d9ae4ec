package wire

import (
	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// ProjectLabel is a project.
type ProjectLabel struct {
	ID            int64                 `json:"id" doc:"The id."`
	Name          string                `json:"name" doc:"The name."`
	Description   string                `json:"description" doc:"The description."`
	Color         string                `json:"color" doc:"The name of a colour (Olive Green, Royal Blue, Rose pink, Teal blue, Golden yellow, Scarlet red, Purple grey), or #rrggbb."`
	Owner         protocol.Person       `json:"owner" doc:"The owner; null if it belongs to the product."`
	Conversations int64                 `json:"conversations" doc:"The number of its conversations that the caller may read."`
	Version       int                   `json:"version" doc:"Increases by 1 with each change. A change that is based on an older version returns 409."`
	Abilities     ProjectLabelAbilities `json:"abilities" doc:"What the caller may do with it."`
	CreatedAt     protocol.Time         `json:"createdAt"`
	UpdatedAt     protocol.Time         `json:"updatedAt"`
}

// ProjectLabelAbilities says what the caller may do.
type ProjectLabelAbilities struct {
	Edit   bool `json:"edit" doc:"Whether the caller may change it."`
	Delete bool `json:"delete" doc:"Whether the caller may delete it."`
}

// NewProjectLabel converts a label for a caller.
func NewProjectLabel(caller domain.Caller) func(*domain.ProjectLabel) ProjectLabel {
	return func(l *domain.ProjectLabel) ProjectLabel {
		relation := l.Relation(caller)
		return ProjectLabel{
			ID: l.ID, Name: l.Name, Description: l.Description, Color: l.Color, Owner: NewPerson(&l.Owner), Conversations: l.Conversations,
			Version: l.Version, Abilities: ProjectLabelAbilities{
				Edit: domain.ChangeProjectLabel.May(caller, relation), Delete: domain.DeleteProjectLabel.May(caller, relation),
			},
			CreatedAt: protocol.Time(l.CreatedAt), UpdatedAt: protocol.Time(l.UpdatedAt),
		}
	}
}

// ProjectLabelRequest has the fields of a label that a person writes, as JSON or as a form.
// All are required, which is checked with the texts of the product and not by the schema. An
// id in it has no effect: the path names the label.
type ProjectLabelRequest struct {
	_           struct{} `additionalProperties:"true"`
	Name        string   `json:"name,omitempty" doc:"1 to {characters} characters."`
	Description string   `json:"description,omitempty" doc:"1 to {characters} characters."`
	Color       string   `json:"color,omitempty" doc:"The name of a colour, or #rrggbb."`
	Version     int      `json:"version,omitempty" minimum:"0" doc:"For a change: the version that it is based on."`
}

// TransformSchema implements huma.SchemaTransformer.
func (ProjectLabelRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.ProjectLabelDraft).Limits())
}

// Draft converts it.
func (r *ProjectLabelRequest) Draft() domain.ProjectLabelDraft {
	return domain.ProjectLabelDraft{Name: r.Name, Description: r.Description, Color: r.Color}
}

// ProjectLabelRef names a project on another entity.
type ProjectLabelRef struct {
	ID    int64  `json:"id" doc:"The id."`
	Name  string `json:"name" doc:"The name."`
	Color string `json:"color" doc:"#rrggbb, or the name of a colour."`
}

// ProjectLabelNames are the projects that the entities of an answer name, by id. Deleted
// projects are not among them.
type ProjectLabelNames map[int64]ProjectLabelRef

// NewProjectLabelNames converts labels.
func NewProjectLabelNames(labels []domain.ProjectLabel) ProjectLabelNames {
	names := make(ProjectLabelNames, len(labels))
	for i := range labels {
		l := &labels[i]
		names[l.ID] = ProjectLabelRef{ID: l.ID, Name: l.Name, Color: l.Color}
	}
	return names
}

// Of returns the projects of one entity, in its order.
func (n ProjectLabelNames) Of(ids []int64) []ProjectLabelRef {
	refs := make([]ProjectLabelRef, 0, len(ids))
	for _, id := range ids {
		if ref, ok := n[id]; ok {
			refs = append(refs, ref)
		}
	}
	return refs
}
