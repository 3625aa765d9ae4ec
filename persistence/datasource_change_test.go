package persistence_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// sourceWorld is a data source of Ben with one table.
type sourceWorld struct {
	persistence.DataSources
	store                  *persistence.Store
	url                    string
	anna, ben, cleo, doris domain.Caller
	source                 *domain.DataSource
}

func setupSource(t *testing.T) *sourceWorld {
	t.Helper()
	w := &sourceWorld{}
	w.store, w.url = openURL(t)
	w.DataSources = w.store.DataSources
	for email, into := range map[string]*domain.Caller{
		persistencetest.Anna: &w.anna, persistencetest.Ben: &w.ben, persistencetest.Cleo: &w.cleo, persistencetest.Doris: &w.doris,
	} {
		*into = persistencetest.Caller(t, w.store, email)
	}
	w.source = w.create(t, "Mine", "one")
	return w
}

func (w *sourceWorld) create(t *testing.T, name, key string) *domain.DataSource {
	t.Helper()
	d, err := createSource(t, w.store, w.ben, domain.NewDataSource{
		Name: name, Description: "About " + name, Type: domain.DataSourceCSV, FileName: name + ".csv", FileKey: "f/" + key, WorkKey: "w/" + key,
		Size: 7,
		Resources: []domain.DataResource{{
			Name: "Orders", Table: "orders", Rows: 3, Preview: "a\n1\n", Details: "dictionary",
			Columns: []domain.Column{{Name: "a", Type: domain.ColumnInteger, Distinct: 3, Description: "the first"}},
		}},
	})
	require.NoError(t, err)
	return d
}

func (w *sourceWorld) share(t *testing.T, entries ...domain.Grant) []domain.Grant {
	t.Helper()
	all, err := w.SetDataSourceGrants(t.Context(), w.ben, w.source.ID, entries)
	require.NoError(t, err)
	return all
}

func user(c domain.Caller, p domain.Permission) domain.Grant {
	return domain.Grant{Grantee: domain.Grantee{ID: c.UserID, Type: domain.GranteeUser}, Permission: p}
}

func TestStore_UpdateDataSource(t *testing.T) {
	t.Parallel()
	w := setupSource(t)
	ctx := t.Context()
	t.Run("OK", func(t *testing.T) {
		d, err := w.UpdateDataSource(ctx, w.ben, w.source.ID, domain.DataSourceUpdate{
			Name: ptr("Renamed"), ProjectLabels: &[]int64{}, Scope: ptr(domain.ScopeUser), Version: w.source.Version,
		})
		require.NoError(t, err)
		require.Equal(t, "Renamed", d.Name)
		require.Equal(t, "About Mine", d.Description)
		require.Equal(t, w.source.Version+1, d.Version)
		require.Equal(t, "dictionary", d.Resources[0].Details)
	})
	t.Run("ErrConflictD12", func(t *testing.T) {
		_, err := w.UpdateDataSource(ctx, w.ben, w.source.ID, domain.DataSourceUpdate{Name: ptr("Lost"), Version: w.source.Version})
		requireCode(t, domain.CodeConflict, err)
		d, err := w.DataSource(ctx, w.ben, w.source.ID)
		require.NoError(t, err)
		require.Equal(t, "Renamed", d.Name)
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		_, err := w.UpdateDataSource(ctx, w.ben, w.source.ID, domain.DataSourceUpdate{Name: ptr(" "), Description: ptr("")})
		var known *domain.Error
		require.ErrorAs(t, err, &known)
		require.Equal(t, []domain.FieldError{
			{Field: "name", Message: "Please enter a valid name"},
			{Field: "description", Message: "Please enter a valid description"},
		}, known.Fields)
		_, err = w.UpdateDataSource(ctx, w.ben, w.source.ID, domain.DataSourceUpdate{Scope: ptr(domain.ScopeOrganisation)})
		requireCode(t, domain.CodeInvalid, err)
	})
	t.Run("ErrNotFound", func(t *testing.T) {
		for _, c := range []domain.Caller{w.cleo, w.anna, w.doris} {
			_, err := w.UpdateDataSource(ctx, c, w.source.ID, domain.DataSourceUpdate{Name: ptr(" ")})
			requireCode(t, domain.CodeNotFound, err)
		}
	})
	t.Run("ErrForbidden", func(t *testing.T) {
		w.share(t, user(w.cleo, domain.PermissionRead))
		_, err := w.UpdateDataSource(ctx, w.cleo, w.source.ID, domain.DataSourceUpdate{Name: ptr("x")})
		requireCode(t, domain.CodeForbidden, err)
		w.share(t, user(w.cleo, domain.PermissionWrite))
		_, err = w.UpdateDataSource(ctx, w.cleo, w.source.ID, domain.DataSourceUpdate{Name: ptr("By Cleo")})
		require.NoError(t, err)
		_, err = w.UpdateDataSource(ctx, w.cleo, w.source.ID, domain.DataSourceUpdate{File: &domain.DataSourceFile{}})
		requireCode(t, domain.CodeForbidden, err)
	})
}

