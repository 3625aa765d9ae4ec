package integration_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// aConversation creates a conversation with a prompt, an answer and a table, shared as the
// columns of the table require.
func aConversation(t *testing.T, w *world) *object {
	t.Helper()
	var made struct {
		ID         string `json:"id"`
		MessageSet []struct {
			ID   string `json:"id"`
			Role string `json:"role"`

			DisplayobjectSet []struct {
				ID   string `json:"id"`
				Type string `json:"type"`
			} `json:"displayobjectSet"`
		} `json:"messageSet"`
	}
	w.call(t, owner, http.MethodPost, "/discourse/conversations/"+w.talk+"/copy", "").into(t, 201, &made)
	w.get(t, owner, "/discourse/conversations/"+made.ID, &made)
	o := &object{
		places: map[string]string{"<id>": made.ID, "<conversation>": made.ID}, keeper: owner,
		watch: []string{"/discourse/conversations/<id>?feedback_scope=all", "/discourse/conversationpermissions?conversation_id=<id>"},
	}
	for _, m := range made.MessageSet {
		switch domain.Role(m.Role) { //nolint:exhaustive // other roles are not needed
		case domain.RoleUser:
			o.places["<prompt>"] = m.ID
		case domain.RoleAssistant:
			o.places["<answer>"] = m.ID
		}
		for _, d := range m.DisplayobjectSet {
			if d.Type == string(domain.DisplayCSV) {
				o.places["<table>"] = d.ID
			}
		}
	}
	require.Len(t, o.places, 5, "the conversation must have a prompt, an answer and a table")
	w.share(t, "/discourse/conversations/"+made.ID, domain.PermissionRead)
	return o
}

// ofPlace adapts a constructor: <id> becomes the value of another placeholder of the object.
func ofPlace(made func(*testing.T, *world) *object, place string) func(*testing.T, *world) *object {
	return func(t *testing.T, w *world) *object {
		t.Helper()
		o := made(t, w)
		o.watch = watchAs(o)
		return o.with(map[string]string{"<id>": o.places[place]})
	}
}

// watchAs fills in the watched paths of an object before its <id> is changed.
func watchAs(o *object) []string {
	filled := make([]string, len(o.watch))
	for i, path := range o.watch {
		filled[i] = fill(path, o.places)
	}
	return filled
}

func aFeedback(t *testing.T, w *world) *object {
	t.Helper()
	o := aConversation(t, w)
	var given map[string]any
	w.call(t, viewer, http.MethodPut, "/discourse/messages/"+o.places["<answer>"]+"/feedbacks",
		`{"label":[1],"comment":[{"text":"`+ourWord+` words"}]}`).into(t, 200, &given)
	o.watch = watchAs(o)
	return o.with(map[string]string{"<id>": id(given), "<feedback>": id(given)})
}

// reviewed creates a conversation with feedback; its <id> is the value of the placeholder.
func reviewed(place string) func(*testing.T, *world) *object {
	return ofPlace(func(t *testing.T, w *world) *object {
		t.Helper()
		o := aFeedback(t, w)
		return o.with(map[string]string{"<id>": o.places["<conversation>"]})
	}, place)
}

func aBlueprint(t *testing.T, w *world) *object {
	t.Helper()
	made := w.make(t, owner, "/discourse/blueprints", `{"name":"<name> plan","description":"<name>","initial_message":"seed=1 tokens=1 rate=0",
		"steps":[{"name":"<name> step","detailed_instructions":"seed=1 tokens=1 rate=0","analyst":<agent>},
			{"name":"<name> last","code":"SELECT 1","analyst":<agent>}]}`)
	var whole struct {
		Steps []map[string]any `json:"steps"`
	}
	w.get(t, owner, "/discourse/blueprints/"+id(made), &whole)
	w.share(t, "/discourse/blueprints/"+id(made), domain.PermissionRead)
	return &object{
		places: map[string]string{"<id>": id(made), "<blueprint>": id(made), "<step>": id(whole.Steps[0])}, keeper: owner,
		watch: []string{"/discourse/blueprints/<id>", "/discourse/blueprints/<id>/actors"},
	}
}

// aLibraryBlueprint creates a blueprint of the organisation's library, which nobody owns. The
// API cannot create one, so it turns a copy of the seeded one into a library blueprint.
func aLibraryBlueprint(t *testing.T, w *world) *object {
	t.Helper()
	copied := w.make(t, superuser, "/discourse/blueprints/"+w.words[false]["<library>"]+"/copy", `{"name":"<name> library"}`)
	_, err := w.db.Exec(t.Context(), "UPDATE blueprint SET is_library = true, owner_id = NULL WHERE id = $1", copied["id"])
	require.NoError(t, err)
	return &object{places: map[string]string{"<id>": id(copied)}, keeper: colleague, watch: []string{"/discourse/blueprints/<id>"}}
}

