package api

import (
	"context"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// maxAskedSources is the maximum number of data sources for which questions are made, because
// reading a schema takes time.
const maxAskedSources = 10

type offeredQuestions struct {
	DataSources []string `query:"dataSources,explode"`
	Limit       int      `query:"limit" minimum:"1" maximum:"10" default:"3" doc:"The maximum number of questions."`
}

// offeredQuestions makes questions for the data sources that the caller may use; others are skipped.
func (s *Server) offeredQuestions(ctx context.Context, in *offeredQuestions) (*body[wire.Page[wire.OfferedQuestion]], error) {
	ids, err := domain.ParseIDs("dataSources", in.DataSources)
	if err != nil {
		return nil, err
	}
	page := domain.Page{Number: 1, Size: in.Limit}
	var offered []domain.OfferedQuestion
	if len(ids) > 0 {
		caller := callerOf(ctx)
		readable, err := s.DataSources.Readable(ctx, caller.OrganisationID, caller.UserID, ids[:min(len(ids), maxAskedSources)])
		if err != nil {
			return nil, err
		}
		offered = s.Questions.Offer(readable, in.Limit)
	}
	list := domain.List[domain.OfferedQuestion]{Results: offered, Count: len(offered)}
	return answer(wire.NewPage(list, page, requestOf(ctx).url, wire.NewOfferedQuestion)), nil
}