// A generated description follows the file until a person edits it.
func TestStore_DescriptionGenerated(t *testing.T) {
	t.Parallel()
	w := setupSource(t)
	d, err := createSource(t, w.store, w.ben, domain.NewDataSource{
		Name: "Made", Description: "3 rows", DescriptionGenerated: true, Type: domain.DataSourceCSV, FileName: "a.csv", FileKey: "f/a",
		WorkKey: "w/a", Size: 7,
	})
	require.NoError(t, err)
	noteFiles(t, w.store, w.ben, "f/b", "w/b", "f/c", "w/c", "f/d", "w/d")
	replace := func(id int64, key, description string) string {
		t.Helper()
		d, err := w.UpdateDataSource(t.Context(), w.ben, id, domain.DataSourceUpdate{File: &domain.DataSourceFile{
			Type: domain.DataSourceCSV, FileName: key + ".csv", FileKey: "f/" + key, WorkKey: "w/" + key, Size: 7, Description: description,
		}})
		require.NoError(t, err)
		return d.Description
	}
	require.True(t, d.DescriptionGenerated)
	require.Equal(t, "4 rows", replace(d.ID, "b", "4 rows"))
	_, err = w.UpdateDataSource(t.Context(), w.ben, d.ID, domain.DataSourceUpdate{Name: ptr("Renamed"), Description: ptr("4 rows")})
	require.NoError(t, err)
	require.Equal(t, "5 rows", replace(d.ID, "c", "5 rows"), "a description that was sent back unchanged was not edited")
	_, err = w.UpdateDataSource(t.Context(), w.ben, d.ID, domain.DataSourceUpdate{Description: ptr("Orders of the shop")})
	require.NoError(t, err)
	require.Equal(t, "Orders of the shop", replace(d.ID, "d", "6 rows"))
	marks := func(id int64) bool {
		t.Helper()
		read, err := w.Readable(t.Context(), w.ben.OrganisationID, w.ben.UserID, []int64{id})
		require.NoError(t, err)
		return read[0].DescriptionGenerated
	}
	require.False(t, marks(d.ID))

	noteFiles(t, w.store, w.ben, "f/e", "w/e")
	require.Equal(t, "About Mine", replace(w.source.ID, "e", "7 rows"))
}

