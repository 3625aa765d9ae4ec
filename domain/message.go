package domain

import (
	"time"

	"github.com/google/uuid"
)

// Role is the role of a message's author in a turn.
type Role string

// The roles.
const (
	RoleUser        Role = "user"
	RoleUserProxy   Role = "user_proxy"  // returns what code and queries printed
	RoleAssistant   Role = "assistant"   // works and speaks
	RoleSummary     Role = "summary"     // closes the turn for the executive reader
	RoleInternal    Role = "internal"    // only superusers' debug view shows it
	RoleCoordinator Role = "coordinator" // plans
)

// MessageStatus is the status of a message's text.
type MessageStatus string

// The statuses of a message.
const (
	MessageStreaming   MessageStatus = "streaming"
	MessageComplete    MessageStatus = "complete"
	MessageStopped     MessageStatus = "stopped"
	MessageInterrupted MessageStatus = "interrupted" // its node died; the text shown is kept
	MessageFailed      MessageStatus = "failed"
)

// VisibleTo reports whether the caller may see messages of this role in a conversation that the
// caller can read.
func (r Role) VisibleTo(c Caller) bool {
	return r != RoleInternal || SeeInternalMessages.May(c, Relation{})
}

// Message is one message of a conversation. Text grows by deltas while Status is streaming
// and never changes afterwards.
type Message struct {
	ID             uuid.UUID
	ConversationID uuid.UUID
	TurnID         uuid.UUID // zero for none
	ParentID       uuid.UUID // zero for none
	// Seq is the seq of the event that created it, and gives its place in the conversation.
	Seq        int64
	Generation int64
	Role       Role
	Text       string
	Status     MessageStatus
	// Reason says why the turn of a failed or interrupted message did not complete.
	Reason         string
	Author         *Person // the sender of a prompt
	AnalystID      int64   // 0 for a person's message
	AnalystName    string
	DataSources    []int64
	BlueprintID    int64 // the blueprint that a prompt names; 0 for none
	DisplayObjects []DisplayObject
	Annotation     Annotation
	CreatedAt      time.Time
	// CutGeneration is the generation of the rewind that cut the message; 0 if it is not cut.
	CutGeneration int64
}

// DisplayObjectType is a kind of attachment.
type DisplayObjectType string

// The types of display objects.
const (
	DisplayHighcharts DisplayObjectType = "highcharts" // body is the chart's JSON
	DisplayCSV        DisplayObjectType = "csv"
	DisplayPython     DisplayObjectType = "python" // code; SQL too, with Language
	DisplayLogs       DisplayObjectType = "logs"
	DisplayXLSX       DisplayObjectType = "xlsx"
	DisplayPPTX       DisplayObjectType = "pptx"
	DisplayPNG        DisplayObjectType = "png"
)

// DisplayObject is a chart, table, code, log or file that a message shows. Its
// bytes are in the file store under FileKey.
type DisplayObject struct {
	ID             uuid.UUID
	ConversationID uuid.UUID
	MessageID      uuid.UUID
	Name           string
	Type           DisplayObjectType
	Language       string // for code: sql, python
	ContentType    string
	Size           int64 // bytes
	FileKey        string
	// Columns say how the columns of a chart or table are shown; nil if that is not known.
	Columns   []ShownColumn
	CreatedAt time.Time
}

// Prompt is what a person sends.
type Prompt struct {
	Conversation uuid.UUID
	// Message is the id that the client chose; it is the idempotency key of the send.
	Message uuid.UUID
	// Parent is the message that the person saw last; zero skips the check. A parent that
	// is not the head any more is a conflict.
	Parent      uuid.UUID
	Text        string
	AnalystID   int64 // 0 means the default agent
	DataSources []int64
	// BlueprintID is the blueprint whose steps the turn runs; 0 for none. Inputs are the
	// values of its parameters by name; missing values are read from the text.
	BlueprintID int64
	Inputs      map[string]string
}

// Limits returns the limits of the fields.
func (p *Prompt) Limits() []Limit {
	return []Limit{
		sized("message.text", len(p.Text), PromptMax, "The message is too long."),
		entries("dataSources", len(p.DataSources), PromptSourcesMax, "Too many data sources."),
	}
}

// Validate checks the prompt's own fields.
func (p *Prompt) Validate() error {
	var c Checks
	c.Require(!Blank(p.Text), "message.text", "Please enter a message.")
	limits := p.Limits()
	c.Within(limits[0])
	c.Require(Storable(p.Text), "message.text", "The message contains characters that cannot be stored.")
	c.Require(p.Message != uuid.Nil, "message.id", "The message needs an id.")
	c.Within(limits[1:]...)
	return c.Err()
}

// SendResult is the answer to a send.
type SendResult struct {
	Message Message
	TurnID  uuid.UUID
	// Repeated is true if the same send was already executed.
	Repeated bool
}

// StopResult is the answer to a stop.
type StopResult struct {
	// Stopped is false if no turn was running, or if the turn ended by itself first; End then
	// says how it ended.
	Stopped bool
	End     TurnStatus
	// LastMessage is the prompt to put back into the draft; nil if there is none.
	LastMessage *Message
}

// RewindResult is the answer to a rewind.
type RewindResult struct {
	// Text is the text of the removed prompt.
	Text string
	// Messages are the remaining messages, oldest first.
	Messages   []Message
	Generation int64
	Head       int64
}
