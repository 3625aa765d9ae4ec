package persistence

// Connectors and their tables as they are read. How much of a table is read depends on the call:
// only names for lists, the shape for lists with nested objects, and all with statistics for a
// single connector and for turns.

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// DataSources keep connectors, their tables and columns.
type DataSources struct{ *core }

var _ domain.DataSourceService = DataSources{}

// dataSourcePage is the size of a page where none was asked for.
const dataSourcePage = 600

// DataSource implements domain.DataSourceService.
func (s DataSources) DataSource(ctx context.Context, caller domain.Caller, id int64) (*domain.DataSource, error) {
	var row *dbsqlc.DataSourceSeen
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.DataSourceGet(&dbsqlc.DataSourceGetParams{UserID: caller.UserID, ID: id}, &row)
	})
	if err != nil {
		return nil, err
	}
	// A single connector is read with all that is known about its columns, as analysts see it.
	list, err := s.withResources(ctx, caller.OrganisationID, (*reading).DataResourceList, listOf(row))
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, domain.NounDataSource.Missing()
	}
	return &list[0], nil
}

// DataSources implements domain.DataSourceService. Statistics of columns have up to a quarter
// of a megabyte for each table, so a list never reads them.
func (s DataSources) DataSources(
	ctx context.Context, caller domain.Caller, f domain.DataSourceFilter,
) (domain.List[domain.DataSource], error) {
	var (
		none domain.List[domain.DataSource]
		p    = pageOf(f.Page, dataSourcePage)
	)
	// The scope of a conversation needs its id, which lists of other nouns do not have.
	if err := domain.CheckScopes(f.Scopes, "conversation"); err != nil {
		return none, err
	}
	if err := checkSort(f.Sort); err != nil {
		return none, err
	}
	conditions, err := conditionsOf(f.Conditions)
	if err != nil {
		return none, err
	}
	// Never nil, which would be NULL for the database.
	pattern, labels, scopes := patternOf(f.Search), append([]int64{}, f.Labels...), append([]string{}, f.Scopes...)
	resources := resourceQuery((*reading).DataResourceNames)
	if f.Nested {
		resources = (*reading).DataResourceShape
	}
	rows, total, err := readPage(ctx, s.core, caller.OrganisationID, p, func(r *reading, w window, into *[]dbsqlc.DataSourceSeen,
		total *int64,
	) {
		r.DataSourceList(&dbsqlc.DataSourceListParams{
			UserID: caller.UserID, Scopes: scopes, Archived: f.Archived, Pattern: pattern, Labels: labels, Conditions: conditions, Sort: f.Sort,
			Skip: w.skip, Size: w.size,
		}, into, total)
	})
	if err != nil {
		return none, err
	}
	list, err := s.withResources(ctx, caller.OrganisationID, resources, rows)
	if err != nil {
		return none, err
	}
	return domain.List[domain.DataSource]{Results: list, Count: total}, nil
}

// Readable implements domain.DataSourceService.
func (s DataSources) Readable(ctx context.Context, organisation, user int64, ids []int64) ([]domain.DataSource, error) {
	// Without ids nothing is sent to the database.
	if len(ids) == 0 {
		return []domain.DataSource{}, nil
	}
	// A turn needs the statistics: the model sees them with the schema.
	return s.dataSources(ctx, organisation, (*reading).DataResourceList, func(r *reading, into *[]dbsqlc.DataSourceSeen) {
		r.DataSourceReadable(&dbsqlc.DataSourceReadableParams{UserID: user, Ids: ids}, into)
	})
}

// OfConversation implements domain.DataSourceService.
func (s DataSources) OfConversation(ctx context.Context, caller domain.Caller, conversation uuid.UUID) ([]domain.DataSource, error) {
	var row *dbsqlc.ConversationPersonGetRow
	list, err := s.dataSources(ctx, caller.OrganisationID, (*reading).DataResourceShape, func(r *reading, into *[]dbsqlc.DataSourceSeen) {
		r.DataSourceOfConversation(&dbsqlc.DataSourceOfConversationParams{UserID: caller.UserID, ConversationID: conversation}, into)
		// Both queries see the same snapshot. Without this row the caller may not read the
		// conversation, and the list is empty for the same reason.
		r.ConversationPersonGet(&dbsqlc.ConversationPersonGetParams{UserID: caller.UserID, ID: conversation}, &row)
	})
	if err == nil && row == nil {
		return nil, domain.NotFound("Conversation")
	}
	return list, err
}

// resourceQuery queues a query of the tables of some data sources, with the columns that a
// call needs.
type resourceQuery func(r *reading, sources []int64, into *[]dbsqlc.DataResourceShown)

// dataSources runs a query that returns data sources, and then reads their tables.
func (s DataSources) dataSources(
	ctx context.Context, organisation int64, resources resourceQuery, queue func(r *reading, into *[]dbsqlc.DataSourceSeen),
) ([]domain.DataSource, error) {
	var rows []dbsqlc.DataSourceSeen
	if err := s.asTenant(ctx, organisation, func(r *reading) { queue(r, &rows) }); err != nil {
		return nil, err
	}
	return s.withResources(ctx, organisation, resources, rows)
}

