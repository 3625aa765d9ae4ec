package persistence_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// available are the models of the tests' node.
func available() []domain.AgentModel {
	return []domain.AgentModel{
		{Provider: "builtin", Model: "builtin"},
		{Provider: "openai", Model: "large"},
		{Provider: "openai", Model: "small"},
	}
}

// agents is a store with its people, and one of Anna's agents.
type agents struct {
	persistence.Analysts
	store                  *persistence.Store
	t                      *testing.T
	url                    string
	anna, ben, cleo, doris domain.Caller
	root                   domain.Caller // a second superuser of Acme
	elsewhere              domain.Caller // a superuser of Beta
	mine                   *domain.Analyst
	prism                  *domain.Analyst
	types, labels          map[string]int64
}

func openAgents(t *testing.T) *agents {
	t.Helper()
	url := persistencetest.URL(t)
	s := persistencetest.OpenURL(t, url)
	world := persistencetest.World()
	world.Organisations[0].People = append(world.Organisations[0].People, persistence.SeedPerson{
		Email: "root@acme.test", FullName: "Root",
		IsSuperuser: true,
	})
	world.Organisations[1].People = append(world.Organisations[1].People, persistence.SeedPerson{
		Email:    "root@beta.test",
		FullName: "Other Root", IsSuperuser: true,
	})
	require.NoError(t, s.Samples.Seed(t.Context(), world))
	a := &agents{
		Analysts: s.Analysts, store: s, t: t, url: url, anna: persistencetest.Caller(t, s, persistencetest.Anna),
		ben:  persistencetest.Caller(t, s, persistencetest.Ben),
		cleo: persistencetest.Caller(t, s, persistencetest.Cleo), doris: persistencetest.Caller(t, s, persistencetest.Doris),
		root: persistencetest.Caller(t, s, "root@acme.test"), elsewhere: persistencetest.Caller(t, s, "root@beta.test"),
	}
	a.types, a.labels = words(t, s, a.anna)
	a.mine = a.create(domain.AnalystUpdate{Name: ptr("Finance"), Description: ptr("For the board")})
	var err error
	a.prism, err = s.Analysts.DefaultAnalyst(t.Context(), a.anna.OrganisationID)
	require.NoError(t, err)
	return a
}

func (a *agents) create(u domain.AnalystUpdate) *domain.Analyst {
	a.t.Helper()
	u.Available = available()
	agent, err := a.CreateAnalyst(a.t.Context(), a.anna, u)
	require.NoError(a.t, err)
	return agent
}

func (a *agents) update(c domain.Caller, id int64, u domain.AnalystUpdate) (*domain.Analyst, error) {
	u.Available = available()
	return a.UpdateAnalyst(a.t.Context(), c, id, u)
}

func (a *agents) share(kind domain.GranteeType, id int64, p domain.Permission) error {
	return a.SetAnalystGrants(a.t.Context(), a.anna, a.mine.ID, []domain.Grant{{Grantee: domain.Grantee{ID: id, Type: kind}, Permission: p}})
}

// list are the names that a person is shown.
func (a *agents) list(c domain.Caller, f domain.AnalystFilter) []string {
	a.t.Helper()
	l, err := a.Analysts.Analysts(a.t.Context(), c, f)
	require.NoError(a.t, err)
	require.Len(a.t, l.Results, l.Count)
	out := []string{}
	for i := range l.Results {
		out = append(out, l.Results[i].Name)
	}
	return out
}

