package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
)

type listAnalysts struct {
	PageOf100
	FilterEnabled bool `query:"filterEnabled" default:"true" doc:"false lists disabled agents, too."`
}

func (s *Server) analystRoutes(a huma.API) {
	tags := []string{"agents"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/analyst/analysts", Tags: tags, Summary: "The agents that the caller may ask",
	}, func(ctx context.Context, in *listAnalysts) (*body[wire.Page[wire.Analyst]], error) {
		page := in.page()
		list, err := s.Analysts.Analysts(ctx, callerOf(ctx), in.FilterEnabled, page)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewPage(list, page, requestOf(ctx).url, wire.NewAnalyst)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/analyst/default", Tags: tags, Summary: "The agent that answers where none is named",
	}, func(ctx context.Context, _ *none) (*body[wire.Analyst], error) {
		analyst, err := s.Analysts.DefaultAnalyst(ctx, callerOf(ctx).OrganisationID)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewAnalyst(analyst)), nil
	})
}
