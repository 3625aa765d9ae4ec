package integration_test

import (
	"strings"
	"testing"
)

// expected is the status that each actor receives, indexed by actor.
type expected [actorCount]int

// everybody expects the status for each actor who is signed in, and 401 for the others.
func everybody(status int) expected {
	var e expected
	for a := range e {
		e[a] = status
	}
	return e.but(401, anonymous, disabled)
}

// but returns e with another status for some actors.
func (e expected) but(status int, some ...actor) expected {
	for _, a := range some {
		e[a] = status
	}
	return e
}

// readers expects the status for the owner and the people with whom the object is shared for
// reading, and 404 for all others.
func readers(status int) expected { return everybody(404).but(status, owner, viewer, byTeam) }

// owners expects the status for the owner only, 403 for other people who may see the object,
// and 404 for the rest.
func owners(status int) expected { return readers(403).but(status, owner) }

// users and editors are readers and owners for objects that can also be shared for writing.
func users(status int) expected { return readers(status).but(status, writer) }

func editors(status int) expected { return users(403).but(status, owner, writer) }

// private expects the status for the owner only, and 404 for all others.
func private(status int) expected { return everybody(404).but(status, owner) }

// superusers expects the status for the superusers: each acts in their own organisation.
func superusers(status int) expected { return everybody(404).but(status, superuser, foreignSuperuser) }

// ours expects the status for everybody of the object's organisation.
func ours(status int) expected { return everybody(status).but(404, outsider, foreignSuperuser) }

// Values of right.when that tell the kind of object. Function relation (rights_agree_test.go) reads them.
const (
	ofTheLibrary    = "of the library"
	ofEverybody     = "of everybody"
	theDefaultOne   = "the default one"
	ofAConversation = "of a conversation"
	ofNothingYet    = "of nothing yet"
)

// right is a row of the table: one call, and the status that each actor receives.
type right struct {
	// call is the method and the path, as in the published API description.
	call string
	// on creates the object of the call. Nil if the call needs no object.
	on func(*testing.T, *world) *object
	// send is the body, or the query if it begins with a question mark. Placeholders
	// such as <id> are replaced by values of the object or of the actor's organisation.
	send string
	may  expected

	// when distinguishes rows of the same call.
	when string
	// form holds names and values of form fields, which are sent with a file unless a
	// field names a display object instead.
	form []string
	// shared is set if one object serves all rows: only one row at a time may use it.
	shared bool
	requestOptions
}

func (r *right) method() string { return strings.Fields(r.call)[0] }
func (r *right) path() string   { return strings.Fields(r.call)[1] }

// rights is the table of rights, the specification of who may do what. TestRights_EveryCall
// fails for a published call without a row, and for a row without a published call.
func rights() []right {
	var all []right
	for _, rows := range [][]right{
		againstRules(), rightsOfPeople(), rightsOfConversations(), rightsOfMessages(), rightsOfBlueprints(),
		rightsOfSources(), rightsOfKnowledge(), rightsOfWork(),
	} {
		all = append(all, rows...)
	}
	return all
}

