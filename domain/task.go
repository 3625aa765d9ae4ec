package domain

import (
	"context"
	"time"

	"github.com/google/uuid"
)

const (
	// TaskNameMax is the most characters of a task's name.
	TaskNameMax = 100
	// TaskLabelsMax is the most projects of a task.
	TaskLabelsMax = 100
	// TaskLate is how late a due time may be to be fired still.
	TaskLate = 12 * time.Hour
	// TaskComing is how many due times are told of a schedule before it is saved.
	TaskComing = 3
	// TaskMissedMax is how many missed times are written at once; the rest follows.
	TaskMissedMax = 100
)

// ScheduledTask runs a blueprint again and again. The owner alone changes and
// deletes it and owns what its runs make; superusers of the organisation see it
// and may archive it, for the owner deletes what is not wanted any more.
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
	// DisabledReason says why it cannot run any more whatever its owner does to its
	// switch; empty where it can.
	DisabledReason string
	// NextRunAt is zero for one that is disabled or archived.
	NextRunAt time.Time
	Version   int
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Standing is how the caller stands to it.
func (t *ScheduledTask) Standing(c Caller) Standing {
	return Standing{Found: t.OrganisationID == c.OrganisationID, Permission: ownership(t.Owner.ID, c)}
}

// TaskInput is what a person gives to make a task or to change it.
type TaskInput struct {
	Name          string
	BlueprintID   *int64
	ProjectLabels []int64
	Schedule      ScheduleInput
	// IsEnabled is kept by a change where it is nil; a new task is enabled anyway.
	IsEnabled *bool
	// Version is the one that was changed; 0 does not look.
	Version int
	Key     IdempotencyKey
}

// Limits are those of the fields of a task.
func (in *TaskInput) Limits() []Limit {
	return []Limit{
		valid("name", &in.Name, TaskNameMax, "Please enter a valid name"),
		entries("projectLabels", len(in.ProjectLabels), TaskLabelsMax, "Too many projects."),
	}
}

// Validate checks all fields with the specification's texts, adds what is wrong
// to c and gives the schedule.
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
	// Owned leaves out those of others, which only superusers see.
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

// TaskService keeps scheduled tasks. Every call is CodeForbidden for a person
// whose flag ScheduledTaskView is off. A task that the caller may not see is
// CodeNotFound, one that they may not change CodeForbidden, one that has changed
// since the version given CodeConflict.
type TaskService interface {
	Task(ctx context.Context, caller Caller, id uuid.UUID) (*ScheduledTask, error)
	Tasks(ctx context.Context, caller Caller, f TaskFilter) (List[ScheduledTask], error)
	// CreateTask makes an enabled task. CodeInvalid for a blueprint that needs
	// inputs, is archived, is not the caller's to use or has a data source that is not.
	CreateTask(ctx context.Context, caller Caller, in TaskInput) (*ScheduledTask, error)
	// UpdateTask replaces all that a person gives. CodeInvalid as above.
	UpdateTask(ctx context.Context, caller Caller, id uuid.UUID, in TaskInput) (*ScheduledTask, error)
	// SetTaskEnabled is the owner's switch. CodeInvalid for an archived one, and to
	// switch on what could not be scheduled now.
	SetTaskEnabled(ctx context.Context, caller Caller, id uuid.UUID, on bool, version int) (*ScheduledTask, error)
	// SetTaskArchived is for superusers of the organisation who are not the owner.
	SetTaskArchived(ctx context.Context, caller Caller, id uuid.UUID, on bool) (*ScheduledTask, error)
	// DeleteTask takes away the task and its history; what its runs made stays.
	DeleteTask(ctx context.Context, caller Caller, id uuid.UUID) error
	// TaskRuns is the history, the latest due time first.
	TaskRuns(ctx context.Context, caller Caller, id uuid.UUID, page Page) (List[TaskRun], error)
	// ComingRuns are the next TaskComing due times of a schedule that need not be saved.
	// CodeInvalid for one that is not complete.
	ComingRuns(ctx context.Context, caller Caller, in ScheduleInput) ([]time.Time, error)
	// TaskZones are the time zones to choose from.
	TaskZones(ctx context.Context, caller Caller, search string, page Page) (List[TimeZone], error)
}

