package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// denied tells whether the caller may not make a change at all, whatever the body
// says. It is asked where a request is not valid: rights come before the rules
// of a body, and who may not see a thing learns nothing of how it is changed.
// path is that of the table, with {id}; given is what stands in its place.
//
// What has no reading of its own is asked for by a change that is never valid.
func (s *Server) denied(ctx context.Context, method, path, given string) error {
	if method == http.MethodGet {
		return nil
	}
	collection, action, one := strings.Cut(path, "/{id}")
	if !one {
		return s.deniedToMake(ctx, path)
	}
	caller := callerOf(ctx)
	switch collection {
	case "/discourse/conversations", "/user/me/conversations", "/discourse/messages", "/discourse/scheduledtasks", "/user/me/scheduled-tasks":
		id, err := uuid.Parse(given)
		if err != nil {
			return nil //nolint:nilerr // it names nothing, as the answer says
		}
		return s.deniedNamed(ctx, caller, collection, action, id)
	}
	id, err := strconv.ParseInt(given, 10, 64)
	if err != nil {
		return nil //nolint:nilerr // as above
	}
	return s.deniedNumbered(ctx, caller, collection, action, id)
}

// deniedToMake is denied for calls that make something.
func (s *Server) deniedToMake(ctx context.Context, path string) error {
	caller := callerOf(ctx)
	switch {
	case path == "/memory/memories" && !caller.IsSuperuser:
		return domain.NotFound("Memory")
	case path == "/analyst/analysts" && !caller.IsSuperuser:
		return domain.NotFound("Agent")
	case path == "/discourse/scheduledtasks":
		_, err := s.Tasks.CreateTask(ctx, caller, domain.TaskInput{})
		return denial(err)
	}
	return nil
}

func (s *Server) deniedNamed(ctx context.Context, caller domain.Caller, collection, action string, id uuid.UUID) (err error) {
	switch collection {
	case "/discourse/conversations":
		switch action {
		case "/favorite", "/read", "/copy":
			_, err = s.Conversations.Conversation(ctx, caller, id)
		default:
			err = s.ownConversation(ctx, caller, id, ownersOnly)
		}
	case "/user/me/conversations":
		_, err = s.Conversations.Conversation(ctx, caller, id)
	case "/discourse/messages":
		_, err = s.Conversations.Message(ctx, caller, id)
	case "/discourse/scheduledtasks":
		_, err = s.Tasks.UpdateTask(ctx, caller, id, domain.TaskInput{})
	case "/user/me/scheduled-tasks":
		_, err = s.Tasks.Task(ctx, caller, id)
	}
	return denial(err)
}

func (s *Server) deniedNumbered(ctx context.Context, caller domain.Caller, collection, action string, id int64) (err error) {
	never := ""
	switch collection {
	case "/discourse/blueprints":
		switch action {
		case "", "/actors":
			err = s.ownBlueprint(ctx, id)
		default:
			var b *domain.Blueprint
			if b, err = s.Blueprints.Blueprint(ctx, caller, id); err == nil && action == "/archive" && !b.CanArchive(caller) {
				err = domain.Errorf(domain.CodeForbidden, "Only the owner can archive this blueprint.")
			}
		}
	case "/discourse/steps":
		_, err = s.Blueprints.UpdateStep(ctx, caller, id, domain.StepDraft{})
	case "/discourse/projectlabels":
		_, err = s.ProjectLabels.UpdateProjectLabel(ctx, caller, id, domain.ProjectLabelDraft{})
	case "/memory/memories":
		_, err = s.Memories.UpdateMemory(ctx, caller, id, domain.MemoryUpdate{Question: &never})
	case "/memory/datasources":
		need := domain.PermissionOwner
		switch action {
		case "/favorite":
			need = domain.PermissionRead
		case "", "/details", "/sync":
			need = domain.PermissionWrite
		}
		_, err = s.DataSources.DataSourceFor(ctx, caller, id, need)
	case "/memory/dataresources":
		_, err = s.DataSources.SetDictionary(ctx, caller, 0, id, strings.Repeat("x", domain.DataDictionaryMax+1))
	case "/analyst/analysts":
		a, failed := s.Analysts.AnalystFor(ctx, caller, id)
		switch {
		case failed != nil:
			err = failed
		case action == "" && !a.CanEdit(caller):
			err = domain.Errorf(domain.CodeForbidden, "Only the owner and superusers can change the agent")
		case action == "/actors":
			err = s.ownAnalyst(ctx, id)
		}
	}
	return denial(err)
}

// denial keeps of an error what is about rights.
func denial(err error) error {
	if code := domain.CodeOf(err); code == domain.CodeNotFound || code == domain.CodeForbidden {
		return err
	}
	return nil
}
