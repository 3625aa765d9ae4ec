package fakes

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Feedback is the service of feedback: it knows one sentiment and keeps what is given.
type Feedback struct{ *World }

// Sentiments implements domain.FeedbackService.
func (s Feedback) Sentiments(context.Context) ([]domain.Sentiment, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return []domain.Sentiment{{ID: 1, Name: "Like", Labels: []domain.SentimentLabel{{ID: 1, Name: "Helpful", IsDefault: true}}}}, s.called("Sentiments")
}

// GiveFeedback implements domain.FeedbackService.
func (s Feedback) GiveFeedback(_ context.Context, caller domain.Caller, n domain.NewFeedback) (*domain.Feedback, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("GiveFeedback"); err != nil {
		return nil, err
	}
	if err := n.Validate(); err != nil {
		return nil, err
	}
	m, ok := s.messages[n.Message]
	if !ok {
		return nil, domain.NotFound("Message")
	}
	if _, err := s.seen(caller, m.ConversationID); err != nil {
		return nil, domain.NotFound("Message")
	}
	f := domain.Feedback{
		ID: int64(len(s.feedback) + 1), User: domain.Person{ID: caller.UserID, FullName: caller.FullName}, MessageID: n.Message,
		Conversation: domain.FeedbackConversation{ID: m.ConversationID}, Sentiment: domain.Sentiment{ID: 1, Name: "Like"}, CreatedAt: s.now,
	}
	for i, text := range n.Comments {
		f.Comments = append(f.Comments, domain.Comment{ID: int64(i + 1), FeedbackID: f.ID, Text: text, User: f.User, CreatedAt: s.now})
	}
	s.feedback = append(s.feedback, f)
	return &f, nil
}

// Feedbacks implements domain.FeedbackService.
func (s Feedback) Feedbacks(_ context.Context, caller domain.Caller, filter domain.FeedbackFilter) (domain.List[domain.Feedback], []domain.SentimentCount, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var own []domain.Feedback
	for _, f := range s.feedback {
		if f.User.ID == caller.UserID {
			own = append(own, f)
		}
	}
	call := "Feedbacks"
	if filter.Executive {
		call += " executive"
	}
	for _, given := range []struct {
		name string
		is   bool
	}{{"sentiment", filter.Sentiment != 0}, {"label", filter.Label != 0}, {"search", filter.Search != ""}} {
		if given.is {
			call += " " + given.name
		}
	}
	return cut(own, filter.Page), []domain.SentimentCount{{ID: 1, Name: "Like", Count: len(own)}}, s.called(call)
}

// Feedback implements domain.FeedbackService.
func (s Feedback) Feedback(_ context.Context, caller domain.Caller, id int64) (*domain.Feedback, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("Feedback"); err != nil {
		return nil, err
	}
	for _, f := range s.feedback {
		if f.ID == id && f.User.ID == caller.UserID {
			return &f, nil
		}
	}
	return nil, domain.NotFound("Feedback")
}

// AddComment implements domain.FeedbackService.
func (s Feedback) AddComment(ctx context.Context, caller domain.Caller, n domain.NewComment) (*domain.Comment, error) {
	if err := n.Validate(); err != nil {
		return nil, err
	}
	f, err := s.Feedback(ctx, caller, n.Feedback)
	if err != nil {
		return nil, err
	}
	return &domain.Comment{ID: 1, FeedbackID: f.ID, Text: n.Text, User: f.User, CreatedAt: f.CreatedAt}, nil
}

// Comments implements domain.FeedbackService.
func (s Feedback) Comments(_ context.Context, caller domain.Caller, message uuid.UUID) ([]domain.Comment, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("Comments"); err != nil {
		return nil, err
	}
	m, ok := s.messages[message]
	if !ok {
		return nil, domain.NotFound("Message")
	}
	if _, err := s.seen(caller, m.ConversationID); err != nil {
		return nil, domain.NotFound("Message")
	}
	return []domain.Comment{}, nil
}

// FeedbackOf implements domain.FeedbackService.
func (s Feedback) FeedbackOf(_ context.Context, caller domain.Caller, conversation uuid.UUID, scope domain.FeedbackScope) (map[uuid.UUID][]domain.Feedback, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	by := map[uuid.UUID][]domain.Feedback{}
	for _, f := range s.feedback {
		if f.Conversation.ID == conversation && (scope == domain.FeedbackAll || f.User.ID == caller.UserID) {
			by[f.MessageID] = append(by[f.MessageID], f)
		}
	}
	return by, s.called("FeedbackOf " + string(scope))
}
