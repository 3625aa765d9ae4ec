package api_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

const (
	allBlueprints = v1 + "/discourse/blueprints"
	oneBlueprint  = allBlueprints + "/1"
	allSteps      = v1 + "/discourse/steps"
)

// refusal is the error of a service that refuses a request with a code.
func refusal(code domain.Code) error { return domain.Errorf(code, "The service refuses it.") }

// TestRoutes_Blueprints contains the rows about blueprints and their steps that the API
// answers by itself or with what people are shown.
func TestRoutes_Blueprints(t *testing.T) {
	t.Parallel()
	const (
		all   = allBlueprints
		one   = oneBlueprint
		steps = allSteps
	)
	runScenarios(t, []scenario{
		{"OK", "GET", all + "?page_size=1000", "owner", "", 200, []string{
			`"count":2`, `"owner":null`, `"isLibrary":true`, `"permissions":[]`, `"missingDataSources":1`,
			`"inputs":[{"name":"Region","hint":"where"},{"name":"Year","hint":""}]`,
			`"useCaseCategories":[{"id":1,"name":"Sales"}]`, `"projectLabels":[{"id":5,"name":"Q1","color":"Olive Green"}]`, `"icebreaker":1`,
			`"lastUsedAt":null`,
		}, nil, "Blueprints"},
		{
			"texts of steps stay out of lists", "GET", all, "owner", "", 200,
			[]string{`"steps":[{"id":11,`},
			[]string{`"detailedInstructions"`, `"qaInstructions"`, `"code"`},
			"",
		},
		{"nothing", "GET", all, "foreigner", "", 200, []string{`"results":[]`}, []string{"Review"}, ""},
		{"unknown scope", "GET", all + "?library_scope=x", "owner", "", 422, []string{`"field":"libraryScope"`}, nil, ""},
		{"D07", "GET", all + "?filter=name:like:x", "owner", "", 422, []string{`Operation \"like\" currently not supported`}, nil, ""},
		{
			"step that is none", "POST", all, "owner", `{"name":"N","steps":["x"]}`, 422,
			[]string{`{"field":"steps[0]","message":"expected a step, or the id of one; a field of the step is not of its type"}`},
			nil, "",
		},
		{"initial message", "POST", all + "/initial-message", "stranger", `{"name":"Weekly","input_parameters":"Week: which",` +
			`"steps":[{"name":"Look"}]}`, 200, []string{`{{Week}}`, `1. Look`}, []string{"which"}, ""},
		{"OK", "GET", all + "/use-case-categories", "owner", "", 200, []string{`"results":[{"id":1,"name":"Sales"}]`}, nil, "UseCaseCategories"},

		{"OK", "GET", one, "owner", "", 200, []string{
			`"edit":true`, `"schedule":false`, `"permissions":[{"actor":{"id":1`,
			`"detailedInstructions":"Look at it"`, `"language":"sql"`, `"version":3`,
		}, nil, ""},
		{"reader", "GET", one, "reader", "", 200, []string{
			`"permission":"read"`, `"edit":false`, `"delete":false`, `"manageAccess":false`,
			`"copy":true`, `"start":true`, `"archive":false`,
		}, nil, ""},
		{"library", "GET", all + "/2", "root", "", 200, []string{
			`"archive":true`, `"edit":false`, `"schedule":true`,
			`"addQaInstructions":true`,
		}, nil, ""},
		{"stranger", "GET", one, "stranger", "", 404, []string{`"code":"D404"`}, []string{"Review"}, ""},
		{"no id", "GET", all + "/x", "owner", "", 404, nil, nil, ""},

		// A call with a body is refused before the service is called, by the right of the
		// call.
		{"reader", "PUT", one, "reader", `{"name":"N2"}`, 403, []string{`"code":"forbidden"`}, nil, "Relation blueprint"},
		{"stranger", "PUT", one, "stranger", `{"name":"N2"}`, 404, nil, nil, "Relation blueprint"},
		{"reader", "POST", one + "/archive", "reader", "{}", 403, nil, nil, "Relation blueprint"},
		{"stranger", "POST", one + "/copy", "stranger", "{}", 404, nil, nil, "Relation blueprint"},
		{"reader", "PUT", one + "/actors", "reader", `{"users":[{"id":3,"permission":"read"}]}`, 403, nil, nil, "Relation blueprint"},
		{"stranger", "POST", one + "/conversations", "stranger", `{}`, 404, nil, nil, "Relation blueprint"},
		{"reader", "PUT", steps + "/11", "reader", `{"name":"S","code":"y"}`, 403, nil, nil, "Relation step"},
		{"B04", "PUT", steps + "/99", "owner", `{"name":"S","code":"y"}`, 404, nil, nil, "Relation step"},

		{"missing", "PUT", one + "/favorite", "reader", `{}`, 422, []string{`"field":"isFavorite"`}, nil, ""},
		{"OK", "GET", one + "/actors", "reader", "", 200, []string{`"permission":"owner"`}, nil, "BlueprintGrants"},
		{
			"B06 write", "PUT", one + "/actors", "owner", `{"users":[{"id":2,"permission":"write"}]}`, 422,
			[]string{"A blueprint can be shared for viewing only"},
			nil, "",
		},
		{
			"B06 owner", "PUT", one + "/actors", "owner", `{"users":[{"id":2,"permission":"owner"}]}`, 422,
			[]string{"The owner cannot be changed"},
			nil, "",
		},
		{
			"B06 organisation", "PUT", one + "/actors", "owner", `{"organizations":[{"id":1,"permission":"read"}]}`, 422,
			[]string{"Sharing with an organization is not available"},
			nil, "",
		},
		{"B06 twice", "PUT", one + "/actors", "owner", `{"users":[{"id":2},{"id":2}]}`, 422, []string{"The same entry is given twice"}, nil, ""},
		{"B06 many", "PUT", one + "/actors", "owner", `{"users":[` + strings.Repeat(`{"id":2},`, 200) + `{"id":3}]}`, 422, nil, nil, ""},
		{
			"value that is none", "POST", one + "/conversations", "reader", `{"inputs":{"Region":["North"],"Year":1}}`, 422,
			[]string{`{"field":"inputs.Region","message":"The value is not valid."}`},
			nil, "",
		},
	})
}

