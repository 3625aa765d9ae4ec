package api

import "github.com/danielgtaylor/huma/v2"

// documentedTags are the chapters of the published contract, in their order. A test checks
// that each call has one of them.
func documentedTags() []*huma.Tag {
	return []*huma.Tag{
		{Name: "conversations", Description: "Threads of prompts and answers. The owner sends, stops, rewinds, renames, shares and deletes; " +
			"everybody with read access sees all of it, live, and may duplicate, archive and favourite it for themselves."},
		{Name: "messages", Description: "Prompts and answers. An answer arrives on the stream, piece by piece."},
		{Name: "display objects", Description: "Charts, tables, code, logs and files that messages show."},
		{Name: "feedback", Description: "What people think of answers."},
		{Name: "blueprints", Description: "Guided templates of several steps; wherever the contract says icebreaker, a blueprint is meant."},
		{Name: "connectors", Description: "Data sources that an analyst may ask."},
		{Name: "memories", Description: "Questions and responses that analysts recall. Superusers keep them."},
		{Name: "agents", Description: "The analysts that answer. Superusers set them up."},
		{Name: "projects", Description: "Coloured labels that group conversations, blueprints, connectors and tasks."},
		{Name: "scheduled tasks", Description: "Blueprints that run by themselves. For people with the flag scheduledTaskView."},
		{Name: "user", Description: "The signed-in person, and those with whom something can be shared."},
		{Name: "usage", Description: "Credits: each model call costs a price for 1,000 input and output tokens."},
		{Name: "stream", Description: "What happens, as it happens. See docs/stream-protocol.md."},
	}
}
