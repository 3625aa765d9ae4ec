package api

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/domain"
)

// callDescriptions contain what does not fit into a call's summary: what changes, which
// units are used. Who may call it is added from the table of rights. Calls that have a
// description where they are registered are not listed here; a test finds a call without a
// description and a row without a call.
func callDescriptions() map[string]string {
	conversations, blueprints := "/discourse/conversations", "/discourse/blueprints"
	return map[string]string{
		"GET " + conversations: "The last changed first. Archived conversations are only returned with status=archived. Favourites, status " +
			"and numbers of unread messages are the caller's own.",
		"POST " + conversations: fmt.Sprintf("Returns the conversation. A name of more than %d characters is shortened. Connectors that the "+
			"caller may not use are refused. The fields owner, messageSet and the times are ignored.", domain.ConversationNameOnCreate),
		"GET " + conversations + "/running": "Only those that the caller may see. Clients call this after they have reconnected.",
		"DELETE " + conversations + "/{id}": "A running answer is stopped, and readers are notified. The conversation cannot be restored. Its " +
			"credits stay in the reports, marked as deleted.",
		"PATCH " + conversations + "/{id}": "Missing fields do not change, and readers are notified on the stream. status and isFavorite " +
			"only change the caller's own lists; all other fields need the right " + string(domain.ChangeConversation) + ".",
		"PUT " + conversations + "/{id}": "The same as PATCH: missing fields do not change, and fields need the same rights.",
		"PUT " + conversations + "/{id}/actors": fmt.Sprintf("At most %d entries. People and teams that are not listed keep their permission. "+
			"remove removes a permission at once, also on open streams. Conversations can be shared for reading only.", domain.GrantsMax),
		"GET " + conversations + "/{id}/data-sources": "The connectors that are attached to the conversation, that a prompt in it has used, " +
			"or that belong to it. Only those that the caller may use.",
		"PUT " + conversations + "/{id}/favorite": "It changes nothing for other people.",
		"POST " + conversations + "/{id}/read":    "The caller's other clients are notified on the stream.",
		"POST " + conversations + "/{id}/rewind": "Returns the text of the removed prompt, for the draft, and the remaining messages. The " +
			"generation increases by 1: late events of a stopped turn have the old generation and must be ignored.",
		"GET /discourse/conversationpermissions":   "abilities.manageAccess of the conversation says whether the caller may change the list.",
		"PATCH /user/me/conversations/{id}/status": "Moves the conversation between the caller's own lists. It changes nothing for other people.",
		"GET /discourse/messages/{id}": "404 if a rewind has removed the message. A message that is being written has its text so " +
			"far.",
		"GET /discourse/messages/{id}/comments": "Only comments of feedback that the caller may see.",
		"GET /discourse/displayobjects/{id}/presigned-url": "Everybody who has the link may read the object until expiresAt. It is only valid " +
			"for this object and for GET.",
		"GET /discourse/sentiments":     "Like, Dislike and Question. The default label of a sentiment gives no particular reason.",
		"GET /discourse/feedbacks/{id}": "404 if the caller may not see it.",
		"POST /discourse/comments":      fmt.Sprintf("A feedback has at most %d comments.", domain.FeedbackCommentsMax),

		"POST " + blueprints + "/initial-message": "Nothing is stored. The message contains {{Name}} for each input; the values are entered " +
			"when a conversation starts. Existing steps can be given by their ids alone.",
		"GET " + blueprints + "/use-case-categories": "The categories of the caller's organization.",
		"DELETE " + blueprints + "/{id}": "Conversations that were started from it are not deleted. Scheduled tasks that use it are disabled, " +
			"with a reason, and their owners are notified on the stream.",
		"GET " + blueprints + "/{id}":          "Includes the access list and the texts of the steps.",
		"GET " + blueprints + "/{id}/actors":   "abilities.manageAccess of the blueprint says whether the caller may change the list.",
		"PUT " + blueprints + "/{id}/favorite": "It changes nothing for other people.",

		"GET /analyst/default": "The default agent of the organization. It cannot be disabled.",

		"GET /memory/datasources":                "The last changed first. abilities says what the caller may do with each of them.",
		"PATCH /memory/dataresources/{id}":       "Agents read the data dictionary as a description of the table.",
		"GET /memory/datasources/{id}/actors":    "abilities.manageAccess of the connector says whether the caller may change the list.",
		"PATCH /memory/datasources/{id}/details": "The field id is the id of a table of the connector.",
		"PUT /memory/datasources/{id}/favorite":  "It changes nothing for other people.",
		"POST /memory/datasources/{id}/sync": "Only for connectors with canSync. Running queries continue with the data that they have " +
			"started with.",
		"GET /memory/datasources/questions": "The questions are made from the tables, and each of them can be answered. Several connectors " +
			"take turns in the list.",
		"GET /memory/datasources/type": "Sizes are in bytes.",
		"POST /memory/file/info": "Reads at most " + sizeOf(domain.UploadMax) + " and returns the type, delimiter, encoding and tables of the " +
			"file, and proposes a name and a description.",
		"POST /memory/memories": fmt.Sprintf("404 for other people. A name of more than %d characters is shortened.",
			domain.MemoryNameMax),
		"PUT /memory/memories/{id}":    "Missing optional fields do not change. 409 if the version is not the current one.",
		"PATCH /memory/memories/{id}":  "Missing fields do not change.",
		"DELETE /memory/memories/{id}": "Agents and steps that use it continue without it.",
		"GET /memory/memorylabels":     "The labels of the organization, by name.",
		"GET /memory/memorysources":    "manual is the source of memories that people have written.",
		"GET /memory/memorytypes": "The types of the organization. A type says who uses its memories: the agent itself, or one of its " +
			"specialists.",

		"GET /discourse/projectlabels":      "They are visible to the whole organization.",
		"POST /discourse/projectlabels":     "Accepts a form or JSON. The colour is #rrggbb or the name of a colour.",
		"PUT /discourse/projectlabels/{id}": "Accepts a form or JSON. All objects in the project show the change.",

		"GET /discourse/llm-statistics/credits-info": "From the first day of the month, in UTC. Credits are the number of tokens, multiplied " +
			"by the price of their model for 1,000 tokens.",
		"GET /cluster/nodes": "A node writes its figures every two seconds. One that hangs or cannot be reached is shown with its last " +
			"figures until its lease has ended. The command parley status prints the same. The call does not extend the session.",
		"GET /discourse/llm-statistics/time-period": "custom_time requires start_date and end_date in a report.",
		"GET /user/organizations":                   "isCurrent marks the organization that the caller works in.",
		"GET /user/shareable-entities": "People and teams of the caller's organization, people first. Disabled people are not " +
			"included.",
	}
}

// addDescriptions adds the descriptions to the calls.
func addDescriptions(o *huma.OpenAPI) {
	rows := callDescriptions()
	for path, item := range o.Paths {
		for _, op := range operationsOf(item) {
			if op.Description == "" {
				op.Description = rows[methodOf(item, op)+" "+path]
			}
			op.Description += allowedFor(op)
		}
	}
}

// allowedFor says who has the right to a call on an object. If it is narrower than the right
// to see the object, the summary says it: see need.into.
func allowedFor(op *huma.Operation) string {
	action, _ := op.Extensions[rightExtension].(string)
	right, ok := domain.Action(action).Right()
	if !ok || right.Lone || right.Words() != "" || right.Who() == domain.Everybody {
		return ""
	}
	return " Allowed for " + right.Who() + "."
}

// methodOf returns the HTTP method of an operation.
func methodOf(item *huma.PathItem, op *huma.Operation) string {
	switch op {
	case item.Get:
		return http.MethodGet
	case item.Post:
		return http.MethodPost
	case item.Put:
		return http.MethodPut
	case item.Patch:
		return http.MethodPatch
	case item.Delete:
		return http.MethodDelete
	}
	return strings.ToUpper(op.Method)
}