func TestStore_ReplaceFile(t *testing.T) {
	t.Parallel()
	w := setupSource(t)
	ctx := t.Context()
	before := w.source.Resources[0]
	file := domain.DataSourceFile{
		Type: domain.DataSourceXLSX, FileName: "new.xlsx", FileKey: "f/two", WorkKey: "w/two", Size: 9,
		Resources: []domain.DataResource{{Name: "New", Table: "renamed", Rows: 5, Columns: []domain.Column{{Name: "a"}, {Name: "b"}}}},
	}
	_, err := w.UpdateDataSource(ctx, w.ben, w.source.ID, domain.DataSourceUpdate{File: &file})
	requireCode(t, domain.CodeConflict, err)
	require.ErrorContains(t, err, "took too long", "its files may be gone")
	noteFiles(t, w.store, w.ben, "f/two", "w/two", "f/three", "w/three", "w/four")
	d, err := w.UpdateDataSource(ctx, w.ben, w.source.ID, domain.DataSourceUpdate{File: &file})
	require.NoError(t, err)
	require.Equal(t, domain.DataSourceXLSX, d.Type)
	require.Equal(t, []string{"f/two", "w/two", "new.xlsx"}, []string{d.FileKey, d.WorkKey, d.FileName})
	require.Len(t, d.Resources, 1)
	after := d.Resources[0]
	require.Equal(t, before.ID, after.ID, "the only table keeps its row")
	require.Equal(t, []string{"renamed", "dictionary", "the first", ""}, []string{
		after.Table, after.Details, after.Columns[0].Description,
		after.Columns[1].Description,
	})

	file.FileKey, file.WorkKey = "f/three", "w/three"
	file.Resources = []domain.DataResource{{Name: "Other", Table: "other"}, {Name: "Again", Table: "renamed", Rows: 6}}
	d, err = w.UpdateDataSource(ctx, w.ben, w.source.ID, domain.DataSourceUpdate{File: &file})
	require.NoError(t, err)
	require.Len(t, d.Resources, 2)
	require.Equal(t, after.ID, d.Resources[0].ID)
	require.Equal(t, int64(6), d.Resources[0].Rows)
	require.Equal(t, "other", d.Resources[1].Table)

	t.Run("Resync", func(t *testing.T) {
		file := domain.DataSourceFile{
			FileKey: "f/three", WorkKey: "w/four",
			Resources: []domain.DataResource{{Name: "Again", Table: "renamed", Rows: 7}},
		}
		_, err := w.ResyncDataSource(ctx, w.cleo, w.source.ID, file)
		requireCode(t, domain.CodeNotFound, err)
		d, err := w.ResyncDataSource(ctx, w.ben, w.source.ID, file)
		require.NoError(t, err)
		require.Equal(t, []string{"f/three", "w/four"}, []string{d.FileKey, d.WorkKey})
		require.Len(t, d.Resources, 1)
		require.Equal(t, after.ID, d.Resources[0].ID)
		require.Equal(t, "dictionary", d.Resources[0].Details)
		file.FileKey = "f/two"
		_, err = w.ResyncDataSource(ctx, w.ben, w.source.ID, file)
		requireCode(t, domain.CodeConflict, err)
	})
	t.Run("OldFilesGoLater", func(t *testing.T) {
		c := persistencetest.Connect(t, w.url, "parley_engine")
		require.Equal(t, 5, count(t, c, "SELECT count(*) FROM discarded_file WHERE key IN ('f/one','w/one','f/two','w/two','w/three')"))
		files := newKeys("f/one", "w/one", "f/two", "w/two", "w/three", "f/three", "w/four")
		n, err := w.store.Files.PruneFiles(ctx, files)
		require.NoError(t, err)
		require.Zero(t, n, "a query may still be about to open them")
		// A second data source with one of the files prevents its removal.
		w.create(t, "Twin", "one")
		_, err = c.Exec(ctx, "UPDATE discarded_file SET at = at - interval '2 hours'")
		require.NoError(t, err)
		n, err = w.store.Files.PruneFiles(ctx, files)
		require.NoError(t, err)
		require.Equal(t, 3, n)
		require.ElementsMatch(t, []string{"f/one", "w/one", "f/three", "w/four"}, files.left())
	})
}

