package api_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

const (
	allFeedbacks = v1 + "/discourse/feedbacks"
	allComments  = v1 + "/discourse/comments"
	ofAnswer     = v1 + "/discourse/messages/{answer}"
)

// TestRoutes_Feedback contains the rows about feedback that the API answers by itself.
func TestRoutes_Feedback(t *testing.T) {
	t.Parallel()
	runScenarios(t, []scenario{
		{
			"OK", "GET", v1 + "/discourse/sentiments", "reader", "", 200,
			[]string{`"name":"Like","labelSet":[{"id":1,"name":"Helpful","isDefault":true}]`},
			nil, "Sentiments",
		},
		{"stranger", "PUT", ofAnswer + "/feedbacks", "stranger", `{"label":[1]}`, 404, nil, nil, "Relation message"},
		{
			"a list with a number that is none", "PUT", ofAnswer + "/feedbacks", "owner", `{"label":[1,18446744073709551616]}`, 422,
			[]string{`{"field":"label","message":"The value is not valid."}`},
			nil, "",
		},
		{
			"a number that is none", "POST", allComments, "owner", `{"feedback":9223372036854775808,"text":"Why?"}`, 422,
			[]string{`{"field":"feedback","message":"The value is not valid."}`},
			nil, "",
		},
		{"not split", "GET", allFeedbacks, "owner", "", 200, []string{`"count":1`}, []string{"bySentiment"}, ""},
		{"unknown scope", "GET", allFeedbacks + "?scope=mine", "owner", "", 422, []string{`"field":"scope"`}, nil, ""},
		{"a sentiment below nothing", "GET", allFeedbacks + "?sentiment=-1", "owner", "", 422, []string{`"field":"sentiment"`}, nil, ""},
	})
}

// TestRoutes_FeedbackArguments checks all arguments that the service gets from each call.
func TestRoutes_FeedbackArguments(t *testing.T) {
	t.Parallel()
	given := func(change func(*domain.NewFeedback)) func(*domain.Conversation) any {
		return func(c *domain.Conversation) any {
			n := domain.NewFeedback{Message: c.Messages[1].ID, Comments: []string{}}
			change(&n)
			return n
		}
	}
	list := func(change func(*domain.FeedbackFilter)) domain.FeedbackFilter {
		f := domain.FeedbackFilter{Page: domain.Page{Number: 1, Size: 10}}
		change(&f)
		return f
	}
	of := func(scope domain.FeedbackScope) func(*domain.Conversation) any {
		return func(c *domain.Conversation) any { return fakes.FeedbackFor{Conversation: c.ID, Scope: scope} }
	}
	row := func(method, name, call, path, who, body string, status int, has string, asked any) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, []string{has}, nil, ""}, method, nil, asked}
	}
	runServiceRows(t, []serviceRow{
		row("GiveFeedback", "OK", "PUT", ofAnswer+"/feedbacks", "reader", `{"label":[1,2],"comment":[{"text":"  Thank you"},{"text":" "}]}`,
			200, `"commentSet":[{"id":1,"feedback":7,"text":"Thank you"`, given(func(n *domain.NewFeedback) {
				n.Labels, n.Comments = []int64{1, 2}, []string{"  Thank you", " "}
			})),
		row("GiveFeedback", "nothing", "PUT", ofAnswer+"/feedbacks", "reader", `{}`, 200, `"sentiment":[{"id":1`,
			given(func(*domain.NewFeedback) {})),
		row("Feedbacks", "split", "GET", allFeedbacks+"?split_by_sentiment=true", "owner", "", 200,
			`"bySentiment":[{"id":1,"name":"Like","count":4}]`, list(func(*domain.FeedbackFilter) {})),
		row("Feedbacks", "filtered", "GET", allFeedbacks+"?scope=executive&sentiment=2&label=12&search=sum&page=2&page_size=7", "owner", "",
			200, `"id":7`, list(func(f *domain.FeedbackFilter) {
				f.Executive, f.Sentiment, f.Label, f.Search, f.Page = true, 2, 12, "sum", domain.Page{Number: 2, Size: 7}
			})),
		row("Feedback", "OK", "GET", allFeedbacks+"/7", "owner", "", 200, `"id":7`, int64(fakes.FeedbackID)),
		row("Comments", "OK", "GET", ofAnswer+"/comments", "reader", "", 200, `"text":"Thank you"`, func(c *domain.Conversation) any {
			return c.Messages[1].ID
		}),
		row("AddComment", "OK", "POST", allComments, "owner", `{"feedback":7,"text":" Why?"}`, 201, `"id":1,"feedback":7`,
			domain.NewComment{Feedback: 7, Text: " Why?"}),
		row("AddComment", "nothing", "POST", allComments, "owner", `{}`, 201, "", domain.NewComment{}),
		row("FeedbackOf", "of a message", "GET", ofAnswer, "reader", "", 200, `"feedbackSet":[{"id":7`, of(domain.FeedbackOwn)),
	})
}

