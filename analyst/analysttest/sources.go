package analysttest

import (
	"context"
	"slices"
	"sync"

	"github.com/google/uuid"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// Sources are the data sources that the person may read. All of them are attached or, after Detach,
// none. It is safe for concurrent use.
type Sources struct {
	mu       sync.Mutex
	list     []domain.DataSource
	detached bool
}

var (
	_ analyst.DataSourceReader = (*Sources)(nil)
	_ analyst.AgentReader      = (*Agents)(nil)
)

// NewSources makes Sources.
func NewSources(list ...domain.DataSource) *Sources { return &Sources{list: list} }

// Revoke removes the right to read a source.
func (s *Sources) Revoke(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = slices.DeleteFunc(slices.Clone(s.list), func(d domain.DataSource) bool { return d.ID == id })
}

// Detach leaves the sources readable, but not attached to the conversation.
func (s *Sources) Detach() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.detached = true
}

// Readable implements analyst.DataSourceReader.
func (s *Sources) Readable(_ context.Context, _, _ int64, ids []int64) ([]domain.DataSource, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []domain.DataSource
	for _, d := range s.list {
		if slices.Contains(ids, d.ID) {
			out = append(out, d)
		}
	}
	return out, nil
}

// OfConversation implements analyst.DataSourceReader.
func (s *Sources) OfConversation(context.Context, domain.Caller, uuid.UUID) ([]domain.DataSource, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.detached {
		return nil, nil
	}
	return slices.Clone(s.list), nil
}

// Agents returns the same agent for every id that is not in Others. It is safe for concurrent use as
// long as its fields are not changed.
type Agents struct {
	Agent  domain.Analyst
	Others map[int64]domain.Analyst
	// Gone are the ids of agents that may no longer be used.
	Gone []int64
}

// Analyst returns the agent with an id, or CodeNotFound for an id in Gone.
func (a *Agents) Analyst(_ context.Context, _, id int64) (*domain.Analyst, error) {
	if slices.Contains(a.Gone, id) {
		return nil, domain.NotFound("Agent")
	}
	agent, ok := a.Others[id]
	if !ok {
		agent = a.Agent
	}
	return &agent, nil
}

// UsableAnalyst implements analyst.AgentReader: every caller may use every agent.
func (a *Agents) UsableAnalyst(ctx context.Context, caller domain.Caller, id int64) (*domain.Analyst, error) {
	return a.Analyst(ctx, caller.OrganisationID, id)
}

// DefaultAnalyst implements analyst.AgentReader.
func (a *Agents) DefaultAnalyst(context.Context, int64) (*domain.Analyst, error) {
	agent := a.Agent
	return &agent, nil
}

// Memories recalls the memories of its list that are named, and the memories of the specialist that are
// always recalled or whose question is the text. It records the recalls. It is safe for concurrent use.
type Memories struct {
	mu    sync.Mutex
	list  []domain.Memory
	asked []domain.Recall
}

var _ domain.Recaller = (*Memories)(nil)

// NewMemories returns enabled Memories of organisation 3.
func NewMemories(list ...domain.Memory) *Memories {
	for i := range list {
		list[i].OrganisationID, list[i].IsEnabled = 3, true
	}
	return &Memories{list: list}
}

// Recall implements domain.Recaller.
func (m *Memories) Recall(_ context.Context, _, _ int64, q domain.Recall) ([]domain.Memory, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, q)
	var named, others []domain.Memory
	for _, x := range m.list {
		switch {
		case slices.Contains(q.IDs, x.ID) || slices.ContainsFunc(x.Labels, func(l int64) bool { return slices.Contains(q.Labels, l) }):
			named = append(named, x)
		case q.Specialist == x.Specialist && (x.AlwaysRecalled || q.Text != "" && x.Question == q.Text):
			others = append(others, x)
		}
	}
	return append(named, others...), nil
}

// Asked returns the recalls so far.
func (m *Memories) Asked() []domain.Recall {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

// Add adds a memory.
func (m *Memories) Add(x domain.Memory) {
	m.mu.Lock()
	defer m.mu.Unlock()
	x.OrganisationID, x.IsEnabled = 3, true
	m.list = append(m.list, x)
}

// QueryFunc is a Workbench made of a function.
type QueryFunc func(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error)

var _ analyst.Workbench = QueryFunc(nil)

// Query implements analyst.Workbench.
func (f QueryFunc) Query(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error) {
	return f(ctx, sources, sql)
}

// Past is a History made of a list of messages.
type Past []domain.Message

var _ analyst.History = Past(nil)

// Messages implements analyst.History.
func (p Past) Messages(context.Context, uuid.UUID, int) ([]domain.Message, error) { return p, nil }

// PlanJob makes a job that runs a plan.
func PlanJob(prompt string, steps ...domain.PlanStep) *analyst.Job {
	j := Job(prompt)
	for i := range steps {
		steps[i].Number = i + 1
	}
	j.Turn.Plan = &domain.Plan{BlueprintID: 5, Blueprint: "Weekly review", Steps: steps}
	return j
}

// Job makes a job for a prompt.
func Job(prompt string) *analyst.Job {
	conversation, turn := domain.NewID(), domain.NewID()
	return &analyst.Job{
		Turn:   domain.Turn{ID: turn, ConversationID: conversation, UserID: 7, AnalystID: 1, Attempt: 1, Status: domain.TurnRunning},
		Caller: domain.Caller{UserID: 7, OrganisationID: 3},
		Prompt: domain.Message{ID: domain.NewID(), ConversationID: conversation, TurnID: turn, Role: domain.RoleUser, Text: prompt},
	}
}