// againstRules returns rows with bodies that are not valid. Only a person who may make the
// change learns what is wrong: rights are checked before the rules of a body.
func againstRules() []right {
	const (
		shared = `{"users":[{"id":<someone>,"permission":"owner"}]}`
		when   = "against the rules"
	)
	step := ofPlace(aBlueprint, "<step>")
	return []right{
		{call: "PATCH /discourse/conversations/{id}", on: aConversation, send: `{"name":" "}`, may: owners(422), when: when},
		{call: "PUT /discourse/conversations/{id}/actors", on: aConversation, send: shared, may: owners(422), when: when},
		{
			call: "POST /discourse/user-text", on: aConversation, send: `{"conversationId":"<id>","message":{"text":" "}}`, may: owners(422),
			when: when,
		},
		{call: "PUT /discourse/messages/{id}/feedbacks", on: ofPlace(aConversation, "<answer>"), send: `{}`, may: readers(422), when: when},
		{
			call: "POST /discourse/comments", on: aFeedback, send: `{"feedback":<id>,"text":" "}`,
			may: everybody(404).but(422, owner, viewer, superuser), when: when,
		},
		{call: "PUT /discourse/blueprints/{id}", on: aBlueprint, send: `{"name":" "}`, may: owners(422), when: when},
		{call: "PUT /discourse/blueprints/{id}/actors", on: aBlueprint, send: shared, may: owners(422), when: when},
		{call: "POST /discourse/steps", on: aBlueprint, send: `{"icebreaker":<blueprint>,"name":" "}`, may: owners(422), when: when},
		{call: "PUT /discourse/steps/{id}", on: step, send: `{"name":" "}`, may: owners(422), when: when},
		{call: "PUT /memory/datasources/{id}", on: aSource, send: `{"name":" "}`, may: editors(422), when: when},
		{call: "PUT /memory/datasources/{id}/actors", on: aSource, send: shared, may: users(403).but(422, owner), when: when},
		{
			call: "PATCH /memory/datasources/{id}/details", on: aSource, send: `{"id":<resource>,"text":"` + strings.Repeat("x", 200_000) + `"}`,
			may: editors(422), when: when,
		},
		{
			call: "POST /memory/datasources/{id}/corrections", on: aSource, send: `{"table":"","field":"","value":""}`,
			may: editors(422), when: when,
		},
		{call: "PUT /analyst/analysts/{id}", on: anAgent, send: `{"name":" "}`, may: owners(422).but(422, superuser), when: when},
		{call: "PUT /analyst/analysts/{id}/actors", on: anAgent, send: shared, may: owners(422).but(403, superuser), when: when},
		{call: "POST /analyst/analysts", send: `{"name":" "}`, may: superusers(422), when: when},
		{call: "POST /memory/memories", send: `{}`, may: superusers(422), when: when},
		{call: "PUT /memory/memories/{id}", on: aMemory, send: `{}`, may: ours(403).but(422, superuser), when: when},
	}
}

func rightsOfPeople() []right {
	return []right{
		{call: "GET /user/me", may: everybody(200)},
		{call: "POST /user/me/keep-alive", may: everybody(204)},
		{call: "POST /user/me/logout", may: everybody(204), requestOptions: requestOptions{session: "#leaving"}},
		{call: "GET /user/organizations", may: everybody(200)},
		{call: "GET /user/shareable-entities", may: everybody(200)},
		{call: "GET /user/{uuid}/stream", on: theOwner, may: private(200), requestOptions: requestOptions{endless: true}}, // B01
		{call: "GET /discourse/llm-statistics/usage-report", may: everybody(200)},
		{call: "GET /discourse/llm-statistics/usage-report", send: "?level=user&group_by=conversation_id", may: everybody(200), when: "own"},
		{call: "GET /discourse/llm-statistics/credits-info", may: everybody(200)},
		{call: "GET /cluster/nodes", may: everybody(403).but(200, superuser)},
		{call: "GET /discourse/llm-statistics/time-period", may: everybody(200)},
	}
}

func rightsOfConversations() []right {
	const one = "/discourse/conversations/{id}"
	return []right{
		{call: "GET /discourse/conversations", send: "?include_nested_objects=true", may: everybody(200)},
		{call: "GET /discourse/conversations/running", may: everybody(200)},
		{call: "POST /discourse/conversations", send: `{"name":"<name>"}`, may: everybody(201)},
		{call: "GET " + one, on: aConversation, may: readers(200)},
		{call: "GET " + one, on: reviewed("<conversation>"), may: readers(200), when: "with feedback"},
		{
			call: "GET " + one, on: reviewed("<conversation>"), send: "?feedback_scope=all", may: readers(200).but(200, superuser),
			when: "for reviewers",
		},
		{call: "PATCH " + one, on: aConversation, send: `{"name":"<name>"}`, may: owners(200)},
		{call: "PATCH " + one, on: reviewed("<conversation>"), send: `{"name":"<name>"}`, may: owners(200), when: "with feedback"},
		{call: "PUT " + one, on: aConversation, send: `{"name":"<name>"}`, may: owners(200)},
		{call: "DELETE " + one, on: aConversation, may: owners(204)},
		{call: "DELETE " + one, on: reviewed("<conversation>"), may: owners(204), when: "with feedback"},
		{call: "PUT " + one + "/actors", on: aConversation, send: `{"users":[{"id":<someone>,"permission":"read"}]}`, may: owners(200)},
		{call: "POST " + one + "/copy", on: aConversation, may: readers(201)},
		{call: "GET " + one + "/data-sources", on: aConversation, may: readers(200)},
		{call: "PUT " + one + "/favorite", on: aConversation, send: `{"is_favorite":true}`, may: readers(204)},
		{call: "POST " + one + "/read", on: aConversation, may: readers(204)},
		{call: "POST " + one + "/rewind", on: aConversation, send: `{"message_id":"<prompt>"}`, may: owners(200)},
		{call: "GET /discourse/conversationpermissions", on: aConversation, send: "?conversation_id=<id>", may: readers(200)},
		{call: "PATCH /user/me/conversations/{id}/status", on: aConversation, send: `{"status":"archived"}`, may: readers(204)},
	}
}

