package main

import (
	"context"

	"parley.dev/parley/domain"
)

// configured replaces the builtin planner, which the default agent is seeded with, by the
// model of the configuration.
type configured struct {
	domain.AnalystService
	model string
}

// give changes only the default agent, and only as long as no model was chosen for it.
func (c configured) give(a *domain.Analyst, err error) (*domain.Analyst, error) {
	if err == nil && a.IsDefault && a.Provider == builtinProvider {
		a.Provider, a.Model = openAIProvider, c.model
	}
	return a, err
}

func (c configured) Analyst(ctx context.Context, organisation, id int64) (*domain.Analyst, error) {
	return c.give(c.AnalystService.Analyst(ctx, organisation, id))
}

func (c configured) DefaultAnalyst(ctx context.Context, organisation int64) (*domain.Analyst, error) {
	return c.give(c.AnalystService.DefaultAnalyst(ctx, organisation))
}

func (c configured) UsableAnalyst(ctx context.Context, caller domain.Caller, id int64) (*domain.Analyst, error) {
	return c.give(c.AnalystService.UsableAnalyst(ctx, caller, id))
}

func (c configured) AnalystFor(ctx context.Context, caller domain.Caller, id int64) (*domain.Analyst, error) {
	return c.give(c.AnalystService.AnalystFor(ctx, caller, id))
}

func (c configured) Analysts(ctx context.Context, caller domain.Caller, f domain.AnalystFilter) (domain.List[domain.Analyst], error) {
	l, err := c.AnalystService.Analysts(ctx, caller, f)
	for i := range l.Results {
		_, err = c.give(&l.Results[i], err)
	}
	return l, err
}

// UpdateAnalyst does not store the model of the default agent when a form sends back the
// model that configured has put in: if it were stored, the agent would keep this model after
// the configuration changes.
// The comparison is with the stored agent, because the caller has seen the changed one.
func (c configured) UpdateAnalyst(ctx context.Context, caller domain.Caller, id int64, u domain.AnalystUpdate) (*domain.Analyst, error) {
	if u.Provider != nil && *u.Provider == openAIProvider && (u.Model == nil || *u.Model == c.model) {
		stored, err := c.AnalystService.Analyst(ctx, caller.OrganisationID, id)
		if err == nil && stored.IsDefault && stored.Provider == builtinProvider {
			u.Provider, u.Model = nil, nil
		}
	}
	return c.give(c.AnalystService.UpdateAnalyst(ctx, caller, id, u))
}

// The names of the providers, as agents store them.
const (
	builtinProvider  = "builtin"
	openAIProvider   = "openai"
	scriptedProvider = "scripted"
)

// models lists the models that an agent can use on this node, the default model first.
func (n *node) models() []domain.AgentModel {
	var list []domain.AgentModel
	if n.c.openAIURL != "" {
		list = append(list, domain.AgentModel{Provider: openAIProvider, Model: n.c.openAIModel})
	}
	list = append(list, domain.AgentModel{Provider: builtinProvider, Model: builtinProvider})
	if n.c.scripted {
		list = append(list, domain.AgentModel{Provider: scriptedProvider, Model: scriptedProvider})
	}
	return list
}
