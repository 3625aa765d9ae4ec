package persistence

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
	if n.Feedback != 0 || invalid == nil {
		// A person who may not see the feedback learns nothing about errors in the body.
		if err := s.ask(ctx, caller, domain.CommentFeedback, domain.Key{Number: n.Feedback}); err != nil {
			return nil, err
		}
	}
	if invalid != nil {
		return nil, invalid
	}
	id, err := s.createInt64(ctx, caller, kindComment, n.Key, func(tx pgx.Tx) (id int64, err error) {
		if err := s.q.FeedbackCommentLock(ctx, tx, n.Feedback); err != nil {
			return 0, err
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
		r.FeedbackCommentsOfMessage(&dbsqlc.FeedbackCommentsOfMessageParams{
			MessageID: message, UserID: caller.UserID, IsSuperuser: caller.IsSuperuser,
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

func commentOf(r *dbsqlc.CommentShown) domain.Comment {
	return domain.Comment{
		ID: r.ID, FeedbackID: r.FeedbackID, Text: r.Text, CreatedAt: utc(r.CreatedAt),
		User: domain.Person{ID: r.UserID, UUID: r.UserUuid, FullName: r.UserName, Picture: r.UserPicture},
	}
}
