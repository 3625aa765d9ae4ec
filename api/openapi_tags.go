package api

import "github.com/danielgtaylor/huma/v2"

// documentedTags are the tags of the published contract, in their order. A test checks
// that each call has one of them.
func documentedTags() []*huma.Tag {
	return []*huma.Tag{
		{Name: "conversations", Description: "Threads of prompts and answers. Readers see a conversation as it is written, and may duplicate " +
			"it, or archive it or mark it as a favourite for themselves."},
		{Name: "messages", Description: "Prompts and answers. The text of an answer is sent on the stream while it is written."},
		{Name: "display objects", Description: "Charts, tables, code, logs and files that messages show."},
		{Name: "feedback", Description: "People's feedback on answers."},
		{Name: "blueprints", Description: "Guided templates with several steps. Fields named icebreaker are about blueprints."},
		{Name: "connectors", Description: "Data that agents can query: uploaded files and remote databases. Paths and fields named data " +
			"source are about connectors."},
		{Name: "memories", Description: "Questions with responses that agents recall for similar questions."},
		{Name: "agents", Description: "The agents that answer prompts. Paths and fields named analyst are about agents."},
		{Name: "projects", Description: "Coloured labels that group conversations, blueprints, connectors, agents and tasks. Paths and fields " +
			"named project label are about projects."},
		{Name: "scheduled tasks", Description: "Blueprints that run at scheduled times."},
		{Name: "user", Description: "The signed-in person, and the people and teams with whom objects can be shared."},
		{Name: "usage", Description: "Reports of credits. Each model has a price for 1,000 tokens."},
		{Name: "cluster", Description: "The nodes of the server, for those who operate it. No text of people is in it."},
		{Name: "stream", Description: "Live events. See docs/stream-protocol.md."},
	}
}
