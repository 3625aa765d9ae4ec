package domain

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Fence proves the ownership of a conversation: the number of the activation
// and its random name. Every durable write of an owner carries it; the store
// refuses a write whose fence is not the row's.
type Fence struct {
	Epoch      int64
	Activation uuid.UUID
}

// Chunk is a piece of text of the message being written, at its byte offset. More
// continues Text: it is what the journal has pulled (see Write.Source).
type Chunk struct {
	Message uuid.UUID
	Offset  int64
	Text    string
	More    string
}

// Len is the length of the whole in bytes.
func (c *Chunk) Len() int { return len(c.Text) + len(c.More) }

// Whole is all of its text.
func (c *Chunk) Whole() string { return c.Text + c.More }

// MessageEnd closes a message: its chunks are folded into its text.
type MessageEnd struct {
	Message uuid.UUID
	Status  MessageStatus
}

// TurnEnd is the one end of a turn.
type TurnEnd struct {
	Turn   uuid.UUID
	Status TurnStatus
	Reason string
}

// MessageAnnotation is what becomes known of a message that is there.
type MessageAnnotation struct {
	Message    uuid.UUID
	Annotation Annotation
}

// Cut is a rewind: messages whose Seq is at least FromSeq leave, and the
// generation rises to Generation.
type Cut struct {
	FromSeq    int64
	Generation int64
}

// Write is everything that an owner commits at once for one conversation. The
// whole of it is written or nothing. NextSeq is the seq of the first event and
// must be the row's next one; without events it is not looked at.
type Write struct {
	Conversation   uuid.UUID
	OrganisationID int64
	Fence          Fence
	NextSeq        int64
	Events         []Event
	Chunks         []Chunk
	Messages       []Message // inserted; a streaming one has empty text
	MessageEnds    []MessageEnd
	Objects        []DisplayObject
	Annotations    []MessageAnnotation // merged into what is stored of their messages
	TurnStart      *Turn               // inserted, or with a higher Attempt updated
	TurnEnd        *TurnEnd
	Steps          []Step // upserted by (turn, number)
	Usage          []Usage
	Update         *ConversationUpdate
	Grants         []Grant // applied; raises the access version
	Cut            *Cut
	Delete         bool // tombstone and epoch in one
	UserEvents     []UserEventDraft
	// Snapshot, when not nil, replaces the stored one (an UPDATE, never an insert).
	Snapshot *Snapshot

	// Source, when not nil, has text that came after Submit and continues the one chunk: a
	// write that waits for its group need not be as old as its waiting. Continues says
	// what may follow. What was pulled is the chunk's More and belongs to the write,
	// whatever becomes of that.
	Source    TextSource
	Continues Continuation
}

// TextSource has text that continues a write. Next gives what stands there now, at most
// once for each write, and may be called from any goroutine; it must not block. Empty
// means that nothing fits.
type TextSource interface {
	Next(Continuation) string
}

// Continuation is the text that may follow the chunk of a write.
type Continuation struct {
	// Message is what the source calls the chunk's message.
	Message uuid.UUID
	// Room is the most bytes of it.
	Room int
	// Mark is that of the owner's last taking from the source. Once the owner has taken
	// more there is nothing left that would follow.
	Mark uint64
}

// PullText asks the source, once. A journal calls it when the write's group begins,
// before anything of it is sent.
func (w *Write) PullText() {
	if w.Source == nil {
		return
	}
	if text := w.Source.Next(w.Continues); text != "" {
		w.Chunks[len(w.Chunks)-1].More = text
	}
	w.Source = nil
}

// WriteResult tells how a write ended. Err has CodeFenced when another
// activation owns the row, CodeConflict for an id that exists already.
type WriteResult struct {
	Err        error
	UserEvents []UserEvent
}

// Snapshot is the owner's state at a seq. One that is missing, old, damaged or
// newer than its reader costs only time.
type Snapshot struct {
	Conversation  uuid.UUID
	Seq           int64
	Epoch         int64
	SchemaVersion int
	Checksum      uint32 // CRC-32C of Body
	Body          []byte
}

