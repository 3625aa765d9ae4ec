package domain

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// The limits and defaults of conversations.
const (
	// ConversationNameOnCreate is the length in characters to which the name of a new
	// conversation is cut, after a whole word.
	ConversationNameOnCreate = 30
	// ConversationNameMax is the maximum length of a name in characters.
	ConversationNameMax = 100
	// ConversationDescriptionMax is the maximum length of a description in characters.
	ConversationDescriptionMax = 5000
	// DefaultConversationName is the name until a person or the first prompt sets another.
	DefaultConversationName = "New Conversation"
	// PromptMax is the maximum size of a prompt in bytes.
	PromptMax = 64 << 10
	// PromptSourcesMax is the maximum number of connectors that one prompt names.
	PromptSourcesMax = 100
	// FollowedMax is the maximum number of conversations that one stream follows.
	FollowedMax = 200
	// ConversationRefsMax is the maximum number of its connectors, and of its projects.
	ConversationRefsMax = 100
)

// ConversationStatus is per person: archiving hides a conversation for oneself.
type ConversationStatus string

// The statuses of a conversation in its reader's lists.
const (
	ConversationActive   ConversationStatus = "active"
	ConversationArchived ConversationStatus = "archived"
)

// Conversation is a thread of turns over data sources. Only the owner renames, deletes,
// rewinds, stops, sends and changes access; people with read permission see all of it, live,
// and may archive it and mark it as a favourite for themselves.
type Conversation struct {
	ID             uuid.UUID
	OrganisationID int64
	Name           string
	Description    string
	Owner          Person
	// Permission is the caller's.
	Permission Permission
	// Status, IsFavorite and Unread are the caller's own.
	Status     ConversationStatus
	IsFavorite bool
	Unread     int
	// IsStreaming is true while a turn runs.
	IsStreaming          bool
	Credits              float64
	DataSources          []int64
	ProjectLabels        []int64
	CurrentStatusSummary string
	// Head is the seq of the last event of the log, Generation counts its rewinds.
	Head       int64
	Epoch      int64
	Generation int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
	// Messages are set only if a single conversation was requested.
	Messages []Message
	// Earlier is the MessagePage.Before for requesting the messages before these; zero if
	// there are none.
	Earlier int64
	// Feedback is the feedback on its messages, by their ids, as far as the view of a single
	// conversation asked for it.
	Feedback map[uuid.UUID][]Feedback
}

// Relation returns what the rights rules need to know. Permission must be the caller's.
func (c *Conversation) Relation(by Caller) Relation {
	return Relation{Found: c.OrganisationID == by.OrganisationID, Permission: c.Permission}
}

// Person holds the fields of a user that others see.
type Person struct {
	ID       int64
	UUID     uuid.UUID
	FullName string
	Picture  string
}

// NewConversation is the input for creating a conversation.
type NewConversation struct {
	Name        string
	Description string
	DataSources []int64
	// ProjectLabels are projects of the organisation.
	ProjectLabels []int64
	// Key makes a repeated request return the first result; empty means none.
	Key IdempotencyKey
}

// Limits returns the limits of the fields: the name is cut.
func (n *NewConversation) Limits() []Limit {
	return append(conversationRefs(&n.DataSources, &n.ProjectLabels), cutAt("name", ConversationNameOnCreate))
}

// conversationRefs returns the limits of the lists of a conversation.
func conversationRefs(dataSources, projectLabels *[]int64) []Limit {
	return []Limit{
		entries("dataSources", count(dataSources), ConversationRefsMax, "Please select at most {entries} connectors"),
		entries("projectLabels", count(projectLabels), ConversationRefsMax, "Please select at most {entries} projects"),
	}
}

// ConversationName shortens a text to the name of a new conversation.
func ConversationName(text string) string { return ShortenAtWord(text, ConversationNameOnCreate) }

// ConversationNameOfPrompt returns the name that the first prompt gives to a conversation: its first
// line with text, shortened.
func ConversationNameOfPrompt(prompt string) string {
	line := strings.TrimLeft(prompt, " \t\r\n")
	if end := strings.IndexAny(line, "\r\n"); end >= 0 {
		line = line[:end]
	}
	return ConversationName(line)
}