func TestStore_DeleteDataSource(t *testing.T) {
	t.Parallel()
	w := setupSource(t)
	ctx := t.Context()
	w.share(t, user(w.cleo, domain.PermissionWrite))
	require.NoError(t, w.SetDataSourceFavorite(ctx, w.cleo, w.source.ID, true))
	t.Run("ErrForbidden", func(t *testing.T) {
		requireCode(t, domain.CodeForbidden, w.DeleteDataSource(ctx, w.cleo, w.source.ID))
		requireCode(t, domain.CodeNotFound, w.DeleteDataSource(ctx, w.doris, w.source.ID))
	})
	t.Run("OK", func(t *testing.T) {
		require.True(t, domain.DeleteDataSource.May(w.ben, w.source.Relation(w.ben)))
		require.NoError(t, w.DeleteDataSource(ctx, w.ben, w.source.ID))
		_, err := w.DataSource(ctx, w.ben, w.source.ID)
		requireCode(t, domain.CodeNotFound, err)
		requireCode(t, domain.CodeNotFound, w.DeleteDataSource(ctx, w.ben, w.source.ID))
		left, err := w.Readable(ctx, w.ben.OrganisationID, w.ben.UserID, []int64{w.source.ID})
		require.NoError(t, err)
		require.Empty(t, left)
		c := persistencetest.Connect(t, w.url, "parley_engine")
		require.Zero(t, count(t, c, fmt.Sprintf("SELECT count(*) FROM data_resource WHERE data_source_id = %d", w.source.ID)))
		require.Equal(t, 2, count(t, c, "SELECT count(*) FROM discarded_file"))
	})
	t.Run("WholeOrganisation", func(t *testing.T) {
		list, err := w.DataSources.DataSources(ctx, w.anna, domain.DataSourceFilter{Scopes: []string{"organization"}})
		require.NoError(t, err)
		require.True(t, domain.DeleteDataSource.May(w.anna, list.Results[0].Relation(w.anna)), "its owner is a superuser")
		plain := w.anna
		plain.IsSuperuser = false
		sample, err := w.DataSource(ctx, plain, list.Results[0].ID)
		require.NoError(t, err)
		require.False(t, domain.DeleteDataSource.May(plain, sample.Relation(plain)))
		requireCode(t, domain.CodeForbidden, w.DeleteDataSource(ctx, plain, sample.ID))
		requireCode(t, domain.CodeForbidden, w.DeleteDataSource(ctx, w.ben, sample.ID))
		require.NoError(t, w.DeleteDataSource(ctx, w.anna, sample.ID))
		// G12: seeding does not create it again.
		has, err := w.store.Samples.HasSample(ctx, "Acme", "orders")
		require.NoError(t, err)
		require.True(t, has)
		require.NoError(t, w.store.Samples.Seed(ctx, persistencetest.World()))
		list, err = w.DataSources.DataSources(ctx, w.anna, domain.DataSourceFilter{})
		require.NoError(t, err)
		require.Empty(t, list.Results)
	})
}

func TestStore_SetDataSourceArchived(t *testing.T) {
	t.Parallel()
	w := setupSource(t)
	ctx := t.Context()
	w.share(t, user(w.cleo, domain.PermissionWrite))
	_, err := w.SetDataSourceArchived(ctx, w.cleo, w.source.ID, true)
	requireCode(t, domain.CodeForbidden, err)
	_, err = w.SetDataSourceArchived(ctx, w.doris, w.source.ID, true)
	requireCode(t, domain.CodeNotFound, err)
	d, err := w.SetDataSourceArchived(ctx, w.ben, w.source.ID, true)
	require.NoError(t, err)
	require.True(t, d.IsArchived)
	for archived, want := range map[bool]int{true: 1, false: 1} { // the sample is active
		list, err := w.DataSources.DataSources(ctx, w.cleo, domain.DataSourceFilter{Archived: archived})
		require.NoError(t, err)
		require.Len(t, list.Results, want)
		require.Equal(t, archived, list.Results[0].ID == w.source.ID)
	}
	d, err = w.SetDataSourceArchived(ctx, w.ben, w.source.ID, false)
	require.NoError(t, err)
	require.False(t, d.IsArchived)
	for _, kind := range []domain.DataSourceType{
		domain.DataSourceAthena, domain.DataSourceGoogleSlides, domain.DataSourceHabu,
		domain.DataSourceNotebook, domain.DataSourcePPTX,
	} {
		_, err := persistencetest.Connect(t, w.url, "parley_engine").Exec(ctx, "UPDATE data_source SET type = $2 WHERE id = $1", w.source.ID,
			string(kind))
		require.NoError(t, err)
		_, err = w.SetDataSourceArchived(ctx, w.ben, w.source.ID, true)
		requireCode(t, domain.CodeInvalid, err)
		require.ErrorContains(t, err, kind.Label())
		_, err = w.SetDataSourceArchived(ctx, w.ben, w.source.ID, false)
		require.NoError(t, err)
	}
}

