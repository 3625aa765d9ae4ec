package api

// The calls on the signed-in person and on the sign-in (G14). The person is read when the bearer is
// checked (identity.go), so these calls mostly answer what the request already carries.

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// keepAlivePath is a call that does not show that the person is active (showsActivity).
const keepAlivePath = "/user/me/keep-alive"

// listShareable is the input of the search for people and teams.
type listShareable struct {
	PageOf100
	Search string `query:"search" maxLength:"200" doc:"Matches the name."`
}

// userRoutes registers the calls on the person.
func (s *Server) userRoutes(a huma.API) {
	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/user/me", Tags: []string{"user"},
		Summary:     "The signed-in person",
		Description: "403 with code U401 for a person who is known to the identity provider but has no account here.",
	}, needs(domain.BeMember), func(ctx context.Context, _ *none) (*body[wire.User], error) {
		user := requestOf(ctx).user
		// A presigned link has a caller and no person; such a request has no place here.
		if user == nil {
			return nil, domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
		}
		// The head is read before the lists that the client asks for next, so it is never later
		// than them: a client that goes on from it gets some events twice and misses none.
		head, err := s.Users.LogHead(ctx, callerOf(ctx))
		if err != nil {
			return nil, err
		}
		return answer(wire.NewUser(user, head)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: keepAlivePath, Tags: []string{"user"}, DefaultStatus: http.StatusNoContent,
		Summary: "Keep the session alive",
		Description: "Clients call it every 10 minutes. 401 with code E401 if the session has ended. A session without any other call ends " +
			"after 4 hours.",
	}, needs(domain.BeMember), func(ctx context.Context, _ *none) (*none, error) {
		// The time of idleness goes on: this call is not activity of the person (showsActivity).
		return nil, s.Users.TouchSession(ctx, callerOf(ctx))
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/user/me/logout", Tags: []string{"user"}, DefaultStatus: http.StatusNoContent,
		Summary: "Sign out",
		Description: "Ends the session of the bearer token. Its tokens are not accepted any more, not even new tokens that the identity " +
			"provider issues for the same sign-in, and its streams are closed with code 4401 within 5 seconds. Running answers continue. If " +
			"tokens have no session id (sid), all earlier sessions of the person end.",
	}, needs(domain.BeMember), func(ctx context.Context, _ *none) (*none, error) { return nil, s.logOut(ctx) })

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/user/organizations", Tags: []string{"user"},
		Summary: "The organizations of the caller; always one",
	}, needs(domain.BeMember), func(ctx context.Context, _ *none) (*body[wire.Page[wire.OwnOrganization]], error) {
		user := requestOf(ctx).user
		if user == nil {
			return nil, domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
		}
		// A person belongs to one organization, which was read with the person.
		own := []domain.Organisation{{ID: user.OrganisationID, Name: user.Organisation}}
		return answer(wire.Whole(own, wire.NewOwnOrganization)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/user/shareable-entities", Tags: []string{"user"},
		Summary: "The people and teams with whom objects can be shared",
	}, needs(domain.BeMember), func(ctx context.Context, in *listShareable) (*body[wire.Page[wire.ShareableEntity]], error) {
		page := in.page()
		list, err := s.Users.ShareableEntities(ctx, callerOf(ctx), in.Search, page)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewPage(list, page, requestOf(ctx).url, wire.NewShareableEntity)), nil
	})
}

// hintSignIn says that a sign-in of a person has ended; it contains the person's number.
const hintSignIn domain.HintTopic = "sign-in"

// logOut ends the caller's sign-in. This node drops it from its cache at once; the other
// nodes get a hint, or notice it when their cache expires or their streams are checked.
func (s *Server) logOut(ctx context.Context) error {
	// The sign-in is ended in the store first. If the node stops after that, the other nodes notice
	// by themselves within 5 s (G14).
	in := requestOf(ctx).signIn
	if err := s.SignIns.EndSignIn(ctx, in); err != nil {
		return err
	}
	s.people.Forget(in.UserID)
	s.sockets.Recheck(ctx)
	s.Hints.Send(hintSignIn, "", strconv.AppendInt(nil, in.UserID, 10))
	return nil
}

// signInEnded handles the hint that a sign-in has ended on another node. The hint is not
// trusted: it only makes this node read the store.
func (s *Server) signInEnded(data []byte) {
	if user, err := strconv.ParseInt(string(data), 10, 64); err == nil {
		s.people.Forget(user)
	} else {
		s.people.ForgetAll() // hints were missed, so any sign-in may have ended
	}
	s.sockets.RecheckSoon()
}
