package protocol

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// PieceKind says what a turn made.
type PieceKind uint8

// What a turn makes: messages, their text and objects, its steps and its end.
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

// TurnPiece is one thing that a turn made, on its way to its conversation.
type TurnPiece struct {
	Kind    PieceKind
	Message uuid.UUID
	Role    domain.Role
	// Whole says that an opened message has all its text and ends at once.
	Whole   bool
	Text    string
	Objects []domain.DisplayObject
	// Annotation is what is known of an opened message, or becomes known of one that is there.
	Annotation domain.Annotation
	// AnalystID and AnalystName, of an opened message, are those of an agent that is
	// not the turn's; 0 for the turn's.
	AnalystID   int64
	AnalystName string
	Step        *domain.Step
	Usage       *domain.Usage
	// Receipt is of who waits for the piece to be durable; nil when nobody does.
	Receipt Receipt
	// Status and Reason of the end.
	Status domain.TurnStatus
	Reason string
}

// pieceWeight is what a piece without text costs in the window.
const pieceWeight = 512

// Weight is how much of the turn's window a piece takes until it is durable.
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

// Receipt is told, once, what has become of a piece: nil when it is durable.
type Receipt interface{ Settle(err error) }

// TurnSource holds what a turn has made until its conversation takes it, or the journal
// pulls it into a write that is already on its way. Any goroutine may call it.
type TurnSource interface {
	// Take appends the pieces made since the last call. If there were any, the caller has
	// to call it once more before it rests: the turn does not tell it of what comes
	// meanwhile. mark names this call for the Continuation of a write.
	Take(to []TurnPiece) (pieces []TurnPiece, mark uint64)
	// Release says that bytes more are durable, or dropped, so that a turn which waits for
	// room goes on.
	Release(bytes int)
	domain.TextSource
}

// TurnOutput tells a conversation that its turn has made something. The same value is
// sent each time, and nobody changes it.
type TurnOutput struct {
	Turn    uuid.UUID
	Attempt int
	Source  TurnSource
}

// Essential lets it into a full mailbox: one is under way at a time.
func (*TurnOutput) Essential() {}

// ReasonInternal is what people read of a turn that ended by a fault of ours.
const ReasonInternal = "Something went wrong on our side while this answer was written."

// StartTurn is what a conversation gives to the turn that it spawns.
type StartTurn struct {
	Turn     domain.Turn
	Caller   domain.Caller
	Prompt   domain.Message
	Finished []domain.Step
}

// EntryKind says what an entry does to a reader's place.
type EntryKind uint8

// The kinds of entries are those of frames between nodes.
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
	// Event says of what type an event is, when it came and what it says; of another
	// node it comes encoded, and this is nil. It is shared and must not be changed.
	Event *domain.Event
	// JSON is the whole frame once it is encoded, shared by all readers.
	JSON []byte
}

// Encode writes the frame if that has not been done.
func (e *Entry) Encode(stream uuid.UUID) {
	switch {
	case e.JSON != nil:
	case e.Kind == EntryDelta:
		e.JSON = EncodeDelta(stream, e.Epoch, e.Generation, e.Message, e.Offset, e.Text)
	default:
		e.JSON = EncodeEvent(string(e.Event.Type), stream, e.Seq, e.Epoch, e.Generation, e.Event.At, e.Event.Data)
	}
}

// deltaWeight is about what the frame of a delta has beside its text.
const deltaWeight = 220

// Weight is how many bytes the frame takes, about that where it is not encoded yet.
func (e *Entry) Weight() int {
	if e.JSON == nil {
		return len(e.Text) + deltaWeight
	}
	return len(e.JSON)
}

// Frame writes an entry for the way to another node.
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

// Entry reads a frame of another node and encodes what came without its JSON.
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

// IgnoreDeadLetterLogging says that the owner may have gone first.
func (*Unsubscribe) IgnoreDeadLetterLogging() {}

