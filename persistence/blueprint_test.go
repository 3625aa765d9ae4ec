package persistence_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// blueprints is a store with the people of Acme and one of Beta.
type blueprints struct {
	persistence.Blueprints
	store                  *persistence.Store
	url                    string
	anna, ben, cleo, doris domain.Caller
}

func openBlueprints(t *testing.T) *blueprints {
	t.Helper()
	s, url := openURL(t)
	return &blueprints{
		Blueprints: s.Blueprints, store: s, url: url,
		anna: persistencetest.Caller(t, s, persistencetest.Anna), ben: persistencetest.Caller(t, s, persistencetest.Ben),
		cleo: persistencetest.Caller(t, s, persistencetest.Cleo), doris: persistencetest.Caller(t, s, persistencetest.Doris),
	}
}

// make makes a blueprint with steps of these names.
func (s *blueprints) make(t *testing.T, caller domain.Caller, name string, steps ...string) *domain.Blueprint {
	t.Helper()
	d := domain.BlueprintDraft{Name: name, Steps: &[]domain.StepDraft{}}
	for _, step := range steps {
		*d.Steps = append(*d.Steps, domain.StepDraft{Name: step, DetailedInstructions: ptr("Do " + step)})
	}
	b, err := s.CreateBlueprint(t.Context(), caller, d)
	require.NoError(t, err)
	return b
}

// share gives a person of the organisation, or a team, the right to read.
func (s *blueprints) share(t *testing.T, b *domain.Blueprint, kind domain.GranteeType, id int64, p domain.Permission) {
	t.Helper()
	require.NoError(t, s.SetBlueprintGrants(t.Context(), s.anna, b.ID,
		[]domain.Grant{{Grantee: domain.Grantee{ID: id, Type: kind}, Permission: p}}))
}

// own makes a data source that only the caller may use.
func (s *blueprints) own(t *testing.T, caller domain.Caller) int64 {
	t.Helper()
	d, err := createSource(t, s.store, caller, domain.NewDataSource{
		Name: "Mine", Description: "D", Type: domain.DataSourceCSV, FileKey: "f", Resources: []domain.DataResource{{Name: "t", Table: "t"}},
	})
	require.NoError(t, err)
	return d.ID
}

// orders is the data source that all people of Acme may use.
func (s *blueprints) orders(t *testing.T) int64 {
	t.Helper()
	list, err := s.store.DataSources.DataSources(t.Context(), s.cleo, domain.DataSourceFilter{Scopes: []string{"organization"}})
	require.NoError(t, err)
	require.NotEmpty(t, list.Results)
	return list.Results[0].ID
}

func (s *blueprints) team(t *testing.T) int64 {
	t.Helper()
	list, err := s.store.Users.ShareableEntities(t.Context(), s.anna, "", domain.Page{Number: 1, Size: 100})
	require.NoError(t, err)
	for _, g := range list.Results {
		if g.Type == domain.GranteeTeam {
			return g.ID
		}
	}
	require.Fail(t, "there is no team")
	return 0
}

func blueprintNames(list []domain.Blueprint) []string {
	out := []string{}
	for _, b := range list {
		out = append(out, b.Name)
	}
	return out
}

func stepNames(b *domain.Blueprint) string {
	var out []string
	for i, step := range b.Steps {
		if step.Order != i+1 {
			return fmt.Sprintf("a gap: %+v", b.Steps)
		}
		out = append(out, step.Name)
	}
	return strings.Join(out, " ")
}

