package wire

import (
	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Analyst is an agent, as the caller sees it.
type Analyst struct {
	ID            int64             `json:"id" doc:"The id."`
	Name          string            `json:"name" doc:"The name."`
	Description   string            `json:"description" doc:"The description."`
	Agent         string            `json:"agent" doc:"The controller that runs the agent."`
	AgentParams   AgentParams       `json:"agentParams" doc:"The parameters of the controller."`
	Model         string            `json:"model" doc:"The name of the model."`
	Owner         *protocol.Person  `json:"owner" doc:"Null for an agent that belongs to the organization and that everybody may use."`
	Picture       string            `json:"picture" doc:"A picture as a data URL; empty if there is none."`
	IsEnabled     bool              `json:"isEnabled" doc:"Whether it is enabled."`
	IsFavorite    bool              `json:"isFavorite" doc:"Whether it is a favourite of the caller."`
	IsDefault     bool              `json:"isDefault" doc:"Whether it is the default agent."`
	ProjectLabels []ProjectLabelRef `json:"projectLabels" nullable:"false" doc:"The projects that it belongs to."`
	Connectors    []int64           `json:"connectors" nullable:"false" doc:"The connectors that the caller may use."`
	Version       int               `json:"version" doc:"Increases by 1 with each change. A change that is based on an older version returns 409."`
	Abilities     AnalystAbilities  `json:"abilities" doc:"What the caller may do with it."`
	UpdatedAt     protocol.Time     `json:"updatedAt"`
	// The fields below are for callers who may edit the agent.
	Instructions  *string         `json:"instructions,omitempty" doc:"General instructions. Only for callers who may edit the agent, like the settings of its specialists."`
	General       *AnalystGeneral `json:"general,omitempty"`
	KnowledgeBase *AnalystSection `json:"knowledgeBase,omitempty" doc:"The instructions and memories of the agent itself."`
	ChartReview   *AnalystSection `json:"chartReview,omitempty" doc:"The specialist for charts."`
	Insights      *AnalystSection `json:"insights,omitempty" doc:"The specialist for insights."`
	Summary       *AnalystSummary `json:"summary,omitempty" doc:"The specialist that writes the summary at the end of a turn."`
}

// AgentParams say who runs the model.
type AgentParams struct {
	ModelProvider string `json:"modelProvider" doc:"The provider of the model."`
}

// AnalystAbilities says what the caller may do.
type AnalystAbilities struct {
	Edit         bool `json:"edit" doc:"Whether the caller may change it."`
	Enable       bool `json:"enable" doc:"Whether the caller may enable and disable it."`
	Delete       bool `json:"delete" doc:"Whether the caller may delete it."`
	ManageAccess bool `json:"manageAccess" doc:"Whether the caller may change who has access."`
	Favorite     bool `json:"favorite" doc:"Whether the caller may mark it as a favourite."`
}

// AnalystGeneral says whether an agent uses its own general settings.
type AnalystGeneral struct {
	Enabled bool `json:"enabled" doc:"False: the agent uses controller, provider, model and instructions of the default agent. Its own values are kept."`
}

// AnalystSection is how one specialist of an agent works.
type AnalystSection struct {
	Enabled             bool    `json:"enabled" doc:"Whether this specialist is enabled."`
	SpecialInstructions string  `json:"specialInstructions" doc:"Instructions for this specialist."`
	MemoryLabels        []int64 `json:"memoryLabels" nullable:"false" doc:"Ids of memory labels. Memories with one of these labels are recalled, the ones most similar to the question first."`
	Memories            []int64 `json:"memories" nullable:"false" doc:"Ids of memories."`
}

// AnalystSummary is how an agent ends a turn.
type AnalystSummary struct {
	Enabled             bool   `json:"enabled" doc:"Whether this specialist is enabled."`
	Name                string `json:"name" doc:"The name."`
	SpecialInstructions string `json:"specialInstructions" doc:"Instructions for this specialist."`
}

// NewAnalyst converts an agent for a caller, with the names of its projects.
func NewAnalyst(caller domain.Caller, names ProjectLabelNames) func(*domain.Analyst) Analyst {
	return func(a *domain.Analyst) Analyst {
		may := func(action domain.Action) bool { return action.May(caller, a.Relation(caller)) }
		edit := may(domain.ChangeAnalyst)
		out := Analyst{
			ID: a.ID, Name: a.Name, Description: a.Description, Agent: a.Controller, AgentParams: AgentParams{ModelProvider: a.Provider},
			Model:   a.Model,
			Picture: a.Picture, IsEnabled: a.IsEnabled, IsFavorite: a.IsFavorite, IsDefault: a.IsDefault, ProjectLabels: names.Of(a.ProjectLabels),
			Connectors: append([]int64{}, a.Connectors...), Version: a.Version,
			Abilities: AnalystAbilities{
				Edit: edit, Enable: edit && !a.IsDefault, Delete: may(domain.DeleteAnalyst), ManageAccess: may(domain.ShareAnalyst),
				Favorite: may(domain.UseAnalyst),
			},
			UpdatedAt: protocol.Time(a.UpdatedAt),
		}
		if a.Owner != nil {
			owner := NewPerson(a.Owner)
			out.Owner = &owner
		}
		if edit {
			out.Instructions, out.General = &a.Instructions, &AnalystGeneral{Enabled: !a.GeneralDisabled}
			out.KnowledgeBase, out.ChartReview, out.Insights = newSection(&a.Knowledge), newSection(&a.ChartReview), newSection(&a.Insights)
			out.Summary = &AnalystSummary{Enabled: !a.Summary.Disabled, Name: a.Summary.Name, SpecialInstructions: a.Summary.SpecialInstructions}
		}
		return out
	}
}

func newSection(s *domain.AnalystSection) *AnalystSection {
	return &AnalystSection{
		Enabled: !s.Disabled, SpecialInstructions: s.SpecialInstructions,
		MemoryLabels: append([]int64{}, s.MemoryLabels...), Memories: append([]int64{}, s.Memories...),
	}
}

// AnalystRequest has the fields of an agent that a person writes. A field that is left out
// does not change; for a new agent it gets the default.
type AnalystRequest struct {
	_             struct{}               `additionalProperties:"true"`
	AgentName     *string                `json:"agentName,omitempty" doc:"1 to {characters} characters. The default for a new agent is prism- and the next free number."`
	Name          *string                `json:"name,omitempty" doc:"The same as agentName."`
	Description   *string                `json:"description,omitempty" doc:"At most {characters} characters."`
	Controller    *string                `json:"controller,omitempty" doc:"The controller that runs the agent."`
	Agent         *string                `json:"agent,omitempty" doc:"The same as controller."`
	Provider      *string                `json:"provider,omitempty" doc:"One of GET analyst/analysts/active-models."`
	AgentParams   *AgentParamsRequest    `json:"agentParams,omitempty" doc:"The field modelProvider is the same as provider."`
	Model         *string                `json:"model,omitempty" doc:"One of GET analyst/analysts/active-models."`
	Instructions  *string                `json:"instructions,omitempty" doc:"General instructions. At most {characters} characters; the same limit applies to the instructions of specialists."`
	General       *AnalystGeneralRequest `json:"general,omitempty"`
	KnowledgeBase *AnalystSectionRequest `json:"knowledgeBase,omitempty" doc:"The instructions and memories of the agent itself."`
	ChartReview   *AnalystSectionRequest `json:"chartReview,omitempty" doc:"The specialist for charts."`
	Insights      *AnalystSectionRequest `json:"insights,omitempty" doc:"The specialist for insights."`
	Summary       *AnalystSummaryRequest `json:"summary,omitempty" doc:"The specialist that writes the summary at the end of a turn."`
	Connectors    *[]int64               `json:"connectors,omitempty" maxItems:"100" doc:"Ids of the connectors that are offered to people who use the agent."`
	ProjectLabels *LabelIDs              `json:"projectLabels,omitempty" maxItems:"100" doc:"Ids of the projects that it belongs to."`
	Picture       *string                `json:"picture,omitempty" doc:"A data URL of a PNG, JPEG, GIF or WebP image of at most {bytes}, or a path on this server."`
	IsEnabled     *bool                  `json:"isEnabled,omitempty" doc:"Whether it is enabled."`
	Version       int                    `json:"version,omitempty" minimum:"0" doc:"For a change: the version that it is based on."`
}

// TransformSchema implements huma.SchemaTransformer.
func (AnalystRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.AnalystUpdate).Limits(), "agentName", "name")
}

