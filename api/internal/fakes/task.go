package fakes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// TaskID is the only task; it belongs to the owner.
const TaskID = "01920000-0000-7000-8000-0000000000aa"

// Tasks is the service of scheduled tasks. It answers every caller with one task, whatever is
// written.
type Tasks struct{ *World }

func (s Tasks) one() *domain.ScheduledTask {
	return &domain.ScheduledTask{
		ID: uuid.MustParse(TaskID), OrganisationID: 1, Owner: domain.Person{ID: s.Owner.ID, UUID: s.Owner.UUID, FullName: s.Owner.FullName},
		Name: "Weekly sales", BlueprintID: 7, ProjectLabels: []domain.LabelRef{{ID: 3, Name: "Sales", Color: "teal"}},
		Schedule:  domain.Schedule{Frequency: domain.FrequencyWeekly, TimeZone: "Europe/Paris", Minute: 570, DayOfWeek: time.Monday},
		IsEnabled: true, NextRunAt: time.Date(2026, 11, 23, 8, 30, 0, 0, time.UTC), Version: 3, CreatedAt: s.now, UpdatedAt: s.now,
	}
}

// Task implements domain.TaskService.
func (s Tasks) Task(_ context.Context, _ domain.Caller, id uuid.UUID) (*domain.ScheduledTask, error) {
	return s.one(), s.note("Task", id)
}

// Tasks implements domain.TaskService.
func (s Tasks) Tasks(_ context.Context, _ domain.Caller, f domain.TaskFilter) (domain.List[domain.ScheduledTask], error) {
	return domain.List[domain.ScheduledTask]{Results: []domain.ScheduledTask{*s.one()}, Count: 1}, s.note("Tasks", f)
}

// CreateTask implements domain.TaskService.
func (s Tasks) CreateTask(_ context.Context, _ domain.Caller, in domain.TaskInput) (*domain.ScheduledTask, error) {
	return s.one(), s.note("CreateTask", in)
}

// TaskChange has the arguments of a call of UpdateTask.
type TaskChange struct {
	ID    uuid.UUID
	Input domain.TaskInput
}

// UpdateTask implements domain.TaskService.
func (s Tasks) UpdateTask(_ context.Context, _ domain.Caller, id uuid.UUID, in domain.TaskInput) (*domain.ScheduledTask, error) {
	return s.one(), s.note("UpdateTask", TaskChange{id, in})
}

// TaskSwitch is what SetTaskEnabled and SetTaskArchived were asked.
type TaskSwitch struct {
	ID      uuid.UUID
	On      bool
	Version int
}

// SetTaskEnabled implements domain.TaskService.
func (s Tasks) SetTaskEnabled(_ context.Context, _ domain.Caller, id uuid.UUID, on bool, version int) (*domain.ScheduledTask, error) {
	return s.one(), s.note("SetTaskEnabled", TaskSwitch{id, on, version})
}

// SetTaskArchived implements domain.TaskService. It answers with a task that is archived.
func (s Tasks) SetTaskArchived(_ context.Context, _ domain.Caller, id uuid.UUID, on bool) (*domain.ScheduledTask, error) {
	t := s.one()
	t.IsArchived, t.NextRunAt = true, time.Time{}
	return t, s.note("SetTaskArchived", TaskSwitch{ID: id, On: on})
}

// DeleteTask implements domain.TaskService.
func (s Tasks) DeleteTask(_ context.Context, _ domain.Caller, id uuid.UUID) error {
	return s.note("DeleteTask", id)
}

// PageOf has the arguments of a call that lists entries of an object.
type PageOf struct {
	ID   uuid.UUID
	Page domain.Page
}

// TaskRuns implements domain.TaskService.
func (s Tasks) TaskRuns(_ context.Context, _ domain.Caller, id uuid.UUID, page domain.Page) (domain.List[domain.TaskRun], error) {
	t := s.one()
	return domain.List[domain.TaskRun]{Count: 2, Results: []domain.TaskRun{
		{DueAt: t.NextRunAt, Status: domain.TaskRunRunning, ConversationID: t.ID, TurnID: t.ID, StartedAt: t.NextRunAt},
		{
			DueAt: t.NextRunAt.AddDate(0, 0, -7), Status: domain.TaskRunSkipped, Reason: domain.ReasonMissed,
			StartedAt: t.NextRunAt, EndedAt: t.NextRunAt,
		},
	}}, s.note("TaskRuns", PageOf{id, page})
}

// ComingRuns implements domain.TaskService.
func (s Tasks) ComingRuns(_ context.Context, _ domain.Caller, in domain.ScheduleInput) ([]time.Time, error) {
	return []time.Time{s.one().NextRunAt}, s.note("ComingRuns", in)
}

// Search has the arguments of a call that searches a list.
type Search struct {
	Text string
	Page domain.Page
}

// TaskZones implements domain.TaskService. It answers with two of 52 zones.
func (s Tasks) TaskZones(_ context.Context, _ domain.Caller, search string, page domain.Page) (domain.List[domain.TimeZone], error) {
	return domain.List[domain.TimeZone]{
		Count: 52, Results: []domain.TimeZone{{Name: "America/New_York", Offset: -4 * 3600}, {Name: "Asia/Kolkata", Offset: 19800}},
	}, s.note("TaskZones", Search{search, page})
}
