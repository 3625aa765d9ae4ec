package fakes

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Conversations is the service of conversations. Calls that write are only recorded. Calls
// that read answer with the conversations of World.AddConversation, to Owner and to Reader.
type Conversations struct{ *World }

// Conversation implements domain.ConversationService.
func (s Conversations) Conversation(_ context.Context, caller domain.Caller, id uuid.UUID) (*domain.Conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("Conversation", id); err != nil {
		return nil, err
	}
	return s.seen(caller, id)
}

// ConversationAccess implements domain.ConversationService.
func (s Conversations) ConversationAccess(_ context.Context, caller domain.Caller, id uuid.UUID) (*domain.ConversationAccess, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("ConversationAccess", id); err != nil {
		return nil, err
	}
	c, err := s.seen(caller, id)
	if err != nil {
		return nil, err
	}
	a := &domain.ConversationAccess{Permission: c.Permission, DataSources: c.DataSources, Head: c.Head, Generation: c.Generation}
	if n := len(c.Messages); n > 0 {
		a.Last = c.Messages[n-1].ID
	}
	return a, nil
}

// ConversationAsked has the arguments of a call of ConversationAs.
type ConversationAsked struct {
	ID   uuid.UUID
	View domain.ConversationView
}

// ConversationAs implements domain.ConversationService. Whatever the view, it answers with
// the conversation as World.ChangeConversation left it.
func (s Conversations) ConversationAs(
	_ context.Context, caller domain.Caller, id uuid.UUID, view domain.ConversationView,
) (*domain.Conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("ConversationAs", ConversationAsked{id, view}); err != nil {
		return nil, err
	}
	return s.seen(caller, id)
}

// Nested implements domain.ConversationService.
func (s Conversations) Nested(context.Context, domain.Caller, []domain.Conversation) (*domain.Nested, error) {
	return &domain.Nested{}, nil
}

// Conversations implements domain.ConversationService.
func (s Conversations) Conversations(
	_ context.Context, caller domain.Caller, f domain.ConversationFilter,
) (domain.List[domain.Conversation], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("Conversations", f); err != nil {
		return domain.List[domain.Conversation]{}, err
	}
	all := s.visible(caller)
	from := min(f.Page.Offset(), len(all))
	to := min(from+f.Page.Size, len(all))
	return domain.List[domain.Conversation]{Results: all[from:to], Count: len(all), LogHead: LogHead}, nil
}

func (s Conversations) visible(caller domain.Caller) []domain.Conversation {
	var all []domain.Conversation
	for id := range s.conversations {
		if c, err := s.seen(caller, id); err == nil {
			c.Messages = nil
			all = append(all, *c)
		}
	}
	slices.SortFunc(all, func(a, b domain.Conversation) int { return slices.Compare(b.ID[:], a.ID[:]) })
	return all
}

// Running implements domain.ConversationService. It answers with all conversations that the
// caller sees.
func (s Conversations) Running(_ context.Context, caller domain.Caller) ([]domain.Conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("Running"); err != nil {
		return nil, err
	}
	return s.visible(caller), nil
}

// SearchMessages implements domain.ConversationService. It answers with the first message of each conversation that the caller
// sees.
func (s Conversations) SearchMessages(_ context.Context, caller domain.Caller, search string) ([]domain.FoundMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("SearchMessages", search); err != nil {
		return nil, err
	}
	var found []domain.FoundMessage
	for id := range s.conversations {
		if c, err := s.seen(caller, id); err == nil && len(c.Messages) > 0 {
			m := &c.Messages[0]
			found = append(found, domain.FoundMessage{
				ConversationID: id, ConversationName: c.Name, MessageID: m.ID, Role: m.Role, Excerpt: m.Text, CreatedAt: m.CreatedAt,
			})
		}
	}
	return found, nil
}

// MadeConversation is the conversation that CreateConversation and CopyConversation answer
// with. It belongs to the caller, and is not stored.
const MadeConversation = "01920000-0000-7000-8000-0000000000ee"

func (s Conversations) made(caller domain.Caller) *domain.Conversation {
	return &domain.Conversation{
		ID: uuid.MustParse(MadeConversation), OrganisationID: caller.OrganisationID, Name: "Made", Permission: domain.PermissionOwner,
		Owner:  domain.Person{ID: caller.UserID, UUID: caller.UserUUID, FullName: caller.FullName},
		Status: domain.ConversationActive, Head: 1, CreatedAt: s.now, UpdatedAt: s.now,
	}
}

