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

// Person is the little of a user that others see.
type Person struct {
	ID       int64     `json:"id"`
	UUID     uuid.UUID `json:"uuid"`
	FullName string    `json:"fullName"`
	Picture  string    `json:"picture,omitempty"`
}

// Analyst names the agent that spoke.
type Analyst struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// DisplayObject of a message; its bytes are fetched by id.
type DisplayObject struct {
	ID          uuid.UUID `json:"id"`
	Name        string    `json:"name"`
	Type        string    `json:"type"`
	Language    string    `json:"language,omitempty"`
	ContentType string    `json:"contentType,omitempty"`
	Size        int64     `json:"size"`
	// Columns say how people read those of a chart or table; left out where nobody said.
	Columns []ShownColumn `json:"columns,omitempty"`
}

// ShownColumn says how people read a column of a chart or table.
type ShownColumn struct {
	Name   string `json:"name"`
	Label  string `json:"label"`
	Unit   string `json:"unit,omitempty"`
	Format string `json:"format"`
	Role   string `json:"role"`
	Adds   bool   `json:"adds,omitempty"`
	Until  string `json:"until,omitempty"`
}

// Message is the JSON of a message, in events and in answers alike.
type Message struct {
	ID              uuid.UUID  `json:"id"`
	ConversationID  uuid.UUID  `json:"conversationId"`
	ParentMessageID *uuid.UUID `json:"parentMessageId"`
	TurnID          *uuid.UUID `json:"turnId"`
	Seq             int64      `json:"seq"`
	Generation      int64      `json:"generation"`
	Role            string     `json:"role"`
	DisplayRole     string     `json:"displayRole"`
	Text            string     `json:"text"`
	Status          string     `json:"status"`
	// Reason is there where status is failed or interrupted, for the reader.
	Reason           string          `json:"reason,omitempty"`
	Author           *Person         `json:"author"`
	Analyst          *Analyst        `json:"analyst"`
	DataSources      []int64         `json:"dataSources"`
	IceBreakerID     int64           `json:"iceBreakerId,omitempty"` // the blueprint that a prompt asked for
	DisplayobjectSet []DisplayObject `json:"displayobjectSet"`
	FeedbackSet      []Feedback      `json:"feedbackSet"` // in answers only, as far as asked for
	// Annotation is what is known of the message beside its text.
	Annotation *Annotation `json:"annotation,omitempty"`
	CreatedAt  Time        `json:"createdAt"`
	// CutGeneration is the rewind that took the message out, and Children are what
	// follows it in a tree: in answers only, where they were asked for.
	CutGeneration int64     `json:"cutGeneration,omitempty"`
	Children      []Message `json:"children,omitempty"`
}

// Feedback is what one person thinks of one answer.
type Feedback struct {
	ID           int64                `json:"id"`
	User         Person               `json:"user"`
	Conversation FeedbackConversation `json:"conversation"`
	Message      uuid.UUID            `json:"message"`
	Sentiment    []Sentiment          `json:"sentiment"` // one, with the labels chosen
	CommentSet   []Comment            `json:"commentSet"`
	CreatedAt    Time                 `json:"createdAt"`
}

// FeedbackConversation is the little of a conversation that a feedback names.
type FeedbackConversation struct {
	ID          uuid.UUID `json:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description"`
}

// Sentiment is how an answer was taken: Like, Dislike or Question.
type Sentiment struct {
	ID       int64            `json:"id"`
	Name     string           `json:"name"`
	LabelSet []SentimentLabel `json:"labelSet"`
}

// SentimentLabel is a reason; the default one stands for none in particular.
type SentimentLabel struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	IsDefault bool   `json:"isDefault"`
}

// Comment is a remark that belongs to a feedback.
type Comment struct {
	ID        int64  `json:"id"`
	Feedback  int64  `json:"feedback"`
	Text      string `json:"text"`
	User      Person `json:"user"`
	CreatedAt Time   `json:"createdAt"`
}

// MessageEnd is the data of message.updated when a message ends. Length is in
// bytes: a client that holds fewer asks again. Reason is there where Status is
// failed or interrupted.
type MessageEnd struct {
	ID     uuid.UUID `json:"id"`
	Status string    `json:"status"`
	Reason string    `json:"reason,omitempty"`
	Length int64     `json:"length"`
}

// MessageObjects is the data of message.updated when an object is attached.
type MessageObjects struct {
	ID               uuid.UUID       `json:"id"`
	DisplayobjectSet []DisplayObject `json:"displayobjectSet"` // those added
}