func rightsOfMessages() []right {
	const (
		message = "/discourse/messages/{id}"
		table   = "/discourse/displayobjects/{id}"
	)
	prompt, answer, object := ofPlace(aConversation, "<prompt>"), ofPlace(aConversation, "<answer>"), ofPlace(aConversation, "<table>")
	return []right{
		{call: "GET /discourse/messages", send: "?search=sales", may: everybody(200)},
		// B02, B03
		{call: "POST /discourse/user-text", on: aConversation, send: `{"conversationId":"<id>","message":{"text":"seed=1 tokens=1 rate=0",` +
			`"analystId":<agent>}}`, may: owners(200)},
		{call: "POST /analyst/process-control/stop-process-in-redis", on: aConversation, send: `{"conversation_id":"<id>"}`, may: owners(200)},
		{call: "GET " + message, on: prompt, may: readers(200)},
		{call: "GET " + message, on: reviewed("<answer>"), may: readers(200), when: "with feedback"},
		{
			call: "GET " + message, on: reviewed("<answer>"), send: "?feedback_scope=all", may: readers(200).but(200, superuser),
			when: "for reviewers",
		},
		{call: "PUT " + message + "/feedbacks", on: answer, send: `{"label":[1]}`, may: readers(200)},
		{call: "GET " + message + "/comments", on: answer, may: readers(200)},
		{call: "GET " + message + "/comments", on: reviewed("<answer>"), may: readers(200).but(200, superuser), when: "with feedback"},
		{call: "GET /discourse/feedbacks", send: "?split_by_sentiment=true", may: everybody(200)},
		{call: "GET /discourse/feedbacks/{id}", on: aFeedback, may: everybody(404).but(200, owner, viewer, superuser)},
		{
			call: "POST /discourse/comments", on: aFeedback, send: `{"feedback":<id>,"text":"<name>"}`,
			may: everybody(404).but(201, owner, viewer, superuser),
		},
		{call: "GET /discourse/sentiments", may: everybody(200)},
		{call: "GET " + table + "/content", on: object, may: readers(200)},
		{call: "GET " + table + "/content", on: reviewed("<table>"), may: readers(200).but(200, superuser), when: "with feedback"},
		{call: "GET " + table + "/presigned-url", on: object, may: readers(200)},
		{call: "GET " + table + "/presigned-url", on: reviewed("<table>"), may: readers(200).but(200, superuser), when: "with feedback"},
	}
}