// CreateConversation implements domain.ConversationService.
func (s Conversations) CreateConversation(_ context.Context, caller domain.Caller, n domain.NewConversation) (*domain.Conversation, error) {
	return s.made(caller), s.note("CreateConversation", n)
}

// ConversationCopy has the arguments of a call of CopyConversation.
type ConversationCopy struct {
	ID  uuid.UUID
	Key domain.IdempotencyKey
}

// CopyConversation implements domain.ConversationService.
func (s Conversations) CopyConversation(
	_ context.Context, caller domain.Caller, id uuid.UUID, key domain.IdempotencyKey,
) (*domain.Conversation, error) {
	return s.made(caller), s.note("CopyConversation", ConversationCopy{id, key})
}

// WasOwn implements domain.ConversationService. Deleted conversations are not remembered
// here.
func (s Conversations) WasOwn(context.Context, domain.Caller, uuid.UUID) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return false, s.called("WasOwn")
}

// StatusOf has the arguments of a call of SetStatus.
type StatusOf struct {
	ID     uuid.UUID
	Status domain.ConversationStatus
}

// SetStatus implements domain.ConversationService.
func (s Conversations) SetStatus(_ context.Context, _ domain.Caller, id uuid.UUID, status domain.ConversationStatus) error {
	return s.note("SetStatus", StatusOf{id, status})
}

// FavoriteOf has the arguments of a call of SetFavorite.
type FavoriteOf struct {
	ID uuid.UUID
	On bool
}

// SetFavorite implements domain.ConversationService.
func (s Conversations) SetFavorite(_ context.Context, _ domain.Caller, id uuid.UUID, on bool) error {
	return s.note("SetFavorite", FavoriteOf{id, on})
}

// MarkRead implements domain.ConversationService.
func (s Conversations) MarkRead(_ context.Context, _ domain.Caller, id uuid.UUID) error {
	return s.note("MarkRead", id)
}

// Grants implements domain.ConversationService.
func (s Conversations) Grants(_ context.Context, caller domain.Caller, id uuid.UUID) ([]domain.Grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("Grants", id); err != nil {
		return nil, err
	}
	if _, err := s.seen(caller, id); err != nil {
		return nil, err
	}
	grant := func(u *domain.User, p domain.Permission) domain.Grant {
		return domain.Grant{Grantee: domain.Grantee{ID: u.ID, Type: domain.GranteeUser, Name: u.FullName}, Permission: p}
	}
	return []domain.Grant{grant(&s.Owner, domain.PermissionOwner), grant(&s.Reader, domain.PermissionRead)}, nil
}

// Message implements domain.ConversationService.
func (s Conversations) Message(_ context.Context, caller domain.Caller, id uuid.UUID) (*domain.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("Message", id); err != nil {
		return nil, err
	}
	m, ok := s.messages[id]
	if !ok {
		return nil, domain.NotFound("Message")
	}
	if _, err := s.seen(caller, m.ConversationID); err != nil {
		return nil, domain.NotFound("Message")
	}
	out := *m
	return &out, nil
}

// MessageReviewed implements domain.ConversationService. It answers Root with any message.
func (s Conversations) MessageReviewed(_ context.Context, caller domain.Caller, id uuid.UUID) (*domain.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("MessageReviewed", id); err != nil {
		return nil, err
	}
	m, ok := s.messages[id]
	if !ok || caller.UserID != s.Root.ID {
		return nil, domain.NotFound("Message")
	}
	out := *m
	return &out, nil
}

// DisplayObject implements domain.ConversationService.
func (s Conversations) DisplayObject(_ context.Context, caller domain.Caller, id uuid.UUID) (*domain.DisplayObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("DisplayObject", id); err != nil {
		return nil, err
	}
	o, ok := s.objects[id]
	if !ok {
		return nil, domain.NotFound("Display object")
	}
	if _, err := s.seen(caller, o.ConversationID); err != nil {
		return nil, domain.NotFound("Display object")
	}
	out := *o
	return &out, nil
}
