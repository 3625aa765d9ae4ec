package wire

import (
	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Analyst is an agent, as the caller sees it.
type Analyst struct {
	ID            int64             `json:"id" doc:"Its id."`
	Name          string            `json:"name" doc:"What people call it."`
	Description   string            `json:"description" doc:"What people should know of it."`
	Agent         string            `json:"agent" doc:"The controller."`
	AgentParams   AgentParams       `json:"agentParams" doc:"What the agent passes to its controller."`
	Model         string            `json:"model" doc:"The model's name."`
	Owner         *protocol.Person  `json:"owner" doc:"Null for one that came with the organisation, which is everybody's."`
	Picture       string            `json:"picture" doc:"A picture as a data URL; empty for none."`
	IsEnabled     bool              `json:"isEnabled" doc:"Whether it is switched on."`
	IsFavorite    bool              `json:"isFavorite" doc:"The caller's own."`
	IsDefault     bool              `json:"isDefault" doc:"Whether it is the one that counts where none is chosen."`
	ProjectLabels []ProjectLabelRef `json:"projectLabels" nullable:"false" doc:"The projects that it belongs to."`
	Connectors    []int64           `json:"connectors" nullable:"false" doc:"Those that the caller may use."`
	Version       int               `json:"version" doc:"Rises by 1 with each change. Named with a change, a stale version is 409."`
	Abilities     AnalystAbilities  `json:"abilities" doc:"What the caller may do."`
	UpdatedAt     protocol.Time     `json:"updatedAt"`
	// The fields below are for callers who may edit the agent.
	Instructions  *string         `json:"instructions,omitempty" doc:"General ones. Only for who may edit the agent, as are the settings of its specialists."`
	General       *AnalystGeneral `json:"general,omitempty"`
	KnowledgeBase *AnalystSection `json:"knowledgeBase,omitempty" doc:"What the analyst itself knows."`
	ChartReview   *AnalystSection `json:"chartReview,omitempty" doc:"The specialist for charts."`
	Insights      *AnalystSection `json:"insights,omitempty" doc:"The specialist for insights."`
	Summary       *AnalystSummary `json:"summary,omitempty" doc:"The specialist that closes a turn."`
}

// AgentParams say who runs the model.
type AgentParams struct {
	ModelProvider string `json:"modelProvider" doc:"Who provides the model."`
}

// AnalystAbilities says what the caller may do.
type AnalystAbilities struct {
	Edit         bool `json:"edit" doc:"May change it."`
	Enable       bool `json:"enable" doc:"Switch it on and off."`
	Delete       bool `json:"delete" doc:"May delete it."`
	ManageAccess bool `json:"manageAccess" doc:"May change who has access."`
	Favorite     bool `json:"favorite" doc:"May mark it as a favourite."`
}

// AnalystGeneral says whether an agent uses its own general settings.
type AnalystGeneral struct {
	Enabled bool `json:"enabled" doc:"false: controller, provider, model and instructions are those of the default agent. Its own stay stored."`
}

// AnalystSection is how one specialist of an agent works.
type AnalystSection struct {
	Enabled             bool    `json:"enabled" doc:"Whether this specialist is switched on."`
	SpecialInstructions string  `json:"specialInstructions" doc:"Instructions for this specialist."`
	MemoryLabels        []int64 `json:"memoryLabels" nullable:"false" doc:"Labels of memories, by their ids: memories that carry one are recalled, those most like the question first."`
	Memories            []int64 `json:"memories" nullable:"false" doc:"Memories, by their ids."`
}

// AnalystSummary is how an agent ends a turn.
type AnalystSummary struct {
	Enabled             bool   `json:"enabled" doc:"Whether this specialist is switched on."`
	Name                string `json:"name" doc:"What people call it."`
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
	AgentName     *string                `json:"agentName,omitempty" doc:"1 to {characters} characters; left out of a new agent, prism-1 or the next number that is free."`
	Name          *string                `json:"name,omitempty" doc:"The same as agentName."`
	Description   *string                `json:"description,omitempty" doc:"At most {characters} characters."`
	Controller    *string                `json:"controller,omitempty" doc:"The base of the agent."`
	Agent         *string                `json:"agent,omitempty" doc:"The same as controller."`
	Provider      *string                `json:"provider,omitempty" doc:"One of analyst/analysts/active-models."`
	AgentParams   *AgentParamsRequest    `json:"agentParams,omitempty" doc:"Its modelProvider is the same as provider."`
	Model         *string                `json:"model,omitempty" doc:"One of analyst/analysts/active-models."`
	Instructions  *string                `json:"instructions,omitempty" doc:"For all that the agent does; at most {characters} characters, as each text of instructions."`
	General       *AnalystGeneralRequest `json:"general,omitempty"`
	KnowledgeBase *AnalystSectionRequest `json:"knowledgeBase,omitempty" doc:"What the analyst itself knows."`
	ChartReview   *AnalystSectionRequest `json:"chartReview,omitempty" doc:"The specialist for charts."`
	Insights      *AnalystSectionRequest `json:"insights,omitempty" doc:"The specialist for insights."`
	Summary       *AnalystSummaryRequest `json:"summary,omitempty" doc:"The specialist that closes a turn."`
	Connectors    *[]int64               `json:"connectors,omitempty" maxItems:"100" doc:"Data sources that people are offered with the agent."`
	ProjectLabels *LabelIDs              `json:"projectLabels,omitempty" maxItems:"100" doc:"The projects that it belongs to, by their ids."`
	Picture       *string                `json:"picture,omitempty" doc:"A data URL of a PNG, JPEG, GIF or WebP image of at most {bytes}, or a path of this server."`
	IsEnabled     *bool                  `json:"isEnabled,omitempty" doc:"Whether it is switched on."`
	Version       int                    `json:"version,omitempty" minimum:"0" doc:"Of a change: the version that it was made from."`
}

// TransformSchema implements huma.SchemaTransformer.
func (AnalystRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return limited(s, new(domain.AnalystUpdate).Limits(), "agentName", "name")
}

// AgentParamsRequest says who must run the model.
type AgentParamsRequest struct {
	_             struct{} `additionalProperties:"true"`
	ModelProvider *string  `json:"modelProvider,omitempty" doc:"Who provides the model."`
}

// AnalystGeneralRequest switches the general settings of an agent on and off.
type AnalystGeneralRequest struct {
	_       struct{} `additionalProperties:"true"`
	Enabled *bool    `json:"enabled,omitempty" doc:"Whether this specialist is switched on."`
}

// AnalystSectionRequest changes how a specialist works.
type AnalystSectionRequest struct {
	_                   struct{} `additionalProperties:"true"`
	Enabled             *bool    `json:"enabled,omitempty" doc:"Whether this specialist is switched on."`
	SpecialInstructions *string  `json:"specialInstructions,omitempty" doc:"Instructions for this specialist."`
	MemoryLabels        *[]int64 `json:"memoryLabels,omitempty" maxItems:"100" doc:"Labels of memories, by their ids: memories that carry one are recalled, those most like the question first."`
	Memories            *[]int64 `json:"memories,omitempty" maxItems:"100" doc:"Memories, by their ids."`
}

// AnalystSummaryRequest changes how an agent ends a turn.
type AnalystSummaryRequest struct {
	_                   struct{} `additionalProperties:"true"`
	Enabled             *bool    `json:"enabled,omitempty" doc:"Whether this specialist is switched on."`
	Name                *string  `json:"name,omitempty" doc:"The heading of the closing message."`
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
	Provider string `json:"provider" doc:"Who provides the model."`
	Model    string `json:"model" doc:"The model's name."`
}

// NewAgentModel converts a model.
func NewAgentModel(m *domain.AgentModel) AgentModel { return AgentModel(*m) }
