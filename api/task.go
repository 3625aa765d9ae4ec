package api

// The calls on scheduled tasks: blueprints that are run at the due times of a schedule. All rights
// on tasks need the flag scheduledTaskView (docs/rights.md, scheduled task). No call here starts a
// run: the scheduler does that at the due time, by the database's clock (G13).

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// Paths of the calls, which are used in several places.
const (
	tasksPath = "/discourse/scheduledtasks"
	taskPath  = tasksPath + "/{id}"
)

// taskID is the input of a call that needs only the id of a task.
type taskID struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// listTasks is the input of the list of tasks.
type listTasks struct {
	PageOf10
	Filtered
	Status string `query:"status" enum:"all,active,archived,All,Active,Archived" default:"all" doc:"all and active: tasks that are not archived."`
	Scope  string `query:"scope" enum:"all,user,owned" default:"all" doc:"user and owned: the caller's own tasks. Only superusers see tasks of other people."`
	Search string `query:"search" maxLength:"200" doc:"Matches the name."`
}

// listTaskRuns is the input of the history of a task.
type listTaskRuns struct {
	PageOf10
	ID uuid.UUID `path:"id" format:"uuid"`
}

// listTimeZones is the input of the list of time zones, which has some hundred entries and is
// therefore paged.
type listTimeZones struct {
	PageOf25
	Search string `query:"search" maxLength:"200" doc:"Matches the name. A space also matches an underscore."`
}

// newTask is the input of a creation: the key makes it happen once.
type newTask struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	Body           wire.TaskRequest
}

// replaceTask is the input of PUT, which replaces the schedule as a whole.
type replaceTask struct {
	Versioned
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body wire.TaskRequest
}

// changeTask is the input of PATCH, which only switches a task on or off.
type changeTask struct {
	Versioned
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body wire.TaskChange
}

// comingRuns is the input of a schedule that need not be saved.
type comingRuns struct {
	Body wire.ScheduleRequest
}

