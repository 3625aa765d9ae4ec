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

// Chunk is a piece of text of the message being written, at its byte offset. Pulled
// continues Text: it is the text that the journal has pulled (see Write.Source).
type Chunk struct {
	Message uuid.UUID
	Offset  int64
	Text    string
	Pulled  string
}

// Len returns the length of the whole text in bytes.
func (c *Chunk) Len() int { return len(c.Text) + len(c.Pulled) }

// Whole returns the whole text.
func (c *Chunk) Whole() string { return c.Text + c.Pulled }

// MessageEnd closes a message. Its whole text is stored in one place from then on.
type MessageEnd struct {
	Message uuid.UUID
	Status  MessageStatus
	// Text is the whole text, with that of the same write's chunks, which then need not be
	// stored separately. Nil means that the store joins its chunks.
	Text *string
}

// TurnEnd is the one end of a turn.
type TurnEnd struct {
	Turn   uuid.UUID
	Status TurnStatus
	Reason string
}

// MessageAnnotation adds an annotation to an existing message.
type MessageAnnotation struct {
	Message    uuid.UUID
	Annotation Annotation
}

// Cut is a rewind: messages whose Seq is at least FromSeq are cut, and the generation rises
// to Generation.
type Cut struct {
	FromSeq    int64
	Generation int64
}

// Write is everything that an owner commits at once for one conversation. Either all of it
// is written or nothing. NextSeq is the seq of the first event and must be the row's next
// seq; without events it is ignored.
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
	// Request is the request that makes this change, or uuid.Nil. The store remembers the latest ones of each
	// conversation (RequestsKept), so that a late try which reaches the next owner changes nothing.
	Request uuid.UUID

	// Source, when not nil, has text that arrived after Submit and continues the last chunk,
	// so that a write that waits for its group includes the text of the meantime. Continues
	// says which text may follow. The pulled text becomes the chunk's Pulled and belongs to
	// the write, whether the write succeeds or not.
	Source    TextSource
	Continues Continuation
}

// RequestsKept is how many requests the store remembers of a conversation. A try is late for as long as its
// owner's node stands still or is cut off, in which people make fewer changes.
const RequestsKept = 16

// WithRequest returns the latest requests of a conversation after one more, newest first.
func WithRequest(latest []uuid.UUID, request uuid.UUID) []uuid.UUID {
	return append([]uuid.UUID{request}, latest[:min(len(latest), RequestsKept-1)]...)
}

// TextSource has text that continues a write. Next returns the text that is available now.
// It is called at most once for each write, may be called from any goroutine, and must not
// block. An empty result means that no text may follow.
type TextSource interface {
	Next(Continuation) string
}

// Continuation is the text that may follow the chunk of a write.
type Continuation struct {
	// Message is the source's id of the chunk's message.
	Message uuid.UUID
	// Room is the maximum number of bytes.
	Room int
	// Mark is the source's mark when the owner last took text from it. Once the owner has
	// taken more, no text is left that would follow the chunk.
	Mark uint64
}

// PullText asks the source for text once. A journal calls it when the write's group begins,
// before any part of the group is sent.
func (w *Write) PullText() {
	if w.Source == nil {
		return
	}
	if text := w.Source.Next(w.Continues); text != "" {
		w.Chunks[len(w.Chunks)-1].Pulled = text
	}
	w.Source = nil
}

// WriteResult is the outcome of a write. Err has CodeFenced if another activation owns the
// row, and CodeConflict for an id that exists already.
type WriteResult struct {
	Err        error
	UserEvents []UserEvent
}

// Snapshot is the owner's state at a seq. A snapshot that is missing, old, damaged or newer
// than its reader costs only time.
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
	Credits        float64 // spent so far
	// Requests are the latest requests that have changed the conversation, newest first.
	Requests []uuid.UUID
	Snapshot *Snapshot // nil when there is none
	// OwnerLives is true if the earlier owner was on another node whose lease had not ended, but
	// which is silent: that owner was superseded, not lost.
	OwnerLives bool
	// Stopped is the last prompt if its turn was stopped and nothing has happened since;
	// nil otherwise. A repeated stop returns it.
	Stopped *Message
	// Running is the turn that has not ended, with its steps and the messages being written;
	// nil if there is none.
	Running *RunningTurn
}

