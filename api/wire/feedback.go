package wire

import (
	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// FeedbackRequest is a person's feedback on an answer.
type FeedbackRequest struct {
	_       struct{}          `additionalProperties:"true"`
	Label   []int64           `json:"label,omitempty" doc:"Ids of labels, all of one sentiment. A comment without a label counts as a question."`
	Comment []FeedbackComment `json:"comment,omitempty" doc:"At most {entries} comments."`
}

// TransformSchema implements huma.SchemaTransformer.
func (FeedbackRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.NewFeedback).Limits())
}

// FeedbackComment is a remark that is sent with feedback.
type FeedbackComment struct {
	_    struct{} `additionalProperties:"true"`
	Text string   `json:"text,omitempty" doc:"At most {characters} characters. Leading white space is removed."`
}

// TransformSchema implements huma.SchemaTransformer.
func (FeedbackComment) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.NewComment).Limits())
}

// Texts returns the texts of the comments.
func (r *FeedbackRequest) Texts() []string {
	texts := make([]string, len(r.Comment))
	for i := range r.Comment {
		texts[i] = r.Comment[i].Text
	}
	return texts
}

// CommentRequest is another remark on a feedback.
type CommentRequest struct {
	_        struct{} `additionalProperties:"true"`
	Feedback int64    `json:"feedback,omitempty" doc:"The id of the feedback. Required."`
	Text     string   `json:"text,omitempty" doc:"At most {characters} characters. Leading white space is removed."`
}

// TransformSchema implements huma.SchemaTransformer.
func (CommentRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.NewComment).Limits())
}

// FeedbackPage is a list of feedback; if it is split by sentiment it also says how many
// entries of the whole list have each sentiment.
type FeedbackPage struct {
	Page[protocol.Feedback]
	BySentiment []SentimentCount `json:"bySentiment,omitempty" doc:"Only with split_by_sentiment."`
}

// SentimentCount is the number of feedbacks with a sentiment.
type SentimentCount struct {
	ID    int64  `json:"id" doc:"The id."`
	Name  string `json:"name" doc:"The name."`
	Count int    `json:"count" doc:"The number of feedbacks."`
}

// NewSentimentCounts converts the counts.
func NewSentimentCounts(counts []domain.SentimentCount) []SentimentCount {
	out := make([]SentimentCount, len(counts))
	for i, c := range counts {
		out[i] = SentimentCount{ID: c.ID, Name: c.Name, Count: c.Count}
	}
	return out
}

// NewSentiment converts a sentiment with its labels.
func NewSentiment(s *domain.Sentiment) protocol.Sentiment {
	out := protocol.Sentiment{ID: s.ID, Name: s.Name, LabelSet: make([]protocol.SentimentLabel, len(s.Labels))}
	for i, l := range s.Labels {
		out.LabelSet[i] = protocol.SentimentLabel{ID: l.ID, Name: l.Name, IsDefault: l.IsDefault}
	}
	return out
}

// NewFeedback converts a feedback.
func NewFeedback(f *domain.Feedback) protocol.Feedback {
	out := protocol.Feedback{
		ID: f.ID, User: NewPerson(&f.User), Message: f.MessageID, Sentiment: []protocol.Sentiment{NewSentiment(&f.Sentiment)},
		Conversation: protocol.FeedbackConversation{ID: f.Conversation.ID, Name: f.Conversation.Name, Description: f.Conversation.Description},
		CommentSet:   make([]protocol.Comment, len(f.Comments)), CreatedAt: protocol.Time(f.CreatedAt),
	}
	for i := range f.Comments {
		out.CommentSet[i] = NewComment(&f.Comments[i])
	}
	return out
}

// NewComment converts a comment.
func NewComment(c *domain.Comment) protocol.Comment {
	return protocol.Comment{ID: c.ID, Feedback: c.FeedbackID, Text: c.Text, User: NewPerson(&c.User), CreatedAt: protocol.Time(c.CreatedAt)}
}
