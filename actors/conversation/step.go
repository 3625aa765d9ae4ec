package conversation

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Input is what a Step takes. A zero To means that nobody waits.
type Input any

// Recover is the first input of an activation that found a running turn.
type Recover struct {
	Running *domain.RunningTurn
	Analyst string
	// Failed says that the turn is to end as failed: its owner could not go on.
	Failed bool
}

// Send is a prompt whose caller may send, with what the store knows of its id.
type Send struct {
	To       Token
	Caller   domain.Caller
	Prompt   domain.Prompt
	Existing *domain.Message
	// Asked is the agent that Existing was sent to.
	Asked int64
	// Analyst answers it.
	Analyst domain.Analyst
	// Plan is what its blueprint has the turn do; nil for a prompt without one.
	Plan *domain.PromptPlan
}

// Stop ends the running turn.
type Stop struct{ To Token }

// Rewind cuts from Message on. Tail are the messages that count as the head
// afterwards. Generation is that of the reading: another one means that the
// reading is old. Left says that Message has been cut before and nothing came since.
type Rewind struct {
	To         Token
	Message    domain.Message
	Tail       []uuid.UUID
	Generation int64
	Left       bool
}

// Change is a ConversationUpdate.
type Change struct {
	To     Token
	Update domain.ConversationUpdate
}

// SetGrants changes who may see it.
type SetGrants struct {
	To     Token
	Grants []domain.Grant
}

// Delete ends the conversation.
type Delete struct{ To Token }

// Piece is something that the turn made.
type Piece struct {
	Turn    uuid.UUID
	Attempt int
	Piece   *protocol.TurnPiece
	// More says that another piece follows at once: what comes together is written together.
	More bool
}

// Committed is the journal's answer to the write in flight.
type Committed struct{ Result domain.WriteResult }

// Reclaimed is what a new claim says after a write whose fate was unknown.
type Reclaimed struct{ Claim *domain.Claim }

// Flush writes the snapshot if it is old, and answers when all is durable.
type Flush struct{ To Token }

// Output is what a Step wants done.
type Output any

// Submit gives a write to the journal. One is in flight at a time.
type Submit struct {
	Write *domain.Write
	// Continues, when set, is the message of the turn that the write's only chunk
	// belongs to: its text may grow by up to Room bytes until the group begins, and
	// Late is told of it before the next input.
	Continues uuid.UUID
	Room      int
}

// Answer goes to one who waits. Value is one of the Result types of domain, or nil.
type Answer struct {
	To    Token
	Value any
	Err   error
}

// Publish shows committed entries to the readers.
type Publish struct{ Publication *protocol.Publication }

// TellUsers brings committed user events to their sessions.
type TellUsers struct{ Events []domain.UserEvent }

// TellMissed brings the news of a write that was committed unheard to the sessions:
// of all readers of the conversation, and of those whose right it has changed.
type TellMissed struct{ Changed []domain.Grantee }

// StartTurn asks for the turn's actor.
type StartTurn struct{ Start protocol.StartTurn }

// TurnEnded says that the end of the turn is committed.
type TurnEnded struct{ Status domain.TurnStatus }

// CancelTurn ends the turn's actor; nothing of it is taken any more.
type CancelTurn struct{ Turn uuid.UUID }

// Release says that so many bytes of the turn's text are durable, or dropped.
type Release struct{ Bytes int }

// Settle answers a step that waited for its commit.
type Settle struct {
	Do  func(error)
	Err error
}

// Recheck says that who may see the conversation has changed: no reader but the
// owner gets anything until the store was asked again.
type Recheck struct{}

// Reclaim asks for a new claim, because the fate of the write in flight is
// unknown. Reset says that the state cannot be trusted and another is to be made.
type Reclaim struct {
	Reset bool
	Cause error
}

// End says that this activation is over.
type End struct {
	// Deleted tells a deletion from the loss of the ownership.
	Deleted bool
	// Running says that a turn had no end yet.
	Running bool
}
