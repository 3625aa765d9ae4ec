package api

// The calls on projects, which are called project labels in the code and in the paths. All people
// of the organization see them; a project is changed by its owner and by superusers.
// The calls that are registered withForm also accept small forms, which formbody.go converts.

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// projectLabelID is the input of a call that needs only the id of a project.
type projectLabelID struct {
	ID int64 `path:"id"`
}

// listProjectLabels is the input of the list of projects.
type listProjectLabels struct {
	PageOf50
	Search string `query:"search" maxLength:"200" doc:"Matches the name and the description."`
}

// newProjectLabel is the input of a creation: the key makes it happen once.
type newProjectLabel struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	Body           wire.ProjectLabelRequest
}

// changeProjectLabel is the input of a change. The version is in the header If-Match or in the
// body.
type changeProjectLabel struct {
	Versioned
	ID   int64 `path:"id"`
	Body wire.ProjectLabelRequest
}

// projectLabelRoutes registers the calls on projects.
func (s *Server) projectLabelRoutes(a huma.API) {
	tags := []string{"projects"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/projectlabels", Tags: tags, Summary: "The projects of the organization, by name",
	}, needs(domain.BeMember), func(ctx context.Context, in *listProjectLabels) (*body[wire.Page[wire.ProjectLabel]], error) {
		f := domain.ProjectLabelFilter{Search: in.Search, Page: in.page()}
		list, err := s.ProjectLabels.ProjectLabels(ctx, callerOf(ctx), f)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewPage(list, f.Page, requestOf(ctx).url, wire.NewProjectLabel(callerOf(ctx)))), nil
	})

	register(a, s.log, withForm(huma.Operation{
		Method: http.MethodPost, Path: "/discourse/projectlabels", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Create a project",
	}), needs(domain.MakeProjectLabel), func(ctx context.Context, in *newProjectLabel) (*body[wire.ProjectLabel], error) {
		d := in.Body.Draft()
		var err error
		if d.Key, err = idempotency(in.IdempotencyKey, in.Body); err != nil {
			return nil, err
		}
		l, err := s.ProjectLabels.CreateProjectLabel(ctx, callerOf(ctx), d)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewProjectLabel(callerOf(ctx))(l)), nil
	})

	register(a, s.log, withForm(huma.Operation{
		Method: http.MethodPut, Path: "/discourse/projectlabels/{id}", Tags: tags, Summary: "Change a project",
	}), needs(domain.ChangeProjectLabel), func(ctx context.Context, in *changeProjectLabel) (*body[wire.ProjectLabel], error) {
		d := in.Body.Draft()
		var err error
		if d.Version, err = in.from(in.Body.Version); err != nil {
			return nil, err
		}
		l, err := s.ProjectLabels.UpdateProjectLabel(ctx, callerOf(ctx), in.ID, d)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewProjectLabel(callerOf(ctx))(l)), nil
	})

	// A client may send the fields of the project with its deletion, in the same way as with a change.
	// They are not used.
	register(a, s.log, withForm(huma.Operation{
		Method: http.MethodDelete, Path: "/discourse/projectlabels/{id}", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary:     "Delete a project",
		Description: "Objects in it are not deleted. Usage reports keep its name.",
	}), needs(domain.DeleteProjectLabel), func(ctx context.Context, in *projectLabelID) (*none, error) {
		return nil, s.ProjectLabels.DeleteProjectLabel(ctx, callerOf(ctx), in.ID)
	})
}

// labelNames reads the projects of all entities of an answer at once.
// Projects that were deleted meanwhile are left out, and the entities then show one project less.
func (s *Server) labelNames(ctx context.Context, ids ...[]int64) (wire.ProjectLabelNames, error) {
	all := slices.Concat(ids...)
	slices.Sort(all)
	labels, err := s.ProjectLabels.NamedProjectLabels(ctx, callerOf(ctx).OrganisationID, slices.Compact(all))
	if err != nil {
		return nil, err
	}
	return wire.NewProjectLabelNames(labels), nil
}

// checkLabels refuses projects that do not exist, before a conversation is added to them.
func (s *Server) checkLabels(ctx context.Context, ids []int64) error {
	names, err := s.labelNames(ctx, ids)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(ids, func(id int64) bool { _, known := names[id]; return !known }) {
		return domain.Invalid("projectLabels", "One of the projects is not available.")
	}
	return nil
}
