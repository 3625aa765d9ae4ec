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
	// Those of a scheduled task stand in its owner's own log, and in that of who changed it.
	EventTaskCreated EventType = "task.created"
	// EventTaskUpdated says that something of a task is not what it was: what people
	// give, its switch, its archive, or when it is due next.
	EventTaskUpdated    EventType = "task.updated"
	EventTaskDeleted    EventType = "task.deleted"
	EventTaskRunStarted EventType = "task.run-started"
	EventTaskRunFailed  EventType = "task.run-failed"
	// EventTaskSwitchedOff says that a task was switched off by something else than its owner.
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

// UserEventDraft is a user event before it has its readers and numbers: the
// store writes it to every reader of the conversation in the same transaction.
type UserEventDraft struct {
	Type EventType
	Data json.RawMessage
	// Unread adds one to the unread count of every reader but Except.
	Unread bool
	Except int64
}

// Cursor says what a client holds of one conversation's stream.
type Cursor struct {
	Seq        int64
	Generation int64
	// Message and Offset say how many bytes it holds of the message being written; zero for none.
	Message uuid.UUID
	Offset  int64
}

// Disconnect is a reason to close a socket, with its websocket close code.
type Disconnect struct {
	Code   int
	Reason string
}

// The close codes, in one place. 1009 and 1011 are those of RFC 6455. A bearer that
// ended (4402) says nothing about the sign-in that it was given for: its client comes
// back with a newer one. Only 4401 tells that there is nothing to come back with.
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
