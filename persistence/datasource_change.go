package persistence

// Changes of a connector. All of them go through changeDataSource: one lock, one check of the
// right, and once for the key of the request. Files that nothing refers to any more are noted in
// the same transaction and removed later (discard.go).

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// changeDataSource locks a data source, checks the caller's right, changes it in the same
// transaction and returns the result.
func (s DataSources) changeDataSource(
	ctx context.Context, caller domain.Caller, id int64, action domain.Action, change func(tx pgx.Tx, d *dbsqlc.DataSourceLockRow) error,
) error {
	return s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		d, err := s.lockDataSource(ctx, tx, caller, id, action)
		if err != nil {
			return err
		}
		return change(tx, d)
	})
}

// lockDataSource locks a data source and checks the caller's right. The row is locked first (doc.go, order of locks); the
// query also returns the caller's rank.
func (s *core) lockDataSource(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, id int64, action domain.Action,
) (*dbsqlc.DataSourceLockRow, error) {
	d, err := s.q.DataSourceLock(ctx, tx, &dbsqlc.DataSourceLockParams{UserID: caller.UserID, ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, domain.NounDataSource.Missing()
	}
	if err != nil {
		return nil, err
	}
	if err := action.Authorize(caller, sourceRelation(d.Rank, d.Scope)); err != nil {
		return nil, err
	}
	return d, nil
}

// UpdateDataSource implements domain.DataSourceService.
func (s DataSources) UpdateDataSource(
	ctx context.Context, caller domain.Caller, id int64, u domain.DataSourceUpdate,
) (*domain.DataSource, error) {
	// A file of the connector is replaced by its owner alone; words are changed also by people with
	// a share for writing.
	action := domain.ChangeDataSource
	if u.File != nil {
		action = domain.ReplaceFile
	}
	err := s.changeDataSource(ctx, caller, id, action, func(tx pgx.Tx, d *dbsqlc.DataSourceLockRow) error {
		// Rights come first: people without them learn nothing about errors in the body.
		if err := u.Validate(); err != nil {
			return err
		}
		// The same scope is not a change: forms send it back.
		if u.Scope != nil && string(*u.Scope) != d.Scope {
			return domain.Invalid("scope", "The scope of a connector cannot be changed")
		}
		if u.File != nil {
			if err := domain.DataSourceType(d.Type).AcceptsFile(); err != nil {
				return err
			}
		}
		// 0 means no version, and then the change is made to what is stored.
		if err := fresh(u.Version, d.Version); err != nil {
			return err
		}
		if u.Name == nil && u.Description == nil && u.ProjectLabels == nil && u.File == nil {
			return nil // nothing changes, not even the version
		}
		p := dbsqlc.DataSourceUpdateParams{
			ID: id, Name: d.Name, Description: d.Description, DescriptionGenerated: d.DescriptionGenerated, ProjectLabels: d.ProjectLabels,
		}
		if u.Name != nil {
			p.Name = *u.Name
		}
		// A description that was generated stays generated until a person writes another one.
		p.Description, p.DescriptionGenerated = u.Described(d.Description, d.DescriptionGenerated)
		if u.ProjectLabels != nil {
			// Never nil, which would be NULL for the database.
			p.ProjectLabels = append([]int64{}, slices.Compact(slices.Sorted(slices.Values(*u.ProjectLabels)))...)
			if err := s.projectLabels().knownLabels(ctx, tx, p.ProjectLabels); err != nil {
				return err
			}
		}
		if err := s.q.DataSourceUpdate(ctx, tx, &p); err != nil {
			return err
		}
		if u.File == nil {
			return nil
		}
		return s.replaceFile(ctx, tx, caller, d, u.File)
	})
	if err != nil {
		return nil, err
	}
	s.wakeMeasurer()
	return s.DataSource(ctx, caller, id)
}

// replaceFile gives a data source another file. The old file is removed later, since a
// running query may still read it.
func (s DataSources) replaceFile(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, d *dbsqlc.DataSourceLockRow, f *domain.DataSourceFile,
) error {
	// Only the growth counts for the quota of the owner; a smaller file gives room back.
	if err := s.files().takeQuota(ctx, tx, caller.OrganisationID, d.OwnerID, f.Size-d.Size); err != nil {
		return err
	}
	// From here on the row owns the new files.
	if err := s.files().takeFiles(ctx, tx, f.FileKey, f.WorkKey); err != nil {
		return err
	}
	err := s.q.DataSourceSetFile(ctx, tx, &dbsqlc.DataSourceSetFileParams{
		ID: d.ID, Type: string(f.Type), FileName: domain.Clean(f.FileName), Delimiter: f.Delimiter, FileKey: f.FileKey, WorkKey: f.WorkKey,
		Size: f.Size,
	})
	if err != nil {
		return err
	}
	if err := s.replaceResources(ctx, tx, caller.OrganisationID, d.ID, f.Resources); err != nil {
		return err
	}
	// The keys are noted now and the bytes removed later, with the other files of discard.go.
	return s.q.DiscardFiles(ctx, tx, &dbsqlc.DiscardFilesParams{OrgID: caller.OrganisationID, Keys: []string{d.FileKey, d.WorkKey}})
}

// ResyncDataSource implements domain.DataSourceService.
func (s DataSources) ResyncDataSource(
	ctx context.Context, caller domain.Caller, id int64, f domain.DataSourceFile,
) (*domain.DataSource, error) {
	err := s.changeDataSource(ctx, caller, id, domain.ChangeDataSource, func(tx pgx.Tx, d *dbsqlc.DataSourceLockRow) error {
		// Another file was uploaded since this one was read, and its tables must not be
		// overwritten.
		if d.FileKey != f.FileKey {
			return domain.Errorf(domain.CodeConflict, "The file was replaced meanwhile.")
		}
		if err := s.files().takeFiles(ctx, tx, f.WorkKey); err != nil {
			return err
		}
		if err := s.q.DataSourceSetWork(ctx, tx, &dbsqlc.DataSourceSetWorkParams{ID: id, WorkKey: f.WorkKey, LeftOut: f.LeftOut}); err != nil {
			return err
		}
		if err := s.replaceResources(ctx, tx, caller.OrganisationID, id, f.Resources); err != nil {
			return err
		}
		if err := s.q.DataSourceTouch(ctx, tx, id); err != nil {
			return err
		}
		// The uploaded file stays; only the database that was made of it is replaced.
		return s.q.DiscardFiles(ctx, tx, &dbsqlc.DiscardFilesParams{OrgID: caller.OrganisationID, Keys: []string{d.WorkKey}})
	})
	if err != nil {
		return nil, err
	}
	s.wakeMeasurer()
	return s.DataSource(ctx, caller, id)
}

// replaceResources replaces the tables of a data source. A table keeps its row and its
// dictionary if a new table has the same name, or if there is only one table before and
// after.
func (s DataSources) replaceResources(ctx context.Context, tx pgx.Tx, organisation, source int64, tables []domain.DataResource) error {
	before, err := s.q.DataResourceList(ctx, tx, []int64{source})
	if err != nil {
		return err
	}
	// A file with one table keeps its dictionary under another name of the table, such as that of a
	// sheet.
	single := len(before) == 1 && len(tables) == 1
	var added []domain.DataResource
	kept := []int64{}
	updates := []*dbsqlc.DataResourceUpdateParams{}
	for i := range tables {
		t := &tables[i]
		at := slices.IndexFunc(before, func(r *dbsqlc.DataResourceShown) bool { return r.TableName == t.Table })
		if single {
			at = 0
		}
		if at < 0 {
			added = append(added, *t)
			continue
		}
		p, err := rereadTable(before[at], t)
		if err != nil {
			return err
		}
		updates, kept = append(updates, p), append(kept, p.ID)
	}
	// Deleted first, so that new tables may have the old names.
	if err := s.q.DataResourceDelete(ctx, tx, &dbsqlc.DataResourceDeleteParams{DataSourceID: source, Kept: kept}); err != nil {
		return err
	}
	for _, p := range updates {
		if err := s.q.DataResourceUpdate(ctx, tx, p); err != nil {
			return err
		}
	}
	return s.insertResources(ctx, tx, organisation, source, added)
}

// rereadTable is the update of a table that was read again. What people wrote about its columns stays.
// Descriptions of columns are found by their names.
func rereadTable(before *dbsqlc.DataResourceShown, t *domain.DataResource) (*dbsqlc.DataResourceUpdateParams, error) {
	old, err := resourceOf(before)
	if err != nil {
		return nil, err
	}
	words := make(map[string]string, len(old.Columns))
	for _, c := range old.Columns {
		words[c.Name] = c.Description
	}
	columns := slices.Clone(t.Columns)
	for i := range columns {
		if word := words[columns[i].Name]; word != "" {
			columns[i].Description = word
		}
	}
	stored, err := columnsJSON(columns)
	if err != nil {
		return nil, err
	}
	declared, err := declaredJSON(&t.Declared)
	if err != nil {
		return nil, err
	}
	return &dbsqlc.DataResourceUpdateParams{
		ID: before.ID, Name: domain.Clean(t.Name), TableName: t.Table, Description: domain.Clean(t.Description), Columns: stored,
		RowCount: t.Rows, Preview: domain.Clean(t.Preview), Declared: declared,
	}, nil
}

// DeleteDataSource implements domain.DataSourceService.
func (s DataSources) DeleteDataSource(ctx context.Context, caller domain.Caller, id int64) error {
	return s.changeDataSource(ctx, caller, id, domain.DeleteDataSource, func(tx pgx.Tx, d *dbsqlc.DataSourceLockRow) error {
		// Otherwise the next seeding would make the sample again.
		if d.Seed != nil {
			if err := s.q.DeletedSampleInsert(ctx, tx, &dbsqlc.DeletedSampleInsertParams{OrgID: caller.OrganisationID, Seed: *d.Seed}); err != nil {
				return err
			}
		}
		if err := s.q.DiscardFiles(ctx, tx, &dbsqlc.DiscardFilesParams{
			OrgID: caller.OrganisationID,
			Keys:  []string{d.FileKey, d.WorkKey},
		}); err != nil {
			return err
		}
		return s.q.DataSourceDelete(ctx, tx, id)
	})
}

// SetDataSourceArchived implements domain.DataSourceService.
func (s DataSources) SetDataSourceArchived(ctx context.Context, caller domain.Caller, id int64, archived bool) (*domain.DataSource, error) {
	err := s.changeDataSource(ctx, caller, id, domain.ArchiveDataSource, func(tx pgx.Tx, d *dbsqlc.DataSourceLockRow) error {
		if archived {
			// Only some kinds can be archived; every kind can be brought back.
			kind := domain.DataSource{Type: domain.DataSourceType(d.Type)}
			if err := kind.CanArchive(); err != nil {
				return err
			}
		}
		return s.q.DataSourceSetArchived(ctx, tx, &dbsqlc.DataSourceSetArchivedParams{ID: id, IsArchived: archived})
	})
	if err != nil {
		return nil, err
	}
	return s.DataSource(ctx, caller, id)
}

// SetDataSourceFavorite implements domain.DataSourceService.
func (s DataSources) SetDataSourceFavorite(ctx context.Context, caller domain.Caller, id int64, on bool) error {
	return s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		if err := s.authorize(ctx, tx, caller, domain.UseDataSource, domain.Key{Number: id}); err != nil {
			return err
		}
		return s.q.DataSourceSetFavorite(ctx, tx, &dbsqlc.DataSourceSetFavoriteParams{
			UserID: caller.UserID, DataSourceID: id, OrgID: caller.OrganisationID, IsFavorite: on,
		})
	})
}

