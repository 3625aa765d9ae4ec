package domain

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// The interfaces in this file are for state that nodes share and that may be lost at any
// moment; a loss costs time but never data. Their methods never fail, and no call waits
// longer than 200 ms for a server that does not answer.

// Window limits how often something may happen: at most Most times within any time span
// of the length Per. Key names who is counted, and for what.
type Window struct {
	Key  string
	Most int
	Per  time.Duration
}

// RateCounter counts what people do, on all nodes together.
type RateCounter interface {
	// Count counts once in every window if none has reached its limit. Otherwise it counts
	// in none of them, ok is false, and wait is how long it takes until it would succeed.
	Count(ctx context.Context, windows ...Window) (wait time.Duration, ok bool)
}

// Seat is one of at most Most seats that may be taken under a key. A negative Most means
// no limit.
type Seat struct {
	Key  string
	Most int
}

// SeatKeeper counts seats that are held for a while, such as open sockets, on all nodes
// together. The seats of a node that is lost become free by themselves.
type SeatKeeper interface {
	// Take takes one seat under each key, or none at all if one key has no free seat.
	// release gives them back. It may be called more than once and does not block.
	Take(ctx context.Context, seats ...Seat) (release func(), ok bool)
}

// Presence knows who has which conversation open, on any node.
type Presence interface {
	// Enter records that a person has opened a conversation, possibly one of several times.
	// leave undoes that; it may be called more than once. Neither of them blocks. told is called each time after other nodes
	// can read the change; a hint that is sent before may be followed by them too early, and nobody asks again.
	Enter(conversation, person uuid.UUID, told func()) (leave func())
	// Present returns the people who have each of the conversations open, in the order of
	// their ids. While other nodes cannot be asked, it returns the people on this node.
	Present(ctx context.Context, conversations ...uuid.UUID) map[uuid.UUID][]uuid.UUID
}

// HintTopic says what a hint is about.
type HintTopic string

// HintBoard passes hints between nodes, at most once and in no guaranteed order. A receiver
// looks up in the store what a hint is about. A node that misses a hint finds out about the
// change later by itself.
type HintBoard interface {
	// Send passes data to the listeners of a topic on every node, including this one. Of
	// the unsent hints with the same key only the latest is sent; a hint with an empty key
	// replaces no other. Send does not block.
	Send(topic HintTopic, key string, data []byte)
	// Listen calls heard for each hint of a topic, one after the other; heard must not
	// block. Empty data means that hints may have been missed. stop ends the listening.
	Listen(topic HintTopic, heard func(data []byte)) (stop func())
}

// TailKeeper keeps the latest committed entries of each conversation for some minutes, so
// that the conversation's next owner can answer readers that reconnect without asking the
// store. The entries may have gaps: a reader uses only the part that continues what is
// stored.
type TailKeeper interface {
	// Keep appends an entry to the kept ones; the oldest are dropped. It does not block.
	Keep(conversation uuid.UUID, entry []byte)
	// Forget drops the entries of a conversation. It does not block.
	Forget(conversation uuid.UUID)
	// Tail returns the kept entries, oldest first.
	Tail(ctx context.Context, conversation uuid.UUID) [][]byte
}
