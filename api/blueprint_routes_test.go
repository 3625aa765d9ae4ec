package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoutes_Blueprints has the rows of blueprints and their steps.
func TestRoutes_Blueprints(t *testing.T) {
	t.Parallel()
	const (
		all   = v1 + "/discourse/blueprints"
		one   = all + "/1"
		steps = v1 + "/discourse/steps"
		good  = `{"name":"N","description":"D","data_sources":[4],"input_parameters":"A","initial_message":"M","project_labels":[],"share_with_organization":false,"steps":[{"name":"S","detailed_instructions":"I"},11]}`
		step  = `{"name":"S","order":1,"detailedInstructions":null,"qaInstructions":null,"code":"x","memories":[2],"analyst":1,"icebreaker":1}`
	)
	runScenarios(t, []scenario{
		{"OK", "GET", all + "?page_size=1000&library_scope=all&favorite_scope=all&input_parameters_scope=all", "owner", "", 200, []string{
			`"count":2`, `"owner":null`, `"isLibrary":true`, `"permissions":[]`, `"missingDataSources":1`, `"inputs":[{"name":"Region","hint":"where"},{"name":"Year","hint":""}]`,
			`"useCaseCategories":[{"id":1,"name":"Sales"}]`, `"projectLabels":[{"id":5,"name":"Q1","color":"Olive Green"}]`, `"icebreaker":1`, `"lastUsedAt":null`,
		}, nil, "Blueprints    "},
		{"library", "GET", all + "?library_scope=true&input_parameters_scope=false", "reader", "", 200, nil, nil, "Blueprints  library without "},
		{"no library", "GET", all + "?libraryScope=exclude&inputParametersScope=with&sort=-createdAt", "reader", "", 200, nil, nil, "Blueprints  exclude with -created_at"},
		{"favorites", "GET", all + "?favorite_scope=only_favorites", "reader", "", 200, nil, nil, "Blueprints favorite   "},
		{"only_favorites", "GET", all + "?only_favorites=true", "reader", "", 200, nil, nil, "Blueprints favorite   "},
		{"recent", "GET", all + "?recent=true", "reader", "", 200, nil, nil, "Blueprints recent   "},
		{"owned", "GET", all + "?scope=owned", "reader", "", 200, nil, nil, "Blueprints owned   "},
		{"texts of steps stay out of lists", "GET", all, "owner", "", 200, []string{`"steps":[{"id":11,`}, []string{`"detailedInstructions"`, `"qaInstructions"`, `"code"`}, ""},
		{"none of others", "GET", all, "foreigner", "", 200, []string{`"results":[]`}, []string{"Review"}, ""},
		{"unknown scope", "GET", all + "?library_scope=x", "owner", "", 422, []string{`"field":"libraryScope"`}, nil, ""},
		{"D07", "GET", all + "?filter=name:like:x", "owner", "", 422, []string{`Operation \"like\" currently not supported`}, nil, ""},

		{"OK", "POST", all, "owner", good, 201, []string{`"id":1`, `"name":"N"`, `"permission":"owner"`}, nil, "BlueprintGrants"},
		{"B07", "POST", all, "owner", `{"name":"N","owner":4,"orgId":2,"id":99,"isLibrary":true,"isArchived":true,"createdAt":"1999-01-01T00:00:00Z"}`, 201, []string{`"id":1`, `"isLibrary":false`, `"isArchived":false`}, []string{"1999"}, ""},
		{"ErrNameRequired", "POST", all, "owner", `{}`, 422, []string{`{"field":"name","message":"Please enter the title."}`}, nil, ""},
		{"ErrStep", "POST", all, "owner", `{"name":"N","steps":[{"name":" ","code":"x"}]}`, 422, []string{`{"field":"steps[0].name","message":"Please enter step name."}`}, nil, ""},
		{"D09", "POST", all, "owner", `{"name":"N","steps":[{"name":"S"}]}`, 422, []string{`"message":"At least one of Detailed Instructions, QA Instructions, or Code must be provided."`}, nil, ""},
		{"sections shown", "POST", all, "owner", `{"name":"N","steps":[{"name":"S","detailedInstructions":"","qaInstructions":" ","code":""}]}`, 422, []string{`"message":"Please enter step detailed instructions"`, `"message":"QA Instructions cannot be empty"`, `"message":"Please enter code"`}, nil, ""},
		{"share", "POST", all, "owner", `{"name":"N","share_with_organization":true}`, 422, []string{`"message":"Sharing with an organization is not available"`}, nil, ""},
		{"step that is none", "POST", all, "owner", `{"name":"N","steps":["x"]}`, 422, []string{`{"field":"steps[0]","message":"expected a step, or the id of one; a field of the step is not of its type"}`}, nil, ""},
		{"from conversation", "POST", all, "owner", `{"from_conversation":"{c}"}`, 201, []string{`"name":"Sales"`}, nil, "BlueprintGrants"},
		{"from conversation, named", "POST", all, "owner", `{"from_conversation":"{c}","name":"Mine"}`, 201, []string{`"name":"Mine"`}, nil, "BlueprintGrants"},
		{"from one of others", "POST", all, "stranger", `{"from_conversation":"{c}"}`, 404, nil, []string{"Sales"}, "BlueprintFromConversation"},
		{"initial message", "POST", all + "/initial-message", "stranger", `{"name":"Weekly","input_parameters":"Week: which","steps":[{"name":"Look"}]}`, 200, []string{`{{Week}}`, `1. Look`}, []string{"which"}, ""},
		{"initial message, of a step that is there", "POST", all + "/initial-message", "reader", `{"name":"Weekly","steps":[{"name":"Begin"},11]}`, 200, []string{`1. Begin`, `2. `, `Look at it`}, nil, ""},
		{"initial message, of a step of others", "POST", all + "/initial-message", "stranger", `{"name":"Weekly","steps":[11]}`, 422, []string{`{"field":"steps","message":"One of the steps is not available."}`}, []string{"Look at it"}, ""},
		{"OK", "GET", all + "/use-case-categories", "owner", "", 200, []string{`"results":[{"id":1,"name":"Sales"}]`}, nil, ""},

		{"OK", "GET", one, "owner", "", 200, []string{`"edit":true`, `"schedule":false`, `"permissions":[{"actor":{"id":1`, `"detailedInstructions":"Look at it"`, `"language":"sql"`, `"version":3`}, nil, ""},
		{"reader", "GET", one, "reader", "", 200, []string{`"permission":"read"`, `"edit":false`, `"delete":false`, `"manageAccess":false`, `"copy":true`, `"start":true`, `"archive":false`}, nil, ""},
		{"library", "GET", all + "/2", "root", "", 200, []string{`"archive":true`, `"edit":false`, `"schedule":true`, `"addQaInstructions":true`}, nil, ""},
		{"stranger", "GET", one, "stranger", "", 404, []string{`"code":"D404"`}, []string{"Review"}, ""},
		{"foreigner", "GET", all + "/2", "foreigner", "", 404, nil, nil, ""},
		{"no id", "GET", all + "/x", "owner", "", 404, nil, nil, ""},
		{"OK", "PUT", one, "owner", `{"name":"N2","id":1,"owner":9,"version":3,"removed_steps":[12]}`, 200, []string{`"name":"N2"`}, nil, "BlueprintGrants"},
		{"reader", "PUT", one, "reader", `{"name":"N2"}`, 403, []string{`"code":"forbidden"`}, nil, ""},
		{"stranger", "PUT", one, "stranger", `{"name":"N2"}`, 404, nil, nil, ""},
		{"D12", "PUT", one, "owner", `{"name":"N2","version":2}`, 409, []string{`"code":"conflict"`}, nil, ""},
		{"OK", "DELETE", one, "owner", "", 204, nil, nil, "DeleteBlueprint"},
		{"reader", "DELETE", one, "reader", "", 403, nil, nil, ""},

		{"OK", "POST", one + "/archive", "owner", "", 204, nil, nil, "ArchiveBlueprint"},
		{"back", "POST", one + "/archive", "owner", `{"is_archived":false}`, 204, nil, nil, "ArchiveBlueprint back"},
		{"reader", "POST", one + "/archive", "reader", "{}", 403, nil, nil, ""},
		{"library", "POST", all + "/2/archive", "root", "", 204, nil, nil, ""},
		{"library of others", "POST", all + "/2/archive", "owner", "", 403, nil, nil, ""},
		{"OK", "POST", one + "/copy", "owner", `{"id":1,"name":"Mine"}`, 201, []string{`"name":"Mine"`}, nil, "BlueprintGrants"},
		{"without a name", "POST", one + "/copy", "owner", "", 201, []string{`"name":"Copy of Review"`}, nil, ""},
		{"stranger", "POST", one + "/copy", "stranger", "{}", 404, nil, nil, ""},
		{"OK", "PUT", one + "/favorite", "reader", `{"favorite":true}`, 204, nil, nil, "SetBlueprintFavorite on"},
		{"off", "PUT", one + "/favorite", "reader", `{"is_favorite":false}`, 204, nil, nil, "SetBlueprintFavorite off"},
		{"missing", "PUT", one + "/favorite", "reader", `{}`, 422, []string{`"field":"isFavorite"`}, nil, ""},
		{"OK", "GET", one + "/actors", "reader", "", 200, []string{`"permission":"owner"`}, nil, "BlueprintGrants"},
		{"stranger", "GET", one + "/actors", "stranger", "", 404, nil, nil, ""},
		{"OK", "PUT", one + "/actors", "owner", `{"users":[{"id":2,"permission":"read"}]}`, 200, []string{`"count":1`}, nil, "BlueprintGrants"},
		{"reader", "PUT", one + "/actors", "reader", `{"users":[{"id":3,"permission":"read"}]}`, 403, nil, nil, ""},
		{"B06 write", "PUT", one + "/actors", "owner", `{"users":[{"id":2,"permission":"write"}]}`, 422, []string{"A blueprint can be shared for viewing only"}, nil, ""},
		{"B06 owner", "PUT", one + "/actors", "owner", `{"users":[{"id":2,"permission":"owner"}]}`, 422, []string{"The owner cannot be changed"}, nil, ""},
		{"B06 organisation", "PUT", one + "/actors", "owner", `{"organizations":[{"id":1,"permission":"read"}]}`, 422, []string{"Sharing with an organization is not available"}, nil, ""},
		{"B06 twice", "PUT", one + "/actors", "owner", `{"users":[{"id":2},{"id":2}]}`, 422, []string{"The same entry is given twice"}, nil, ""},
		{"B06 many", "PUT", one + "/actors", "owner", `{"users":[` + strings.Repeat(`{"id":2},`, 200) + `{"id":3}]}`, 422, nil, nil, ""},

		{"OK", "POST", one + "/conversations", "reader", `{"inputs":{"region":"North","Year":2025}}`, 201, []string{`"missingDataSources":1`, `"messageSet":[{`}, nil, "Conversation"},
		{"missing input", "POST", one + "/conversations", "reader", `{"inputs":{"Region":"North"}}`, 422, []string{`{"field":"inputs.Year","message":"Please enter Year."}`}, nil, ""},
		{"no body", "POST", one + "/conversations", "reader", "", 422, []string{`"field":"inputs.Region"`}, nil, ""},
		{"value that is none", "POST", one + "/conversations", "reader", `{"inputs":{"Region":["North"],"Year":1}}`, 422, []string{`{"field":"inputs.Region","message":"The value is not valid."}`}, nil, ""},
		{"stranger", "POST", one + "/conversations", "stranger", `{}`, 404, nil, nil, ""},

		{"OK", "POST", steps, "owner", step, 201, []string{`"id":13`, `"icebreaker":1`, `"code":"x"`, `"language":"python"`, `"detailedInstructions":null`}, nil, "CreateStep"},
		{"of its own", "POST", steps, "stranger", `{"name":"S","code":"x"}`, 201, []string{`"icebreaker":null`}, nil, ""},
		{"reader", "POST", steps, "reader", step, 403, nil, nil, ""},
		{"B04", "POST", steps, "stranger", step, 404, nil, nil, ""},
		{"ErrD09", "POST", steps, "owner", `{"name":"S","icebreaker":1}`, 422, []string{`"field":"detailedInstructions"`}, nil, ""},
		{"OK", "PUT", steps + "/11", "owner", `{"name":"S","code":"y"}`, 200, []string{`"id":11`, `"code":"y"`}, nil, "UpdateStep"},
		{"B04", "PUT", steps + "/99", "owner", `{"name":"S","code":"y"}`, 404, nil, nil, ""},
		{"reader", "PUT", steps + "/11", "reader", `{"name":"S","code":"y"}`, 403, nil, nil, ""},
		{"OK", "DELETE", steps + "/11", "owner", "", 204, nil, nil, "DeleteStep"},
		{"B04", "DELETE", steps + "/11", "stranger", "", 404, nil, nil, ""},
	})
}

// D11 and D12 by their headers.
func TestBlueprints_Headers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const all = v1 + "/discourse/blueprints"
	require.Equal(t, 409, b.call(t, &b.world.Owner, "PUT", all+"/1", `{"name":"N"}`, "If-Match", `"2"`).status)
	require.Equal(t, 200, b.call(t, &b.world.Owner, "PUT", all+"/1", `{"name":"N"}`, "If-Match", `"3"`).status)
	key := []string{"Idempotency-Key", "k"}
	require.Equal(t, 201, b.call(t, &b.world.Owner, "POST", all, `{"name":"N"}`, key...).status)
	require.Equal(t, 201, b.call(t, &b.world.Owner, "POST", all, `{"name":"N"}`, key...).status)
	require.Equal(t, 422, b.call(t, &b.world.Owner, "POST", all, `{"name":"Other"}`, key...).status)
}
