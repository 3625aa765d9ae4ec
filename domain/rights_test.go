package domain_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestRights(t *testing.T) {
	t.Parallel()
	seen := map[domain.Action]bool{}
	for _, r := range domain.Rights() {
		require.False(t, seen[r.Action], "%s has two rows", r.Action)
		seen[r.Action] = true
		require.NotEmpty(t, r.Does, r.Action)
		require.NotEmpty(t, r.Noun, r.Action)
		found, ok := r.Action.Right()
		require.True(t, ok)
		require.Equal(t, r.Does, found.Does)
		if !r.Lone {
			require.NotEmpty(t, r.Who(), r.Action)
			// No caller may do anything with an object that does not exist.
			for _, c := range []domain.Caller{{}, {IsSuperuser: true, Flags: domain.UserFlags{ScheduledTaskView: true, UploadCredentials: true}}} {
				require.Error(t, r.Action.Authorize(c, domain.Relation{Permission: domain.PermissionOwner, IsEnabled: true}), r.Action)
			}
		}
	}
	_, ok := domain.Action("nothing.at-all").Right()
	require.False(t, ok)
	require.Equal(t, domain.CodeInternal, domain.CodeOf(domain.Action("nothing.at-all").Authorize(domain.Caller{}, domain.Relation{})))
}

