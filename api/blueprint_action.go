package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// archiveBlueprint is the input of a call whose body may be missing.
type archiveBlueprint struct {
	ID   int64 `path:"id"`
	Body *wire.BlueprintArchive
}

func (s *Server) blueprintActionRoutes(a huma.API, tags []string) {
	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/blueprints/{id}/archive", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary:     "Archive or restore a blueprint",
		Description: "An archived blueprint is archived for everybody. Lists only contain it with status=archived.",
	}, needs(domain.ArchiveBlueprint), func(ctx context.Context, in *archiveBlueprint) (*none, error) {
		archived := in.Body == nil || in.Body.IsArchived == nil || *in.Body.IsArchived
		return nil, s.Blueprints.ArchiveBlueprint(ctx, callerOf(ctx), in.ID, archived)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/blueprints/{id}/copy", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary:     "Copy a blueprint; returns the copy, which the caller owns",
		Description: "Permissions are not copied, nor are connectors, agents and memories that the caller may not use.",
	}, needs(domain.UseBlueprint), func(ctx context.Context, in *makesBlueprint[*wire.BlueprintCopy]) (*body[wire.Blueprint], error) {
		// The blueprint's id is part of the hash: a key copies only one blueprint.
		key, err := idempotency(in.IdempotencyKey, []any{in.ID, in.Body})
		if err != nil {
			return nil, err
		}
		name := ""
		if in.Body != nil {
			name = in.Body.Name
		}
		b, err := s.Blueprints.CopyBlueprint(ctx, callerOf(ctx), in.ID, name, key)
		if err != nil {
			return nil, err
		}
		return s.wholeBlueprint(ctx, b)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/discourse/blueprints/{id}/favorite", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary: "Mark as a favourite of the caller, or unmark",
	}, needs(domain.UseBlueprint), func(ctx context.Context, in *onBlueprint[wire.Favorite]) (*none, error) {
		on, err := in.Body.On()
		if err != nil {
			return nil, err
		}
		return nil, s.Blueprints.SetBlueprintFavorite(ctx, callerOf(ctx), in.ID, on)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/blueprints/{id}/actors", Tags: tags, Summary: "The access list of a blueprint, the owner first",
	}, needs(domain.SeeBlueprint), func(ctx context.Context, in *blueprintID) (*body[wire.Page[wire.PermissionEntry]], error) {
		return s.blueprintActors(ctx, in.ID)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/discourse/blueprints/{id}/actors", Tags: tags,
		Summary:     "Change the access list of a blueprint; returns the whole list",
		Description: "This does not share its connectors.",
	}, needs(domain.ShareBlueprint), func(ctx context.Context, in *onBlueprint[wire.Actors]) (*body[wire.Page[wire.PermissionEntry]], error) {
		grants, err := in.Body.Grants(domain.NounBlueprint)
		if err != nil {
			return nil, err
		}
		if err := s.Blueprints.SetBlueprintGrants(ctx, callerOf(ctx), in.ID, grants); err != nil {
			return nil, err
		}
		return s.blueprintActors(ctx, in.ID)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/blueprints/{id}/conversations", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Start a conversation with a blueprint",
		Description: "Returns the new conversation. Its first turn is started and runs the steps in order. 422 for a missing input, with its " +
			"name. Connectors of the blueprint that the caller may not use are not used, only counted.",
	}, needs(domain.UseBlueprint), s.startBlueprint)
}

func (s *Server) blueprintActors(ctx context.Context, id int64) (*body[wire.Page[wire.PermissionEntry]], error) {
	grants, err := s.Blueprints.BlueprintGrants(ctx, callerOf(ctx), id)
	if err != nil {
		return nil, err
	}
	return answer(wire.Whole(grants, wire.NewPermissionEntry)), nil
}

func (s *Server) startBlueprint(ctx context.Context, in *makesBlueprint[*wire.BlueprintStart]) (*body[wire.StartedConversation], error) {
	caller := callerOf(ctx)
	key, err := idempotency(in.IdempotencyKey, []any{in.ID, in.Body})
	if err != nil {
		return nil, err
	}
	// A start sends a prompt, so it counts for the limit of prompts.
	if err := s.sends.allow(ctx, caller.UserID); err != nil {
		return nil, err
	}
	if in.Body == nil {
		in.Body = &wire.BlueprintStart{}
	}
	start, err := in.Body.Start()
	if err != nil {
		return nil, err
	}
	start.Key = key
	started, err := s.Blueprints.StartBlueprint(ctx, caller, in.ID, start)
	if err != nil {
		return nil, err
	}
	s.Engine.Wake(ctx, started.Conversation)
	c, err := s.Conversations.Conversation(ctx, caller, started.Conversation)
	if err != nil {
		return nil, err
	}
	return answer(wire.StartedConversation{Conversation: wire.NewConversation(caller)(c), MissingDataSources: started.MissingDataSources}), nil
}
