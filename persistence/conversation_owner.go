package persistence

// What the owner of a conversation needs: its claim, its log, its readers, and the release. The
// claim is the fence of ADR 1: it raises the epoch of the row, and from then on no write of an
// earlier owner is accepted (G1).

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// ConversationStore claims, reads and releases conversations for the engine.
type ConversationStore struct{ *core }

var _ domain.ConversationStore = ConversationStore{}

// Claim implements domain.ConversationStore. It goes together with other claims, or, if
// somebody else has locked the row, alone.
func (s ConversationStore) Claim(
	ctx context.Context, conversation, activation uuid.UUID, node string, silent []string,
) (*domain.Claim, error) {
	c := conversationClaim{conversation, activation, node, silent}
	got, err := gatheredCall(ctx, s.gathered.conversations, c)
	// An empty result means that the row was locked by somebody else, who would otherwise hold up
	// the whole group.
	if err == nil && got == (claimed{}) {
		return s.claimAlone(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	return got.claim, got.err
}

// claimAlone is one transaction, one round trip. The update waits for a write of the old owner
// that is under way; therefore the reads after it find everything that the old owner could
// ever commit.
func (s ConversationStore) claimAlone(ctx context.Context, c conversationClaim) (*domain.Claim, error) {
	var (
		rows  []dbsqlc.ConversationClaimed
		about claimRows
	)
	err := s.asEngine(ctx, func(r *reading) {
		// Without its own transaction the claim and the reads could see two states.
		r.Queue("BEGIN")
		r.Queue("SET LOCAL enable_seqscan = off") // as in the pool for keys, which a wait for a lock must not use up
		r.ConversationClaim(&dbsqlc.ConversationClaimParams{
			Activation: uuid.NullUUID{UUID: c.activation, Valid: true}, Node: c.node, Silent: c.silent, ID: c.conversation,
		}, &rows)
		about.queue(r, []uuid.UUID{c.conversation})
		r.Queue("COMMIT")
	})
	if err != nil {
		return nil, err
	}
	// A deleted conversation is not claimed (G12).
	if len(rows) == 0 {
		return nil, domain.NotFound("Conversation")
	}
	return about.sorted().claim(c.activation, &rows[0])
}

// claimRows are the rows that claims need of their conversations.
type claimRows struct {
	snapshots []dbsqlc.ConversationSnapshotsRow
	stopped   []dbsqlc.MessageShown
	turns     []dbsqlc.TurnsRunningRow
	steps     []dbsqlc.TurnsRunningStepsRow
	messages  []dbsqlc.MessageShown
}

// queue adds the reads to a transaction that has claimed the conversations.
func (f *claimRows) queue(r *reading, ids []uuid.UUID) {
	// The reads follow the update in the same transaction, so they see all that earlier owners have
	// committed, and nothing can be added after it.
	r.ConversationSnapshots(ids, &f.snapshots)
	r.TurnsStopped(ids, &f.stopped)
	r.TurnsRunning(ids, &f.turns)
	r.TurnsRunningSteps(ids, &f.steps)
	r.TurnsRunningMessages(ids, &f.messages)
}

// conversationRows are the rows of claimRows for one conversation; steps and messages are in their order.
type conversationRows struct {
	snapshot *dbsqlc.ConversationSnapshotsRow
	stopped  *dbsqlc.MessageShown
	turn     *dbsqlc.TurnsRunningRow
	steps    []dbsqlc.TurnsRunningStepsRow
	messages []dbsqlc.MessageShown
}

// rowsByConversation has the rows of claimRows by their conversations.
type rowsByConversation map[uuid.UUID]*conversationRows

// sorted groups the rows by their conversation. Steps name only their turn, so turns are taken
// before them.
func (f *claimRows) sorted() rowsByConversation {
	sorted := rowsByConversation{}
	of := func(id uuid.UUID) *conversationRows {
		if sorted[id] == nil {
			sorted[id] = &conversationRows{}
		}
		return sorted[id]
	}
	for i := range f.snapshots {
		of(f.snapshots[i].ConversationID).snapshot = &f.snapshots[i]
	}
	for i := range f.stopped {
		of(f.stopped[i].ConversationID).stopped = &f.stopped[i]
	}
	turns := make(map[uuid.UUID]uuid.UUID, len(f.turns))
	for i := range f.turns {
		of(f.turns[i].ConversationID).turn = &f.turns[i]
		turns[f.turns[i].ID] = f.turns[i].ConversationID
	}
	for _, step := range f.steps {
		one := of(turns[step.TurnID])
		one.steps = append(one.steps, step)
	}
	for _, m := range f.messages {
		one := of(m.ConversationID)
		one.messages = append(one.messages, m)
	}
	return sorted
}

// claim makes the claim of one conversation; CodeFenced if its owner has kept it.
func (f rowsByConversation) claim(activation uuid.UUID, row *dbsqlc.ConversationClaimed) (*domain.Claim, error) {
	if row.Kept {
		return nil, domain.Errorf(domain.CodeFenced, "Another node owns the conversation.")
	}
	c := &domain.Claim{
		Conversation: row.ID, OrganisationID: row.OrgID, Fence: domain.Fence{Epoch: row.Epoch, Activation: activation},
		NextSeq: row.NextSeq, Generation: row.Generation, OwnerID: row.OwnerID, Name: row.Name, AccessVersion: row.AccessVersion,
		DataSources: row.DataSources, Credits: row.Credits, Requests: row.Requests, OwnerLives: row.OwnerLives,
	}
	one := f[row.ID]
	// A conversation that has nothing to resume has no rows.
	if one == nil {
		return c, nil
	}
	// Whether the snapshot can be used is decided by State.Restore (G21).
	if snapshot := one.snapshot; snapshot != nil {
		c.Snapshot = &domain.Snapshot{
			Conversation: row.ID, Seq: snapshot.Seq, Epoch: snapshot.Epoch, SchemaVersion: int(snapshot.SchemaVersion),
			Checksum: uint32(snapshot.Checksum), Body: snapshot.Body, //nolint:gosec // stored from a uint32
		}
	}
	if one.stopped != nil {
		c.Stopped = &messagesOf([]dbsqlc.MessageShown{*one.stopped}, nil)[0]
	}
	if one.turn != nil {
		var err error
		if c.Running, err = runningOf(one.turn, one.steps, one.messages); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// runningOf collects a turn that has not ended, with its messages that are still being written, in
// addition to the prompt.
func runningOf(t *dbsqlc.TurnsRunningRow, steps []dbsqlc.TurnsRunningStepsRow, rows []dbsqlc.MessageShown) (*domain.RunningTurn, error) {
	running := &domain.RunningTurn{
		Turn: domain.Turn{
			ID: t.ID, ConversationID: t.ConversationID, Prompt: t.PromptID, UserID: t.UserID, AnalystID: t.AnalystID, Attempt: int(t.Attempt),
			Status: domain.TurnStatus(t.Status), Reason: t.Reason, StartedAt: utc(t.StartedAt),
		},
		Spoke: t.Spoke, Answered: t.Answered, Scheduled: t.Scheduled,
	}
	if t.Plan != nil {
		running.Turn.Plan = new(domain.Plan)
		if err := json.Unmarshal(t.Plan, running.Turn.Plan); err != nil {
			return nil, domain.Internal(err, "The plan of a turn could not be read.")
		}
	}
	for _, r := range steps {
		step := domain.Step{
			TurnID: r.TurnID, Number: int(r.Number), Attempt: int(r.Attempt), Kind: domain.StepKind(r.Kind), Name: r.Name, Effect: r.Effect,
			Status: domain.StepStatus(r.Status), Input: r.Input, Output: r.Output,
		}
		step.StartedAt, step.FinishedAt = utc(pointer.Value(r.StartedAt)), utc(pointer.Value(r.FinishedAt))
		running.Steps = append(running.Steps, step)
	}
	for _, m := range messagesOf(rows, nil) {
		if m.ID == t.PromptID {
			running.Prompt = m
		} else {
			running.Open = append(running.Open, m)
		}
	}
	return running, nil
}

// Events implements domain.ConversationStore.
// At most limit events are returned, in the order of the log.
func (s ConversationStore) Events(ctx context.Context, conversation uuid.UUID, after int64, limit int) ([]domain.Event, error) {
	var rows []dbsqlc.ConversationEventsRow
	err := s.asEngine(ctx, func(r *reading) {
		r.ConversationEvents(&dbsqlc.ConversationEventsParams{ConversationID: conversation, After: after, Size: int64(limit)}, &rows)
	})
	if err != nil {
		return nil, err
	}
	events := make([]domain.Event, len(rows))
	for i, r := range rows {
		events[i] = eventOf(r)
	}
	return events, nil
}

// eventOf makes an event of a row.
func eventOf(r dbsqlc.ConversationEventsRow) domain.Event {
	return domain.Event{Seq: r.Seq, Type: domain.EventType(r.Type), Epoch: r.Epoch, Generation: r.Generation, Data: r.Data, At: utc(r.At)}
}

// Deletion implements domain.ConversationStore.
// It returns nil without an error for a conversation that is not deleted, or whose deletion does
// not concern the person.
func (s ConversationStore) Deletion(ctx context.Context, conversation uuid.UUID, user int64) (*domain.Event, error) {
	var row *dbsqlc.ConversationDeletionRow
	err := s.asEngine(ctx, func(r *reading) {
		r.ConversationDeletion(&dbsqlc.ConversationDeletionParams{ID: conversation, UserID: user}, &row)
	})
	if err != nil || row == nil {
		return nil, err
	}
	event := eventOf(dbsqlc.ConversationEventsRow(*row))
	return &event, nil
}

// Access implements domain.ConversationStore. A conversation that was deleted or never
// existed has no permission and version 0.
func (s ConversationStore) Access(ctx context.Context, conversation uuid.UUID, user int64) (domain.Permission, int64, error) {
	a, err := gatheredCall(ctx, s.gathered.access, reader{conversation, user})
	if err != nil {
		return domain.PermissionNone, 0, err
	}
	return a.permission, a.version, nil
}

// Stored implements domain.ConversationStore.
func (s ConversationStore) Stored(ctx context.Context, conversation uuid.UUID, caller domain.Caller) (*domain.StoredConversation, error) {
	var rows []dbsqlc.ConversationStoredRow
	err := s.asEngine(ctx, func(r *reading) {
		r.ConversationStored(&dbsqlc.ConversationStoredParams{
			UserID: caller.UserID, ID: conversation, OrgID: caller.OrganisationID,
		}, &rows)
	})
	if err != nil {
		return nil, err
	}
	out := &domain.StoredConversation{Permission: domain.PermissionNone}
	for _, r := range rows {
		// All rows of a conversation have the same columns except the open message.
		out.Permission, out.Epoch, out.Generation, out.Head = permissionOf(r.Rank), r.Epoch, r.Generation, r.Head
		if r.Message.Valid {
			out.Open = append(out.Open, domain.OpenMessage{Message: r.Message.UUID, Length: r.Length})
		}
	}
	return out, nil
}

// Underway implements domain.ConversationStore.
func (s ConversationStore) Underway(ctx context.Context, conversation uuid.UUID) (uuid.UUID, *domain.Message, error) {
	var about claimRows
	ids := []uuid.UUID{conversation}
	// A turn that runs counts more than one that was stopped before.
	err := s.asKeyed(ctx, func(r *reading) {
		r.TurnsRunning(ids, &about.turns)
		r.TurnsStopped(ids, &about.stopped)
	})
	switch {
	case err != nil:
		return uuid.Nil, nil, err
	case len(about.turns) > 0:
		return about.turns[0].ID, nil, nil
	case len(about.stopped) > 0:
		return uuid.Nil, &messagesOf(about.stopped, nil)[0], nil
	default:
		return uuid.Nil, nil, nil
	}
}

// Home implements domain.ConversationStore. A node that is not a member of the cluster is not returned.
func (s ConversationStore) Home(ctx context.Context, conversation uuid.UUID) (string, error) {
	return gatheredCall(ctx, s.gathered.homes, conversation)
}

// Attendants implements domain.ConversationStore.
func (s ConversationStore) Attendants(ctx context.Context, open map[uuid.UUID][]uuid.UUID) (map[uuid.UUID][]domain.Person, error) {
	var p dbsqlc.ConversationAttendantsParams
	for conversation, people := range open {
		for _, person := range people {
			p.Conversations, p.People = append(p.Conversations, conversation), append(p.People, person)
		}
	}
	var rows []dbsqlc.ConversationAttendantsRow
	if err := s.asEngine(ctx, func(r *reading) { r.ConversationAttendants(&p, &rows) }); err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID][]domain.Person, len(open))
	for _, r := range rows {
		out[r.ConversationID] = append(out[r.ConversationID], domain.Person{UUID: r.Uuid, FullName: r.FullName})
	}
	return out, nil
}

// Superseded implements domain.ConversationStore.
func (s ConversationStore) Superseded(ctx context.Context, node string, conversations []uuid.UUID) ([]domain.Superseded, error) {
	var rows []dbsqlc.ConversationSupersededRow
	err := s.asEngine(ctx, func(r *reading) {
		r.ConversationSuperseded(&dbsqlc.ConversationSupersededParams{Ids: conversations, Node: node}, &rows)
	})
	if err != nil {
		return nil, err
	}
	out := make([]domain.Superseded, len(rows))
	// The owner compares the epochs: a row that was read before its own claim has a lower one.
	for i, r := range rows {
		out[i] = domain.Superseded{Conversation: r.ID, Epoch: r.Epoch, Deleted: r.Deleted}
	}
	return out, nil
}

// Orphans implements domain.ConversationStore.
func (s ConversationStore) Orphans(ctx context.Context, limit int) ([]uuid.UUID, error) {
	var ids []uuid.UUID
	err := s.asEngine(ctx, func(r *reading) { r.ConversationOrphans(int64(limit), &ids) })
	return ids, err
}

// Release implements domain.ConversationStore. If the fence is not the row's, it changes
// nothing: another owner has claimed it.
// A release that did not arrive is harmless: the next owner claims the row in any case.
func (s ConversationStore) Release(ctx context.Context, conversation uuid.UUID, f domain.Fence) error {
	return translate(s.q.ConversationRelease(ctx, s.engine, &dbsqlc.ConversationReleaseParams{
		ID: conversation, Epoch: f.Epoch, Activation: uuid.NullUUID{UUID: f.Activation, Valid: true},
	}))
}

// NewestUserEvents implements domain.ConversationStore.
func (s ConversationStore) NewestUserEvents(
	ctx context.Context, conversation uuid.UUID, changed []domain.Grantee,
) ([]domain.UserEvent, error) {
	return s.newestUserEvents(ctx, []uuid.UUID{conversation}, changed)
}