// withResources reads the tables of some data sources.
func (s DataSources) withResources(
	ctx context.Context, organisation int64, resources resourceQuery, rows []dbsqlc.DataSourceSeen,
) ([]domain.DataSource, error) {
	list := make([]domain.DataSource, len(rows))
	if len(rows) == 0 {
		return list, nil
	}
	ids := make([]int64, len(rows))
	// Tables are added to their connector in the order of the rows.
	place := make(map[int64]int, len(rows))
	for i := range rows {
		list[i] = dataSourceOf(&rows[i])
		ids[i], place[list[i].ID] = list[i].ID, i
	}
	var tables []dbsqlc.DataResourceShown
	if err := s.asTenant(ctx, organisation, func(r *reading) { resources(r, ids, &tables) }); err != nil {
		return nil, err
	}
	for i := range tables {
		t, err := resourceOf(&tables[i])
		if err != nil {
			return nil, err
		}
		d := &list[place[tables[i].DataSourceID]]
		d.Resources = append(d.Resources, *t)
	}
	return list, nil
}

// dataSourceOf makes the connector of a row, still without its tables.
func dataSourceOf(r *dbsqlc.DataSourceSeen) domain.DataSource {
	d := &r.DataSourceShown
	out := dbsqlc.DataSourceOf(r)
	out.OrganisationID, out.ConversationID, out.Permission = d.OrgID, d.ConversationID.UUID, permissionOf(r.Rank)
	out.Owner = domain.Person{ID: d.OwnerID, UUID: d.OwnerUuid, FullName: d.OwnerName, Picture: d.OwnerPicture}
	out.HasFile, out.Params = d.FileKey != "", paramsOf(d.Params)
	// The query returns the beginning of Unix time where there is no last use.
	if r.LastUsedAt.Unix() <= 0 {
		out.LastUsedAt = time.Time{}
	}
	return out
}

// column is how a column is stored; its names are part of the schema.
type column struct {
	Name         string   `json:"name"`
	Type         string   `json:"type"`
	DatabaseType string   `json:"databaseType,omitempty"`
	Distinct     int64    `json:"distinct,omitempty"`
	Estimated    bool     `json:"estimated,omitempty"`
	Repeats      bool     `json:"repeats,omitempty"`
	Nulls        int64    `json:"nulls,omitempty"`
	Min          string   `json:"min,omitempty"`
	Max          string   `json:"max,omitempty"`
	Values       []string `json:"values,omitempty"`
	Description  string   `json:"description,omitempty"`
}

// resourceOf makes the table of a row. Columns that the query did not read are empty.
func resourceOf(r *dbsqlc.DataResourceShown) (*domain.DataResource, error) {
	var stored []column
	if err := json.Unmarshal(r.Columns, &stored); err != nil {
		return nil, domain.Internal(err, "The columns of a table could not be read.")
	}
	var declared domain.Declared
	if err := json.Unmarshal(r.Declared, &declared); err != nil {
		return nil, domain.Internal(err, "The constraints of a table could not be read.")
	}
	t := &domain.DataResource{
		ID: r.ID, Name: r.Name, Table: r.TableName, Description: r.Description, Details: r.Details, Rows: r.RowCount, Preview: r.Preview,
		Declared: declared, Columns: make([]domain.Column, len(stored)),
	}
	for i, c := range stored {
		t.Columns[i] = domain.Column{
			Name: c.Name, Type: domain.ColumnType(c.Type), DatabaseType: c.DatabaseType, Distinct: c.Distinct, Estimated: c.Estimated,
			Repeats: c.Repeats, Nulls: c.Nulls, Min: c.Min, Max: c.Max, Values: c.Values, Description: c.Description,
		}
	}
	return t, nil
}

// columnsJSON encodes the columns of a table for the database.
func columnsJSON(columns []domain.Column) ([]byte, error) {
	stored := make([]column, len(columns))
	for i, c := range columns {
		stored[i] = column{
			Name: c.Name, Type: string(c.Type), DatabaseType: c.DatabaseType, Distinct: c.Distinct, Estimated: c.Estimated,
			Repeats: c.Repeats, Nulls: c.Nulls, Min: c.Min, Max: c.Max, Values: c.Values, Description: c.Description,
		}
	}
	b, err := json.Marshal(stored)
	if err != nil {
		return nil, domain.Internal(err, "The columns of a table could not be written.")
	}
	return b, nil
}

// declaredJSON encodes the constraints of a table for the database.
func declaredJSON(d *domain.Declared) ([]byte, error) {
	b, err := json.Marshal(d)
	if err != nil {
		return nil, domain.Internal(err, "The constraints of a table could not be written.")
	}
	return b, nil
}
