package ledger

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Output is one action for the actor. The set is closed: the actor has a case for each, which
// the linter checks.
//
//sumtype:decl
type Output interface{ output() }

// Submit passes a write to the journal. One is in flight at a time. If it Continues a message
// of the turn, the journal also gets the turn's source.
type Submit struct{ Write *domain.Write }

// Answer is the answer to a request. Value is one of the Result types of domain, or nil.
type Answer struct {
	To    Token
	Value any
	Err   error
}

// Publish shows committed entries to the readers.
type Publish struct{ Publication *protocol.Publication }

// SendUserEvents sends committed user events to their sessions.
type SendUserEvents struct{ Events []domain.UserEvent }

// ReportMissed tells sessions that the events of a write must be read from the log, because
// the journal's answer to it got lost: the sessions of all readers of the conversation, and
// of the people whose right it has changed.
type ReportMissed struct{ Changed []domain.Grantee }

// StartTurn asks for the turn's actor.
type StartTurn struct{ Start protocol.StartTurn }

// TurnEnded says that the end of the turn is committed.
type TurnEnded struct{ Status domain.TurnStatus }

// CancelTurn ends the turn's actor; its further output is ignored.
type CancelTurn struct{ Turn uuid.UUID }

// Release says that Bytes more of the turn's text are durable, or dropped.
type Release struct{ Bytes int }

// Settle answers a step that waited for its commit.
type Settle struct {
	Receipt protocol.Receipt
	Err     error
}

// Recheck says that access to the conversation has changed: no reader except the owner gets
// anything until its right was read again.
type Recheck struct{}

// Reclaim asks for a new claim, because it is not known whether the write in flight was
// committed. Reset says that the state cannot be trusted and must be rebuilt.
type Reclaim struct {
	Reset bool
	Cause error
}

// End says that this activation is over.
type End struct {
	// Deleted distinguishes a deletion from the loss of the ownership.
	Deleted bool
	// Running says that a turn had no end yet.
	Running bool
}

func (Submit) output()         {}
func (Answer) output()         {}
func (Publish) output()        {}
func (SendUserEvents) output() {}
func (ReportMissed) output()   {}
func (StartTurn) output()      {}
func (TurnEnded) output()      {}
func (CancelTurn) output()     {}
func (Release) output()        {}
func (Settle) output()         {}
func (Recheck) output()        {}
func (Reclaim) output()        {}
func (End) output()            {}
