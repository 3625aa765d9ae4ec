package protocol

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

const timeLayout = "2006-01-02T15:04:05.000Z"

// Time is written as RFC 3339 in UTC with milliseconds.
type Time time.Time

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(`"` + time.Time(t).UTC().Format(timeLayout) + `"`), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(b []byte) error {
	if err := (*time.Time)(t).UnmarshalJSON(b); err != nil {
		return fmt.Errorf("read a time: %w", err)
	}
	return nil
}

// Person is the part of a user that others see.
type Person struct {
	ID       int64     `json:"id" doc:"Its id."`
	UUID     uuid.UUID `json:"uuid" doc:"The person's UUID, which names their stream."`
	FullName string    `json:"fullName" doc:"First and last name."`
	Picture  string    `json:"picture,omitempty" doc:"A picture as a data URL; empty for none."`
}

// Analyst names the agent that wrote a message.
type Analyst struct {
	ID   int64  `json:"id" doc:"Its id."`
	Name string `json:"name" doc:"What people call it."`
}

// DisplayObject of a message; its bytes are fetched by id.
type DisplayObject struct {
	ID          uuid.UUID     `json:"id" doc:"Its id."`
	Name        string        `json:"name" doc:"What people call it."`
	Type        string        `json:"type" doc:"What it is: highcharts for charts, csv for tables, python for code, logs, or a kind of file."`
	Language    string        `json:"language,omitempty" doc:"The language of code; empty for what is no code."`
	ContentType string        `json:"contentType,omitempty" doc:"The content type of its content."`
	Size        int64         `json:"size" doc:"Bytes."`
	Columns     []ShownColumn `json:"columns,omitempty" doc:"How people read the columns of a chart or table, in their order; left out where nothing is known."`
}

// ShownColumn says how people read a column of a chart or table.
type ShownColumn struct {
	Name   string `json:"name" doc:"What SQL calls it."`
	Label  string `json:"label" doc:"What people call it."`
	Unit   string `json:"unit,omitempty" doc:"A currency's ISO 4217 code, %, or a unit such as kg; left out where none is known."`
	Format string `json:"format" doc:"How its values are written. percent is of a hundred, fraction a share of one, plain a number without thousands apart."`
	Role   string `json:"role" doc:"What it is for: time, category, measure, or key for what names one row."`
	Adds   bool   `json:"adds,omitempty" doc:"Whether the sum of its values means something."`
	Until  string `json:"until,omitempty" doc:"The last day that the data behind a column of times reach. A period that ends later is not complete."`
}

// Message is the JSON of a message, in events and in answers alike.
type Message struct {
	ID               uuid.UUID       `json:"id" doc:"Its id."`
	ConversationID   uuid.UUID       `json:"conversationId" doc:"The id of the conversation."`
	ParentMessageID  *uuid.UUID      `json:"parentMessageId" doc:"The message before it; null for the first one."`
	TurnID           *uuid.UUID      `json:"turnId" doc:"The turn: one prompt and the work that answers it."`
	Seq              int64           `json:"seq" doc:"Its position in the log, from 1 and without gaps."`
	Generation       int64           `json:"generation" doc:"The number of rewinds so far, from 1. Drop frames of a lower generation."`
	Role             string          `json:"role" doc:"Who speaks: user; coordinator plans, assistant works and speaks, user_proxy returns what code and queries printed, internal is for superusers' debug view, summary closes the turn."`
	DisplayRole      string          `json:"displayRole" doc:"The role under which to show it."`
	Text             string          `json:"text" doc:"The text, in Markdown."`
	Status           string          `json:"status" doc:"How far it has come: streaming, or how it ended."`
	Reason           string          `json:"reason,omitempty" doc:"Why it ended so, for people; empty when it is complete."`
	Author           *Person         `json:"author" doc:"The person who wrote it; null for an answer."`
	Analyst          *Analyst        `json:"analyst" doc:"The agent that wrote it; null for a prompt."`
	DataSources      []int64         `json:"dataSources" doc:"Connectors, by their ids."`
	IceBreakerID     int64           `json:"iceBreakerId,omitempty" doc:"The blueprint whose steps a prompt asked for; left out where there was none."`
	DisplayobjectSet []DisplayObject `json:"displayobjectSet" doc:"Charts, tables, code, logs and files that it shows."`
	FeedbackSet      []Feedback      `json:"feedbackSet" doc:"Feedback on it, as far as feedback_scope and the caller's rights say."`
	Annotation       *Annotation     `json:"annotation,omitempty" doc:"What is known of it in addition to its text."`
	CreatedAt        Time            `json:"createdAt"`
	// CutGeneration is the rewind that removed the message, and Children are the messages
	// that follow it in a tree. Both are only in answers to requests that ask for them.
	CutGeneration int64     `json:"cutGeneration,omitempty" doc:"The generation whose rewind cut the message; only with all versions."`
	Children      []Message `json:"children,omitempty" doc:"Messages that follow it, in a tree."`
}

