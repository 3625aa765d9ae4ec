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
	ID       int64     `json:"id" doc:"The id."`
	UUID     uuid.UUID `json:"uuid" doc:"The UUID of the person, which identifies the person's stream."`
	FullName string    `json:"fullName" doc:"First and last name."`
	Picture  string    `json:"picture,omitempty" doc:"A picture as a data URL; empty if there is none."`
}

// Analyst names the agent that wrote a message.
type Analyst struct {
	ID   int64  `json:"id" doc:"The id."`
	Name string `json:"name" doc:"The name."`
}

// DisplayObject of a message; its bytes are fetched by id.
type DisplayObject struct {
	ID          uuid.UUID     `json:"id" doc:"The id."`
	Name        string        `json:"name" doc:"The name."`
	Type        string        `json:"type" doc:"highcharts (a chart), csv (a table), python (code), logs, or the type of a file."`
	Language    string        `json:"language,omitempty" doc:"The language of code; empty for other objects."`
	ContentType string        `json:"contentType,omitempty" doc:"The content type."`
	Size        int64         `json:"size" doc:"The size in bytes."`
	Columns     []ShownColumn `json:"columns,omitempty" doc:"How to show the columns of a chart or table, in their order; missing if nothing is known about them."`
}

// ShownColumn says how people read a column of a chart or table.
type ShownColumn struct {
	Name   string `json:"name" doc:"The name of the column in SQL." example:"revenue"`
	Label  string `json:"label" doc:"The name to show to people." example:"Revenue"`
	Unit   string `json:"unit,omitempty" doc:"An ISO 4217 currency code, %, or a unit such as kg; missing if it is not known." example:"EUR"`
	Format string `json:"format" doc:"How to write the values. percent: values from 0 to 100. fraction: values from 0 to 1. plain: a number without thousands separators."`
	Role   string `json:"role" doc:"The purpose of the column: time, category, measure, or key (identifies a row)."`
	Adds   bool   `json:"adds,omitempty" doc:"Whether the sum of the values is meaningful."`
	Until  string `json:"until,omitempty" doc:"The last day with data, for a column of times. A period that ends later is not complete." example:"2026-05-31"`
}

// Message is the JSON of a message, in events and in answers alike.
type Message struct {
	ID               uuid.UUID       `json:"id" doc:"The id."`
	ConversationID   uuid.UUID       `json:"conversationId" doc:"The id of the conversation."`
	ParentMessageID  *uuid.UUID      `json:"parentMessageId" doc:"The message that it follows; null for the first message."`
	TurnID           *uuid.UUID      `json:"turnId" doc:"The id of the turn: one prompt and the work that answers it."`
	Seq              int64           `json:"seq" doc:"The position in the log. Positions start at 1 and have no gaps."`
	Generation       int64           `json:"generation" doc:"The generation of the conversation: it starts at 1 and increases by 1 with each rewind. Ignore frames of a lower generation."`
	Role             string          `json:"role" doc:"The author: user; coordinator (plans), assistant (works and answers), user_proxy (returns the output of code and queries), internal (for the debug view of superusers) or summary (ends the turn)."`
	DisplayRole      string          `json:"displayRole" doc:"The role to show."`
	Text             string          `json:"text" doc:"The text in Markdown."`
	Status           string          `json:"status" doc:"streaming, or how the message ended."`
	Reason           string          `json:"reason,omitempty" doc:"Why it ended in this way, as a text to show to people; empty if it is complete."`
	Author           *Person         `json:"author" doc:"The person who wrote it; null for an answer."`
	Analyst          *Analyst        `json:"analyst" doc:"The agent that wrote it; null for a prompt."`
	DataSources      []int64         `json:"dataSources" doc:"Ids of connectors."`
	IceBreakerID     int64           `json:"iceBreakerId,omitempty" doc:"The id of the blueprint that the prompt requested; missing if there was none."`
	DisplayobjectSet []DisplayObject `json:"displayobjectSet" doc:"The charts, tables, code, logs and files that the message shows."`
	FeedbackSet      []Feedback      `json:"feedbackSet" doc:"The feedback on the message that feedback_scope requests and that the caller may see."`
	Annotation       *Annotation     `json:"annotation,omitempty" doc:"Additional information about the message."`
	CreatedAt        Time            `json:"createdAt"`
	// CutGeneration is the rewind that removed the message, and Children are the messages
	// that follow it in a tree. Both are only in answers to requests that ask for them.
	CutGeneration int64     `json:"cutGeneration,omitempty" doc:"The generation of the rewind that removed the message. Only with only_most_recent_version=false."`
	Children      []Message `json:"children,omitempty" doc:"The messages that reply to it. Only with messages_to_tree."`
}

