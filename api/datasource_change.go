package api

// The calls that change a connector, which is called a data source in the code: its words,
// dictionaries, archive, marks and who may use it. A change of its file is in datasource_file.go.
// All of them take effect at once, also for turns that run, because a tool reads the rights when it
// runs (G15).

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// toDataSource is the input of a call on one data source that sends JSON.
type toDataSource[T any] struct {
	ID   int64 `path:"id"`
	Body T
}

// toDataSourceMaybe is the same input with a body that may be missing.
type toDataSourceMaybe[T any] struct {
	ID   int64 `path:"id"`
	Body *T
}

// dataSourceChangeRoutes registers the calls of this file.
func (s *Server) dataSourceChangeRoutes(a huma.API, tags []string) {
	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/memory/datasources/{id}", Tags: tags, Summary: "Change a connector",
		Description: "Accepts JSON, or a form with a file that replaces the current one. Only the owner may replace the file. Missing fields " +
			"do not change.",
	}, needs(domain.ChangeDataSource), s.changeDataSource)

	register(a, s.log, huma.Operation{
		Method: http.MethodDelete, Path: "/memory/datasources/{id}", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary:     "Permanently delete a connector",
		Description: "Messages that have used it are not deleted.",
	}, needs(domain.DeleteDataSource), func(ctx context.Context, in *dataSourceID) (*none, error) {
		return nil, s.DataSources.DeleteDataSource(ctx, callerOf(ctx), in.ID)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/memory/datasources/{id}/archive", Tags: tags, Summary: "Archive or restore a connector",
		Description: "422 for types that cannot be archived.",
	}, needs(domain.ArchiveDataSource), func(ctx context.Context, in *toDataSourceMaybe[wire.Archiving]) (*body[wire.DataSource], error) {
		// Without a body, or without the field, the connector is archived.
		d, err := s.DataSources.SetDataSourceArchived(ctx, callerOf(ctx), in.ID, in.Body.On())
		if err != nil {
			return nil, err
		}
		return s.showSource(ctx, d)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/memory/datasources/{id}/favorite", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary: "Mark as a favourite of the caller, or unmark",
	}, needs(domain.UseDataSource), func(ctx context.Context, in *toDataSource[wire.Favorite]) (*none, error) {
		on, err := in.Body.On()
		if err != nil {
			return nil, err
		}
		return nil, s.DataSources.SetDataSourceFavorite(ctx, callerOf(ctx), in.ID, on)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPatch, Path: "/memory/datasources/{id}/details", Tags: tags,
		Summary: "Change the data dictionary of one table of a connector",
	}, needs(domain.ChangeDataSource), func(ctx context.Context, in *toDataSource[wire.ResourceText]) (*body[wire.DataSource], error) {
		// source ties the table to the connector of the path: a table of another connector is 404.
		return s.saveDictionary(ctx, in.ID, in.Body.ID, "text", in.Body.Text)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPatch, Path: "/memory/dataresources/{id}", Tags: tags,
		Summary: "Change the data dictionary of a table; returns its connector",
	}, needs(domain.ChangeTable), func(ctx context.Context, in *toDataSource[wire.Dictionary]) (*body[wire.DataSource], error) {
		// Source 0 means that the connector is found by its table, since the path names only that.
		return s.saveDictionary(ctx, 0, in.ID, "details", in.Body.Details)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/datasources/{id}/actors", Tags: tags, Summary: "The access list of a connector, the owner first",
	}, needs(domain.SeeDataSource), func(ctx context.Context, in *dataSourceID) (*body[wire.Page[wire.PermissionEntry]], error) {
		grants, err := s.DataSources.DataSourceGrants(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return answer(wire.Whole(grants, wire.NewPermissionEntry)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/memory/datasources/{id}/actors", Tags: tags,
		Summary:     "Change the access list of a connector; returns the whole list",
		Description: "The change takes effect at once, also for queries of running turns.",
	}, needs(domain.ShareDataSource), func(ctx context.Context, in *toDataSource[wire.Actors]) (*body[wire.Page[wire.PermissionEntry]],
		error,
	) {
		grants, err := in.Body.Grants(domain.NounDataSource)
		if err != nil {
			return nil, err
		}
		all, err := s.DataSources.SetDataSourceGrants(ctx, callerOf(ctx), in.ID, grants)
		if err != nil {
			return nil, err
		}
		return answer(wire.Whole(all, wire.NewPermissionEntry)), nil
	})
}

// saveDictionary saves the dictionary of one table and answers its connector. field is the name of
// the text in the body of the call, for errors.
func (s *Server) saveDictionary(ctx context.Context, source, resource int64, field, text string) (*body[wire.DataSource], error) {
	d, err := s.DataSources.SetDictionary(ctx, callerOf(ctx), source, resource, text)
	var invalid *domain.Error
	if errors.As(err, &invalid) && len(invalid.Fields) > 0 {
		// The two calls have different names for the same text.
		return nil, domain.Invalid(field, invalid.Fields[0].Message)
	}
	if err != nil {
		return nil, err
	}
	return s.showSource(ctx, d)
}
