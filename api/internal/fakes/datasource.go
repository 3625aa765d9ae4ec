package fakes

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// SourceID is the first data source that World.AddSource makes, TableID its only table.
const (
	SourceID = 100
	TableID  = SourceID * 10
)

// SharedSources is the last of the ids, from 1, of data sources that all people may use in a
// conversation.
const SharedSources = 9

// DataSources is the service of data sources. It answers each person with what they are shown
// (World.AddSource, World.ShowSource), whatever is written; it stores nothing and refuses
// nothing by itself.
type DataSources struct{ *World }

// AddSource adds a data source with a file and a table, which belongs to Owner and which
// Reader may use. The first one has SourceID, each further one the next number.
func (w *World) AddSource(files *Files, kind domain.DataSourceType) *domain.DataSource {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := int64(SourceID + len(w.sources[w.Owner.ID]))
	d := domain.DataSource{
		ID: id, OrganisationID: 1, Name: "Sales", Description: "Sales by region", Type: kind, Scope: domain.ScopeUser,
		Owner: domain.Person{ID: w.Owner.ID, UUID: w.Owner.UUID, FullName: w.Owner.FullName}, HasFile: true, Permission: domain.PermissionRead,
		FileKey: "uploads/1/" + uuid.NewString(), WorkKey: "prepared/1/" + uuid.NewString(), FileName: "sales." + string(kind), Size: 30,
		Version: 1,
		Resources: []domain.DataResource{{
			ID: 10 * id, Name: "sales", Table: "sales", Details: "words", Preview: "stored", Rows: 2,
			Columns: []domain.Column{{Name: "region", Type: domain.ColumnText}},
		}},
		ProjectLabels: []int64{1}, CreatedAt: w.now, UpdatedAt: w.now,
	}
	files.Set(d.FileKey, []byte("region,count\nNorth,1\nSouth,2\n"))
	files.Set(d.WorkKey, []byte("prepared"))
	w.showSource(&w.Reader, d)
	d.Permission = domain.PermissionOwner
	w.showSource(&w.Owner, d)
	return &d
}

// ShowSource sets what a person sees of a data source from now on.
func (w *World) ShowSource(person *domain.User, d domain.DataSource) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.showSource(person, d)
}

func (w *World) showSource(person *domain.User, d domain.DataSource) {
	if w.sources[person.ID] == nil {
		w.sources[person.ID] = map[int64]domain.DataSource{}
	}
	w.sources[person.ID][d.ID] = d
}

// see returns what the caller is shown of a data source. The caller may change its tables.
func (s DataSources) see(caller domain.Caller, id int64) (*domain.DataSource, error) {
	d, ok := s.sources[caller.UserID][id]
	if !ok {
		return nil, domain.NotFound("Connector")
	}
	d.Resources = slices.Clone(d.Resources)
	return &d, nil
}

// answer records the call and returns what the caller is shown of a data source.
func (s DataSources) answer(method string, asked any, caller domain.Caller, id int64) (*domain.DataSource, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted(method, asked); err != nil {
		return nil, err
	}
	return s.see(caller, id)
}

// DataSource implements domain.DataSourceService.
func (s DataSources) DataSource(_ context.Context, caller domain.Caller, id int64) (*domain.DataSource, error) {
	return s.answer("DataSource", id, caller, id)
}

// DataSources implements domain.DataSourceService.
func (s DataSources) DataSources(
	_ context.Context, caller domain.Caller, f domain.DataSourceFilter,
) (domain.List[domain.DataSource], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("DataSources", f); err != nil {
		return domain.List[domain.DataSource]{}, err
	}
	var list domain.List[domain.DataSource]
	for _, id := range slices.Sorted(maps.Keys(s.sources[caller.UserID])) {
		list.Results = append(list.Results, s.sources[caller.UserID][id])
	}
	list.Count = len(list.Results)
	return list, nil
}

// CreateDataSource implements domain.DataSourceService. It answers with data source 1, which
// belongs to the caller.
func (s DataSources) CreateDataSource(_ context.Context, caller domain.Caller, n domain.NewDataSource) (*domain.DataSource, error) {
	return &domain.DataSource{
		ID: 1, OrganisationID: caller.OrganisationID, Name: "Made", Description: "D", Type: domain.DataSourceCSV, Scope: domain.ScopeUser,
		Owner: domain.Person{ID: caller.UserID, UUID: caller.UserUUID, FullName: caller.FullName}, Permission: domain.PermissionOwner,
		HasFile: true, FileName: "made.csv", Version: 1, CreatedAt: s.now, UpdatedAt: s.now,
	}, s.note("CreateDataSource", n)
}

