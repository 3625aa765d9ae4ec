package persistence

// The rows of one group of the journal, and the one round trip that writes them. All writes of a
// group are in the same statements, an array for each column, so the cost of a commit does not grow
// with the number of conversations. The rows of the conversations are locked and the fences
// compared already (journal_commit.go).

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// group has the writes of one transaction by columns: an array for each column of each table.
// A table without rows gets no statement.
type group struct {
	entries []*entry
	at      time.Time

	advance     dbsqlc.JournalAdvanceParams
	events      dbsqlc.JournalEventsParams
	chunks      dbsqlc.JournalChunksParams
	messages    dbsqlc.JournalMessagesParams
	ends        dbsqlc.JournalMessageEndsParams
	objects     dbsqlc.JournalObjectsParams
	annotations dbsqlc.JournalAnnotationsParams
	starts      dbsqlc.JournalTurnStartsParams
	turnEnds    dbsqlc.JournalTurnEndsParams
	cut         []uuid.UUID // conversations that a rewind shortens
	steps       dbsqlc.JournalStepsParams
	usage       dbsqlc.JournalUsageParams
	snapshots   dbsqlc.JournalSnapshotsParams
	drafts      dbsqlc.JournalUserEventsParams
	unread      dbsqlc.JournalUnreadParams

	// single are statements for one conversation each; they are rare.
	single []func(r *reading)
	// draftOf maps a number to an entry and one of its drafts.
	draftOf []draftPlace
	// userEvents is the result of JournalUserEvents.
	userEvents []dbsqlc.JournalUserEventsRow

	// access is for the conversations whose grants change.
	access dbsqlc.JournalAccessEventsParams
	// moved is the result of JournalAccessEvents.
	moved []dbsqlc.JournalAccessEventsRow
}

// draftPlace is where a user event came from.
type draftPlace struct{ entry, draft int }

// newGroup collects the rows of the writes that hold their fence. at is the time of the commit, in
// milliseconds as the API shows it.
func newGroup(h *held, at time.Time) *group {
	g := &group{entries: h.survivors, at: at.UTC().Truncate(time.Millisecond)}
	for i, e := range h.survivors {
		g.add(i, e.write)
	}
	// Only the readers of conversations that are written now are needed; other writes of the group
	// may be fenced.
	survives := make(map[uuid.UUID]bool, len(g.access.Conversations))
	for _, id := range g.access.Conversations {
		survives[id] = true
	}
	for _, r := range h.readers {
		if survives[r.ConversationID] {
			g.access.BeforeConversations = append(g.access.BeforeConversations, r.ConversationID)
			g.access.BeforeUsers = append(g.access.BeforeUsers, r.UserID)
		}
	}
	g.access.At, g.advance.At = g.at, g.at
	return g
}