// Complete sets the values that are stored: a name, cut after a whole word, and each
// reference only once. It returns CodeInvalid for invalid fields.
func (n *NewConversation) Complete() error {
	if Blank(n.Name) {
		n.Name = DefaultConversationName
	}
	n.Name = ConversationName(n.Name)
	n.DataSources = slices.Compact(slices.Sorted(slices.Values(n.DataSources)))
	n.ProjectLabels = slices.Compact(slices.Sorted(slices.Values(n.ProjectLabels)))
	update := ConversationUpdate{
		Name: &n.Name, Description: &n.Description, DataSources: &n.DataSources, ProjectLabels: &n.ProjectLabels,
	}
	return update.Validate()
}

// ConversationUpdate changes the fields that are not nil.
type ConversationUpdate struct {
	Name          *string
	Description   *string
	DataSources   *[]int64
	ProjectLabels *[]int64
}

// Limits returns the limits of the fields.
func (u *ConversationUpdate) Limits() []Limit {
	name, description := cutAt("name", ConversationNameMax), cutAt("description", ConversationDescriptionMax)
	if u.Name != nil {
		name = name.unless(!Blank(*u.Name) && Storable(*u.Name), "Please enter a name").
			unless(short(*u.Name, name.Most), "Please enter a name of at most {characters} characters")
	}
	if u.Description != nil {
		description = description.unless(Storable(*u.Description) && short(*u.Description, description.Most), "Please enter a valid description")
	}
	return append(conversationRefs(u.DataSources, u.ProjectLabels), name, description)
}

// Validate checks the fields that are given, with the specification's texts.
func (u *ConversationUpdate) Validate() error {
	var c Checks
	c.Within(u.Limits()...)
	return c.Err()
}

// ConversationFilter narrows the list. Zero means all that the caller may see and has not archived.
type ConversationFilter struct {
	// Scope is "", "favorite", "user" (owned by the caller) or "shared".
	Scope    string
	Archived bool
	// ProjectLabels narrows to the conversations in one of these projects; empty means all.
	ProjectLabels []int64
	// Search matches name and description, ignoring case; empty matches all.
	Search string
	// Conditions are over ConversationFields.
	Conditions Filters
	// Sort is a column of {updated_at, created_at, name}, descending when it starts with "-".
	Sort string
	Page Page
}

// ConversationFields are the fields by which the list can be filtered.
func ConversationFields() FilterFields {
	return FilterFields{
		"name": FilterText, "description": FilterText, "isFavorite": FilterBoolean, "owner": FilterNumber, "credits": FilterNumber,
		"dataSources": FilterIDs, "projectLabels": FilterIDs, "createdAt": FilterTime, "updatedAt": FilterTime,
	}
}

// ConversationView says which parts of a single conversation are read. Zero is the usual view.
type ConversationView struct {
	// Feedback says whose feedback is included. With FeedbackAll a superuser may also read a
	// conversation that is not shared with them if it has feedback: giving feedback shows
	// the conversation to the organisation's superusers.
	Feedback FeedbackScope
	// AllVersions adds, only for the owner, the messages that rewinds have cut.
	AllVersions bool
	// Messages is the part of the messages that is included. With AllVersions, and for a
	// conversation that is not shared with the caller, all messages are included.
	Messages MessagePage
}

// MessagePage is a part of a conversation's messages, counted from its end. Zero is all of them.
type MessagePage struct {
	// Size is the maximum number of messages, including those that the reader may not see.
	Size int
	// Before selects the messages before this seq; zero means the end.
	Before int64
}

// Nested holds the names of objects that conversations refer to by id, as far as the caller
// may see them.
type Nested struct {
	DataSources   map[int64]NestedName
	ProjectLabels map[int64]NestedName
}

// NestedName holds the fields of an object that a list shows. Kind is the type of a data
// source, or the colour of a project label.
type NestedName struct {
	ID         int64
	Name, Kind string
}

// ConversationAccess is what a person may do with a conversation, and its present state
// without its messages.
type ConversationAccess struct {
	Permission  Permission
	DataSources []int64
	// Head is the seq of its last event.
	Head, Generation int64
	// Last is the last message that the person sees; zero for none.
	Last uuid.UUID
}

