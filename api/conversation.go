package api

// The calls on conversations: lists, changes, marks, rewind, and who may see them. What only the
// caller has (archive, favourite, unread) is written by the service. What all readers see is
// written by the conversation's owner, the actor behind Engine, because it is an event of the
// conversation's log and needs the fence (ADR 1).

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// conversationID is the input of a call that needs only the id of a conversation.
type conversationID struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// withBody is the input of a call on one conversation that sends JSON.
type withBody[T any] struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body T
}

// listConversations is the input of the list. Several parameters mean the same scope, as in the
// specification; filter decides which one counts.
type listConversations struct {
	PageOf50
	Filtered
	Labelled
	FeedbackScope
	Sort          string `query:"sort" enum:"updated_at,-updated_at,created_at,-created_at,name,-name,updatedAt,-updatedAt,createdAt,-createdAt" default:"-updated_at"`
	Status        string `query:"status" enum:"active,archived" default:"active"`
	Scope         string `query:"scope" enum:"all,favorite,only_favorites,user,owned,shared,archived" default:"all" doc:"user and owned: the caller's own conversations. archived: the same as status=archived."`
	FavoriteScope string `query:"favoriteScope" enum:"all,favorite,only_favorites,true,false" default:"all" doc:"favorite is the same as scope=favorite."`
	RetrieveType  string `query:"retrieveType" enum:"all,favorite,only_favorites,user,owned,shared,archived" default:"all" doc:"Used in place of scope if scope is missing."`
	Favorite      bool   `query:"favorite" doc:"The same as scope=favorite."`
	OnlyFavorites bool   `query:"onlyFavorites" doc:"The same as scope=favorite."`
	Search        string `query:"search" maxLength:"200" doc:"Matches the name and the description."`
	Nested        bool   `query:"includeNestedObjects" doc:"Adds the names of connectors and projects, as dataSourceSet and projectLabelSet."`
}

// filter converts the parameters. It returns the errors of projects and conditions together.
func (in *listConversations) filter() (domain.ConversationFilter, error) {
	labels, wrongLabels := in.labels()
	conditions, wrongConditions := in.filters(domain.ConversationFields())
	// retrieveType is another name of scope and is used only if scope is left out, so that it
	// cannot widen a list.
	scope := in.Scope
	if scope == "all" {
		scope = in.RetrieveType
	}
	f := domain.ConversationFilter{
		Archived: in.Status == string(domain.ConversationArchived) || scope == "archived",

		ProjectLabels: labels,
		Conditions:    conditions,
		Search:        in.Search,
		Sort:          snakeSort(in.Sort),
		Page:          in.page(),
	}
	switch {
	case in.Favorite || in.OnlyFavorites || onlyFavorites(in.FavoriteScope) || onlyFavorites(scope):
		f.Scope = "favorite"
	case scope == "user" || scope == "owned":
		f.Scope = "user"
	case scope == "shared":
		f.Scope = "shared"
	}
	return f, together(wrongLabels, wrongConditions)
}

// onlyFavorites reports whether a scope narrows a list to the caller's favourites.
func onlyFavorites(scope string) bool {
	return scope == "favorite" || scope == "only_favorites" || scope == "true"
}

// snakeSort makes updatedAt the column name that the domain uses.
func snakeSort(sort string) string {
	return strings.NewReplacer("updatedAt", "updated_at", "createdAt", "created_at").Replace(sort)
}

// newConversation is the input of a creation: the key makes it happen once.
type newConversation struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	Body           wire.NewConversationRequest
}

