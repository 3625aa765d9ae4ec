package persistence

// Changes of scheduled tasks. Times are computed with the database's clock, which is read under the
// lock of the task, so that nodes with other clocks come to the same due time (G13). Each change
// tells the owner's own log, and that of a superuser who made it.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// reasonNoBlueprint does not reveal whether the blueprint was deleted or belongs to another person.
const reasonNoBlueprint = "The blueprint is not available."

// CreateTask implements domain.TaskService.
func (s Tasks) CreateTask(ctx context.Context, caller domain.Caller, in domain.TaskInput) (*domain.ScheduledTask, error) {
	// A repeated request is answered before anything is checked: the blueprint may be gone since.
	id, err := s.uuidResultOf(ctx, caller, kindTask, in.Key)
	if err == nil && id == uuid.Nil {
		id, err = s.makeTask(ctx, caller, &in)
	}
	if err != nil {
		return nil, err
	}
	return s.Task(ctx, caller, id)
}

// makeTask creates the task. The checks that need no lock come first.
func (s Tasks) makeTask(ctx context.Context, caller domain.Caller, in *domain.TaskInput) (uuid.UUID, error) {
	schedule, err := s.checkTask(ctx, caller, in)
	if err != nil {
		return uuid.Nil, err
	}
	calendar, err := schedule.Calendar()
	if err != nil {
		return uuid.Nil, err
	}
	var events []domain.UserEvent
	id, err := s.createUUID(ctx, caller, kindTask, in.Key, func(tx pgx.Tx) (uuid.UUID, error) {
		id := domain.NewID()
		// From here on the blueprint cannot be deleted before the commit, so no task without a
		// blueprint becomes enabled.
		if err := s.holdBlueprint(ctx, tx, *in.BlueprintID); err != nil {
			return uuid.Nil, err
		}
		now, err := s.q.TaskNow(ctx, tx)
		if err != nil {
			return uuid.Nil, err
		}
		// The due time is stored; later ones are computed when it has fired.
		next := calendar.Next(now)
		err = s.q.TaskInsert(ctx, tx, &dbsqlc.TaskInsertParams{
			ID: id, OrgID: caller.OrganisationID, OwnerID: caller.UserID, Name: in.Name, BlueprintID: *in.BlueprintID,
			ProjectLabels: in.ProjectLabels, Frequency: string(schedule.Frequency), TimeZone: schedule.TimeZone, NextDueAt: &next, At: s.now(),
			Minute: int32(schedule.Minute), DayOfWeek: int32(schedule.DayOfWeek), //nolint:gosec // bounded by the checks
			DayOfMonth: int32(schedule.DayOfMonth), Month: int32(schedule.Month), //nolint:gosec // bounded by the checks
		})
		if err != nil {
			return uuid.Nil, err
		}
		events, err = s.addTaskChange(ctx, tx, caller, caller.UserID, domain.EventTaskCreated, id)
		return id, err
	})
	if err == nil {
		s.announce(events)
	}
	return id, err
}

// addTaskChange adds a change of a task to the log of its owner, and, if the caller is another
// person, to the caller's log.
func (s Tasks) addTaskChange(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, owner int64, t domain.EventType, id uuid.UUID,
) ([]domain.UserEvent, error) {
	data, err := json.Marshal(&protocol.TaskChanged{TaskID: id})
	if err != nil {
		return nil, domain.Internal(err, "The event could not be written.")
	}
	// In the order of ids, in which all transactions lock people's rows.
	readers := slices.Compact(slices.Sorted(slices.Values([]int64{owner, caller.UserID})))
	events := make([]domain.UserEvent, 0, len(readers))
	for _, reader := range readers {
		event, err := s.addUserEvent(ctx, tx, domain.Caller{UserID: reader, OrganisationID: caller.OrganisationID}, t, data, s.now())
		if err != nil {
			return nil, err
		}
		events = append(events, *event)
	}
	return events, nil
}

