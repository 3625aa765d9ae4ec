package domain

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// EventType names what happened. The same words go over the wire.
type EventType string

// The event types.
const (
	EventConversationCreated EventType = "conversation.created"
	EventConversationUpdated EventType = "conversation.updated"
	EventConversationDeleted EventType = "conversation.deleted"
	EventStreamingComplete   EventType = "conversation.streaming-complete"
	EventConversationRewound EventType = "conversation.rewound"
	EventMessageCreated      EventType = "message.created"
	EventMessageUpdated      EventType = "message.updated" // the end of a message, or an object attached to it
	EventTurnProgress        EventType = "turn.progress"
	// The events of a scheduled task are in the log of its owner, and in the log of the
	// person who changed it.
	EventTaskCreated EventType = "task.created"
	// EventTaskUpdated means that a task has changed: its input fields, whether it is enabled
	// or archived, or when it is due next.
	EventTaskUpdated    EventType = "task.updated"
	EventTaskDeleted    EventType = "task.deleted"
	EventTaskRunStarted EventType = "task.run-started"
	EventTaskRunFailed  EventType = "task.run-failed"
	// EventTaskSwitchedOff means that a task was switched off, but not by its owner.
	EventTaskSwitchedOff EventType = "task.switched-off"
)

// Event is one entry of a conversation's log. Seq starts at 1, has no gaps and
// never restarts. Data is the JSON that clients get, written once.
type Event struct {
	Seq        int64
	Type       EventType
	Epoch      int64
	Generation int64
	Data       json.RawMessage
	At         time.Time
}

// UserEvent is one entry of a person's own log (lists, unread, sharing), kept
// seven days. Seq is per user, without gaps.
type UserEvent struct {
	UserID   int64
	UserUUID uuid.UUID
	Seq      int64
	Type     EventType
	Data     json.RawMessage
	At       time.Time
	// Home is the node on which the person's session actor lives; empty when nobody is connected.
	Home string
}

// UserEventDraft is a user event without readers and numbers: the store writes it to the log
// of every reader of the conversation in the same transaction.
type UserEventDraft struct {
	Type EventType
	Data json.RawMessage
	// Unread adds one to the unread count of every reader but Except.
	Unread bool
	Except int64
}

// Cursor says how much of one conversation's stream a client has received.
type Cursor struct {
	Seq        int64
	Generation int64
	// Message and Offset say how many bytes of the message being written it has received;
	// zero for none.
	Message uuid.UUID
	Offset  int64
}

// Disconnect is a reason to close a socket, with its websocket close code.
type Disconnect struct {
	Code   int
	Reason string
}

// The close codes. 1009 and 1011 are defined by RFC 6455. An expired bearer (4402) says
// nothing about its sign-in: the client reconnects with a newer bearer. Only 4401 means that
// the client cannot reconnect.
//
//nolint:gochecknoglobals // a table of constants; Go has no constant structs
var (
	DisconnectMalformed    = Disconnect{4400, "malformed frame"}
	DisconnectSessionEnded = Disconnect{4401, "session ended"}
	DisconnectBearerEnded  = Disconnect{4402, "bearer ended"}
	DisconnectForbidden    = Disconnect{4403, "right withdrawn"}
	DisconnectSlow         = Disconnect{4408, "too slow, or silent"}
	DisconnectTooMany      = Disconnect{4429, "too many frames"}
	DisconnectDraining     = Disconnect{4503, "node draining"}
	DisconnectTooBig       = Disconnect{1009, "frame too big"}
	DisconnectInternal     = Disconnect{1011, "internal error"}
)
