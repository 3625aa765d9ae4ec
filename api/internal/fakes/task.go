package fakes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// TaskID is the one task that there is: the owner's.
const TaskID = "01920000-0000-7000-8000-0000000000aa"

// Tasks is the service of scheduled tasks: it checks what a caller writes as the
// store does, and answers with it.
type Tasks struct{ *World }

func (s Tasks) one() *domain.ScheduledTask {
	return &domain.ScheduledTask{
		ID: uuid.MustParse(TaskID), OrganisationID: 1, Owner: domain.Person{ID: s.Owner.ID, UUID: s.Owner.UUID, FullName: s.Owner.FullName},
		Name: "Weekly sales", BlueprintID: 7, ProjectLabels: []domain.LabelRef{{ID: 3, Name: "Sales", Color: "teal"}},
		Schedule:  domain.Schedule{Frequency: domain.FrequencyWeekly, TimeZone: "Europe/Paris", Minute: 570, DayOfWeek: time.Monday},
		IsEnabled: true, NextRunAt: time.Date(2026, 11, 23, 8, 30, 0, 0, time.UTC), Version: 3, CreatedAt: s.now, UpdatedAt: s.now,
	}
}

// ask gives the task to who may do something with it, after noting the call.
func (s Tasks) ask(caller domain.Caller, id uuid.UUID, action domain.Action, call string) (*domain.ScheduledTask, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called(call); err != nil {
		return nil, err
	}
	t := s.one()
	standing := t.Standing(caller)
	if id != t.ID {
		standing = domain.Standing{}
	}
	return t, action.Ask(caller, standing)
}

// change gives it to its owner.
func (s Tasks) change(caller domain.Caller, id uuid.UUID, version int, call string) (*domain.ScheduledTask, error) {
	t, err := s.ask(caller, id, domain.ChangeTask, call)
	if err == nil && version != 0 && version != t.Version {
		return nil, domain.Errorf(domain.CodeConflict, "Somebody else changed this meanwhile. Please load it again.")
	}
	return t, err
}

// Task implements domain.TaskService.
func (s Tasks) Task(_ context.Context, caller domain.Caller, id uuid.UUID) (*domain.ScheduledTask, error) {
	return s.ask(caller, id, domain.SeeTask, "Task")
}

// Tasks implements domain.TaskService.
func (s Tasks) Tasks(_ context.Context, caller domain.Caller, f domain.TaskFilter) (domain.List[domain.ScheduledTask], error) {
	call := "Tasks"
	if f.Archived {
		call += " archived"
	}
	if f.Owned {
		call += " owned"
	}
	for _, c := range f.Filters {
		call += " " + c.Field
	}
	t, err := s.ask(caller, uuid.MustParse(TaskID), domain.SeeTask, call)
	if domain.CodeOf(err) == domain.CodeNotFound {
		return domain.List[domain.ScheduledTask]{}, nil
	}
	if err != nil {
		return domain.List[domain.ScheduledTask]{}, err
	}
	return cut([]domain.ScheduledTask{*t}, f.Page), nil
}

// CreateTask implements domain.TaskService.
func (s Tasks) CreateTask(_ context.Context, caller domain.Caller, in domain.TaskInput) (*domain.ScheduledTask, error) {
	if _, err := s.ask(caller, uuid.Nil, domain.MakeTask, "CreateTask"); err != nil {
		return nil, err
	}
	var c domain.Checks
	schedule := in.Validate(&c)
	if err := c.Err(); err != nil {
		return nil, err
	}
	t := s.one()
	t.Name, t.BlueprintID, t.Schedule, t.Version = in.Name, *in.BlueprintID, schedule, 1
	t.Owner = domain.Person{ID: caller.UserID, UUID: caller.UserUUID, FullName: caller.FullName}
	return t, nil
}

// UpdateTask implements domain.TaskService.
func (s Tasks) UpdateTask(_ context.Context, caller domain.Caller, id uuid.UUID, in domain.TaskInput) (*domain.ScheduledTask, error) {
	t, err := s.change(caller, id, in.Version, "UpdateTask")
	if err != nil {
		return nil, err
	}
	var c domain.Checks
	schedule := in.Validate(&c)
	if err := c.Err(); err != nil {
		return nil, err
	}
	t.Name, t.BlueprintID, t.Schedule, t.Version = in.Name, *in.BlueprintID, schedule, t.Version+1
	if in.IsEnabled != nil {
		t.IsEnabled = *in.IsEnabled
	}
	return t, nil
}

// SetTaskEnabled implements domain.TaskService.
func (s Tasks) SetTaskEnabled(_ context.Context, caller domain.Caller, id uuid.UUID, on bool, version int) (*domain.ScheduledTask, error) {
	t, err := s.change(caller, id, version, "SetTaskEnabled")
	if err == nil && !on {
		t.IsEnabled, t.NextRunAt = false, time.Time{}
	}
	return t, err
}

// SetTaskArchived implements domain.TaskService.
func (s Tasks) SetTaskArchived(_ context.Context, caller domain.Caller, id uuid.UUID, on bool) (*domain.ScheduledTask, error) {
	t, err := s.ask(caller, id, domain.ArchiveTask, "SetTaskArchived")
	if err != nil {
		return nil, err
	}
	if t.IsArchived = on; on {
		t.NextRunAt = time.Time{}
	}
	return t, nil
}

// DeleteTask implements domain.TaskService.
func (s Tasks) DeleteTask(_ context.Context, caller domain.Caller, id uuid.UUID) error {
	_, err := s.change(caller, id, 0, "DeleteTask")
	return err
}

// TaskRuns implements domain.TaskService.
func (s Tasks) TaskRuns(_ context.Context, caller domain.Caller, id uuid.UUID, page domain.Page) (domain.List[domain.TaskRun], error) {
	t, err := s.ask(caller, id, domain.SeeTask, "TaskRuns")
	if err != nil {
		return domain.List[domain.TaskRun]{}, err
	}
	return cut([]domain.TaskRun{
		{DueAt: t.NextRunAt, Status: domain.TaskRunRunning, ConversationID: t.ID, TurnID: t.ID, StartedAt: t.NextRunAt},
		{DueAt: t.NextRunAt.AddDate(0, 0, -7), Status: domain.TaskRunSkipped, Reason: domain.ReasonMissed, StartedAt: t.NextRunAt, EndedAt: t.NextRunAt},
	}, page), nil
}

// ComingRuns implements domain.TaskService.
func (s Tasks) ComingRuns(_ context.Context, caller domain.Caller, in domain.ScheduleInput) ([]time.Time, error) {
	if _, err := s.ask(caller, uuid.Nil, domain.PlanTasks, "ComingRuns"); err != nil {
		return nil, err
	}
	var c domain.Checks
	schedule := in.Schedule(&c, "")
	if err := c.Err(); err != nil {
		return nil, err
	}
	calendar, err := schedule.Calendar()
	if err != nil {
		return nil, domain.Internal(err, "No calendar.")
	}
	return calendar.Coming(s.now, domain.TaskComing), nil
}

// TaskZones implements domain.TaskService.
func (s Tasks) TaskZones(_ context.Context, caller domain.Caller, search string, page domain.Page) (domain.List[domain.TimeZone], error) {
	if _, err := s.ask(caller, uuid.Nil, domain.PlanTasks, "TaskZones"); err != nil {
		return domain.List[domain.TimeZone]{}, err
	}
	return domain.TimeZones(search, page, time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC))
}
