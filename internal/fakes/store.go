package fakes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Store keeps conversations and people's logs in memory. It implements
// domain.ConversationStore, domain.SessionStore and conversation.AnalystReader, and
// records every write that a correct engine would not send.
type Store struct {
	mu            sync.Mutex
	conversations map[uuid.UUID]*Conversation
	users         map[int64]*User
	violations    []string
	alive         map[string]bool
	reads         int
	teams         domain.TeamChanges
	// Err, if not nil, fails every read and claim for which it returns an error.
	Err func(op string, id uuid.UUID) error
	// BeforeEvents is called before events are read, without the store's lock, so that it
	// does not block other calls. Set it before the engine starts to read.
	BeforeEvents func()
	// AfterAccess is called after a right was read and before it is returned, without the
	// store's lock. Set it before the engine starts to read.
	AfterAccess func()
}

// Conversation is one row of a conversation, with all rows that belong to it.
type Conversation struct {
	ID          uuid.UUID
	Org, Owner  int64
	Name        string
	Epoch       int64
	Activation  uuid.UUID
	Node        string
	NextSeq     int64
	Generation  int64
	Access      int64
	Deleted     bool
	Grants      map[int64]domain.Permission
	Sources     []int64
	Snapshot    *domain.Snapshot
	Events      []domain.Event
	Messages    []*domain.Message
	Cut         map[uuid.UUID]bool
	Turns       []*domain.Turn
	Steps       map[uuid.UUID][]domain.Step
	Usage       []domain.Usage
	Epochs      []uuid.UUID // the activation of each epoch
	Requests    []uuid.UUID // newest first
	Description string
}

var _ domain.ConversationStore = (*Store)(nil)

// NewStore makes an empty store.
func NewStore() *Store {
	return &Store{conversations: map[uuid.UUID]*Conversation{}, users: map[int64]*User{}, alive: map[string]bool{}}
}

// AddConversation adds an empty conversation with its first event.
func (s *Store) AddConversation(id uuid.UUID, org, owner int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conversations[id] = &Conversation{
		ID: id, Org: org, Owner: owner, Name: domain.DefaultConversationName, NextSeq: 2, Grants: map[int64]domain.Permission{},
		Cut: map[uuid.UUID]bool{}, Steps: map[uuid.UUID][]domain.Step{},
		Events: []domain.Event{{Seq: 1, Type: domain.EventConversationCreated, Data: []byte(`{}`)}},
	}
}

// Grant sets a person's permission without informing the engine.
func (s *Store) Grant(id uuid.UUID, user int64, p domain.Permission) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conversations[id].Grants[user] = p
}

// SetAlive sets whether a node's lease is valid; Home and Orphans use it.
func (s *Store) SetAlive(node string, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.alive[node] = on
}

// Violations lists the writes that a correct engine would not have sent.
func (s *Store) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// Look calls f with a conversation, under the store's lock.
func (s *Store) Look(id uuid.UUID, f func(*Conversation)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.conversations[id]; c != nil {
		f(c)
	}
}

// Text is the stored text of a message.
func (s *Store) Text(id uuid.UUID) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.message(id, func(*Conversation) bool { return true }); m != nil {
		return m.Text
	}
	return ""
}

// SetErr sets Err while the store is in use.
func (s *Store) SetErr(f func(op string, id uuid.UUID) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Err = f
}

func (s *Store) fail(op string, id uuid.UUID) error {
	s.reads++
	if s.Err == nil {
		return nil
	}
	return s.Err(op, id)
}