// Claim is what a new owner gets: its fence and the state to start from.
type Claim struct {
	Conversation   uuid.UUID
	OrganisationID int64
	Fence          Fence
	NextSeq        int64
	Generation     int64
	OwnerID        int64
	Name           string
	AccessVersion  int64
	DataSources    []int64
	Credits        float64   // spent so far
	Snapshot       *Snapshot // nil when there is none
	// Stopped is the last prompt when its turn was stopped and nothing has come
	// since; nil otherwise. A stop that is asked again answers it.
	Stopped *Message
	// Running is the turn without an end, nil when there is none; its steps and
	// the message being written with the text so far come along.
	Running *RunningTurn
}

// RunningTurn is what is stored of a turn that has no end yet.
type RunningTurn struct {
	Turn   Turn
	Steps  []Step
	Prompt Message
	// Open are the messages still streaming, with the text stored so far.
	Open []Message
	// Spoke says that some answer text of this turn is stored, Answered how many
	// bytes of it stand in messages that have ended.
	Spoke    bool
	Answered int64
	// Scheduled says that it is the run of a scheduled task: nobody waits to press Retry.
	Scheduled bool
}

// Journal commits the writes of all conversations of a node in groups.
// Submit never blocks; done is called once, from the journal's own goroutine,
// and must not block; from then on the write is the caller's again, and the journal
// neither reads nor keeps it. Writes of one conversation commit in the order of Submit.
type Journal interface {
	Submit(w *Write, done func(WriteResult))
}

// ConversationStore is what the owner of a conversation reads, and how it becomes the owner.
type ConversationStore interface {
	// Claim makes this activation the owner: the epoch rises and the old owner can
	// never write again. CodeNotFound when it is deleted or was never there.
	Claim(ctx context.Context, conversation, activation uuid.UUID, node string) (*Claim, error)
	// Events after a seq, oldest first, at most limit. Where the log does not reach
	// back that far the first one's seq is higher than after+1.
	Events(ctx context.Context, conversation uuid.UUID, after int64, limit int) ([]Event, error)
	// Deletion is the event by which a conversation was deleted, for a person who
	// could read it until then; nil for everybody else, for a conversation that is
	// not deleted, and once its rows are cleared.
	Deletion(ctx context.Context, conversation uuid.UUID, user int64) (*Event, error)
	// OpenText is the text stored so far of a message, from a byte offset on.
	OpenText(ctx context.Context, conversation, message uuid.UUID, offset int64) (string, error)
	// MessageByID finds a message anywhere in an organisation, for the idempotency of
	// sends; nil when there is none. Ids are unique in an organisation, and not beyond.
	MessageByID(ctx context.Context, organisation int64, id uuid.UUID) (*Message, error)
	// TurnAnalyst is the agent that a turn was given to; 0 when there is no such turn.
	TurnAnalyst(ctx context.Context, turn uuid.UUID) (int64, error)
	// PromptPlan is what a prompt that names a blueprint has the turn do. CodeInvalid
	// for a blueprint that the caller may not see, that is archived, or whose inputs
	// are neither given nor to be read from the text.
	PromptPlan(ctx context.Context, caller Caller, p *Prompt) (*PromptPlan, error)
	// Messages are those not cut, oldest first; limit > 0 gives the last ones only.
	Messages(ctx context.Context, conversation uuid.UUID, limit int) ([]Message, error)
	// MessagesBefore are the last ones of those not cut that stand before a seq, oldest
	// first, at most limit and without their objects.
	MessagesBefore(ctx context.Context, conversation uuid.UUID, before int64, limit int) ([]Message, error)
	// Access tells what a person may do with a conversation now, and the access version.
	Access(ctx context.Context, conversation uuid.UUID, user int64) (Permission, int64, error)
	// Stored is how far a conversation is in the store, and what a person may do with
	// it, in one look. One that is deleted or was never there gives no permission.
	Stored(ctx context.Context, conversation uuid.UUID, caller Caller) (*StoredConversation, error)
	// Underway is the turn of a conversation that runs, zero when none does, and as in
	// Claim the last prompt when its turn was stopped.
	Underway(ctx context.Context, conversation uuid.UUID) (turn uuid.UUID, stopped *Message, err error)
	// Home is the node that owns the conversation, empty when none does.
	Home(ctx context.Context, conversation uuid.UUID) (string, error)
	// NewestUserEvents are the last entries in the logs of everybody who may read the
	// conversation, of its owner, and of the people and teams whose right has changed:
	// by them a session notices what it has not heard of.
	NewestUserEvents(ctx context.Context, conversation uuid.UUID, changed []Grantee) ([]UserEvent, error)
	// Attendants names those of some people, listed by the conversation that they have
	// open, who belong to that conversation's organisation: UUID and FullName, in the
	// order of their ids. Others are left out, as are conversations that are not there.
	Attendants(ctx context.Context, open map[uuid.UUID][]uuid.UUID) (map[uuid.UUID][]Person, error)
	// Superseded lists those of some conversations that are not the named node's, with
	// the epoch of their last owner.
	Superseded(ctx context.Context, node string, conversations []uuid.UUID) ([]Superseded, error)
	// Orphans lists conversations with a running turn whose owner's lease has ended.
	Orphans(ctx context.Context, limit int) ([]uuid.UUID, error)
	// TeamChanges tells a node which of its conversations and sessions stand on
	// teams whose members have changed. since is the Next of the answer before;
	// empty tells those of the last minutes, which a node may have missed while it
	// began. A change may be told again, and none is missed.
	TeamChanges(ctx context.Context, node, since string) (*TeamChanges, error)
	// Release says that the owner has let go in good order (passivation).
	Release(ctx context.Context, conversation uuid.UUID, f Fence) error
}