func TestStore_SetDataSourceFavorite(t *testing.T) {
	t.Parallel()
	w := setupSource(t)
	ctx := t.Context()
	requireCode(t, domain.CodeNotFound, w.SetDataSourceFavorite(ctx, w.cleo, w.source.ID, true))
	w.share(t, user(w.cleo, domain.PermissionRead))
	require.NoError(t, w.SetDataSourceFavorite(ctx, w.cleo, w.source.ID, true))
	for _, row := range []struct {
		caller domain.Caller
		want   int
	}{{w.cleo, 1}, {w.ben, 0}} {
		list, err := w.DataSources.DataSources(ctx, row.caller, domain.DataSourceFilter{Scopes: []string{"favorite"}})
		require.NoError(t, err)
		require.Len(t, list.Results, row.want, "it is the person's own")
	}
	require.NoError(t, w.SetDataSourceFavorite(ctx, w.cleo, w.source.ID, false))
	list, err := w.DataSources.DataSources(ctx, w.cleo, domain.DataSourceFilter{Scopes: []string{"favorite"}})
	require.NoError(t, err)
	require.Empty(t, list.Results)
}

func TestStore_SetDictionary(t *testing.T) {
	t.Parallel()
	w := setupSource(t)
	ctx := t.Context()
	table := w.source.Resources[0].ID
	d, err := w.SetDictionary(ctx, w.ben, 0, table, "a: the number")
	require.NoError(t, err)
	require.Equal(t, "a: the number", d.Resources[0].Details)
	d, err = w.SetDictionary(ctx, w.ben, w.source.ID, table, "")
	require.NoError(t, err)
	require.Empty(t, d.Resources[0].Details)
	// B04: a table of another data source is not found.
	other := w.create(t, "Other", "other")
	_, err = w.SetDictionary(ctx, w.ben, w.source.ID, other.Resources[0].ID, "x")
	requireCode(t, domain.CodeNotFound, err)
	for _, source := range []int64{0, w.source.ID} {
		for _, c := range []domain.Caller{w.cleo, w.doris} {
			_, err = w.SetDictionary(ctx, c, source, table, "x")
			requireCode(t, domain.CodeNotFound, err)
		}
	}
	w.share(t, user(w.cleo, domain.PermissionRead))
	_, err = w.SetDictionary(ctx, w.cleo, 0, table, "x")
	requireCode(t, domain.CodeForbidden, err)
}

