package api

// The calls on agents, which are called analysts in the code and in the paths. Who may see, use and
// change one is decided by the table of rights; an agent without an owner belongs to everybody.
// Instructions are answered only to people who may edit the agent, which wire.NewAnalyst decides
// from the agent's abilities.

import (
	"context"
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
	FilterEnabled bool   `query:"filterEnabled" default:"true" doc:"false lists disabled agents, too, for superusers and their owners."`
	Search        string `query:"search" maxLength:"200" doc:"Matches name and description."`
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
	IdempotencyKey string `header:"Idempotency-Key" doc:"The same key again answers the first result and creates nothing (24 hours)."`
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
		Method: http.MethodGet, Path: "/analyst/analysts", Tags: tags, Summary: "The agents that the caller may ask, the default one first",
		Description: "For superusers all of the organisation. The scope organization means those without an owner, recent those of the " +
			"caller's latest conversations. " +
			"Filters: name, description, agent, modelProvider, model, owner, isEnabled, isFavorite, projectLabels, updatedAt.",
	}, needs(domain.BeMember), s.listAnalysts)

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/analyst/default", Tags: tags, Summary: "The agent that answers where none is named",
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
		Summary:     "The models that agents can be given, the usual one first",
		Description: "Those that this server is configured with, up to 1,000 a page.",
		// The models are configuration of this server and not rows, so the page is cut in memory.
	}, needs(domain.BeMember), func(ctx context.Context, in *PageOf1000) (*body[wire.Page[wire.AgentModel]], error) {
		page := in.page()
		return answer(wire.NewPage(window(s.Models, page), page, requestOf(ctx).url, wire.NewAgentModel)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/analyst/analysts", Tags: tags, DefaultStatus: http.StatusCreated, Summary: "Make an agent",
		Description: "The caller owns it; for others there is no such call. Without a name it is called prism- and the next number that is " +
			"free. A name that is taken is 422.",
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
		Method: http.MethodGet, Path: "/analyst/analysts/{id}", Tags: tags, Summary: "An agent",
		Description: "For who may use it and for superusers. Instructions and the settings of its specialists come for who may edit it.",
	}, needs(domain.SeeAnalyst), func(ctx context.Context, in *analystID) (*body[wire.Analyst], error) {
		return s.answerAnalyst(ctx)(s.Analysts.AnalystFor(ctx, callerOf(ctx), in.ID))
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/analyst/analysts/{id}", Tags: tags, Summary: "Change an agent",
		Description: "What is left out stays as it is. The default agent cannot be switched off.",
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
		Summary:     "Delete an agent for good",
		Description: "403 for superusers who do not own it, and for the default agent. What it has answered keeps its name.",
	}, needs(domain.DeleteAnalyst), func(ctx context.Context, in *analystID) (*none, error) {
		return nil, s.Analysts.DeleteAnalyst(ctx, callerOf(ctx), in.ID)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/analyst/analysts/{id}/favorite", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary:     "Mark or unmark as favourite, for the caller",
		Description: "For who may use the agent. It changes nothing for others.",
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
		Method: http.MethodGet, Path: "/analyst/analysts/{id}/actors", Tags: tags, Summary: "Who may use an agent, the owner first",
		Description: "For who may use it and for superusers. An agent without an owner is everybody's, and the list is empty.",
	}, needs(domain.SeeAnalyst), func(ctx context.Context, in *analystID) (*body[wire.Page[wire.PermissionEntry]], error) {
		return s.answerAnalystActors(ctx, in.ID)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/analyst/analysts/{id}/actors", Tags: tags, Summary: "Change who may use an agent; answers all who may",
		Description: "read and remove alone are taken, for people and teams of the organization, at most 200 at once. It takes effect at once.",
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