func rightsOfBlueprints() []right {
	const (
		all   = "/discourse/blueprints"
		one   = "/discourse/blueprints/{id}"
		whole = `{"name":"<name>","steps":[{"name":"<name>","code":"SELECT 1"}]}`
		step  = `{"name":"<name>","code":"SELECT 2"}`
		start = `{"analyst_id":<agent>}`
	)
	return []right{
		{call: "GET " + all, may: everybody(200)},
		{call: "POST " + all, send: whole, may: everybody(201)},
		{call: "POST " + all, on: aConversation, send: `{"from_conversation":"<id>"}`, may: readers(201), when: "from a conversation"},
		{call: "POST " + all + "/initial-message", send: whole, may: everybody(200)},
		{call: "GET " + all + "/use-case-categories", may: everybody(200)},
		{call: "GET " + one, on: aBlueprint, may: readers(200)},
		{call: "PUT " + one, on: aBlueprint, send: whole, may: owners(200)},
		{call: "DELETE " + one, on: aBlueprint, may: owners(204)},
		{call: "POST " + one + "/archive", on: aBlueprint, may: owners(204)},
		{call: "POST " + one + "/copy", on: aBlueprint, send: `{"name":"<name>"}`, may: readers(201)},
		{call: "PUT " + one + "/favorite", on: aBlueprint, send: `{"is_favorite":true}`, may: readers(204)},
		{call: "GET " + one + "/actors", on: aBlueprint, may: readers(200)},
		{call: "PUT " + one + "/actors", on: aBlueprint, send: `{"users":[{"id":<someone>,"permission":"read"}]}`, may: owners(200)},
		{call: "POST " + one + "/conversations", on: aBlueprint, send: start, may: readers(201)},

		{call: "GET " + one, on: aLibraryBlueprint, may: ours(200), when: ofTheLibrary},
		{call: "PUT " + one, on: aLibraryBlueprint, send: whole, may: ours(403), when: ofTheLibrary},
		{call: "DELETE " + one, on: aLibraryBlueprint, may: ours(403), when: ofTheLibrary},
		{call: "POST " + one + "/archive", on: aLibraryBlueprint, may: ours(403).but(204, superuser), when: ofTheLibrary},
		{call: "POST " + one + "/copy", on: aLibraryBlueprint, may: ours(201), when: ofTheLibrary},
		{call: "PUT " + one + "/favorite", on: aLibraryBlueprint, send: `{"is_favorite":true}`, may: ours(204), when: ofTheLibrary},
		{call: "GET " + one + "/actors", on: aLibraryBlueprint, may: ours(200), when: ofTheLibrary},
		{call: "PUT " + one + "/actors", on: aLibraryBlueprint, send: `{"users":[{"id":<someone>}]}`, may: ours(403), when: ofTheLibrary},
		{call: "POST " + one + "/conversations", on: aLibraryBlueprint, send: start, may: ours(201), when: ofTheLibrary},

		{call: "POST /discourse/steps", send: step, may: everybody(201), when: "for later"},
		{call: "POST /discourse/steps", on: aBlueprint, send: `{"icebreaker":<blueprint>,"name":"<name>","code":"SELECT 2"}`, may: owners(201)},
		{call: "PUT /discourse/steps/{id}", on: ofPlace(aBlueprint, "<step>"), send: step, may: owners(200)},
		{call: "PUT /discourse/steps/{id}", on: aWaitingStep, send: step, may: private(200), when: ofNothingYet},
		{call: "DELETE /discourse/steps/{id}", on: ofPlace(aBlueprint, "<step>"), may: owners(204)},
		{call: "DELETE /discourse/steps/{id}", on: aWaitingStep, may: private(204), when: ofNothingYet},
	}
}

