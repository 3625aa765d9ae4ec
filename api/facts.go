package api

// The call that shows what was measured of a connector.

import (
	"context"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

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