// StoredConversation is how far a conversation is in the store. Its events go up to
// Head, and Open are the messages being written with the bytes that are stored of each.
type StoredConversation struct {
	Permission              Permission
	Epoch, Generation, Head int64
	Open                    []OpenMessage
}

// Superseded is a conversation that a node does not own, because another one has
// claimed it or because it was deleted.
type Superseded struct {
	Conversation uuid.UUID
	Epoch        int64
	Deleted      bool
}

// OpenMessage is a message being written.
type OpenMessage struct {
	Message uuid.UUID
	Length  int64
}

// TeamChanges are changes of teams as far as they concern one node.
type TeamChanges struct {
	Next    string
	Changes []TeamChange
}

// TeamChange names a conversation that a changed team reads, or a person who
// came into a team or left it; the other id is zero.
type TeamChange struct {
	ID           string // of the change; what is told again has the same
	Conversation uuid.UUID
	User         uuid.UUID
}

// SessionStore keeps where a person's session actor lives and the person's own log.
type SessionStore interface {
	// ClaimSession makes a node the home of a person's session and gives the head of the log.
	ClaimSession(ctx context.Context, user uuid.UUID, node string) (head, userID int64, err error)
	ReleaseSession(ctx context.Context, user uuid.UUID, node string) error
	// SessionHome is empty when nobody is connected.
	SessionHome(ctx context.Context, user uuid.UUID) (string, error)
	// UserEvents after a seq, oldest first. held is false where the log does not
	// reach back that far (the client must refetch).
	UserEvents(ctx context.Context, userID, after int64, limit int) (events []UserEvent, held bool, err error)
	// SessionHeads gives, of the persons named, those whose log has gone on or whose
	// home has changed since they were as told. Nobody's log is at -1.
	SessionHeads(ctx context.Context, known []SessionHead) ([]SessionHead, error)
}

// SessionHead is how far a person's log has come, and the node of the session: empty
// when nobody is connected. The node may live no more.
type SessionHead struct {
	User uuid.UUID
	Head int64
	Node string
}

// Member is one process of the cluster.
type Member struct {
	Node        string // "name@incarnation", unique for each start of a process
	Name        string // as configured; the same after a restart
	Incarnation uuid.UUID
	Address     string // host:port of its remote
	Load        float64
	ExpiresAt   time.Time
	// Left is what the lease still had when it was read, by the database's clock; less
	// than nothing where it has ended.
	Left time.Duration
}

// MemberStore is the membership table. All times are the database's.
type MemberStore interface {
	// Join adds the member with a lease and takes away earlier incarnations of its name.
	Join(ctx context.Context, m Member, lease time.Duration) error
	// Renew prolongs the lease, also one that has ended by this clock, which may have been
	// set; CodeFenced when the member was declared dead.
	Renew(ctx context.Context, node string, load float64, lease time.Duration) error
	Leave(ctx context.Context, node string) error
	// Bury declares a member dead. One that was renewed since it was read stays, and the
	// answer is false.
	Bury(ctx context.Context, m Member) (bool, error)
	// Members are all that were not declared dead; of some the lease may have ended.
	Members(ctx context.Context) ([]Member, error)
	// Authority returns the cluster's certificate authority (PEM), made by create at the first call of the first node.
	Authority(ctx context.Context, create func() (cert, key []byte, err error)) (cert, key []byte, err error)
}
