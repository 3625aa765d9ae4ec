package persistence

// Views of a conversation beyond what its readers see: with messages that a rewind has cut, for the
// owner, and a review of feedback, for superusers. Both are asked for by the caller and never the
// default.

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// ConversationAs implements domain.ConversationService.
func (s Conversations) ConversationAs(
	ctx context.Context, caller domain.Caller, id uuid.UUID, view domain.ConversationView,
) (*domain.Conversation, error) {
	c, err := s.conversation(ctx, caller, id, view)
	// The ordinary right comes first: a superuser with a grant sees the conversation as its readers
	// do.
	if domain.CodeOf(err) == domain.CodeNotFound && view.Feedback == domain.FeedbackAll && mayReview(caller) {
		c, err = s.reviewed(ctx, caller, id)
	}
	// For readers without the right the parameter does nothing.
	if err != nil || !view.AllVersions || !domain.SeeCutMessages.May(caller, c.Relation(caller)) {
		return c, err
	}
	return c, s.addCut(ctx, caller, c)
}

// reviewed reads a conversation with feedback for a superuser who has no grant for it.
func (s Conversations) reviewed(ctx context.Context, caller domain.Caller, id uuid.UUID) (*domain.Conversation, error) {
	var (
		row      *dbsqlc.ConversationSeen
		messages []dbsqlc.MessageShown
		objects  []dbsqlc.DisplayObject
		feedback feedbackRows
	)
	// All four queries see the same snapshot (batch.go).
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.ConversationReviewed(id, &row)
		r.MessageList(id, &messages)
		r.ObjectList(id, &objects)
		feedback.queue(r, caller, id, domain.FeedbackAll)
	})
	if err != nil {
		return nil, err
	}
	// Without feedback there is nothing to review, and the answer is the same as for a conversation
	// that does not exist.
	if row == nil {
		return nil, domain.NotFound("Conversation")
	}
	c := conversationOf(row)
	c.Messages, c.Feedback = messagesOf(messages, objects), feedback.byMessage()
	return &c, nil
}

// addCut adds the messages that rewinds have removed, in the order of the log.
func (s Conversations) addCut(ctx context.Context, caller domain.Caller, c *domain.Conversation) error {
	var cut []dbsqlc.MessageCutGenerationsRow
	// The rows of messages do not have the generation that cut them, so it is read first, with the
	// ids.
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.MessageCutGenerations(&dbsqlc.MessageCutGenerationsParams{ConversationID: c.ID, UserID: caller.UserID}, &cut)
	})
	if err != nil || len(cut) == 0 {
		return err
	}
	ids := make([]uuid.UUID, len(cut))
	generation := make(map[uuid.UUID]int64, len(cut))
	for i := range cut {
		ids[i], generation[cut[i].ID] = cut[i].ID, cut[i].CutGeneration
	}
	var (
		rows    []dbsqlc.MessageShown
		objects []dbsqlc.DisplayObject
	)
	// The messages are read as those that were not cut, by the same view.
	err = s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.MessagesByID(ids, &rows)
		r.ObjectsOf(&dbsqlc.ObjectsOfParams{Messages: ids, OrgID: caller.OrganisationID}, &objects)
	})
	if err != nil {
		return err
	}
	for _, m := range messagesOf(rows, objects) {
		if m.Role.VisibleTo(caller) {
			m.CutGeneration = generation[m.ID]
			c.Messages = append(c.Messages, m)
		}
	}
	// Both lists are in the order of the log; the seq merges them.
	slices.SortStableFunc(c.Messages, func(a, b domain.Message) int { return int(a.Seq - b.Seq) })
	return nil
}

// Nested implements domain.ConversationService.
func (s Conversations) Nested(ctx context.Context, caller domain.Caller, list []domain.Conversation) (*domain.Nested, error) {
	var (
		sources, labels []int64
		sourceRows      []dbsqlc.NestedDataSourcesRow
		labelRows       []dbsqlc.ProjectLabelNamedRow
	)
	for i := range list {
		sources, labels = append(sources, list[i].DataSources...), append(labels, list[i].ProjectLabels...)
	}
	// Each id is asked for once, for the whole list.
	slices.Sort(sources)
	slices.Sort(labels)
	sources, labels = slices.Compact(sources), slices.Compact(labels)
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.NestedDataSources(&dbsqlc.NestedDataSourcesParams{Ids: sources, UserID: caller.UserID}, &sourceRows)
		r.ProjectLabelNamed(labels, &labelRows)
	})
	if err != nil {
		return nil, err
	}
	n := &domain.Nested{DataSources: make(map[int64]domain.NestedName, len(sourceRows)), ProjectLabels: make(map[int64]domain.NestedName,
		len(labelRows))}
	// Names of connectors that the caller may not use are not among the rows.
	for _, r := range sourceRows {
		n.DataSources[r.ID] = domain.NestedName{ID: r.ID, Name: r.Name, Kind: r.Type}
	}
	for _, r := range labelRows {
		n.ProjectLabels[r.ID] = domain.NestedName{ID: r.ID, Name: r.Name, Kind: r.Color}
	}
	return n, nil
}
