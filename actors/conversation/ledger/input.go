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
	// input returns the Token of the waiting request, nil if no request waits.
	input() Token
}

// Token identifies a request that waits for an answer; Answer returns it.
type Token any

// Recover is the first input of an activation that found a running turn.
type Recover struct {
	Running *domain.RunningTurn
	Analyst string
	// OwnerLives is that of the claim: the earlier owner was superseded, and its node was not lost.
	OwnerLives bool
	// Failed says that the turn must end as failed, because its owner could not continue.
	Failed bool
}

// Send is a prompt whose caller may send, with the stored message of the same id.
type Send struct {
	To       Token
	Caller   domain.Caller
	Prompt   domain.Prompt
	Existing *domain.Message
	// Asked is the agent that Existing was sent to.
	Asked int64
	// Analyst is the agent that answers it.
	Analyst domain.Analyst
	// Plan is the plan of its blueprint; nil for a prompt without one.
	Plan *domain.PromptPlan
	// Origin is passed to the turn.
	Origin *protocol.Origin
}

// Stop ends the running turn.
type Stop struct{ To Token }

// Rewind removes the messages from Message on. Tail are the messages that count as the head
// afterwards. Generation is the generation at the time of the read: if it has changed, the
// read is stale. Left says that an earlier rewind has removed Message and nothing was added
// since.
type Rewind struct {
	To         Token
	Message    domain.Message
	Tail       []uuid.UUID
	Generation int64
	Left       bool
}

// Change is a ConversationUpdate. Request is the id that all tries of it have, or uuid.Nil.
type Change struct {
	To      Token
	Request uuid.UUID
	Update  domain.ConversationUpdate
}

// SetGrants changes who may see it. Request is the id that all tries of it have, or uuid.Nil.
type SetGrants struct {
	To      Token
	Request uuid.UUID
	Grants  []domain.Grant
}

// Delete ends the conversation.
type Delete struct{ To Token }

// Piece is one piece of the turn's output.
type Piece struct {
	Turn    uuid.UUID
	Attempt int
	Piece   *protocol.TurnPiece
	// More says that another piece follows at once: both are put into one write.
	More bool
}

// Committed is the journal's answer to the write in flight.
type Committed struct{ Result domain.WriteResult }

// Reclaimed is a new claim after a write of which it was not known whether it was committed.
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
