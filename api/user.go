package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

type listShareable struct {
	PageOf100
	Search string `query:"search" maxLength:"200" doc:"Matches names."`
}

func (s *Server) userRoutes(a huma.API) {
	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/user/me", Tags: []string{"user"},
		Summary:     "The signed-in person",
		Description: "403 with code U401 for somebody whom the identity provider knows and the app does not.",
	}, func(ctx context.Context, _ *none) (*body[wire.User], error) {
		user := requestOf(ctx).user
		if user == nil {
			return nil, domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
		}
		return answer(wire.NewUser(user)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/user/me/keep-alive", Tags: []string{"user"}, DefaultStatus: http.StatusNoContent,
		Summary:     "Say that the person is still there",
		Description: "Every 10 minutes. 401 with code E401 when the session has ended.",
	}, func(ctx context.Context, _ *none) (*none, error) {
		return nil, s.Users.TouchSession(ctx, callerOf(ctx))
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/user/organizations", Tags: []string{"user"},
		Summary: "The organizations that the caller belongs to: for now, one",
	}, func(ctx context.Context, _ *none) (*body[wire.Page[wire.OwnOrganization]], error) {
		user := requestOf(ctx).user
		if user == nil {
			return nil, domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
		}
		own := []domain.Organisation{{ID: user.OrganisationID, Name: user.Organisation}}
		return answer(wire.Whole(own, wire.NewOwnOrganization)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/user/shareable-entities", Tags: []string{"user"},
		Summary: "People and teams with whom something can be shared",
	}, func(ctx context.Context, in *listShareable) (*body[wire.Page[wire.ShareableEntity]], error) {
		page := in.page()
		list, err := s.Users.ShareableEntities(ctx, callerOf(ctx), in.Search, page)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewPage(list, page, requestOf(ctx).url, wire.NewShareableEntity)), nil
	})
}