// AgentParamsRequest says who must run the model.
type AgentParamsRequest struct {
	_             struct{} `additionalProperties:"true"`
	ModelProvider *string  `json:"modelProvider,omitempty" doc:"The provider of the model."`
}

// AnalystGeneralRequest switches the general settings of an agent on and off.
type AnalystGeneralRequest struct {
	_       struct{} `additionalProperties:"true"`
	Enabled *bool    `json:"enabled,omitempty" doc:"False: the agent uses controller, provider, model and instructions of the default agent. Its own values are kept."`
}

// AnalystSectionRequest changes how a specialist works.
type AnalystSectionRequest struct {
	_                   struct{} `additionalProperties:"true"`
	Enabled             *bool    `json:"enabled,omitempty" doc:"Whether this specialist is enabled."`
	SpecialInstructions *string  `json:"specialInstructions,omitempty" doc:"Instructions for this specialist."`
	MemoryLabels        *[]int64 `json:"memoryLabels,omitempty" maxItems:"100" doc:"Ids of memory labels. Memories with one of these labels are recalled, the ones most similar to the question first."`
	Memories            *[]int64 `json:"memories,omitempty" maxItems:"100" doc:"Ids of memories."`
}

// TransformSchema implements huma.SchemaTransformer.
func (AnalystSectionRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.AnalystSectionUpdate).Limits())
}

