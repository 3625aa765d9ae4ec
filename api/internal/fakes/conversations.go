package fakes

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Conversations is the service of conversations. What writes is noted and done nowhere.
// What reads answers with the conversations of World.AddConversation, to Owner and to Reader.
type Conversations struct{ *World }

// Conversation implements domain.ConversationService.
func (s Conversations) Conversation(_ context.Context, caller domain.Caller, id uuid.UUID) (*domain.Conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("Conversation"); err != nil {
		return nil, err
	}
	return s.seen(caller, id)
}

// ConversationAccess implements domain.ConversationService.
func (s Conversations) ConversationAccess(_ context.Context, caller domain.Caller, id uuid.UUID) (*domain.ConversationAccess, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("ConversationAccess"); err != nil {
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

// ConversationAs implements domain.ConversationService.
func (s Conversations) ConversationAs(ctx context.Context, caller domain.Caller, id uuid.UUID, view domain.ConversationView) (*domain.Conversation, error) {
	c, err := s.Conversation(ctx, caller, id)
	if size := view.Messages.Size; err == nil && size > 0 {
		c.Messages = slices.DeleteFunc(slices.Clone(c.Messages), func(m domain.Message) bool { return view.Messages.Before > 0 && m.Seq >= view.Messages.Before })
		if len(c.Messages) > size {
			c.Messages = c.Messages[len(c.Messages)-size:]
			c.Earlier = c.Messages[0].Seq
		}
	}
	if err == nil && view.AllVersions {
		c.Messages = append(slices.Clone(c.Messages), domain.Message{
			ID: uuid.Must(uuid.NewV7()), ConversationID: id, Role: domain.RoleUser, Text: "Cut", Status: domain.MessageComplete, CutGeneration: 2,
		})
	}
	if err == nil && view.Feedback != domain.FeedbackNone {
		c.Feedback, err = Feedback(s).FeedbackOf(ctx, caller, id, view.Feedback)
	}
	return c, err
}

// Nested implements domain.ConversationService.
func (s Conversations) Nested(context.Context, domain.Caller, []domain.Conversation) (*domain.Nested, error) {
	return &domain.Nested{}, nil
}

// Conversations implements domain.ConversationService.
func (s Conversations) Conversations(_ context.Context, caller domain.Caller, f domain.ConversationFilter) (domain.List[domain.Conversation], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("Conversations", f); err != nil {
		return domain.List[domain.Conversation]{}, err
	}
	list := cut(s.visible(caller), f.Page)
	list.LogHead = LogHead
	return list, nil
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

// Running implements domain.ConversationService.
func (s Conversations) Running(_ context.Context, caller domain.Caller) ([]domain.Conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("Running"); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(s.visible(caller), func(c domain.Conversation) bool { return !c.IsStreaming }), nil
}

// MadeConversation is the conversation that CreateConversation and CopyConversation
// answer with. It is the caller's, and nothing keeps it.
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

// ConversationCopy is what CopyConversation was asked.
type ConversationCopy struct {
	ID  uuid.UUID
	Key domain.IdempotencyKey
}

// CopyConversation implements domain.ConversationService.
func (s Conversations) CopyConversation(_ context.Context, caller domain.Caller, id uuid.UUID, key domain.IdempotencyKey) (*domain.Conversation, error) {
	return s.made(caller), s.note("CopyConversation", ConversationCopy{id, key})
}

// WasOwn implements domain.ConversationService. Here what is deleted is forgotten.
func (s Conversations) WasOwn(context.Context, domain.Caller, uuid.UUID) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return false, s.called("WasOwn")
}

// StatusOf is what SetStatus was asked.
type StatusOf struct {
	ID     uuid.UUID
	Status domain.ConversationStatus
}

// SetStatus implements domain.ConversationService.
func (s Conversations) SetStatus(_ context.Context, _ domain.Caller, id uuid.UUID, status domain.ConversationStatus) error {
	return s.note("SetStatus", StatusOf{id, status})
}

// FavoriteOf is what SetFavorite was asked.
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
	if err := s.called("Grants"); err != nil {
		return nil, err
	}
	c, err := s.seen(caller, id)
	if err != nil {
		return nil, err
	}
	grants := []domain.Grant{{Grantee: domain.Grantee{ID: c.Owner.ID, Type: domain.GranteeUser, Name: c.Owner.FullName}, Permission: domain.PermissionOwner}}
	for user := range s.readers[id] {
		grants = append(grants, domain.Grant{Grantee: domain.Grantee{ID: user, Type: domain.GranteeUser}, Permission: domain.PermissionRead})
	}
	return grants, nil
}

// MessageReviewed implements domain.ConversationService.
func (s Conversations) MessageReviewed(_ context.Context, caller domain.Caller, id uuid.UUID) (*domain.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ok := s.messages[id]
	if !ok || !caller.IsSuperuser {
		return nil, domain.NotFound("Message")
	}
	out := *m
	return &out, nil
}

// Message implements domain.ConversationService.
func (s Conversations) Message(_ context.Context, caller domain.Caller, id uuid.UUID) (*domain.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("Message"); err != nil {
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

// DisplayObject implements domain.ConversationService.
func (s Conversations) DisplayObject(_ context.Context, caller domain.Caller, id uuid.UUID) (*domain.DisplayObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("DisplayObject"); err != nil {
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