// Feedback is what one person thinks of one answer.
type Feedback struct {
	ID           int64                `json:"id" doc:"Its id."`
	User         Person               `json:"user" doc:"Who gave it."`
	Conversation FeedbackConversation `json:"conversation" doc:"The conversation."`
	Message      uuid.UUID            `json:"message" doc:"The message's id."`
	Sentiment    []Sentiment          `json:"sentiment" doc:"The sentiment, with the labels that were chosen."`
	CommentSet   []Comment            `json:"commentSet" doc:"Remarks, oldest first."`
	CreatedAt    Time                 `json:"createdAt"`
}

// FeedbackConversation is the part of a conversation that a feedback names.
type FeedbackConversation struct {
	ID          uuid.UUID `json:"id" doc:"Its id."`
	Name        string    `json:"name" doc:"What people call it."`
	Description string    `json:"description" doc:"What people should know of it."`
}

// Sentiment is how an answer was taken: Like, Dislike or Question.
type Sentiment struct {
	ID       int64            `json:"id" doc:"Its id."`
	Name     string           `json:"name" doc:"Like, Dislike or Question."`
	LabelSet []SentimentLabel `json:"labelSet" doc:"Its labels."`
}

// SentimentLabel is a reason; the default label means no particular reason.
type SentimentLabel struct {
	ID        int64  `json:"id" doc:"Its id."`
	Name      string `json:"name" doc:"What people call it."`
	IsDefault bool   `json:"isDefault" doc:"Whether it is the one that counts where none is chosen."`
}

// Comment is a remark that belongs to a feedback.
type Comment struct {
	ID        int64  `json:"id" doc:"Its id."`
	Feedback  int64  `json:"feedback" doc:"The id of the feedback."`
	Text      string `json:"text" doc:"The remark."`
	User      Person `json:"user" doc:"Who gave it."`
	CreatedAt Time   `json:"createdAt"`
}

// MessageEnd is the data of message.updated when a message ends. Length is in
// bytes: a client that has fewer subscribes again. Reason is set if Status is failed or
// interrupted.
type MessageEnd struct {
	ID     uuid.UUID `json:"id" doc:"Its id."`
	Status string    `json:"status" doc:"How the message ended."`
	Reason string    `json:"reason,omitempty" doc:"Why it ended so, for people; empty when it is complete."`
	Length int64     `json:"length" doc:"Bytes of the whole text."`
}

// MessageObjects is the data of message.updated when an object is attached.
type MessageObjects struct {
	ID               uuid.UUID       `json:"id" doc:"Its id."`
	DisplayobjectSet []DisplayObject `json:"displayobjectSet" doc:"Charts, tables, code, logs and files that it shows."` // those added
}

// Annotation is what is known about a message in addition to its text. In an event it holds
// only what has changed; fields that are left out stay as they were.
type Annotation struct {
	Part      string     `json:"part,omitempty" doc:"answer, or working for the steps towards it; left out if it is not known."`
	PlanStep  int        `json:"planStep,omitempty" doc:"The step of a blueprint that it belongs to, from 1."`
	CaveatsAt int        `json:"caveatsAt,omitempty" doc:"Where the remarks on what the numbers leave out begin, in bytes of the text."`
	Figures   []Figure   `json:"figures,omitempty" doc:"The numbers of the text that are cells of a table, or follow from such, in the order of the text."`
	Table     *uuid.UUID `json:"table,omitempty" doc:"The display object, of another message of the turn, that is the answer's table."`
	FollowUps []string   `json:"followUps,omitempty" doc:"Questions that follow from the answer, each of which can be answered."`
	Facts     *TurnFacts `json:"facts,omitempty" doc:"What the answer took."`
}

// Figure is a number in a text that is a cell of a table, or is computed from cells.
type Figure struct {
	Start  int       `json:"start" doc:"Where it begins, in bytes of the text."`
	End    int       `json:"end" doc:"Where it ends, in bytes of the text."`
	Object uuid.UUID `json:"object" doc:"The table, by the id of its display object."`
	Row    int       `json:"row" doc:"The row, from 0, without the heading."`
	Column int       `json:"column" doc:"The column, from 0."`
	Of     string    `json:"of,omitempty" doc:"How the number follows from cells; left out where it is the cell. rows: how many rows there are; sum: the column added up; groupSum: added up over the rows that have the same as this row in the column other; share: what the cell is of the sum, in percent; difference, change (in percent) and times: the cell compared with that of the row other."`
	Other  int       `json:"other,omitempty" doc:"The row that is compared with, or the column of a groupSum; 0 where left out."`
}