func TestStore_CreateBlueprint(t *testing.T) {
	t.Parallel()
	s := openBlueprints(t)
	ctx := t.Context()

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		analyst, err := s.store.Analysts.DefaultAnalyst(ctx, s.anna.OrganisationID)
		require.NoError(t, err)
		orders := s.orders(t)
		b, err := s.CreateBlueprint(ctx, s.anna, domain.BlueprintDraft{
			Name: "Review", Description: ptr("Why"), InputParameters: ptr("Region: where\nYear"), InitialMessage: ptr("Go for {{Region}}"),
			DataSources: &[]int64{orders, orders},
			Steps: &[]domain.StepDraft{
				{Name: "Two", Order: 2, Code: ptr("SELECT 1"), AnalystID: analyst.ID},
				{Name: "One", Order: 1, QAInstructions: ptr("Check"), DetailedInstructions: ptr("Look")},
			},
		})
		require.NoError(t, err)
		require.Equal(t, "One Two", stepNames(b))
		require.Equal(t, "python", b.Steps[1].Language)
		require.Equal(t, analyst.ID, b.Steps[1].AnalystID)
		require.Equal(t, []int64{orders}, b.DataSources)
		require.Equal(t, 1, b.Version)
		require.Equal(t, s.anna.UserID, b.Owner.ID)
		require.Equal(t, domain.PermissionOwner, b.Permission)
		require.False(t, b.IsLibrary)
		require.True(t, b.NeedsInputs())
		again, err := s.Blueprint(ctx, s.anna, b.ID)
		require.NoError(t, err)
		require.Equal(t, b, again)
	})
	t.Run("OnceForAKey", func(t *testing.T) {
		t.Parallel()
		d := domain.BlueprintDraft{Name: "Once", Key: domain.IdempotencyKey{Key: "k"}}
		first, err := s.CreateBlueprint(ctx, s.anna, d)
		require.NoError(t, err)
		again, err := s.CreateBlueprint(ctx, s.anna, d)
		require.NoError(t, err)
		require.Equal(t, first.ID, again.ID)
	})
	t.Run("ErrB08_DataSourceOfAnother", func(t *testing.T) {
		t.Parallel()
		for _, id := range []int64{s.own(t, s.anna), s.own(t, s.doris), 1 << 40} {
			_, err := s.CreateBlueprint(ctx, s.ben, domain.BlueprintDraft{Name: "N", DataSources: &[]int64{id}})
			requireFields(t, err, "dataSources")
		}
	})
	t.Run("ErrReferences", func(t *testing.T) {
		t.Parallel()
		foreign, err := s.store.Analysts.DefaultAnalyst(ctx, s.doris.OrganisationID)
		require.NoError(t, err)
		_, err = s.CreateBlueprint(ctx, s.anna, domain.BlueprintDraft{
			Name: "N", ProjectLabels: &[]int64{1 << 40}, Categories: &[]int64{1 << 40},
			Steps: &[]domain.StepDraft{{Name: "S", Code: ptr("x"), AnalystID: foreign.ID, Memories: []int64{1 << 40}}},
		})
		requireFields(t, err, "useCaseCategories", "projectLabels", "steps[0].analyst", "steps[0].memories")
	})
	t.Run("ErrNameRequired", func(t *testing.T) {
		t.Parallel()
		_, err := s.CreateBlueprint(ctx, s.anna, domain.BlueprintDraft{})
		requireFields(t, err, "name")
	})
}

// requireFields checks which fields an error names.
func requireFields(t *testing.T, err error, fields ...string) {
	t.Helper()
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, domain.CodeInvalid, e.Code)
	var got []string
	for _, f := range e.Fields {
		got = append(got, f.Field)
	}
	require.Equal(t, fields, got)
}