func rightsOfSources() []right {
	const (
		all = "/memory/datasources"
		one = "/memory/datasources/{id}"
	)
	file := []string{"name", "<name>", "description", "<name>"}
	aCorrection := aCorrectionBy("<name>")
	return []right{
		{call: "GET " + all, send: "?include_nested_objects=true", may: everybody(200)},
		{call: "GET " + all + "/type", may: everybody(200)},
		{call: "GET " + one, on: aSource, may: users(200)},
		{call: "GET " + one, on: anOpenSource, may: ours(200), when: ofEverybody},
		{call: "GET " + one, on: anAttachedSource, may: readers(200), when: ofAConversation},
		{call: "GET " + one + "/facts", on: aSource, may: users(200)},
		{call: "GET " + one + "/facts", on: anOpenSource, may: ours(200), when: ofEverybody},
		{call: "GET " + one + "/facts", on: anAttachedSource, may: readers(200), when: ofAConversation},
		{call: "GET " + one + "/meaning", on: aSource, may: users(200)},
		{call: "GET " + one + "/meaning", on: anOpenSource, may: ours(200), when: ofEverybody},
		{call: "GET " + one + "/meaning", on: anAttachedSource, may: readers(200), when: ofAConversation},
		{call: "POST " + one + "/corrections", on: aSource, send: aCorrection, may: editors(201)},
		{call: "POST " + one + "/corrections", on: anOpenSource, send: aCorrection, may: ours(403).but(201, superuser), when: ofEverybody},
		{call: "POST " + one + "/corrections", on: anAttachedSource, send: aCorrection, may: owners(201), when: ofAConversation},
		{call: "DELETE " + one + "/corrections", on: aCorrectedSource, send: "?correction=<correction>", may: editors(204)},
		{call: "PUT " + one, on: aSource, send: `{"name":"<name>"}`, may: editors(200)},
		{call: "PUT " + one, on: aSource, form: file, may: users(403).but(200, owner), when: "with a file"},
		{call: "PUT " + one, on: anOpenSource, send: `{"name":"<name>"}`, may: ours(403).but(200, superuser), when: ofEverybody},
		{call: "PUT " + one, on: anAttachedSource, send: `{"name":"<name>"}`, may: owners(200), when: ofAConversation},
		{call: "DELETE " + one, on: aSource, may: users(403).but(204, owner)},
		{call: "DELETE " + one, on: anOpenSource, may: ours(403).but(204, superuser), when: ofEverybody},
		{call: "POST " + one + "/archive", on: aSource, may: users(403).but(200, owner)},
		{call: "POST " + one + "/archive", on: anOpenSource, may: ours(403).but(200, superuser), when: ofEverybody},
		{call: "PUT " + one + "/favorite", on: aSource, send: `{"is_favorite":true}`, may: users(204)},
		{call: "GET " + one + "/actors", on: aSource, may: users(200)},
		{call: "PUT " + one + "/actors", on: aSource, send: `{"users":[{"id":<someone>,"permission":"write"}]}`, may: users(403).but(200, owner)},
		{call: "GET " + one + "/file", on: aSource, may: users(200)},
		{call: "PUT " + one + "/file", on: aSource, form: file, may: users(403).but(200, owner)},
		{call: "POST " + one + "/sync", on: aSource, may: editors(200)},
		{call: "PATCH " + one + "/details", on: aSource, send: `{"id":<resource>,"text":"<name>"}`, may: editors(200)},
		{call: "PATCH /memory/dataresources/{id}", on: ofPlace(aSource, "<resource>"), send: `{"details":"<name>"}`, may: editors(200)},
		{call: "POST /memory/file/datasources", form: file, may: everybody(201)},
		{
			call: "POST /memory/file/datasources", form: append(file, "scope", "organization"),
			may: everybody(403).but(201, superuser, foreignSuperuser), when: "for everybody",
		},
		{
			call: "POST /memory/file/datasources", on: aConversation, form: append(file, "scope", "conversation", "conversation_id", "<id>"),
			may: owners(201), when: ofAConversation,
		},
		{
			call: "POST /memory/file/datasources", on: ofPlace(aConversation, "<table>"),
			form: []string{"display_object_id", "<id>", "description", "<name>"}, may: readers(201), when: "from a table",
		},
		// E14
		{
			call: "POST /memory/file/datasources", on: reviewed("<table>"), form: []string{"display_object_id", "<id>", "description", "<name>"},
			may: readers(201), when: "from a table with feedback",
		},
		{call: "POST /memory/file/info", form: file, may: everybody(200)},
		{call: "GET /memory/datasources/questions", may: everybody(200)},
		{call: "POST /memory/secrets", form: file[:2], may: everybody(201)},
		{call: "GET /memory/secrets", may: everybody(200)},
		{call: "POST /memory/datasources", send: aConnection, may: everybody(201)},
		{call: "POST /memory/datasources/check", send: aConnection, may: everybody(204)},
	}
}

