package api

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

type dataSourceID struct {
	ID int64 `path:"id"`
}

type listDataSources struct {
	PageOf600
	Scope         string `query:"scope" enum:"all,favorite,organization,owned,shared,recent" default:"all"`
	FavoriteScope string `query:"favoriteScope" enum:"all,favorite,only_favorites" default:"all" doc:"favorite is the same as scope=favorite."`
	Favorite      bool   `query:"favorite" doc:"The same as scope=favorite."`
	OnlyFavorites bool   `query:"onlyFavorites" doc:"The same as favorite."`
	Recent        bool   `query:"recent" doc:"The same as scope=recent."`
	Status        string `query:"status" enum:"active,archived" default:"active"`
	Search        string `query:"search" maxLength:"200" doc:"Matches name and description."`
}

func (in *listDataSources) filter() domain.DataSourceFilter {
	f := domain.DataSourceFilter{Archived: in.Status == "archived", Search: in.Search, Page: in.page()}
	switch {
	case in.Favorite || in.OnlyFavorites || in.FavoriteScope != "all":
		f.Scope = "favorite"
	case in.Recent:
		f.Scope = "recent"
	case in.Scope != "all":
		f.Scope = in.Scope
	}
	return f
}

// checkSources refuses data sources that the caller may not use, before they
// stand in a message or a conversation. What a turn reads is checked again when
// it reads. Of a conversation that the caller may not see it says only that.
func (s *Server) checkSources(ctx context.Context, caller domain.Caller, conversation uuid.UUID, ids []int64) error {
	wanted := slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(wanted) == 0 {
		return nil
	}
	readable, err := s.DataSources.Readable(ctx, caller.OrganisationID, caller.UserID, wanted)
	if err != nil {
		return err
	}
	if len(readable) != len(wanted) {
		if _, err := s.DataSources.OfConversation(ctx, caller, conversation); err != nil {
			return err
		}
		return domain.Invalid("dataSources", "One of the connectors is not available.")
	}
	return nil
}

func (s *Server) dataSourceRoutes(a huma.API) {
	tags := []string{"connectors"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/datasources", Tags: tags, Summary: "The data sources that the caller may use",
	}, func(ctx context.Context, in *listDataSources) (*body[wire.Page[wire.DataSource]], error) {
		f := in.filter()
		list, err := s.DataSources.DataSources(ctx, callerOf(ctx), f)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewPage(list, f.Page, requestOf(ctx).url, wire.NewDataSource)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/datasources/type", Tags: tags, Summary: "The kinds of data sources that can be added",
	}, func(context.Context, *PageOf600) (*body[wire.Page[wire.DataSourceType]], error) {
		types := slices.Sorted(maps.Keys(s.Inspectors))
		return answer(wire.Whole(types, func(t *domain.DataSourceType) wire.DataSourceType { return wire.NewDataSourceType(*t) })), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/datasources/{id}", Tags: tags, Summary: "A data source with its tables",
	}, func(ctx context.Context, in *dataSourceID) (*body[wire.DataSource], error) {
		d, err := s.DataSources.DataSource(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewDataSource(d)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/memory/file/info", Tags: tags,
		Summary: "Look at a file without keeping it",
	}, s.fileInfo)

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/memory/file/datasources", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary:     "Make a data source from a file",
		Description: "The file has at most 200 MB. 413 beyond, or where a quota is full; 415 for content of a kind that is not taken, 422 for one that cannot be read, with what to do about it.",
	}, s.createDataSource)
}

// uploadBody documents a multipart body. It is added to the calls afterwards:
// huma would read the body itself if it knew, and hold the file twice.
func uploadBody(create bool) *huma.RequestBody {
	text := &huma.Schema{Type: huma.TypeString}
	form := &huma.Schema{
		Type: huma.TypeObject,
		Properties: map[string]*huma.Schema{
			"file":      {Type: huma.TypeString, Format: "binary"},
			"delimiter": {Type: huma.TypeString, Description: "One character, or auto."},
		},
		Required: []string{"file"},
	}
	if create {
		form.Properties["name"] = &huma.Schema{Type: huma.TypeString, Description: "At most 80 characters; left out, the file's name."}
		form.Properties["description"] = &huma.Schema{Type: huma.TypeString, Description: "At most 5,000 characters. POST memory/file/info proposes one."}
		form.Properties["scope"] = &huma.Schema{Type: huma.TypeString, Enum: []any{"user", "conversation", "organization"}, Description: "user when left out."}
		form.Properties["type"] = &huma.Schema{Type: huma.TypeString, Description: "csv, xlsx or pptx; left out, by the file. Where its bytes are something else, they are right."}
		form.Properties["conversationId"] = text
		form.Properties["displayObjectId"] = &huma.Schema{Type: huma.TypeString, Format: "uuid", Description: "A table of a conversation that the caller may read, in place of a file."}
		form.Required = []string{"description"}
	}
	return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: form}}}
}