// ConversationService reads conversations and stores what is per person or has no order in
// the log. Everything else changes only through ConversationEngine.
type ConversationService interface {
	// ConversationAccess returns what the caller may do with a conversation that they may
	// read. Its cost does not depend on the length of the conversation. CodeNotFound.
	ConversationAccess(ctx context.Context, caller Caller, id uuid.UUID) (*ConversationAccess, error)
	// Conversation with its messages (not cut by a rewind), oldest first. CodeNotFound.
	Conversation(ctx context.Context, caller Caller, id uuid.UUID) (*Conversation, error)
	// ConversationAs is Conversation in another view.
	ConversationAs(ctx context.Context, caller Caller, id uuid.UUID, view ConversationView) (*Conversation, error)
	// CopyConversation creates a copy, owned by the caller, of a conversation that they may
	// read: name, description, project labels, messages that have ended and their objects.
	// Rights, feedback and usage are not copied, nor are data sources that the caller may
	// not use. CodeNotFound.
	CopyConversation(ctx context.Context, caller Caller, id uuid.UUID, key IdempotencyKey) (*Conversation, error)
	Conversations(ctx context.Context, caller Caller, f ConversationFilter) (List[Conversation], error)
	// Nested names the data sources and project labels of a list of conversations.
	Nested(ctx context.Context, caller Caller, list []Conversation) (*Nested, error)
	// Running lists the caller's conversations in which a turn runs.
	Running(ctx context.Context, caller Caller) ([]Conversation, error)
	// SearchMessages finds words in what was asked and answered in the caller's conversations, the last changed first, at
	// most FoundMessagesMax. A search without a word finds nothing.
	SearchMessages(ctx context.Context, caller Caller, search string) ([]FoundMessage, error)
	// CreateConversation makes the row, its first event and the user event in one
	// transaction. CodeInvalid for a data source that the caller may not use;
	// the same key with another body is CodeInvalid (422).
	CreateConversation(ctx context.Context, caller Caller, n NewConversation) (*Conversation, error)
	// WasOwn reports whether a deleted conversation belonged to the caller.
	WasOwn(ctx context.Context, caller Caller, id uuid.UUID) (bool, error)
	// SetStatus archives or unarchives for the caller alone.
	SetStatus(ctx context.Context, caller Caller, id uuid.UUID, s ConversationStatus) error
	SetFavorite(ctx context.Context, caller Caller, id uuid.UUID, on bool) error
	// MarkRead sets the caller's unread count to zero.
	MarkRead(ctx context.Context, caller Caller, id uuid.UUID) error
	// Grants lists who may see it, the owner first.
	Grants(ctx context.Context, caller Caller, id uuid.UUID) ([]Grant, error)
	// Message by id, where the caller may read its conversation. CodeNotFound.
	Message(ctx context.Context, caller Caller, id uuid.UUID) (*Message, error)
	// MessageReviewed is Message for a superuser who reviews the feedback on a conversation
	// that is not shared with them. CodeNotFound if there is no feedback.
	MessageReviewed(ctx context.Context, caller Caller, id uuid.UUID) (*Message, error)
	// DisplayObject by id, where the caller may read its conversation. CodeNotFound.
	DisplayObject(ctx context.Context, caller Caller, id uuid.UUID) (*DisplayObject, error)
}

// ConversationEngine is the interface to the actors. Every call has the caller, and the
// conversation's actor itself checks the right.
type ConversationEngine interface {
	// Send appends the prompt and starts a turn. A repeated call with the same
	// Prompt.Message returns the first result and appends nothing. CodeNotFound, CodeForbidden,
	// CodeConflict (stale parent; a turn runs already), CodeInvalid (same id, other
	// body), CodeTooMany.
	Send(ctx context.Context, caller Caller, p Prompt) (*SendResult, error)
	// Stop ends the running turn; it is not an error if none is running.
	Stop(ctx context.Context, caller Caller, conversation uuid.UUID) (*StopResult, error)
	// Rewind cuts the messages from the given one on. CodeNotFound for a message not of it.
	Rewind(ctx context.Context, caller Caller, conversation, message uuid.UUID) (*RewindResult, error)
	Change(ctx context.Context, caller Caller, conversation uuid.UUID, u ConversationUpdate) error
	Delete(ctx context.Context, caller Caller, conversation uuid.UUID) error
	// SetGrants applies the entries (PermissionRemove takes one away).
	SetGrants(ctx context.Context, caller Caller, conversation uuid.UUID, grants []Grant) error
	// Wake activates a conversation whose stored turn waits to be started. It is only a
	// hint: if it is lost, the sweeper finds the turn within a second or two.
	Wake(ctx context.Context, conversation uuid.UUID)
	// Announce notifies the sessions of user events that a service has committed.
	Announce(events []UserEvent)
}

// IdempotencyKey is sent by a client so that a creation or a change happens only once. It is
// stored for 24 hours. Body is a hash of the request, so that another body is refused.
type IdempotencyKey struct {
	Key  string
	Body [32]byte
}