// UpdateTask implements domain.TaskService. A due time that has passed and is not fired yet
// is kept, unless the schedule itself was changed.
func (s Tasks) UpdateTask(ctx context.Context, caller domain.Caller, id uuid.UUID, in domain.TaskInput) (*domain.ScheduledTask, error) {
	// A person who may not see or change it learns nothing about errors in the body.
	// The right is checked again under the lock, in changeTask.
	if err := s.authorizeFirst(ctx, caller, domain.ChangeTask, domain.Key{ID: id}); err != nil {
		return nil, err
	}
	schedule, err := s.checkTask(ctx, caller, &in)
	if err != nil {
		return nil, err
	}
	// The function changes the row in memory; changeTask writes it.
	return s.changeTask(ctx, caller, id, domain.ChangeTask, in.Version, func(t *dbsqlc.ScheduledTask) error {
		if in.IsEnabled != nil {
			if err := enable(t, *in.IsEnabled); err != nil {
				return err
			}
		}
		// Without this a new schedule would fire once more at the time of the old one.
		if schedule != storedSchedule(t) {
			t.NextDueAt = nil
		}
		t.Name, t.BlueprintID, t.ProjectLabels = in.Name, *in.BlueprintID, in.ProjectLabels
		t.Frequency, t.TimeZone = string(schedule.Frequency), schedule.TimeZone
		t.Minute, t.DayOfWeek = int32(schedule.Minute), int32(schedule.DayOfWeek) //nolint:gosec // bounded by the checks
		t.DayOfMonth, t.Month = int32(schedule.DayOfMonth), int32(schedule.Month) //nolint:gosec // as above
		return nil
	})
}

// SetTaskEnabled implements domain.TaskService.
func (s Tasks) SetTaskEnabled(
	ctx context.Context, caller domain.Caller, id uuid.UUID, on bool, version int,
) (*domain.ScheduledTask, error) {
	// Only switching on needs a blueprint that can run.
	if on {
		if err := s.canRun(ctx, caller, id); err != nil {
			return nil, err
		}
	}
	return s.changeTask(ctx, caller, id, domain.ChangeTask, version, func(t *dbsqlc.ScheduledTask) error { return enable(t, on) })
}

// SetTaskArchived implements domain.TaskService.
func (s Tasks) SetTaskArchived(ctx context.Context, caller domain.Caller, id uuid.UUID, on bool) (*domain.ScheduledTask, error) {
	return s.changeTask(ctx, caller, id, domain.ArchiveTask, 0, func(t *dbsqlc.ScheduledTask) error {
		t.IsArchived = on
		return nil
	})
}

// DeleteTask implements domain.TaskService. It waits for a firing that is under way; a run
// that has started continues.
// The lock of the row is also held by a firing, in TaskAdvance.
func (s Tasks) DeleteTask(ctx context.Context, caller domain.Caller, id uuid.UUID) error {
	var events []domain.UserEvent
	err := s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		_, err := s.lockTask(ctx, tx, caller, id, domain.DeleteTask)
		if err != nil {
			return err
		}
		if err := s.q.TaskDelete(ctx, tx, id); err != nil {
			return err
		}
		// Only the owner may delete, so only the caller's own log gets the event.
		events, err = s.addTaskChange(ctx, tx, caller, caller.UserID, domain.EventTaskDeleted, id)
		return err
	})
	if err == nil {
		s.announce(events)
	}
	return err
}

