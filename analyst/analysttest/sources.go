package analysttest

import (
	"context"
	"slices"
	"sync"

	"github.com/google/uuid"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// Sources are the data sources that the person may read; all are attached. It
// is safe for concurrent use.
type Sources struct {
	domain.DataSourceService

	mu   sync.Mutex
	list []domain.DataSource
}

// NewSources makes Sources.
func NewSources(list ...domain.DataSource) *Sources { return &Sources{list: list} }

// Revoke takes the right to a source away.
func (s *Sources) Revoke(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = slices.DeleteFunc(slices.Clone(s.list), func(d domain.DataSource) bool { return d.ID == id })
}

// Readable implements domain.DataSourceService.
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

// OfConversation implements domain.DataSourceService.
func (s *Sources) OfConversation(context.Context, domain.Caller, uuid.UUID) ([]domain.DataSource, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list), nil
}

// Agents answers one agent for every id.
type Agents struct {
	domain.AnalystService
	Agent domain.Analyst
}

// Analyst implements domain.AnalystService.
func (a *Agents) Analyst(context.Context, int64, int64) (*domain.Analyst, error) {
	agent := a.Agent
	return &agent, nil
}

// DefaultAnalyst implements domain.AnalystService.
func (a *Agents) DefaultAnalyst(context.Context, int64) (*domain.Analyst, error) {
	agent := a.Agent
	return &agent, nil
}

// QueryFunc is a Workbench.
type QueryFunc func(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error)

var _ analyst.Workbench = QueryFunc(nil)

// Query implements analyst.Workbench.
func (f QueryFunc) Query(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error) {
	return f(ctx, sources, sql)
}

// Past is a History.
type Past []domain.Message

var _ analyst.History = Past(nil)

// Messages implements analyst.History.
func (p Past) Messages(context.Context, uuid.UUID, int) ([]domain.Message, error) { return p, nil }

// Job makes a job for a prompt.
func Job(prompt string) analyst.Job {
	conversation, turn := domain.NewID(), domain.NewID()
	return analyst.Job{
		Turn:   domain.Turn{ID: turn, ConversationID: conversation, UserID: 7, AnalystID: 1, Attempt: 1, Status: domain.TurnRunning},
		Caller: domain.Caller{UserID: 7, OrganisationID: 3},
		Prompt: domain.Message{ID: domain.NewID(), ConversationID: conversation, TurnID: turn, Role: domain.RoleUser, Text: prompt},
	}
}