// RunningTurn is what is stored of a turn that has not ended yet.
type RunningTurn struct {
	Turn   Turn
	Steps  []Step
	Prompt Message
	// Open are the messages still streaming, with the text stored so far.
	Open []Message
	// Spoke is true if some answer text of this turn is stored. Answered is how many bytes
	// of it are in messages that have ended.
	Spoke    bool
	Answered int64
	// Scheduled is true for the run of a scheduled task: there is no person to press Retry.
	Scheduled bool
}

// Journal commits the writes of all conversations of a node in groups.
// Submit never blocks. done is called once, from the journal's own goroutine, and must not
// block. From then on the write belongs to the caller again, and the journal neither reads
// nor keeps it. Writes of one conversation commit in the order of Submit.
type Journal interface {
	Submit(w *Write, done func(WriteResult))
}

// ConversationStore is what the owner of a conversation reads from, and how it becomes the
// owner.
type ConversationStore interface {
	// Claim makes this activation on a node the owner: the epoch rises and the old owner can never
	// write again. CodeFenced if another node owns the conversation and has a lease, unless it
	// is one of silent, the nodes that this one gets no answer from. CodeNotFound if the
	// conversation is deleted or never existed.
	Claim(ctx context.Context, conversation, activation uuid.UUID, node string, silent []string) (*Claim, error)
	// Events returns at most limit events after a seq, oldest first. If the log does not
	// reach back that far, the first event's seq is higher than after+1.
	Events(ctx context.Context, conversation uuid.UUID, after int64, limit int) ([]Event, error)
	// Deletion returns the event by which a conversation was deleted, for a person who
	// could read it until then; nil for everybody else, for a conversation that is not
	// deleted, and once its rows are cleared.
	Deletion(ctx context.Context, conversation uuid.UUID, user int64) (*Event, error)
	// OpenText returns the text of a message that is stored so far, from a byte offset on.
	OpenText(ctx context.Context, conversation, message uuid.UUID, offset int64) (string, error)
	// MessageByID finds a message anywhere in an organisation, for the idempotency of
	// sends; nil if there is none. Ids are unique only within an organisation.
	MessageByID(ctx context.Context, organisation int64, id uuid.UUID) (*Message, error)
	// TurnAnalyst returns the agent that a turn was given to; 0 if there is no such turn.
	TurnAnalyst(ctx context.Context, turn uuid.UUID) (int64, error)
	// PromptPlan returns what the turn of a prompt that names a blueprint must do.
	// CodeInvalid for a blueprint that the caller may not see, that is archived, or whose
	// inputs are neither given nor found in the text.
	PromptPlan(ctx context.Context, caller Caller, p *Prompt) (*PromptPlan, error)
	// Messages returns the messages that are not cut, oldest first; with limit > 0 only the
	// last ones.
	Messages(ctx context.Context, conversation uuid.UUID, limit int) ([]Message, error)
	// MessagesBefore returns the last messages before a seq that are not cut, oldest first,
	// at most limit and without their objects.
	MessagesBefore(ctx context.Context, conversation uuid.UUID, before int64, limit int) ([]Message, error)
	// Access returns what a person may do with a conversation now, and the access version.
	Access(ctx context.Context, conversation uuid.UUID, user int64) (Permission, int64, error)
	// Stored returns in one query how far a conversation is stored, and what a person may do
	// with it. For a conversation that is deleted or never existed, the permission is empty.
	Stored(ctx context.Context, conversation uuid.UUID, caller Caller) (*StoredConversation, error)
	// Underway returns the running turn of a conversation, zero if there is none, and, as in
	// Claim, the last prompt if its turn was stopped.
	Underway(ctx context.Context, conversation uuid.UUID) (turn uuid.UUID, stopped *Message, err error)
	// Home returns the node that owns the conversation, empty if none does.
	Home(ctx context.Context, conversation uuid.UUID) (string, error)
	// NewestUserEvents returns the last entries in the logs of everybody who may read the
	// conversation, of its owner, and of the people and teams whose right has changed. A
	// session compares them with what it has received, to notice missed entries.
	NewestUserEvents(ctx context.Context, conversation uuid.UUID, changed []Grantee) ([]UserEvent, error)
	// Attendants gets people listed by the conversation that they have open. It returns
	// UUID and FullName of the people who belong to that conversation's organisation, in
	// the order of their ids. Other people and unknown conversations are left out.
	Attendants(ctx context.Context, open map[uuid.UUID][]uuid.UUID) (map[uuid.UUID][]Person, error)
	// Superseded lists the given conversations that the named node does not own, with the
	// epoch of their last owner.
	Superseded(ctx context.Context, node string, conversations []uuid.UUID) ([]Superseded, error)
	// Orphans lists conversations with a running turn whose owner's lease has ended.
	Orphans(ctx context.Context, limit int) ([]uuid.UUID, error)
	// TeamChanges returns which of a node's conversations and sessions depend on teams
	// whose members have changed. since is the Next of the previous result. If it is empty,
	// the changes of the last minutes are returned, which a node may have missed while it
	// started. A change may be returned more than once, but none is missed.
	TeamChanges(ctx context.Context, node, since string) (*TeamChanges, error)
	// Release records that the owner has given up the conversation in an orderly way
	// (passivation).
	Release(ctx context.Context, conversation uuid.UUID, f Fence) error
}

