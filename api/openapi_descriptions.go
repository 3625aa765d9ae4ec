package api

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// callDescriptions contain what does not fit into a call's summary: who may call it, what
// changes, which units are used. Calls that have a description where they are registered are
// not listed here; a test finds a call without a description and a row without a call.
func callDescriptions() map[string]string {
	conversations, blueprints := "/discourse/conversations", "/discourse/blueprints"
	return map[string]string{
		"GET " + conversations: "Newest change first, 50 a page. Archived ones come with status=archived. Unread counts and marks are the " +
			"caller's own.",
		"POST " + conversations: "Answers the conversation, which the caller owns. The name is cut to 30 characters; " +
			"connectors that the caller may not use are refused. owner, messageSet and the times are accepted and have no effect.",
		"GET " + conversations + "/running": "Those that the caller may see. A client asks after it has reconnected.",
		"DELETE " + conversations + "/{id}": "The owner alone. A running answer is ended, readers are notified, and it cannot be " +
			"restored; its credits stay in the reports, marked as deleted.",
		"PATCH " + conversations + "/{id}": "The owner alone. Fields that are left out stay. Readers are notified on the stream.",
		"PUT " + conversations + "/{id}":   "The same as PATCH: fields that are left out stay.",
		"PUT " + conversations + "/{id}/actors": "The owner alone, at most 200 entries. Entries that are not named stay; remove " +
			"takes one away, at once and on open streams, too. Conversations are shared for viewing only.",
		"GET " + conversations + "/{id}/data-sources": "Those attached to it, used by one of its prompts or hanging on it, as far as the " +
			"caller may use them.",
		"PUT " + conversations + "/{id}/favorite": "Anyone who may see it; no one else's list changes.",
		"POST " + conversations + "/{id}/read":    "Anyone who may see it. The caller's other tabs are notified.",
		"POST " + conversations + "/{id}/rewind": "The owner alone. Answers the removed prompt's text for the draft and the " +
			"messages left. The generation rises: what comes late from a cut turn is dropped.",
		"GET /discourse/conversationpermissions": "Anybody who may see the conversation may read the list; abilities.manageAccess " +
			"says who may change it.",
		"PATCH /user/me/conversations/{id}/status": "Anyone who may see it. It moves between the caller's own lists; nobody " +
			"else's change.",
		"GET /discourse/messages/{id}": "Where the caller may read its conversation and no rewind has cut it. A message " +
			"that is being written comes with its text so far.",
		"GET /discourse/messages/{id}/comments": "As far as the caller may see the feedback that they belong to.",
		"GET /discourse/displayobjects/{id}/presigned-url": "Everybody with the link may read the object until expiresAt. It is for this " +
			"object and for GET only.",
		"GET /discourse/sentiments":     "Like, Dislike and Question. The default label of each means no reason in particular.",
		"GET /discourse/feedbacks/{id}": "For its author, the conversation's owner and superusers of the organization.",
		"POST /discourse/comments":      "For everybody who may see the feedback, which has at most 100 comments.",

		"POST " + blueprints + "/initial-message": "Nothing is stored. Inputs are in the message as {{Name}}, to be filled in when a " +
			"conversation starts. A step that is there already may be named by its id alone.",
		"GET " + blueprints + "/use-case-categories": "The caller's organization's own.",
		"DELETE " + blueprints + "/{id}": "The owner alone. Conversations that it started stay. Tasks that run it, of whomever, " +
			"are switched off, say why, and their owners are notified on the stream.",
		"GET " + blueprints + "/{id}": "For the owner, the people it is shared with, and everyone of the organization if it is in " +
			"the library.",
		"GET " + blueprints + "/{id}/actors":   "For everybody who may see the blueprint.",
		"PUT " + blueprints + "/{id}/favorite": "Anyone who may see it; no one else's list changes.",

		"GET /analyst/default": "The organization's own; it cannot be switched off.",

		"GET /memory/datasources":                "600 a page, the last changed first. abilities say what the caller may do with each.",
		"PATCH /memory/dataresources/{id}":       "For everybody who may edit the connector. Analysts read it as data about the table.",
		"GET /memory/datasources/{id}/actors":    "For everybody who may use the connector.",
		"PATCH /memory/datasources/{id}/details": "For everybody who may edit the connector. id names one of its tables.",
		"PUT /memory/datasources/{id}/favorite":  "Anyone who may use it; no one else's list changes.",
		"POST /memory/datasources/{id}/sync": "For everybody who may edit the connector, if canSync says that there is something to read. " +
			"Running queries go on with the data that they started with.",
		"GET /memory/datasources/questions": "Made of what is known of the tables, and each read back before it is offered. Several data " +
			"sources take turns.",
		"GET /memory/datasources/type": "Sizes are in bytes.",
		"POST /memory/file/info": "Reads at most 200 MB in a process of its own and answers what it found: type, delimiter, encoding, " +
			"tables, and a name and description to begin with.",
		"POST /memory/memories":        "For superusers; for others there is no such call. The name is cut to 30 characters.",
		"PUT /memory/memories/{id}":    "For superusers; others who read it get 403. A stale version is 409.",
		"PATCH /memory/memories/{id}":  "For superusers; others who read it get 403. Fields that are left out stay.",
		"DELETE /memory/memories/{id}": "For superusers; others who read it get 403. Agents and steps that name it go on without it.",
		"GET /memory/memorylabels":     "The organization's own, by name.",
		"GET /memory/memorysources":    "manual is what people wrote by hand.",
		"GET /memory/memorytypes":      "The organization's own. A type says whose its memories are: the analyst's, or one specialist's.",

		"GET /discourse/projectlabels": "50 a page. Everybody of the organization sees all.",
		"POST /discourse/projectlabels": "Everybody of the organization may. Form data or JSON. The colour is #rrggbb or one of the six " +
			"named ones.",
		"PUT /discourse/projectlabels/{id}": "Form data or JSON. What carries the label changes with it.",

		"GET /discourse/llm-statistics/credits-info": "From the first of the month, in UTC. Credits are tokens times the price of their model " +
			"for 1,000 tokens.",
		"GET /discourse/llm-statistics/time-period": "custom_time needs start_date and end_date in a report.",
		"GET /user/organizations":                   "isCurrent marks the one whose data every call sees.",
		"GET /user/shareable-entities":              "Of the caller's own organization, people first, 100 a page. Disabled people are left out.",
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
		}
	}
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
