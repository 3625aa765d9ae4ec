package ledger

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Input is one thing that happens to a conversation. The set is closed: Apply has a
// case for each, which the linter checks.
//
//sumtype:decl
type Input interface {
	// input gives who waits for the answer, nil for nobody.
	input() Token
}

// Token stands for somebody who waits for an answer; Answer brings it back.
type Token any

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

func (Recover) input() Token     { return nil }
func (i Send) input() Token      { return i.To }
func (i Stop) input() Token      { return i.To }
func (i Rewind) input() Token    { return i.To }
func (i Change) input() Token    { return i.To }
func (i SetGrants) input() Token { return i.To }
func (i Delete) input() Token    { return i.To }
func (Piece) input() Token       { return nil }
func (Committed) input() Token   { return nil }
func (Reclaimed) input() Token   { return nil }
func (i Flush) input() Token     { return i.To }
