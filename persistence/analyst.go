package persistence

// Agents as they are read. Specialists and their settings are one JSON column (analystSettings);
// connectors and projects are arrays of ids, of which a caller sees those that they may use.
// Changes are in analyst_write.go.

import (
	"context"
	"encoding/json"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Analysts keep the agents of an organisation and their grants.
type Analysts struct{ *core }

var _ domain.AnalystService = Analysts{}

// analystPage is the size of a page where none was asked for.
const analystPage = 100

// Analyst implements domain.AnalystService.
func (s Analysts) Analyst(ctx context.Context, organisation, id int64) (*domain.Analyst, error) {
	return s.analyst(ctx, organisation, func(r *reading, into **dbsqlc.AnalystShown) { r.AnalystGet(id, into) })
}

// DefaultAnalyst implements domain.AnalystService.
func (s Analysts) DefaultAnalyst(ctx context.Context, organisation int64) (*domain.Analyst, error) {
	return s.agent(ctx, agentKey{organisation: organisation})
}

// UsableAnalyst implements domain.AnalystService. Whether the caller is a
// superuser is read from the row: a turn's caller may not know it any more.
func (s Analysts) UsableAnalyst(ctx context.Context, caller domain.Caller, id int64) (*domain.Analyst, error) {
	if id == 0 {
		return nil, domain.NotFound("Agent")
	}
	return s.agent(ctx, agentKey{caller.OrganisationID, caller.UserID, id})
}

// agent reads the agent of a prompt, together with those of other prompts.
func (s Analysts) agent(ctx context.Context, key agentKey) (*domain.Analyst, error) {
	found, err := gatheredCall(ctx, s.gathered.agents, key)
	if err == nil && found == nil {
		err = domain.NotFound("Agent")
	}
	return found, err
}

// analyst reads one agent with all its settings, without the caller's view of it.
func (s Analysts) analyst(
	ctx context.Context, organisation int64, queue func(r *reading, into **dbsqlc.AnalystShown),
) (*domain.Analyst, error) {
	var row *dbsqlc.AnalystShown
	err := s.asTenant(ctx, organisation, func(r *reading) { queue(r, &row) })
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NotFound("Agent")
	}
	return analystOf(row)
}

// AnalystFor implements domain.AnalystService.
func (s Analysts) AnalystFor(ctx context.Context, caller domain.Caller, id int64) (*domain.Analyst, error) {
	var row *dbsqlc.AnalystSeen
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.AnalystFor(&dbsqlc.AnalystForParams{UserID: caller.UserID, ID: id, IsSuperuser: domain.SeeAnalyst.MayOnOthers(caller)}, &row)
	})
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NotFound("Agent")
	}
	return analystSeen(row)
}

// Analysts implements domain.AnalystService.
func (s Analysts) Analysts(ctx context.Context, caller domain.Caller, f domain.AnalystFilter) (domain.List[domain.Analyst], error) {
	var (
		none domain.List[domain.Analyst]
		p    = pageOf(f.Page, analystPage)
	)
	if err := domain.CheckScopes(f.Scopes); err != nil {
		return none, err
	}
	conditions, err := conditionsOf(f.Conditions)
	if err != nil {
		return none, err
	}
	// Never nil, which would be NULL for the database.
	labels, pattern, scopes := append([]int64{}, f.ProjectLabels...), patternOf(f.Search), append([]string{}, f.Scopes...)
	rows, total, err := readPage(ctx, s.core, caller.OrganisationID, p, func(r *reading, w window, into *[]dbsqlc.AnalystSeen, total *int64) {
		r.AnalystList(&dbsqlc.AnalystListParams{
			UserID: caller.UserID, Scopes: scopes, OnlyEnabled: f.OnlyEnabled, IsSuperuser: domain.SeeAnalyst.MayOnOthers(caller),
			Labels: labels, Pattern: pattern, Conditions: conditions, Skip: w.skip, Size: w.size,
		}, into, total)
	})
	if err != nil {
		return none, err
	}
	list := domain.List[domain.Analyst]{Results: make([]domain.Analyst, len(rows)), Count: total}
	for i := range rows {
		a, err := analystSeen(&rows[i])
		if err != nil {
			return none, err
		}
		list.Results[i] = *a
	}
	return list, nil
}