// Claim implements domain.ConversationStore.
func (s *Store) Claim(_ context.Context, id, activation uuid.UUID, node string, silent []string) (*domain.Claim, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fail("claim", id); err != nil {
		return nil, err
	}
	c := s.conversations[id]
	if c == nil || c.Deleted {
		return nil, domain.NotFound("Conversation")
	}
	lives := c.Node != "" && c.Node != node && s.alive[c.Node]
	if lives && !slices.Contains(silent, c.Node) {
		return nil, domain.Errorf(domain.CodeFenced, "Another node owns the conversation.")
	}
	c.Epoch++
	c.Activation, c.Node = activation, node
	c.Epochs = append(c.Epochs, activation)
	claim := &domain.Claim{
		Conversation: id, OrganisationID: c.Org, Fence: domain.Fence{Epoch: c.Epoch, Activation: activation}, NextSeq: c.NextSeq,
		Generation: c.Generation, OwnerID: c.Owner, Name: c.Name, AccessVersion: c.Access, DataSources: c.Sources, Snapshot: c.Snapshot,
		OwnerLives: lives, Requests: slices.Clone(c.Requests),
	}
	for _, t := range c.Turns {
		if t.Status == domain.TurnRunning {
			claim.Running = c.running(t)
		}
	}
	claim.Stopped = c.stopped()
	// The claim is stored, but its answer can still be lost.
	if err := s.fail("claimed", id); err != nil {
		return nil, err
	}
	return claim, nil
}

func (c *Conversation) running(t *domain.Turn) *domain.RunningTurn {
	r := &domain.RunningTurn{Turn: *t, Steps: slices.Clone(c.Steps[t.ID])}
	for _, m := range c.Messages {
		switch {
		case m.TurnID != t.ID:
		case m.ID == t.Prompt:
			r.Prompt = *m
		case m.Status == domain.MessageStreaming:
			r.Open = append(r.Open, *m)
		}
		if m.TurnID == t.ID && (m.Role == domain.RoleAssistant || m.Role == domain.RoleSummary) {
			r.Spoke = r.Spoke || m.Text != ""
			if m.Status != domain.MessageStreaming {
				r.Answered += int64(len(m.Text))
			}
		}
	}
	return r
}

// stopped returns the last prompt that was not cut, if its turn was stopped and there was no
// rewind after it.
func (c *Conversation) stopped() *domain.Message {
	for _, m := range slices.Backward(c.Messages) {
		if m.Role != domain.RoleUser || c.Cut[m.ID] {
			continue
		}
		for _, t := range c.Turns {
			if t.ID == m.TurnID && t.Status == domain.TurnStopped && m.Generation == c.Generation {
				prompt := *m
				return &prompt
			}
		}
		return nil
	}
	return nil
}

