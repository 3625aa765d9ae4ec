package api

// The calls that show what the data of a connector mean, and that correct it.

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// newCorrection is the input of a correction: the key makes it happen once.
type newCorrection struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	ID             int64  `path:"id"`
	Body           wire.CorrectionRequest
}

// oldCorrection names a correction that is taken back.
type oldCorrection struct {
	ID         int64 `path:"id"`
	Correction int64 `query:"correction" required:"true" minimum:"1" doc:"The id of the correction."`
}

func (s *Server) meaningRoutes(a huma.API, tags []string) {
	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/datasources/{id}/meaning", Tags: tags,
		Summary: "What the data of a connector mean: what one row is, what each column is and why, links, and corrections",
		Description: "It is derived from what was measured, from the data dictionary and from corrections. A link with another connector is " +
			"returned only if the caller may read both.",
	}, needs(domain.SeeDataSource), func(ctx context.Context, in *dataSourceID) (*body[wire.Meaning], error) {
		m, err := s.Meaning.Meaning(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewMeaning(callerOf(ctx), m)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/memory/datasources/{id}/corrections", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Correct what the data of a connector mean",
		Description: "A correction holds for this file and for later ones that have its table and column. It takes the place of another one of " +
			"the same field of the same column; there can be many of words, verbs and links. The same correction said twice is one.",
	}, needs(domain.ChangeDataSource), func(ctx context.Context, in *newCorrection) (*body[wire.Correction], error) {
		n := in.Body.New()
		var err error
		if n.Key, err = idempotency(in.IdempotencyKey, in); err != nil {
			return nil, err
		}
		c, err := s.Corrections.Correct(ctx, callerOf(ctx), in.ID, n)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewCorrection(c, false)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodDelete, Path: "/memory/datasources/{id}/corrections", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary:     "Take a correction back",
		Description: "Everybody who may change the connector may take a correction back, also one of another person. It is kept and holds no more.",
	}, needs(domain.ChangeDataSource), func(ctx context.Context, in *oldCorrection) (*none, error) {
		return nil, s.Corrections.WithdrawCorrection(ctx, callerOf(ctx), in.ID, in.Correction)
	})
}
