package api

// The calls on agents, which are called analysts in the code and in the paths. Who may see, use and
// change one is decided by the table of rights; an agent without an owner belongs to everybody.
// Instructions are answered only to people who may edit the agent, which wire.NewAnalyst decides
// from the agent's abilities.

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// analystID is the input of a call that needs only the id of an agent.
type analystID struct {
	ID int64 `path:"id"`
}

// listAnalysts is the input of the list of agents.
type listAnalysts struct {
	PageOf100
	Labelled
	Scoped
	Filtered
	FilterEnabled bool   `query:"filterEnabled" default:"true" doc:"False also lists disabled agents, for superusers and the owners of these agents."`
	Search        string `query:"search" maxLength:"200" doc:"Matches the name and the description."`
}

// filter converts the parameters. It returns the errors of projects and conditions together.
func (in *listAnalysts) filter() (domain.AnalystFilter, error) {
	f := domain.AnalystFilter{Scopes: in.scopes(), OnlyEnabled: in.FilterEnabled, Search: in.Search, Page: in.page()}
	var labels, conditions error
	f.ProjectLabels, labels = in.labels()
	f.Conditions, conditions = in.filters(domain.AnalystFields())
	return f, together(labels, conditions)
}

// newAnalyst is the input of a creation: the key makes it happen once.
type newAnalyst struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	Body           wire.AnalystRequest
}

// changeAnalyst is the input of a change. The version is in the header If-Match or in the body.
type changeAnalyst struct {
	Versioned
	ID   int64 `path:"id"`
	Body wire.AnalystRequest
}

// analystActors is the input of a change of who may use an agent.
type analystActors struct {
	ID   int64 `path:"id"`
	Body wire.Actors
}

// analystFavorite is the input of the caller's own mark.
type analystFavorite struct {
	ID   int64 `path:"id"`
	Body wire.Favorite
}