func TestStore_UpdateBlueprint(t *testing.T) {
	t.Parallel()
	s := openBlueprints(t)
	ctx := t.Context()

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Before", "A", "B", "C")
		got, err := s.UpdateBlueprint(ctx, s.anna, b.ID, domain.BlueprintDraft{
			Name: "After", Steps: &[]domain.StepDraft{
				{ID: b.Steps[2].ID, Name: "C2", Code: ptr("x")},
				{Name: "New", Code: ptr("y"), Language: "sql"},
				{ID: b.Steps[0].ID, Untouched: true},
			}, RemovedSteps: []int64{b.Steps[1].ID}, Version: 1,
		})
		require.NoError(t, err)
		require.Equal(t, "After", got.Name)
		require.Equal(t, "C2 New A", stepNames(got))
		require.Equal(t, "Do A", got.Steps[2].DetailedInstructions)
		require.Empty(t, got.Steps[0].DetailedInstructions)
		require.Equal(t, 2, got.Version)
		require.Equal(t, b.CreatedAt, got.CreatedAt)
	})
	t.Run("StepsStayWhenNobodyNamesThem", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Stay", "A", "B")
		got, err := s.UpdateBlueprint(ctx, s.anna, b.ID, domain.BlueprintDraft{Name: "Stay"})
		require.NoError(t, err)
		require.Equal(t, "A B", stepNames(got))
	})
	t.Run("ErrD12_Stale", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Stale", "A")
		_, err := s.UpdateBlueprint(ctx, s.anna, b.ID, domain.BlueprintDraft{Name: "First", Version: 1})
		require.NoError(t, err)
		_, err = s.UpdateBlueprint(ctx, s.anna, b.ID, domain.BlueprintDraft{Name: "Second", Version: 1})
		requireCode(t, domain.CodeConflict, err)
		now, err := s.Blueprint(ctx, s.anna, b.ID)
		require.NoError(t, err)
		require.Equal(t, "First", now.Name)
		// A changed step also raises the version.
		_, err = s.UpdateStep(ctx, s.anna, b.Steps[0].ID, domain.StepDraft{Name: "A2", Code: ptr("x"), Version: 2})
		require.NoError(t, err)
		_, err = s.UpdateBlueprint(ctx, s.anna, b.ID, domain.BlueprintDraft{Name: "Third", Version: 2})
		requireCode(t, domain.CodeConflict, err)
		_, err = s.UpdateStep(ctx, s.anna, b.Steps[0].ID, domain.StepDraft{Name: "A3", Code: ptr("x"), Version: 2})
		requireCode(t, domain.CodeConflict, err)
	})
	t.Run("OK/StepsByID", func(t *testing.T) {
		t.Parallel()
		mine, bens := s.make(t, s.anna, "Mine", "A", "B"), s.make(t, s.ben, "Ben's", "C")
		waiting, err := s.CreateStep(ctx, s.anna, domain.StepDraft{Name: "W", Code: ptr("x")})
		require.NoError(t, err)
		got, err := s.Steps(ctx, s.anna, []int64{mine.Steps[1].ID, waiting.ID})
		require.NoError(t, err)
		require.Len(t, got, 2)
		require.Equal(t, "B", got[mine.Steps[1].ID].Name)
		require.Equal(t, "x", got[waiting.ID].Code)
		for _, id := range []int64{bens.Steps[0].ID, 1 << 40} {
			_, err = s.Steps(ctx, s.anna, []int64{mine.Steps[0].ID, id})
			requireFields(t, err, "steps")
		}
		_, err = s.Steps(ctx, s.ben, []int64{waiting.ID})
		requireFields(t, err, "steps")
		_, err = s.Steps(ctx, s.anna, make([]int64, domain.BlueprintStepsMax+1))
		requireFields(t, err, "steps")
	})
	t.Run("ErrB04_StepOfAnother", func(t *testing.T) {
		t.Parallel()
		mine, other, bens := s.make(t, s.anna, "Mine", "A"), s.make(t, s.anna, "Other", "B"), s.make(t, s.ben, "Ben's", "C")
		waiting, err := s.CreateStep(ctx, s.ben, domain.StepDraft{Name: "W", Code: ptr("x")})
		require.NoError(t, err)
		for _, id := range []int64{other.Steps[0].ID, bens.Steps[0].ID, waiting.ID, 1 << 40} {
			_, err := s.UpdateBlueprint(ctx, s.anna, mine.ID,
				domain.BlueprintDraft{Name: "Mine", Steps: &[]domain.StepDraft{{ID: id, Name: "Taken", Code: ptr("x")}}})
			requireFields(t, err, "steps[0].id")
			_, err = s.UpdateBlueprint(ctx, s.anna, mine.ID, domain.BlueprintDraft{Name: "Mine", RemovedSteps: []int64{id}})
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		}
		for _, b := range []*domain.Blueprint{other, bens} {
			now, err := s.Blueprint(ctx, domain.Caller{UserID: b.Owner.ID, OrganisationID: b.OrganisationID}, b.ID)
			require.NoError(t, err)
			require.Equal(t, b.Steps, now.Steps)
		}
	})
	t.Run("ErrLastStep", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Last", "A")
		_, err := s.UpdateBlueprint(ctx, s.anna, b.ID, domain.BlueprintDraft{Name: "Last", RemovedSteps: []int64{b.Steps[0].ID}})
		requireFields(t, err, "steps")
	})
	t.Run("ErrTooManySteps", func(t *testing.T) {
		t.Parallel()
		many := make([]string, domain.BlueprintStepsMax)
		for i := range many {
			many[i] = fmt.Sprint("S", i)
		}
		b := s.make(t, s.anna, "Many", many...)
		require.Len(t, b.Steps, domain.BlueprintStepsMax)
		_, err := s.UpdateBlueprint(ctx, s.anna, b.ID,
			domain.BlueprintDraft{Name: "Many", Steps: &[]domain.StepDraft{{Name: "One more", Code: ptr("x")}}})
		requireFields(t, err, "steps")
		_, err = s.CreateStep(ctx, s.anna, domain.StepDraft{BlueprintID: b.ID, Name: "One more", Code: ptr("x")})
		requireFields(t, err, "steps")
	})
	t.Run("WhatIsGoneIsLeftOut", func(t *testing.T) {
		t.Parallel()
		memory := s.memory(t)
		b, err := s.CreateBlueprint(ctx, s.anna,
			domain.BlueprintDraft{Name: "M", Steps: &[]domain.StepDraft{{Name: "S", Code: ptr("x"), Memories: []int64{memory}}}})
		require.NoError(t, err)
		require.Equal(t, []int64{memory}, b.Steps[0].Memories)
		require.NoError(t, s.store.Memories.DeleteMemory(ctx, s.anna, memory))
		same := domain.StepDraft{ID: b.Steps[0].ID, Name: "S", Code: ptr("x"), Memories: []int64{memory}}
		got, err := s.UpdateBlueprint(ctx, s.anna, b.ID, domain.BlueprintDraft{Name: "M", Steps: &[]domain.StepDraft{same}})
		require.NoError(t, err)
		require.Empty(t, got.Steps[0].Memories)
		_, err = s.UpdateStep(ctx, s.anna, b.Steps[0].ID, same)
		requireFields(t, err, "memories") // no blueprint holds it now
	})
}

