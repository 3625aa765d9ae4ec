package persistence

// Feedback, which is seen by the owner of its conversation, by its author while they can read the
// conversation, and by superusers (domain.SeeFeedback). The function feedback_rank says so for all
// queries, which use different indexes: the lists those by author and by owner, the others the key or
// the index by organization. A view of readers, as other kinds have, would be looked up for each row
// of the organization, which makes a search slower.

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Feedback keeps people's feedback on answers, and the comments on it.
type Feedback struct{ *core }

var _ domain.FeedbackService = Feedback{}

// feedbackPage is the size of a page where none was asked for.
const feedbackPage = 10

// Sentiments implements domain.FeedbackService. They are the product's own words,
// so any organisation, even none, may read them.
func (s Feedback) Sentiments(ctx context.Context) ([]domain.Sentiment, error) {
	var rows []dbsqlc.SentimentListRow
	if err := s.asEngine(ctx, func(r *reading) { r.SentimentList(&rows) }); err != nil {
		return nil, err
	}
	return sentimentsOf(rows), nil
}

// sentimentsOf groups the rows, which are sorted by sentiment, so that each one has its labels.
func sentimentsOf(rows []dbsqlc.SentimentListRow) []domain.Sentiment {
	// The rows of a sentiment follow each other.
	var list []domain.Sentiment
	for _, r := range rows {
		if n := len(list); n == 0 || list[n-1].ID != r.ID {
			list = append(list, domain.Sentiment{ID: r.ID, Name: r.Name})
		}
		last := &list[len(list)-1]
		last.Labels = append(last.Labels, domain.SentimentLabel{ID: r.LabelID, Name: r.Label, IsDefault: r.IsDefault})
	}
	return list
}

// GiveFeedback implements domain.FeedbackService.
func (s Feedback) GiveFeedback(ctx context.Context, caller domain.Caller, n domain.NewFeedback) (*domain.Feedback, error) {
	// The words do not change while a node runs, so they are read before the transaction.
	sentiments, err := s.Sentiments(ctx)
	if err != nil {
		return nil, err
	}
	sentiment, labels, wrong := chosen(sentiments, n.Labels)
	// The error of a field counts more than that of the labels.
	if invalid := n.Validate(); invalid != nil {
		wrong = invalid
	}
	// Only one feedback per person and message: the table has a key for it, and insertFeedback
	// makes CodeConflict of it.
	id, err := s.createInt64(ctx, caller, kindFeedback, n.Key, func(tx pgx.Tx) (id int64, err error) {
		// A person who may not read the message learns only that it does not exist.
		if err := s.authorize(ctx, tx, caller, domain.GiveFeedback, domain.Key{ID: n.Message}); err != nil {
			return 0, err
		}
		if wrong != nil {
			return 0, wrong
		}
		return s.insertFeedback(ctx, tx, caller, &n, sentiment, labels)
	})
	if err != nil {
		return nil, err
	}
	return s.Feedback(ctx, caller, id)
}

// chosen finds the one sentiment of the labels. A comment without a label is a question.
func chosen(sentiments []domain.Sentiment, wanted []int64) (sentiment int64, labels []int64, err error) {
	labels = slices.Compact(slices.Sorted(slices.Values(wanted)))
	found := 0
	for i := range sentiments {
		// The label decides the sentiment, so all labels must be of one.
		for _, l := range sentiments[i].Labels {
			if slices.Contains(labels, l.ID) {
				if sentiment != 0 && sentiment != sentiments[i].ID {
					return 0, nil, domain.Invalid("label", "Please select options of one sentiment")
				}
				sentiment = sentiments[i].ID
				found++
			}
		}
	}
	if found != len(labels) {
		return 0, nil, domain.Invalid("label", "There is no such option")
	}
	// The last sentiment is the question, and it has one label.
	if sentiment == 0 {
		question := &sentiments[len(sentiments)-1]
		return question.ID, []int64{question.Labels[0].ID}, nil
	}
	return sentiment, labels, nil
}

