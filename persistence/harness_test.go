package persistence_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// owned is a conversation with its owner's state, as an actor has it.
type owned struct {
	t       testing.TB
	store   *persistence.Store
	journal *persistence.Journal
	caller  domain.Caller
	// sources are the data sources of its prompts.
	sources []int64
	*domain.Claim
}

// startJournal returns a journal that is stopped at the end of the test.
func startJournal(tb testing.TB, s *persistence.Store, cfg persistence.JournalConfig) *persistence.Journal {
	tb.Helper()
	j := s.NewJournal(cfg)
	require.NoError(tb, j.Start(tb.Context()))
	tb.Cleanup(j.Stop)
	return j
}

// own makes a conversation of the person and claims it.
func own(tb testing.TB, s *persistence.Store, j *persistence.Journal, email string) *owned {
	tb.Helper()
	caller := persistencetest.Caller(tb, s, email)
	c, err := s.Conversations.CreateConversation(tb.Context(), caller, domain.NewConversation{Name: "Talk"})
	require.NoError(tb, err)
	o := &owned{t: tb, store: s, journal: j, caller: caller, sources: []int64{1, 2}}
	o.claim(c.ID)
	return o
}

func (o *owned) claim(id uuid.UUID) {
	o.t.Helper()
	claim, err := o.store.ConversationStore.Claim(o.t.Context(), id, uuid.New(), "node", nil)
	require.NoError(o.t, err)
	o.Claim = claim
}

// write sets the fields that every write has.
func (o *owned) write(w domain.Write) *domain.Write {
	w.Conversation, w.OrganisationID, w.Fence, w.NextSeq = o.Conversation, o.OrganisationID, o.Fence, o.NextSeq
	w.Chunks, w.Events = slices.Clone(w.Chunks), slices.Clone(w.Events)
	return &w
}

// try commits one write and advances the seq by its events.
func (o *owned) try(w domain.Write) domain.WriteResult {
	o.t.Helper()
	r := <-submit(o.journal, o.write(w))
	if r.Err == nil {
		o.NextSeq += int64(len(w.Events))
	}
	return r
}

func (o *owned) must(w domain.Write) domain.WriteResult {
	o.t.Helper()
	r := o.try(w)
	require.NoError(o.t, r.Err)
	return r
}

// submit returns a channel for the result. After the answer the write belongs to its owner
// again, who changes it at once: a journal that still reads it then would store the
// changes, or cause a data race.
func submit(j domain.Journal, w *domain.Write) <-chan domain.WriteResult {
	c := make(chan domain.WriteResult, 1)
	j.Submit(w, func(r domain.WriteResult) {
		go func() {
			clear(w.Chunks)
			clear(w.Events)
			*w = domain.Write{Conversation: uuid.New(), Chunks: w.Chunks, Events: w.Events, Delete: true}
			c <- r
		}()
	})
	return c
}

func event(t domain.EventType) domain.Event {
	return domain.Event{Type: t, Generation: 1, Data: json.RawMessage(`{"a":1}`)}
}

// prompt starts a turn, and returns its id and the id of the message that is answered.
func (o *owned) prompt(text string) (turn, message uuid.UUID) {
	o.t.Helper()
	turn, message = uuid.New(), uuid.New()
	o.must(domain.Write{
		Events: []domain.Event{event(domain.EventMessageCreated)},
		Messages: []domain.Message{{
			ID: message, TurnID: turn, Seq: o.NextSeq, Generation: o.Generation, Role: domain.RoleUser, Text: text, Status: domain.MessageComplete,
			Author: &domain.Person{ID: o.caller.UserID}, DataSources: o.sources,
		}},
		TurnStart: &domain.Turn{ID: turn, Prompt: message, UserID: o.caller.UserID, AnalystID: 1, Attempt: 1},
	})
	return turn, message
}

// open starts an answer.
func (o *owned) open(turn, parent uuid.UUID) uuid.UUID {
	o.t.Helper()
	id := uuid.New()
	o.must(domain.Write{
		Events: []domain.Event{event(domain.EventMessageCreated)},
		Messages: []domain.Message{{
			ID: id, TurnID: turn, ParentID: parent, Seq: o.NextSeq, Generation: o.Generation, Role: domain.RoleAssistant,
			Status: domain.MessageStreaming, AnalystID: 1, AnalystName: "prism-1",
		}},
	})
	return id
}

func chunk(message uuid.UUID, offset int64, text string) domain.Write {
	return domain.Write{Chunks: []domain.Chunk{{Message: message, Offset: offset, Text: text}}}
}

// end closes the answer and the turn.
func (o *owned) end(turn, message uuid.UUID, status domain.TurnStatus) domain.WriteResult {
	o.t.Helper()
	return o.try(domain.Write{
		Events:      []domain.Event{event(domain.EventMessageUpdated), event(domain.EventStreamingComplete)},
		MessageEnds: []domain.MessageEnd{{Message: message, Status: domain.MessageStatus(status)}},
		TurnEnd:     &domain.TurnEnd{Turn: turn, Status: status},
	})
}

// openURL is a store with the usual world, and the address of its database.
func openURL(tb testing.TB) (*persistence.Store, string) {
	tb.Helper()
	url := persistencetest.URL(tb)
	s := persistencetest.OpenURL(tb, url)
	require.NoError(tb, s.Samples.Seed(tb.Context(), persistencetest.World()))
	return s, url
}

// requireCode checks the code of an error.
func requireCode(tb testing.TB, code domain.Code, err error) {
	tb.Helper()
	require.Equal(tb, code, domain.CodeOf(err), "%v", err)
}

// grant grants a person a permission.
func (o *owned) grant(email string, p domain.Permission) domain.WriteResult {
	o.t.Helper()
	return o.must(domain.Write{
		Events: []domain.Event{event(domain.EventConversationUpdated)},
		Grants: []domain.Grant{{
			Grantee:    domain.Grantee{ID: persistencetest.Caller(o.t, o.store, email).UserID, Type: domain.GranteeUser},
			Permission: p,
		}},
	})
}

// createSource makes a data source whose files are in the account first, as with a request.
func createSource(t *testing.T, s *persistence.Store, caller domain.Caller, n domain.NewDataSource) (*domain.DataSource, error) {
	t.Helper()
	noteFiles(t, s, caller, n.FileKey, n.WorkKey)
	return s.DataSources.CreateDataSource(t.Context(), caller, n)
}

func noteFiles(t *testing.T, s *persistence.Store, caller domain.Caller, keys ...string) {
	t.Helper()
	require.NoError(t, s.Files.FileIntake("").Begin(t.Context(), caller.OrganisationID, keys...))
}
