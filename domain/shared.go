package domain

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// What stands here is shared between nodes and is not truth: it may be lost at any
// moment, which costs time and never data. Nothing of it fails a caller, and no call
// waits longer than 200 ms for a server that does not answer.

// Window bounds how often something may happen: at most Most times within any span
// of the length Per. Key names who is counted, and for what.
type Window struct {
	Key  string
	Most int
	Per  time.Duration
}

// RateCounter counts what people do, on all nodes together.
type RateCounter interface {
	// Count counts once in every window, if each of them has room. Otherwise it counts
	// nowhere, ok is false, and wait is how long it takes until there is room.
	Count(ctx context.Context, windows ...Window) (wait time.Duration, ok bool)
}

// Seat is one of at most Most places that may be taken under a key. A negative Most
// sets no limit.
type Seat struct {
	Key  string
	Most int
}

// SeatKeeper keeps places that are held for a while, such as open sockets, on all
// nodes together. Those of a node that is lost come free by themselves.
type SeatKeeper interface {
	// Take takes one seat under each key, or none where one of them has no room. release
	// gives them back; it may be called more than once, and waits for nothing.
	Take(ctx context.Context, seats ...Seat) (release func(), ok bool)
}

// Presence knows who has which conversation open, on any node.
type Presence interface {
	// Enter says that a person has opened a conversation, once more. leave takes that
	// back; it may be called more than once. Neither waits for anything.
	Enter(conversation, person uuid.UUID) (leave func())
	// Present are the people who have each of the conversations open, in the order of
	// their ids. While other nodes cannot be asked it is those of this one.
	Present(ctx context.Context, conversations ...uuid.UUID) map[uuid.UUID][]uuid.UUID
}

// HintTopic says what a hint is about.
type HintTopic string

// HintBoard passes hints between nodes, at most once and in no order. Whatever a hint
// says is looked up where the truth is, and who gets none finds out by itself, later.
type HintBoard interface {
	// Tell passes data to the listeners of a topic on every node, this one included. Of
	// hints with the same key that have not left yet the latest one goes; an empty key
	// replaces nothing. It waits for nothing.
	Tell(topic HintTopic, key string, data []byte)
	// Listen has heard called for each hint of a topic, one after the other; it must not
	// wait for anything. Empty data says that hints may have been missed. stop ends it.
	Listen(topic HintTopic, heard func(data []byte)) (stop func())
}

// TailKeeper keeps the latest of what was committed in each conversation, for minutes, so
// that its next owner can answer readers who come back without the store. What is kept
// may have gaps: a reader uses the part that continues what is stored, and nothing else.
type TailKeeper interface {
	// Keep puts an entry behind those that are kept; the oldest give way. It waits for nothing.
	Keep(conversation uuid.UUID, entry []byte)
	// Forget drops what is kept. It waits for nothing.
	Forget(conversation uuid.UUID)
	// Tail are the entries that are kept, oldest first.
	Tail(ctx context.Context, conversation uuid.UUID) [][]byte
}
