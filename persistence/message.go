package persistence

// Single messages and display objects, for people who may read their conversation, and for
// superusers who review feedback. Both answers for an object that may not be seen are the same as
// for one that does not exist.

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Message implements domain.ConversationService.
func (s Conversations) Message(ctx context.Context, caller domain.Caller, id uuid.UUID) (*domain.Message, error) {
	var (
		row     *dbsqlc.MessageShown
		objects []dbsqlc.DisplayObject
	)
	// The right and the rows are in the same statements, so no second read is needed.
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.MessageReadable(&dbsqlc.MessageReadableParams{ID: id, UserID: caller.UserID}, &row)
		r.ObjectsReadable(&dbsqlc.ObjectsReadableParams{MessageID: id, UserID: caller.UserID}, &objects)
	})
	if err != nil {
		return nil, err
	}
	if row == nil || !domain.Role(row.Role).VisibleTo(caller) {
		return nil, domain.NounMessage.Missing()
	}
	return &messagesOf([]dbsqlc.MessageShown{*row}, objects)[0], nil
}

// MessageReviewed implements domain.ConversationService.
func (s Conversations) MessageReviewed(ctx context.Context, caller domain.Caller, id uuid.UUID) (*domain.Message, error) {
	var (
		row     *dbsqlc.MessageShown
		objects []dbsqlc.DisplayObject
	)
	// Without the right to review, the ordinary answer stays 404.
	if !mayReview(caller) {
		return nil, domain.NounMessage.Missing()
	}
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.MessageReviewed(id, &row)
		r.ObjectsOf(&dbsqlc.ObjectsOfParams{Messages: []uuid.UUID{id}, OrgID: caller.OrganisationID}, &objects)
	})
	if err != nil {
		return nil, err
	}
	// The query has no row for a conversation without feedback.
	if row == nil || !domain.Role(row.Role).VisibleTo(caller) {
		return nil, domain.NounMessage.Missing()
	}
	return &messagesOf([]dbsqlc.MessageShown{*row}, objects)[0], nil
}

// DisplayObject implements domain.ConversationService.
func (s Conversations) DisplayObject(ctx context.Context, caller domain.Caller, id uuid.UUID) (*domain.DisplayObject, error) {
	var row *dbsqlc.DisplayObject
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.ObjectReadable(&dbsqlc.ObjectReadableParams{ID: id, UserID: caller.UserID}, &row)
	})
	if err == nil && row == nil && mayReview(caller) {
		// A superuser who reviews feedback sees the charts and tables of the answer, too.
		err = s.asTenant(ctx, caller.OrganisationID, func(r *reading) { r.ObjectReviewed(id, &row) })
	}
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NotFound("Display object")
	}
	o := objectOf(row)
	return &o, nil
}

// messagesOf adds objects to their messages. Objects of messages that are not among the rows
// are left out.
func messagesOf(rows []dbsqlc.MessageShown, objects []dbsqlc.DisplayObject) []domain.Message {
	list := make([]domain.Message, len(rows))
	place := make(map[uuid.UUID]int, len(rows))
	for i := range rows {
		r := &rows[i]
		place[r.ID] = i
		list[i] = domain.Message{
			ID: r.ID, ConversationID: r.ConversationID, TurnID: r.TurnID.UUID, ParentID: r.ParentID.UUID, Seq: r.Seq, Generation: r.Generation,
			Role: domain.Role(r.Role), Text: r.Text, Status: domain.MessageStatus(r.Status), Reason: r.Reason, AnalystID: pointer.Value(r.AnalystID),
			AnalystName: r.AnalystName, DataSources: r.DataSources, BlueprintID: r.BlueprintID, CreatedAt: utc(r.CreatedAt),
		}
		if json.Unmarshal(r.Annotation, &list[i].Annotation) != nil {
			// The annotation cannot be decoded; the message's text is the same without it.
			list[i].Annotation = domain.Annotation{}
		}
		if r.AuthorID != nil {
			list[i].Author = &domain.Person{
				ID: *r.AuthorID, UUID: r.AuthorUuid.UUID, FullName: pointer.Value(r.AuthorName),
				Picture: pointer.Value(r.AuthorPicture),
			}
		}
	}
	for i := range objects {
		if at, ok := place[objects[i].MessageID]; ok {
			list[at].DisplayObjects = append(list[at].DisplayObjects, objectOf(&objects[i]))
		}
	}
	return list
}

// objectOf makes a display object of a row. Its bytes are in the file store, under the key.
func objectOf(r *dbsqlc.DisplayObject) domain.DisplayObject {
	o := domain.DisplayObject{
		ID: r.ID, ConversationID: r.ConversationID, MessageID: r.MessageID, Name: r.Name, Type: domain.DisplayObjectType(r.Type),
		Language: r.Language, ContentType: r.ContentType, Size: r.Size, FileKey: r.FileKey, CreatedAt: utc(r.CreatedAt),
	}
	if json.Unmarshal(r.Columns, &o.Columns) != nil {
		// The columns cannot be decoded; without them only the units of the numbers are missing.
		o.Columns = nil
	}
	return o
}
