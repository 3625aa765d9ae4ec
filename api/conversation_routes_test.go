package api_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

const allConversations = v1 + "/discourse/conversations"

// TestRoutes_ConversationsArguments checks all arguments that the service gets from each call
// that makes, lists or marks conversations.
func TestRoutes_ConversationsArguments(t *testing.T) {
	t.Parallel()
	const all, one, status = allConversations, oneConversation, v1 + "/user/me/conversations/{c}/status"
	list := func(change func(*domain.ConversationFilter)) domain.ConversationFilter {
		f := domain.ConversationFilter{
			Sort: "-updated_at", ProjectLabels: []int64{}, Conditions: domain.Filters{},
			Page: domain.Page{Number: 1, Size: 50},
		}
		change(&f)
		return f
	}
	scope := func(name string) domain.ConversationFilter {
		return list(func(f *domain.ConversationFilter) { f.Scope = name })
	}
	marked := func(status domain.ConversationStatus) func(*domain.Conversation) any {
		return func(c *domain.Conversation) any { return fakes.StatusOf{ID: c.ID, Status: status} }
	}
	favorite := func(on bool) func(*domain.Conversation) any {
		return func(c *domain.Conversation) any { return fakes.FavoriteOf{ID: c.ID, On: on} }
	}
	row := func(method, name, call, path, who, body string, status int, has string, asked any) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, []string{has}, nil, ""}, method, nil, asked}
	}
	runServiceRows(t, []serviceRow{
		row("Conversations", "all", "GET", all+"?feedback_scope=all&include_nested_objects=true&retrieve_type=all&x=1", "owner", "", 200,
			`"count":1`, scope("")),
		row("Conversations", "favorites", "GET", all+"?only_favorites=true&sort=name", "owner", "", 200, "",
			list(func(f *domain.ConversationFilter) {
				f.Scope, f.Sort = "favorite", "name"
			})),
		row("Conversations", "filtered", "GET", all+"?filter=name:contains:sal&filter=data_sources:in:1,2", "owner", "", 200, "",
			list(func(f *domain.ConversationFilter) {
				f.Conditions = domain.Filters{
					{Field: "name", Op: "contains", Values: []any{"sal"}},
					{Field: "dataSources", Op: "in", Values: []any{1.0, 2.0}},
				}
			})),
		row("Conversations", "user", "GET", all+"?scope=user&sort=-createdAt", "owner", "", 200, "", list(func(f *domain.ConversationFilter) {
			f.Scope, f.Sort = "user", "-created_at"
		})),
		row("Conversations", "only_favorites", "GET", all+"?scope=only_favorites", "owner", "", 200, "", scope("favorite")),
		row("Conversations", "favorite_scope", "GET", all+"?favorite_scope=favorite", "owner", "", 200, "", scope("favorite")),
		row("Conversations", "retrieve_type", "GET", all+"?retrieve_type=shared", "owner", "", 200, "", scope("shared")),
		row("Conversations", "archived ones of projects", "GET",
			all+"?status=archived&search=x&project_label=1,2&project_label[]=3&page=2&page_size=7", "owner", "", 200, "",
			list(func(f *domain.ConversationFilter) {
				f.Archived, f.Search, f.ProjectLabels, f.Page = true, "x", []int64{1, 2, 3}, domain.Page{Number: 2, Size: 7}
			})),

		row("CreateConversation", "B07", "POST", all, "owner", `{"name":"N","description":"D","dataSources":[2],"projectLabels":[1],`+
			`"owner":99,"id":"x","credits":7,"createdAt":"2020-01-01"}`, 201, `"id":1`, domain.NewConversation{
			Name: "N", Description: "D", DataSources: []int64{2}, ProjectLabels: []int64{1},
		}),
		row("CreateConversation", "nothing", "POST", all, "owner", `{}`, 201, `"credits":0`, domain.NewConversation{}),
		row("CopyConversation", "OK", "POST", one+"/copy", "reader", "", 201, `"ownerStatus":"owner"`, func(c *domain.Conversation) any {
			return fakes.ConversationCopy{ID: c.ID}
		}),

		row("SetStatus", "in a change", "PATCH", one, "reader", `{"status":"archived"}`, 200, `{"id":"{c}","status":"archived"}`,
			marked(domain.ConversationArchived)),
		row("SetStatus", "OK", "PATCH", status, "reader", `{"status":"archived"}`, 204, "", marked(domain.ConversationArchived)),
		row("SetStatus", "back", "PATCH", status, "reader", `{"status":"active"}`, 204, "", marked(domain.ConversationActive)),
		row("SetFavorite", "in a change", "PATCH", one, "reader", `{"is_favorite":true}`, 200, `{"id":"{c}","isFavorite":true}`, favorite(true)),
		row("SetFavorite", "OK", "PUT", one+"/favorite", "reader", `{"is_favorite":true}`, 204, "", favorite(true)),
		row("SetFavorite", "off", "PUT", one+"/favorite", "reader", `{"isFavorite":false}`, 204, "", favorite(false)),
		row("MarkRead", "OK", "POST", one+"/read", "reader", "", 204, "", func(c *domain.Conversation) any { return c.ID }),
	})
}