// Feedback is what one person thinks of one answer.
type Feedback struct {
	ID           int64                `json:"id" doc:"The id."`
	User         Person               `json:"user" doc:"The author."`
	Conversation FeedbackConversation `json:"conversation" doc:"The id of the conversation."`
	Message      uuid.UUID            `json:"message" doc:"The id of the message."`
	Sentiment    []Sentiment          `json:"sentiment" doc:"The sentiment with the selected labels."`
	CommentSet   []Comment            `json:"commentSet" doc:"The comments, oldest first."`
	CreatedAt    Time                 `json:"createdAt"`
}

// FeedbackConversation is the part of a conversation that a feedback names.
type FeedbackConversation struct {
	ID          uuid.UUID `json:"id" doc:"The id."`
	Name        string    `json:"name" doc:"The name."`
	Description string    `json:"description" doc:"The description."`
}

// Sentiment is how an answer was taken: Like, Dislike or Question.
type Sentiment struct {
	ID       int64            `json:"id" doc:"The id."`
	Name     string           `json:"name" doc:"Like, Dislike or Question."`
	LabelSet []SentimentLabel `json:"labelSet" doc:"The labels of the sentiment."`
}

// SentimentLabel is a reason; the default label means no particular reason.
type SentimentLabel struct {
	ID        int64  `json:"id" doc:"The id."`
	Name      string `json:"name" doc:"The name."`
	IsDefault bool   `json:"isDefault" doc:"Whether it is the default label of its sentiment, which gives no particular reason."`
}

// Comment is a remark that belongs to a feedback.
type Comment struct {
	ID        int64  `json:"id" doc:"The id."`
	Feedback  int64  `json:"feedback" doc:"The id of the feedback."`
	Text      string `json:"text" doc:"The text of the comment."`
	User      Person `json:"user" doc:"The author."`
	CreatedAt Time   `json:"createdAt"`
}

// MessageEnd is the data of message.updated when a message ends. Length is in
// bytes: a client that has fewer subscribes again. Reason is set if Status is failed or
// interrupted.
type MessageEnd struct {
	ID     uuid.UUID `json:"id" doc:"The id."`
	Status string    `json:"status" doc:"How the message ended."`
	Reason string    `json:"reason,omitempty" doc:"Why it ended in this way, as a text to show to people; empty if it is complete."`
	Length int64     `json:"length" doc:"The size of the whole text in bytes."`
}

// MessageObjects is the data of message.updated when an object is attached.
type MessageObjects struct {
	ID               uuid.UUID       `json:"id" doc:"The id."`
	DisplayobjectSet []DisplayObject `json:"displayobjectSet" doc:"The charts, tables, code, logs and files that the message shows."` // those added
}