// conversationRoutes registers the calls on conversations.
func (s *Server) conversationRoutes(a huma.API) {
	tags := []string{"conversations"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/conversations", Tags: tags, Summary: "The conversations that the caller may see",
	}, needs(domain.BeMember), func(ctx context.Context, in *listConversations) (*body[wire.ConversationPage], error) {
		f, err := in.filter()
		if err != nil {
			return nil, err
		}
		list, err := s.Conversations.Conversations(ctx, callerOf(ctx), f)
		if err != nil {
			return nil, err
		}
		convert := wire.NewConversation(callerOf(ctx))
		// The names of connectors and projects are read only for clients that ask for them, in one
		// call for the whole page.
		if in.Nested {
			nested, err := s.Conversations.Nested(ctx, callerOf(ctx), list.Results)
			if err != nil {
				return nil, err
			}
			convert = wire.NestedConversation(callerOf(ctx), nested)
		}
		// LogHead is the place in the person's own log at the moment of the list: a client goes on
		// from there, so no change of the list is missed (G8).
		return answer(wire.ConversationPage{Page: wire.NewPage(list, f.Page, requestOf(ctx).url, convert), LogHead: list.LogHead}), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/conversations", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Create a conversation",
	}, needs(domain.MakeConversation), s.createConversation)

	// This path is registered before the one with an id, because the router uses the first one that
	// matches.
	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/conversations/running", Tags: tags, Summary: "The conversations with a running turn",
	}, needs(domain.BeMember), func(ctx context.Context, _ *none) (*body[wire.Page[wire.Conversation]], error) {
		running, err := s.Conversations.Running(ctx, callerOf(ctx))
		if err != nil {
			return nil, err
		}
		return answer(wire.Whole(running, wire.NewConversation(callerOf(ctx)))), nil
	})

	s.conversationViewRoutes(a)

	// Both methods do the same: fields that are left out stay.
	for _, method := range []string{http.MethodPatch, http.MethodPut} {
		register(a, s.log, huma.Operation{
			// A body that cannot be read is refused as a change for all readers, the greater right:
			// people with a share get 403 and not 422.
			Method: method, Path: "/discourse/conversations/{id}", Tags: tags,
			Summary: "Change a conversation; returns the fields that have changed",
		}, needs(domain.UseConversation).butInvalid(domain.ChangeConversation), s.changeConversation)
	}

	register(a, s.log, huma.Operation{
		Method: http.MethodDelete, Path: "/discourse/conversations/{id}", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary: "Permanently delete a conversation",
	}, needs(domain.DeleteConversation), func(ctx context.Context, in *conversationID) (*none, error) {
		err := s.Engine.Delete(ctx, callerOf(ctx), in.ID)
		// A caller without a key gets 404 for a deletion that is done already, as for a
		// conversation that never existed.
		if domain.CodeOf(err) != domain.CodeNotFound || callerOf(ctx).Idempotency.Key == "" {
			return nil, err
		}
		// A repeated request whose answer was lost: the deletion is done.
		if own, failed := s.Conversations.WasOwn(ctx, callerOf(ctx), in.ID); failed != nil || own {
			return nil, failed
		}
		return nil, err
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/discourse/conversations/{id}/favorite", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary: "Mark as a favourite of the caller, or unmark",
	}, needs(domain.UseConversation), func(ctx context.Context, in *withBody[wire.Favorite]) (*none, error) {
		on, err := in.Body.On()
		if err != nil {
			return nil, err
		}
		return nil, s.Conversations.SetFavorite(ctx, callerOf(ctx), in.ID, on)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPatch, Path: "/user/me/conversations/{id}/status", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary: "Archive or restore, for the caller",
	}, needs(domain.UseConversation), func(ctx context.Context, in *withBody[wire.StatusChange]) (*none, error) {
		return nil, s.Conversations.SetStatus(ctx, callerOf(ctx), in.ID, domain.ConversationStatus(in.Body.Status))
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/conversations/{id}/read", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary: "Mark as read",
	}, needs(domain.UseConversation), func(ctx context.Context, in *conversationID) (*none, error) {
		return nil, s.Conversations.MarkRead(ctx, callerOf(ctx), in.ID)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/conversations/{id}/rewind", Tags: tags,
		Summary: "Remove a message and all that follow; a running turn is stopped",
	}, needs(domain.RewindConversation), func(ctx context.Context, in *withBody[wire.Rewind]) (*body[wire.Rewound], error) {
		// The actor stops a running turn and cuts the messages in one transaction (G11). A repeated
		// rewind whose answer was lost cuts nothing more.
		r, err := s.Engine.Rewind(ctx, callerOf(ctx), in.ID, in.Body.MessageID)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewRewound(r)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/conversations/{id}/data-sources", Tags: tags, Summary: "The connectors of a conversation",
	}, needs(domain.SeeConversation), func(ctx context.Context, in *conversationID) (*body[wire.Page[wire.DataSource]], error) {
		sources, err := s.DataSources.OfConversation(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		convert, err := s.sourceConverter(ctx, sources)
		if err != nil {
			return nil, err
		}
		return answer(wire.Whole(sources, convert)), nil
	})

	s.accessRoutes(a, tags)
}

// createConversation makes an empty conversation. No actor is needed: the first prompt claims the
// row.
func (s *Server) createConversation(ctx context.Context, in *newConversation) (*body[wire.Conversation], error) {
	key, err := idempotency(in.IdempotencyKey, in.Body)
	if err != nil {
		return nil, err
	}
	c, err := s.Conversations.CreateConversation(ctx, callerOf(ctx), domain.NewConversation{
		Name: in.Body.Name, Description: in.Body.Description, DataSources: in.Body.DataSources, ProjectLabels: in.Body.ProjectLabels, Key: key,
	})
	if err != nil {
		return nil, err
	}
	return answer(wire.NewConversation(callerOf(ctx))(c)), nil
}

