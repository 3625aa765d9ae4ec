package node

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
)

// The messages of a connection to the node's actors that name an actor by the library's
// reference. All other messages are in package protocol, which does without the library.

// Attends tells the node that one of its connections has opened a conversation, or closed it.
type Attends struct {
	Conversation, Person uuid.UUID
	Connection           *actor.PID
	Here                 bool
}

// Essential lets it into a full mailbox: there are no more of them than subscriptions.
func (*Attends) Essential() {}

// IgnoreDeadLetterLogging says that the node may be ending.
func (*Attends) IgnoreDeadLetterLogging() {}

// Behind asks the node's fan-out to forward a message, after everything that it still has for
// its receiver.
type Behind struct {
	To      *actor.PID
	Message any
}

// Essential lets it into a full mailbox: there are no more of them than subscriptions.
func (*Behind) Essential() {}