// insertFeedback inserts feedback and its comments. It returns CodeNotFound for a message that the
// caller may not see.
func (s Feedback) insertFeedback(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, n *domain.NewFeedback, sentiment int64, labels []int64,
) (int64, error) {
	// The conversation and its owner are stored with the feedback, because lists are found by them.
	target, err := s.q.FeedbackTarget(ctx, tx, &dbsqlc.FeedbackTargetParams{MessageID: n.Message, UserID: caller.UserID})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, domain.NounMessage.Missing()
	}
	if err != nil {
		return 0, err
	}
	if role := domain.Role(target.Role); role == domain.RoleUser || role == domain.RoleUserProxy {
		return 0, domain.Invalid("message", "Feedback is for answers")
	}
	id, err := s.q.FeedbackInsert(ctx, tx, &dbsqlc.FeedbackInsertParams{
		OrgID: caller.OrganisationID, UserID: caller.UserID, ConversationID: target.ConversationID, OwnerID: target.OwnerID,
		MessageID: n.Message, SentimentID: sentiment, Labels: labels,
	})
	// ON CONFLICT DO NOTHING returns no row.
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, domain.Errorf(domain.CodeConflict, "You have given feedback on this message already")
	}
	if err != nil {
		return 0, err
	}
	for _, text := range n.Comments {
		_, err := s.q.FeedbackCommentInsert(ctx, tx, &dbsqlc.FeedbackCommentInsertParams{
			OrgID: caller.OrganisationID, FeedbackID: id, UserID: caller.UserID, Text: text,
		})
		if err != nil {
			return 0, err
		}
	}
	return id, nil
}

// Feedback implements domain.FeedbackService.
func (s Feedback) Feedback(ctx context.Context, caller domain.Caller, id int64) (*domain.Feedback, error) {
	var row *dbsqlc.FeedbackShown
	var rows feedbackRows
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		// The query returns the feedback only to people who may see it (docs/rights.md, feedback).
		r.FeedbackGet(&dbsqlc.FeedbackGetParams{ID: id, UserID: caller.UserID, IsSuperuser: domain.SeeFeedback.MayOnOthers(caller)}, &row)
		r.SentimentList(&rows.words)
	})
	if err != nil {
		return nil, err
	}
	rows.feedback = listOf(row)
	list, err := s.withComments(ctx, caller, &rows)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, domain.NotFound("Feedback")
	}
	return &list[0], nil
}

// Feedbacks implements domain.FeedbackService.
func (s Feedback) Feedbacks(
	ctx context.Context, caller domain.Caller, f domain.FeedbackFilter,
) (domain.List[domain.Feedback], []domain.SentimentCount, error) {
	var (
		none    domain.List[domain.Feedback]
		counts  []dbsqlc.SentimentCount
		names   []dbsqlc.SentimentListRow
		p       = pageOf(f.Page, feedbackPage)
		pattern = patternOf(f.Search)
		all     = domain.SeeFeedback.MayOnOthers(caller)
	)
	// A list without a filter has its own queries, because they read less (queries/feedback.sql).
	list, err := s.feedbacks(ctx, caller, func(r *reading, into *[]dbsqlc.FeedbackShown) {
		switch {
		case f.Narrows():
			r.FeedbackFind(&dbsqlc.FeedbackFindParams{
				OrgID: caller.OrganisationID, UserID: caller.UserID, IsSuperuser: all,
				Executive: f.Executive, Sentiment: f.Sentiment, Label: f.Label, Pattern: pattern, Skip: p.skip, Size: p.size,
			}, into)
			// The sentiment is not a condition of the counts: they are for the list before it is
			// filtered by it.
			r.FeedbackFindCount(&dbsqlc.FeedbackFindCountParams{
				OrgID: caller.OrganisationID, UserID: caller.UserID, IsSuperuser: all,
				Executive: f.Executive, Label: f.Label, Pattern: pattern,
			}, &counts)
		case all:
			r.FeedbackListAll(&dbsqlc.FeedbackListAllParams{OrgID: caller.OrganisationID, Skip: p.skip, Size: p.size}, into)
			r.FeedbackCountAll(caller.OrganisationID, &counts)
		default:
			r.FeedbackList(&dbsqlc.FeedbackListParams{UserID: caller.UserID, Size: p.size, Skip: p.skip}, into)
			r.FeedbackCount(caller.UserID, &counts)
		}
		r.SentimentList(&names)
	})
	if err != nil {
		return none, nil, err
	}
	found := domain.List[domain.Feedback]{Results: list}
	var split []domain.SentimentCount
	// Sentiments without feedback are counted as 0, so that a client can show all of them.
	for _, sentiment := range sentimentsOf(names) {
		number := domain.SentimentCount{ID: sentiment.ID, Name: sentiment.Name}
		for _, c := range counts {
			if c.SentimentID == sentiment.ID {
				number.Count = int(c.Number)
			}
		}
		// The number of the list is the sum of its sentiments, so no further query counts it.
		if f.Sentiment == 0 || f.Sentiment == sentiment.ID {
			found.Count += number.Count
		}
		split = append(split, number)
	}
	return found, split, nil
}

