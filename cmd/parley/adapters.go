package main

import (
	"context"

	"parley.dev/parley/domain"
)

// configured gives the default agent the model of the configuration instead of
// the builtin planner that it is seeded with.
type configured struct {
	domain.AnalystService
	model string
}

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

// UpdateAnalyst leaves the stored model of the default agent alone where a form
// sends back the one that it was given here: otherwise it would stay when the
// configuration changes.
func (c configured) UpdateAnalyst(ctx context.Context, caller domain.Caller, id int64, u domain.AnalystUpdate) (*domain.Analyst, error) {
	if u.Provider != nil && *u.Provider == openAIProvider && (u.Model == nil || *u.Model == c.model) {
		stored, err := c.AnalystService.Analyst(ctx, caller.OrganisationID, id)
		if err == nil && stored.IsDefault && stored.Provider == builtinProvider {
			u.Provider, u.Model = nil, nil
		}
	}
	return c.give(c.AnalystService.UpdateAnalyst(ctx, caller, id, u))
}

// The providers by the names that agents have them under.
const (
	builtinProvider  = "builtin"
	openAIProvider   = "openai"
	scriptedProvider = "scripted"
)

// models are what agents can be given on this node, the usual one first.
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
