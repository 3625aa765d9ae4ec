package fakes

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Feedback is the service of feedback. It answers every caller with one feedback, which
// belongs to the caller, whatever feedback is given, and with one sentiment.
type Feedback struct{ *World }

// FeedbackID is the only feedback, on a message that no conversation has.
const (
	FeedbackID      = 7
	feedbackMessage = "01920000-0000-7000-8000-0000000000fb"
)

func (s Feedback) one(caller domain.Caller) *domain.Feedback {
	f := &domain.Feedback{
		ID: FeedbackID, User: domain.Person{ID: caller.UserID, UUID: caller.UserUUID, FullName: caller.FullName},
		MessageID:    uuid.MustParse(feedbackMessage),
		Conversation: domain.FeedbackConversation{ID: uuid.MustParse(feedbackMessage), Name: "Sales"},
		Sentiment:    domain.Sentiment{ID: 1, Name: "Like"}, CreatedAt: s.now,
	}
	f.Comments = []domain.Comment{{ID: 1, FeedbackID: f.ID, Text: "Thank you", User: f.User, CreatedAt: s.now}}
	return f
}

// Sentiments implements domain.FeedbackService.
func (s Feedback) Sentiments(context.Context) ([]domain.Sentiment, error) {
	return []domain.Sentiment{{ID: 1, Name: "Like", Labels: []domain.SentimentLabel{{ID: 1, Name: "Helpful", IsDefault: true}}}},
		s.note("Sentiments", nil)
}

// GiveFeedback implements domain.FeedbackService.
func (s Feedback) GiveFeedback(_ context.Context, caller domain.Caller, n domain.NewFeedback) (*domain.Feedback, error) {
	return s.one(caller), s.note("GiveFeedback", n)
}

// Feedbacks implements domain.FeedbackService.
func (s Feedback) Feedbacks(
	_ context.Context, caller domain.Caller, f domain.FeedbackFilter,
) (domain.List[domain.Feedback], []domain.SentimentCount, error) {
	list := domain.List[domain.Feedback]{Results: []domain.Feedback{*s.one(caller)}, Count: 1}
	return list, []domain.SentimentCount{{ID: 1, Name: "Like", Count: 4}}, s.note("Feedbacks", f)
}

// Feedback implements domain.FeedbackService.
func (s Feedback) Feedback(_ context.Context, caller domain.Caller, id int64) (*domain.Feedback, error) {
	return s.one(caller), s.note("Feedback", id)
}

// AddComment implements domain.FeedbackService.
func (s Feedback) AddComment(_ context.Context, caller domain.Caller, n domain.NewComment) (*domain.Comment, error) {
	return &s.one(caller).Comments[0], s.note("AddComment", n)
}

// Comments implements domain.FeedbackService.
func (s Feedback) Comments(_ context.Context, caller domain.Caller, message uuid.UUID) ([]domain.Comment, error) {
	return s.one(caller).Comments, s.note("Comments", message)
}

// FeedbackFor has the arguments of a call of FeedbackOf.
type FeedbackFor struct {
	Conversation uuid.UUID
	Scope        domain.FeedbackScope
}

// FeedbackOf implements domain.FeedbackService. The feedback is on the last message.
func (s Feedback) FeedbackOf(
	_ context.Context, caller domain.Caller, conversation uuid.UUID, scope domain.FeedbackScope,
) (map[uuid.UUID][]domain.Feedback, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	by := map[uuid.UUID][]domain.Feedback{}
	if c := s.conversations[conversation]; c != nil && len(c.Messages) > 0 {
		f := s.one(caller)
		f.MessageID = c.Messages[len(c.Messages)-1].ID
		by[f.MessageID] = []domain.Feedback{*f}
	}
	return by, s.noted("FeedbackOf", FeedbackFor{conversation, scope})
}