// TestAction_Authorize has a row for each error text in the table of rights, for each rule that needs
// more than a permission, and for each action.
func TestAction_Authorize(t *testing.T) {
	t.Parallel()
	const (
		none  = domain.PermissionNone
		read  = domain.PermissionRead
		write = domain.PermissionWrite
		owner = domain.PermissionOwner
	)
	person, super := domain.Caller{}, domain.Caller{IsSuperuser: true}
	planner := domain.Caller{Flags: domain.UserFlags{ScheduledTaskView: true}}
	superPlanner := domain.Caller{IsSuperuser: true, Flags: domain.UserFlags{ScheduledTaskView: true}}
	uploader := domain.Caller{Flags: domain.UserFlags{UploadCredentials: true}}
	to := func(p domain.Permission) domain.Relation { return domain.Relation{Found: true, Permission: p} }
	enabled := func(p domain.Permission) domain.Relation {
		return domain.Relation{Found: true, Permission: p, IsEnabled: true}
	}
	standard, library, open := enabled(read), to(read), to(owner)
	standard.IsDefault, library.IsLibrary, open.Scope = true, true, domain.ScopeOrganisation
	reviewed := to(none)
	reviewed.HasFeedback = true
	tried, said := map[domain.Action]bool{}, map[string]bool{}
	for _, c := range []struct {
		action  domain.Action
		caller  domain.Caller
		to      domain.Relation
		refusal string
	}{
		{domain.MakeConversation, person, domain.Relation{}, ""},
		{domain.SeeConversation, super, to(none), "not-found: Conversation not found"},
		{domain.SeeConversation, person, to(read), ""},
		{domain.ReviewConversation, super, reviewed, ""},
		{domain.ReviewConversation, person, reviewed, "not-found: Conversation not found"},
		{domain.ReviewConversation, super, to(none), "not-found: Conversation not found"},
		{domain.SeeCutMessages, person, to(owner), ""},
		{domain.SeeCutMessages, super, to(read), "not-found: Conversation not found"},
		{domain.SendPrompt, super, to(read), "forbidden: You cannot send messages to a shared conversation"},
		{domain.SendPrompt, person, to(owner), ""},
		{domain.UseConversation, person, to(read), ""},
		{domain.UseConversation, super, to(none), "not-found: Conversation not found"},
		{domain.RewindConversation, person, to(read), "forbidden: Only the owner of a conversation can do this."},
		{domain.ChangeConversation, super, to(read), "forbidden: Only the owner of a conversation can do this."},
		{domain.ShareConversation, person, to(read), "forbidden: Only the owner of a conversation can do this."},
		{domain.StopTurn, person, to(write), "forbidden: Only the owner of a conversation can do this."},
		{domain.DeleteConversation, person, to(read), "forbidden: Only the owner of a conversation can do this."},
		{domain.AttachDataSource, person, to(read), "forbidden: You do not have permission to access this conversation"},
		{domain.SeeMessage, person, to(none), "not-found: Message not found"},
		{domain.SeeInternalMessages, super, domain.Relation{}, ""},
		{domain.SeeInternalMessages, person, to(owner), "not-found: Message not found"},
		{domain.GiveFeedback, person, to(read), ""},
		{domain.GiveFeedback, super, to(none), "not-found: Message not found"},
		{domain.SeeDisplayObject, person, to(none), "not-found: Display object not found"},
		{domain.SeeFeedback, super, to(none), ""},
		{domain.SeeFeedback, person, to(none), "not-found: Feedback not found"},
		{domain.CommentFeedback, person, to(read), ""},

		{domain.MakeBlueprint, person, domain.Relation{}, ""},
		{domain.SeeBlueprint, super, to(none), "not-found: Blueprint not found"},
		{domain.UseBlueprint, person, to(read), ""},
		{domain.ShareBlueprint, super, library, "forbidden: Only the owner can change this blueprint."},
		{domain.DeleteBlueprint, person, to(read), "forbidden: Only the owner can change this blueprint."},
		{domain.AddQAInstructions, super, domain.Relation{}, ""},
		{domain.AddQAInstructions, person, to(owner), "not-found: Blueprint not found"},
		{domain.ChangeBlueprint, person, to(read), "forbidden: Only the owner can change this blueprint."},
		{domain.ChangeBlueprint, super, library, "forbidden: Only the owner can change this blueprint."},
		{domain.ArchiveBlueprint, super, library, ""},
		{domain.ArchiveBlueprint, super, to(read), "forbidden: Only the owner can archive this blueprint."},
		{domain.ArchiveBlueprint, person, library, "forbidden: Only the owner can archive this blueprint."},
		{domain.ArchiveBlueprint, person, to(owner), ""},
		{domain.MakeStep, person, domain.Relation{}, ""},
		{domain.SeeStep, person, to(read), ""},
		{domain.ChangeStep, person, to(none), "not-found: Step not found"},
		{domain.ChangeStep, person, to(read), "forbidden: Only the owner can change this blueprint."},

		{domain.MakeDataSource, person, domain.Relation{}, ""},
		{domain.ConnectDataSource, super, domain.Relation{}, "forbidden: You do not have permission to do this"},
		{domain.ConnectDataSource, uploader, domain.Relation{}, ""},
		{domain.SeeDataSource, super, to(none), "not-found: Connector not found"},
		{domain.UseDataSource, person, to(read), ""},
		{domain.ArchiveDataSource, person, to(write), "forbidden: Only the owner of a connector can do this."},
		{domain.PublishDataSource, person, domain.Relation{}, "forbidden: Sharing a connector with the whole organization is for superusers."},
		{domain.PublishDataSource, super, domain.Relation{}, ""},
		{domain.ChangeDataSource, person, to(write), ""},
		{domain.ChangeDataSource, person, to(read), "forbidden: You may use this connector, but not change it."},
		{domain.ReplaceFile, person, to(write), "forbidden: Only the owner of a connector can replace its file."},
		{domain.ShareDataSource, person, to(write), "forbidden: Only the owner of a connector can do this."},
		{domain.DeleteDataSource, super, to(write), "forbidden: Only the owner of a connector can do this."},
		{domain.DeleteDataSource, person, open, "forbidden: A connector of the whole organization can be deleted by a superuser only."},
		{domain.DeleteDataSource, super, open, ""},
		{domain.SeeTable, person, to(read), ""},
		{domain.ChangeTable, person, to(read), "forbidden: You may use this connector, but not change it."},
		{domain.ChangeTable, person, to(none), "not-found: Table not found"},

		{domain.MakeAnalyst, person, domain.Relation{}, "not-found: Agent not found"},
		{domain.MakeAnalyst, super, domain.Relation{}, ""},
		{domain.SeeAnalyst, person, to(read), "not-found: Agent not found"},
		{domain.SeeAnalyst, person, to(owner), ""},
		{domain.SeeAnalyst, super, to(none), ""},
		{domain.UseAnalyst, person, enabled(read), ""},
		{domain.ChangeAnalyst, person, enabled(read), "forbidden: Only the owner and superusers can change the agent"},
		{domain.ChangeAnalyst, super, enabled(none), ""},
		{domain.ShareAnalyst, super, enabled(none), "forbidden: Only the owner can share the agent"},
		{domain.DeleteAnalyst, super, standard, "forbidden: The default agent cannot be deleted"},
		{domain.DeleteAnalyst, super, enabled(none), "forbidden: Only the owner can delete the agent"},
		{domain.MakeMemory, person, domain.Relation{}, "not-found: Memory not found"},
		{domain.SeeMemory, person, enabled(none), ""},
		{domain.SeeMemory, person, to(none), "not-found: Memory not found"},
		{domain.ChangeMemory, person, enabled(none), "forbidden: Memories are changed by superusers"},
		{domain.ChangeMemory, person, to(none), "not-found: Memory not found"},
		{domain.DeleteMemory, super, to(none), ""},

		{domain.MakeProjectLabel, person, domain.Relation{}, ""},
		{domain.SeeProjectLabel, person, to(none), ""},
		{domain.ChangeProjectLabel, person, to(none), "forbidden: Only the owner of the project can change it"},
		{domain.ChangeProjectLabel, super, to(none), ""},
		{domain.DeleteProjectLabel, person, to(owner), ""},
		{domain.PlanTasks, super, domain.Relation{}, "forbidden: Scheduled work is not switched on for you."},
		{domain.MakeTask, planner, domain.Relation{}, ""},
		{domain.ChangeTask, person, domain.Relation{}, "forbidden: Scheduled work is not switched on for you."},
		{domain.SeeTask, planner, to(none), "not-found: Scheduled task not found"},
		{domain.ChangeTask, superPlanner, to(none), "forbidden: Only the owner of scheduled work may change it."},
		{domain.ChangeTask, planner, to(owner), ""},
		{domain.ArchiveTask, superPlanner, to(none), ""},
		{domain.ArchiveTask, superPlanner, to(owner), "forbidden: Scheduled work is archived by a superuser who is not its owner. Its owner " +
			"may delete it."},
		{domain.DeleteTask, superPlanner, to(none), "forbidden: Only the owner of scheduled work may change it."},

		{domain.MakeCredential, super, domain.Relation{}, "forbidden: You do not have permission to do this"},
		{domain.MakeCredential, uploader, domain.Relation{}, ""},
		{domain.ListCredentials, person, domain.Relation{}, "forbidden: You do not have permission to do this"},
		{domain.SeeCredential, uploader, to(owner), "not-found: Secret not found"},
		{domain.FollowStream, super, to(none), "not-found: Stream not found"},
		{domain.BeMember, person, domain.Relation{}, ""},
		{domain.SeeCluster, person, domain.Relation{}, "forbidden: The nodes of the server are shown to those who operate it."},
		{domain.SeeCluster, super, domain.Relation{}, "forbidden: The nodes of the server are shown to those who operate it."},
		{domain.SeeCluster, domain.Caller{UserID: 4, IsSuperuser: true, IsOperator: true}, domain.Relation{}, ""},
	} {
		tried[c.action] = true
		if _, text, ok := strings.Cut(c.refusal, "forbidden: "); ok {
			said[text] = true
		}
		err := c.action.Authorize(c.caller, c.to)
		require.Equal(t, c.refusal == "", c.action.May(c.caller, c.to), c.action)
		if c.refusal == "" {
			require.NoError(t, err, c.action)
			continue
		}
		require.EqualError(t, err, c.refusal, c.action)
	}
	for _, r := range domain.Rights() {
		require.True(t, tried[r.Action], "%s has no row in TestAction_Authorize", r.Action)
		for _, need := range r.Needs {
			require.True(t, need.Refusal == "" || said[need.Refusal], "no row of TestAction_Authorize is refused with %q", need.Refusal)
		}
	}
}

