package persistence

// Scheduled tasks as people see them, and the history of their runs. Changes are in task_write.go,
// the firing at a due time in task_fire.go. All calls need the flag scheduledTaskView, which is
// asked first, so that without it even the existence of a task is not revealed.

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Tasks keep scheduled tasks and the history of their runs.
type Tasks struct{ *core }

var _ domain.TaskService = Tasks{}

const (
	// taskPage and zonePage are the sizes of pages where none was asked for.
	taskPage = 10
	zonePage = 25
)

// Task implements domain.TaskService.
func (s Tasks) Task(ctx context.Context, caller domain.Caller, id uuid.UUID) (*domain.ScheduledTask, error) {
	if err := domain.PlanTasks.Authorize(caller, domain.Relation{}); err != nil {
		return nil, err
	}
	var row *dbsqlc.TaskSeen
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.TaskGet(&dbsqlc.TaskGetParams{ID: id, UserID: caller.UserID, Superuser: domain.SeeTask.MayOnOthers(caller)}, &row)
	})
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, errNoTask()
	}
	list, err := s.tasksOf(ctx, caller, []dbsqlc.TaskSeen{*row})
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// Tasks implements domain.TaskService.
func (s Tasks) Tasks(ctx context.Context, caller domain.Caller, f domain.TaskFilter) (domain.List[domain.ScheduledTask], error) {
	var (
		none domain.List[domain.ScheduledTask]
		p    = pageOf(f.Page, taskPage)
	)
	if err := domain.PlanTasks.Authorize(caller, domain.Relation{}); err != nil {
		return none, err
	}
	conditions, err := conditionsOf(f.Filters)
	if err != nil {
		return none, err
	}
	pattern := patternOf(f.Search)
	rows, total, err := readPage(ctx, s.core, caller.OrganisationID, p, func(r *reading, w window, into *[]dbsqlc.TaskSeen, total *int64) {
		// Superusers see the tasks of the whole organization; for others the scope does nothing.
		if domain.SeeTask.MayOnOthers(caller) && !f.Owned {
			r.TaskListAll(&dbsqlc.TaskListAllParams{
				OrgID: caller.OrganisationID, Archived: f.Archived, Pattern: pattern, Conditions: conditions, Skip: w.skip, Size: w.size,
			}, into, total)
			return
		}
		r.TaskListOwned(&dbsqlc.TaskListOwnedParams{
			UserID: caller.UserID, Archived: f.Archived, Pattern: pattern, Conditions: conditions, Skip: w.skip, Size: w.size,
		}, into, total)
	})
	if err != nil {
		return none, err
	}
	list, err := s.tasksOf(ctx, caller, rows)
	return domain.List[domain.ScheduledTask]{Results: list, Count: total}, err
}

// TaskRuns implements domain.TaskService.
func (s Tasks) TaskRuns(ctx context.Context, caller domain.Caller, id uuid.UUID, page domain.Page) (domain.List[domain.TaskRun], error) {
	var (
		none domain.List[domain.TaskRun]
		task *dbsqlc.TaskSeen
		p    = pageOf(page, taskPage)
	)
	// The right to the task itself is checked by TaskGet, in the same snapshot as the runs.
	if err := domain.PlanTasks.Authorize(caller, domain.Relation{}); err != nil {
		return none, err
	}
	rows, total, err := readPage(ctx, s.core, caller.OrganisationID, p, func(r *reading, w window, into *[]dbsqlc.TaskRunListRow,
		total *int64,
	) {
		r.TaskGet(&dbsqlc.TaskGetParams{ID: id, UserID: caller.UserID, Superuser: domain.SeeTask.MayOnOthers(caller)}, &task)
		r.TaskRunList(&dbsqlc.TaskRunListParams{TaskID: id, Skip: w.skip, Size: w.size}, into, total)
	})
	if err != nil {
		return none, err
	}
	if task == nil {
		return none, errNoTask()
	}
	list := domain.List[domain.TaskRun]{Results: make([]domain.TaskRun, len(rows)), Count: total}
	// A run that started a conversation ends with its turn; any other run ends by itself.
	for i, r := range rows {
		ended := pointer.Value(r.EndedAt)
		if ended.IsZero() {
			ended = pointer.Value(r.TurnEndedAt)
		}
		list.Results[i] = domain.TaskRun{
			DueAt: utc(r.DueAt), Status: domain.TaskRunStatus(r.Status), Reason: r.Reason,
			ConversationID: r.ConversationID.UUID, TurnID: r.TurnID.UUID, StartedAt: utc(r.StartedAt), EndedAt: utc(ended),
		}
	}
	return list, nil
}

