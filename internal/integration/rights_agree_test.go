package integration_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// rowActions returns, by call and when, the rows whose body or query needs another action than the
// published right of the call. The handler or the service checks that action.
func rowActions() map[string]domain.Action {
	const (
		conversation = "/discourse/conversations/{id}"
		upload       = "POST /memory/file/datasources"
		status       = "PATCH /user/me/scheduled-tasks/{id}/status"
	)
	return map[string]domain.Action{
		"GET " + conversation + " for reviewers":                         domain.ReviewConversation,
		"PATCH " + conversation:                                          domain.ChangeConversation,
		"PATCH " + conversation + " with feedback":                       domain.ChangeConversation,
		"PATCH " + conversation + " against the rules":                   domain.ChangeConversation,
		"PUT " + conversation:                                            domain.ChangeConversation,
		"POST /discourse/blueprints from a conversation":                 domain.SeeConversation,
		"POST /discourse/steps":                                          domain.ChangeStep,
		"POST /discourse/steps against the rules":                        domain.ChangeStep,
		"PUT /memory/datasources/{id} with a file":                       domain.ReplaceFile,
		upload + " for everybody":                                        domain.PublishDataSource,
		upload + " of a conversation":                                    domain.AttachDataSource,
		upload + " from a table":                                         domain.SeeDisplayObject,
		upload + " from a table with feedback":                           domain.SeeDisplayObject,
		status:                                                           domain.ArchiveTask,
		status + " to switch it":                                         domain.ChangeTask,
		"GET /discourse/messages/{id} for reviewers":                     domain.ReviewConversation,
		"GET /discourse/messages/{id}/comments with feedback":            domain.ReviewConversation,
		"GET /discourse/displayobjects/{id}/content with feedback":       domain.ReviewConversation,
		"GET /discourse/displayobjects/{id}/presigned-url with feedback": domain.ReviewConversation,
	}
}

// relation returns the relation of an actor to the object of a row.
func relation(a actor, noun domain.Noun, r *right) domain.Relation {
	has := domain.Relation{Found: !a.foreign(), IsEnabled: true, HasFeedback: true}
	switch a {
	case owner:
		has.Permission = domain.PermissionOwner
	case viewer, byTeam:
		has.Permission = domain.PermissionRead
	case writer:
		has.Permission = domain.PermissionWrite
	default:
	}
	only := func(kept ...actor) {
		for _, k := range kept {
			if a == k {
				return
			}
		}
		has.Permission = domain.PermissionNone
	}
	switch {
	case noun == domain.NounTable:
	case noun == domain.NounStream, noun == domain.NounTask, r.when == ofNothingYet:
		only(owner)
	case noun == domain.NounFeedback:
		only(owner, viewer) // the owner of the conversation, and the viewer, who gave the feedback
	case noun == domain.NounDataSource && r.when == ofEverybody:
		// A superuser created it for the whole organisation.
		has.Permission, has.Scope = domain.PermissionRead, domain.ScopeOrganisation
		if a == superuser {
			has.Permission = domain.PermissionOwner
		}
	case r.when == ofTheLibrary:
		has.Permission, has.IsLibrary = domain.PermissionRead, true
	case r.when == theDefaultOne:
		has.Permission, has.IsDefault = domain.PermissionRead, true
	case noun != domain.NounDataSource || r.when == ofAConversation:
		only(owner, viewer, byTeam)
	}
	return has
}

// TestRights_Table checks that each row of the table of rights agrees with the rules of
// domain.Rights. Neither is generated from the other.
func TestRights_Table(t *testing.T) {
	t.Parallel()
	rightOf := map[string]domain.Action{}
	for path, item := range described(t) {
		for method, raw := range item {
			var op struct {
				Right domain.Action `json:"x-right"` //nolint:tagliatelle // OpenAPI extensions have this form
			}
			require.NoError(t, json.Unmarshal(raw, &op))
			rightOf[strings.ToUpper(method)+" "+path] = op.Right
		}
	}
	others := rowActions()
	for _, r := range rights() {
		name := strings.TrimSpace(r.call + " " + r.when)
		action := rightOf[r.call]
		if other, ok := others[name]; ok {
			action = other
			delete(others, name)
		}
		of, ok := action.Right()
		require.True(t, ok, name)
		for a := owner; a < disabled; a++ {
			caller := domain.Caller{IsSuperuser: a == superuser || a == foreignSuperuser, IsOperator: a == superuser, Flags: domain.UserFlags{
				ScheduledTaskView: true,
				UploadCredentials: true,
			}}
			err := action.Authorize(caller, relation(a, of.Noun, &r))
			if action == domain.ReviewConversation && err != nil {
				// A person with a share may see the conversation without the right to review.
				err = domain.SeeConversation.Authorize(caller, relation(a, of.Noun, &r))
			}
			switch got := r.may[a]; domain.CodeOf(err) {
			case domain.CodeNotFound:
				require.True(t, got == 404 || got == 422 && of.Lone, "%s: %s gets %d, but the rules say %v", name, a, got, err)
			case domain.CodeForbidden:
				require.Equal(t, 403, got, "%s: %s, but the rules say %v", name, a, err)
			default:
				require.True(t, got < 400 || got == 422, "%s: %s gets %d, but the rules permit the call", name, a, got)
			}
		}
	}
	require.Empty(t, others, "rowActions has rows that are not in the table of rights")
}