// IsEssential lets the end of a subscription into every full queue on its way: the
// other frames of its conversation go on to the node, and its reader may have lost the
// right to them. The beginning of one, with all its frames, is asked for again.
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

// IgnoreDeadLetterLogging says that the session, or the connection, may have gone first.
func (*Leave) IgnoreDeadLetterLogging() {}

// Essential lets a hand-over into a full mailbox: it comes once.
func (*HandOver) Essential() {}

// AccessChanged tells an owner that its readers' rights, and a session that what
// its person may see, may have changed behind its back.
type AccessChanged struct{}

// Essential lets it into a full mailbox: a right that was taken ends at once.
func (*AccessChanged) Essential() {}

// IgnoreDeadLetterLogging says that who would have to know may have gone.
func (*AccessChanged) IgnoreDeadLetterLogging() {}

// Superseded tells an owner that another node has claimed its conversation, with this
// epoch, or that it was deleted, which its own write may have done a moment ago. One
// that writes nothing would not hear of it otherwise.
type Superseded struct {
	Epoch   int64
	Deleted bool
}

// Essential lets it into a full mailbox: who may write no more has nothing else to do.
func (*Superseded) Essential() {}

// IgnoreDeadLetterLogging says that the owner may have noticed by itself.
func (*Superseded) IgnoreDeadLetterLogging() {}

// StopFlag tells an owner, on a way that is not the wire between nodes, that somebody
// whose right was looked at wants a turn to be stopped. A turn that does not run is no
// matter: the flag may come late.
type StopFlag struct{ Turn uuid.UUID }

// Essential lets it into a full mailbox.
func (*StopFlag) Essential() {}

// IgnoreDeadLetterLogging says that the owner lives on one node, and all hear of it.
func (*StopFlag) IgnoreDeadLetterLogging() {}

// Attends tells the node that one of its connections has a conversation open, or no more.
type Attends struct {
	Conversation, Person uuid.UUID
	Connection           *actor.PID
	Here                 bool
}

// Essential lets it into a full mailbox: there are no more of them than subscriptions.
func (*Attends) Essential() {}

// IgnoreDeadLetterLogging says that the node may be ending.
func (*Attends) IgnoreDeadLetterLogging() {}

// Present tells a connection who has a conversation open. People is shared and must not
// be changed.
type Present struct {
	Conversation uuid.UUID
	People       []domain.Person
	Count        int
}

// IgnoreDeadLetterLogging says that the connection may have gone.
func (*Present) IgnoreDeadLetterLogging() {}

// Tick is what the node's timer wheel sends to who asked for it.
type Tick struct{}

// Essential lets a tick into a full mailbox: one is armed at a time.
func (*Tick) Essential() {}

// IgnoreDeadLetterLogging says that who is armed may have gone.
func (*Tick) IgnoreDeadLetterLogging() {}

// Dropped tells the node's fan-out that a connection reads a conversation no more.
type Dropped struct {
	Conversation uuid.UUID
	Connection   string
}

// Essential lets it into a full mailbox: there are no more of them than subscriptions.
func (*Dropped) Essential() {}

// Silent tells the readers of a conversation that its owner, on another node, does not
// answer.
type Silent struct{ Conversation uuid.UUID }

// UserHead tells those of this node who follow a person's log how far the stored one has
// come, and on which node its session is said to be.
type UserHead struct {
	Seq  int64
	Home string
}

// Essential lets it into a full mailbox: there is one every two seconds at most.
func (*UserHead) Essential() {}

// IgnoreDeadLetterLogging says that who followed may have gone.
func (*UserHead) IgnoreDeadLetterLogging() {}

// Behind has the node's fan-out send a message on, behind all that it still has for
// its receiver.
type Behind struct {
	To      *actor.PID
	Message any
}

// Essential lets it into a full mailbox: there are no more of them than subscriptions.
func (*Behind) Essential() {}

// NewTarget names an actor for the way back.
func NewTarget(node, address, id string) *Target {
	return &Target{Node: node, Address: address, Id: id}
}
