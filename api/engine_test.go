package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

const (
	oneConversation = v1 + "/discourse/conversations/{c}"
	userText        = v1 + "/discourse/user-text"
	stopTurn        = v1 + "/analyst/process-control/stop-process-in-redis"
)

// TestRoutes_EngineArguments checks all arguments that the engine gets from each call.
func TestRoutes_EngineArguments(t *testing.T) {
	t.Parallel()
	change := func(u domain.ConversationUpdate) func(*domain.Conversation) any {
		return func(c *domain.Conversation) any { return fakes.ConversationChange{ID: c.ID, Update: u} }
	}
	id := func(c *domain.Conversation) any { return c.ID }
	row := func(method, name, call, path, body string, status int, has string, asked func(*domain.Conversation) any) serviceRow {
		return serviceRow{scenario{name, call, path, "owner", body, status, []string{has}, nil, ""}, method, nil, asked}
	}
	runServiceRows(t, []serviceRow{
		row("Stop", "OK", "POST", stopTurn, `{"conversation_id":"{c}"}`, 200, `"stopped":true`, id),
		row("Rewind", "OK", "POST", oneConversation+"/rewind", `{"message_id":"{prompt}"}`, 200, `"generation":2`,
			func(c *domain.Conversation) any {
				return fakes.Cut{Conversation: c.ID, Message: c.Messages[0].ID}
			}),
		row("Change", "OK", "PATCH", oneConversation, `{"name":"Renamed","description":"D","id":"x","owner":4}`, 200, `"name":"Renamed"`,
			change(domain.ConversationUpdate{
				Name: new("Renamed"), Description: new("D"),
			})),
		row("Change", "ids once", "PUT", oneConversation, `{"project_labels":[1,1],"dataSources":[2,2]}`, 200, `"dataSources":[2]`,
			change(domain.ConversationUpdate{
				ProjectLabels: &[]int64{1}, DataSources: &[]int64{2},
			})),
		row("Delete", "OK", "DELETE", oneConversation, "", 204, "", id),
		row("SetGrants", "OK", "PUT", oneConversation+"/actors", `{"users":[{"id":3,"permission":"read"},{"id":2,"permission":"remove"}],`+
			`"teams":[{"id":7}]}`, 200, `"count":2`, func(c *domain.Conversation) any {
			return fakes.ConversationGrants{ID: c.ID, Grants: []domain.Grant{
				{Grantee: domain.Grantee{ID: 3, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
				{Grantee: domain.Grantee{ID: 2, Type: domain.GranteeUser}, Permission: domain.PermissionRemove},
				{Grantee: domain.Grantee{ID: 7, Type: domain.GranteeTeam}, Permission: domain.PermissionRead},
			}}
		}),
	})
}

// TestRoutes_EngineRefused checks how the API answers a refusal of the engine. Which requests
// the engine refuses is tested in actors and, with the whole product, in
// internal/integration.
func TestRoutes_EngineRefused(t *testing.T) {
	t.Parallel()
	forbidden, missing := refusal(domain.CodeForbidden), refusal(domain.CodeNotFound)
	row := func(name, method string, refuse error, call, path, who, body string, status int, has string) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, []string{has}, nil, ""}, method, refuse, nil}
	}
	const text = `{"conversationId":"{c}","message":{"text":"Hello"}}`
	runServiceRows(t, []serviceRow{
		row("a turn runs", "Send", refusal(domain.CodeConflict), "POST", userText, "owner", text, 409, `"code":"conflict"`),
		row("D11", "Send", domain.Invalid("message.id", "The id was used for another message"), "POST", userText, "owner", text, 422,
			`"field":"message.id"`),
		row("reader B05", "Stop", forbidden, "POST", stopTurn, "reader", `{"conversationId":"{c}"}`, 403, `"code":"forbidden"`),
		row("gone", "Stop", missing, "POST", stopTurn, "owner", `{"conversationId":"{c}"}`, 404, `"code":"D404"`),
		row("B04", "Rewind", missing, "POST", oneConversation+"/rewind", "owner", `{"messageId":"{new}"}`, 404, `"code":"D404"`),
		row("gone", "Change", missing, "PATCH", oneConversation, "owner", `{"name":"N"}`, 404, `"code":"D404"`),
		row("reader B05", "Delete", forbidden, "DELETE", oneConversation, "reader", "", 403, `"code":"forbidden"`),
		row("stranger", "Delete", missing, "DELETE", oneConversation, "stranger", "", 404, `"code":"D404"`),
		row("B06 removing the owner", "SetGrants", domain.Invalid("users", "The owner cannot be changed"), "PUT", oneConversation+"/actors",
			"owner",
			`{"users":[{"id":1,"permission":"remove"}]}`, 422, `"field":"users"`),
	})
}

// TestSend_Arguments checks all fields of a prompt: the API fills the fields that are left out.
func TestSend_Arguments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, _ := b.world.AddConversation()
	send := func(message string) domain.Prompt {
		t.Helper()
		got := b.call(t, &b.world.Owner, http.MethodPost, userText,
			`{"conversation_id":"`+c.ID.String()+`","data_sources":[2],"message":`+message+`}`)
		require.Equal(t, 200, got.status, got.body)
		p, ok := b.world.Asked("Send").(domain.Prompt)
		require.True(t, ok)
		return p
	}
	given := send(`{"id":"` + someID + `","text":"And now?","analyst_id":1,"parent_message_id":"` + c.Messages[1].ID.String() +
		`","created_at":"2026-01-01T00:00:00Z"}`)
	require.Equal(t, domain.Prompt{
		Conversation: c.ID, Message: uuid.MustParse(someID), Parent: c.Messages[1].ID, Text: "And now?", AnalystID: 1, DataSources: []int64{2},
	}, given)
	made := send(`{"text":"And now?"}`)
	require.NotEqual(t, uuid.Nil, made.Message)
	require.WithinDuration(t, b.clock.Now(), time.Unix(made.Message.Time().UnixTime()), 24*time.Hour)
}
