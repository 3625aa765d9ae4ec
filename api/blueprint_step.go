package api

// The calls on single steps of a blueprint. A step can be made before its blueprint is saved: it is
// kept for a day, and the blueprint that names it by its id takes it over. The rules of steps are
// in domain, and all writes are in the service.

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// newStep is the input of the creation of a step.
type newStep struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	Body           wire.BlueprintStepRequest
}

// changeStep is the input of a change of a step.
type changeStep struct {
	Versioned
	ID   int64 `path:"id"`
	Body wire.BlueprintStepRequest
}

// stepRoutes registers the calls on steps. Reading them has no call: they are part of their
// blueprint.
func (s *Server) stepRoutes(a huma.API, tags []string) {
	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/steps", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Create a step",
		Description: "icebreaker is the blueprint of the step, which the caller must own. A step without a blueprint is deleted after 24 " +
			"hours, unless a blueprint of the same person has included its id in its steps.",
	}, needs(domain.MakeStep).alsoOf("icebreaker"), func(ctx context.Context, in *newStep) (*body[wire.BlueprintStep], error) {
		d := in.Body.Draft()
		var err error
		// The body names the blueprint, so the hash of the body ties the key to that blueprint.
		if d.Key, err = idempotency(in.IdempotencyKey, in.Body); err != nil {
			return nil, err
		}
		step, err := s.Blueprints.CreateStep(ctx, callerOf(ctx), d)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewBlueprintStep(step)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/discourse/steps/{id}", Tags: tags, Summary: "Change a step",
		Description: "A section that is missing or null is removed. With order, the step moves to this position.",
		// The step is replaced as a whole, so the body is read as a draft, as for a creation.
	}, needs(domain.ChangeStep), func(ctx context.Context, in *changeStep) (*body[wire.BlueprintStep], error) {
		d := in.Body.Draft()
		var err error
		// Without a version in the header or the body the last change wins.
		if d.Version, err = in.from(in.Body.Version); err != nil {
			return nil, err
		}
		step, err := s.Blueprints.UpdateStep(ctx, callerOf(ctx), in.ID, d)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewBlueprintStep(step)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodDelete, Path: "/discourse/steps/{id}", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary:     "Delete a step",
		Description: "The following steps move up. 422 for the only step of a blueprint.",
		// The right to delete a step is the right to change its blueprint.
	}, needs(domain.ChangeStep), func(ctx context.Context, in *blueprintID) (*none, error) {
		return nil, s.Blueprints.DeleteStep(ctx, callerOf(ctx), in.ID)
	})
}
