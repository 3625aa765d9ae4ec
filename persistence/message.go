package persistence

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Message implements domain.ConversationService.
func (s *Store) Message(ctx context.Context, caller domain.Caller, id uuid.UUID) (*domain.Message, error) {
	var (
		row     *dbsqlc.MessageShown
		objects []dbsqlc.DisplayObject
	)
	err := s.read(ctx, caller.OrganisationID, func(r *reading) {
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
func (s *Store) MessageReviewed(ctx context.Context, caller domain.Caller, id uuid.UUID) (*domain.Message, error) {
	var (
		row     *dbsqlc.MessageShown
		objects []dbsqlc.DisplayObject
	)
	if !mayReview(caller) {
		return nil, domain.NounMessage.Missing()
	}
	err := s.read(ctx, caller.OrganisationID, func(r *reading) {
		r.MessageReviewed(id, &row)
		r.ObjectsOf(&dbsqlc.ObjectsOfParams{Messages: []uuid.UUID{id}, OrgID: caller.OrganisationID}, &objects)
	})
	if err != nil {
		return nil, err
	}
	if row == nil || !domain.Role(row.Role).VisibleTo(caller) {
		return nil, domain.NounMessage.Missing()
	}
	return &messagesOf([]dbsqlc.MessageShown{*row}, objects)[0], nil
}

// DisplayObject implements domain.ConversationService.
func (s *Store) DisplayObject(ctx context.Context, caller domain.Caller, id uuid.UUID) (*domain.DisplayObject, error) {
	var row *dbsqlc.DisplayObject
	err := s.read(ctx, caller.OrganisationID, func(r *reading) {
		r.ObjectReadable(&dbsqlc.ObjectReadableParams{ID: id, UserID: caller.UserID}, &row)
	})
	if err == nil && row == nil && mayReview(caller) {
		// Who reviews feedback sees the charts and tables of the answer, too.
		err = s.read(ctx, caller.OrganisationID, func(r *reading) { r.ObjectReviewed(id, &row) })
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

// MessageByID implements domain.ConversationStore.
func (s *Store) MessageByID(ctx context.Context, organisation int64, id uuid.UUID) (*domain.Message, error) {
	var (
		row     *dbsqlc.MessageShown
		objects []dbsqlc.DisplayObject
	)
	err := s.look(ctx, func(r *reading) {
		r.MessageGet(&dbsqlc.MessageGetParams{ID: id, OrgID: organisation}, &row)
		r.ObjectsOf(&dbsqlc.ObjectsOfParams{Messages: []uuid.UUID{id}, OrgID: organisation}, &objects)
	})
	if err != nil || row == nil {
		return nil, err
	}
	return &messagesOf([]dbsqlc.MessageShown{*row}, objects)[0], nil
}

// TurnAnalyst implements domain.ConversationStore.
func (s *Store) TurnAnalyst(ctx context.Context, turn uuid.UUID) (int64, error) {
	var id *int64
	err := s.look(ctx, func(r *reading) { r.TurnAnalyst(turn, &id) })
	return value(id), err
}

// Messages implements domain.ConversationStore.
func (s *Store) Messages(ctx context.Context, conversation uuid.UUID, limit int) ([]domain.Message, error) {
	var (
		rows    []dbsqlc.MessageShown
		objects []dbsqlc.DisplayObject
	)
	err := s.look(ctx, func(r *reading) {
		if limit > 0 {
			r.MessageLast(&dbsqlc.MessageLastParams{ConversationID: conversation, Before: math.MaxInt64, Size: int64(limit)}, &rows)
		} else {
			r.MessageList(conversation, &rows)
		}
		r.ObjectList(conversation, &objects)
	})
	if err != nil {
		return nil, err
	}
	if limit > 0 {
		slices.Reverse(rows)
	}
	return messagesOf(rows, objects), nil
}

// MessagesBefore implements domain.ConversationStore.
func (s *Store) MessagesBefore(ctx context.Context, conversation uuid.UUID, before int64, limit int) ([]domain.Message, error) {
	var rows []dbsqlc.MessageShown
	err := s.look(ctx, func(r *reading) {
		r.MessageLast(&dbsqlc.MessageLastParams{ConversationID: conversation, Before: before, Size: int64(limit)}, &rows)
	})
	if err != nil {
		return nil, err
	}
	slices.Reverse(rows)
	return messagesOf(rows, nil), nil
}

// OpenText implements domain.ConversationStore. An offset beyond the text gives
// nothing, and one inside a character is moved to its beginning by nobody: the
// text from there on would be no text, so it gives CodeInvalid.
func (s *Store) OpenText(ctx context.Context, conversation, message uuid.UUID, offset int64) (string, error) {
	var text *string
	err := s.look(ctx, func(r *reading) {
		r.MessageOpenText(&dbsqlc.MessageOpenTextParams{ID: message, ConversationID: conversation}, &text)
	})
	if err != nil {
		return "", err
	}
	if text == nil {
		return "", domain.NounMessage.Missing()
	}
	switch {
	case offset >= int64(len(*text)):
		return "", nil
	case offset < 0 || (*text)[offset]&0xC0 == 0x80:
		return "", domain.Invalid("offset", "The offset is not the beginning of a character.")
	}
	return (*text)[offset:], nil
}

// messagesOf puts objects to their messages. Objects of messages that are not
// among the rows are left out.
func messagesOf(rows []dbsqlc.MessageShown, objects []dbsqlc.DisplayObject) []domain.Message {
	list := make([]domain.Message, len(rows))
	place := make(map[uuid.UUID]int, len(rows))
	for i := range rows {
		r := &rows[i]
		place[r.ID] = i
		list[i] = domain.Message{
			ID: r.ID, ConversationID: r.ConversationID, TurnID: r.TurnID.UUID, ParentID: r.ParentID.UUID, Seq: r.Seq, Generation: r.Generation,
			Role: domain.Role(r.Role), Text: r.Text, Status: domain.MessageStatus(r.Status), Reason: r.Reason, AnalystID: value(r.AnalystID),
			AnalystName: r.AnalystName, DataSources: r.DataSources, BlueprintID: r.BlueprintID, CreatedAt: utc(r.CreatedAt),
		}
		if json.Unmarshal(r.Annotation, &list[i].Annotation) != nil {
			// Without it the message is the same text.
			list[i].Annotation = domain.Annotation{}
		}
		if r.AuthorID != nil {
			list[i].Author = &domain.Person{ID: *r.AuthorID, UUID: r.AuthorUuid.UUID, FullName: value(r.AuthorName), Picture: value(r.AuthorPicture)}
		}
	}
	for i := range objects {
		if at, ok := place[objects[i].MessageID]; ok {
			list[at].DisplayObjects = append(list[at].DisplayObjects, objectOf(&objects[i]))
		}
	}
	return list
}

func objectOf(r *dbsqlc.DisplayObject) domain.DisplayObject {
	o := domain.DisplayObject{
		ID: r.ID, ConversationID: r.ConversationID, MessageID: r.MessageID, Name: r.Name, Type: domain.DisplayObjectType(r.Type),
		Language: r.Language, ContentType: r.ContentType, Size: r.Size, FileKey: r.FileKey, CreatedAt: utc(r.CreatedAt),
	}
	if json.Unmarshal(r.Columns, &o.Columns) != nil {
		// Without them numbers have no units, and are the same numbers.
		o.Columns = nil
	}
	return o
}
