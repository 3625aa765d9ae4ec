// Package protocol has the messages between actors, and the JSON of the frames and events
// that clients read, with their encoding.
package protocol

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// UserStream is the name of a person's own log in a frame's stream field; every
// other stream is named by its conversation's id.
const UserStream = "user"

// Frame types beyond the event types of domain.
const (
	FrameSessionReady = "session.ready"
	FrameResync       = "session.resync" // the user's log does not reach back that far
	FrameReset        = "reset"          // a conversation: fetch it again and continue at seq
	FrameSubscribed   = "subscribed"
	FrameDenied       = "denied"
	FrameDelta        = "message.delta"
	FrameKeepAlive    = "keep-alive"
	FramePresence     = "presence" // who has a conversation open; not kept, no seq, no stream
)

// Frame is what a server sends, except for deltas.
type Frame struct {
	Type       string          `json:"type" doc:"The type of the event, such as message.created."`
	Stream     string          `json:"stream,omitempty" doc:"The log of the frame: the id of a conversation, or user for the person's own log."`
	Seq        int64           `json:"seq,omitempty" doc:"The position in the log. Positions start at 1 and have no gaps."`
	Epoch      int64           `json:"epoch,omitempty" doc:"The number of the activation that wrote it. Ignore frames of a lower epoch."`
	Generation int64           `json:"generation,omitempty" doc:"The generation of the conversation: it starts at 1 and increases by 1 with each rewind. Ignore frames of a lower generation."`
	At         *time.Time      `json:"at,omitempty" doc:"The time of the event."`
	Data       json.RawMessage `json:"data,omitempty" doc:"The data of the event. Its shape depends on type."`
}

// Delta is a piece of a message's text at its byte offset.
type Delta struct {
	Type       string    `json:"type" doc:"Always message.delta."`
	Stream     string    `json:"stream" doc:"The log of the frame: the id of a conversation, or user for the person's own log."`
	Epoch      int64     `json:"epoch" doc:"The number of the activation that wrote it. Ignore frames of a lower epoch."`
	Generation int64     `json:"generation" doc:"The generation of the conversation: it starts at 1 and increases by 1 with each rewind. Ignore frames of a lower generation."`
	Message    uuid.UUID `json:"message" doc:"The message that is being written."`
	Offset     int64     `json:"offset" doc:"The position of the text in the message, in bytes."`
	Text       string    `json:"text" doc:"The text to insert."`
}

// Presence names the people who have a conversation open: the first ones of Count people.
type Presence struct {
	Type         string     `json:"type"` // FramePresence
	Conversation uuid.UUID  `json:"conversation"`
	People       []Attendee `json:"people"`
	Count        int        `json:"count"`
}

// Attendee is one of the people who have a conversation open.
type Attendee struct {
	UUID     uuid.UUID `json:"uuid"`
	FullName string    `json:"fullName"`
}

// PresenceOf makes the frame of a Present.
func PresenceOf(p *Present) Presence {
	people := make([]Attendee, len(p.People))
	for i, person := range p.People {
		people[i] = Attendee{UUID: person.UUID, FullName: person.FullName}
	}
	return Presence{Type: FramePresence, Conversation: p.Conversation, People: people, Count: p.Count}
}

// ClientFrame is what a client sends: hello first, then subscribe, unsubscribe and ping in
// any order.
type ClientFrame struct {
	Type string `json:"type" doc:"hello, subscribe, unsubscribe or keep-alive."`
	// Cursor of a hello.
	Cursor *ClientCursor `json:"cursor,omitempty" doc:"The positions from which the stream continues."`
	// Conversation is the conversation of subscribe and unsubscribe, At the client's
	// place in it.
	Conversation uuid.UUID           `json:"conversation,omitzero" doc:"The id of the conversation."`
	At           *ConversationCursor `json:"at,omitempty" doc:"The client's position in the conversation."`
}

// ClientCursor says what a client has received. A nil User asks for the user's log from now
// on.
type ClientCursor struct {
	User          *int64                           `json:"user,omitempty" doc:"The seq of the last event in the person's own log that the client has received."`
	Conversations map[uuid.UUID]ConversationCursor `json:"conversations,omitempty" doc:"The positions in the open conversations, by the ids of the conversations."`
}

// ConversationCursor is a client's place in one conversation.
type ConversationCursor struct {
	Seq        int64     `json:"seq" doc:"The position in the log. Positions start at 1 and have no gaps."`
	Generation int64     `json:"generation" doc:"The generation of the conversation: it starts at 1 and increases by 1 with each rewind. Ignore frames of a lower generation."`
	Message    uuid.UUID `json:"message,omitzero" doc:"The message that was being written."`
	Offset     int64     `json:"offset,omitempty" doc:"The position of the text in the message, in bytes."`
}