func TestStore_CreateAnalyst(t *testing.T) {
	t.Parallel()
	a := openAgents(t)
	ctx := t.Context()

	t.Run("Defaults", func(t *testing.T) {
		require.Equal(t, domain.AnalystController, a.mine.Controller)
		require.Equal(t, "builtin", a.mine.Provider)
		require.Equal(t, "builtin", a.mine.Model)
		require.Equal(t, domain.PermissionOwner, a.mine.Permission)
		require.Equal(t, a.anna.UserID, a.mine.Owner.ID)
		require.True(t, a.mine.IsEnabled)
		require.False(t, a.mine.IsDefault)
		require.Equal(t, 1, a.mine.Version)
	})
	t.Run("NextFreeNameOfTheDefault", func(t *testing.T) {
		require.Equal(t, "prism-2", a.create(domain.AnalystUpdate{}).Name)
		require.Equal(t, "prism-3", a.create(domain.AnalystUpdate{}).Name)
	})
	t.Run("Model", func(t *testing.T) {
		for _, row := range []struct {
			provider, model *string
			want            domain.AgentModel
			field           string
		}{
			{ptr("openai"), nil, domain.AgentModel{Provider: "openai", Model: "large"}, ""},
			{ptr("openai"), ptr("small"), domain.AgentModel{Provider: "openai", Model: "small"}, ""},
			{nil, ptr("small"), domain.AgentModel{Provider: "openai", Model: "small"}, ""},
			{ptr("openai"), ptr("huge"), domain.AgentModel{}, "model"},
			{ptr("scripted"), nil, domain.AgentModel{}, "provider"},
			{ptr("builtin"), ptr("large"), domain.AgentModel{}, "model"},
		} {
			u := domain.AnalystUpdate{Provider: row.provider, Model: row.model, Available: available()}
			got, err := a.CreateAnalyst(ctx, a.anna, u)
			if row.field != "" {
				requireFields(t, err, row.field)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, row.want, domain.AgentModel{Provider: got.Provider, Model: got.Model})
		}
		_, err := a.CreateAnalyst(ctx, a.anna, domain.AnalystUpdate{})
		requireFields(t, err, "provider")
	})
	t.Run("Settings", func(t *testing.T) {
		m, err := a.store.Memories.CreateMemory(ctx, a.anna, domain.NewMemory{Name: "n", Question: "q", Response: "r", TypeID: a.types["Query"]})
		require.NoError(t, err)
		agent := a.create(domain.AnalystUpdate{
			Name: ptr("Settled"), Instructions: ptr("All in euros."),
			Knowledge: domain.AnalystSectionUpdate{
				SpecialInstructions: ptr("k"), Memories: &[]int64{m.ID, m.ID},
				MemoryLabels: &[]int64{a.labels["Sales"]},
			},
			General:     ptr(false),
			ChartReview: domain.AnalystSectionUpdate{Enabled: ptr(false)},
			Summary:     domain.AnalystSummaryUpdate{Name: ptr(" In short "), SpecialInstructions: ptr("s")},
		})
		stored, err := a.Analyst(ctx, a.anna.OrganisationID, agent.ID)
		require.NoError(t, err)
		require.Equal(t, domain.AnalystSection{SpecialInstructions: "k", Memories: []int64{m.ID}, MemoryLabels: []int64{a.labels["Sales"]}},
			stored.Knowledge)
		require.True(t, stored.GeneralDisabled)
		require.Equal(t, domain.AnalystSection{Disabled: true}, stored.ChartReview)
		require.Equal(t, domain.AnalystSection{}, stored.Insights)
		require.Equal(t, domain.AnalystSummary{Name: "In short", SpecialInstructions: "s"}, stored.Summary)
		require.Equal(t, "All in euros.", stored.Instructions)

		// A form that still names a deleted memory is not refused.
		require.NoError(t, a.store.Memories.DeleteMemory(ctx, a.anna, m.ID))
		kept, err := a.update(a.anna, agent.ID, domain.AnalystUpdate{Knowledge: domain.AnalystSectionUpdate{Memories: &[]int64{m.ID}}})
		require.NoError(t, err)
		require.Empty(t, kept.Knowledge.Memories)
		require.Equal(t, "k", kept.Knowledge.SpecialInstructions, "what is not named stays")
	})
	t.Run("ErrAllAtOnce", func(t *testing.T) {
		_, theirs := words(t, a.store, a.doris)
		_, err := a.CreateAnalyst(ctx, a.anna, domain.AnalystUpdate{
			Name: ptr("Finance"), Provider: ptr("nobody"), Available: available(), Connectors: &[]int64{1 << 40}, ProjectLabels: &[]int64{1 << 40},
			Knowledge: domain.AnalystSectionUpdate{Memories: &[]int64{1 << 40}},
			Insights:  domain.AnalystSectionUpdate{MemoryLabels: &[]int64{theirs["Sales"]}},
		})
		requireFields(t, err, "provider", "name", "connectors", "projectLabels", "knowledgeBase.memories", "insights.memoryLabels")
	})
	t.Run("Once", func(t *testing.T) { // D11
		u := domain.AnalystUpdate{Name: ptr("Once"), Key: domain.IdempotencyKey{Key: "a", Body: [32]byte{1}}}
		first := a.create(u)
		require.Equal(t, first.ID, a.create(u).ID)
		u.Key.Body, u.Available = [32]byte{2}, available()
		_, err := a.CreateAnalyst(ctx, a.anna, u)
		requireCode(t, domain.CodeInvalid, err)
	})
	t.Run("SameNameElsewhere", func(t *testing.T) {
		_, err := a.CreateAnalyst(ctx, a.elsewhere, domain.AnalystUpdate{Name: ptr("Finance"), Available: available()})
		require.NoError(t, err)
	})
	t.Run("ErrNotFound", func(t *testing.T) { // B13
		_, err := a.CreateAnalyst(ctx, a.ben, domain.AnalystUpdate{Name: ptr("Mine"), Available: available()})
		requireCode(t, domain.CodeNotFound, err)
	})
}

