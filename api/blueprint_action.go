package api

// The calls that do something with a blueprint other than to write it: archive, copy, mark, share
// and start. To archive is for its owner, and for superusers if it is in the library; the other
// calls are for people who may use it, except sharing.

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

// blueprintActionRoutes registers the calls of this file.
func (s *Server) blueprintActionRoutes(a huma.API, tags []string) {
	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/blueprints/{id}/archive", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary:     "Archive or restore a blueprint",
		Description: "An archived blueprint is archived for everybody. Lists only contain it with status=archived.",
	}, needs(domain.ArchiveBlueprint), func(ctx context.Context, in *archiveBlueprint) (*none, error) {
		// Without a body, or without the field, the blueprint is archived: the specification's
		// clients send either.
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

// blueprintActors lists who may see a blueprint, the owner first.
func (s *Server) blueprintActors(ctx context.Context, id int64) (*body[wire.Page[wire.PermissionEntry]], error) {
	grants, err := s.Blueprints.BlueprintGrants(ctx, callerOf(ctx), id)
	if err != nil {
		return nil, err
	}
	return answer(wire.Whole(grants, wire.NewPermissionEntry)), nil
}

// startBlueprint creates a conversation whose first turn runs the steps, and answers it. The turn
// is stored in the same transaction as the conversation, so it is run even if this node stops
// before Wake: the sweeper of a node finds it.
func (s *Server) startBlueprint(ctx context.Context, in *makesBlueprint[*wire.BlueprintStart]) (*body[wire.StartedConversation], error) {
	caller := callerOf(ctx)
	// The blueprint's id is part of the hash: a key starts only one blueprint.
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
	// A value of an input that is not a single value is 422, before anything is created.
	start, err := in.Body.Start()
	if err != nil {
		return nil, err
	}
	start.Key = key
	started, err := s.Blueprints.StartBlueprint(ctx, caller, in.ID, start)
	if err != nil {
		return nil, err
	}
	// Wake only sends a message to the conversation's owner, which starts the stored turn. It
	// returns no error, because the turn is durable whether or not the message arrives.
	s.Engine.Wake(ctx, started.Conversation)
	// The conversation is read again, so that a repeated start answers its present state.
	c, err := s.Conversations.Conversation(ctx, caller, started.Conversation)
	if err != nil {
		return nil, err
	}
	return answer(wire.StartedConversation{Conversation: wire.NewConversation(caller)(c), MissingDataSources: started.MissingDataSources}), nil
}