func TestStore_SetDataSourceGrants(t *testing.T) {
	t.Parallel()
	w := setupSource(t)
	ctx := t.Context()
	var team int64
	require.NoError(t, persistencetest.Connect(t, w.url, "parley_engine").QueryRow(ctx,
		"SELECT id FROM team WHERE name = 'Sales'").Scan(&team))
	sales := domain.Grant{Grantee: domain.Grantee{ID: team, Type: domain.GranteeTeam}, Permission: domain.PermissionRead}
	can := func(c domain.Caller) domain.Permission {
		t.Helper()
		d, err := w.DataSource(ctx, c, w.source.ID)
		if domain.CodeOf(err) == domain.CodeNotFound {
			return domain.PermissionNone
		}
		require.NoError(t, err)
		return d.Permission
	}
	t.Run("OK", func(t *testing.T) {
		all := w.share(t, user(w.cleo, domain.PermissionWrite), sales)
		require.Len(t, all, 3)
		require.Equal(t, domain.PermissionOwner, all[0].Permission)
		require.Equal(t, "Ben Bond", all[0].Grantee.Name)
		require.Equal(t, []domain.Permission{domain.PermissionWrite, domain.PermissionRead, domain.PermissionOwner},
			[]domain.Permission{can(w.cleo), can(w.anna), can(w.ben)})
		require.Len(t, w.share(t, user(w.cleo, domain.PermissionRead)), 3)
		require.Equal(t, domain.PermissionRead, can(w.cleo))
		seen, err := w.DataSourceGrants(ctx, w.cleo, w.source.ID)
		require.NoError(t, err)
		require.Len(t, seen, 3)
	})
	t.Run("Remove", func(t *testing.T) {
		gone := sales
		gone.Permission = domain.PermissionRemove
		require.Len(t, w.share(t, user(w.cleo, domain.PermissionRemove), gone), 1)
		require.Equal(t, []domain.Permission{"", ""}, []domain.Permission{can(w.cleo), can(w.anna)})
		require.Len(t, w.share(t, user(w.cleo, domain.PermissionRemove)), 1, "removing a grant that does not exist changes nothing")
		list, err := w.DataSources.DataSources(ctx, w.cleo, domain.DataSourceFilter{Scopes: []string{"shared"}})
		require.NoError(t, err)
		require.Empty(t, list.Results)
	})
	t.Run("ErrInvalidB06", func(t *testing.T) {
		strange := sales
		strange.Grantee.ID = 1 << 40
		organisation := domain.Grant{
			Grantee:    domain.Grantee{ID: w.ben.OrganisationID, Type: domain.GranteeOrganisation},
			Permission: domain.PermissionRead,
		}
		for field, bad := range map[string]domain.Grant{"teams": strange, "organizations": organisation} {
			_, err := w.SetDataSourceGrants(ctx, w.ben, w.source.ID, []domain.Grant{user(w.cleo, domain.PermissionRead), bad})
			requireField(t, field, err)
		}
		for _, bad := range []domain.Grant{
			user(w.ben, domain.PermissionRead), user(w.ben, domain.PermissionRemove), user(w.doris, domain.PermissionRead),
			user(w.doris, domain.PermissionRemove),
			user(domain.Caller{UserID: 1 << 40}, domain.PermissionRead), user(w.cleo, domain.PermissionOwner),
		} {
			_, err := w.SetDataSourceGrants(ctx, w.ben, w.source.ID, []domain.Grant{user(w.anna, domain.PermissionRead), bad})
			requireField(t, "users", err)
		}
		require.Equal(t, []domain.Permission{"", ""}, []domain.Permission{can(w.cleo), can(w.anna)}, "an invalid list changes nothing")
	})
	t.Run("ErrForbidden", func(t *testing.T) {
		w.share(t, user(w.cleo, domain.PermissionWrite))
		_, err := w.SetDataSourceGrants(ctx, w.cleo, w.source.ID, []domain.Grant{user(w.anna, domain.PermissionRead)})
		requireCode(t, domain.CodeForbidden, err)
		for _, c := range []domain.Caller{w.anna, w.doris} {
			_, err := w.SetDataSourceGrants(ctx, c, w.source.ID, []domain.Grant{user(w.cleo, domain.PermissionRemove)})
			requireCode(t, domain.CodeNotFound, err)
			_, err = w.DataSourceGrants(ctx, c, w.source.ID)
			requireCode(t, domain.CodeNotFound, err)
		}
	})
}

func requireField(t *testing.T, field string, err error) {
	t.Helper()
	var known *domain.Error
	require.ErrorAs(t, err, &known)
	require.Equal(t, domain.CodeInvalid, known.Code)
	require.Equal(t, field, known.Fields[0].Field)
}

