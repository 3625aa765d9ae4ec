package node

import "github.com/asynkron/protoactor-go/actor"

// Listed is the roster's answer to the question which actors of a kind live on this node. It
// is in this package because the actors that ask and the roster do not know each other.
type Listed struct{ PIDs []*actor.PID }

// Essential lets it into a full mailbox: it is the answer to one question.
func (*Listed) Essential() {}

// IgnoreDeadLetterLogging says that the actor that asked may have ended.
func (*Listed) IgnoreDeadLetterLogging() {}
