package api

// The calls that list, show and make connectors, and the descriptions of their multipart bodies. A
// connector is a data source in the code. The calls of remote databases are in connection.go,
// changes in datasource_change.go, files in datasource_file.go and upload.go.

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// dataSourceID is the input of a call that needs only the id of a connector.
type dataSourceID struct {
	ID int64 `path:"id"`
}

// listDataSources is the input of the list of connectors.
type listDataSources struct {
	PageOf600
	Filtered
	Labelled
	Scoped
	Status               string `query:"status" enum:"active,archived" default:"active"`
	Sort                 string `query:"sort" enum:"updated_at,-updated_at,created_at,-created_at,name,-name,updatedAt,-updatedAt,createdAt,-createdAt" doc:"By default connectors whose name matches the search are first, then the last changed. Recent connectors are ordered by their last use."`
	Search               string `query:"search" maxLength:"200" doc:"Matches the name and the description. Matches of the name are first."`
	IncludeNestedObjects bool   `query:"includeNestedObjects" doc:"Also returns the columns, data dictionaries and previews of the tables."`
}

// filter converts the parameters. It returns the errors of projects and conditions together.
func (in *listDataSources) filter() (domain.DataSourceFilter, error) {
	f := domain.DataSourceFilter{
		Scopes: in.scopes(), Archived: in.Status == "archived", Search: in.Search, Sort: snakeSort(in.Sort),
		Nested: in.IncludeNestedObjects, Page: in.page(),
	}
	var labels, conditions error
	f.Labels, labels = in.labels()
	f.Conditions, conditions = in.filters(domain.DataSourceFields())
	return f, together(labels, conditions)
}

// checkSources refuses data sources that the caller may not use, before they are stored in a
// message or a conversation. The right is checked again when a turn reads them. If the caller
// may not see the conversation, the error is only that. Data sources that are attached to the
// conversation already are accepted even if they were deleted or are no longer shared: the
// turn continues without them, and people can continue their conversation.
func (s *Server) checkSources(ctx context.Context, caller domain.Caller, conversation uuid.UUID, ids []int64) error {
	// Equal ids count once, so that the numbers of both lists can be compared.
	wanted := slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(wanted) == 0 {
		return nil
	}
	readable, err := s.DataSources.Readable(ctx, caller.OrganisationID, caller.UserID, wanted)
	if err != nil {
		return err
	}
	if len(readable) == len(wanted) {
		return nil
	}
	// ConversationAccess also checks that the caller may read the conversation: without this right
	// the answer is 404, and the sources of the conversation are not revealed.
	c, err := s.Conversations.ConversationAccess(ctx, caller, conversation)
	if err != nil {
		return err
	}
	for _, id := range wanted {
		known := slices.ContainsFunc(readable, func(d domain.DataSource) bool { return d.ID == id })
		if !known && !slices.Contains(c.DataSources, id) {
			return domain.Invalid("dataSources", "One of the connectors is not available.")
		}
	}
	return nil
}

// dataSourceRoutes registers all calls on connectors.
func (s *Server) dataSourceRoutes(a huma.API) {
	tags := []string{"connectors"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/datasources", Tags: tags, Summary: "The connectors that the caller may use",
	}, needs(domain.BeMember), func(ctx context.Context, in *listDataSources) (*body[wire.Page[wire.DataSource]], error) {
		f, err := in.filter()
		if err != nil {
			return nil, err
		}
		list, err := s.DataSources.DataSources(ctx, callerOf(ctx), f)
		if err != nil {
			return nil, err
		}
		// The names of the projects of the whole page are read in one query.
		convert, err := s.sourceConverter(ctx, list.Results)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewPage(list, f.Page, requestOf(ctx).url, convert)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/datasources/type", Tags: tags,
		Summary: "The types of connectors, and whether this server accepts files or connections for them",
	}, needs(domain.BeMember), func(ctx context.Context, in *PageOf1000) (*body[wire.Page[wire.DataSourceType]], error) {
		page := in.page()
		return answer(wire.NewPage(window(domain.DataSourceTypes(), page), page, requestOf(ctx).url, s.dataSourceType)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/datasources/questions", Tags: tags,
		Summary: "Questions that connectors can answer, as suggestions",
	}, needs(domain.BeMember), s.offeredQuestions)

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/datasources/{id}", Tags: tags, Summary: "Get a connector with its tables",
		Description: "With regenerate_preview the file is read again for the previews, which are not stored.",
	}, needs(domain.SeeDataSource), s.dataSource)

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/datasources/{id}/facts", Tags: tags,
		Summary: "What was measured of a connector: keys, dependencies, links, and what changed with its last file",
		Description: "Files are measured in the background after they were uploaded. Everything is exact, but the changes of a panel of " +
			"more than a million rows are those of one thing in sixteen. A link to another connector is " +
			"returned only if the caller may read both.",
	}, needs(domain.SeeDataSource), s.dataSourceFacts)

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/memory/file/info", Tags: tags,
		Summary: "Inspect a file without storing it",
	}, needs(domain.MakeDataSource), s.fileInfo)

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/memory/file/datasources", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Create a connector from a file",
		Description: "The file has at most " + sizeOf(domain.UploadMax) + ". 413 if it is larger or if a quota is exceeded, 415 if its type " +
			"is not supported, 422 if it cannot be read, with what to do about it.",
	}, needs(domain.MakeDataSource).alsoOf("conversationId"), s.createDataSource)

	s.connectionRoutes(a, tags)
	s.meaningRoutes(a, tags)
	s.dataSourceChangeRoutes(a, tags)
	s.dataSourceFileRoutes(a, tags)
}