func TestStore_DataSourceList(t *testing.T) {
	t.Parallel()
	w := setupSource(t)
	ctx := t.Context()
	second := w.create(t, "Second", "second")
	_, err := w.UpdateDataSource(ctx, w.ben, second.ID, domain.DataSourceUpdate{Description: ptr("is not mine")})
	require.NoError(t, err)
	names := func(f domain.DataSourceFilter) []string {
		t.Helper()
		list, err := w.DataSources.DataSources(ctx, w.ben, f)
		require.NoError(t, err)
		out := []string{}
		for _, d := range list.Results {
			out = append(out, d.Name)
		}
		require.Len(t, out, list.Count)
		return out
	}
	t.Run("NameMatchesFirst", func(t *testing.T) {
		require.Equal(t, []string{"Mine", "Second"}, names(domain.DataSourceFilter{Search: "mine"}))
	})
	t.Run("Conditions", func(t *testing.T) {
		parse := func(raw ...string) domain.Filters {
			t.Helper()
			f, err := domain.ParseFilters(raw, domain.DataSourceFields())
			require.NoError(t, err)
			return f
		}
		for raw, want := range map[string][]string{
			"name:eq:Mine": {"Mine"}, "name:contains:SEC": {"Second"}, "scope:eq:organization": {"Orders"},
			"type:in:csv,xlsx": {"Second", "Mine", "Orders"},
			"size:gt:7":        {"Orders"}, "size:lt:8": {"Second", "Mine"}, "hasFile:eq:false": {},
			"isFavorite:eq:false": {"Second", "Mine", "Orders"},
			"projectLabels:eq:1":  {}, "createdAt:gt:2100-01-01": {}, "updatedAt:lt:2100-01-01": {"Second", "Mine", "Orders"},
			"fileName:eq:Mine.csv": {"Mine"},
		} {
			require.ElementsMatch(t, want, names(domain.DataSourceFilter{Conditions: parse(raw)}), raw)
		}
		require.Equal(t, []string{"Mine"}, names(domain.DataSourceFilter{Conditions: parse("size:eq:7", "name:neq:Second")}))
	})
	t.Run("WithoutStatistics", func(t *testing.T) {
		for nested, want := range map[bool]struct {
			columns int
			preview string
		}{false: {}, true: {1, "a\n1\n"}} {
			list, err := w.DataSources.DataSources(ctx, w.ben, domain.DataSourceFilter{Nested: nested, Search: "Mine"})
			require.NoError(t, err)
			table := list.Results[0].Resources[0]
			require.Equal(t, "Orders", table.Name)
			require.Len(t, table.Columns, want.columns)
			require.Equal(t, want.preview, table.Preview)
			for _, c := range table.Columns {
				require.Equal(t, domain.Column{Name: "a", Type: domain.ColumnInteger, Description: "the first"}, c)
			}
		}
	})
	t.Run("Recent", func(t *testing.T) {
		require.Empty(t, names(domain.DataSourceFilter{Scopes: []string{"recent"}}))
		_, err := w.store.Conversations.CreateConversation(ctx, w.ben, domain.NewConversation{Name: "Talk", DataSources: []int64{w.source.ID}})
		require.NoError(t, err)
		list, err := w.DataSources.DataSources(ctx, w.ben, domain.DataSourceFilter{Scopes: []string{"recent"}})
		require.NoError(t, err)
		require.Equal(t, w.source.ID, list.Results[0].ID)
		used := list.Results[0].LastUsedAt
		require.False(t, used.IsZero())
		// A source stays recent although many conversations are newer, and a read of it alone agrees
		// with the list.
		for range 60 {
			_, err = w.store.Conversations.CreateConversation(ctx, w.ben, domain.NewConversation{Name: "Newer"})
			require.NoError(t, err)
		}
		list, err = w.DataSources.DataSources(ctx, w.ben, domain.DataSourceFilter{Scopes: []string{"recent"}})
		require.NoError(t, err)
		require.Len(t, list.Results, 1)
		single, err := w.DataSource(ctx, w.ben, w.source.ID)
		require.NoError(t, err)
		require.Equal(t, used, single.LastUsedAt)
		list, err = w.DataSources.DataSources(ctx, w.cleo, domain.DataSourceFilter{Scopes: []string{"recent"}})
		require.NoError(t, err)
		require.Empty(t, list.Results)
	})
}

// keys is a file store that only deletes.
type keys struct {
	domain.FileStore
	has map[string]bool
}

func newKeys(names ...string) *keys {
	k := &keys{has: map[string]bool{}}
	for _, name := range names {
		k.has[name] = true
	}
	return k
}

// Delete implements domain.FileStore.
func (k *keys) Delete(_ context.Context, key string) error {
	delete(k.has, key)
	return nil
}

func (k *keys) left() []string { return slices.Collect(maps.Keys(k.has)) }
