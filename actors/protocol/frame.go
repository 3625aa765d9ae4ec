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
	Type       string          `json:"type" doc:"What happened, such as message.created."`
	Stream     string          `json:"stream,omitempty" doc:"The log that it belongs to: a conversation's id, or user for the person's own."`
	Seq        int64           `json:"seq,omitempty" doc:"Its position in the log, from 1 and without gaps."`
	Epoch      int64           `json:"epoch,omitempty" doc:"The number of the activation that wrote it. Drop frames of a lower epoch."`
	Generation int64           `json:"generation,omitempty" doc:"The number of rewinds so far, from 1. Drop frames of a lower generation."`
	At         *time.Time      `json:"at,omitempty" doc:"When it happened."`
	Data       json.RawMessage `json:"data,omitempty" doc:"What happened; its shape follows from type."`
}

// Delta is a piece of a message's text at its byte offset.
type Delta struct {
	Type       string    `json:"type" doc:"message.delta"`
	Stream     string    `json:"stream" doc:"The log that it belongs to: a conversation's id, or user for the person's own."`
	Epoch      int64     `json:"epoch" doc:"The number of the activation that wrote it. Drop frames of a lower epoch."`
	Generation int64     `json:"generation" doc:"The number of rewinds so far, from 1. Drop frames of a lower generation."`
	Message    uuid.UUID `json:"message" doc:"The message that is being written."`
	Offset     int64     `json:"offset" doc:"Bytes of the message before this place."`
	Text       string    `json:"text" doc:"The piece of text."`
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
	Cursor *ClientCursor `json:"cursor,omitempty" doc:"From where to go on."`
	// Conversation is the conversation of subscribe and unsubscribe, At the client's
	// place in it.
	Conversation uuid.UUID           `json:"conversation,omitzero" doc:"The conversation."`
	At           *ConversationCursor `json:"at,omitempty" doc:"Where the client is in the conversation."`
}

// ClientCursor says what a client has received. A nil User asks for the user's log from now
// on.
type ClientCursor struct {
	User          *int64                           `json:"user,omitempty" doc:"The seq, that is the position, of the last event of the person's own log that the client has."`
	Conversations map[uuid.UUID]ConversationCursor `json:"conversations,omitempty" doc:"Places in the conversations that are open, by their ids."`
}

// ConversationCursor is a client's place in one conversation.
type ConversationCursor struct {
	Seq        int64     `json:"seq" doc:"Its position in the log, from 1 and without gaps."`
	Generation int64     `json:"generation" doc:"The number of rewinds so far, from 1. Drop frames of a lower generation."`
	Message    uuid.UUID `json:"message,omitzero" doc:"The message that was being written."`
	Offset     int64     `json:"offset,omitempty" doc:"Bytes of the message before this place."`
}