// sourceConverter reads the names of the projects of data sources, all at once.
func (s *Server) sourceConverter(ctx context.Context, list []domain.DataSource) (func(*domain.DataSource) wire.DataSource, error) {
	ids := make([][]int64, len(list))
	for i := range list {
		ids[i] = list[i].ProjectLabels
	}
	names, err := s.labelNames(ctx, ids...)
	if err != nil {
		return nil, err
	}
	return wire.NewDataSource(callerOf(ctx), names), nil
}

// showSource makes the answer of every call that returns one data source.
func (s *Server) showSource(ctx context.Context, d *domain.DataSource) (*body[wire.DataSource], error) {
	names, err := s.labelNames(ctx, d.ProjectLabels)
	if err != nil {
		return nil, err
	}
	// The answer has the entries of who may use it, as far as the caller may see them.
	grants, err := s.DataSources.DataSourceGrants(ctx, callerOf(ctx), d.ID)
	if err != nil {
		return nil, err
	}
	out := wire.NewDataSource(callerOf(ctx), names)(d)
	out.WithPermissions(grants)
	return answer(out), nil
}

// dataSourceType reports whether this server reads files of a kind, or connects to it.
func (s *Server) dataSourceType(t *domain.DataSourceType) wire.DataSourceType {
	if s.Intake.Takes(*t) {
		return wire.NewDataSourceType(*t)
	}
	// A node that has no warehouse connects to no kind of database.
	if s.Warehouses != nil && s.Warehouses.Takes(*t) {
		return wire.NewWarehouseType(*t)
	}
	// The kind is still listed, as one that this server neither reads nor connects to.
	return wire.NewForeignType(*t)
}

// uploadBody documents a multipart body. It is added to the calls afterwards: if huma knew of
// the body, it would read it itself, and the file would be in memory twice.
func uploadBody(create bool) *huma.RequestBody {
	// Schemas without rules are shared: only their texts differ.
	text := &huma.Schema{Type: huma.TypeString}
	form := &huma.Schema{
		Type: huma.TypeObject,
		Properties: map[string]*huma.Schema{
			"file": {Type: huma.TypeString, Format: "binary", Description: "The file. The name of a stored file may only contain letters, " +
				"digits, spaces, underscores, parentheses, hyphens and dots before its extension."},
			"delimiter": {Type: huma.TypeString, Description: "The separator of the fields of a CSV file: one character, or auto."},
		},
		Required: []string{"file"},
	}
	// Only a creation needs words; another file keeps those of the connector.
	if create {
		limits := new(domain.NewDataSource).Limits()
		words := func(field, text string) *huma.Schema {
			return &huma.Schema{Type: huma.TypeString, Description: domain.LimitsIn(text, field, limits)}
		}
		form.Properties["name"] = words("name", "At most {characters} characters. The default is the name of the file.")
		form.Properties["description"] = words("description", "At most {characters} characters. POST memory/file/info proposes one.")
		form.Properties["scope"] = &huma.Schema{
			Type: huma.TypeString, Enum: []any{"user", "conversation", "organization"},
			Description: "The default is user.",
		}
		form.Properties["type"] = &huma.Schema{Type: huma.TypeString, Description: "csv, xlsx or pptx. The default is the type of the file. " +
			"The content of the file has precedence."}
		form.Properties["conversationId"] = text
		form.Properties["displayObjectId"] = &huma.Schema{Type: huma.TypeString, Format: "uuid", Description: "The id of a table in a " +
			"conversation that the caller may read, in place of a file."}
		form.Required = []string{"description"}
	}
	return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: form}}}
}

// changeBody documents a body that is JSON, or a form with the same fields and a file.
func changeBody(schemas huma.Registry) *huma.RequestBody {
	form := uploadBody(true).Content["multipart/form-data"].Schema
	// With a change nothing is required, since what is left out stays. A connector does not move to
	// another conversation.
	form.Required = nil
	delete(form.Properties, "conversationId")
	form.Properties["projectLabels"] = &huma.Schema{Type: huma.TypeString, Description: "Ids of projects, separated by commas."}
	form.Properties["version"] = &huma.Schema{Type: huma.TypeInteger, Description: "The version that the change is based on."}
	return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"application/json":    {Schema: schemas.Schema(reflect.TypeFor[wire.DataSourceChanges](), true, "DataSourceChanges")},
		"multipart/form-data": {Schema: form},
	}}
}

// secretBody documents the form of a secret.
func secretBody() *huma.RequestBody {
	form := wire.Limited(&huma.Schema{
		Type: huma.TypeObject,
		Properties: map[string]*huma.Schema{
			"file": {Type: huma.TypeString, Format: "binary", Description: "At most {bytes}."},
			"name": {Type: huma.TypeString, Description: "1 to {characters} characters."},
		},
		Required: []string{"file", "name"},
	}, new(domain.NewCredential).Limits())
	return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: form}}}
}
