package integration_test

import (
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence/persistencetest"
)

// knowledgeB13 tests the rights to memories, and to create agents, of people of the
// organisation and of another one.
func knowledgeB13(t *testing.T, n *node) {
	t.Helper()
	anna, ben, cleo, doris := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Ben), n.as(t, persistencetest.Cleo),
		n.as(t, persistencetest.Doris)

	var types struct{ Results []struct{ ID int64 } }
	cleo.do("GET", "/memory/memorytypes", nil).into(t, 200, &types)
	memory := map[string]any{"question": "What is B13?", "name": "B13", "type": types.Results[0].ID, "response": "A row of the attacks."}
	for _, who := range []*person{ben, cleo, doris} {
		who.do("POST", "/memory/memories", memory).refused(t, 404)
		who.do("POST", "/analyst/analysts", map[string]any{"name": "Mine"}).refused(t, 404)
	}
	var made struct {
		ID      int64
		Source  string
		Version int
	}
	anna.do("POST", "/memory/memories", memory).into(t, 201, &made)
	require.Equal(t, "manual", made.Source)
	path := "/memory/memories/" + strconv.FormatInt(made.ID, 10)
	require.Contains(t, string(cleo.do("GET", "/memory/memories", nil).body), "What is B13?")
	require.NotContains(t, string(doris.do("GET", "/memory/memories", nil).body), "What is B13?", "B11")
	for who, status := range map[*person]int{cleo: 403, doris: 404} {
		who.do("PATCH", path, map[string]any{"is_enabled": false}).refused(t, status)
		who.do("DELETE", path, nil).refused(t, status)
	}
	anna.do("PATCH", path, map[string]any{"is_enabled": false, "version": made.Version}).into(t, 200, nil)
	anna.do("PATCH", path, map[string]any{"is_enabled": true}, "If-Match", strconv.Itoa(made.Version)).refused(t, 409) // D12
	require.NotContains(t, string(cleo.do("GET", "/memory/memories", nil).body), "What is B13?")
}

// usableAgents: a prompt can be sent only to an agent that its author may use.
func usableAgents(t *testing.T, n *node) {
	t.Helper()
	anna, cleo, doris := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Cleo), n.as(t, persistencetest.Doris)
	var agent struct {
		ID        int64
		Abilities map[string]bool
	}
	anna.do("POST", "/analyst/analysts", map[string]any{"agentName": "Usable " + uuid.NewString()}).into(t, 201, &agent)
	require.True(t, agent.Abilities["manageAccess"])
	path := "/analyst/analysts/" + strconv.FormatInt(agent.ID, 10)
	ask := func(who *person, status int) {
		t.Helper()
		prompt := who.prompt(who.create(), "seed=1 tokens=1 rate=0")
		message, ok := prompt["message"].(map[string]any)
		require.True(t, ok)
		message["analystId"] = agent.ID
		a := who.do("POST", "/discourse/user-text", prompt)
		if status == 422 {
			require.Equal(t, "message.analystId", a.refused(t, 422).Errors[0].Field)
			return
		}
		a.into(t, status, nil)
	}
	ask(anna, 200)
	ask(cleo, 422)
	ask(doris, 422)
	share := func(permission string) {
		t.Helper()
		anna.do("PUT", path+"/actors", map[string]any{"users": []any{map[string]any{"id": cleo.me().ID, "permission": permission}}}).into(t,
			200, nil)
	}
	share("read")
	ask(cleo, 200)
	cleo.do("PUT", path, map[string]any{"description": "mine"}).refused(t, 403)
	doris.do("PUT", path, map[string]any{"description": "mine"}).refused(t, 404)
	cleo.do("GET", path+"/actors", nil).into(t, 200, nil)
	anna.do("PUT", path, map[string]any{"is_enabled": false}).into(t, 200, nil)
	ask(cleo, 422)
	anna.do("PUT", path, map[string]any{"is_enabled": true}).into(t, 200, nil)
	share("remove")
	ask(cleo, 422)
	anna.do("DELETE", path, nil).into(t, 204, nil)
	ask(anna, 422)
}

// projects: a conversation is added to a project, is found by it, and does not refer to it
// after the project is deleted.
func projects(t *testing.T, n *node) {
	t.Helper()
	ben, cleo, doris := n.as(t, persistencetest.Ben), n.as(t, persistencetest.Cleo), n.as(t, persistencetest.Doris)
	var label struct {
		ID    int64
		Color string
	}
	ben.do("POST", "/discourse/projectlabels", map[string]any{"name": "Launch", "description": "d", "color": "teal BLUE"}).into(t, 201, &label)
	require.Equal(t, "Teal blue", label.Color)
	id := ben.create()
	conversation := "/discourse/conversations/" + id.String()
	ben.do("PATCH", conversation, map[string]any{"project_labels": []int64{label.ID, 1 << 40}}).refused(t, 422)
	ben.do("PATCH", conversation, map[string]any{"project_labels": []int64{label.ID}}).into(t, 200, nil)
	var within struct{ ProjectLabels []int64 }
	made := ben.do("POST", "/discourse/conversations", map[string]any{"project_labels": []int64{label.ID}})
	made.into(t, 201, &within)
	require.Equal(t, []int64{label.ID}, within.ProjectLabels)
	var gone struct{ ID string }
	made.into(t, 201, &gone)
	ben.do("DELETE", "/discourse/conversations/"+gone.ID, nil).into(t, 204, nil)
	ben.do("POST", "/discourse/conversations", map[string]any{"project_labels": []int64{1 << 40}}).refused(t, 422)
	doris.do("POST", "/discourse/conversations", map[string]any{"project_labels": []int64{label.ID}}).refused(t, 422)
	foreign := doris.create()
	doris.do("PATCH", "/discourse/conversations/"+foreign.String(), map[string]any{"project_labels": []int64{label.ID}}).refused(t, 422)

	inProject := func(who *person) int {
		t.Helper()
		var list struct{ Pagination struct{ Count int } }
		who.do("GET", "/discourse/conversations?project_label="+strconv.FormatInt(label.ID, 10), nil).into(t, 200, &list)
		return list.Pagination.Count
	}
	require.Equal(t, []int{1, 0, 0}, []int{inProject(ben), inProject(cleo), inProject(doris)})
	ben.share(id, cleo, "read")
	require.Equal(t, 1, inProject(cleo))

	path := "/discourse/projectlabels/" + strconv.FormatInt(label.ID, 10)
	cleo.do("DELETE", path, nil).refused(t, 403)
	doris.do("DELETE", path, nil).refused(t, 404)
	ben.do("DELETE", path, nil).into(t, 204, nil)
	var c struct{ ProjectLabels []int64 }
	ben.do("GET", conversation, nil).into(t, 200, &c)
	require.Empty(t, c.ProjectLabels)
}