// SourcesFor has the arguments of a call of Readable.
type SourcesFor struct {
	Organisation, User int64
	IDs                []int64
}

// Readable implements domain.DataSourceService: it returns what the person is shown, and all
// ids up to SharedSources.
func (s DataSources) Readable(_ context.Context, organisation, user int64, ids []int64) ([]domain.DataSource, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []domain.DataSource
	for _, id := range ids {
		if d, ok := s.sources[user][id]; ok {
			out = append(out, d)
		} else if id <= SharedSources {
			out = append(out, domain.DataSource{ID: id, OrganisationID: organisation})
		}
	}
	return out, s.noted("Readable", SourcesFor{organisation, user, ids})
}

// OfConversation implements domain.DataSourceService. It returns no data sources.
func (s DataSources) OfConversation(_ context.Context, _ domain.Caller, conversation uuid.UUID) ([]domain.DataSource, error) {
	return []domain.DataSource{}, s.note("OfConversation", conversation)
}

// SourceChange has the arguments of a call of UpdateDataSource.
type SourceChange struct {
	ID     int64
	Update domain.DataSourceUpdate
}

// UpdateDataSource implements domain.DataSourceService.
func (s DataSources) UpdateDataSource(
	_ context.Context, caller domain.Caller, id int64, u domain.DataSourceUpdate,
) (*domain.DataSource, error) {
	return s.answer("UpdateDataSource", SourceChange{id, u}, caller, id)
}

// SourceRead has the arguments of a call of ResyncDataSource.
type SourceRead struct {
	ID   int64
	File domain.DataSourceFile
}

// ResyncDataSource implements domain.DataSourceService.
func (s DataSources) ResyncDataSource(
	_ context.Context, caller domain.Caller, id int64, f domain.DataSourceFile,
) (*domain.DataSource, error) {
	return s.answer("ResyncDataSource", SourceRead{id, f}, caller, id)
}

// DeleteDataSource implements domain.DataSourceService.
func (s DataSources) DeleteDataSource(_ context.Context, _ domain.Caller, id int64) error {
	return s.note("DeleteDataSource", id)
}

// SetDataSourceArchived implements domain.DataSourceService.
func (s DataSources) SetDataSourceArchived(_ context.Context, caller domain.Caller, id int64, archived bool) (*domain.DataSource, error) {
	return s.answer("SetDataSourceArchived", Mark{id, archived}, caller, id)
}

// SetDataSourceFavorite implements domain.DataSourceService.
func (s DataSources) SetDataSourceFavorite(_ context.Context, _ domain.Caller, id int64, on bool) error {
	return s.note("SetDataSourceFavorite", Mark{id, on})
}

// grants returns the grants of every data source, for Owner and Reader.
func (s DataSources) grants() []domain.Grant {
	return []domain.Grant{
		{Grantee: domain.Grantee{ID: s.Owner.ID, Type: domain.GranteeUser, Name: s.Owner.FullName}, Permission: domain.PermissionOwner},
		{Grantee: domain.Grantee{ID: s.Reader.ID, Type: domain.GranteeUser, Name: s.Reader.FullName}, Permission: domain.PermissionRead},
	}
}

// DataSourceGrants implements domain.DataSourceService.
func (s DataSources) DataSourceGrants(_ context.Context, _ domain.Caller, id int64) ([]domain.Grant, error) {
	return s.grants(), s.note("DataSourceGrants", id)
}

// SetDataSourceGrants implements domain.DataSourceService.
func (s DataSources) SetDataSourceGrants(_ context.Context, _ domain.Caller, id int64, grants []domain.Grant) ([]domain.Grant, error) {
	return s.grants(), s.note("SetDataSourceGrants", Grants{id, grants})
}

// Dictionary has the arguments of a call of SetDictionary.
type Dictionary struct {
	Source, Table int64
	Details       string
}

// SetDictionary implements domain.DataSourceService. It answers with the data source that is
// named, otherwise with the data source of the table.
func (s DataSources) SetDictionary(
	_ context.Context, caller domain.Caller, source, table int64, details string,
) (*domain.DataSource, error) {
	id := source
	if id == 0 {
		id = table / 10
	}
	return s.answer("SetDictionary", Dictionary{source, table, details}, caller, id)
}
