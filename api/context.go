package api

import (
	"context"
	"net/url"

	"parley.dev/parley/domain"
)

// request is what the middleware knows about a request. It is made per request and passed
// along in its context.
type request struct {
	id string
	// url is the path and the query as the client sent them.
	url url.URL
	// user is nil if no bearer is needed; caller is then from a presigned link.
	user   *domain.User
	caller domain.Caller
	// rightCheck is the check of the caller's right to the call; nil if it needs none.
	rightCheck *rightCheck
	// signIn is the session of the bearer; the zero value without a bearer.
	signIn domain.SignIn
}

type requestKey struct{}

func withRequest(ctx context.Context, r *request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// requestOf never returns nil, so that a handler that is called outside a request (in a test)
// finds no signed-in person and does not panic.
func requestOf(ctx context.Context) *request {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r
	}
	return &request{}
}

func callerOf(ctx context.Context) domain.Caller { return requestOf(ctx).caller }
