package api

// The calls that read and write whole blueprints. The paths of the specification also call them
// icebreakers in some fields. The other files are blueprint_action.go (copy, share, archive, start)
// and blueprint_step.go (single steps).

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// blueprintID is the input of a call that needs only the id of a blueprint.
type blueprintID struct {
	ID int64 `path:"id"`
}

// onBlueprint is the input of a call on one blueprint that sends JSON.
type onBlueprint[T any] struct {
	ID   int64 `path:"id"`
	Body T
}

// makesBlueprint is the input of a call on one blueprint that creates an object.
type makesBlueprint[T any] struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	ID             int64  `path:"id"`
	Body           T
}

// newBlueprint is the input of a creation, from a draft or from a conversation.
type newBlueprint struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	Body           wire.NewBlueprintRequest
}

// changeBlueprint is the input of a change. The version is in the header If-Match or in the body.
type changeBlueprint struct {
	Versioned
	ID   int64 `path:"id"`
	Body wire.BlueprintRequest
}

// listBlueprints is the input of the list. Several parameters mean the same scope, as in the
// specification; filter decides which one counts.
type listBlueprints struct {
	PageOf1000
	Filtered
	Labelled
	LibraryScope         string `query:"libraryScope" enum:"all,library,exclude,true,false" default:"all" doc:"library (or true): only library blueprints. exclude (or false): no library blueprints."`
	InputParametersScope string `query:"inputParametersScope" enum:"all,with,without,true,false" default:"all" doc:"with (or true): only blueprints with inputs. without (or false): only blueprints without inputs, which can be scheduled."`
	Scope                string `query:"scope" enum:"all,favorite,only_favorites,organization,owned,shared,recent" default:"all" doc:"organization: library blueprints."`
	FavoriteScope        string `query:"favoriteScope" enum:"all,favorite,only_favorites,true,false" default:"all" doc:"favorite is the same as scope=favorite."`
	Favorite             bool   `query:"favorite" doc:"The same as scope=favorite."`
	OnlyFavorites        bool   `query:"onlyFavorites" doc:"The same as scope=favorite."`
	Recent               bool   `query:"recent" doc:"The same as scope=recent: the blueprints that the caller has started, the latest first."`
	Status               string `query:"status" enum:"active,archived" default:"active"`
	UseCaseCategory      int64  `query:"useCaseCategory" minimum:"0" doc:"Only blueprints in the category with this id."`
	Sort                 string `query:"sort" enum:"updated_at,-updated_at,created_at,-created_at,name,-name,updatedAt,-updatedAt,createdAt,-createdAt" doc:"The default is -updated_at; for recent blueprints it is the time of their last use."`
	Search               string `query:"search" maxLength:"200" doc:"Matches the name and the description."`
}

// filter converts the parameters. It returns CodeInvalid for a condition or a project that cannot
// be read.
func (in *listBlueprints) filter() (domain.BlueprintFilter, error) {
	f := domain.BlueprintFilter{
		Archived: in.Status == "archived", Category: in.UseCaseCategory, Search: in.Search, Sort: snakeSort(in.Sort), Page: in.page(),
		// Each scope has a word and a truth value as its name. A value that is not in the map, all,
		// means no restriction.
		Library: map[string]string{"library": "library", "true": "library", "exclude": "exclude", "false": "exclude"}[in.LibraryScope],
		Inputs:  map[string]string{"with": "with", "true": "with", "without": "without", "false": "without"}[in.InputParametersScope],
	}
	// Only one scope is used: favourites if any parameter asks for them, then recent, then the
	// named one.
	switch {
	case in.Favorite || in.OnlyFavorites || onlyFavorites(in.FavoriteScope) || onlyFavorites(in.Scope):
		f.Scope = "favorite"
	case in.Recent:
		f.Scope = "recent"
	case in.Scope != "all":
		f.Scope = in.Scope
	}
	var err error
	if f.Filters, err = in.filters(domain.BlueprintFields()); err != nil {
		return f, err
	}
	f.Labels, err = in.labels()
	return f, err
}

