package api

// The call that shows what was measured of a connector.

import (
	"context"
	"log/slog"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// meetSources lets the links between data sources be measured that are used together, if they were not measured yet. A
// prompt does not wait for that, and does not fail with it.
func (s *Server) meetSources(ctx context.Context, caller domain.Caller, sources []domain.DataSource) {
	if len(sources) < 2 {
		return
	}
	ids := make([]int64, len(sources))
	for i := range sources {
		ids[i] = sources[i].ID
	}
	if _, err := s.Facts.Facts(ctx, caller.OrganisationID, caller.UserID, ids); err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "links between connectors were not asked for", slog.Any("error", err))
	}
}

// dataSourceFacts answers the facts of a connector's present file.
func (s *Server) dataSourceFacts(ctx context.Context, in *dataSourceID) (*body[wire.Facts], error) {
	caller := callerOf(ctx)
	d, err := s.DataSources.DataSource(ctx, caller, in.ID)
	if err != nil {
		return nil, err
	}
	found, err := s.Facts.Facts(ctx, caller.OrganisationID, caller.UserID, []int64{in.ID})
	if err != nil {
		return nil, err
	}
	// The right was withdrawn since the connector was read.
	if len(found.Sources) != 1 {
		return nil, domain.NounDataSource.Missing()
	}
	others, err := s.Facts.LinkedSources(ctx, caller.OrganisationID, caller.UserID, in.ID)
	if err != nil {
		return nil, err
	}
	return answer(wire.NewFacts(d, &found.Sources[0], others)), nil
}