// FeedbackOf implements domain.FeedbackService.
func (s Feedback) FeedbackOf(
	ctx context.Context, caller domain.Caller, conversation uuid.UUID, scope domain.FeedbackScope,
) (map[uuid.UUID][]domain.Feedback, error) {
	if scope == domain.FeedbackNone {
		return nil, nil //nolint:nilnil // a map without entries
	}
	var rows feedbackRows
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { rows.queue(r, caller, conversation, scope) })
	if err != nil {
		return nil, err
	}
	return rows.byMessage(), nil
}

// feedbackRows are the rows of the queries of the feedback on a conversation.
type feedbackRows struct {
	feedback []dbsqlc.FeedbackShown
	comments []dbsqlc.CommentShown
	words    []dbsqlc.SentimentListRow
}

// queue adds the queries to a reading, which may have other queries as well.
func (f *feedbackRows) queue(r *reading, caller domain.Caller, conversation uuid.UUID, scope domain.FeedbackScope) {
	// The zero scope means that nothing was asked for.
	if scope == domain.FeedbackNone || scope == "" {
		return
	}
	p := &dbsqlc.FeedbackOfConversationParams{
		ConversationID: conversation, UserID: caller.UserID, All: scope == domain.FeedbackAll,
		IsSuperuser: domain.SeeFeedback.MayOnOthers(caller),
	}
	r.FeedbackOfConversation(p, &f.feedback)
	// Both queries have the same parameters.
	r.FeedbackCommentsOfConversation((*dbsqlc.FeedbackCommentsOfConversationParams)(p), &f.comments)
	r.SentimentList(&f.words)
}

// byMessage is the feedback of each message.
func (f *feedbackRows) byMessage() map[uuid.UUID][]domain.Feedback {
	by := make(map[uuid.UUID][]domain.Feedback, len(f.feedback))
	for _, one := range f.list() {
		by[one.MessageID] = append(by[one.MessageID], one)
	}
	return by
}

// list is the feedback with its comments, in the order of the rows.
func (f *feedbackRows) list() []domain.Feedback {
	list := make([]domain.Feedback, len(f.feedback))
	// Without feedback the words may not have been read.
	if len(list) == 0 {
		return list
	}
	sentiments := sentimentsOf(f.words)
	place := make(map[int64]int, len(list))
	for i := range f.feedback {
		list[i] = feedbackOf(&f.feedback[i], sentiments)
		place[list[i].ID] = i
	}
	for i := range f.comments {
		// A comment without its feedback in the list is of one that the caller may not see.
		if at, ok := place[f.comments[i].FeedbackID]; ok {
			list[at].Comments = append(list[at].Comments, commentOf(&f.comments[i]))
		}
	}
	return list
}

// feedbacks runs a query that returns feedback, and then reads its comments.
func (s Feedback) feedbacks(
	ctx context.Context, caller domain.Caller, queue func(r *reading, into *[]dbsqlc.FeedbackShown),
) ([]domain.Feedback, error) {
	var rows feedbackRows
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		queue(r, &rows.feedback)
		r.SentimentList(&rows.words)
	})
	if err != nil {
		return nil, err
	}
	return s.withComments(ctx, caller, &rows)
}

// withComments reads the comments of some feedback.
func (s Feedback) withComments(ctx context.Context, caller domain.Caller, rows *feedbackRows) ([]domain.Feedback, error) {
	if len(rows.feedback) == 0 {
		return []domain.Feedback{}, nil
	}
	ids := make([]int64, len(rows.feedback))
	for i := range ids {
		ids[i] = rows.feedback[i].ID
	}
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { r.FeedbackComments(ids, &rows.comments) })
	if err != nil {
		return nil, err
	}
	return rows.list(), nil
}

// feedbackOf makes the feedback of a row. Its labels are in the order of the sentiment's own.
func feedbackOf(r *dbsqlc.FeedbackShown, sentiments []domain.Sentiment) domain.Feedback {
	f := domain.Feedback{
		ID: r.ID, User: domain.Person{ID: r.UserID, UUID: r.UserUuid, FullName: r.UserName, Picture: r.UserPicture},
		Conversation: domain.FeedbackConversation{ID: r.ConversationID, Name: r.ConversationName, Description: r.ConversationDescription},
		MessageID:    r.MessageID, CreatedAt: utc(r.CreatedAt),
	}
	for _, s := range sentiments {
		if s.ID != r.SentimentID {
			continue
		}
		f.Sentiment.ID, f.Sentiment.Name = s.ID, s.Name
		for _, l := range s.Labels {
			if slices.Contains(r.Labels, l.ID) {
				f.Sentiment.Labels = append(f.Sentiment.Labels, l)
			}
		}
	}
	return f
}