// AnalystSummaryRequest changes how an agent ends a turn.
type AnalystSummaryRequest struct {
	_                   struct{} `additionalProperties:"true"`
	Enabled             *bool    `json:"enabled,omitempty" doc:"Whether this specialist is enabled."`
	Name                *string  `json:"name,omitempty" doc:"The heading of the summary."`
	SpecialInstructions *string  `json:"specialInstructions,omitempty" doc:"Instructions for this specialist."`
}

// Update converts it.
func (r *AnalystRequest) Update(models []domain.AgentModel) domain.AnalystUpdate {
	u := domain.AnalystUpdate{
		Name: either(r.AgentName, r.Name), Description: r.Description, Controller: either(r.Controller, r.Agent), Provider: r.Provider,
		Model:   r.Model,
		Picture: r.Picture, IsEnabled: r.IsEnabled, Instructions: r.Instructions,
		Knowledge: r.KnowledgeBase.update(), ChartReview: r.ChartReview.update(), Insights: r.Insights.update(),
		Connectors: r.Connectors, ProjectLabels: r.ProjectLabels.ids(), Available: models,
	}
	if p := r.AgentParams; p != nil {
		u.Provider = either(u.Provider, p.ModelProvider)
	}
	if g := r.General; g != nil {
		u.General = g.Enabled
	}
	if s := r.Summary; s != nil {
		u.Summary = domain.AnalystSummaryUpdate{Enabled: s.Enabled, Name: s.Name, SpecialInstructions: s.SpecialInstructions}
	}
	return u
}

func (r *AnalystSectionRequest) update() domain.AnalystSectionUpdate {
	if r == nil {
		return domain.AnalystSectionUpdate{}
	}
	return domain.AnalystSectionUpdate{
		Enabled: r.Enabled, SpecialInstructions: r.SpecialInstructions, MemoryLabels: r.MemoryLabels,
		Memories: r.Memories,
	}
}

// AgentModel is a model that agents can have.
type AgentModel struct {
	Provider string `json:"provider" doc:"The provider of the model."`
	Model    string `json:"model" doc:"The name of the model."`
}

// NewAgentModel converts a model.
func NewAgentModel(m *domain.AgentModel) AgentModel { return AgentModel(*m) }
