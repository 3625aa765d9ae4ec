package node

import "github.com/asynkron/protoactor-go/actor"

// Listed is the roster's answer to the question what lives on this node of a kind. It
// stands here because those who ask and the roster do not know each other.
type Listed struct{ PIDs []*actor.PID }

// Essential lets it into a full mailbox: it is the answer to one question.
func (*Listed) Essential() {}

// IgnoreDeadLetterLogging says that the one that asked may have ended.
func (*Listed) IgnoreDeadLetterLogging() {}
