package fakes

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// AddSource makes a data source of Owner with a file and a table, which Reader
// may use.
func (w *World) AddSource(files *Files, kind domain.DataSourceType) *domain.DataSource {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := int64(100 + len(w.sources))
	d := &domain.DataSource{
		ID: id, OrganisationID: 1, Name: "Sales", Description: "Sales by region", Type: kind, Scope: domain.ScopeUser,
		Owner: domain.Person{ID: w.Owner.ID, UUID: w.Owner.UUID, FullName: w.Owner.FullName}, HasFile: true,
		FileKey: "uploads/1/" + uuid.NewString(), WorkKey: "prepared/1/" + uuid.NewString(), FileName: "sales." + string(kind), Size: 30, Version: 1,
		Resources: []domain.DataResource{{
			ID: 10 * id, Name: "sales", Table: "sales", Details: "words", Preview: "stored", Rows: 2, Columns: []domain.Column{{Name: "region", Type: domain.ColumnText}},
		}},
		CreatedAt: w.now, UpdatedAt: w.now,
	}
	files.Set(d.FileKey, []byte("region,count\nNorth,1\nSouth,2\n"))
	files.Set(d.WorkKey, []byte("prepared"))
	w.sources[id] = d
	w.sourceGrants[id] = map[int64]domain.Permission{w.Reader.ID: domain.PermissionRead}
	return d
}

// source gives a copy to who may see it.
func (w *World) source(caller domain.Caller, id int64) (*domain.DataSource, error) {
	d, ok := w.sources[id]
	if !ok || d.OrganisationID != caller.OrganisationID {
		return nil, domain.NotFound("Connector")
	}
	out := *d
	out.Resources = slices.Clone(d.Resources)
	out.Permission = w.sourceGrants[id][caller.UserID]
	if d.Owner.ID == caller.UserID {
		out.Permission = domain.PermissionOwner
	}
	return &out, domain.SeeDataSource.Ask(caller, out.Standing(caller))
}

// askSource is source for who may do something with it.
func (w *World) askSource(caller domain.Caller, id int64, action domain.Action) (*domain.DataSource, error) {
	d, err := w.source(caller, id)
	if err == nil {
		err = action.Ask(caller, d.Standing(caller))
	}
	return d, err
}

// change notes a call and changes what is there.
func (s DataSources) change(call string, caller domain.Caller, id int64, action domain.Action, change func(*domain.DataSource) error) (*domain.DataSource, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called(call); err != nil {
		return nil, err
	}
	if _, err := s.askSource(caller, id, action); err != nil {
		return nil, err
	}
	if err := change(s.sources[id]); err != nil {
		return nil, err
	}
	if err := s.lost(call); err != nil {
		return nil, err
	}
	return s.askSource(caller, id, action)
}

// UpdateDataSource implements domain.DataSourceService.
func (s DataSources) UpdateDataSource(_ context.Context, caller domain.Caller, id int64, u domain.DataSourceUpdate) (*domain.DataSource, error) {
	return s.change("UpdateDataSource", caller, id, domain.ChangeDataSource, func(d *domain.DataSource) error {
		if err := u.Validate(); err != nil {
			return err
		}
		if u.Version != 0 && u.Version != d.Version {
			return domain.Errorf(domain.CodeConflict, "Somebody else changed this meanwhile.")
		}
		if u.Scope != nil && *u.Scope != d.Scope {
			return domain.Invalid("scope", "The scope of a connector cannot be changed")
		}
		if u.Name != nil {
			d.Name = *u.Name
		}
		d.Description, s.describedByFile[id] = u.Described(d.Description, s.describedByFile[id])
		if u.ProjectLabels != nil {
			d.ProjectLabels = *u.ProjectLabels
		}
		if f := u.File; f != nil {
			d.Type, d.FileName, d.FileKey, d.WorkKey, d.Size, d.Resources = f.Type, f.FileName, f.FileKey, f.WorkKey, f.Size, f.Resources
		}
		d.Version++
		return nil
	})
}

// ResyncDataSource implements domain.DataSourceService.
func (s DataSources) ResyncDataSource(_ context.Context, caller domain.Caller, id int64, f domain.DataSourceFile) (*domain.DataSource, error) {
	return s.change("ResyncDataSource", caller, id, domain.ChangeDataSource, func(d *domain.DataSource) error {
		d.WorkKey, d.Resources = f.WorkKey, f.Resources
		d.Version++
		return nil
	})
}

// DeleteDataSource implements domain.DataSourceService.
func (s DataSources) DeleteDataSource(_ context.Context, caller domain.Caller, id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("DeleteDataSource"); err != nil {
		return err
	}
	_, err := s.askSource(caller, id, domain.DeleteDataSource)
	if err == nil {
		delete(s.sources, id)
	}
	return err
}

// SetDataSourceArchived implements domain.DataSourceService.
func (s DataSources) SetDataSourceArchived(_ context.Context, caller domain.Caller, id int64, archived bool) (*domain.DataSource, error) {
	return s.change("SetDataSourceArchived", caller, id, domain.ArchiveDataSource, func(d *domain.DataSource) error {
		if err := d.CanArchive(); archived && err != nil {
			return err
		}
		d.IsArchived = archived
		return nil
	})
}