// Annotation is what is known about a message in addition to its text. In an event it holds
// only what has changed; fields that are left out stay as they were.
type Annotation struct {
	Part      string     `json:"part,omitempty" doc:"answer, or working (a step towards the answer); missing if it is not known."`
	PlanStep  int        `json:"planStep,omitempty" doc:"The number of its step in the blueprint, from 1."`
	CaveatsAt int        `json:"caveatsAt,omitempty" doc:"The position in the text, in bytes, where the remarks about missing or incomplete data begin."`
	Figures   []Figure   `json:"figures,omitempty" doc:"The numbers in the text that are cells of a table or are computed from cells, in the order of the text."`
	Table     *uuid.UUID `json:"table,omitempty" doc:"The id of the display object that is the table of the answer. It belongs to another message of the turn."`
	FollowUps []string   `json:"followUps,omitempty" doc:"Further questions that the data can answer." example:"How did revenue develop by month?"`
	// Assumptions are what the answer assumed about the data and the question did not say.
	Assumptions []Assumption  `json:"assumptions,omitempty" maxItems:"3" doc:"What the answer took of the data although nobody said so; each can be corrected."`
	Grade       string        `json:"grade,omitempty" doc:"What the answer rests on. certain: one reading, nothing assumed, every check passed. assumed: something was assumed, which the answer says. asked: the answer is a question to the person. unchecked: something in the query could not be checked, which is said. refused: not answered, or withheld because a check failed. Missing if nothing is known."`
	Checks      []AnswerCheck `json:"checks,omitempty" maxItems:"8" doc:"What was checked of the figures; each kind is there once."`
	Facts       *TurnFacts    `json:"facts,omitempty" doc:"What the answer needed."`
}

// AnswerCheck is one kind of check of an answer's figures and what came of it.
type AnswerCheck struct {
	Kind    string `json:"kind" enum:"rows,total,figures,shares,level,counts,bounds" doc:"rows: no row is counted twice. total: the total is the same when it is computed in another way. figures: so are figures that do not add up, such as medians and ratios. shares: the parts make the whole. level: a level is read at one time. counts: counts are possible. bounds: means and medians lie between the lowest and the highest value."`
	Outcome string `json:"outcome" enum:"passed,skipped,failed,unchecked" doc:"skipped: the check did not end in its time, or the table was cut. unchecked: it cannot be made for this query."`
	Note    string `json:"note,omitempty" example:"A join repeats rows of departments." doc:"More about it, in a sentence."`
}

// Assumption is something that an answer assumed about the data, and what can be said instead.
type Assumption struct {
	Source int64       `json:"source" doc:"The id of the connector."`
	Table  string      `json:"table" doc:"The name of the table in SQL." example:"orders"`
	Column string      `json:"column,omitempty" doc:"The column; missing for the time of a table." example:"mrr"`
	Step   string      `json:"step,omitempty" enum:"day,week,month,quarter,year" doc:"The distance of the periods of a level." example:"month"`
	Taken  Statement   `json:"taken" doc:"What was taken. Said as a correction, it holds always."`
	Others []Statement `json:"others" minItems:"1" maxItems:"3" nullable:"false" doc:"What can be said instead."`
}

// Statement is the field and the value of a correction of what the data of a connector mean.
type Statement struct {
	Field string `json:"field" enum:"row,time,main,role,adds,default,unit,scale,weight,words,verbs,link" doc:"What it says."`
	Value string `json:"value" doc:"The value." example:"last"`
}

// Figure is a number in a text that is a cell of a table, or is computed from cells.
type Figure struct {
	Start  int       `json:"start" doc:"The start of the number in the text, in bytes."`
	End    int       `json:"end" doc:"The end of the number in the text, in bytes."`
	Object uuid.UUID `json:"object" doc:"The id of the display object that is the table."`
	Row    int       `json:"row" doc:"The row in the table, from 0, without the header."`
	Column int       `json:"column" doc:"The column in the table, from 0."`
	Of     string    `json:"of,omitempty" doc:"How the number is computed; missing if it is the cell itself. rows: the number of rows. sum: the sum of the column. groupSum: the sum over the rows that have the same value as this row in the column other. share: the cell as a percentage of the sum. difference, change (in percent) and times: the cell compared with that of the row other."`
	Other  int       `json:"other,omitempty" doc:"The row that the cell is compared with, or the column of a groupSum. The default is 0."`
}

