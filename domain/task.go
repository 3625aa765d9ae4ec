package domain

import (
	"context"
	"time"

	"github.com/google/uuid"
)

const (
	// TaskNameMax is the maximum length of a task's name in characters.
	TaskNameMax = 100
	// TaskLabelsMax is the maximum number of projects of a task.
	TaskLabelsMax = 100
	// TaskLate is how late a task may still be fired after its due time.
	TaskLate = 12 * time.Hour
	// TaskComing is how many due times of a schedule are shown before it is saved.
	TaskComing = 3
	// TaskMissedMax limits how many missed due times are written at once; the rest follows.
	TaskMissedMax = 100
)

// ScheduledTask runs a blueprint repeatedly. Only the owner changes and deletes it, and owns
// what its runs create. Superusers of the organisation see it and may archive it, because
// only the owner can delete it.
type ScheduledTask struct {
	ID             uuid.UUID
	OrganisationID int64
	Owner          Person
	Name           string
	BlueprintID    int64
	ProjectLabels  []LabelRef
	Schedule       Schedule
	IsEnabled      bool
	IsArchived     bool
	// DisabledReason says why it cannot run any more, even if its owner switches it on;
	// empty if it can run.
	DisabledReason string
	// NextRunAt is zero for a task that is disabled or archived.
	NextRunAt time.Time
	Version   int
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Relation returns what the rights rules need to know.
func (t *ScheduledTask) Relation(c Caller) Relation {
	return Relation{Found: t.OrganisationID == c.OrganisationID, Permission: ownership(t.Owner.ID, c)}
}

// TaskInput is the input for creating or changing a task.
type TaskInput struct {
	Name          string
	BlueprintID   *int64
	ProjectLabels []int64
	Schedule      ScheduleInput
	// IsEnabled changes nothing if it is nil; a new task is enabled in any case.
	IsEnabled *bool
	// Version is the version that the change is based on; 0 skips the check.
	Version int
	Key     IdempotencyKey
}

// Limits returns the limits of the fields.
func (in *TaskInput) Limits() []Limit {
	return []Limit{
		valid("name", &in.Name, TaskNameMax, "Please enter a valid name"),
		entries("projectLabels", len(in.ProjectLabels), TaskLabelsMax, "Too many projects."),
	}
}

// Validate checks all fields with the specification's texts, adds the faults to c and
// returns the schedule.
func (in *TaskInput) Validate(c *Checks) Schedule {
	limits := in.Limits()
	c.Within(limits[0])
	c.Require(in.BlueprintID != nil && *in.BlueprintID > 0, "icebreaker", "Please select at least one icebreaker")
	c.Within(limits[1:]...)
	return in.Schedule.Schedule(c, "schedule.")
}

// TaskFilter narrows the list. Zero means all that the caller may see and that is not archived.
type TaskFilter struct {
	Archived bool
	// Owned leaves out other people's tasks, which only superusers see.
	Owned  bool
	Search string
	// Filters are conditions on TaskFields.
	Filters Filters
	Page    Page
}

// TaskFields are the fields by which the list can be filtered.
func TaskFields() FilterFields {
	return FilterFields{
		"name": FilterText, "isEnabled": FilterBoolean, "icebreaker": FilterNumber, "projectLabels": FilterIDs, "owner": FilterNumber,
		"frequencyType": FilterText, "nextRunAt": FilterTime, "createdAt": FilterTime, "updatedAt": FilterTime,
	}
}

// TaskService stores scheduled tasks. Every call returns CodeForbidden for a person whose
// flag ScheduledTaskView is off, CodeNotFound for a task that the caller may not see,
// CodeForbidden for one that they may not change, and CodeConflict for one that has changed
// since the given version.
type TaskService interface {
	Task(ctx context.Context, caller Caller, id uuid.UUID) (*ScheduledTask, error)
	Tasks(ctx context.Context, caller Caller, f TaskFilter) (List[ScheduledTask], error)
	// CreateTask creates an enabled task. CodeInvalid for a blueprint that needs inputs, is
	// archived, or that the caller may not use, or which has a data source that the caller
	// may not use.
	CreateTask(ctx context.Context, caller Caller, in TaskInput) (*ScheduledTask, error)
	// UpdateTask replaces all fields of the input. CodeInvalid as for CreateTask.
	UpdateTask(ctx context.Context, caller Caller, id uuid.UUID, in TaskInput) (*ScheduledTask, error)
	// SetTaskEnabled is the owner's switch. CodeInvalid for an archived task, and for
	// switching on a task that could not be created now.
	SetTaskEnabled(ctx context.Context, caller Caller, id uuid.UUID, on bool, version int) (*ScheduledTask, error)
	// SetTaskArchived is for superusers of the organisation who are not the owner.
	SetTaskArchived(ctx context.Context, caller Caller, id uuid.UUID, on bool) (*ScheduledTask, error)
	// DeleteTask deletes the task and its history; what its runs created stays.
	DeleteTask(ctx context.Context, caller Caller, id uuid.UUID) error
	// TaskRuns returns the history, the latest due time first.
	TaskRuns(ctx context.Context, caller Caller, id uuid.UUID, page Page) (List[TaskRun], error)
	// ComingRuns returns the next TaskComing due times of a schedule, which need not be
	// saved. CodeInvalid for an incomplete schedule.
	ComingRuns(ctx context.Context, caller Caller, in ScheduleInput) ([]time.Time, error)
	// TaskZones lists the time zones to choose from.
	TaskZones(ctx context.Context, caller Caller, search string, page Page) (List[TimeZone], error)
}

// TaskRunStatus is the outcome of a due time.
type TaskRunStatus string

// The statuses of a run. A run that has started has the status of its turn.
const (
	TaskRunSkipped     TaskRunStatus = "skipped" // missed, or an earlier run still ran
	TaskRunRunning     TaskRunStatus = "running"
	TaskRunComplete    TaskRunStatus = "complete"
	TaskRunStopped     TaskRunStatus = "stopped"
	TaskRunInterrupted TaskRunStatus = "interrupted"
	TaskRunFailed      TaskRunStatus = "failed"
)

// TaskRun is one due time of a task and its outcome. There is one for each due time.
type TaskRun struct {
	DueAt  time.Time
	Status TaskRunStatus
	Reason string // shown with skipped, failed and interrupted
	// ConversationID and TurnID are zero if nothing was started.
	ConversationID uuid.UUID
	TurnID         uuid.UUID
	StartedAt      time.Time // when it was decided
	EndedAt        time.Time // zero while it runs
}

// The reasons of runs that did not start, as the history shows them.
const (
	ReasonMissed  = "The due time was missed while the server was not running."
	ReasonOverlap = "The run before was still going on."
)

// ReasonBlueprintDeleted is the reason of a task that can never run again unless it is
// changed.
const ReasonBlueprintDeleted = "The blueprint was deleted."

// Firing is what must be done for a task that is due.
type Firing struct {
	// Fire is the due time to fire, zero for none.
	Fire time.Time
	// Missed are the due times to record as skipped, oldest first.
	Missed []time.Time
	// Next is the due time after all of these. It may also be in the past, if more due times
	// were missed than are written at once.
	Next time.Time
}

// Firing decides what to do for a task whose next due time was next. The latest due time
// that has passed is fired, unless it is too long ago; the older ones were missed.
func (c *Calendar) Firing(next, now time.Time) Firing {
	f := Firing{Next: next}
	for !f.Next.After(now) && len(f.Missed) <= TaskMissedMax {
		f.Missed = append(f.Missed, f.Next)
		f.Next = c.Next(f.Next)
	}
	if last := len(f.Missed) - 1; last >= 0 && f.Next.After(now) && now.Sub(f.Missed[last]) < TaskLate {
		f.Fire, f.Missed = f.Missed[last], f.Missed[:last]
	}
	return f
}

// TaskClaim is the ownership of a task by an activation: no earlier activation can fire it
// any more.
type TaskClaim struct {
	Task           uuid.UUID
	OrganisationID int64
	Fence          Fence
}

// TaskFired is the result of TaskStore.FireTask.
type TaskFired struct {
	// Conversation has a turn that waits to be started; zero if the task was not fired.
	Conversation uuid.UUID
	// Again is true if the task is still due, because not all missed due times were written.
	Again bool
}

// DueTasks are the tasks that are due by the database's clock.
type DueTasks struct {
	IDs []uuid.UUID
	Now time.Time // of the database
}

// TaskStore fires scheduled tasks.
type TaskStore interface {
	// DueTasks lists the tasks that are due and that no other living node owns, the longest
	// waiting first.
	DueTasks(ctx context.Context, node string, limit int) (DueTasks, error)
	// ClaimTask makes this activation the owner. CodeNotFound if the task was deleted.
	ClaimTask(ctx context.Context, task, activation uuid.UUID, node string) (*TaskClaim, error)
	// TaskHome returns the node that owns the task, empty if none does.
	TaskHome(ctx context.Context, task uuid.UUID) (string, error)
	// FireTask does in one transaction all that is to be done for the task now, if it is
	// due. It reads everything again, so that a change takes effect as soon as it is
	// committed. CodeFenced for a caller that is not the owner any more, CodeNotFound for a
	// deleted task.
	FireTask(ctx context.Context, claim *TaskClaim) (*TaskFired, error)
	// ReleaseTask records that the owner has given up the task in an orderly way.
	ReleaseTask(ctx context.Context, claim *TaskClaim) error
	// SettleTaskRuns records the outcome of runs whose turns have ended, at most limit of
	// them, and notifies the owners of failed runs. It returns how many there were.
	SettleTaskRuns(ctx context.Context, limit int) (int, error)
}