// TaskRunStatus is what became of a due time.
type TaskRunStatus string

// The statuses of a run. Those of a run that began are its turn's.
const (
	TaskRunSkipped     TaskRunStatus = "skipped" // missed, or an earlier run still ran
	TaskRunRunning     TaskRunStatus = "running"
	TaskRunComplete    TaskRunStatus = "complete"
	TaskRunStopped     TaskRunStatus = "stopped"
	TaskRunInterrupted TaskRunStatus = "interrupted"
	TaskRunFailed      TaskRunStatus = "failed"
)

// TaskRun is one due time of a task and what became of it. Of each there is one.
type TaskRun struct {
	DueAt  time.Time
	Status TaskRunStatus
	Reason string // shown with skipped, failed and interrupted
	// ConversationID and TurnID are zero where nothing was begun.
	ConversationID uuid.UUID
	TurnID         uuid.UUID
	StartedAt      time.Time // when it was decided
	EndedAt        time.Time // zero while it runs
}

// The reasons of runs that did not begin, as the history shows them.
const (
	ReasonMissed  = "The due time was missed while the server was not running."
	ReasonOverlap = "The run before was still going on."
)

// ReasonBlueprintDeleted is said of a task that can never run as it is.
const ReasonBlueprintDeleted = "The blueprint was deleted."

// Firing is what is to be done about a task that is due.
type Firing struct {
	// Fire is the due time to fire, zero for none.
	Fire time.Time
	// Missed are those that are written down as skipped, oldest first.
	Missed []time.Time
	// Next is the due time after all of these. It may be past, too, where more were
	// missed than are written at once.
	Next time.Time
}

// Firing decides about a task whose next due time was next. The latest one that
// has come counts, unless it came too long ago; the older ones were missed.
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

// TaskClaim makes an activation the owner of a task: no earlier one can fire it any more.
type TaskClaim struct {
	Task           uuid.UUID
	OrganisationID int64
	Fence          Fence
}

// TaskFired is what a look at a due task did.
type TaskFired struct {
	// Conversation has a turn that waits to be begun; zero when nothing was.
	Conversation uuid.UUID
	// Again says that the task is still due, since more was missed than was written.
	Again bool
}

// DueTasks is what is due by the database's clock.
type DueTasks struct {
	IDs []uuid.UUID
	Now time.Time // of the database
}

// TaskStore is what fires scheduled tasks.
type TaskStore interface {
	// DueTasks lists tasks that are due, those that wait longest first, leaving out
	// those that another living node owns.
	DueTasks(ctx context.Context, node string, limit int) (DueTasks, error)
	// ClaimTask makes this activation the owner. CodeNotFound when it was deleted.
	ClaimTask(ctx context.Context, task, activation uuid.UUID, node string) (*TaskClaim, error)
	// TaskHome is the node that owns the task, empty when none does.
	TaskHome(ctx context.Context, task uuid.UUID) (string, error)
	// FireTask does in one transaction what is to be done about the task now, if it is due. It
	// reads everything again, so that a change takes effect from its commit on. CodeFenced
	// for a caller that is not the owner any more, CodeNotFound for a deleted task.
	FireTask(ctx context.Context, claim *TaskClaim) (*TaskFired, error)
	// ReleaseTask says that the owner has let go in good order.
	ReleaseTask(ctx context.Context, claim *TaskClaim) error
	// SettleTaskRuns writes down how runs ended whose turns have ended, and tells the
	// owners of those that failed. It gives how many there were, at most limit.
	SettleTaskRuns(ctx context.Context, limit int) (int, error)
}