// TestRoutes_BlueprintsArguments checks all arguments that the service gets from each call.
func TestRoutes_BlueprintsArguments(t *testing.T) {
	t.Parallel()
	const (
		all, one, steps = allBlueprints, oneBlueprint, allSteps

		good = `{"name":"N","description":"D","data_sources":[4],"input_parameters":"A","initial_message":"M","project_labels":[3],` +
			`"useCaseCategories":[1],` +
			`"share_with_organization":true,"steps":[{"id":12,"name":"S","order":2,"detailed_instructions":"I","qaInstructions":"Q","code":"C",` +
			`"language":"sql","memories":[2],"analyst":1},11],` +
			`"removed_steps":[13],"removedStepIds":[14]}`
		step = `{"name":"S","order":1,"detailedInstructions":null,"qaInstructions":null,"code":"x","memories":[2],"analyst":1,"icebreaker":1}`
	)
	draft := domain.BlueprintDraft{
		Name: "N", Description: new("D"), InputParameters: new("A"), InitialMessage: new("M"),
		DataSources: &[]int64{4}, ProjectLabels: &[]int64{3}, Categories: &[]int64{1}, ShareWithOrganisation: true, RemovedSteps: []int64{13, 14},
		Steps: &[]domain.StepDraft{
			{
				ID: 12, Name: "S", Order: 2, DetailedInstructions: new("I"), QAInstructions: new("Q"), Code: new("C"), Language: "sql",
				Memories: []int64{2}, AnalystID: 1,
			},
			{ID: 11, Untouched: true},
		},
	}
	changed := draft
	changed.Version = 3
	list := func(change func(*domain.BlueprintFilter)) domain.BlueprintFilter {
		f := domain.BlueprintFilter{Filters: domain.Filters{}, Labels: []int64{}, Page: domain.Page{Number: 1, Size: 1000}}
		change(&f)
		return f
	}
	nothing := domain.BlueprintDraft{RemovedSteps: []int64{}}
	row := func(method, name, call, path, who, body string, status int, has string, asked any) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, []string{has}, nil, ""}, method, nil, asked}
	}
	runServiceRows(t, []serviceRow{
		row("Blueprints", "all", "GET", all+"?library_scope=all&favorite_scope=all&input_parameters_scope=all", "owner", "", 200, `"count":2`,
			list(func(*domain.BlueprintFilter) {})),
		row("Blueprints", "library", "GET", all+"?library_scope=true&input_parameters_scope=false", "reader", "", 200, "",
			list(func(f *domain.BlueprintFilter) {
				f.Library, f.Inputs = "library", "without"
			})),
		row("Blueprints", "no library", "GET", all+"?libraryScope=exclude&inputParametersScope=with&sort=-createdAt", "reader", "", 200, "",
			list(func(f *domain.BlueprintFilter) {
				f.Library, f.Inputs, f.Sort = "exclude", "with", "-created_at"
			})),
		row("Blueprints", "favorites", "GET", all+"?favorite_scope=only_favorites", "reader", "", 200, "", list(func(f *domain.BlueprintFilter) {
			f.Scope = "favorite"
		})),
		row("Blueprints", "only_favorites", "GET", all+"?only_favorites=true", "reader", "", 200, "", list(func(f *domain.BlueprintFilter) {
			f.Scope = "favorite"
		})),
		row("Blueprints", "recent", "GET", all+"?recent=true", "reader", "", 200, "", list(func(f *domain.BlueprintFilter) {
			f.Scope = "recent"
		})),
		row("Blueprints", "owned", "GET", all+"?scope=owned", "reader", "", 200, "", list(func(f *domain.BlueprintFilter) { f.Scope = "owned" })),
		row("Blueprints", "archived ones of a category", "GET", all+"?status=archived&useCaseCategory=4&search=x&page=2&page_size=7", "reader",
			"", 200, "", list(func(f *domain.BlueprintFilter) {
				f.Archived, f.Category, f.Search, f.Page = true, 4, "x", domain.Page{Number: 2, Size: 7}
			})),

		row("CreateBlueprint", "OK", "POST", all, "owner", good, 201, `"permissions":[{"actor":{"id":1`, draft),
		row("CreateBlueprint", "nothing", "POST", all, "owner", `{}`, 201, `"id":1`, nothing),
		row("CreateBlueprint", "B07", "POST", all, "owner", `{"owner":4,"orgId":2,"id":99,"isLibrary":true,"isArchived":true,`+
			`"createdAt":"1999-01-01T00:00:00Z"}`, 201, `"id":1`, nothing),
		row("CreateBlueprint", "empty sections", "POST", all, "owner", `{"steps":[{"detailedInstructions":"","qaInstructions":" ","code":""}]}`,
			201, "", domain.BlueprintDraft{
				RemovedSteps: []int64{}, Steps: &[]domain.StepDraft{{DetailedInstructions: new(""), QAInstructions: new(" "), Code: new("")}},
			}),
		row("BlueprintFromConversation", "OK", "POST", all, "owner", `{"from_conversation":"{c}","name":"Mine"}`, 201, `"id":1`,
			func(c *domain.Conversation) any {
				return fakes.BlueprintOf{Conversation: c.ID, Draft: domain.BlueprintDraft{Name: "Mine", RemovedSteps: []int64{}}}
			}),
		row("Steps", "initial message, of a step that is there", "POST", all+"/initial-message", "reader",
			`{"name":"Weekly","steps":[{"name":"Begin"},11]}`, 200, `Look at it`, []int64{11}),
		row("Steps", "in its place", "POST", all+"/initial-message", "reader", `{"name":"Weekly","steps":[11,{"name":"End"}]}`, 200, `2. End`,
			[]int64{11}),

		row("Blueprint", "OK", "GET", one, "owner", "", 200, `"id":1`, int64(1)),
		row("UpdateBlueprint", "OK", "PUT", one, "owner", strings.Replace(good, "{", `{"id":9,"owner":9,"version":3,`, 1), 200,
			`"permissions":[{"actor":{"id":1`, fakes.BlueprintChange{ID: 1, Draft: changed}),
		row("DeleteBlueprint", "OK", "DELETE", one, "owner", "", 204, "", int64(1)),
		row("ArchiveBlueprint", "OK", "POST", one+"/archive", "owner", "", 204, "", fakes.Mark{ID: 1, On: true}),
		row("ArchiveBlueprint", "back", "POST", one+"/archive", "owner", `{"is_archived":false}`, 204, "", fakes.Mark{ID: 1}),
		row("ArchiveBlueprint", "library", "POST", all+"/2/archive", "root", "", 204, "", fakes.Mark{ID: 2, On: true}),
		row("CopyBlueprint", "OK", "POST", one+"/copy", "owner", `{"id":1,"name":"Mine"}`, 201, `"permissions":[{"actor":{"id":1`,
			fakes.BlueprintCopy{ID: 1, Name: "Mine"}),
		row("CopyBlueprint", "without a name", "POST", one+"/copy", "owner", "", 201, "", fakes.BlueprintCopy{ID: 1}),
		row("SetBlueprintFavorite", "OK", "PUT", one+"/favorite", "reader", `{"favorite":true}`, 204, "", fakes.Mark{ID: 1, On: true}),
		row("SetBlueprintFavorite", "off", "PUT", one+"/favorite", "reader", `{"is_favorite":false}`, 204, "", fakes.Mark{ID: 1}),
		row("SetBlueprintGrants", "OK", "PUT", one+"/actors", "owner", `{"users":[{"id":2,"permission":"read"}],"teams":[{"id":7,`+
			`"permission":"remove"}]}`, 200, `"count":1`, fakes.Grants{ID: 1, Grants: []domain.Grant{
			{Grantee: domain.Grantee{ID: 2, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
			{Grantee: domain.Grantee{ID: 7, Type: domain.GranteeTeam}, Permission: domain.PermissionRemove},
		}}),
		row("StartBlueprint", "OK", "POST", one+"/conversations", "reader", `{"inputs":{"region":"North","Year":2025},"dataSources":[4],`+
			`"analystId":1}`, 201, `"missingDataSources":1`, fakes.BlueprintStart{
			ID: 1, Start: domain.BlueprintStart{
				Inputs: map[string]string{"region": "North", "Year": "2025"}, DataSources: &[]int64{4},
				AnalystID: 1,
			},
		}),
		row("StartBlueprint", "no body", "POST", one+"/conversations", "reader", "", 201, `"messageSet":[{`, fakes.BlueprintStart{
			ID: 1, Start: domain.BlueprintStart{Inputs: map[string]string{}},
		}),

		row("CreateStep", "OK", "POST", steps, "owner", step, 201, `"id":13,"icebreaker":1,"name":"Chart","order":3,`+
			`"detailedInstructions":null,"qaInstructions":null,"code":"draw()","language":"python"`, domain.StepDraft{
			BlueprintID: 1, Name: "S", Order: 1, Code: new("x"), Memories: []int64{2}, AnalystID: 1,
		}),
		row("CreateStep", "of its own", "POST", steps, "stranger", `{"name":"S","detailedInstructions":"I","language":"sql"}`, 201, "",
			domain.StepDraft{
				Name: "S", DetailedInstructions: new("I"), Language: "sql",
			}),
		row("UpdateStep", "OK", "PUT", steps+"/11", "owner", `{"name":"S","code":"y","version":3}`, 200, `"id":13`, fakes.StepChange{
			ID: 11, Draft: domain.StepDraft{Name: "S", Code: new("y"), Version: 3},
		}),
		row("DeleteStep", "OK", "DELETE", steps+"/11", "owner", "", 204, "", int64(11)),
	})
}

// TestRoutes_BlueprintsRefused checks how the API answers a refusal of the service. Which
// requests the service refuses is tested in domain and, with the whole product, in
// internal/integration.
func TestRoutes_BlueprintsRefused(t *testing.T) {
	t.Parallel()
	const all, one, steps = allBlueprints, oneBlueprint, allSteps
	forbidden, missing, conflict := refusal(domain.CodeForbidden), refusal(domain.CodeNotFound), refusal(domain.CodeConflict)
	fault := errors.New("a secret of the database")
	row := func(method string, refuse error, call, path, who, body string, status int, has string) serviceRow {
		return serviceRow{scenario{method, call, path, who, body, status, []string{has}, []string{"secret"}, method}, method, refuse, nil}
	}
	runServiceRows(t, []serviceRow{
		row("Blueprints", fault, "GET", all, "owner", "", 500, `"code":"I500"`),
		row("CreateBlueprint", domain.Invalid("steps[0].name", "Please enter step name."), "POST", all, "owner", `{}`, 422,
			`{"field":"steps[0].name","message":"Please enter step name."}`),
		row("BlueprintFromConversation", missing, "POST", all, "stranger", `{"from_conversation":"{c}"}`, 404, `"code":"D404"`),
		row("Steps", domain.Invalid("steps", "One of the steps is not available."), "POST", all+"/initial-message", "stranger",
			`{"name":"Weekly","steps":[11]}`, 422, `{"field":"steps","message":"One of the steps is not available."}`),
		row("UpdateBlueprint", conflict, "PUT", one, "owner", `{"name":"N2","version":2}`, 409, `"code":"conflict"`),
		row("UpdateBlueprint", domain.Invalid("name", "Please enter the title."), "PUT", one, "owner", `{}`, 422, `"field":"name"`),
		row("DeleteBlueprint", forbidden, "DELETE", one, "reader", "", 403, `"code":"forbidden"`),
		row("ArchiveBlueprint", forbidden, "POST", all+"/2/archive", "owner", "", 403, `"code":"forbidden"`),
		row("CopyBlueprint", missing, "POST", one+"/copy", "stranger", "", 404, `"code":"D404"`),
		row("SetBlueprintFavorite", missing, "PUT", one+"/favorite", "reader", `{"favorite":true}`, 404, `"code":"D404"`),
		row("BlueprintGrants", missing, "GET", one+"/actors", "stranger", "", 404, `"code":"D404"`),
		row("SetBlueprintGrants", domain.Invalid("users", "Somebody is not there"), "PUT", one+"/actors", "owner", `{"users":[{"id":2}]}`, 422,
			`"field":"users"`),
		row("StartBlueprint", domain.Invalid("inputs.Year", "Please enter Year."), "POST", one+"/conversations", "reader",
			`{"inputs":{"Region":"North"}}`, 422, `{"field":"inputs.Year","message":"Please enter Year."}`),
		row("CreateStep", forbidden, "POST", steps, "reader", `{"name":"S","icebreaker":1}`, 403, `"code":"forbidden"`),
		row("CreateStep", missing, "POST", steps, "stranger", `{"name":"S","icebreaker":1}`, 404, `"code":"D404"`), // B04
		row("UpdateStep", domain.Invalid("detailedInstructions", "Say what to do."), "PUT", steps+"/11", "owner", `{"name":"S"}`, 422,
			`"field":"detailedInstructions"`),
		row("DeleteStep", missing, "DELETE", steps+"/11", "stranger", "", 404, `"code":"D404"`), // B04
	})
}

// D11 and D12 with their headers: which version is changed, and which request is repeated.
func TestBlueprints_Headers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world.AddConversation()
	owner := &b.world.Owner
	require.Equal(t, 200, b.call(t, owner, "PUT", oneBlueprint, `{"name":"N"}`, "If-Match", `"2"`).status)
	change, ok := b.world.Asked("UpdateBlueprint").(fakes.BlueprintChange)
	require.True(t, ok)
	require.Equal(t, 2, change.Draft.Version)

	keyOf := func(path, method, body string, header ...string) domain.IdempotencyKey {
		t.Helper()
		require.Equal(t, 201, b.call(t, owner, "POST", path, body, header...).status)
		switch asked := b.world.Asked(method).(type) {
		case domain.BlueprintDraft:
			return asked.Key
		case domain.StepDraft:
			return asked.Key
		case fakes.BlueprintStart:
			return asked.Start.Key
		case fakes.BlueprintCopy:
			return asked.Key
		}
		t.Fatalf("%s was not called", method)
		return domain.IdempotencyKey{}
	}
	const one, other = `{"name":"N","inputs":{"A":"1"}}`, `{"name":"Other","inputs":{"A":"2"}}`
	for _, call := range []struct{ path, method string }{
		{allBlueprints, "CreateBlueprint"},
		{oneBlueprint + "/copy", "CopyBlueprint"},
		{oneBlueprint + "/conversations", "StartBlueprint"},
		{allSteps, "CreateStep"},
	} {
		key := keyOf(call.path, call.method, one, "Idempotency-Key", "k")
		require.Equal(t, "k", key.Key, call.method)
		require.Equal(t, key, keyOf(call.path, call.method, one, "Idempotency-Key", "k"), call.method)
		require.NotEqual(t, key.Body, keyOf(call.path, call.method, other, "Idempotency-Key", "k").Body, call.method)
		require.Zero(t, keyOf(call.path, call.method, one), call.method)
	}
}
