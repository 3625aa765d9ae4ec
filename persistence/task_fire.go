package persistence

// The firing of a due task (G13). One transaction advances the due time, enters the run into the
// history and starts its conversation. (task, due time) is the key of a run, and the task's row has
// a fence like that of a conversation, so two nodes cannot both fire it. The decision which times
// are missed is in domain.

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// TaskStore finds, claims and fires due tasks for the engine.
type TaskStore struct{ *core }

var _ domain.TaskStore = TaskStore{}

// DueTasks implements domain.TaskStore.
func (s TaskStore) DueTasks(ctx context.Context, node string, limit int) (domain.DueTasks, error) {
	var (
		due domain.DueTasks
		now *time.Time
	)
	// The time is the database's: the scheduler compares it with the clock of its node.
	err := s.asEngine(ctx, func(r *reading) {
		r.TaskDue(&dbsqlc.TaskDueParams{Node: node, Size: int64(limit)}, &due.IDs)
		r.TaskNow(&now)
	})
	due.Now = utc(pointer.Value(now))
	return due, err
}

// ClaimTask implements domain.TaskStore.
func (s TaskStore) ClaimTask(ctx context.Context, task, activation uuid.UUID, node string) (*domain.TaskClaim, error) {
	end, err := s.taskTurns.take(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	// The claim raises the epoch, as that of a conversation does: an earlier owner cannot fire any
	// more.
	row, err := s.q.TaskClaim(ctx, s.engine, &dbsqlc.TaskClaimParams{
		ID: task, Activation: uuid.NullUUID{UUID: activation, Valid: true}, Node: &node,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, errNoTask()
	}
	if err != nil {
		return nil, translate(err)
	}
	return &domain.TaskClaim{Task: task, OrganisationID: row.OrgID, Fence: domain.Fence{Epoch: row.Epoch, Activation: activation}}, nil
}

// TaskHome implements domain.TaskStore. A node that is not a member of the cluster is not returned.
func (s TaskStore) TaskHome(ctx context.Context, task uuid.UUID) (string, error) {
	var node *string
	err := s.asEngine(ctx, func(r *reading) { r.TaskHome(task, &node) })
	return pointer.Value(node), err
}

// ReleaseTask implements domain.TaskStore. If the fence is not the row's, it changes nothing.
func (s TaskStore) ReleaseTask(ctx context.Context, c *domain.TaskClaim) error {
	return translate(s.q.TaskRelease(ctx, s.engine, &dbsqlc.TaskReleaseParams{
		ID: c.Task, Epoch: c.Fence.Epoch, Activation: uuid.NullUUID{UUID: c.Fence.Activation, Valid: true},
	}))
}

// taskFiring is the firing of a due task: what was read, and what is to be done.
type taskFiring struct {
	claim *domain.TaskClaim
	task  dbsqlc.ScheduledTask
	now   time.Time // of the database
	owner domain.Caller
	domain.Firing
	// blueprint is run, unless reason says why it cannot be run.
	blueprint *domain.Blueprint
	labels    []domain.LabelRef
	reason    string
	// The results of the transaction.
	conversation uuid.UUID
	events       []domain.UserEvent
}

// FireTask implements domain.TaskStore. The blueprint and the rights are read just before the
// transaction, which fails if the task has changed since. The right to the data sources is
// checked in it once more, and again by every tool that reads one.
func (s TaskStore) FireTask(ctx context.Context, claim *domain.TaskClaim) (*domain.TaskFired, error) {
	end, err := s.taskTurns.take(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	f, err := s.readFiring(ctx, claim)
	if err != nil || f == nil {
		return &domain.TaskFired{}, err
	}
	err = s.write(ctx, claim.OrganisationID, func(tx pgx.Tx) error {
		f.conversation, f.events = uuid.Nil, nil
		return s.fire(ctx, tx, f)
	})
	if err != nil {
		return nil, err
	}
	s.announce(f.events)
	// Again is for a task that is due at once for a second time.
	return &domain.TaskFired{Conversation: f.conversation, Again: !f.Next.After(f.now)}, nil
}

// readFiring returns nil for a task that is not due by the database's clock.
// A task of which another node is the owner by now is CodeFenced.
func (s TaskStore) readFiring(ctx context.Context, claim *domain.TaskClaim) (*taskFiring, error) {
	var row *dbsqlc.TaskFireReadRow
	err := s.asTenant(ctx, claim.OrganisationID, func(r *reading) { r.TaskFireRead(claim.Task, &row) })
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, errNoTask()
	}
	f := &taskFiring{claim: claim, task: row.ScheduledTask, now: row.Now}
	if f.task.Epoch != claim.Fence.Epoch || f.task.Activation.UUID != claim.Fence.Activation {
		return nil, errTaskFenced()
	}
	// It has fired meanwhile, or its owner has changed it.
	if f.task.NextDueAt == nil || f.task.NextDueAt.After(row.Now) {
		return nil, nil
	}
	schedule := storedSchedule(&f.task)
	calendar, err := schedule.Calendar()
	if err != nil {
		return nil, err
	}
	// Missed times and the one to fire are computed from the stored due time up to now.
	f.Firing = calendar.Firing(utc(*f.task.NextDueAt), row.Now)
	f.owner = domain.Caller{
		UserID: f.task.OwnerID, UserUUID: row.OwnerUuid, OrganisationID: f.task.OrgID, FullName: row.OwnerName, IsSuperuser: row.IsSuperuser,
		Flags: domain.UserFlags{ScheduledTaskView: row.ScheduledTaskView, UploadCredentials: row.UploadCredentials},
	}
	// Rights are read at the firing and not at the scheduling.
	switch {
	case f.Fire.IsZero():
	case row.IsDisabled:
		f.reason = "The account of the owner is switched off."
	case !domain.PlanTasks.May(f.owner, domain.Relation{}):
		f.reason = "Scheduled work is not switched on for its owner."
	default:
		if f.blueprint, f.reason, err = s.tasks().schedulable(ctx, f.owner, f.task.BlueprintID); err != nil {
			return nil, err
		}
		refs, err := s.tasks().labelRefs(ctx, f.task.OrgID, slices.Clone(f.task.ProjectLabels))
		if err != nil {
			return nil, err
		}
		f.labels = refs.of(f.task.ProjectLabels)
	}
	return f, nil
}

// fire writes everything: the missed times, the run with its conversation and the waiting
// turn, the next due time and the owner's user events.
func (s TaskStore) fire(ctx context.Context, tx pgx.Tx, f *taskFiring) error {
	// This row decides: fence, version and due time must all be as they were read.
	advanced, err := s.q.TaskAdvance(ctx, tx, &dbsqlc.TaskAdvanceParams{
		Next: &f.Next, ID: f.task.ID, Epoch: f.claim.Fence.Epoch, Activation: uuid.NullUUID{UUID: f.claim.Fence.Activation, Valid: true},
		Version: f.task.Version, Due: f.task.NextDueAt,
	})
	if err != nil {
		return err
	}
	if advanced == 0 {
		// Fired, changed, deleted or claimed by another node since it was read: the owner, if
		// it is still this one, reads it again.
		return domain.Errorf(domain.CodeConflict, "The task has changed meanwhile.")
	}
	if len(f.Missed) > 0 {
		if err := s.skip(ctx, tx, f, domain.ReasonMissed, f.Missed...); err != nil {
			return err
		}
	}
	if f.Fire.IsZero() {
		return s.addAdvanced(ctx, tx, f)
	}
	// A run that still goes is not overtaken; this due time is skipped and recorded.
	going, err := s.q.TaskRunGoing(ctx, tx, f.task.ID)
	if err != nil {
		return err
	}
	if going {
		if err := s.skip(ctx, tx, f, domain.ReasonOverlap, f.Fire); err != nil {
			return err
		}
		return s.addAdvanced(ctx, tx, f)
	}
	begun, err := s.q.TaskRunBegin(ctx, tx, &dbsqlc.TaskRunBeginParams{TaskID: f.task.ID, DueAt: f.Fire, OrgID: f.task.OrgID})
	// The run is in the history already, from an attempt whose answer was lost.
	if err != nil || begun == 0 {
		return err
	}
	return s.run(ctx, tx, f)
}

// skip records due times at which nothing is run.
func (s TaskStore) skip(ctx context.Context, tx pgx.Tx, f *taskFiring, reason string, due ...time.Time) error {
	return s.q.TaskRunSkip(ctx, tx, &dbsqlc.TaskRunSkipParams{TaskID: f.task.ID, OrgID: f.task.OrgID, Reason: reason, Due: due})
}

// addAdvanced adds the user event for a task whose next due time has changed although
// nothing was run. A run has its own user events.
func (s TaskStore) addAdvanced(ctx context.Context, tx pgx.Tx, f *taskFiring) (err error) {
	f.events, err = s.tasks().addTaskChange(ctx, tx, f.owner, f.owner.UserID, domain.EventTaskUpdated, f.task.ID)
	return err
}

// run starts the conversation of a run that is in the history. If it cannot be started the
// run is recorded as failed, and no conversation is left.
func (s TaskStore) run(ctx context.Context, tx pgx.Tx, f *taskFiring) error {
	if f.reason == "" {
		var started *startedConversation
		// A savepoint: what startTask has written is undone if it fails, and the rest of the firing
		// stays.
		err := pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) (err error) {
			started, err = s.startTask(ctx, tx, f)
			return err
		})
		switch domain.CodeOf(err) {
		case "":
			f.conversation, f.events = started.ID, started.Events
			err = s.q.TaskRunStarted(ctx, tx, &dbsqlc.TaskRunStartedParams{
				ConversationID: uuid.NullUUID{UUID: started.ID, Valid: true}, TurnID: uuid.NullUUID{UUID: started.Turn, Valid: true},
				TaskID: f.task.ID, DueAt: f.Fire,
			})
			if err != nil {
				return err
			}
			return s.addRunEvent(ctx, tx, f, domain.EventTaskRunStarted, &started.ID)
		case domain.CodeInvalid, domain.CodeNotFound, domain.CodeForbidden:
			// The message is for people, so it becomes the reason in the history.
			var known *domain.Error
			errors.As(err, &known)
			f.reason = known.Message
		default:
			// Any other error undoes the firing as a whole, and the task stays due.
			return err
		}
	}
	err := s.q.TaskRunEnd(ctx, tx, &dbsqlc.TaskRunEndParams{
		Status: string(domain.TaskRunFailed), Reason: f.reason, TaskID: f.task.ID, DueAt: f.Fire,
	})
	if err != nil {
		return err
	}
	return s.addRunEvent(ctx, tx, f, domain.EventTaskRunFailed, nil)
}

