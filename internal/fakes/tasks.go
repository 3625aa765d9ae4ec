package fakes

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Tasks stores scheduled tasks that tests make due. It implements domain.TaskStore,
// and has its own clock, like the database.
type Tasks struct {
	mu    sync.Mutex
	now   time.Time
	tasks map[uuid.UUID]*Task
	// Err, if not nil, fails every call for which it returns an error.
	Err func(op string) error
}

// Task is one row.
type Task struct {
	Due   time.Time // zero: not due
	Epoch int64
	// Activation and Node identify the owner.
	Activation uuid.UUID
	Node       string
	// Fired lists the conversations that were started, one for each due time.
	Fired []uuid.UUID
	// Refused counts the calls of former owners.
	Refused int
}

var _ domain.TaskStore = (*Tasks)(nil)

// NewTasks makes a store whose clock shows now.
func NewTasks(now time.Time) *Tasks { return &Tasks{now: now, tasks: map[uuid.UUID]*Task{}} }

// SetNow moves the store's clock.
func (s *Tasks) SetNow(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = now
}

// SetDue makes a task due at a time, and adds the task if it does not exist.
func (s *Tasks) SetDue(id uuid.UUID, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tasks[id] == nil {
		s.tasks[id] = &Task{}
	}
	s.tasks[id].Due = at
}

// Task returns a copy of a row.
func (s *Tasks) Task(id uuid.UUID) Task {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := *s.tasks[id]
	t.Fired = append([]uuid.UUID{}, t.Fired...)
	return t
}

// Fail sets Err while the store is in use.
func (s *Tasks) Fail(f func(op string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Err = f
}

func (s *Tasks) err(op string) error {
	if s.Err == nil {
		return nil
	}
	return s.Err(op)
}

func (t *Task) isDue(now time.Time) bool { return !t.Due.IsZero() && !t.Due.After(now) }

// DueTasks implements domain.TaskStore.
func (s *Tasks) DueTasks(_ context.Context, _ string, limit int) (domain.DueTasks, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	due := domain.DueTasks{Now: s.now}
	for id, t := range s.tasks {
		if t.isDue(s.now) && len(due.IDs) < limit {
			due.IDs = append(due.IDs, id)
		}
	}
	return due, s.err("due")
}

// ClaimTask implements domain.TaskStore.
func (s *Tasks) ClaimTask(_ context.Context, task, activation uuid.UUID, node string) (*domain.TaskClaim, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.err("claim"); err != nil {
		return nil, err
	}
	t := s.tasks[task]
	if t == nil {
		return nil, domain.NotFound("Scheduled task")
	}
	t.Epoch++
	t.Activation, t.Node = activation, node
	return &domain.TaskClaim{Task: task, OrganisationID: 1, Fence: domain.Fence{Epoch: t.Epoch, Activation: activation}}, nil
}

// TaskHome implements domain.TaskStore.
func (s *Tasks) TaskHome(_ context.Context, task uuid.UUID) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tasks[task]; t != nil {
		return t.Node, s.err("home")
	}
	return "", s.err("home")
}

// FireTask implements domain.TaskStore.
func (s *Tasks) FireTask(_ context.Context, claim *domain.TaskClaim) (*domain.TaskFired, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.err("fire"); err != nil {
		return nil, err
	}
	t := s.tasks[claim.Task]
	if t.Activation != claim.Fence.Activation {
		t.Refused++
		return nil, domain.Errorf(domain.CodeFenced, "The task has another owner now.")
	}
	if !t.isDue(s.now) {
		return &domain.TaskFired{}, nil
	}
	t.Due = time.Time{}
	conversation := domain.NewID()
	t.Fired = append(t.Fired, conversation)
	return &domain.TaskFired{Conversation: conversation}, nil
}

// ReleaseTask implements domain.TaskStore.
func (s *Tasks) ReleaseTask(_ context.Context, claim *domain.TaskClaim) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tasks[claim.Task]; t != nil && t.Activation == claim.Fence.Activation {
		t.Node = ""
	}
	return s.err("release")
}

// SettleTaskRuns implements domain.TaskStore.
func (s *Tasks) SettleTaskRuns(context.Context, int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return 0, s.err("settle")
}
