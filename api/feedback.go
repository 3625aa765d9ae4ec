package api

// The calls on feedback and on its comments. Feedback belongs to one answer and one person. Who
// sees it is decided by the service, because that depends on the conversation of the answer, on its
// owner and on who gave the feedback (docs/rights.md, feedback).

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// feedbackID is the input of a call that needs only the id of a feedback.
type feedbackID struct {
	ID int64 `path:"id"`
}

// listFeedbacks is the input of the list of feedback.
type listFeedbacks struct {
	PageOf10
	SplitBySentiment bool   `query:"splitBySentiment" doc:"Also returns the number of feedbacks per sentiment in the whole list. The parameter sentiment does not change these numbers."`
	Scope            string `query:"scope" enum:"all,executive" default:"all" doc:"executive: only feedback on summaries."`
	Sentiment        int64  `query:"sentiment" minimum:"0" doc:"The id of a sentiment. 0 means any."`
	Label            int64  `query:"label" minimum:"0" doc:"The id of a label. 0 means any."`
	Search           string `query:"search" maxLength:"200" doc:"Matches comments, names of the authors of feedback, and names of conversations."`
}

// giveFeedback is the input of a new feedback on a message. The whole input is hashed for the key.
type giveFeedback struct {
	IdempotencyKey string    `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	ID             uuid.UUID `path:"id" format:"uuid"`
	Body           wire.FeedbackRequest
}

// addComment is the input of a new comment. The body names the feedback, not the path.
type addComment struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	Body           wire.CommentRequest
}

// feedbackRoutes registers the calls on feedback.
func (s *Server) feedbackRoutes(a huma.API) {
	tags := []string{"feedback"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/sentiments", Tags: tags, Summary: "The sentiments of feedback, with their labels",
	}, needs(domain.BeMember), func(ctx context.Context, _ *none) (*body[wire.Page[protocol.Sentiment]], error) {
		list, err := s.Feedback.Sentiments(ctx)
		if err != nil {
			return nil, err
		}
		return answer(wire.Whole(list, wire.NewSentiment)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/discourse/messages/{id}/feedbacks", Tags: tags,
		Summary:     "Give feedback on an answer",
		Description: "Once per person and message; 409 for a second feedback. The conversation's owner and superusers can see it.",
	}, needs(domain.GiveFeedback), func(ctx context.Context, in *giveFeedback) (*body[protocol.Feedback], error) {
		// The message's id is part of the hash: a key is valid for one message only.
		key, err := idempotency(in.IdempotencyKey, in)
		if err != nil {
			return nil, err
		}
		// A second feedback by the same person is CodeConflict. The same request with its key again
		// is not: it answers the first result.
		f, err := s.Feedback.GiveFeedback(ctx, callerOf(ctx), domain.NewFeedback{
			Message: in.ID, Labels: in.Body.Label, Comments: in.Body.Texts(), Key: key,
		})
		if err != nil {
			return nil, err
		}
		return answer(wire.NewFeedback(f)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/feedbacks", Tags: tags,
		Summary:     "Feedback, newest first",
		Description: "The caller's own feedback, and feedback in the caller's conversations. Superusers get all feedback of the organization.",
	}, needs(domain.BeMember), func(ctx context.Context, in *listFeedbacks) (*body[wire.FeedbackPage], error) {
		// The counts are for the list before it is filtered by sentiment, so that a person can
		// choose another one.
		page := in.page()
		list, counts, err := s.Feedback.Feedbacks(ctx, callerOf(ctx), domain.FeedbackFilter{
			Executive: in.Scope == "executive", Sentiment: in.Sentiment, Label: in.Label, Search: in.Search, Page: page,
		})
		if err != nil {
			return nil, err
		}
		out := wire.FeedbackPage{Page: wire.NewPage(list, page, requestOf(ctx).url, wire.NewFeedback)}
		if in.SplitBySentiment {
			out.BySentiment = wire.NewSentimentCounts(counts)
		}
		return answer(out), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/feedbacks/{id}", Tags: tags, Summary: "Get a feedback with its comments",
	}, needs(domain.SeeFeedback), func(ctx context.Context, in *feedbackID) (*body[protocol.Feedback], error) {
		f, err := s.Feedback.Feedback(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewFeedback(f)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/messages/{id}/comments", Tags: tags,
		Summary: "The comments of the feedback on an answer, oldest first",
	}, needs(domain.SeeMessage), func(ctx context.Context, in *messageID) (*body[wire.Page[protocol.Comment]], error) {
		list, err := s.Feedback.Comments(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return answer(wire.Whole(list, wire.NewComment)), nil
	})

	register(a, s.log, huma.Operation{
		// The right depends on the feedback that the body names, so only the service checks it.
		Method: http.MethodPost, Path: "/discourse/comments", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Add a comment to a feedback",
	}, needs(domain.CommentFeedback).by("feedback"), func(ctx context.Context, in *addComment) (*body[protocol.Comment], error) {
		key, err := idempotency(in.IdempotencyKey, in.Body)
		if err != nil {
			return nil, err
		}
		c, err := s.Feedback.AddComment(ctx, callerOf(ctx), domain.NewComment{Feedback: in.Body.Feedback, Text: in.Body.Text, Key: key})
		if err != nil {
			return nil, err
		}
		return answer(wire.NewComment(c)), nil
	})
}
