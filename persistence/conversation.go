package persistence

// Conversations as people see them: lists, single ones, and who may see them. All reads of a call
// are in one snapshot, so the head of a log fits to what is shown (G8). What only the person has
// (archive, mark, unread) is in conversation_person.go.

import (
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Conversations read conversations for people and write what is not in the conversation's
// log. Messages and events are written by the conversation's owner, through the Journal.
type Conversations struct{ *core }

var _ domain.ConversationService = Conversations{}

const (
	// conversationPage is the size of a page where none was asked for.
	conversationPage = 50
	defaultSort      = "-updated_at"
)

// Conversation implements domain.ConversationService.
func (s Conversations) Conversation(ctx context.Context, caller domain.Caller, id uuid.UUID) (*domain.Conversation, error) {
	return s.conversation(ctx, caller, id, domain.ConversationView{})
}

// ConversationAccess implements domain.ConversationService.
// The query returns the rank of the caller, and no row for people who may not read.
func (s Conversations) ConversationAccess(ctx context.Context, caller domain.Caller, id uuid.UUID) (*domain.ConversationAccess, error) {
	var row *dbsqlc.ConversationAccessGetRow
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.ConversationAccessGet(&dbsqlc.ConversationAccessGetParams{
			Superuser: domain.RoleInternal.VisibleTo(caller), UserID: caller.UserID, ID: id,
		}, &row)
	})
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NotFound("Conversation")
	}
	return &domain.ConversationAccess{
		Permission: permissionOf(row.Rank), DataSources: row.DataSources, Head: row.Head, Generation: row.Generation, Last: row.Last,
	}, nil
}

// conversation reads everything that a person sees of a conversation in one round trip. Head,
// messages and texts are from one snapshot: a stream that continues at Head has no gap and no
// repeat.
func (s Conversations) conversation(
	ctx context.Context, caller domain.Caller, id uuid.UUID, view domain.ConversationView,
) (*domain.Conversation, error) {
	var (
		row      *dbsqlc.ConversationSeen
		messages []dbsqlc.MessageShown
		objects  []dbsqlc.DisplayObject
		feedback feedbackRows
	)
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.ConversationGet(&dbsqlc.ConversationGetParams{UserID: caller.UserID, ID: id}, &row)
		if view.Messages.Size > 0 && !view.AllVersions {
			queuePage(r, caller, id, view.Messages, &messages, &objects)
		} else {
			// All versions need the whole conversation, and so does a view without pages.
			r.MessageListReadable(&dbsqlc.MessageListReadableParams{ConversationID: id, UserID: caller.UserID}, &messages)
			r.ObjectListReadable(&dbsqlc.ObjectListReadableParams{ConversationID: id, UserID: caller.UserID}, &objects)
		}
		// Feedback is read in the same round trip, if the view asks for it.
		feedback.queue(r, caller, id, view.Feedback)
	})
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NotFound("Conversation")
	}
	c := conversationOf(row)
	if size := view.Messages.Size; size > 0 && !view.AllVersions {
		// A page is read from its end, because the newest messages are shown first.
		slices.Reverse(messages)
		if len(messages) > size {
			messages = messages[1:]
			c.Earlier = messages[0].Seq // of those that the reader does not see, too: each page is closer to the beginning
		}
	}
	// The right to internal messages is in addition to the right to the conversation.
	c.Messages = slices.DeleteFunc(messagesOf(messages, objects), func(m domain.Message) bool { return !m.Role.VisibleTo(caller) })
	c.Feedback = feedback.byMessage()
	return &c, nil
}

// queuePage queues a page of messages, newest first, with one more message that reports whether
// there are earlier ones.
func queuePage(
	r *reading, caller domain.Caller, id uuid.UUID, page domain.MessagePage, messages *[]dbsqlc.MessageShown, objects *[]dbsqlc.DisplayObject,
) {
	before, size := page.Before, int32(min(page.Size, math.MaxInt32-1)) //nolint:gosec // within the range, by min
	// Without a place the page is the last one.
	if before <= 0 {
		before = math.MaxInt64
	}
	r.MessagePageReadable(&dbsqlc.MessagePageReadableParams{
		ConversationID: id, Before: before, UserID: caller.UserID, Size: size + 1,
	}, messages)
	r.ObjectPageReadable(&dbsqlc.ObjectPageReadableParams{ConversationID: id, Before: before, Size: size, UserID: caller.UserID}, objects)
}