// TurnFacts are what an answer needed: its queries, its time, its credits.
type TurnFacts struct {
	Queries int     `json:"queries" doc:"How many queries were run."`
	Seconds float64 `json:"seconds" doc:"How long it took, from the prompt to the end."`
	Credits float64 `json:"credits" doc:"What its model calls cost."`
}

// MessageAnnotated is the data of message.updated when more is known about a message.
type MessageAnnotated struct {
	ID         uuid.UUID  `json:"id" doc:"Its id."`
	Annotation Annotation `json:"annotation" doc:"What is known of it in addition to its text."`
}

// StreamingComplete is the data of conversation.streaming-complete.
type StreamingComplete struct {
	ConversationID uuid.UUID `json:"conversationId" doc:"The id of the conversation."`
	TurnID         uuid.UUID `json:"turnId" doc:"The turn: one prompt and the work that answers it."`
	Status         string    `json:"status" doc:"How the turn ended."`
	Reason         string    `json:"reason,omitempty" doc:"Why it ended so, for people; empty when it is complete."`
	Credits        float64   `json:"credits" doc:"Credits that the conversation has used, with this turn."`
}

// ConversationChange is the data of conversation.created and .updated: the
// fields that changed.
type ConversationChange struct {
	ID            uuid.UUID `json:"id" doc:"Its id."`
	Name          *string   `json:"name,omitempty" doc:"What people call it."`
	Description   *string   `json:"description,omitempty" doc:"What people should know of it."`
	DataSources   *[]int64  `json:"dataSources,omitempty" doc:"Connectors, by their ids."`
	ProjectLabels *[]int64  `json:"projectLabels,omitempty" doc:"The projects that it belongs to, by their ids."`
	IsFavorite    *bool     `json:"isFavorite,omitempty" doc:"Whether it is one of the caller's favourites."`
	Status        *string   `json:"status,omitempty" doc:"active or archived, in the caller's own lists."`
	Unread        *int      `json:"unreadMessages,omitempty" doc:"The number of messages that the caller has not read."`
	AccessChanged bool      `json:"accessChanged,omitempty" doc:"Whether the reader's rights have changed: fetch the conversation again."`
}

// ConversationGone is the data of conversation.deleted.
type ConversationGone struct {
	ID uuid.UUID `json:"id" doc:"Its id."`
}

// Rewound is the data of conversation.rewound: messages from this seq on were removed.
type Rewound struct {
	FromSeq    int64 `json:"fromSeq" doc:"Messages from this position of the log on are gone."`
	Generation int64 `json:"generation" doc:"The number of rewinds so far, from 1. Drop frames of a lower generation."`
}

// RewindNote is the data of conversation.rewound in the user's log: a list shows it as
// the conversation that was changed last.
type RewindNote struct {
	ConversationID uuid.UUID `json:"conversationId" doc:"The id of the conversation."`
}

// MessageNote is the data of message.created in the user's log: enough for a
// list's spinner and unread count.
type MessageNote struct {
	ConversationID uuid.UUID `json:"conversationId" doc:"The id of the conversation."`
	MessageID      uuid.UUID `json:"messageId" doc:"The message's id."`
	Role           string    `json:"role" doc:"Who speaks: user; coordinator plans, assistant works and speaks, user_proxy returns what code and queries printed, internal is for superusers' debug view, summary closes the turn."`
	Streaming      bool      `json:"streaming" doc:"Whether an answer is being written now."`
}

// TaskChanged is the data of task.created, .updated and .deleted. It has only the task's id,
// because what a person may see of it and do with it differs.
type TaskChanged struct {
	TaskID uuid.UUID `json:"taskId" doc:"The id of the task."`
}

// TaskRunNote is the data of task.run-started and task.run-failed, which are only in the log
// of a scheduled task's owner.
type TaskRunNote struct {
	TaskID uuid.UUID `json:"taskId" doc:"The id of the task."`
	Name   string    `json:"name" doc:"What people call it."`
	DueAt  Time      `json:"dueAt"`
	// ConversationID is left out if the run failed before it had one.
	ConversationID *uuid.UUID `json:"conversationId,omitempty" doc:"The id of the conversation."`
	Reason         string     `json:"reason,omitempty" doc:"Why it failed, for people."`
}

// TaskNote is the data of task.switched-off, which is only in the log of a scheduled task's
// owner.
type TaskNote struct {
	TaskID uuid.UUID `json:"taskId" doc:"The id of the task."`
	Name   string    `json:"name" doc:"What people call it."`
	Reason string    `json:"reason" doc:"Why it was switched off, for people."`
}

// Progress is the data of turn.progress, which has no seq and is not kept.
type Progress struct {
	TurnID uuid.UUID `json:"turnId" doc:"The turn: one prompt and the work that answers it."`
	Text   string    `json:"text" doc:"What the turn is doing, in a few words."`
}
