// Package protocol holds the only words that actors share, and the JSON of the
// frames and events that clients read. It has no behaviour.
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
	FrameReset        = "reset"          // a conversation: refetch and go on at seq
	FrameSubscribed   = "subscribed"
	FrameDenied       = "denied"
	FrameDelta        = "message.delta"
	FrameKeepAlive    = "keep-alive"
	FramePresence     = "presence" // who has a conversation open; not kept, no seq, no stream
)

// Frame is what a server sends, but for deltas.
type Frame struct {
	Type       string          `json:"type"`
	Stream     string          `json:"stream,omitempty"`
	Seq        int64           `json:"seq,omitempty"`
	Epoch      int64           `json:"epoch,omitempty"`
	Generation int64           `json:"generation,omitempty"`
	At         *time.Time      `json:"at,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
}

// Delta is a piece of a message's text at its byte offset.
type Delta struct {
	Type       string    `json:"type"` // FrameDelta
	Stream     string    `json:"stream"`
	Epoch      int64     `json:"epoch"`
	Generation int64     `json:"generation"`
	Message    uuid.UUID `json:"message"`
	Offset     int64     `json:"offset"`
	Text       string    `json:"text"`
}

// Presence says who has a conversation open: of Count people the first ones.
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

// PresenceOf is the frame for what a connection was told.
func PresenceOf(p *Present) Presence {
	people := make([]Attendee, len(p.People))
	for i, person := range p.People {
		people[i] = Attendee{UUID: person.UUID, FullName: person.FullName}
	}
	return Presence{Type: FramePresence, Conversation: p.Conversation, People: people, Count: p.Count}
}

// ClientFrame is what a client sends: hello first, then subscribe, unsubscribe
// and ping at will.
type ClientFrame struct {
	Type string `json:"type"`
	// Cursor of a hello.
	Cursor *ClientCursor `json:"cursor,omitempty"`
	// Conversation and the client's place in it, of subscribe and unsubscribe.
	Conversation uuid.UUID           `json:"conversation,omitzero"`
	At           *ConversationCursor `json:"at,omitempty"`
}

// ClientCursor says what a client holds. A nil User asks for the user's log from now on.
type ClientCursor struct {
	User          *int64                           `json:"user,omitempty"`
	Conversations map[uuid.UUID]ConversationCursor `json:"conversations,omitempty"`
}

// ConversationCursor is a client's place in one conversation.
type ConversationCursor struct {
	Seq        int64     `json:"seq"`
	Generation int64     `json:"generation"`
	Message    uuid.UUID `json:"message,omitzero"`
	Offset     int64     `json:"offset,omitempty"`
}