// analystRoutes registers the calls on agents.
func (s *Server) analystRoutes(a huma.API) {
	tags := []string{"agents"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/analyst/analysts", Tags: tags, Summary: "The agents that the caller may use, the default agent first",
		Description: "Superusers get all agents of the organization. Scopes: organization means agents without an owner, recent means those " +
			"of the caller's latest conversations. Filters: name, description, agent, modelProvider, model, owner, isEnabled, isFavorite, " +
			"projectLabels, updatedAt.",
	}, needs(domain.BeMember), s.listAnalysts)

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/analyst/default", Tags: tags, Summary: "The agent that answers if no agent is given",
	}, needs(domain.BeMember), func(ctx context.Context, _ *none) (*body[wire.Analyst], error) {
		// The default agent is read without a check of rights, because everybody may ask it. It is
		// then read again as the caller sees it, without instructions for people who may not edit
		// it.
		analyst, err := s.Analysts.DefaultAnalyst(ctx, callerOf(ctx).OrganisationID)
		if err != nil {
			return nil, err
		}
		return s.answerAnalyst(ctx)(s.Analysts.AnalystFor(ctx, callerOf(ctx), analyst.ID))
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/analyst/analysts/active-models", Tags: tags,
		Summary:     "The models that agents can use, the default model first",
		Description: "The models that this server is configured with.",
		// The models are configuration of this server and not rows, so the page is cut in memory.
	}, needs(domain.BeMember), func(ctx context.Context, in *PageOf1000) (*body[wire.Page[wire.AgentModel]], error) {
		page := in.page()
		return answer(wire.NewPage(window(s.Models, page), page, requestOf(ctx).url, wire.NewAgentModel)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/analyst/analysts", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Create an agent",
		Description: "The caller becomes its owner. 404 for other people. The default name is prism- and the next free number. 422 if another " +
			"agent has the name.",
	}, needs(domain.MakeAnalyst), func(ctx context.Context, in *newAnalyst) (*body[wire.Analyst], error) {
		// The configured models go with the change: an agent may keep a model that is not
		// configured any more, but no such model can be chosen (docs/knowledge.md).
		u := in.Body.Update(s.Models)
		var err error
		if u.Key, err = idempotency(in.IdempotencyKey, in.Body); err != nil {
			return nil, err
		}
		return s.answerAnalyst(ctx)(s.Analysts.CreateAnalyst(ctx, callerOf(ctx), u))
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/analyst/analysts/{id}", Tags: tags, Summary: "Get an agent",
		Description: "Callers who may edit it also get the instructions and the settings of its specialists.",
	}, needs(domain.SeeAnalyst), func(ctx context.Context, in *analystID) (*body[wire.Analyst], error) {
		return s.answerAnalyst(ctx)(s.Analysts.AnalystFor(ctx, callerOf(ctx), in.ID))
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/analyst/analysts/{id}", Tags: tags, Summary: "Change an agent",
		Description: "Missing fields do not change. The default agent cannot be disabled.",
	}, needs(domain.ChangeAnalyst), func(ctx context.Context, in *changeAnalyst) (*body[wire.Analyst], error) {
		u := in.Body.Update(s.Models)
		var err error
		if u.Version, err = in.from(in.Body.Version); err != nil {
			return nil, err
		}
		return s.answerAnalyst(ctx)(s.Analysts.UpdateAnalyst(ctx, callerOf(ctx), in.ID, u))
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodDelete, Path: "/analyst/analysts/{id}", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary:     "Permanently delete an agent",
		Description: "403 for the default agent. Its answers keep its name.",
	}, needs(domain.DeleteAnalyst), func(ctx context.Context, in *analystID) (*none, error) {
		return nil, s.Analysts.DeleteAnalyst(ctx, callerOf(ctx), in.ID)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/analyst/analysts/{id}/favorite", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary:     "Mark as a favourite of the caller, or unmark",
		Description: "It changes nothing for other people.",
	}, needs(domain.UseAnalyst), func(ctx context.Context, in *analystFavorite) (*none, error) {
		// Each kind of object has its own name for the mark; On accepts all of them, and returns
		// CodeInvalid if there is none.
		on, err := in.Body.On()
		if err != nil {
			return nil, err
		}
		return nil, s.Analysts.SetAnalystFavorite(ctx, callerOf(ctx), in.ID, on)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/analyst/analysts/{id}/actors", Tags: tags, Summary: "The access list of an agent, the owner first",
		Description: "The list is empty for an agent without an owner, which everybody may use.",
	}, needs(domain.SeeAnalyst), func(ctx context.Context, in *analystID) (*body[wire.Page[wire.PermissionEntry]], error) {
		return s.answerAnalystActors(ctx, in.ID)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/analyst/analysts/{id}/actors", Tags: tags,
		Summary: "Change the access list of an agent; returns the whole list",
		Description: fmt.Sprintf("Only read and remove are valid, for people and teams of the organization, at most %d at once. The change "+
			"takes effect at once.", domain.GrantsMax),
	}, needs(domain.ShareAnalyst), func(ctx context.Context, in *analystActors) (*body[wire.Page[wire.PermissionEntry]], error) {
		// The form of the entries is checked here. Whether a person or a team exists in the
		// organization is checked by the service, in its transaction.
		grants, err := in.Body.Grants(domain.NounAnalyst)
		if err != nil {
			return nil, err
		}
		if err := s.Analysts.SetAnalystGrants(ctx, callerOf(ctx), in.ID, grants); err != nil {
			return nil, err
		}
		// The answer is read after the change, so it has all entries and not only the changed ones.
		return s.answerAnalystActors(ctx, in.ID)
	})
}

// listAnalysts answers one page of the agents that the caller may use.
func (s *Server) listAnalysts(ctx context.Context, in *listAnalysts) (*body[wire.Page[wire.Analyst]], error) {
	f, err := in.filter()
	if err != nil {
		return nil, err
	}
	list, err := s.Analysts.Analysts(ctx, callerOf(ctx), f)
	if err != nil {
		return nil, err
	}
	// The projects of all agents of the page are read in one query.
	var labels []int64
	for i := range list.Results {
		labels = append(labels, list.Results[i].ProjectLabels...)
	}
	names, err := s.labelNames(ctx, labels)
	if err != nil {
		return nil, err
	}
	return answer(wire.NewPage(list, f.Page, requestOf(ctx).url, wire.NewAnalyst(callerOf(ctx), names))), nil
}

// answerAnalyst returns an agent as the caller sees it, or the error.
func (s *Server) answerAnalyst(ctx context.Context) func(*domain.Analyst, error) (*body[wire.Analyst], error) {
	return func(a *domain.Analyst, err error) (*body[wire.Analyst], error) {
		if err != nil {
			return nil, err
		}
		names, err := s.labelNames(ctx, a.ProjectLabels)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewAnalyst(callerOf(ctx), names)(a)), nil
	}
}

// answerAnalystActors lists who may use an agent, in a single page: the number of entries is small.
func (s *Server) answerAnalystActors(ctx context.Context, id int64) (*body[wire.Page[wire.PermissionEntry]], error) {
	grants, err := s.Analysts.AnalystGrants(ctx, callerOf(ctx), id)
	if err != nil {
		return nil, err
	}
	return answer(wire.Whole(grants, wire.NewPermissionEntry)), nil
}