// This test checks the rights of agents for each person: B13, B11.
func TestStore_AnalystRights(t *testing.T) {
	t.Parallel()
	a := openAgents(t)
	ctx := t.Context()
	require.NoError(t, a.share(domain.GranteeUser, a.ben.UserID, domain.PermissionRead))
	everybody := map[string]domain.Caller{
		"owner": a.anna, "reader": a.ben, "member": a.cleo, "superuser": a.root, "other": a.doris,
		"superuser elsewhere": a.elsewhere,
	}
	off := domain.AnalystUpdate{IsEnabled: ptr(false)}
	grants := []domain.Grant{{Grantee: domain.Grantee{ID: a.cleo.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRead}}

	t.Run("See", func(t *testing.T) {
		for who, want := range map[string]domain.Code{
			"owner": "", "reader": "", "member": domain.CodeNotFound, "superuser": "",
			"other": domain.CodeNotFound, "superuser elsewhere": domain.CodeNotFound,
		} {
			c := everybody[who]
			_, err := a.AnalystFor(ctx, c, a.mine.ID)
			require.Equal(t, want, domain.CodeOf(err), who)
			_, err = a.UsableAnalyst(ctx, c, a.mine.ID)
			require.Equal(t, want, domain.CodeOf(err), who)
			_, err = a.AnalystGrants(ctx, c, a.mine.ID)
			require.Equal(t, want, domain.CodeOf(err), who)
			require.Equal(t, want, domain.CodeOf(a.SetAnalystFavorite(ctx, c, a.mine.ID, false)), who)
			require.Equal(t, want == "", len(a.list(c, domain.AnalystFilter{Search: "board"})) == 1, who)
			_, err = a.UsableAnalyst(ctx, c, a.prism.ID)
			require.Equal(t, c.OrganisationID == a.anna.OrganisationID, err == nil, who)
		}
	})
	t.Run("Change", func(t *testing.T) {
		for who, want := range map[string]domain.Code{
			"owner": "", "reader": domain.CodeForbidden, "member": domain.CodeNotFound,
			"superuser": "", "other": domain.CodeNotFound, "superuser elsewhere": domain.CodeNotFound,
		} {
			_, err := a.update(everybody[who], a.mine.ID, domain.AnalystUpdate{Description: ptr("For the board")})
			require.Equal(t, want, domain.CodeOf(err), who)
		}
		_, err := a.update(a.ben, a.mine.ID, domain.AnalystUpdate{Name: ptr(" ")})
		requireCode(t, domain.CodeForbidden, err)
		_, err = a.update(a.cleo, a.mine.ID, domain.AnalystUpdate{Name: ptr(" ")})
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("ShareAndDelete", func(t *testing.T) {
		for who, want := range map[string]domain.Code{
			"reader": domain.CodeForbidden, "member": domain.CodeNotFound,
			"superuser": domain.CodeForbidden, "other": domain.CodeNotFound, "superuser elsewhere": domain.CodeNotFound,
		} {
			require.Equal(t, want, domain.CodeOf(a.SetAnalystGrants(ctx, everybody[who], a.mine.ID, grants)), who)
			require.Equal(t, want, domain.CodeOf(a.DeleteAnalyst(ctx, everybody[who], a.mine.ID)), who)
		}
		for who, want := range map[string]domain.Code{
			"owner": domain.CodeForbidden, "reader": domain.CodeForbidden,
			"other": domain.CodeNotFound,
		} {
			require.Equal(t, want, domain.CodeOf(a.DeleteAnalyst(ctx, everybody[who], a.prism.ID)), who)
			require.Equal(t, want, domain.CodeOf(a.SetAnalystGrants(ctx, everybody[who], a.prism.ID, grants)), who)
		}
		_, err := a.AnalystFor(ctx, a.cleo, a.mine.ID)
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("Disabled", func(t *testing.T) {
		_, err := a.update(a.root, a.mine.ID, off)
		require.NoError(t, err)
		_, err = a.AnalystFor(ctx, a.ben, a.mine.ID)
		requireCode(t, domain.CodeNotFound, err)
		_, err = a.update(a.ben, a.mine.ID, off)
		requireCode(t, domain.CodeNotFound, err)
		usable, err := a.UsableAnalyst(ctx, a.ben, a.mine.ID)
		require.NoError(t, err)
		require.False(t, usable.IsEnabled, "a caller learns that the agent is switched off")
		for _, c := range []domain.Caller{a.anna, a.root} {
			require.NotContains(t, a.list(c, domain.AnalystFilter{OnlyEnabled: true}), "Finance")
			require.Contains(t, a.list(c, domain.AnalystFilter{}), "Finance")
		}
		require.NotContains(t, a.list(a.ben, domain.AnalystFilter{}), "Finance")
	})
	t.Run("Deleted", func(t *testing.T) {
		require.NoError(t, a.DeleteAnalyst(ctx, a.anna, a.mine.ID))
		requireCode(t, domain.CodeNotFound, a.DeleteAnalyst(ctx, a.anna, a.mine.ID))
		require.NotContains(t, a.list(a.anna, domain.AnalystFilter{}), "Finance")
	})
}

func TestStore_UpdateAnalyst(t *testing.T) {
	t.Parallel()
	a := openAgents(t)
	ctx := t.Context()

	t.Run("ErrConflict", func(t *testing.T) { // D12
		first, err := a.update(a.root, a.mine.ID, domain.AnalystUpdate{Description: ptr("theirs"), Version: 1})
		require.NoError(t, err)
		require.Equal(t, 2, first.Version)
		_, err = a.update(a.anna, a.mine.ID, domain.AnalystUpdate{Description: ptr("mine"), Version: 1})
		requireCode(t, domain.CodeConflict, err)
	})
	t.Run("ErrDefault", func(t *testing.T) {
		_, err := a.update(a.anna, a.prism.ID, domain.AnalystUpdate{IsEnabled: ptr(false)})
		requireFields(t, err, "isEnabled")
		_, err = a.update(a.anna, a.prism.ID, domain.AnalystUpdate{General: ptr(false)})
		requireFields(t, err, "general.enabled")
		_, err = a.update(a.anna, a.prism.ID, domain.AnalystUpdate{Name: ptr("Finance")})
		requireFields(t, err, "name")
	})
	t.Run("DefaultByAnotherName", func(t *testing.T) {
		_, err := a.update(a.anna, a.prism.ID, domain.AnalystUpdate{Name: ptr("Prism")})
		require.NoError(t, err)
		require.NoError(t, a.store.Samples.Seed(ctx, persistencetest.World()), "the next start of the node finds it")
		again, err := a.DefaultAnalyst(ctx, a.anna.OrganisationID)
		require.NoError(t, err)
		require.Equal(t, a.prism.ID, again.ID)
		require.Equal(t, "Prism", again.Name)
	})
	t.Run("KeepsAModelThatIsGone", func(t *testing.T) {
		load := a.list(a.anna, domain.AnalystFilter{Search: persistencetest.LoadTest().Name})
		require.Equal(t, []string{persistencetest.LoadTest().Name}, load)
		l, err := a.Analysts.Analysts(ctx, a.anna, domain.AnalystFilter{Search: persistencetest.LoadTest().Name})
		require.NoError(t, err)
		same, err := a.update(a.anna, l.Results[0].ID, domain.AnalystUpdate{
			Description: ptr("d"), Provider: ptr("scripted"),
			Model: ptr("scripted"),
		})
		require.NoError(t, err)
		require.Equal(t, "scripted", same.Provider)
		_, err = a.update(a.anna, a.mine.ID, domain.AnalystUpdate{Provider: ptr("scripted")})
		requireFields(t, err, "provider")
	})
	// An update by a person who does not see a data source neither reveals nor removes it.
	t.Run("EmptyLists", func(t *testing.T) {
		none := &[]int64{}
		seen, err := a.update(a.anna, a.mine.ID, domain.AnalystUpdate{Connectors: none, ProjectLabels: none})
		require.NoError(t, err)
		require.Empty(t, seen.Connectors)
		made, err := a.CreateAnalyst(ctx, a.root, domain.AnalystUpdate{
			Name: ptr("Empty"), Available: available(), Connectors: none,
			ProjectLabels: none,
		})
		require.NoError(t, err)
		require.NoError(t, a.DeleteAnalyst(ctx, a.root, made.ID))
	})
	t.Run("Connectors", func(t *testing.T) {
		source := func(c domain.Caller) int64 {
			d, err := a.store.DataSources.CreateDataSource(ctx, c, domain.NewDataSource{Name: "n", Description: "d", Type: domain.DataSourceCSV})
			require.NoError(t, err)
			return d.ID
		}
		annas, roots := source(a.anna), source(a.root)
		_, err := a.update(a.root, a.mine.ID, domain.AnalystUpdate{Connectors: &[]int64{annas}})
		requireFields(t, err, "connectors")
		seen, err := a.update(a.anna, a.mine.ID, domain.AnalystUpdate{Connectors: &[]int64{annas}})
		require.NoError(t, err)
		require.Equal(t, []int64{annas}, seen.Connectors)
		seen, err = a.update(a.root, a.mine.ID, domain.AnalystUpdate{Connectors: &[]int64{roots}})
		require.NoError(t, err)
		require.Equal(t, []int64{roots}, seen.Connectors, "only what the caller may use is shown")
		stored, err := a.Analyst(ctx, a.anna.OrganisationID, a.mine.ID)
		require.NoError(t, err)
		require.Equal(t, []int64{annas, roots}, stored.Connectors)
		seen, err = a.update(a.anna, a.mine.ID, domain.AnalystUpdate{Connectors: &[]int64{}})
		require.NoError(t, err)
		require.Empty(t, seen.Connectors)
	})
	t.Run("ProjectLabels", func(t *testing.T) {
		l, err := a.store.ProjectLabels.CreateProjectLabel(ctx, a.ben, domain.ProjectLabelDraft{Name: "P", Description: "d", Color: "Royal Blue"})
		require.NoError(t, err)
		seen, err := a.update(a.anna, a.mine.ID, domain.AnalystUpdate{ProjectLabels: &[]int64{l.ID}})
		require.NoError(t, err)
		require.Equal(t, []int64{l.ID}, seen.ProjectLabels)
		require.Equal(t, []string{"Finance"}, a.list(a.anna, domain.AnalystFilter{ProjectLabels: []int64{l.ID}}))
		require.NoError(t, a.store.ProjectLabels.DeleteProjectLabel(ctx, a.ben, l.ID))
		seen, err = a.AnalystFor(ctx, a.anna, a.mine.ID)
		require.NoError(t, err)
		require.Empty(t, seen.ProjectLabels)
	})
}

func TestStore_AnalystGrants(t *testing.T) {
	t.Parallel()
	a := openAgents(t)
	ctx := t.Context()
	var sales int64
	entities, err := a.store.Users.ShareableEntities(ctx, a.anna, "", domain.Page{})
	require.NoError(t, err)
	for _, g := range entities.Results {
		if g.Type == domain.GranteeTeam {
			sales = g.ID
		}
	}
	require.NotZero(t, sales)

	t.Run("Team", func(t *testing.T) {
		require.NoError(t, a.share(domain.GranteeTeam, sales, domain.PermissionRead))
		require.NoError(t, a.share(domain.GranteeTeam, sales, domain.PermissionRead), "again is no error")
		require.Equal(t, []string{"Finance"}, a.list(a.ben, domain.AnalystFilter{Scopes: []string{"shared"}}), "by the team")
		require.Empty(t, a.list(a.cleo, domain.AnalystFilter{Scopes: []string{"shared"}}))
		list, err := a.AnalystGrants(ctx, a.ben, a.mine.ID)
		require.NoError(t, err)
		require.Len(t, list, 2)
		require.Equal(t, domain.PermissionOwner, list[0].Permission)
		require.Equal(t, domain.Grantee{ID: sales, Type: domain.GranteeTeam, Name: "Sales"}, list[1].Grantee)
		require.NoError(t, a.share(domain.GranteeTeam, sales, domain.PermissionRemove))
		require.Empty(t, a.list(a.ben, domain.AnalystFilter{Scopes: []string{"shared"}}))
		_, err = a.UsableAnalyst(ctx, a.ben, a.mine.ID)
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("Person", func(t *testing.T) {
		require.NoError(t, a.share(domain.GranteeUser, a.cleo.UserID, domain.PermissionRemove), "removing no grant is no error")
		require.NoError(t, a.share(domain.GranteeUser, a.cleo.UserID, domain.PermissionRead))
		seen, err := a.AnalystFor(ctx, a.cleo, a.mine.ID)
		require.NoError(t, err)
		require.Equal(t, domain.PermissionRead, seen.Permission)
	})
	t.Run("ErrInvalid", func(t *testing.T) { // B06
		for name, g := range map[string]domain.Grant{
			"write":        {Grantee: domain.Grantee{ID: a.ben.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionWrite},
			"owner":        {Grantee: domain.Grantee{ID: a.anna.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRemove},
			"another's":    {Grantee: domain.Grantee{ID: a.doris.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
			"unknown":      {Grantee: domain.Grantee{ID: 1 << 40, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
			"unknown team": {Grantee: domain.Grantee{ID: 1 << 40, Type: domain.GranteeTeam}, Permission: domain.PermissionRead},
			"organisation": {Grantee: domain.Grantee{ID: 1, Type: domain.GranteeOrganisation}, Permission: domain.PermissionRead},
		} {
			err := a.SetAnalystGrants(ctx, a.anna, a.mine.ID, []domain.Grant{g})
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%s: %v", name, err)
		}
		list, err := a.AnalystGrants(ctx, a.anna, a.mine.ID)
		require.NoError(t, err)
		require.Len(t, list, 2)
	})
	t.Run("Everybodys", func(t *testing.T) {
		list, err := a.AnalystGrants(ctx, a.cleo, a.prism.ID)
		require.NoError(t, err)
		require.Empty(t, list)
	})
}

func TestStore_AnalystList(t *testing.T) {
	t.Parallel()
	a := openAgents(t)
	ctx := t.Context()
	j := startJournal(t, a.store, persistence.JournalConfig{})

	require.Equal(t, []string{"prism-1", "Finance", "load-test"}, a.list(a.anna, domain.AnalystFilter{}),
		"the default one first, then by name")
	require.Equal(t, []string{"prism-1", "load-test"}, a.list(a.ben, domain.AnalystFilter{}))
	require.Equal(t, []string{"prism-1", "load-test"}, a.list(a.anna, domain.AnalystFilter{Scopes: []string{"organization"}}))
	require.Equal(t, []string{"Finance"}, a.list(a.anna, domain.AnalystFilter{Scopes: []string{"owned"}}))
	require.Empty(t, a.list(a.root, domain.AnalystFilter{Scopes: []string{"owned"}}), "an administrator is not an owner")
	require.Empty(t, a.list(a.root, domain.AnalystFilter{Scopes: []string{"shared"}}))
	require.Equal(t, []string{"Finance"}, a.list(a.anna, domain.AnalystFilter{Search: "BOARD"}))
	_, err := a.Analysts.Analysts(ctx, a.anna, domain.AnalystFilter{Scopes: []string{"x"}})
	requireCode(t, domain.CodeInvalid, err)
	page, err := a.Analysts.Analysts(ctx, a.anna, domain.AnalystFilter{Page: domain.Page{Number: 2, Size: 1}})
	require.NoError(t, err)
	require.Equal(t, 3, page.Count)
	require.Equal(t, "Finance", page.Results[0].Name)

	filtered := func(c domain.Caller, raw ...string) []string {
		conditions, err := domain.ParseFilters(raw, domain.AnalystFields())
		require.NoError(t, err)
		return a.list(c, domain.AnalystFilter{Conditions: conditions})
	}
	require.Equal(t, []string{"Finance"}, filtered(a.anna, "name:contains:FIN", "isEnabled:eq:true"))
	require.Equal(t, []string{"prism-1", "load-test"}, filtered(a.anna, "name:neq:Finance", "updatedAt:gt:2020-01-01"))
	require.Equal(t, []string{"load-test"}, filtered(a.anna, "modelProvider:eq:scripted"))
	require.Empty(t, filtered(a.ben, "name:eq:Finance"), "a filter shows no hidden agent")

	t.Run("ScopesTogether", func(t *testing.T) {
		require.NoError(t, a.SetAnalystFavorite(ctx, a.anna, a.prism.ID, true))
		require.NoError(t, a.SetAnalystFavorite(ctx, a.anna, a.mine.ID, true))
		require.Equal(t, []string{"Finance"}, a.list(a.anna, domain.AnalystFilter{Scopes: []string{"favorite", "owned"}}))
		require.Equal(t, []string{"prism-1"}, a.list(a.anna, domain.AnalystFilter{Scopes: []string{"organization", "favorite"}}))
		require.Empty(t, a.list(a.anna, domain.AnalystFilter{Scopes: []string{"organization", "owned"}}))
		require.NoError(t, a.SetAnalystFavorite(ctx, a.anna, a.prism.ID, false))
		require.NoError(t, a.SetAnalystFavorite(ctx, a.anna, a.mine.ID, false))
	})
	t.Run("Favorites", func(t *testing.T) {
		require.NoError(t, a.SetAnalystFavorite(ctx, a.ben, a.prism.ID, true))
		require.NoError(t, a.SetAnalystFavorite(ctx, a.ben, a.prism.ID, true))
		require.Equal(t, []string{"prism-1"}, a.list(a.ben, domain.AnalystFilter{Scopes: []string{"favorite"}}))
		require.Empty(t, a.list(a.anna, domain.AnalystFilter{Scopes: []string{"favorite"}}), "the mark is each person's own")
		seen, err := a.AnalystFor(ctx, a.ben, a.prism.ID)
		require.NoError(t, err)
		require.True(t, seen.IsFavorite)
		require.NoError(t, a.SetAnalystFavorite(ctx, a.ben, a.prism.ID, false))
		require.Empty(t, a.list(a.ben, domain.AnalystFilter{Scopes: []string{"favorite"}}))
	})
	t.Run("Recent", func(t *testing.T) {
		require.Empty(t, a.list(a.anna, domain.AnalystFilter{Scopes: []string{"recent"}}))
		talk := func(c string, agent *domain.Analyst) {
			o := own(t, a.store, j, c)
			turn, prompt := o.prompt("?")
			o.must(domain.Write{
				Events: []domain.Event{event(domain.EventMessageCreated)},
				Messages: []domain.Message{{
					ID: uuid.New(), TurnID: turn, ParentID: prompt, Seq: o.NextSeq, Generation: o.Generation, Role: domain.RoleAssistant,
					Status: domain.MessageStreaming, AnalystID: agent.ID, AnalystName: agent.Name,
				}},
			})
		}
		talk(persistencetest.Anna, a.prism)
		talk(persistencetest.Anna, a.mine)
		require.Equal(t, []string{"Finance", "prism-1"}, a.list(a.anna, domain.AnalystFilter{Scopes: []string{"recent"}}), "latest first")
		require.Empty(t, a.list(a.root, domain.AnalystFilter{Scopes: []string{"recent"}}), "it is each person's own")
	})
}