// TestRoutes_FeedbackRefused checks how the API answers a refusal of the service. Which
// requests the service refuses is tested in domain and, with the whole product, in
// internal/integration.
func TestRoutes_FeedbackRefused(t *testing.T) {
	t.Parallel()
	missing := refusal(domain.CodeNotFound)
	var wrong domain.Checks
	wrong.Require(false, "feedback", "This field is required.")
	wrong.Require(false, "text", "Please enter a comment")
	row := func(name, method string, refuse error, call, path, who, body string, status int, has ...string) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, has, []string{"secret"}, method}, method, refuse, nil}
	}
	runServiceRows(t, []serviceRow{
		row("fault", "Feedbacks", errors.New("a secret of the database"), "GET", allFeedbacks, "owner", "", 500, `"code":"I500"`),
		row("nothing", "GiveFeedback", domain.Invalid("label", "Please select a option or leave a comment"), "PUT", ofAnswer+"/feedbacks",
			"reader", `{}`, 422,
			`{"field":"label","message":"Please select a option or leave a comment"}`),
		row("second", "GiveFeedback", refusal(domain.CodeConflict), "PUT", ofAnswer+"/feedbacks", "reader", `{"label":[1]}`, 409,
			`"code":"conflict"`),
		row("of others", "Feedback", missing, "GET", allFeedbacks+"/7", "owner", "", 404, `"code":"D404"`),
		row("stranger", "Comments", missing, "GET", ofAnswer+"/comments", "stranger", "", 404, `"code":"D404"`),
		row("of others", "AddComment", missing, "POST", allComments, "owner", `{"feedback":7,"text":"Why?"}`, 404, `"code":"D404"`),
		row("all of it empty", "AddComment", wrong.Err(), "POST", allComments, "owner", `{}`, 422,
			`{"field":"feedback","message":"This field is required."}`, `{"field":"text","message":"Please enter a comment"}`),
	})
}

// D11: the message is part of the request, so that a key for one message is not valid for
// another.
func TestFeedback_Keys(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, _ := b.world.AddConversation()
	other, _ := b.world.AddConversation()
	key := func(c *domain.Conversation, body string) domain.IdempotencyKey {
		t.Helper()
		got := b.call(t, &b.world.Reader, http.MethodPut, v1+"/discourse/messages/"+c.Messages[1].ID.String()+"/feedbacks", body,
			"Idempotency-Key", "k")
		require.Equal(t, 200, got.status, got.body)
		n, ok := b.world.Asked("GiveFeedback").(domain.NewFeedback)
		require.True(t, ok)
		return n.Key
	}
	first := key(c, `{"label":[1]}`)
	require.Equal(t, "k", first.Key)
	require.Equal(t, first, key(c, `{"label":[1]}`))
	require.NotEqual(t, first.Body, key(c, `{"label":[2]}`).Body)
	require.NotEqual(t, first.Body, key(other, `{"label":[1]}`).Body)
}
