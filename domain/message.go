package domain

import (
	"time"

	"github.com/google/uuid"
)

// Role says who speaks in a turn.
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

// MessageStatus is where a message's text stands.
type MessageStatus string

// The statuses of a message.
const (
	MessageStreaming   MessageStatus = "streaming"
	MessageComplete    MessageStatus = "complete"
	MessageStopped     MessageStatus = "stopped"
	MessageInterrupted MessageStatus = "interrupted" // its node died; the text shown is kept
	MessageFailed      MessageStatus = "failed"
)

// VisibleTo tells whether the caller may see messages of this role: internal
// ones are for superusers' debug view.
func (r Role) VisibleTo(c Caller) bool { return r != RoleInternal || c.IsSuperuser }

// Message is one utterance. Text grows by deltas while Status is streaming and
// never changes afterwards.
type Message struct {
	ID             uuid.UUID
	ConversationID uuid.UUID
	TurnID         uuid.UUID // zero for none
	ParentID       uuid.UUID // zero for none
	// Seq is that of the event that created it, its place in the conversation.
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
	BlueprintID    int64 // the one that a prompt asked for; 0 for none
	DisplayObjects []DisplayObject
	Annotation     Annotation
	CreatedAt      time.Time
	// CutGeneration is the rewind that took the message out; 0 while it stands.
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
	// Columns, of a chart or table, say how people read them; nil where nobody said.
	Columns   []ShownColumn
	CreatedAt time.Time
}

// Prompt is what a person sends.
type Prompt struct {
	Conversation uuid.UUID
	// Message is the id that the client chose; it is the idempotency key of the send.
	Message uuid.UUID
	// Parent is the message that the person saw last; zero does not check. A
	// parent that is not the head any more is a conflict.
	Parent      uuid.UUID
	Text        string
	AnalystID   int64 // 0 means the default one
	DataSources []int64
	// BlueprintID is the blueprint whose steps the turn runs; 0 for none. Inputs
	// are values of its parameters by their names; a value that is missing is read from
	// the text.
	BlueprintID int64
	Inputs      map[string]string
}

// Limits are those of the fields of a prompt.
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
	// Repeated says that this send had happened before.
	Repeated bool
}

// StopResult is the answer to a stop.
type StopResult struct {
	// Stopped is false when nothing ran, or when the turn ended by itself first; End then says how.
	Stopped bool
	End     TurnStatus
	// LastMessage is the prompt that goes back into the draft; nil when there is none.
	LastMessage *Message
}

// RewindResult is the answer to a rewind.
type RewindResult struct {
	// Text is that of the removed prompt.
	Text string
	// Messages are those left, oldest first.
	Messages   []Message
	Generation int64
	Head       int64
}