// TestRoutes_ConversationArguments checks the arguments that the service gets from each query of
// a conversation.
func TestRoutes_ConversationArguments(t *testing.T) {
	t.Parallel()
	row := func(name, query string, view domain.ConversationView) serviceRow {
		asked := func(c *domain.Conversation) any { return fakes.ConversationAsked{ID: c.ID, View: view} }
		return serviceRow{
			scenario{name, "GET", oneConversation + query, "owner", "", 200, []string{`"head":3`}, nil, "ConversationAs"},
			"ConversationAs", nil, asked,
		}
	}
	runServiceRows(t, []serviceRow{
		row("usual", "", domain.ConversationView{Feedback: domain.FeedbackOwn}),
		row("all feedback", "?feedback_scope=all", domain.ConversationView{Feedback: domain.FeedbackAll}),
		row("without feedback", "?feedback_scope=none", domain.ConversationView{Feedback: domain.FeedbackNone}),
		row("all versions", "?only_most_recent_version=false", domain.ConversationView{Feedback: domain.FeedbackOwn, AllVersions: true}),
		row("newest messages", "?message_page_size=1", domain.ConversationView{
			Feedback: domain.FeedbackOwn,
			Messages: domain.MessagePage{Size: 1},
		}),
		row("messages before them", "?message_page_size=5&messages_before=3", domain.ConversationView{
			Feedback: domain.FeedbackOwn, Messages: domain.MessagePage{Size: 5, Before: 3},
		}),
		row("one branch, of all messages", "?message_id={answer}&message_page_size=1", domain.ConversationView{Feedback: domain.FeedbackOwn}),
	})
}

// TestRoutes_ConversationAnswered checks the parts of an answer that TestRoutes does not
// check: the page, the cut messages and the feedback.
func TestRoutes_ConversationAnswered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, _ := b.world.AddConversation()
	path := allConversations + "/" + c.ID.String()
	require.NotContains(t, b.call(t, &b.world.Owner, http.MethodGet, path, "").body, "earlierMessages")
	b.world.ChangeConversation(c.ID, func(c *domain.Conversation) {
		answer := c.Messages[1]
		cut := domain.Message{
			ID: uuid.Must(uuid.NewV7()), ConversationID: c.ID, Role: domain.RoleUser, Text: "Cut",
			Status: domain.MessageComplete, CutGeneration: 2,
		}
		c.Messages, c.Earlier = []domain.Message{answer, cut}, 3
		c.Feedback = map[uuid.UUID][]domain.Feedback{answer.ID: {{ID: 7, MessageID: answer.ID, Sentiment: domain.Sentiment{ID: 1, Name: "Like"}}}}
	})
	got := b.call(t, &b.world.Owner, http.MethodGet, path, "")
	require.Equal(t, http.StatusOK, got.status, got.body)
	for _, text := range []string{`"earlierMessages":3`, `"text":"Cut"`, `"cutGeneration":2`, `"feedbackSet":[{"id":7`} {
		require.Contains(t, got.body, text)
	}
	require.NotContains(t, got.body, c.Messages[0].ID.String()+`","conversationId"`, "the prompt is on an earlier page")
}

// TestRoutes_MessageReviewed: if all feedback is requested, a message that the caller does
// not see is requested a second time, as a message whose feedback is reviewed.
func TestRoutes_MessageReviewed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, _ := b.world.AddConversation()
	b.world.Fail("Message", refusal(domain.CodeNotFound))
	path := v1 + "/discourse/messages/" + c.Messages[1].ID.String()
	require.Equal(t, http.StatusNotFound, b.call(t, &b.world.Root, http.MethodGet, path, "").status)
	require.Nil(t, b.world.Asked("MessageReviewed"))
	got := b.call(t, &b.world.Root, http.MethodGet, path+"?feedback_scope=all", "")
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.Equal(t, c.Messages[1].ID, b.world.Asked("MessageReviewed"))
	require.Equal(t, http.StatusNotFound, b.call(t, &b.world.Stranger, http.MethodGet, path+"?feedback_scope=all", "").status)
}

// TestRoutes_ConversationsRefused checks how the API answers a refusal of the service. Which
// requests the service refuses is tested in domain and, with the whole product, in
// internal/integration.
func TestRoutes_ConversationsRefused(t *testing.T) {
	t.Parallel()
	const all, one = allConversations, oneConversation
	missing := refusal(domain.CodeNotFound)
	row := func(name, method string, refuse error, call, path, who, body string, status int, has string) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, []string{has}, nil, method}, method, refuse, nil}
	}
	runServiceRows(t, []serviceRow{
		row("a source of others", "CreateConversation", domain.Invalid("dataSources", "One of the connectors is not available."), "POST", all,
			"owner", `{"dataSources":[2]}`, 422, `"field":"dataSources"`),
		row("stranger", "CopyConversation", missing, "POST", one+"/copy", "stranger", "", 404, `"code":"D404"`),
		row("gone", "SetFavorite", missing, "PUT", one+"/favorite", "reader", `{"isFavorite":true}`, 404, `"code":"D404"`),
		row("stranger", "MarkRead", missing, "POST", one+"/read", "stranger", "", 404, `"code":"D404"`),
	})
}