func (s *blueprints) memory(t *testing.T) int64 {
	t.Helper()
	types, err := s.store.Memories.MemoryTypes(t.Context(), s.anna)
	require.NoError(t, err)
	require.NotEmpty(t, types)
	m, err := s.store.Memories.CreateMemory(t.Context(), s.anna, domain.NewMemory{
		Name: "N", Question: "Q", Response: "R",
		TypeID: types[0].ID,
	})
	require.NoError(t, err)
	return m.ID
}

// The test checks every right of every person on one blueprint, and the blueprint afterwards.
func TestStore_BlueprintRights(t *testing.T) {
	t.Parallel()
	s := openBlueprints(t)
	ctx := t.Context()
	// calls are all calls that are made with the id of a blueprint.
	calls := func(caller domain.Caller, b *domain.Blueprint) map[string]error {
		step := domain.StepDraft{Name: "S", Code: ptr("x")}
		of := step
		of.BlueprintID = b.ID
		errs := map[string]error{}
		_, errs["read"] = s.Blueprint(ctx, caller, b.ID)
		_, errs["grants"] = s.BlueprintGrants(ctx, caller, b.ID)
		errs["favourite"] = s.SetBlueprintFavorite(ctx, caller, b.ID, true)
		_, errs["copy"] = s.CopyBlueprint(ctx, caller, b.ID, "", domain.IdempotencyKey{})
		_, errs["start"] = s.StartBlueprint(ctx, caller, b.ID, domain.BlueprintStart{})
		_, errs["change"] = s.UpdateBlueprint(ctx, caller, b.ID, domain.BlueprintDraft{Name: b.Name})
		errs["archive"] = s.ArchiveBlueprint(ctx, caller, b.ID, false)
		errs["share"] = s.SetBlueprintGrants(ctx, caller, b.ID, nil)
		_, errs["new step"] = s.CreateStep(ctx, caller, of)
		_, errs["change step"] = s.UpdateStep(ctx, caller, b.Steps[0].ID, step)
		errs["delete step"] = s.DeleteStep(ctx, caller, b.Steps[0].ID)
		errs["delete"] = s.DeleteBlueprint(ctx, caller, b.ID)
		return errs
	}
	require.Len(t, calls(s.cleo, s.make(t, s.anna, "None", "A")), 12)
	read := map[string]bool{"read": true, "grants": true, "favourite": true, "copy": true, "start": true}
	check := func(t *testing.T, caller domain.Caller, b *domain.Blueprint, of func(call string) domain.Code) {
		t.Helper()
		for call, err := range calls(caller, b) {
			require.Equal(t, of(call), domain.CodeOf(err), "%s: %v", call, err)
		}
	}
	readOnly := func(call string) domain.Code {
		if read[call] {
			return ""
		}
		return domain.CodeForbidden
	}
	nothing := func(string) domain.Code { return domain.CodeNotFound }

	t.Run("Owner", func(t *testing.T) {
		t.Parallel()
		check(t, s.anna, s.make(t, s.anna, "Owner", "A"), func(string) domain.Code { return "" })
	})
	t.Run("Strangers", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.ben, "Strangers", "A")
		check(t, s.cleo, b, nothing)
		check(t, s.anna, b, nothing) // a superuser, too
		check(t, s.doris, b, nothing)
	})
	t.Run("ReaderUntilRevoked", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Reader", "A")
		s.share(t, b, domain.GranteeUser, s.cleo.UserID, domain.PermissionRead)
		check(t, s.cleo, b, readOnly)
		s.share(t, b, domain.GranteeUser, s.cleo.UserID, domain.PermissionRemove)
		check(t, s.cleo, b, nothing)
	})
	t.Run("TeamUntilRevoked", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "Team", "A")
		team := s.team(t)
		s.share(t, b, domain.GranteeTeam, team, domain.PermissionRead)
		check(t, s.ben, b, readOnly)
		check(t, s.cleo, b, nothing)
		grants, err := s.BlueprintGrants(ctx, s.ben, b.ID)
		require.NoError(t, err)
		require.Equal(t, domain.PermissionOwner, grants[0].Permission)
		require.Equal(t, "Sales", grants[1].Grantee.Name)
		s.share(t, b, domain.GranteeTeam, team, domain.PermissionRemove)
		check(t, s.ben, b, nothing)
	})
	t.Run("Library", func(t *testing.T) {
		t.Parallel()
		b := s.library(t)
		check(t, s.cleo, b, readOnly)
		check(t, s.doris, b, nothing)
		check(t, s.anna, b, func(call string) domain.Code {
			if call == "archive" {
				return "" // superusers
			}
			return readOnly(call)
		})
	})
	t.Run("ErrB06", func(t *testing.T) {
		t.Parallel()
		b := s.make(t, s.anna, "B06", "A")
		for field, g := range map[string]domain.Grantee{
			"users":         {ID: s.anna.UserID, Type: domain.GranteeUser},
			"teams":         {ID: 1 << 40, Type: domain.GranteeTeam},
			"organizations": {ID: s.anna.OrganisationID, Type: domain.GranteeOrganisation},
		} {
			requireFields(t, s.SetBlueprintGrants(ctx, s.anna, b.ID, []domain.Grant{{Grantee: g, Permission: domain.PermissionRead}}), field)
		}
		foreign := domain.Grantee{ID: s.doris.UserID, Type: domain.GranteeUser}
		requireFields(t, s.SetBlueprintGrants(ctx, s.anna, b.ID, []domain.Grant{{Grantee: foreign, Permission: domain.PermissionRead}}), "users")
	})
}

// library makes a blueprint of Acme's library.
func (s *blueprints) library(t *testing.T) *domain.Blueprint {
	t.Helper()
	in := persistencetest.World()
	seed := uuid.NewString()
	in.Organisations[0].Blueprints = []persistence.SeedBlueprint{{
		Seed: seed, Name: seed, Categories: []string{"Sales", "Retail"}, DataSources: []string{"orders"},
		Steps: []domain.StepDraft{
			{Name: "A", DetailedInstructions: ptr("How many orders?")},
			{Name: "B", Code: ptr("SELECT 1"), Language: "sql"},
		},
	}}
	require.NoError(t, s.store.Samples.Seed(t.Context(), in))
	require.NoError(t, s.store.Samples.Seed(t.Context(), in), "seeding again changes nothing")
	list, err := s.Blueprints.Blueprints(t.Context(), s.anna, domain.BlueprintFilter{Library: "library", Search: seed})
	require.NoError(t, err)
	require.Len(t, list.Results, 1)
	b, err := s.Blueprint(t.Context(), s.anna, list.Results[0].ID)
	require.NoError(t, err)
	return b
}