// Annotation is what is known of a message beside its text. In an event it holds what
// has become known, and what it leaves out stays as it was.
type Annotation struct {
	// Part tells the answer from what was said on the way to it.
	Part     string `json:"part,omitempty"`
	PlanStep int    `json:"planStep,omitempty"` // of a blueprint, from 1
	// CaveatsAt is where the remarks on what the numbers leave out begin, in bytes.
	CaveatsAt int      `json:"caveatsAt,omitempty"`
	Figures   []Figure `json:"figures,omitempty"`
	// Table is the display object of another message of the turn that is the answer's table.
	Table     *uuid.UUID `json:"table,omitempty"`
	FollowUps []string   `json:"followUps,omitempty"`
	Facts     *TurnFacts `json:"facts,omitempty"`
}

// Figure is a number of a text that is a cell of a table, or follows from cells.
type Figure struct {
	// Start and End are offsets in bytes of the text.
	Start  int       `json:"start"`
	End    int       `json:"end"`
	Object uuid.UUID `json:"object"` // the table's display object
	Row    int       `json:"row"`    // from 0, without the heading
	Column int       `json:"column"`
	// Of is how the number follows from cells; left out where it is the cell itself.
	Of    string `json:"of,omitempty"`
	Other int    `json:"other,omitempty"` // the row compared with; the column of a groupSum
}

// TurnFacts are what an answer took.
type TurnFacts struct {
	Queries int     `json:"queries"`
	Seconds float64 `json:"seconds"`
	Credits float64 `json:"credits"`
}

// MessageAnnotated is the data of message.updated when more is known of a message.
type MessageAnnotated struct {
	ID         uuid.UUID  `json:"id"`
	Annotation Annotation `json:"annotation"`
}

// StreamingComplete is the data of conversation.streaming-complete.
type StreamingComplete struct {
	ConversationID uuid.UUID `json:"conversationId"`
	TurnID         uuid.UUID `json:"turnId"`
	Status         string    `json:"status"` // complete, stopped, interrupted, failed
	Reason         string    `json:"reason,omitempty"`
	// Credits is the conversation's total after the turn.
	Credits float64 `json:"credits"`
}

// ConversationChange is the data of conversation.created and .updated: the
// fields that changed.
type ConversationChange struct {
	ID            uuid.UUID `json:"id"`
	Name          *string   `json:"name,omitempty"`
	Description   *string   `json:"description,omitempty"`
	DataSources   *[]int64  `json:"dataSources,omitempty"`
	ProjectLabels *[]int64  `json:"projectLabels,omitempty"`
	IsFavorite    *bool     `json:"isFavorite,omitempty"`
	Status        *string   `json:"status,omitempty"`
	Unread        *int      `json:"unreadMessages,omitempty"`
	// AccessChanged says that who may see it changed.
	AccessChanged bool `json:"accessChanged,omitempty"`
}

// ConversationGone is the data of conversation.deleted.
type ConversationGone struct {
	ID uuid.UUID `json:"id"`
}

// Rewound is the data of conversation.rewound: messages from this seq on have left.
type Rewound struct {
	FromSeq    int64 `json:"fromSeq"`
	Generation int64 `json:"generation"`
}

// RewindNote is the data of conversation.rewound in the user's log: a list shows it as
// the conversation that was changed last.
type RewindNote struct {
	ConversationID uuid.UUID `json:"conversationId"`
}

// MessageNote is the data of message.created in the user's log: enough for a
// list's spinner and unread count.
type MessageNote struct {
	ConversationID uuid.UUID `json:"conversationId"`
	MessageID      uuid.UUID `json:"messageId"`
	Role           string    `json:"role"`
	// Streaming says that a turn runs now.
	Streaming bool `json:"streaming"`
}

// TaskChanged is the data of task.created, .updated and .deleted. It names the task
// alone: what a person may see and do of it depends on who that is.
type TaskChanged struct {
	TaskID uuid.UUID `json:"taskId"`
}

// TaskRunNote is the data of task.run-started and task.run-failed, which stand in
// the log of a scheduled task's owner alone.
type TaskRunNote struct {
	TaskID uuid.UUID `json:"taskId"`
	Name   string    `json:"name"`
	DueAt  Time      `json:"dueAt"`
	// ConversationID is left out where the run did not come as far.
	ConversationID *uuid.UUID `json:"conversationId,omitempty"`
	// Reason says why it failed.
	Reason string `json:"reason,omitempty"`
}

// TaskNote is the data of task.switched-off, which stands in the log of a
// scheduled task's owner alone.
type TaskNote struct {
	TaskID uuid.UUID `json:"taskId"`
	Name   string    `json:"name"`
	// Reason says why.
	Reason string `json:"reason"`
}

// Progress is the data of turn.progress, which has no seq and is not kept.
type Progress struct {
	TurnID uuid.UUID `json:"turnId"`
	Text   string    `json:"text"`
}