// SetDictionary implements domain.DataSourceService.
func (s DataSources) SetDictionary(
	ctx context.Context, caller domain.Caller, source, resource int64, details string,
) (*domain.DataSource, error) {
	// The table names its connector. The lock below checks that it still does.
	if source == 0 {
		var err error
		if source, err = s.sourceOfTable(ctx, caller, resource); err != nil {
			return nil, err
		}
	}
	err := s.changeDataSource(ctx, caller, source, domain.ChangeDataSource, func(tx pgx.Tx, _ *dbsqlc.DataSourceLockRow) error {
		if err := domain.ValidateDictionary(details); err != nil {
			return err
		}
		n, err := s.q.DataResourceSetDetails(ctx, tx, &dbsqlc.DataResourceSetDetailsParams{ID: resource, DataSourceID: source, Details: details})
		if err != nil {
			return err
		}
		// The table is of another connector, or was deleted meanwhile.
		if n == 0 {
			return domain.NounTable.Missing()
		}
		return s.q.DataSourceTouch(ctx, tx, source)
	})
	if err != nil {
		return nil, err
	}
	return s.DataSource(ctx, caller, source)
}

// sourceOfTable finds the data source of a table that the caller may see.
func (s DataSources) sourceOfTable(ctx context.Context, caller domain.Caller, table int64) (int64, error) {
	var source *int64
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.DataResourceSource(&dbsqlc.DataResourceSourceParams{ID: table, UserID: caller.UserID}, &source)
	})
	if err == nil && source == nil {
		err = domain.NounTable.Missing()
	}
	return pointer.Value(source), err
}