// changeConversation changes what is given. The change for all readers is made first; if the
// caller's own change then fails, the first one stays, and the same request may be sent again
// without harm.
func (s *Server) changeConversation(
	ctx context.Context, in *withBody[wire.ConversationChanges],
) (*body[protocol.ConversationChange], error) {
	caller := callerOf(ctx)
	// A body that changes nothing counts as a change for all readers, so it needs the greater
	// right.
	shared := in.Body.Shared() || !in.Body.Own()
	if shared {
		// Readers may change their own state of a conversation; the rest needs this right.
		if err := s.authorize(ctx, domain.ChangeConversation); err != nil {
			return nil, err
		}
	}
	update := domain.ConversationUpdate{
		Name: in.Body.Name, Description: in.Body.Description, DataSources: distinct(in.Body.DataSources),
		ProjectLabels: distinct(in.Body.ProjectLabels),
	}
	// All rules are checked before anything is changed, and all broken ones are answered at once.
	broken := []error{update.Validate()}
	if update.DataSources != nil {
		broken = append(broken, s.checkSources(ctx, caller, in.ID, *update.DataSources))
	}
	if update.ProjectLabels != nil {
		broken = append(broken, s.checkLabels(ctx, *update.ProjectLabels))
	}
	if err := together(broken...); err != nil {
		return nil, err
	}
	if shared {
		// This is a commit of the owner: when it returns, the change is stored and sent to all
		// readers.
		if err := s.Engine.Change(ctx, caller, in.ID, update); err != nil {
			return nil, err
		}
	}
	if err := s.changeOwn(ctx, caller, in.ID, &in.Body); err != nil {
		return nil, err
	}
	// The answer has only the changed fields, in the form of the event that readers get on the
	// stream.
	return answer(protocol.ConversationChange{
		ID: in.ID, Name: update.Name, Description: update.Description, DataSources: update.DataSources, ProjectLabels: update.ProjectLabels,
		Status: in.Body.Status, IsFavorite: in.Body.IsFavorite,
	}), nil
}

// changeOwn changes the caller's own state of a conversation.
func (s *Server) changeOwn(ctx context.Context, caller domain.Caller, id uuid.UUID, in *wire.ConversationChanges) error {
	if in.Status != nil {
		if err := s.Conversations.SetStatus(ctx, caller, id, domain.ConversationStatus(*in.Status)); err != nil {
			return err
		}
	}
	if in.IsFavorite != nil {
		return s.Conversations.SetFavorite(ctx, caller, id, *in.IsFavorite)
	}
	return nil
}

// distinct keeps the first of equal ids, in their order.
func distinct(ids *[]int64) *[]int64 {
	if ids == nil {
		return nil
	}
	out := make([]int64, 0, len(*ids))
	for _, id := range *ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return &out
}

// listPermissions is the input of the list of who may see a conversation. The query names the
// conversation, not the path.
type listPermissions struct {
	PageOf100
	ConversationID uuid.UUID `query:"conversationId" format:"uuid" required:"true"`
	Sort           string    `query:"sort" enum:"name,-name,type,-type,permission,-permission,id,-id" doc:"By default the owner is first, then people and teams by name."`
}

// sortGrants sorts the entries of Manage access as requested.
// Without an order they stay as the store lists them, the owner first. Equal entries keep that
// order.
func sortGrants(grants []domain.Grant, by string) {
	field, descending := strings.CutPrefix(by, "-")
	if field == "" {
		return
	}
	slices.SortStableFunc(grants, func(a, b domain.Grant) int {
		order := 0
		switch field {
		case "name":
			order = cmp.Compare(strings.ToLower(a.Grantee.Name), strings.ToLower(b.Grantee.Name))
		case "type":
			order = cmp.Compare(a.Grantee.Type, b.Grantee.Type)
		case "permission":
			order = cmp.Compare(a.Permission, b.Permission)
		case "id":
			order = cmp.Compare(a.Grantee.ID, b.Grantee.ID)
		}
		if descending {
			return -order
		}
		return order
	})
}

// accessRoutes registers the calls on who may see a conversation.
func (s *Server) accessRoutes(a huma.API, tags []string) {
	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/conversationpermissions", Tags: tags,
		Summary: "The access list of a conversation, the owner first",
	}, needs(domain.SeeConversation).by("conversationId"), func(ctx context.Context,
		in *listPermissions,
	) (*body[wire.Page[wire.PermissionEntry]], error) {
		grants, err := s.Conversations.Grants(ctx, callerOf(ctx), in.ConversationID)
		if err != nil {
			return nil, err
		}
		sortGrants(grants, in.Sort)
		page := in.page()
		return answer(wire.NewPage(window(grants, page), page, requestOf(ctx).url, wire.NewPermissionEntry)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/discourse/conversations/{id}/actors", Tags: tags,
		Summary: "Change the access list of a conversation; returns the whole list",
	}, needs(domain.ShareConversation), func(ctx context.Context, in *withBody[wire.Actors]) (*body[wire.Page[wire.PermissionEntry]], error) {
		grants, err := in.Body.Grants(domain.NounConversation)
		if err != nil {
			return nil, err
		}
		// The owner's actor makes the change, so that a reader who loses the right gets nothing
		// that comes after it (G15).
		err = s.Engine.SetGrants(ctx, callerOf(ctx), in.ID, grants)
		if domain.CodeOf(err) == domain.CodeConflict {
			// The store refuses people and teams that do not exist or are of another organisation.
			field := "users"
			if len(in.Body.Users) == 0 {
				field = "teams"
			}
			err = domain.Invalid(field, "Please select people and teams of your organization")
		}
		if err != nil {
			return nil, err
		}
		// The entries are read from the store after the commit of the change, so the answer has all
		// of them.
		all, err := s.Conversations.Grants(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return answer(wire.Whole(all, wire.NewPermissionEntry)), nil
	})
}