// AnalystGrants implements domain.AnalystService.
func (s Analysts) AnalystGrants(ctx context.Context, caller domain.Caller, id int64) ([]domain.Grant, error) {
	// The right to see the agent is the right to see who may use it.
	if _, err := s.AnalystFor(ctx, caller, id); err != nil {
		return nil, err
	}
	var rows []dbsqlc.GrantShown
	if err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { r.AnalystGrantList(id, &rows) }); err != nil {
		return nil, err
	}
	return grantsOf(rows), nil
}

// analystSettings is how an agent's specialists are stored; its names are part of the schema.
type analystSettings struct {
	General struct {
		Disabled bool `json:"disabled,omitempty"`
	} `json:"general,omitzero"`
	Knowledge   analystSection `json:"knowledge,omitzero"`
	ChartReview analystSection `json:"chartReview,omitzero"`
	Insights    analystSection `json:"insights,omitzero"`
	Summary     struct {
		Disabled            bool   `json:"disabled,omitempty"`
		Name                string `json:"name,omitempty"`
		SpecialInstructions string `json:"specialInstructions,omitempty"`
	} `json:"summary,omitzero"`
}

// analystSection is how one specialist is stored.
type analystSection struct {
	Disabled            bool    `json:"disabled,omitempty"`
	SpecialInstructions string  `json:"specialInstructions,omitempty"`
	MemoryLabels        []int64 `json:"memoryLabels,omitempty"`
	Memories            []int64 `json:"memories,omitempty"`
}

// settingsJSON encodes the settings of an agent's specialists.
func settingsJSON(a *domain.Analyst) ([]byte, error) {
	stored := analystSettings{
		Knowledge: analystSection(a.Knowledge), ChartReview: analystSection(a.ChartReview),
		Insights: analystSection(a.Insights),
	}
	stored.General.Disabled = a.GeneralDisabled
	stored.Summary.Disabled, stored.Summary.Name, stored.Summary.SpecialInstructions = a.Summary.Disabled, a.Summary.Name,
		a.Summary.SpecialInstructions
	b, err := json.Marshal(stored)
	if err != nil {
		return nil, domain.Internal(err, "The settings of an agent could not be written.")
	}
	return b, nil
}

// analystSeen is an agent as the caller sees it, with the caller's own mark and right.
func analystSeen(r *dbsqlc.AnalystSeen) (*domain.Analyst, error) {
	a, err := analystOf(&r.AnalystShown)
	if err != nil {
		return nil, err
	}
	// Deleted projects, and connectors that the caller may not use, are left out.
	a.Permission, a.IsFavorite, a.ProjectLabels, a.Connectors = permissionOf(r.Rank), r.IsFavorite, r.LiveLabels, r.Usable
	return a, nil
}

// analystOf makes an agent of a row. An agent that belongs to the whole organization has no owner.
func analystOf(a *dbsqlc.AnalystShown) (*domain.Analyst, error) {
	var stored analystSettings
	if err := json.Unmarshal(a.Settings, &stored); err != nil {
		return nil, domain.Internal(err, "The settings of an agent could not be read.")
	}
	out := &domain.Analyst{
		ID: a.ID, OrganisationID: a.OrgID, Name: a.Name, Description: a.Description, Controller: a.Controller, Provider: a.Provider,
		Model:     a.Model,
		IsEnabled: a.IsEnabled, IsDefault: a.IsDefault, Instructions: a.Instructions, GeneralDisabled: stored.General.Disabled,
		Picture:   a.Picture,
		Knowledge: domain.AnalystSection(stored.Knowledge), ChartReview: domain.AnalystSection(stored.ChartReview),
		Insights:   domain.AnalystSection(stored.Insights),
		Summary:    domain.AnalystSummary(stored.Summary),
		Connectors: a.Connectors, ProjectLabels: a.ProjectLabels, Version: int(a.Version), UpdatedAt: utc(a.UpdatedAt),
	}
	if a.OwnerID != nil {
		out.Owner = &domain.Person{
			ID: *a.OwnerID, UUID: a.OwnerUuid.UUID, FullName: pointer.Value(a.OwnerName), Picture: pointer.Value(a.OwnerPicture),
		}
	}
	return out, nil
}