func rightsOfKnowledge() []right {
	const (
		agents = "/analyst/analysts"
		agent  = "/analyst/analysts/{id}"
		memory = `{"question":"<name>?","name":"<name>","type":<type>,"response":"<name>"}`
	)
	return []right{
		{call: "GET " + agents, send: "?filter_enabled=false", may: everybody(200)},
		{call: "GET " + agents + "/active-models", may: everybody(200)},
		{call: "GET /analyst/default", may: everybody(200)},
		{call: "POST " + agents, send: `{"description":"<name>","provider":"scripted","model":"scripted"}`, may: superusers(201)}, // B13
		{call: "GET " + agent, on: anAgent, may: readers(200).but(200, superuser)},
		{call: "GET " + agent, on: theDefaultAgent, may: ours(200), when: theDefaultOne, shared: true},
		{call: "PUT " + agent, on: anAgent, send: `{"description":"<name> again"}`, may: owners(200).but(200, superuser)},
		{
			call: "PUT " + agent, on: theDefaultAgent, send: `{"description":"<name> again"}`, may: ours(403).but(200, superuser),
			when: theDefaultOne, shared: true,
		},
		{call: "DELETE " + agent, on: anAgent, may: owners(204).but(403, superuser)},
		{call: "DELETE " + agent, on: theDefaultAgent, may: ours(403), when: theDefaultOne, shared: true},
		{call: "PUT " + agent + "/favorite", on: anAgent, send: `{"is_favorite":true}`, may: readers(204).but(204, superuser)},
		{call: "GET " + agent + "/actors", on: anAgent, may: readers(200).but(200, superuser)},
		{
			call: "PUT " + agent + "/actors", on: anAgent, send: `{"users":[{"id":<someone>,"permission":"read"}]}`,
			may: owners(200).but(403, superuser),
		},

		{call: "GET /memory/memories", may: everybody(200)},
		{call: "POST /memory/memories", send: memory, may: superusers(201)}, // B13
		{call: "PUT /memory/memories/{id}", on: aMemory, send: memory, may: ours(403).but(200, superuser)},
		{call: "PATCH /memory/memories/{id}", on: aMemory, send: `{"is_enabled":false}`, may: ours(403).but(200, superuser)},
		{call: "DELETE /memory/memories/{id}", on: aMemory, may: ours(403).but(204, superuser)},
		{call: "GET /memory/memorytypes", may: everybody(200)},
		{call: "GET /memory/memorylabels", may: everybody(200)},
		{call: "GET /memory/memorysources", may: everybody(200)},
	}
}

func rightsOfWork() []right {
	const (
		label = "/discourse/projectlabels/{id}"
		task  = "/discourse/scheduledtasks/{id}"
		draft = `{"name":"<name>","description":"<name>","color":"Teal blue"}`
	)
	return []right{
		{call: "GET /discourse/projectlabels", may: everybody(200)},
		{call: "POST /discourse/projectlabels", send: draft, may: everybody(201)},
		{call: "PUT " + label, on: aLabel, send: draft, may: ours(403).but(200, owner, superuser)},
		{call: "DELETE " + label, on: aLabel, may: ours(403).but(204, owner, superuser)},

		{call: "GET /discourse/scheduledtasks", may: everybody(200)},
		{call: "POST /discourse/scheduledtasks/next-runs", send: `{"type":"cron","timeZone":"UTC","time":"9:30 AM"}`, may: everybody(200)},
		{call: "GET /discourse/scheduledtasks/timezones", may: everybody(200)},
		// A blueprint that the caller may not see is reported as a wrong field (B08).
		{call: "POST /discourse/scheduledtasks", on: aBlueprint, send: newTask, may: everybody(422).but(201, owner, viewer, byTeam)},
		{call: "GET " + task, on: aTask, may: private(200).but(200, superuser)},
		{call: "GET " + task + "/runs", on: aTask, may: private(200).but(200, superuser)},
		{call: "PUT " + task, on: aTask, send: newTask, may: private(200).but(403, superuser)},
		{call: "PATCH " + task, on: aTask, send: `{"is_enabled":false}`, may: private(200).but(403, superuser)},
		{call: "DELETE " + task, on: aTask, may: private(204).but(403, superuser)},
		{call: "PATCH /user/me/scheduled-tasks/{id}/status", on: aTask, send: `{"status":"archived"}`, may: private(403).but(200, superuser)},
		{
			call: "PATCH /user/me/scheduled-tasks/{id}/status", on: aTask, send: `{"enabled":false}`, may: private(200).but(403, superuser),
			when: "to switch it",
		},
	}
}