// ComingRuns implements domain.TaskService. It reads the clock of the process: it only shows times and
// fires nothing.
func (s Tasks) ComingRuns(_ context.Context, caller domain.Caller, in domain.ScheduleInput) ([]time.Time, error) {
	if err := domain.PlanTasks.Authorize(caller, domain.Relation{}); err != nil {
		return nil, err
	}
	var c domain.Checks
	// All wrong fields of the schedule are in one error.
	schedule := in.Schedule(&c, "")
	if err := c.Err(); err != nil {
		return nil, err
	}
	calendar, err := schedule.Calendar()
	if err != nil {
		return nil, err
	}
	// The times are only shown. A due time is decided by the database's clock (task_fire.go).
	return calendar.Coming(s.clock.Now(), domain.TaskComing), nil
}

// TaskZones implements domain.TaskService.
func (s Tasks) TaskZones(_ context.Context, caller domain.Caller, search string, page domain.Page) (domain.List[domain.TimeZone], error) {
	if err := domain.PlanTasks.Authorize(caller, domain.Relation{}); err != nil {
		return domain.List[domain.TimeZone]{}, err
	}
	// The zones are embedded in the program, so no query is needed.
	p := pageOf(page, zonePage)
	return domain.TimeZones(search, domain.Page{Number: max(page.Number, 1), Size: int(p.size)}, s.clock.Now())
}

// tasksOf converts rows and reads the names of their projects, once for all.
func (s Tasks) tasksOf(ctx context.Context, caller domain.Caller, rows []dbsqlc.TaskSeen) ([]domain.ScheduledTask, error) {
	var ids []int64
	for i := range rows {
		ids = append(ids, rows[i].TaskShown.ProjectLabels...)
	}
	// Labels that were deleted are not among the results.
	byID, err := s.labelRefs(ctx, caller.OrganisationID, ids)
	if err != nil {
		return nil, err
	}
	list := make([]domain.ScheduledTask, len(rows))
	for i := range rows {
		t := &rows[i].TaskShown
		list[i] = domain.ScheduledTask{
			ID: t.ID, OrganisationID: t.OrgID, Owner: domain.Person{
				ID: t.OwnerID, UUID: t.OwnerUuid, FullName: t.OwnerName,
				Picture: t.OwnerPicture,
			},
			Name: t.Name, BlueprintID: t.BlueprintID, ProjectLabels: byID.of(t.ProjectLabels),
			Schedule:  scheduleOf(t.Frequency, t.TimeZone, t.Minute, t.DayOfWeek, t.DayOfMonth, t.Month),
			IsEnabled: t.IsEnabled, IsArchived: t.IsArchived, NextRunAt: utc(pointer.Value(t.NextDueAt)), Version: int(t.Version),
			CreatedAt: utc(t.CreatedAt), UpdatedAt: utc(t.UpdatedAt),
		}
		// The deletion of the blueprint has switched the task off (stopTasks).
		if !t.HasBlueprint {
			list[i].DisabledReason = domain.ReasonBlueprintDeleted
		}
	}
	return list, nil
}

// labelRefs are projects by their ids.
type labelRefs map[int64]domain.LabelRef

// of returns the projects of the ids; a deleted one is left out.
func (l labelRefs) of(ids []int64) []domain.LabelRef {
	list := make([]domain.LabelRef, 0, len(ids))
	for _, id := range ids {
		if ref, ok := l[id]; ok {
			list = append(list, ref)
		}
	}
	return list
}

// labelRefs reads the names of projects that are not deleted.
func (s Tasks) labelRefs(ctx context.Context, organisation int64, ids []int64) (labelRefs, error) {
	slices.Sort(ids)
	named, err := s.projectLabels().NamedProjectLabels(ctx, organisation, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	refs := make(labelRefs, len(named))
	for _, l := range named {
		refs[l.ID] = domain.LabelRef{ID: l.ID, Name: l.Name, Color: l.Color}
	}
	return refs, nil
}

// storedSchedule is the schedule of a task's row.
func storedSchedule(t *dbsqlc.ScheduledTask) domain.Schedule {
	return scheduleOf(t.Frequency, t.TimeZone, t.Minute, t.DayOfWeek, t.DayOfMonth, t.Month)
}

// scheduleOf makes the schedule of a row's columns. The zone is a name of the IANA time zone database.
func scheduleOf(frequency, zone string, minute, weekday, day, month int32) domain.Schedule {
	return domain.Schedule{
		Frequency: domain.Frequency(frequency), TimeZone: zone, Minute: int(minute),
		DayOfWeek: time.Weekday(weekday), DayOfMonth: int(day), Month: time.Month(month),
	}
}

// errNoTask is also the error for a task that the caller may not see.
func errNoTask() error { return domain.NounTask.Missing() }
