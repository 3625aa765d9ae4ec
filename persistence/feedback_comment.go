package persistence

// Comments on feedback. Who sees a feedback sees its comments and may add one (docs/rights.md,
// feedback).

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// AddComment implements domain.FeedbackService.
func (s Feedback) AddComment(ctx context.Context, caller domain.Caller, n domain.NewComment) (*domain.Comment, error) {
	invalid := n.Validate()
	// Without the id of a feedback there is nothing to ask the right to, and the missing field is
	// the error.
	if n.Feedback == 0 && invalid != nil {
		return nil, invalid
	}
	id, err := s.createInt64(ctx, caller, kindComment, n.Key, func(tx pgx.Tx) (id int64, err error) {
		// The lock keeps two comments that are added at once from passing the limit together.
		if err := s.q.FeedbackCommentLock(ctx, tx, n.Feedback); err != nil {
			return 0, err
		}
		// A person who may not see the feedback learns nothing about errors in the body.
		if err := s.authorize(ctx, tx, caller, domain.CommentFeedback, domain.Key{Number: n.Feedback}); err != nil {
			return 0, err
		}
		if invalid != nil {
			return 0, invalid
		}
		number, err := s.q.FeedbackCommentNumber(ctx, tx, n.Feedback)
		if err != nil {
			return 0, err
		}
		limit := domain.Limit{Most: domain.FeedbackCommentsMax, Unit: domain.Entries}
		if number >= int64(limit.Most) {
			return 0, domain.Invalid("feedback", limit.In("A feedback can have at most {entries} comments"))
		}
		return s.q.FeedbackCommentInsert(ctx, tx, &dbsqlc.FeedbackCommentInsertParams{
			OrgID: caller.OrganisationID, FeedbackID: n.Feedback, UserID: caller.UserID, Text: n.Text,
		})
	})
	if err != nil {
		return nil, err
	}
	var row *dbsqlc.CommentShown
	// It is read as the list would show it, with the person's name.
	if err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { r.FeedbackCommentGet(id, &row) }); err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NotFound("Comment")
	}
	c := commentOf(row)
	return &c, nil
}

// Comments implements domain.FeedbackService.
func (s Feedback) Comments(ctx context.Context, caller domain.Caller, message uuid.UUID) ([]domain.Comment, error) {
	var (
		target *dbsqlc.FeedbackTargetRow
		rows   []dbsqlc.CommentShown
	)
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.FeedbackTarget(&dbsqlc.FeedbackTargetParams{MessageID: message, UserID: caller.UserID}, &target)
		// The comments are filtered by the feedback that the caller may see.
		r.FeedbackCommentsOfMessage(&dbsqlc.FeedbackCommentsOfMessageParams{
			MessageID: message, UserID: caller.UserID, IsSuperuser: domain.SeeFeedback.MayOnOthers(caller),
		}, &rows)
	})
	if err != nil {
		return nil, err
	}
	// A superuser sees the comments on a conversation of another person, if there are any.
	if len(rows) == 0 && (target == nil || !domain.Role(target.Role).VisibleTo(caller)) {
		return nil, domain.NotFound("Message")
	}
	list := make([]domain.Comment, len(rows))
	for i := range rows {
		list[i] = commentOf(&rows[i])
	}
	return list, nil
}

// commentOf makes a comment of a row.
func commentOf(r *dbsqlc.CommentShown) domain.Comment {
	return domain.Comment{
		ID: r.ID, FeedbackID: r.FeedbackID, Text: r.Text, CreatedAt: utc(r.CreatedAt),
		User: domain.Person{ID: r.UserID, UUID: r.UserUuid, FullName: r.UserName, Picture: r.UserPicture},
	}
}