// aWaitingStep creates a step that is not part of a blueprint yet.
func aWaitingStep(t *testing.T, w *world) *object {
	t.Helper()
	made := w.make(t, owner, "/discourse/steps", `{"name":"<name>","code":"SELECT 1"}`)
	return &object{places: map[string]string{"<id>": id(made)}}
}

func aSource(t *testing.T, w *world) *object {
	t.Helper()
	made := w.source(t, owner)
	w.share(t, "/memory/datasources/"+id(made), domain.PermissionWrite)
	return sourceOf(t, w, made, owner)
}

func sourceOf(t *testing.T, w *world, made map[string]any, keeper actor) *object {
	t.Helper()
	var whole struct {
		DataResourceSet []map[string]any `json:"dataResourceSet"`
	}
	w.get(t, keeper, "/memory/datasources/"+id(made), &whole)
	require.NotEmpty(t, whole.DataResourceSet)
	return &object{
		places: map[string]string{"<id>": id(made), "<source>": id(made), "<resource>": id(whole.DataResourceSet[0])}, keeper: keeper,
		watch: []string{"/memory/datasources/<id>", "/memory/datasources/<id>/actors"},
	}
}

// aCorrectionBy is the body of a correction of the table of aSource with this value.
func aCorrectionBy(value string) string {
	return `{"table":"t","column":"a","field":"words","value":"` + value + `","reason":"<name>"}`
}

// aCorrectedSource is a data source with a correction.
func aCorrectedSource(t *testing.T, w *world) *object {
	t.Helper()
	o := aSource(t, w)
	made := w.make(t, owner, "/memory/datasources/"+o.places["<id>"]+"/corrections", aCorrectionBy("<name>"))
	return o.with(map[string]string{"<correction>": id(made)})
}

// anOpenSource creates a data source for the whole organisation.
func anOpenSource(t *testing.T, w *world) *object {
	t.Helper()
	return sourceOf(t, w, w.source(t, superuser, "scope", "organization"), superuser)
}

// anAttachedSource creates a data source that is attached to a conversation: everybody who may
// read the conversation may use it.
func anAttachedSource(t *testing.T, w *world) *object {
	t.Helper()
	c := aConversation(t, w)
	return sourceOf(t, w, w.source(t, owner, "scope", "conversation", "conversation_id", c.places["<id>"]), owner)
}

func aMemory(t *testing.T, w *world) *object {
	t.Helper()
	mark := domain.NewID().String()
	made := w.make(t, superuser, "/memory/memories", `{"question":"<name> `+mark+`?","name":"<name>","type":<type>,"response":"<name>"}`)
	return &object{places: map[string]string{"<id>": id(made)}, keeper: superuser, watch: []string{"/memory/memories?search=" + mark}}
}

func aLabel(t *testing.T, w *world) *object {
	t.Helper()
	mark := domain.NewID().String()
	made := w.make(t, owner, "/discourse/projectlabels", `{"name":"<name> `+mark+`","description":"<name>","color":"Teal blue"}`)
	return &object{places: map[string]string{"<id>": id(made)}, keeper: owner, watch: []string{"/discourse/projectlabels?search=" + mark}}
}

const newTask = `{"name":"<name>","icebreaker":<blueprint>,"schedule":{"type":"cron","time_zone":"Europe/Paris","time":"9:30 AM"}}`

func aTask(t *testing.T, w *world) *object {
	t.Helper()
	o := aBlueprint(t, w)
	var made map[string]any
	w.call(t, owner, http.MethodPost, "/discourse/scheduledtasks", fill(newTask, o.places, w.words[false])).into(t, 201, &made)
	return &object{
		places: map[string]string{"<id>": id(made), "<blueprint>": o.places["<blueprint>"]}, keeper: owner,
		watch: []string{"/discourse/scheduledtasks/<id>"},
	}
}

// anAgent creates an agent whose owner is not a superuser, as if the owner had been one before.
func anAgent(t *testing.T, w *world) *object {
	t.Helper()
	made := w.make(t, superuser, "/analyst/analysts", `{"agentName":"<name> `+domain.NewID().String()+`","description":"<name>",`+
		`"provider":"scripted","model":"scripted"}`)
	_, err := w.db.Exec(t.Context(), "UPDATE analyst SET owner_id = $2 WHERE id = $1", made["id"], w.people[owner])
	require.NoError(t, err)
	w.share(t, "/analyst/analysts/"+id(made), domain.PermissionRead)
	return &object{
		places: map[string]string{"<id>": id(made)}, keeper: owner, watch: []string{"/analyst/analysts/<id>", "/analyst/analysts/<id>/actors"},
	}
}

// theDefaultAgent is available to everybody in the organisation.
func theDefaultAgent(t *testing.T, w *world) *object {
	t.Helper()
	return &object{places: map[string]string{"<id>": w.words[false]["<prism>"]}, keeper: superuser, watch: []string{"/analyst/analysts/<id>"}}
}

// theOwner is the person whose stream is requested.
func theOwner(_ *testing.T, w *world) *object {
	return &object{places: map[string]string{"{uuid}": w.uuids[owner]}}
}