// startTask starts the blueprint under the task's name and projects.
func (s TaskStore) startTask(ctx context.Context, tx pgx.Tx, f *taskFiring) (*startedConversation, error) {
	b := *f.blueprint
	b.ProjectLabels = f.labels
	return s.blueprints().startBlueprint(ctx, tx, f.owner, &b, &domain.BlueprintStart{Name: f.task.Name})
}

// addRunEvent adds the event with which the owner learns that a run has started or failed.
func (s TaskStore) addRunEvent(ctx context.Context, tx pgx.Tx, f *taskFiring, t domain.EventType, conversation *uuid.UUID) error {
	event, err := s.addTaskEvent(ctx, tx, f.owner, t, &protocol.TaskRunNote{
		TaskID: f.task.ID, Name: f.task.Name, DueAt: protocol.Time(f.Fire), ConversationID: conversation, Reason: f.reason,
	})
	if err == nil {
		f.events = append(f.events, *event)
	}
	return err
}

// addTaskEvent adds an event to the log of a task's owner.
func (s TaskStore) addTaskEvent(
	ctx context.Context, tx pgx.Tx, owner domain.Caller, t domain.EventType, note *protocol.TaskRunNote,
) (*domain.UserEvent, error) {
	data, err := json.Marshal(note)
	if err != nil {
		return nil, domain.Internal(err, "The event could not be written.")
	}
	return s.addUserEvent(ctx, tx, owner, t, data, s.now())
}