// add appends one write to the columns.
// The order of the entries is that of the locks, and each table keeps it.
func (g *group) add(place int, w *domain.Write) {
	var generation int64
	// 0 means that the generation stays.
	if w.Cut != nil {
		generation = w.Cut.Generation
	}
	// A change of access does not change what a list shows.
	touched := len(w.UserEvents) > 0 && len(w.Grants) == 0
	// A write of text only changes no row of the conversation: its lock was enough.
	if len(w.Events) > 0 || touched || w.Cut != nil {
		g.advance.Ids = append(g.advance.Ids, w.Conversation)
		g.advance.Events = append(g.advance.Events, int64(len(w.Events)))
		g.advance.Touched = append(g.advance.Touched, touched)
		g.advance.Generations = append(g.advance.Generations, generation)
		g.advance.Requests = append(g.advance.Requests, w.Request)
	}
	for i := range w.Events {
		g.addEvent(w, w.NextSeq+int64(i), &w.Events[i])
	}
	for i := range w.Chunks {
		c := &w.Chunks[i]
		// The chunks are contained in the text of the end, so they need not be stored first.
		if endsWhole(w, c.Message) {
			continue
		}
		g.chunks.Messages = append(g.chunks.Messages, c.Message)
		g.chunks.Offsets = append(g.chunks.Offsets, c.Offset)
		g.chunks.Orgs = append(g.chunks.Orgs, w.OrganisationID)
		g.chunks.Texts = append(g.chunks.Texts, c.Whole())
	}
	for i := range w.Messages {
		g.addMessage(w, &w.Messages[i])
	}
	for i := range w.MessageEnds {
		m := &w.MessageEnds[i]
		g.ends.Ids = append(g.ends.Ids, m.Message)
		g.ends.Conversations = append(g.ends.Conversations, w.Conversation)
		g.ends.Statuses = append(g.ends.Statuses, string(m.Status))
		// A message ends with a text that replaces its chunks, or without one, and then its chunks
		// are joined.
		g.ends.Given = append(g.ends.Given, m.Text != nil)
		g.ends.Texts = append(g.ends.Texts, pointer.Value(m.Text))
	}
	for i := range w.Objects {
		g.addObject(w, &w.Objects[i])
	}
	g.addAnnotations(w)
	g.addTurn(w)
	g.addSteps(w)
	// A conversation that is deleted in the same write gets no snapshot (G12).
	if w.Snapshot != nil && !w.Delete {
		g.snapshots.Ids = append(g.snapshots.Ids, w.Conversation)
		g.snapshots.Seqs = append(g.snapshots.Seqs, w.Snapshot.Seq)
		g.snapshots.Epochs = append(g.snapshots.Epochs, w.Snapshot.Epoch)
		g.snapshots.Versions = append(g.snapshots.Versions, int32(w.Snapshot.SchemaVersion)) //nolint:gosec // a small constant
		g.snapshots.Checksums = append(g.snapshots.Checksums, int64(w.Snapshot.Checksum))
		g.snapshots.Bodies = append(g.snapshots.Bodies, w.Snapshot.Body)
	}
	g.addSingle(w)
	for i := range w.UserEvents {
		g.addDraft(place, i, w, &w.UserEvents[i])
	}
}

// endsWhole reports whether a write ends a message with its whole text, which then contains
// the text of the write's chunks.
func endsWhole(w *domain.Write, message uuid.UUID) bool {
	for i := range w.MessageEnds {
		if m := &w.MessageEnds[i]; m.Message == message {
			return m.Text != nil
		}
	}
	return false
}

// addEvent adds an entry of the conversation's log at its seq.
func (g *group) addEvent(w *domain.Write, seq int64, e *domain.Event) {
	g.events.Conversations = append(g.events.Conversations, w.Conversation)
	g.events.Seqs = append(g.events.Seqs, seq)
	g.events.Orgs = append(g.events.Orgs, w.OrganisationID)
	g.events.Types = append(g.events.Types, string(e.Type))
	g.events.Epochs = append(g.events.Epochs, w.Fence.Epoch)
	g.events.Generations = append(g.events.Generations, e.Generation)
	g.events.Data = append(g.events.Data, string(e.Data))
	g.events.Ats = append(g.events.Ats, g.timeOf(e.At))
}

// timeOf is t, or the time of the group if t is zero.
func (g *group) timeOf(t time.Time) time.Time {
	if t.IsZero() {
		return g.at
	}
	return t
}

// addMessage adds a message with the text that it begins with. Zero ids become NULL in the
// statement.
func (g *group) addMessage(w *domain.Write, m *domain.Message) {
	p := &g.messages
	var author int64
	if m.Author != nil {
		author = m.Author.ID
	}
	p.Ids = append(p.Ids, m.ID)
	p.Conversations = append(p.Conversations, w.Conversation)
	p.Orgs = append(p.Orgs, w.OrganisationID)
	p.Turns = append(p.Turns, m.TurnID)
	p.Parents = append(p.Parents, m.ParentID)
	p.Seqs = append(p.Seqs, m.Seq)
	p.Generations = append(p.Generations, m.Generation)
	p.Roles = append(p.Roles, string(m.Role))
	p.Texts = append(p.Texts, m.Text)
	p.Statuses = append(p.Statuses, string(m.Status))
	p.Authors = append(p.Authors, author)
	p.Analysts = append(p.Analysts, m.AnalystID)
	p.AnalystNames = append(p.AnalystNames, m.AnalystName)
	p.DataSources = append(p.DataSources, arrayText(m.DataSources))
	p.Blueprints = append(p.Blueprints, m.BlueprintID)
	p.Annotations = append(p.Annotations, annotationText(&m.Annotation))
	p.Created = append(p.Created, g.timeOf(m.CreatedAt))
}