// TurnFacts are what an answer needed: its queries, its time, its credits.
type TurnFacts struct {
	Queries int     `json:"queries" doc:"The number of queries."`
	Seconds float64 `json:"seconds" doc:"The time from the prompt to the end, in seconds."`
	Credits float64 `json:"credits" doc:"The credits of the model calls."`
}

// MessageAnnotated is the data of message.updated when more is known about a message.
type MessageAnnotated struct {
	ID         uuid.UUID  `json:"id" doc:"The id."`
	Annotation Annotation `json:"annotation" doc:"Additional information about the message."`
}

// StreamingComplete is the data of conversation.streaming-complete.
type StreamingComplete struct {
	ConversationID uuid.UUID `json:"conversationId" doc:"The id of the conversation."`
	TurnID         uuid.UUID `json:"turnId" doc:"The id of the turn: one prompt and the work that answers it."`
	Status         string    `json:"status" doc:"How the turn ended."`
	Reason         string    `json:"reason,omitempty" doc:"Why it ended in this way, as a text to show to people; empty if it is complete."`
	Credits        float64   `json:"credits" doc:"The credits that the conversation has used so far, including this turn."`
}

// ConversationChange is the data of conversation.created and .updated: the
// fields that changed.
type ConversationChange struct {
	ID            uuid.UUID `json:"id" doc:"The id."`
	Name          *string   `json:"name,omitempty" doc:"The name."`
	Description   *string   `json:"description,omitempty" doc:"The description."`
	DataSources   *[]int64  `json:"dataSources,omitempty" doc:"Ids of connectors."`
	ProjectLabels *[]int64  `json:"projectLabels,omitempty" doc:"Ids of the projects that it belongs to."`
	IsFavorite    *bool     `json:"isFavorite,omitempty" doc:"Whether it is a favourite of the caller."`
	Status        *string   `json:"status,omitempty" doc:"active or archived, in the caller's own lists." example:"archived"`
	Unread        *int      `json:"unreadMessages,omitempty" doc:"The number of messages that the caller has not read."`
	AccessChanged bool      `json:"accessChanged,omitempty" doc:"Whether the reader's rights have changed. If so, request the conversation again."`
}

// ConversationGone is the data of conversation.deleted.
type ConversationGone struct {
	ID uuid.UUID `json:"id" doc:"The id."`
}

// Rewound is the data of conversation.rewound: messages from this seq on were removed.
type Rewound struct {
	FromSeq    int64 `json:"fromSeq" doc:"The messages from this position in the log on were removed."`
	Generation int64 `json:"generation" doc:"The generation of the conversation: it starts at 1 and increases by 1 with each rewind. Ignore frames of a lower generation."`
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
	MessageID      uuid.UUID `json:"messageId" doc:"The id of the message."`
	Role           string    `json:"role" doc:"The author: user; coordinator (plans), assistant (works and answers), user_proxy (returns the output of code and queries), internal (for the debug view of superusers) or summary (ends the turn)." example:"assistant"`
	Streaming      bool      `json:"streaming" doc:"Whether an answer is being written."`
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
	Name   string    `json:"name" doc:"The name."`
	DueAt  Time      `json:"dueAt"`
	// ConversationID is left out if the run failed before it had one.
	ConversationID *uuid.UUID `json:"conversationId,omitempty" doc:"The id of the conversation."`
	Reason         string     `json:"reason,omitempty" doc:"Why the run failed, as a text to show to people."`
}

// TaskNote is the data of task.switched-off, which is only in the log of a scheduled task's
// owner.
type TaskNote struct {
	TaskID uuid.UUID `json:"taskId" doc:"The id of the task."`
	Name   string    `json:"name" doc:"The name."`
	Reason string    `json:"reason" doc:"Why the task was disabled, as a text to show to people."`
}

// Progress is the data of turn.progress, which has no seq and is not kept.
type Progress struct {
	TurnID uuid.UUID `json:"turnId" doc:"The id of the turn: one prompt and the work that answers it."`
	Text   string    `json:"text" doc:"What the turn is doing, in a few words."`
}
