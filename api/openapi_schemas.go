package api

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// schemaDescriptions say what a shape of the contract stands for. A test finds a
// shape without a row and a row without a shape.
func schemaDescriptions() map[string]string {
	return map[string]string{
		"ActorGrant":             "One entry of a change in Manage access: a person, team or organization, and the right that it gets.",
		"Actors":                 "A change in Manage access. Who is not named keeps what they have; remove takes a right away.",
		"AgentModel":             "A model that an agent may use, and who provides it.",
		"AgentParams":            "What an agent passes to its controller.",
		"AgentParamsRequest":     "What an agent is to pass to its controller.",
		"Analyst":                "An agent, as the caller sees it.",
		"AnalystAbilities":       "What the caller may do with an agent.",
		"AnalystGeneral":         "Whether an agent works by general settings of its own.",
		"AnalystGeneralRequest":  "Switches the general settings of an agent on and off.",
		"AnalystRequest":         "An agent as a superuser sets it up. Of a change, what is left out stays.",
		"AnalystSection":         "One specialist of an agent: its instructions and the memories that it recalls.",
		"AnalystSectionRequest":  "One specialist of an agent, as a superuser sets it up.",
		"AnalystSummary":         "The specialist that closes a turn for the executive reader.",
		"AnalystSummaryRequest":  "The specialist that closes a turn, as a superuser sets it up.",
		"Archiving":              "Whether something is to be archived or brought back.",
		"Blueprint":              "A guided template of several steps, as the caller sees it.",
		"BlueprintAbilities":     "What the caller may do with a blueprint.",
		"BlueprintArchive":       "Whether a blueprint is to be archived or brought back.",
		"BlueprintCopy":          "How a copy of a blueprint is to be called.",
		"BlueprintInput":         "One thing that people fill in when they start a blueprint.",
		"BlueprintRequest":       "A blueprint as its owner saves it. What is left out stays.",
		"BlueprintStart":         "What a conversation from a blueprint begins with.",
		"BlueprintStep":          "One step of a blueprint.",
		"BlueprintStepRequest":   "One step as it is saved. At least one of detailed instructions, QA instructions and code is given.",
		"ClientCursor":           "How far a client of the stream has come.",
		"ClientFrame":            "What a client says on the websocket.",
		"Column":                 "One column of a table.",
		"ColumnValues":           "What is known of the values of a column.",
		"Comment":                "A remark that belongs to a feedback.",
		"CommentRequest":         "A further remark to a feedback.",
		"Conversation":           "A thread of prompts and answers, as the caller sees it.",
		"ConversationAbilities":  "What the caller may do with a conversation.",
		"ConversationChange":     "Data of conversation.created and conversation.updated: the fields that are new, and the id.",
		"ConversationChanges":    "What the owner changes of a conversation. What is left out stays.",
		"ConversationCursor":     "How far a client has come in one conversation.",
		"ConversationGone":       "Data of conversation.deleted, and of the end of a reader's right.",
		"ConversationRewound":    "Data of a rewind: messages from a place of the log on are gone.",
		"ConnectionCheck":        "How a database that lives elsewhere is signed in to.",
		"ConnectionRequest":      "A connector to be made of a database that lives elsewhere.",
		"ConversationPage":       "A page of conversations, with its place in the caller's own log.",
		"Credential":             "A stored secret by its name. What it holds is never answered.",
		"CreditsInfo":            "Where the organization stands this month. What depends on a limit is null for one that pays as it goes.",
		"DataResource":           "One table of a data source.",
		"DataSource":             "A connector, as the caller sees it.",
		"DataSourceAbilities":    "What the caller may do with a connector.",
		"DataSourceChanges":      "What is changed of a connector. What is left out stays.",
		"DataSourceParam":        "One thing that is entered about a connection.",
		"DataSourceType":         "A kind of connector.",
		"Delta":                  "A piece of a message that is being written, addressed by its byte offset in that message.",
		"Dictionary":             "The data dictionary of a table.",
		"ShownColumn":            "How people read a column of a chart or table.",
		"DisplayObject":          "A chart, table, code, log or file that a message shows.",
		"Favorite":               "Whether it is to be one of the caller's favourites.",
		"Feedback":               "What one person thinks of one answer.",
		"FeedbackComment":        "A remark that comes along with feedback.",
		"FeedbackConversation":   "The conversation that a feedback is about, in short.",
		"FeedbackPage":           "A page of feedback. Split by sentiment it says, beside the page, how many of the whole list have each.",
		"FeedbackRequest":        "A person's feedback on an answer: labels of one sentiment, comments, or both.",
		"FileInfo":               "What was found in a file that is not kept.",
		"Frame":                  "One frame of the live stream.",
		"InitialMessage":         "The first message of a blueprint that was not saved.",
		"Memory":                 "A question with its response, which agents recall.",
		"MemoryAbilities":        "What the caller may do with a memory.",
		"MemoryRequest":          "A memory as a superuser saves it.",
		"MemoryType":             "Whose memories they are: the analyst's, or one specialist's.",
		"MemoryWord":             "A label of memories, or a source that they come from.",
		"Message":                "A prompt, an answer, or what the work on an answer said.",
		"MessageAnalyst":         "The agent that wrote a message.",
		"MessageEnd":             "Data of message.updated when a message has ended.",
		"MessageNote":            "Data of message.created in a person's own log: enough for a list's spinner and unread count.",
		"MessageObjects":         "Data of message.updated when a message shows more.",
		"MessageAnnotated":       "Data of message.updated when more is known of a message.",
		"Annotation":             "What is known of a message beside its text. In an event, what it leaves out stays as it was.",
		"Figure":                 "A number of a text that is a cell of a table, or follows from cells.",
		"TurnFacts":              "What an answer took.",
		"NestedDataSource":       "A connector within a conversation's row of a list.",
		"NestedProjectLabel":     "A project within a conversation's row of a list.",
		"NewBlueprintRequest":    "A new blueprint, or the conversation that it is to be made of.",
		"NewConversationRequest": "A new conversation.",
		"OfferedQuestion":        "A question that a data source can answer.",
		"Organization":           "The caller's organization.",
		"OwnOrganization":        "An organization that the caller belongs to.",
		"Pagination":             "Where a page stands in its list.",
		"PermissionEntry":        "Who has which right.",
		"Person":                 "A person, in short.",
		"PresignedURL":           "A link that needs no bearer.",
		"Problem":                "The answer to every call that fails (RFC 9457).",
		"ProblemField":           "One broken rule of one field.",
		"ProblemHead":            "Where a conversation stands now.",
		"Progress":               "Data of turn.progress, which has no seq and is not kept.",
		"ProjectLabel":           "A project: a coloured label that groups things, as the caller sees it.",
		"ProjectLabelAbilities":  "What the caller may do with a project.",
		"ProjectLabelRef":        "A project, in short.",
		"ProjectLabelRequest":    "A project as it is saved.",
		"ResourceText":           "The data dictionary of one table of a connector.",
		"Rewind":                 "The message from which on a conversation is cut.",
		"RewindNote":             "Data of conversation.rewound in a person's own log: it is the conversation that was changed last.",
		"Rewound":                "What a rewind removed and what is left.",
		"Schedule":               "When a task is due.",
		"ScheduleRequest":        "When a task is to be due. Frequencies: daily (time), weekly (day of the week, time), monthly (day of the month, time), annually (month, day of the month, time).",
		"Sent":                   "A prompt that was taken.",
		"Sentiment":              "How an answer was taken: Like, Dislike or Question.",
		"SentimentCount":         "How many feedbacks of a list have a sentiment.",
		"SentimentLabel":         "A reason for a sentiment.",
		"ShareableEntity":        "A person or team with whom something can be shared.",
		"StartedConversation":    "A conversation that was started from a blueprint; its first turn has begun.",
		"StatusChange":           "To which of the caller's lists a conversation goes.",
		"StopTurn":               "The conversation whose answer is to be stopped.",
		"Stopped":                "What goes back into the draft.",
		"StreamingComplete":      "Data of conversation.streaming-complete: how a turn ended.",
		"Task":                   "Scheduled work, as the caller sees it.",
		"TaskAbilities":          "What the caller may do with scheduled work.",
		"TaskChange":             "The switch of scheduled work.",
		"ComingRuns":             "The next due times of a schedule, the first one first.",
		"TaskChanged":            "Data of task.created, task.updated and task.deleted.",
		"TaskNote":               "Data of task.switched-off.",
		"TaskRequest":            "Scheduled work as it is saved. All that is wrong in it is said at once.",
		"TaskRun":                "One due time and what became of it.",
		"TaskRunNote":            "Data of task.run-started and task.run-failed.",
		"TaskStatusChange":       "Archives, brings back, or switches; one of them is given.",
		"TimePeriod":             "A choice of a report's dropdown.",
		"TimeZone":               "A time zone to choose.",
		"UsageReport":            "A page of a report with its totals.",
		"UsageRow":               "One line of a report. It has the fields of its grouping and, where fields were asked for by name, only those.",
		"UseCaseCategory":        "A category of the blueprint library.",
		"User":                   "The signed-in person.",
		"UserFlags":              "Areas that are switched on for a person.",
		"UserText":               "A prompt for a conversation.",
		"UserTextMessage":        "The prompt itself.",
	}
}

// describeSchemas gives shapes and their fields what the types that they come from
// do not say.
func describeSchemas(schemas map[string]*huma.Schema) {
	words, fields := schemaDescriptions(), fieldDescriptions()
	for name, schema := range schemas {
		if of, ok := strings.CutPrefix(name, "Page"); ok && schema.Properties["results"] != nil {
			schema.Description = "A page of " + of + " entries."
		}
		if schema.Description == "" {
			schema.Description = words[name]
		}
		for field, property := range schema.Properties {
			if property.Description != "" {
				continue
			}
			property.Description = fields[name+"."+field]
			if property.Description == "" {
				property.Description = fields[field]
			}
		}
	}
}