// annotationText is how an annotation is stored.
func annotationText(a *domain.Annotation) string {
	if a.IsZero() {
		return "{}"
	}
	// Texts and finite numbers, so it cannot fail.
	body, _ := json.Marshal(a) //nolint:errchkjson // see above
	return string(body)
}

// addAnnotations merges the annotations of one write for each message, since one statement
// can change a row only once.
func (g *group) addAnnotations(w *domain.Write) {
	merged := make(map[uuid.UUID]*domain.Annotation, len(w.Annotations))
	order := make([]uuid.UUID, 0, len(w.Annotations))
	for i := range w.Annotations {
		a := &w.Annotations[i]
		if merged[a.Message] == nil {
			merged[a.Message] = new(domain.Annotation)
			order = append(order, a.Message)
		}
		merged[a.Message].Merge(&a.Annotation)
	}
	for _, id := range order {
		g.annotations.Ids = append(g.annotations.Ids, id)
		g.annotations.Conversations = append(g.annotations.Conversations, w.Conversation)
		g.annotations.Annotations = append(g.annotations.Annotations, annotationText(merged[id]))
	}
}

// arrayText writes numbers as an array of SQL, for columns of arrays of
// different lengths, which cannot be unnested.
func arrayText(numbers []int64) string {
	b := []byte{'{'}
	for i, n := range numbers {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return string(append(b, '}'))
}

// addObject adds a display object. Its file is stored already.
func (g *group) addObject(w *domain.Write, o *domain.DisplayObject) {
	p := &g.objects
	p.Ids = append(p.Ids, o.ID)
	p.Conversations = append(p.Conversations, w.Conversation)
	p.Messages = append(p.Messages, o.MessageID)
	p.Orgs = append(p.Orgs, w.OrganisationID)
	p.Names = append(p.Names, o.Name)
	p.Types = append(p.Types, string(o.Type))
	p.Languages = append(p.Languages, o.Language)
	p.ContentTypes = append(p.ContentTypes, o.ContentType)
	p.Sizes = append(p.Sizes, o.Size)
	p.FileKeys = append(p.FileKeys, o.FileKey)
	p.Columns = append(p.Columns, columnsText(o.Columns))
	p.Created = append(p.Created, g.timeOf(o.CreatedAt))
}

// columnsText is how the columns of an object are stored; empty if there are no columns.
func columnsText(columns []domain.ShownColumn) string {
	if len(columns) == 0 {
		return ""
	}
	// Texts and booleans only, so it cannot fail.
	body, _ := json.Marshal(columns) //nolint:errchkjson // see above
	return string(body)
}

// addTurn adds the start and the end of a turn. A turn that runs a plan carries it, so that another
// node can continue.
func (g *group) addTurn(w *domain.Write) {
	if t := w.TurnStart; t != nil {
		p := &g.starts
		p.Ids = append(p.Ids, t.ID)
		p.Conversations = append(p.Conversations, w.Conversation)
		p.Orgs = append(p.Orgs, w.OrganisationID)
		p.Prompts = append(p.Prompts, t.Prompt)
		p.Users = append(p.Users, t.UserID)
		p.Analysts = append(p.Analysts, t.AnalystID)
		p.Attempts = append(p.Attempts, int32(t.Attempt)) //nolint:gosec // 1 or 2
		p.Plans = append(p.Plans, planText(t.Plan))
		p.Started = append(p.Started, g.timeOf(t.StartedAt))
	}
	if t := w.TurnEnd; t != nil {
		p := &g.turnEnds
		p.Turns = append(p.Turns, t.Turn)
		p.Conversations = append(p.Conversations, w.Conversation)
		p.Orgs = append(p.Orgs, w.OrganisationID)
		p.Statuses = append(p.Statuses, string(t.Status))
		p.Reasons = append(p.Reasons, domain.Clean(t.Reason))
	}
}

// planText is empty for no plan.
func planText(plan *domain.Plan) string {
	if plan == nil {
		return ""
	}
	body, _ := json.Marshal(plan) //nolint:errchkjson // text and numbers can always be encoded
	return string(body)
}

// addSteps adds steps of turns and the usage of model calls. Both have keys, so a repeated attempt
// changes no finished step and counts no call twice (G7, G20).
func (g *group) addSteps(w *domain.Write) {
	// A step that started and finished within one write is one row, with the last state.
	last := make(map[uuid.UUID]map[int]int)
	for i := range w.Steps {
		s := &w.Steps[i]
		if last[s.TurnID] == nil {
			last[s.TurnID] = make(map[int]int)
		}
		last[s.TurnID][s.Number] = i
	}
	for i := range w.Steps {
		s := &w.Steps[i]
		if last[s.TurnID][s.Number] != i {
			continue
		}
		p := &g.steps
		p.Turns = append(p.Turns, s.TurnID)
		p.Numbers = append(p.Numbers, int32(s.Number)) //nolint:gosec // few steps per turn
		p.Orgs = append(p.Orgs, w.OrganisationID)
		p.Attempts = append(p.Attempts, int32(s.Attempt)) //nolint:gosec // 1 or 2
		p.Kinds = append(p.Kinds, string(s.Kind))
		p.Names = append(p.Names, domain.Clean(s.Name))
		p.Effects = append(p.Effects, s.Effect)
		p.Statuses = append(p.Statuses, string(s.Status))
		p.Inputs = append(p.Inputs, string(s.Input))
		p.Outputs = append(p.Outputs, string(s.Output))
		p.Started = append(p.Started, s.StartedAt)
		p.Finished = append(p.Finished, s.FinishedAt)
	}
	for i := range w.Usage {
		u := &w.Usage[i]
		p := &g.usage
		p.Turns = append(p.Turns, u.TurnID)
		p.Steps = append(p.Steps, int32(u.Step))          //nolint:gosec // few steps per turn
		p.Attempts = append(p.Attempts, int32(u.Attempt)) //nolint:gosec // 1 or 2
		p.Orgs = append(p.Orgs, w.OrganisationID)
		p.Conversations = append(p.Conversations, w.Conversation)
		p.Users = append(p.Users, u.UserID)
		p.Providers = append(p.Providers, u.Provider)
		p.Models = append(p.Models, u.Model)
		p.InputTokens = append(p.InputTokens, u.InputTokens)
		p.OutputTokens = append(p.OutputTokens, u.OutputTokens)
		p.Credits = append(p.Credits, u.Credits)
	}
}

// addSingle turns the rare parts of a write into separate statements.
func (g *group) addSingle(w *domain.Write) {
	if u := w.Update; u != nil {
		p := dbsqlc.JournalUpdateParams{Name: u.Name, Description: u.Description, ID: w.Conversation}
		if u.DataSources != nil {
			p.DataSources = append([]int64{}, *u.DataSources...)
		}
		if u.ProjectLabels != nil {
			p.ProjectLabels = append([]int64{}, *u.ProjectLabels...)
		}
		g.single = append(g.single, func(r *reading) { r.JournalUpdate(&p) })
	}
	if w.Cut != nil {
		g.cut = append(g.cut, w.Conversation)
		p := dbsqlc.JournalCutParams{Generation: w.Cut.Generation, ConversationID: w.Conversation, FromSeq: w.Cut.FromSeq}
		g.single = append(g.single, func(r *reading) { r.JournalCut(&p) })
	}
	if len(w.Grants) > 0 {
		g.addGrants(w)
	}
}

// addGrants adds a change of the grants, in three statements at most, and the access version that
// makes gateways read rights again (G15).
func (g *group) addGrants(w *domain.Write) {
	split := splitOf(w.Grants)
	if split.removes() {
		// A grant that is removed needs a person or a team of the organization, too: the statement
		// fails otherwise, and with it only this write (settle).
		known := dbsqlc.JournalGranteesKnownParams{Users: split.removedUsers, Teams: split.removedTeams, OrgID: w.OrganisationID}
		gone := dbsqlc.JournalRevokeParams{ConversationID: w.Conversation, Users: split.removedUsers, Teams: split.removedTeams}
		g.single = append(g.single, func(r *reading) {
			r.JournalGranteesKnown(&known)
			r.JournalRevoke(&gone)
		})
	}
	if len(split.users) > 0 {
		users := dbsqlc.JournalGrantUsersParams{
			ConversationID: w.Conversation, OrgID: w.OrganisationID, Users: split.users, Permissions: split.userPermissions,
		}
		g.single = append(g.single, func(r *reading) { r.JournalGrantUsers(&users) })
	}
	if len(split.teams) > 0 {
		teams := dbsqlc.JournalGrantTeamsParams{
			ConversationID: w.Conversation, OrgID: w.OrganisationID, Teams: split.teams, Permissions: split.teamPermissions,
		}
		g.single = append(g.single, func(r *reading) { r.JournalGrantTeams(&teams) })
	}
	conversation := w.Conversation
	// Also a change that gives nothing new raises the version: the readers' rights are read again,
	// which costs little.
	g.single = append(g.single, func(r *reading) { r.JournalAccessChanged(conversation) })
	g.access.Conversations = append(g.access.Conversations, w.Conversation)
}

// addDraft adds an event for the lists of all readers. The statement finds the readers, after the
// grants were changed.
func (g *group) addDraft(place, draft int, w *domain.Write, d *domain.UserEventDraft) {
	number := int64(len(g.draftOf))
	g.draftOf = append(g.draftOf, draftPlace{place, draft})
	// The number links the result to the draft, since one draft becomes an event for each reader.
	g.drafts.Numbers = append(g.drafts.Numbers, number)
	g.drafts.Conversations = append(g.drafts.Conversations, w.Conversation)
	g.drafts.Types = append(g.drafts.Types, string(d.Type))
	g.drafts.Data = append(g.drafts.Data, string(d.Data))
	g.drafts.Ats = append(g.drafts.Ats, g.at)
	if d.Unread {
		g.unread.Numbers = append(g.unread.Numbers, number)
		g.unread.Conversations = append(g.unread.Conversations, w.Conversation)
		g.unread.Excepts = append(g.unread.Excepts, d.Except)
	}
}

// send writes and commits everything in one round trip. The order matters: chunks before
// the ends that join them, turns before their ends, the logs of people after the grants,
// deletions last.
func (g *group) send(ctx context.Context, conn *pgxpool.Conn) error {
	// It is one batch with its COMMIT, so nothing can happen between two statements except the end
	// of the connection.
	var r reading
	queued(len(g.advance.Ids), r.JournalAdvance, &g.advance)
	queued(len(g.events.Seqs), r.JournalEvents, &g.events)
	queued(len(g.messages.Ids), r.JournalMessages, &g.messages)
	queued(len(g.chunks.Offsets), r.JournalChunks, &g.chunks)
	queued(len(g.ends.Ids), r.JournalMessageEnds, &g.ends)
	queued(len(g.objects.Ids), r.JournalObjects, &g.objects)
	queued(len(g.annotations.Ids), r.JournalAnnotations, &g.annotations)
	queued(len(g.starts.Ids), r.JournalTurnStarts, &g.starts)
	queued(len(g.steps.Turns), r.JournalSteps, &g.steps)
	queued(len(g.usage.Turns), r.JournalUsage, &g.usage)
	if len(g.turnEnds.Turns) > 0 {
		r.JournalTurnEnds(&g.turnEnds)
		// The turn must still run, so this comes after the row of its end: a second end violates
		// the key and fails its write (G6).
		r.JournalTurnsEnded(g.turnEnds.Turns)
	}
	for _, s := range g.single {
		s(&r)
	}
	// A turn that ends may have added a summary, and a rewind may have cut the latest one.
	if summed := append(slices.Clone(g.turnEnds.Conversations), g.cut...); len(summed) > 0 {
		r.JournalSummaries(summed)
	}
	queued(len(g.snapshots.Ids), r.JournalSnapshots, &g.snapshots)
	// The rows of the readers are locked together, in the order of their ids, before any of their
	// logs is written.
	if len(g.draftOf)+len(g.access.Conversations) > 0 {
		readers := dbsqlc.JournalReadersParams{Others: g.access.BeforeUsers}
		readers.Conversations = append(append(readers.Conversations, g.drafts.Conversations...), g.access.Conversations...)
		r.JournalReaders(&readers)
	}
	if len(g.access.Conversations) > 0 {
		r.JournalAccessEvents(&g.access, &g.moved)
	}
	if len(g.draftOf) > 0 {
		r.JournalUserEvents(&g.drafts, &g.userEvents)
		queued(len(g.unread.Numbers), r.JournalUnread, &g.unread)
	}
	// The deletion comes last, because the statements before it still refer to the conversation.
	for _, e := range g.entries {
		if e.write.Delete {
			r.JournalDeleteTurns(e.write.Conversation)
			r.JournalDeleteSnapshot(e.write.Conversation)
			r.JournalDelete(e.write.Conversation)
		}
	}
	r.Queue("COMMIT")
	return conn.SendBatch(ctx, &r.Batch).Close() //nolint:wrapcheck // translated at the end
}

// queued queues the statement of a table, if there are rows for it.
func queued[P any](rows int, query func(*P), params *P) {
	if rows > 0 {
		query(params)
	}
}

// finish sets the user events of every entry, in the order of their seqs.
// It is called after the commit; before it nobody may hear of these events (G2).
func (g *group) finish() {
	for _, r := range g.moved {
		for _, e := range g.entries {
			// A change of access tells each person who gained or lost the conversation.
			if e.write.Conversation == r.ConversationID {
				e.result.UserEvents = append(e.result.UserEvents, domain.UserEvent{
					UserID: r.UserID, UserUUID: r.Uuid, Seq: r.Seq, Type: domain.EventType(r.Type), Data: []byte(r.Data), At: g.at, Home: r.Home,
				})
			}
		}
	}
	for _, r := range g.userEvents {
		place := g.draftOf[r.Number]
		e := g.entries[place.entry]
		d := &e.write.UserEvents[place.draft]
		e.result.UserEvents = append(e.result.UserEvents, domain.UserEvent{
			UserID: r.UserID, UserUUID: r.Uuid, Seq: r.Seq, Type: d.Type, Data: d.Data, At: g.at, Home: r.Home,
		})
	}
}

// recover reads user events of a group whose commit was not answered: the last one of each
// reader, so that the sessions notice the gap and read the rest.
// The events themselves cannot be recovered from the write, because the statement chose their
// readers and seqs.
func (g *group) recover(ctx context.Context, s *core) {
	var changed []domain.Grantee
	for _, e := range g.entries {
		// People who have just lost the right are not among the readers, but must hear of it.
		for _, grant := range e.write.Grants {
			changed = append(changed, grant.Grantee)
		}
	}
	conversations := slices.Concat(g.drafts.Conversations, g.access.Conversations)
	if len(conversations) == 0 {
		return
	}
	events, err := s.newestUserEvents(ctx, conversations, changed)
	if err != nil {
		// The sessions find the gap at the next event.
		s.logger.LogAttrs(ctx, levelOf(lastPause), "journal: the events of a committed group could not be read", errorAttr(err))
		return
	}
	// The order of the results does not matter: each event goes to its own person.
	g.entries[0].result.UserEvents = append(g.entries[0].result.UserEvents, events...)
}

// newestUserEvents reads the newest event of each person who reads the conversations, or whose
// grant has changed.
func (s *core) newestUserEvents(ctx context.Context, conversations []uuid.UUID, changed []domain.Grantee) ([]domain.UserEvent, error) {
	p := dbsqlc.JournalRecoverParams{Conversations: conversations, Users: []int64{}, Teams: []int64{}}
	for _, who := range changed {
		if who.Type == domain.GranteeTeam {
			p.Teams = append(p.Teams, who.ID)
		} else {
			p.Users = append(p.Users, who.ID)
		}
	}
	var rows []dbsqlc.JournalRecoverRow
	if err := s.asEngine(ctx, func(r *reading) { r.JournalRecover(&p, &rows) }); err != nil {
		return nil, err
	}
	events := make([]domain.UserEvent, len(rows))
	for i, r := range rows {
		events[i] = domain.UserEvent{
			UserID: r.UserID, UserUUID: r.Uuid, Seq: r.Seq, Type: domain.EventType(r.Type), Data: r.Data, At: utc(r.At), Home: r.Home,
		}
	}
	return events, nil
}