// changeTask changes a locked row, and computes its next due time.
func (s Tasks) changeTask(
	ctx context.Context, caller domain.Caller, id uuid.UUID, action domain.Action, version int, change func(*dbsqlc.ScheduledTask) error,
) (*domain.ScheduledTask, error) {
	var events []domain.UserEvent
	err := s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		// The lock also returns the database's time.
		row, err := s.lockTask(ctx, tx, caller, id, action)
		if err != nil {
			return err
		}
		t := &row.ScheduledTask
		if err := fresh(version, t.Version); err != nil {
			return err
		}
		if err := change(t); err != nil {
			return err
		}
		// A task that is off may keep a blueprint that was deleted.
		if t.IsEnabled {
			if err := s.holdBlueprint(ctx, tx, t.BlueprintID); err != nil {
				return err
			}
		}
		if t.NextDueAt, err = nextDue(t, row.Now); err != nil {
			return err
		}
		err = s.q.TaskUpdate(ctx, tx, &dbsqlc.TaskUpdateParams{
			Name: t.Name, BlueprintID: t.BlueprintID, ProjectLabels: t.ProjectLabels, Frequency: t.Frequency, TimeZone: t.TimeZone, Minute: t.Minute,
			DayOfWeek: t.DayOfWeek, DayOfMonth: t.DayOfMonth, Month: t.Month, IsEnabled: t.IsEnabled, IsArchived: t.IsArchived,
			NextDueAt: t.NextDueAt, At: s.now(), ID: id,
		})
		if err != nil {
			return err
		}
		events, err = s.addTaskChange(ctx, tx, caller, t.OwnerID, domain.EventTaskUpdated, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.announce(events)
	return s.Task(ctx, caller, id)
}

// lockTask locks a task's row and checks the caller's right to the action.
func (s Tasks) lockTask(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, id uuid.UUID, action domain.Action,
) (*dbsqlc.TaskLockRow, error) {
	// The flag comes first: without it nothing is said about the task.
	if err := domain.PlanTasks.Authorize(caller, domain.Relation{}); err != nil {
		return nil, err
	}
	row, err := s.q.TaskLock(ctx, tx, &dbsqlc.TaskLockParams{
		ID: id, UserID: caller.UserID, Superuser: domain.SeeTask.MayOnOthers(caller),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, errNoTask()
	}
	if err != nil {
		return nil, err
	}
	return row, action.Authorize(caller, ownedBy(row.ScheduledTask.OwnerID, caller))
}

// canRun refuses to switch on a task that could not be scheduled now.
func (s Tasks) canRun(ctx context.Context, caller domain.Caller, id uuid.UUID) error {
	t, err := s.Task(ctx, caller, id)
	if err != nil {
		return err
	}
	// For archived tasks and other people's tasks the change itself returns the error.
	// The right is not an error here, so that both refusals come from one place.
	if !domain.ChangeTask.May(caller, t.Relation(caller)) || t.IsArchived {
		return nil
	}
	_, reason, err := s.schedulable(ctx, caller, t.BlueprintID)
	if err == nil && reason != "" {
		err = domain.Invalid("icebreaker", reason)
	}
	return err
}

// holdBlueprint keeps a blueprint from being deleted until the transaction ends, so that no
// task of a deleted blueprint stays enabled.
func (s Tasks) holdBlueprint(ctx context.Context, tx pgx.Tx, id int64) error {
	_, err := s.q.TaskBlueprintHold(ctx, tx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return domain.Invalid("icebreaker", reasonNoBlueprint)
	}
	return err
}

// stopTasks switches off all people's tasks of a blueprint that is deleted in the same
// transaction, and adds events to their owners' logs.
func (s Tasks) stopTasks(ctx context.Context, tx pgx.Tx, caller domain.Caller, blueprint int64) ([]domain.UserEvent, error) {
	// The statement returns the owners of the tasks that were switched on.
	stopped, err := s.q.TaskBlueprintGone(ctx, tx, &dbsqlc.TaskBlueprintGoneParams{BlueprintID: blueprint, At: s.now()})
	if err != nil {
		return nil, err
	}
	// All transactions lock the rows of several people in this order.
	slices.SortFunc(stopped, func(a, b *dbsqlc.TaskBlueprintGoneRow) int { return cmp.Compare(a.OwnerID, b.OwnerID) })
	events := make([]domain.UserEvent, 0, len(stopped))
	for _, t := range stopped {
		data, err := json.Marshal(&protocol.TaskNote{TaskID: t.ID, Name: t.Name, Reason: domain.ReasonBlueprintDeleted})
		if err != nil {
			return nil, domain.Internal(err, "The event could not be written.")
		}
		owner := domain.Caller{UserID: t.OwnerID, OrganisationID: caller.OrganisationID}
		event, err := s.addUserEvent(ctx, tx, owner, domain.EventTaskSwitchedOff, data, s.now())
		if err != nil {
			return nil, err
		}
		events = append(events, *event)
	}
	return events, nil
}

// enable switches a task on or off for its owner.
func enable(t *dbsqlc.ScheduledTask, on bool) error {
	if on && t.IsArchived {
		return domain.Invalid("isEnabled", "Archived work cannot be switched on.")
	}
	t.IsEnabled = on
	return nil
}

// nextDue is nil for a task that is disabled or archived, the present due time if that is
// still valid, and else the first due time from now on.
func nextDue(t *dbsqlc.ScheduledTask, now time.Time) (*time.Time, error) {
	if !t.IsEnabled || t.IsArchived {
		return nil, nil
	}
	if t.NextDueAt != nil {
		return t.NextDueAt, nil
	}
	schedule := storedSchedule(t)
	calendar, err := schedule.Calendar()
	if err != nil {
		return nil, err
	}
	next := calendar.Next(now)
	return &next, nil
}

// checkTask checks a person's input, all fields at once, and the objects that it names.
// The right comes before the rules of the body.
func (s Tasks) checkTask(ctx context.Context, caller domain.Caller, in *domain.TaskInput) (domain.Schedule, error) {
	if err := domain.MakeTask.Authorize(caller, domain.Relation{}); err != nil {
		return domain.Schedule{}, err
	}
	var c domain.Checks
	schedule := in.Validate(&c)
	// Never nil, and each label once.
	in.ProjectLabels = append([]int64{}, in.ProjectLabels...)
	slices.Sort(in.ProjectLabels)
	in.ProjectLabels = slices.Compact(in.ProjectLabels)
	// A list that is too long is an error already, and is not sent to the database.
	if len(in.ProjectLabels) > 0 && len(in.ProjectLabels) <= domain.TaskLabelsMax {
		labels, err := s.labelRefs(ctx, caller.OrganisationID, in.ProjectLabels)
		if err != nil {
			return schedule, err
		}
		c.Require(len(labels) == len(in.ProjectLabels), "projectLabels", "One of the projects is not available.")
	}
	// A missing blueprint is an error of Validate.
	if in.BlueprintID != nil && *in.BlueprintID > 0 {
		_, reason, err := s.schedulable(ctx, caller, *in.BlueprintID)
		if err != nil {
			return schedule, err
		}
		c.Require(reason == "", "icebreaker", reason)
	}
	return schedule, c.Err()
}

// schedulable reads a blueprint as the person may use it now. reason says why it cannot run
// without a person.
func (s Tasks) schedulable(ctx context.Context, caller domain.Caller, id int64) (b *domain.Blueprint, reason string, err error) {
	// The blueprint is read with the person's rights, so one of another person is not there.
	b, err = s.blueprints().Blueprint(ctx, caller, id)
	switch {
	case domain.CodeOf(err) == domain.CodeNotFound:
		return nil, reasonNoBlueprint, nil
	case err != nil:
		return nil, "", err
	case b.IsArchived:
		reason = "The blueprint is archived."
	case b.NeedsInputs():
		reason = "Only blueprints needing no user inputs can be scheduled."
	case b.IsIdle():
		reason = domain.ReasonIdleBlueprint
	case b.MissingDataSources > 0:
		reason = "The blueprint uses a connector that is not available."
	}
	return b, reason, nil
}