// StoredConversation is how far a conversation is stored: its events up to Head, and in Open
// the messages being written, with the number of stored bytes of each.
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

// TeamChanges are the changes of teams that concern one node.
type TeamChanges struct {
	Next    string
	Changes []TeamChange
}

// TeamChange names a conversation that a changed team reads, or a person who joined or left
// a team; the other id is zero.
type TeamChange struct {
	ID           string // of the change; the same each time the change is returned
	Conversation uuid.UUID
	User         uuid.UUID
}

// SessionStore stores on which node a person's session actor runs, and the person's own log.
type SessionStore interface {
	// ClaimSession makes a node the home of a person's session and returns the head of the
	// log.
	ClaimSession(ctx context.Context, user uuid.UUID, node string) (head, userID int64, err error)
	ReleaseSession(ctx context.Context, user uuid.UUID, node string) error
	// SessionHome returns the home of a person's session; empty if the person is not
	// connected.
	SessionHome(ctx context.Context, user uuid.UUID) (string, error)
	// UserEvents returns the entries after a seq, oldest first. held is false if the log
	// does not reach back that far (the client must refetch).
	UserEvents(ctx context.Context, userID, after int64, limit int) (events []UserEvent, held bool, err error)
	// SessionHeads returns the heads that differ from the known ones: the log has new
	// entries, or the home has changed. No log has the head -1.
	SessionHeads(ctx context.Context, known []SessionHead) ([]SessionHead, error)
}

// SessionHead is the head of a person's log and the node of the session, which is empty if
// the person is not connected. The node may have ended already.
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
	// Load is what it carries, as it has last said; negative if it takes no new owners.
	Load      float64
	ExpiresAt time.Time
	// Left is how long the lease was still valid when it was read, by the database's clock;
	// negative if it had ended.
	Left time.Duration
	// DrainAsked says that an operator has asked this member to drain.
	DrainAsked bool
}

// MemberStore is the membership table. All times are the database's.
type MemberStore interface {
	// Join adds the member with a lease and removes earlier incarnations of its name.
	Join(ctx context.Context, m Member, lease time.Duration) error
	// Renew extends the lease, even if it has ended by the database's clock, because that
	// clock may have been set. CodeFenced if the member was declared dead.
	Renew(ctx context.Context, node string, load float64, lease time.Duration) error
	// Report stores what a member says about itself. It changes no lease, and nothing if the
	// member was declared dead.
	Report(ctx context.Context, node string, report *NodeReport) error
	Leave(ctx context.Context, node string) error
	// DeclareDead declares a member dead. If its lease was renewed since it was read, it stays
	// alive and the result is false.
	DeclareDead(ctx context.Context, m Member) (bool, error)
	// Members lists all members that were not declared dead. The lease of some may have
	// ended.
	Members(ctx context.Context) ([]Member, error)
	// Authority returns the cluster's certificate authority (PEM). It is made by create at
	// the first call of the first node.
	Authority(ctx context.Context, create func() (cert, key []byte, err error)) (cert, key []byte, err error)
}