// Events implements domain.ConversationStore.
func (s *Store) Events(_ context.Context, id uuid.UUID, after int64, limit int) ([]domain.Event, error) {
	if s.BeforeEvents != nil {
		s.BeforeEvents()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fail("events", id); err != nil {
		return nil, err
	}
	var out []domain.Event
	if c := s.conversations[id]; c != nil {
		for _, e := range c.Events {
			if e.Seq > after && len(out) < limit {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

// OpenText implements domain.ConversationStore.
func (s *Store) OpenText(_ context.Context, conversation, id uuid.UUID, offset int64) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.message(id, func(c *Conversation) bool { return c.ID == conversation }); m != nil {
		return m.Text[offset:], nil
	}
	return "", domain.NotFound("Message")
}

// message finds a message in the conversations for which in returns true.
func (s *Store) message(id uuid.UUID, in func(*Conversation) bool) *domain.Message {
	for _, c := range s.conversations {
		if !in(c) {
			continue
		}
		for _, m := range c.Messages {
			if m.ID == id {
				return m
			}
		}
	}
	return nil
}

// MessageByID implements domain.ConversationStore.
func (s *Store) MessageByID(_ context.Context, organisation int64, id uuid.UUID) (*domain.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fail("message", id); err != nil {
		return nil, err
	}
	if m := s.message(id, func(c *Conversation) bool { return c.Org == organisation }); m != nil {
		found := *m
		return &found, nil
	}
	return nil, nil
}

// TurnAnalyst implements domain.ConversationStore.
func (s *Store) TurnAnalyst(_ context.Context, turn uuid.UUID) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conversations {
		for _, t := range c.Turns {
			if t.ID == turn {
				return t.AnalystID, nil
			}
		}
	}
	return 0, nil
}

// PromptPlan implements domain.ConversationStore: there are no blueprints.
func (s *Store) PromptPlan(context.Context, domain.Caller, *domain.Prompt) (*domain.PromptPlan, error) {
	return nil, domain.Invalid("iceBreakerId", "This blueprint is not available.")
}

// Messages implements domain.ConversationStore.
func (s *Store) Messages(_ context.Context, id uuid.UUID, limit int) ([]domain.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fail("messages", id); err != nil {
		return nil, err
	}
	var out []domain.Message
	if c := s.conversations[id]; c != nil {
		for _, m := range c.Messages {
			if !c.Cut[m.ID] {
				out = append(out, *m)
			}
		}
	}
	if limit > 0 && len(out) > limit {
		out = out[len(out)-limit:]
	}
	return out, nil
}

// MessagesBefore implements domain.ConversationStore.
func (s *Store) MessagesBefore(ctx context.Context, id uuid.UUID, before int64, limit int) ([]domain.Message, error) {
	list, err := s.Messages(ctx, id, 0)
	list = slices.DeleteFunc(list, func(m domain.Message) bool { return m.Seq >= before })
	return list[max(0, len(list)-limit):], err
}

// Access implements domain.ConversationStore.
func (s *Store) Access(_ context.Context, id uuid.UUID, user int64) (domain.Permission, int64, error) {
	if s.AfterAccess != nil {
		defer s.AfterAccess()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fail("access", id); err != nil {
		return domain.PermissionNone, 0, err
	}
	c := s.conversations[id]
	if c == nil {
		return domain.PermissionNone, 0, domain.NotFound("Conversation")
	}
	if c.Owner == user {
		return domain.PermissionOwner, c.Access, nil
	}
	return c.Grants[user], c.Access, nil
}

// Stored implements domain.ConversationStore.
func (s *Store) Stored(_ context.Context, id uuid.UUID, caller domain.Caller) (*domain.StoredConversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fail("stored", id); err != nil {
		return nil, err
	}
	c := s.conversations[id]
	if c == nil || c.Deleted || c.Org != caller.OrganisationID {
		return &domain.StoredConversation{Permission: domain.PermissionNone}, nil
	}
	out := &domain.StoredConversation{Permission: c.Grants[caller.UserID], Epoch: c.Epoch, Generation: c.Generation, Head: c.NextSeq - 1}
	if c.Owner == caller.UserID {
		out.Permission = domain.PermissionOwner
	}
	for _, m := range c.Messages {
		if m.Status == domain.MessageStreaming && !c.Cut[m.ID] {
			out.Open = append(out.Open, domain.OpenMessage{Message: m.ID, Length: int64(len(m.Text))})
		}
	}
	return out, nil
}

// Deletion implements domain.ConversationStore.
func (s *Store) Deletion(_ context.Context, id uuid.UUID, user int64) (*domain.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.conversations[id]
	if c == nil || !c.Deleted || c.Owner != user && !c.Grants[user].CanRead() {
		return nil, nil //nolint:nilnil // nil means that there is no event to send
	}
	last := c.Events[len(c.Events)-1]
	return &last, nil
}

// Underway implements domain.ConversationStore.
func (s *Store) Underway(_ context.Context, id uuid.UUID) (uuid.UUID, *domain.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fail("underway", id); err != nil {
		return uuid.Nil, nil, err
	}
	c := s.conversations[id]
	if c == nil || c.Deleted {
		return uuid.Nil, nil, nil
	}
	for _, t := range c.Turns {
		if t.Status == domain.TurnRunning {
			return t.ID, nil, nil
		}
	}
	return uuid.Nil, c.stopped(), nil
}

// Home implements domain.ConversationStore.
func (s *Store) Home(_ context.Context, id uuid.UUID) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch c := s.conversations[id]; {
	case c == nil:
		return "", domain.NotFound("Conversation")
	case !s.alive[c.Node]:
		return "", nil
	default:
		return c.Node, nil
	}
}

// Alive reports whether a node's lease is valid.
func (s *Store) Alive(node string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.alive[node]
}

// Attendants implements domain.ConversationStore. Here all people belong to one organisation
// and have no names.
func (s *Store) Attendants(_ context.Context, open map[uuid.UUID][]uuid.UUID) (map[uuid.UUID][]domain.Person, error) {
	out := make(map[uuid.UUID][]domain.Person, len(open))
	for conversation, people := range open {
		for _, person := range people {
			out[conversation] = append(out[conversation], domain.Person{UUID: person})
		}
	}
	return out, nil
}

// Superseded implements domain.ConversationStore.
func (s *Store) Superseded(_ context.Context, node string, ids []uuid.UUID) ([]domain.Superseded, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []domain.Superseded
	for _, id := range ids {
		if c := s.conversations[id]; c != nil && c.Node != node {
			out = append(out, domain.Superseded{Conversation: id, Epoch: c.Epoch})
		}
	}
	return out, nil
}

// Orphans implements domain.ConversationStore.
func (s *Store) Orphans(_ context.Context, limit int) ([]uuid.UUID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []uuid.UUID
	for id, c := range s.conversations {
		for _, t := range c.Turns {
			if t.Status == domain.TurnRunning && !c.Deleted && !s.alive[c.Node] && len(out) < limit {
				out = append(out, id)
			}
		}
	}
	return out, nil
}

// ChangeTeam adds a change of a team: of a conversation that it can read, or of a person.
// Every call of TeamChanges returns it again.
func (s *Store) ChangeTeam(c domain.TeamChange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.teams.Changes = append(s.teams.Changes, c)
}

// TeamChanges implements domain.ConversationStore.
func (s *Store) TeamChanges(context.Context, string, string) (*domain.TeamChanges, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fail("teams", uuid.Nil); err != nil {
		return nil, err
	}
	return &domain.TeamChanges{Next: "1", Changes: slices.Clone(s.teams.Changes)}, nil
}

// Release implements domain.ConversationStore.
func (s *Store) Release(_ context.Context, id uuid.UUID, f domain.Fence) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.conversations[id]
	if c == nil || c.Epoch != f.Epoch || c.Activation != f.Activation {
		return domain.Errorf(domain.CodeFenced, "fenced")
	}
	c.Node = ""
	return nil
}

// Analyst implements conversation.AnalystReader.
func (s *Store) Analyst(context.Context, int64, int64) (*domain.Analyst, error) {
	return &domain.Analyst{ID: 1, Name: domain.DefaultAnalystName, IsEnabled: true, IsDefault: true}, nil
}

// DefaultAnalyst implements conversation.AnalystReader.
func (s *Store) DefaultAnalyst(ctx context.Context, organisation int64) (*domain.Analyst, error) {
	return s.Analyst(ctx, organisation, 1)
}

// UsableAnalyst implements conversation.AnalystReader: every person may use every agent.
func (s *Store) UsableAnalyst(ctx context.Context, caller domain.Caller, id int64) (*domain.Analyst, error) {
	return s.Analyst(ctx, caller.OrganisationID, id)
}

func (s *Store) violation(w *domain.Write, format string, args ...any) {
	s.violations = append(s.violations, fmt.Sprintf("%s: %s", w.Conversation, fmt.Sprintf(format, args...)))
}

// Summary describes a conversation, for failure messages.
func (s *Store) Summary(id uuid.UUID) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.conversations[id]
	var b strings.Builder
	fmt.Fprintf(&b, "next %d generation %d epoch %d deleted %v\n", c.NextSeq, c.Generation, c.Epoch, c.Deleted)
	for _, e := range c.Events {
		fmt.Fprintf(&b, "  %d %s e%d g%d %s\n", e.Seq, e.Type, e.Epoch, e.Generation, e.Data)
	}
	for _, t := range c.Turns {
		fmt.Fprintf(&b, "  turn %s attempt %d %s %s\n", t.ID, t.Attempt, t.Status, t.Reason)
	}
	return b.String()
}
