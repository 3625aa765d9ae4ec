package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// keeper fakes the store. It has the default agent as it is seeded, with id 1; any other id is a person's agent.
type keeper struct {
	domain.AnalystService
	updated domain.AnalystUpdate
}

func (k *keeper) Analyst(_ context.Context, _, id int64) (*domain.Analyst, error) {
	return &domain.Analyst{ID: id, Provider: "builtin", Model: "builtin", IsDefault: id == 1}, nil
}

func (k *keeper) DefaultAnalyst(ctx context.Context, organisation int64) (*domain.Analyst, error) {
	return k.Analyst(ctx, organisation, 1)
}

func (k *keeper) UsableAnalyst(ctx context.Context, c domain.Caller, id int64) (*domain.Analyst, error) {
	return k.Analyst(ctx, c.OrganisationID, id)
}

func (k *keeper) AnalystFor(ctx context.Context, c domain.Caller, id int64) (*domain.Analyst, error) {
	return k.Analyst(ctx, c.OrganisationID, id)
}

func (k *keeper) Analysts(context.Context, domain.Caller, domain.AnalystFilter) (domain.List[domain.Analyst], error) {
	return domain.List[domain.Analyst]{Results: []domain.Analyst{{Provider: "builtin", IsDefault: true}, {Provider: "builtin"}}, Count: 2}, nil
}

func (k *keeper) UpdateAnalyst(ctx context.Context, c domain.Caller, id int64, u domain.AnalystUpdate) (*domain.Analyst, error) {
	k.updated = u
	return k.Analyst(ctx, c.OrganisationID, id)
}

func TestConfigured(t *testing.T) {
	t.Parallel()
	k := &keeper{}
	c := configured{k, "large"}
	ctx := t.Context()
	t.Run("DefaultAgentHasTheModelOfTheConfiguration", func(t *testing.T) {
		for name, read := range map[string]func() (*domain.Analyst, error){
			"Analyst":        func() (*domain.Analyst, error) { return c.Analyst(ctx, 1, 1) },
			"DefaultAnalyst": func() (*domain.Analyst, error) { return c.DefaultAnalyst(ctx, 1) },
			"UsableAnalyst":  func() (*domain.Analyst, error) { return c.UsableAnalyst(ctx, domain.Caller{}, 1) },
			"AnalystFor":     func() (*domain.Analyst, error) { return c.AnalystFor(ctx, domain.Caller{}, 1) },
		} {
			a, err := read()
			require.NoError(t, err)
			require.Equal(t, "openai/large", a.Provider+"/"+a.Model, name)
		}
		list, err := c.Analysts(ctx, domain.Caller{}, domain.AnalystFilter{})
		require.NoError(t, err)
		require.Equal(t, []string{"openai", "builtin"}, []string{list.Results[0].Provider, list.Results[1].Provider})
		other, err := c.Analyst(ctx, 1, 2)
		require.NoError(t, err)
		require.Equal(t, "builtin", other.Provider, "another agent keeps its own model")
	})
	t.Run("ConfiguredModelIsNotStoredWhenAFormSendsItBack", func(t *testing.T) {
		provider, model := "openai", "large"
		a, err := c.UpdateAnalyst(ctx, domain.Caller{}, 1, domain.AnalystUpdate{Provider: &provider, Model: &model})
		require.NoError(t, err)
		require.Nil(t, k.updated.Provider)
		require.Nil(t, k.updated.Model)
		require.Equal(t, "openai", a.Provider)
		_, err = c.UpdateAnalyst(ctx, domain.Caller{}, 2, domain.AnalystUpdate{Provider: &provider, Model: &model})
		require.NoError(t, err)
		require.Equal(t, &provider, k.updated.Provider)
	})
}

func TestNode_models(t *testing.T) {
	t.Parallel()
	models := func(c config) []domain.AgentModel { return (&node{c: &c}).models() }
	require.Equal(t, []domain.AgentModel{{Provider: "builtin", Model: "builtin"}}, models(config{}))
	require.Equal(t, []domain.AgentModel{
		{Provider: "openai", Model: "m"},
		{Provider: "builtin", Model: "builtin"},
		{Provider: "scripted", Model: "scripted"},
	},
		models(config{openAIURL: "http://x", openAIModel: "m", scripted: true}))
}