// SettleTaskRuns implements domain.TaskStore: each run in a transaction of its
// own, so that no two owners' logs are locked at a time.
func (s TaskStore) SettleTaskRuns(ctx context.Context, limit int) (int, error) {
	for n := range limit {
		var events []domain.UserEvent
		none := false
		err := inTransaction(ctx, s.engine, func(tx pgx.Tx) error {
			// The statement finds a run whose turn has ended and which the history still shows as
			// running, and locks it; other nodes skip it.
			r, err := s.q.TaskRunSettle(ctx, tx)
			if errors.Is(err, pgx.ErrNoRows) {
				none = true
				return nil
			}
			if err != nil {
				return err
			}
			status := domain.TaskRunStatus(r.Status)
			// A run that is complete tells nothing: its conversation does.
			if status != domain.TaskRunFailed && status != domain.TaskRunInterrupted {
				return nil
			}
			event, err := s.addTaskEvent(ctx, tx, domain.Caller{UserID: r.OwnerID, OrganisationID: r.OrgID}, domain.EventTaskRunFailed,
				&protocol.TaskRunNote{
					TaskID: r.TaskID, Name: r.Name, DueAt: protocol.Time(utc(r.DueAt)), ConversationID: &r.ConversationID.UUID, Reason: r.Reason,
				})
			if err == nil {
				events = append(events, *event)
			}
			return err
		})
		if err != nil || none {
			return n, err
		}
		s.announce(events)
	}
	return limit, nil
}

// errTaskFenced makes the task's actor stop without another try.
func errTaskFenced() error {
	return domain.Errorf(domain.CodeFenced, "The task has another owner now.")
}
