package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// guard tells whether a caller may not make a change at all, whatever its body says:
// CodeNotFound, CodeForbidden, or nothing. It reads and never writes. given is what
// stands for {id} in the path.
type guard func(ctx context.Context, caller domain.Caller, given string) error

// guards are those of all calls that change something, by their paths. They are asked
// where a request is not valid: rights come before the rules of a body, and who may
// not see a thing learns nothing of how it is changed. The services check the same
// rights when they change something. A call that stands in no row stops the server
// at its start (guardEverything).
func (s *Server) guards() map[string]guard {
	readConversation := named(func(ctx context.Context, caller domain.Caller, id uuid.UUID) error {
		_, err := s.Conversations.ConversationAccess(ctx, caller, id)
		return err
	})
	ownConversation := named(func(ctx context.Context, caller domain.Caller, id uuid.UUID) error {
		return s.ownConversation(ctx, caller, id, ownersOnly)
	})
	haveTasks := func(_ context.Context, caller domain.Caller, _ string) error { return domain.MayHaveTasks(caller) }
	connectors := func(_ context.Context, caller domain.Caller, _ string) error { return domain.MayConnect(caller) }
	readBlueprint := numbered(func(ctx context.Context, caller domain.Caller, id int64) error {
		_, err := s.Blueprints.Blueprint(ctx, caller, id)
		return err
	})
	ownBlueprint := numbered(func(ctx context.Context, _ domain.Caller, id int64) error { return s.ownBlueprint(ctx, id) })
	source := func(need domain.Permission) guard {
		return numbered(func(ctx context.Context, caller domain.Caller, id int64) error {
			_, err := s.DataSources.DataSourceFor(ctx, caller, id, need)
			return err
		})
	}
	superusers := func(noun string) guard {
		return func(_ context.Context, caller domain.Caller, _ string) error {
			if !caller.IsSuperuser {
				return domain.NotFound(noun)
			}
			return nil
		}
	}
	return map[string]guard{
		"/analyst/analysts":               superusers("Agent"),
		"/analyst/analysts/{id}":          numbered(s.mayChangeAnalyst),
		"/analyst/analysts/{id}/actors":   numbered(s.mayShareAnalyst),
		"/analyst/analysts/{id}/favorite": numbered(s.maySeeAnalyst),

		"/analyst/process-control/stop-process-in-redis": everybody,

		"/discourse/blueprints":                    everybody,
		"/discourse/blueprints/initial-message":    everybody,
		"/discourse/blueprints/{id}":               ownBlueprint,
		"/discourse/blueprints/{id}/actors":        ownBlueprint,
		"/discourse/blueprints/{id}/archive":       numbered(s.mayArchiveBlueprint),
		"/discourse/blueprints/{id}/conversations": readBlueprint,
		"/discourse/blueprints/{id}/copy":          readBlueprint,
		"/discourse/blueprints/{id}/favorite":      readBlueprint,
		"/discourse/steps":                         everybody,
		"/discourse/steps/{id}":                    numbered(s.mayChangeStep),

		"/discourse/conversations":               everybody,
		"/discourse/conversations/{id}":          ownConversation,
		"/discourse/conversations/{id}/actors":   ownConversation,
		"/discourse/conversations/{id}/copy":     readConversation,
		"/discourse/conversations/{id}/favorite": readConversation,
		"/discourse/conversations/{id}/read":     readConversation,
		"/discourse/conversations/{id}/rewind":   ownConversation,
		"/discourse/user-text":                   everybody,
		"/user/me/conversations/{id}/status":     readConversation,

		"/discourse/comments":                everybody,
		"/discourse/messages/{id}/feedbacks": named(s.mayReadMessage),

		"/discourse/projectlabels":      everybody,
		"/discourse/projectlabels/{id}": numbered(s.mayChangeLabel),

		"/discourse/scheduledtasks":            haveTasks,
		"/discourse/scheduledtasks/{id}":       named(s.mayChangeTask),
		"/discourse/scheduledtasks/next-runs":  haveTasks,
		"/user/me/scheduled-tasks/{id}/status": named(s.maySeeTask),

		"/memory/dataresources/{id}":        numbered(s.mayChangeTable),
		"/memory/datasources":               connectors,
		"/memory/datasources/check":         connectors,
		"/memory/datasources/{id}":          source(domain.PermissionWrite),
		"/memory/datasources/{id}/actors":   source(domain.PermissionOwner),
		"/memory/datasources/{id}/archive":  source(domain.PermissionOwner),
		"/memory/datasources/{id}/details":  source(domain.PermissionWrite),
		"/memory/datasources/{id}/favorite": source(domain.PermissionRead),
		"/memory/datasources/{id}/file":     source(domain.PermissionOwner),
		"/memory/datasources/{id}/sync":     source(domain.PermissionWrite),
		"/memory/file/datasources":          everybody,
		"/memory/file/info":                 everybody,
		"/memory/memories":                  superusers("Memory"),
		"/memory/memories/{id}":             numbered(s.mayChangeMemory),
		"/memory/secrets":                   everybody,

		"/user/me/keep-alive": everybody,
		"/user/me/logout":     everybody,
	}
}