// taskRoutes registers the calls on tasks. Fixed paths such as timezones are registered before the
// one with an id, because the router uses the first one that matches.
func (s *Server) taskRoutes(a huma.API) {
	tags := []string{"scheduled tasks"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: tasksPath, Tags: tags, Summary: "The caller's scheduled tasks, the last changed first",
		Description: "Superusers get all tasks of the organization. Filters: name, isEnabled, icebreaker, projectLabels, owner, " +
			"frequencyType, nextRunAt, createdAt, updatedAt.",
	}, needs(domain.PlanTasks), func(ctx context.Context, in *listTasks) (*body[wire.Page[wire.Task]], error) {
		// An unknown field or operation of a condition is 422, before the store is asked.
		filters, err := in.filters(domain.TaskFields())
		if err != nil {
			return nil, err
		}
		// user and owned are two names of the same scope: the caller's own tasks. Tasks of others
		// are in the list only for superusers, whatever the scope is.
		f := domain.TaskFilter{
			Archived: strings.EqualFold(in.Status, "archived"), Owned: in.Scope != "all", Search: in.Search,
			Filters: filters, Page: in.page(),
		}
		list, err := s.Tasks.Tasks(ctx, callerOf(ctx), f)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewPage(list, f.Page, requestOf(ctx).url, wire.NewTask(callerOf(ctx)))), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: tasksPath, Tags: tags, DefaultStatus: http.StatusCreated, Summary: "Create a scheduled task",
		Description: "422 reports all errors at once, also for a blueprint that has inputs, is archived, or may not be used by the caller. A " +
			"new task is always enabled.",
	}, needs(domain.MakeTask), func(ctx context.Context, in *newTask) (*body[wire.Task], error) {
		input := in.Body.Input()
		var err error
		// The hash contains the schedule as the client sent it, so that the same key with another
		// schedule is 422.
		if input.Key, err = idempotency(in.IdempotencyKey, in.Body); err != nil {
			return nil, err
		}
		t, err := s.Tasks.CreateTask(ctx, callerOf(ctx), input)
		return taskAnswer(ctx)(t, err)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: tasksPath + "/timezones", Tags: tags, Summary: "The time zones",
		Description: "In alphabetical order, each with its current offset.",
	}, needs(domain.PlanTasks), func(ctx context.Context, in *listTimeZones) (*body[wire.Page[wire.TimeZone]], error) {
		page := in.page()
		list, err := s.Tasks.TaskZones(ctx, callerOf(ctx), in.Search, page)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewPage(list, page, requestOf(ctx).url, wire.NewTimeZone)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: tasksPath + "/next-runs", Tags: tags, Summary: "The next three times of a schedule",
		Description: "The schedule is not stored. 422 for a schedule that is not complete.",
	}, needs(domain.PlanTasks), func(ctx context.Context, in *comingRuns) (*body[wire.ComingRuns], error) {
		due, err := s.Tasks.ComingRuns(ctx, callerOf(ctx), in.Body.Input())
		if err != nil {
			return nil, err
		}
		return answer(wire.NewComingRuns(due)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: taskPath, Tags: tags, Summary: "Get a scheduled task", Description: "Includes the abilities of the caller.",
	}, needs(domain.SeeTask), func(ctx context.Context, in *taskID) (*body[wire.Task], error) {
		return taskAnswer(ctx)(s.Tasks.Task(ctx, callerOf(ctx), in.ID))
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: taskPath, Tags: tags, Summary: "Change a scheduled task",
		Description: "Replaces name, projects, blueprint and schedule. A missing isEnabled does not change. The time of the next run is " +
			"computed again.",
	}, needs(domain.ChangeTask), func(ctx context.Context, in *replaceTask) (*body[wire.Task], error) {
		input := in.Body.Input()
		var err error
		// 0 means no version: then the change is made to what is stored now.
		if input.Version, err = in.from(in.Body.Version); err != nil {
			return nil, err
		}
		return taskAnswer(ctx)(s.Tasks.UpdateTask(ctx, callerOf(ctx), in.ID, input))
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPatch, Path: taskPath, Tags: tags, Summary: "Enable or disable a scheduled task",
		Description: "409 if the version is not the current one.",
	}, needs(domain.ChangeTask), func(ctx context.Context, in *changeTask) (*body[wire.Task], error) {
		version, err := in.from(in.Body.Version)
		if err != nil {
			return nil, err
		}
		return taskAnswer(ctx)(s.Tasks.SetTaskEnabled(ctx, callerOf(ctx), in.ID, in.Body.IsEnabled, version))
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodDelete, Path: taskPath, Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary:     "Delete a scheduled task and its history",
		Description: "The conversations that it has created are not deleted.",
	}, needs(domain.DeleteTask), func(ctx context.Context, in *taskID) (*none, error) {
		return nil, s.Tasks.DeleteTask(ctx, callerOf(ctx), in.ID)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: taskPath + "/runs", Tags: tags, Summary: "The history of a scheduled task, latest run first",
		Description: "Each scheduled time is listed once, also if the run was missed or skipped.",
	}, needs(domain.SeeTask), func(ctx context.Context, in *listTaskRuns) (*body[wire.Page[wire.TaskRun]], error) {
		page := in.page()
		list, err := s.Tasks.TaskRuns(ctx, callerOf(ctx), in.ID, page)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewPage(list, page, requestOf(ctx).url, wire.NewTaskRun)), nil
	})

	// It changes one of two properties that different people may change, so the call itself needs
	// only the right to see the task, and the service checks the right to the property that is
	// changed.
	register(a, s.log, huma.Operation{
		Method: http.MethodPatch, Path: "/user/me/scheduled-tasks/{id}/status", Tags: tags,
		Summary:     "Archive, restore, enable or disable a scheduled task",
		Description: "status needs the right task.archive, isEnabled needs the right task.change (its owner).",
	}, needs(domain.SeeTask), s.changeTaskStatus)
}

// changeTaskStatus archives a task, brings it back, or switches it on or off. Exactly one of both
// properties must be given, because each needs a right of its own.
func (s *Server) changeTaskStatus(ctx context.Context, in *withBody[wire.TaskStatusChange]) (*body[wire.Task], error) {
	// isEnabled and enabled are two names of the same field; the first one counts if both are sent.
	on := in.Body.IsEnabled
	if on == nil {
		on = in.Body.Enabled
	}
	switch {
	case in.Body.Status == "" && on == nil:
		return nil, domain.Invalid("status", "This field is required.")
	case in.Body.Status != "" && on != nil:
		return nil, domain.Invalid("status", "Give either status or isEnabled")
	case on != nil:
		// The body has no version, so the switch is set whatever was changed meanwhile.
		return taskAnswer(ctx)(s.Tasks.SetTaskEnabled(ctx, callerOf(ctx), in.ID, *on, 0))
	}
	return taskAnswer(ctx)(s.Tasks.SetTaskArchived(ctx, callerOf(ctx), in.ID, in.Body.Status == "archived"))
}

// taskAnswer returns a task as the caller sees it, or the error.
func taskAnswer(ctx context.Context) func(*domain.ScheduledTask, error) (*body[wire.Task], error) {
	return func(t *domain.ScheduledTask, err error) (*body[wire.Task], error) {
		if err != nil {
			return nil, err
		}
		return answer(wire.NewTask(callerOf(ctx))(t)), nil
	}
}