// Conversations implements domain.ConversationService.
func (s Conversations) Conversations(
	ctx context.Context, caller domain.Caller, f domain.ConversationFilter,
) (domain.List[domain.Conversation], error) {
	var (
		number *int64 // the total, for a list whose total is cheaper to count separately
		head   *int64
		p      = pageOf(f.Page, conversationPage)
		none   domain.List[domain.Conversation]
	)
	if err := validateFilter(&f); err != nil {
		return none, err
	}
	conditions, err := conditionsOf(f.Conditions)
	if err != nil {
		return none, err
	}
	pattern := patternOf(f.Search)
	rows, total, err := readPage(ctx, s.core, caller.OrganisationID, p, func(r *reading, w window, into *[]dbsqlc.ConversationSeen,
		total *int64,
	) {
		list := &dbsqlc.ConversationListParams{
			UserID: caller.UserID, Archived: f.Archived, Scope: f.Scope, Pattern: pattern, Conditions: conditions, Sort: f.Sort,
			Skip: w.skip, Size: w.size,
		}
		// Each kind of list has its own query; all return the same rows.
		switch {
		case len(f.ProjectLabels) > 0:
			r.ConversationOfProject(&dbsqlc.ConversationOfProjectParams{
				UserID: caller.UserID, Labels: f.ProjectLabels, Scope: f.Scope, Archived: f.Archived, Pattern: pattern, Conditions: conditions,
				Sort: f.Sort, Skip: w.skip, Size: w.size,
			}, into, total)
		case f.Archived || f.Scope == "favorite":
			r.ConversationMarked((*dbsqlc.ConversationMarkedParams)(list), into, total)
		// The list as it is nearly always asked for (queries/conversation.sql). It reads only as
		// many rows as the page reaches, so its total is a separate query.
		case pattern == "" && conditions == "" && f.Sort == defaultSort && f.Scope != "shared":
			r.ConversationRecent(&dbsqlc.ConversationRecentParams{UserID: caller.UserID, Scope: f.Scope, Skip: w.skip, Size: w.size}, into)
			r.ConversationRecentCount(&dbsqlc.ConversationRecentCountParams{UserID: caller.UserID, Scope: f.Scope}, &number)
		default:
			r.ConversationList(list, into, total)
		}
		// From the same snapshot: a change and its entry in the log are one commit.
		r.UserHead(caller.UserID, &head)
	})
	if err != nil {
		return none, err
	}
	if number != nil {
		total = int(*number)
	}
	return domain.List[domain.Conversation]{Results: conversationsOf(rows), Count: total, LogHead: pointer.Value(head)}, nil
}

// checkSort refuses an unknown order; empty is the list's default order.
func checkSort(sort string) error {
	switch sort {
	case "", defaultSort, "updated_at", "-created_at", "created_at", "-name", "name":
		return nil
	}
	return domain.Invalid("sort", "This list cannot be sorted like that.")
}

// validateFilter refuses unknown values.
func validateFilter(f *domain.ConversationFilter) error {
	if f.Sort == "" {
		f.Sort = defaultSort
	}
	if err := checkSort(f.Sort); err != nil {
		return err
	}
	var c domain.Checks
	// The text goes into the query as it is, so an unknown one must not reach it.
	switch f.Scope {
	case "", "favorite", "user", "shared":
	default:
		c.Require(false, "scope", "There is no such filter.")
	}
	return c.Err()
}

// Running implements domain.ConversationService.
func (s Conversations) Running(ctx context.Context, caller domain.Caller) ([]domain.Conversation, error) {
	var rows []dbsqlc.ConversationSeen
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		// The number of running turns of one person is small, so the list is a single page.
		r.ConversationRunning(&dbsqlc.ConversationRunningParams{UserID: caller.UserID, Size: domain.MaxPageSize}, &rows)
	})
	if err != nil {
		return nil, err
	}
	return conversationsOf(rows), nil
}

// Grants implements domain.ConversationService.
func (s Conversations) Grants(ctx context.Context, caller domain.Caller, id uuid.UUID) ([]domain.Grant, error) {
	var (
		row  *dbsqlc.ConversationPersonGetRow
		rows []dbsqlc.GrantShown
	)
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		// This row says whether the caller may read the conversation.
		r.ConversationPersonGet(&dbsqlc.ConversationPersonGetParams{UserID: caller.UserID, ID: id}, &row)
		r.ConversationGrants(&dbsqlc.ConversationGrantsParams{ID: id, UserID: caller.UserID}, &rows)
	})
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NotFound("Conversation")
	}
	return grantsOf(rows), nil
}

// conversationsOf converts the rows of a list.
func conversationsOf(rows []dbsqlc.ConversationSeen) []domain.Conversation {
	list := make([]domain.Conversation, len(rows))
	for i := range rows {
		list[i] = conversationOf(&rows[i])
	}
	return list
}

// conversationOf makes the conversation of a row, without messages.
func conversationOf(r *dbsqlc.ConversationSeen) domain.Conversation {
	c := &r.ConversationShown
	return domain.Conversation{
		ID: c.ID, OrganisationID: c.OrgID, Name: c.Name, Description: c.Description,
		Owner:      domain.Person{ID: c.OwnerID, UUID: c.OwnerUuid, FullName: c.OwnerName, Picture: c.OwnerPicture},
		Permission: permissionOf(r.Rank), Status: statusOf(r.IsArchived), IsFavorite: r.IsFavorite, Unread: int(r.Unread),
		IsStreaming: c.IsStreaming, Credits: c.Credits, DataSources: c.DataSources, ProjectLabels: c.ProjectLabels,
		// The head is the seq of the last event, and next_seq the one that the next event gets.
		CurrentStatusSummary: c.StatusSummary, Head: c.NextSeq - 1, Epoch: c.Epoch, Generation: c.Generation,
		CreatedAt: utc(c.CreatedAt), UpdatedAt: utc(c.UpdatedAt),
	}
}

// statusOf is the caller's own status of a conversation.
func statusOf(archived bool) domain.ConversationStatus {
	if archived {
		return domain.ConversationArchived
	}
	return domain.ConversationActive
}

// permissionOf converts the rank that the reader views return.
func permissionOf(rank int32) domain.Permission {
	switch rank {
	case 1:
		return domain.PermissionRead
	case 2:
		return domain.PermissionWrite
	case 3:
		return domain.PermissionOwner
	}
	return domain.PermissionNone
}