// everybody may make the call; what it names in its body is for its handler to judge.
func everybody(context.Context, domain.Caller, string) error { return nil }

// numbered is a guard of what has a number. What is none names nothing, as the
// answer to the request says.
func numbered(may func(context.Context, domain.Caller, int64) error) guard {
	return func(ctx context.Context, caller domain.Caller, given string) error {
		id, err := strconv.ParseInt(given, 10, 64)
		if err != nil {
			return nil //nolint:nilerr // as the comment says
		}
		return may(ctx, caller, id)
	}
}

// named is numbered for what has a UUID.
func named(may func(context.Context, domain.Caller, uuid.UUID) error) guard {
	return func(ctx context.Context, caller domain.Caller, given string) error {
		id, err := uuid.Parse(given)
		if err != nil {
			return nil //nolint:nilerr // as of numbered
		}
		return may(ctx, caller, id)
	}
}

func (s *Server) maySeeAnalyst(ctx context.Context, caller domain.Caller, id int64) error {
	_, err := s.Analysts.AnalystFor(ctx, caller, id)
	return err
}

func (s *Server) mayChangeAnalyst(ctx context.Context, caller domain.Caller, id int64) error {
	a, err := s.Analysts.AnalystFor(ctx, caller, id)
	if err == nil && !a.CanEdit(caller) {
		err = domain.Errorf(domain.CodeForbidden, "Only the owner and superusers can change the agent")
	}
	return err
}

func (s *Server) mayShareAnalyst(ctx context.Context, caller domain.Caller, id int64) error {
	if err := s.maySeeAnalyst(ctx, caller, id); err != nil {
		return err
	}
	return s.ownAnalyst(ctx, id)
}

func (s *Server) mayArchiveBlueprint(ctx context.Context, caller domain.Caller, id int64) error {
	b, err := s.Blueprints.Blueprint(ctx, caller, id)
	if err == nil && !b.CanArchive(caller) {
		err = domain.Errorf(domain.CodeForbidden, "Only the owner can archive this blueprint.")
	}
	return err
}

func (s *Server) mayReadMessage(ctx context.Context, caller domain.Caller, id uuid.UUID) error {
	_, err := s.Conversations.Message(ctx, caller, id)
	return err
}

func (s *Server) maySeeTask(ctx context.Context, caller domain.Caller, id uuid.UUID) error {
	_, err := s.Tasks.Task(ctx, caller, id)
	return err
}

func (s *Server) mayChangeTask(ctx context.Context, caller domain.Caller, id uuid.UUID) error {
	return s.Tasks.MayChangeTask(ctx, caller, id)
}

func (s *Server) mayChangeStep(ctx context.Context, caller domain.Caller, id int64) error {
	return s.Blueprints.MayChangeStep(ctx, caller, id)
}

func (s *Server) mayChangeLabel(ctx context.Context, caller domain.Caller, id int64) error {
	return s.ProjectLabels.MayChangeProjectLabel(ctx, caller, id)
}

func (s *Server) mayChangeTable(ctx context.Context, caller domain.Caller, id int64) error {
	return s.DataSources.MayChangeTable(ctx, caller, id)
}

func (s *Server) mayChangeMemory(ctx context.Context, caller domain.Caller, id int64) error {
	return s.Memories.MayChangeMemory(ctx, caller, id)
}

// denied asks the guard of a call, and keeps of its answer what is about rights.
func (s *Server) denied(ctx context.Context, path, given string) error {
	err := s.guardOf[path](ctx, callerOf(ctx), given)
	if code := domain.CodeOf(err); code == domain.CodeNotFound || code == domain.CodeForbidden {
		return err
	}
	return nil
}

// guardEverything panics for a call without a guard and for a guard without a call,
// which only a programmer can have left so.
func guardEverything(o *huma.OpenAPI, guards map[string]guard) {
	changing := map[string]bool{}
	for path, item := range o.Paths {
		for method, op := range map[string]*huma.Operation{
			http.MethodPost: item.Post, http.MethodPut: item.Put, http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
		} {
			if op == nil {
				continue
			}
			changing[path] = true
			if guards[path] == nil {
				panic(fmt.Sprintf("api: %s %s has no guard; see guard.go", method, path))
			}
		}
	}
	for path := range guards {
		if !changing[path] {
			panic("api: there is a guard of " + path + ", and no call that changes it")
		}
	}
}