// blueprintRoutes registers all calls on blueprints, also those of the two other files.
func (s *Server) blueprintRoutes(a huma.API) {
	tags := []string{"blueprints"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/blueprints", Tags: tags, Summary: "The blueprints that the caller may see",
		Description: "Steps have no texts, and permissions are empty. Both are in the response for a single blueprint.",
	}, needs(domain.BeMember), func(ctx context.Context, in *listBlueprints) (*body[wire.Page[wire.Blueprint]], error) {
		f, err := in.filter()
		if err != nil {
			return nil, err
		}
		list, err := s.Blueprints.Blueprints(ctx, callerOf(ctx), f)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewPage(list, f.Page, requestOf(ctx).url, wire.ListedBlueprint(callerOf(ctx)))), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/blueprints", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary:     "Create a blueprint, also from a conversation",
		Description: "422 with a text for each field that is not valid, such as steps[0].name.",
	}, needs(domain.MakeBlueprint).alsoOf("fromConversation"), s.createBlueprint)

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/blueprints/initial-message", Tags: tags,
		Summary: "Write the initial message of a blueprint that is not stored",
		// Steps that are named by their id alone are read from the store, as far as the caller may
		// see them. Nothing is written.
	}, needs(domain.MakeBlueprint), func(ctx context.Context, in *struct{ Body wire.BlueprintRequest }) (*body[wire.InitialMessage], error) {
		kept, err := s.Blueprints.Steps(ctx, callerOf(ctx), in.Body.KeptSteps())
		if err != nil {
			return nil, err
		}
		b := in.Body.Unsaved(kept)
		return answer(wire.InitialMessage{InitialMessage: b.WriteInitialMessage()}), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/blueprints/use-case-categories", Tags: tags, Summary: "The categories of the blueprint library",
	}, needs(domain.BeMember), func(ctx context.Context, _ *none) (*body[wire.Page[wire.UseCaseCategory]], error) {
		categories, err := s.Blueprints.UseCaseCategories(ctx, callerOf(ctx))
		if err != nil {
			return nil, err
		}
		return answer(wire.Whole(categories, wire.NewUseCaseCategory)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/blueprints/{id}", Tags: tags, Summary: "Get a blueprint with its steps",
	}, needs(domain.SeeBlueprint), func(ctx context.Context, in *blueprintID) (*body[wire.Blueprint], error) {
		b, err := s.Blueprints.Blueprint(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return s.wholeBlueprint(ctx, b)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/discourse/blueprints/{id}", Tags: tags, Summary: "Change a blueprint",
		Description: "Missing fields do not change, except for the name, which is required. A step with an id is changed, a step without an " +
			"id is created, and removedSteps removes steps.",
	}, needs(domain.ChangeBlueprint), func(ctx context.Context, in *changeBlueprint) (*body[wire.Blueprint], error) {
		d := in.Body.Draft()
		var err error
		if d.Version, err = in.from(in.Body.Version); err != nil {
			return nil, err
		}
		b, err := s.Blueprints.UpdateBlueprint(ctx, callerOf(ctx), in.ID, d)
		if err != nil {
			return nil, err
		}
		return s.wholeBlueprint(ctx, b)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodDelete, Path: "/discourse/blueprints/{id}", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary: "Permanently delete a blueprint",
	}, needs(domain.DeleteBlueprint), func(ctx context.Context, in *blueprintID) (*none, error) {
		return nil, s.Blueprints.DeleteBlueprint(ctx, callerOf(ctx), in.ID)
	})

	s.blueprintActionRoutes(a, tags)
	s.stepRoutes(a, tags)
}

// wholeBlueprint returns a blueprint with its grants.
// A list leaves them out, because each blueprint would need its own read.
func (s *Server) wholeBlueprint(ctx context.Context, b *domain.Blueprint) (*body[wire.Blueprint], error) {
	grants, err := s.Blueprints.BlueprintGrants(ctx, callerOf(ctx), b.ID)
	if err != nil {
		return nil, err
	}
	out := wire.NewBlueprint(callerOf(ctx))(b)
	for i := range grants {
		out.Permissions = append(out.Permissions, wire.NewPermissionEntry(&grants[i]))
	}
	return answer(out), nil
}

// createBlueprint makes a blueprint of a draft, or of the prompts of a conversation that the caller
// may read. The id of that conversation is in the body, and so in the hash of the key.
func (s *Server) createBlueprint(ctx context.Context, in *newBlueprint) (*body[wire.Blueprint], error) {
	key, err := idempotency(in.IdempotencyKey, in.Body)
	if err != nil {
		return nil, err
	}
	d := in.Body.Draft()
	d.Key = key
	var b *domain.Blueprint
	if from := in.Body.FromConversation; from != nil {
		b, err = s.Blueprints.BlueprintFromConversation(ctx, callerOf(ctx), *from, d)
	} else {
		b, err = s.Blueprints.CreateBlueprint(ctx, callerOf(ctx), d)
	}
	if err != nil {
		return nil, err
	}
	return s.wholeBlueprint(ctx, b)
}
