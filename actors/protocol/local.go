package protocol

import (
	"context"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// PieceKind is the kind of a TurnPiece.
type PieceKind uint8

// The kinds of output of a turn: messages, their text and objects, its steps and its end.
const (
	PieceOpen PieceKind = iota + 1
	PieceDelta
	PieceAttach
	PieceAnnotate
	PieceClose
	PieceProgress
	PieceStep
	PieceEnd
)

// TurnPiece is one piece of a turn's output, as it is sent to the conversation.
type TurnPiece struct {
	Kind    PieceKind
	Message uuid.UUID
	Role    domain.Role
	// Whole says that an opened message has all its text and ends at once.
	Whole   bool
	Text    string
	Objects []domain.DisplayObject
	// Annotation is the annotation of an opened message, or an addition to an existing one.
	Annotation domain.Annotation
	// AnalystID and AnalystName, of an opened message, name the agent if it is not the
	// turn's; 0 means the turn's agent.
	AnalystID   int64
	AnalystName string
	Step        *domain.Step
	Usage       *domain.Usage
	// Receipt is settled when the piece is durable; nil if no one waits for that.
	Receipt Receipt
	// Status and Reason of the end.
	Status domain.TurnStatus
	Reason string
}

// pieceWeight is how many bytes of the window a piece without text takes.
const pieceWeight = 512

// Weight is how many bytes of the turn's window a piece takes until it is durable.
func (p *TurnPiece) Weight() int {
	switch p.Kind {
	case PieceDelta:
		return len(p.Text)
	case PieceOpen:
		return len(p.Text) + pieceWeight
	case PieceAttach, PieceAnnotate:
		return pieceWeight
	case PieceStep:
		return len(p.Step.Input) + len(p.Step.Output) + pieceWeight
	default:
		return 0
	}
}

// Receipt gets the result of a piece, once: nil when it is durable.
type Receipt interface{ Settle(err error) }

// TurnSource holds a turn's output until its conversation takes it, or the journal pulls it
// into a write that is already submitted. It is safe for concurrent use.
type TurnSource interface {
	// Take appends to `to` the pieces that were added since the last call. If there were any,
	// the caller must call Take again later: until a call finds nothing, the turn does not
	// notify it of new pieces. mark identifies this call for the Continuation of a write.
	Take(to []TurnPiece) (pieces []TurnPiece, mark uint64)
	// Release says that this many more bytes are durable, or dropped, so that a turn which
	// waits for room continues.
	Release(bytes int)
	domain.TextSource
}

// TurnOutput notifies a conversation that its turn has output. The same value is sent each
// time and must not be changed.
type TurnOutput struct {
	Turn    uuid.UUID
	Attempt int
	Source  TurnSource
}

// Essential lets it into a full mailbox: there is one at a time.
func (*TurnOutput) Essential() {}

// ReasonInternal is what people read when a turn ended because of our own error.
const ReasonInternal = "Something went wrong on our side while this answer was written."

// TurnSpan adds the span of a turn to the context of its work (internal/telemetry).
type TurnSpan interface {
	Context(of context.Context) context.Context
}

// StartTurn is what a conversation passes to the turn that it spawns.
type StartTurn struct {
	Turn     domain.Turn
	Caller   domain.Caller
	Prompt   domain.Message
	Finished []domain.Step
	// Origin is nil for a turn that another node has begun, and for one of a scheduled task.
	Origin *Origin
	// Span is nil if there are no traces.
	Span TurnSpan
}

// EntryKind says how an entry changes a reader's place.
type EntryKind uint8

// The kinds of entries have the values of the kinds of frames between nodes.
const (
	EntryEvent    EntryKind = EntryKind(StreamFrame_EVENT)
	EntryDelta    EntryKind = EntryKind(StreamFrame_DELTA)
	EntryOpened   EntryKind = EntryKind(StreamFrame_OPENED)
	EntryEnded    EntryKind = EntryKind(StreamFrame_ENDED)
	EntryProgress EntryKind = EntryKind(StreamFrame_PROGRESS)
)

// Entry is one committed entry of a conversation's stream within a node.
type Entry struct {
	Kind       EntryKind
	Seq        int64 // 0 for a delta and progress
	Epoch      int64
	Generation int64
	// Message and Offset of a delta, of an opened and of an ended message; for the
	// last one Offset is its length.
	Message uuid.UUID
	Offset  int64
	Text    string
	// Event is the event itself; nil for an entry of another node, which arrives encoded. It
	// is shared and must not be changed.
	Event *domain.Event
	// JSON is the whole frame once it is encoded, shared by all readers.
	JSON []byte
}

// Encode encodes the frame, unless that was done before.
func (e *Entry) Encode(stream uuid.UUID) {
	switch {
	case e.JSON != nil:
	case e.Kind == EntryDelta:
		e.JSON = EncodeDelta(stream, e.Epoch, e.Generation, e.Message, e.Offset, e.Text)
	default:
		e.JSON = EncodeEvent(string(e.Event.Type), stream, e.Seq, e.Epoch, e.Generation, e.Event.At, e.Event.Data)
	}
}

// deltaWeight is about how many bytes the frame of a delta has in addition to its text.
const deltaWeight = 220

// Weight is the size of the frame in bytes, an estimate if it is not encoded yet.
func (e *Entry) Weight() int {
	if e.JSON == nil {
		return len(e.Text) + deltaWeight
	}
	return len(e.JSON)
}

// Frame makes the message of an entry for another node.
func (e *Entry) Frame() *StreamFrame {
	f := &StreamFrame{
		Kind: StreamFrame_Kind(e.Kind), Seq: e.Seq, Generation: e.Generation, Offset: e.Offset, Text: e.Text, Json: e.JSON,
	}
	if e.Message != uuid.Nil {
		f.Message = e.Message[:]
	}
	if e.Kind == EntryDelta {
		f.Json = nil
	}
	return f
}

// Entry makes an entry from another node's frame, and encodes it if it arrived without JSON.
func (f *StreamFrame) Entry(stream uuid.UUID, epoch int64) Entry {
	e := Entry{
		Kind: EntryKind(f.Kind), Seq: f.Seq, Epoch: epoch, Generation: f.Generation, //nolint:gosec // a small enum
		Message: ID(f.Message), Offset: f.Offset, Text: f.Text, JSON: f.Json,
	}
	e.Encode(stream)
	return e
}

// Essential lets the end of a subscription into a full mailbox: there are no
// more of them than there were subscriptions.
func (*Unsubscribe) Essential() {}

// IgnoreDeadLetterLogging says that the owner may have ended first.
func (*Unsubscribe) IgnoreDeadLetterLogging() {}

// IsEssential lets the end of a subscription into every full queue on its route: the frames
// of its conversation are still sent to the node for other readers, and this reader may have
// lost its right to them. The beginning of a subscription, with its frames, is requested
// again.
func (f *Forward) IsEssential() bool {
	switch f.GetSubscription().GetOutcome() {
	case Subscription_DENIED, Subscription_MOVED:
		return true
	case Subscription_LIVE, Subscription_BEHIND, Subscription_RESET:
	}
	return false
}

// Essential lets the end of a connection into a full mailbox.
func (*Leave) Essential() {}

// IgnoreDeadLetterLogging says that the session, or the connection, may have ended first.
func (*Leave) IgnoreDeadLetterLogging() {}

// Essential lets a hand-over into a full mailbox: there is one.
func (*HandOver) Essential() {}

// Yield asks an owner to let its conversation go to a node that carries less, if nothing is in progress.
type Yield struct{}

// IgnoreDeadLetterLogging says that the owner may be ending.
func (*Yield) IgnoreDeadLetterLogging() {}

// TurnSlot tells a turn that it may begin, or that too many wait already.
type TurnSlot struct{ Refused bool }

// Essential lets it into a full mailbox: a turn has one slot.
func (*TurnSlot) Essential() {}

// IgnoreDeadLetterLogging says that the turn may have ended meanwhile.
func (*TurnSlot) IgnoreDeadLetterLogging() {}

// AccessChanged tells an owner that the rights of its readers may have changed without a
// write of its own. It tells a session that the set of what its person may see may have
// changed.
type AccessChanged struct{}

// Essential lets it into a full mailbox: a revoked right must end at once.
func (*AccessChanged) Essential() {}

// IgnoreDeadLetterLogging says that the receiver may have ended.
func (*AccessChanged) IgnoreDeadLetterLogging() {}

// Superseded tells an owner that another node has claimed its conversation, with this epoch,
// or that it was deleted, perhaps by its own write a moment ago. An owner that writes
// nothing would not notice otherwise.
type Superseded struct {
	Epoch   int64
	Deleted bool
	// Read is when the reading of the row began that says so, by this node's clock.
	Read time.Time
}

// Essential lets it into a full mailbox: an owner that may not write has nothing else to do.
func (*Superseded) Essential() {}

// IgnoreDeadLetterLogging says that the owner may have noticed by itself.
func (*Superseded) IgnoreDeadLetterLogging() {}

// StopFlag tells an owner, as a hint through Redis and not through the connection between
// nodes, that a turn must be stopped. The sender has checked the right to do so. It is
// ignored for a turn that does not run: the flag may arrive late.
type StopFlag struct{ Turn uuid.UUID }

// Essential lets it into a full mailbox.
func (*StopFlag) Essential() {}

// IgnoreDeadLetterLogging says that all nodes get it and the owner lives on one of them.
func (*StopFlag) IgnoreDeadLetterLogging() {}

// Present tells a connection which people have a conversation open. People is shared and
// must not be changed.
type Present struct {
	Conversation uuid.UUID
	People       []domain.Person
	Count        int
}

// IgnoreDeadLetterLogging says that the connection may have ended.
func (*Present) IgnoreDeadLetterLogging() {}

// Tick is what the node's timer wheel sends to an actor that has armed it.
type Tick struct{}

// Essential lets a tick into a full mailbox: one is armed at a time.
func (*Tick) Essential() {}

// IgnoreDeadLetterLogging says that the armed actor may have ended.
func (*Tick) IgnoreDeadLetterLogging() {}

// Dropped tells the node's fan-out that a connection does not read a conversation any more.
type Dropped struct {
	Conversation uuid.UUID
	Connection   string
}

// Essential lets it into a full mailbox: there are no more of them than subscriptions.
func (*Dropped) Essential() {}

// Silent tells the readers of a conversation that its owner, on another node, does not
// answer.
type Silent struct{ Conversation uuid.UUID }

// UserHead tells the actors of this node that follow a person's log how far the stored log
// goes, and on which node its session is according to the person's row.
type UserHead struct {
	Seq  int64
	Home string
}

// Essential lets it into a full mailbox: there is one every two seconds at most.
func (*UserHead) Essential() {}

// IgnoreDeadLetterLogging says that the follower may have ended.
func (*UserHead) IgnoreDeadLetterLogging() {}

// NewTarget returns the target for an actor that answers are sent to.
func NewTarget(node, address, id string) *Target {
	return &Target{Node: node, Address: address, Id: id}
}