// SetDataSourceFavorite implements domain.DataSourceService.
func (s DataSources) SetDataSourceFavorite(_ context.Context, caller domain.Caller, id int64, on bool) error {
	_, err := s.change("SetDataSourceFavorite", caller, id, domain.UseDataSource, func(d *domain.DataSource) error {
		d.IsFavorite = on
		return nil
	})
	return err
}

// DataSourceGrants implements domain.DataSourceService.
func (s DataSources) DataSourceGrants(_ context.Context, caller domain.Caller, id int64) ([]domain.Grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("DataSourceGrants"); err != nil {
		return nil, err
	}
	d, err := s.source(caller, id)
	if err != nil {
		return nil, err
	}
	return s.grantsOf(d), nil
}

func (w *World) grantsOf(d *domain.DataSource) []domain.Grant {
	all := []domain.Grant{{Grantee: domain.Grantee{ID: d.Owner.ID, Type: domain.GranteeUser, Name: d.Owner.FullName}, Permission: domain.PermissionOwner}}
	for id, p := range w.sourceGrants[d.ID] {
		all = append(all, domain.Grant{Grantee: domain.Grantee{ID: id, Type: domain.GranteeUser}, Permission: p})
	}
	return all
}

// SetDataSourceGrants implements domain.DataSourceService. It knows people only.
func (s DataSources) SetDataSourceGrants(_ context.Context, caller domain.Caller, id int64, grants []domain.Grant) ([]domain.Grant, error) {
	d, err := s.change("SetDataSourceGrants", caller, id, domain.ShareDataSource, func(d *domain.DataSource) error {
		for _, g := range grants {
			if g.Grantee.ID == d.Owner.ID {
				return domain.Invalid("users", "The owner's access cannot be changed")
			}
			s.sourceGrants[id][g.Grantee.ID] = g.Permission
			if g.Permission == domain.PermissionRemove {
				delete(s.sourceGrants[id], g.Grantee.ID)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grantsOf(d), nil
}

// SetDictionary implements domain.DataSourceService.
func (s DataSources) SetDictionary(_ context.Context, caller domain.Caller, source, resource int64, details string) (*domain.DataSource, error) {
	if source == 0 {
		source = resource / 10
	}
	return s.change("SetDictionary", caller, source, domain.ChangeDataSource, func(d *domain.DataSource) error {
		if err := domain.ValidateDictionary(details); err != nil {
			return err
		}
		for i := range d.Resources {
			if d.Resources[i].ID == resource {
				d.Resources[i].Details = details
				return nil
			}
		}
		return domain.NotFound("Table")
	})
}

// Credentials is the service of secrets. It keeps nothing.
type Credentials struct{ *World }

// CreateCredential implements domain.CredentialService.
func (c Credentials) CreateCredential(_ context.Context, caller domain.Caller, n domain.NewCredential) (*domain.Credential, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.called("CreateCredential"); err != nil {
		return nil, err
	}
	before, err := c.once(caller, n.Key)
	if err != nil {
		return nil, err
	}
	made := &domain.Credential{ID: uuid.Must(uuid.NewV7()), Name: n.Name, CreatedAt: c.now}
	if first, ok := before.(*domain.Credential); ok {
		made = first
	}
	c.remember(caller, n.Key, made)
	return made, nil
}

// Credentials implements domain.CredentialService.
func (c Credentials) Credentials(context.Context, domain.Caller) ([]domain.Credential, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return []domain.Credential{}, c.called("Credentials")
}

// Warehouses connect to every database of PostgreSQL, and find one table there.
type Warehouses struct{}

// Takes implements api.Warehouses.
func (Warehouses) Takes(kind domain.DataSourceType) bool { return kind == domain.DataSourcePostgres }

// Check implements api.Warehouses.
func (Warehouses) Check(context.Context, domain.Caller, domain.DataSourceType, domain.Connection) error {
	return nil
}

// Describe implements api.Warehouses.
func (Warehouses) Describe(context.Context, domain.Caller, domain.DataSourceType, domain.Connection) (*domain.SourceDescription, error) {
	return &domain.SourceDescription{Text: "One table.", Resources: []domain.DataResource{{Name: "t", Table: "t"}}}, nil
}

// DescribeSource implements api.Warehouses.
func (w Warehouses) DescribeSource(ctx context.Context, _ *domain.DataSource) (*domain.SourceDescription, error) {
	return w.Describe(ctx, domain.Caller{}, "", domain.Connection{})
}

// Workbench answers every query with the same two rows; Truncated says that they
// are not all.
type Workbench struct{ Truncated bool }

// Query implements api.Workbench.
func (w *Workbench) Query(_ context.Context, sources []domain.DataSource, _ string) (*domain.ResultSet, error) {
	if len(sources) != 1 || sources[0].WorkKey == "" {
		return nil, domain.Errorf(domain.CodeInternal, "no table")
	}
	return &domain.ResultSet{
		Columns: []domain.Column{{Name: "region"}, {Name: "count"}}, Rows: [][]any{{"=North", int64(1)}, {"South", 2.5}}, Truncated: w.Truncated,
	}, nil
}

// Questions offers a question of each data source, and no more than limit.
type Questions struct{}

// Offer implements api.QuestionOffer.
func (Questions) Offer(sources []domain.DataSource, limit int) []domain.OfferedQuestion {
	var out []domain.OfferedQuestion
	for i := range sources[:min(len(sources), limit)] {
		out = append(out, domain.OfferedQuestion{Text: "What is in " + sources[i].Name + "?", DataSourceID: sources[i].ID})
	}
	return out
}
