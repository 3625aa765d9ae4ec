package persistence

// The copy of a conversation. It is a new conversation of the caller, with new ids for messages and
// objects, a log of its own from seq 1, and no grants, feedback or usage. Objects refer to the same
// stored files as the originals.

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// CopyConversation implements domain.ConversationService.
func (s Conversations) CopyConversation(
	ctx context.Context, caller domain.Caller, original uuid.UUID, key domain.IdempotencyKey,
) (*domain.Conversation, error) {
	var events []domain.UserEvent
	// All of the copy is one transaction, and happens once for a key.
	id, err := s.createUUID(ctx, caller, kindCopy, key, func(tx pgx.Tx) (id uuid.UUID, err error) {
		id = domain.NewID()
		event, err := s.copyConversation(ctx, tx, caller, original, id)
		if err != nil {
			return uuid.Nil, err
		}
		events = []domain.UserEvent{*event}
		return id, nil
	})
	if err != nil {
		return nil, err
	}
	s.announce(events)
	return s.Conversation(ctx, caller, id)
}

// conversationCopy is what is copied from the original.
type conversationCopy struct {
	source                *dbsqlc.ConversationShown
	messages, copies      []uuid.UUID
	annotated             [][]byte // as stored, of each message
	objects, objectCopies []uuid.UUID
	usable                []int64
}

// copyConversation makes the copy under the given id, and the event for the caller's list.
func (s Conversations) copyConversation(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, original, id uuid.UUID,
) (*domain.UserEvent, error) {
	c, err := s.copySource(ctx, tx, caller, original)
	if err != nil {
		return nil, err
	}
	// A request's role may not write messages; the rights were checked above.
	if _, err := tx.Exec(ctx, setEngineRole); err != nil {
		return nil, err //nolint:wrapcheck // translated by write
	}
	org := caller.OrganisationID
	at := s.now()
	name := domain.ConversationName("Copy of " + c.source.Name)
	// The messages have the seqs from 1 on; the event of the creation has the one after them.
	created := int64(len(c.messages) + 1)
	sources := slices.DeleteFunc(slices.Clone(c.source.DataSources), func(d int64) bool { return !slices.Contains(c.usable, d) })
	err = s.q.ConversationCopyInsert(ctx, tx, &dbsqlc.ConversationCopyInsertParams{
		ID: id, OrgID: org, OwnerID: caller.UserID, Name: name, Description: c.source.Description, DataSources: sources,
		ProjectLabels: c.source.ProjectLabels, NextSeq: created + 1, At: at,
	})
	if err != nil {
		return nil, err
	}
	// Each conversation has a row for its snapshot from the beginning, because snapshots are only
	// ever updated (G12).
	if err := s.q.ConversationSnapshotInsert(ctx, tx, &dbsqlc.ConversationSnapshotInsertParams{ConversationID: id, OrgID: org}); err != nil {
		return nil, err
	}
	seqs := make([]int64, len(c.messages))
	for i := range seqs {
		seqs[i] = int64(i + 1)
	}
	err = s.q.ConversationCopyMessages(ctx, tx, &dbsqlc.ConversationCopyMessagesParams{
		ConversationID: id, Source: original, Usable: c.usable, Originals: c.messages, Copies: c.copies, Seqs: seqs, Annotations: c.annotations(),
	})
	if err != nil {
		return nil, err
	}
	// The copy gets the latest summary among its own messages.
	if err := s.q.JournalSummaries(ctx, tx, []uuid.UUID{id}); err != nil {
		return nil, err
	}
	err = s.q.ConversationCopyObjectRows(ctx, tx, &dbsqlc.ConversationCopyObjectRowsParams{
		ConversationID: id, Originals: c.messages, Copies: c.copies, ObjectOriginals: c.objects, ObjectCopies: c.objectCopies,
	})
	if err != nil {
		return nil, err
	}
	return s.addCreation(ctx, tx, caller, created, at, protocol.ConversationChange{
		ID: id, Name: &name, Description: &c.source.Description, DataSources: &sources, ProjectLabels: &c.source.ProjectLabels,
	})
}

// copySource reads the original as the caller may see it: without messages of roles that the
// caller does not see, and with those of its data sources that they may use.
func (s Conversations) copySource(ctx context.Context, tx pgx.Tx, caller domain.Caller, original uuid.UUID) (*conversationCopy, error) {
	// This query is the check of the caller's right to read the original.
	seen, err := s.q.ConversationGet(ctx, tx, &dbsqlc.ConversationGetParams{UserID: caller.UserID, ID: original})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, domain.NounConversation.Missing()
	}
	if err != nil {
		return nil, err
	}
	if err := domain.UseConversation.Authorize(caller, ranked(seen.Rank)); err != nil {
		return nil, err
	}
	c := conversationCopy{source: &seen.ConversationShown}
	messages, err := s.q.ConversationCopySource(ctx, tx, original)
	if err != nil {
		return nil, err
	}
	// The data sources of the conversation and of each message are checked together.
	used := slices.Clone(c.source.DataSources)
	c.messages, c.copies = make([]uuid.UUID, 0, len(messages)), make([]uuid.UUID, 0, len(messages))
	for _, m := range messages {
		if !domain.Role(m.Role).VisibleTo(caller) {
			continue
		}
		c.messages, c.copies = append(c.messages, m.ID), append(c.copies, domain.NewID())
		c.annotated = append(c.annotated, m.Annotation)
		used = append(used, m.DataSources...)
	}
	slices.Sort(used)
	readable, err := s.q.DataSourceReadable(ctx, tx, &dbsqlc.DataSourceReadableParams{UserID: caller.UserID, Ids: slices.Compact(used)})
	if err != nil {
		return nil, err
	}
	c.usable = make([]int64, len(readable))
	for i, d := range readable {
		c.usable[i] = d.DataSourceShown.ID
	}
	// Only objects of the copied messages: others may belong to messages that the caller does not
	// see.
	if c.objects, err = s.q.ConversationCopyObjects(ctx, tx, &dbsqlc.ConversationCopyObjectsParams{
		ConversationID: original,
		Messages:       c.messages,
	}); err != nil {
		return nil, err
	}
	c.objectCopies = make([]uuid.UUID, len(c.objects))
	for i := range c.objectCopies {
		c.objectCopies[i] = domain.NewID()
	}
	return &c, nil
}

// annotations are the annotations of the messages, in which the ids of copied tables
// replace the originals. One that cannot be decoded is left out: the message's text is the
// same.
func (c *conversationCopy) annotations() []string {
	copies := make(map[uuid.UUID]uuid.UUID, len(c.objects))
	for i, original := range c.objects {
		copies[original] = c.objectCopies[i]
	}
	out := make([]string, len(c.annotated))
	for i, stored := range c.annotated {
		var a domain.Annotation
		if json.Unmarshal(stored, &a) != nil {
			a = domain.Annotation{}
		}
		a.Table = copies[a.Table]
		a.Figures = slices.DeleteFunc(a.Figures, func(f domain.Figure) bool { return copies[f.Object] == uuid.Nil })
		for k := range a.Figures {
			a.Figures[k].Object = copies[a.Figures[k].Object]
		}
		out[i] = annotationText(&a)
	}
	return out
}