// TestAction_MayOnOthers: a person gets no rows of others by a query, and a superuser gets those of
// the rules that name superusers.
func TestAction_MayOnOthers(t *testing.T) {
	t.Parallel()
	flags := domain.UserFlags{ScheduledTaskView: true}
	person, super := domain.Caller{Flags: flags}, domain.Caller{IsSuperuser: true, Flags: flags}
	for _, a := range []domain.Action{domain.SeeAnalyst, domain.SeeFeedback, domain.SeeMemory, domain.SeeTask} {
		require.True(t, a.MayOnOthers(super), a)
		require.False(t, a.MayOnOthers(person), a)
	}
	for _, a := range []domain.Action{domain.SeeConversation, domain.SeeBlueprint, domain.SeeDataSource} {
		require.False(t, a.MayOnOthers(super), "%s: superusers see shared objects in the same way as others", a)
	}
	require.False(t, domain.SeeTask.MayOnOthers(domain.Caller{IsSuperuser: true}), "the flag is needed as well")
}

// TestRole_VisibleTo: internal messages are for superusers.
func TestRole_VisibleTo(t *testing.T) {
	t.Parallel()
	require.True(t, domain.RoleInternal.VisibleTo(domain.Caller{IsSuperuser: true}))
	require.False(t, domain.RoleInternal.VisibleTo(domain.Caller{}))
	require.True(t, domain.RoleAssistant.VisibleTo(domain.Caller{}))
}

func TestNoun_Key(t *testing.T) {
	t.Parallel()
	id := uuid.New()
	for _, c := range []struct {
		noun domain.Noun
		text string
		key  domain.Key
		ok   bool
	}{
		{domain.NounBlueprint, "7", domain.Key{Number: 7}, true},
		{domain.NounBlueprint, id.String(), domain.Key{}, false},
		{domain.NounConversation, id.String(), domain.Key{ID: id}, true},
		{domain.NounConversation, "7", domain.Key{}, false},
		{domain.NounTask, "", domain.Key{}, false},
	} {
		key, ok := c.noun.Key(c.text)
		require.Equal(t, c.ok, ok, c.text)
		if ok {
			require.Equal(t, c.key, key)
		}
	}
}
