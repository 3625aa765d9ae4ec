package domain_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestDataSourceTypes(t *testing.T) {
	t.Parallel()
	types := domain.DataSourceTypes()
	require.True(t, slices.IsSorted(types))
	require.Len(t, slices.Compact(slices.Clone(types)), len(types), "no kind has two rows")
	extensions, media := map[string]domain.DataSourceType{}, map[string]domain.DataSourceType{}
	for _, name := range types {
		kind := name.Kind()
		require.Equal(t, name, kind.Type)
		require.NotEqual(t, string(name), kind.Label, "the label is a name for people")
		require.Equal(t, kind.IsFile, len(kind.Extensions) > 0, name)
		require.NotEqual(t, string(kind.Dialect), kind.Dialect.Label(), "%s: the label of its SQL is a name for people", name)
		require.Equal(t, kind.Dialect.OfFiles(), kind.Dialect.Hint() == "", "%s: a model is told how its SQL differs", name)
		require.False(t, kind.IsFile && kind.Dialect != domain.DialectDuckDB, name)
		for _, e := range slices.Concat(kind.Extensions, kind.AlsoExtensions) {
			require.NotContains(t, extensions, e)
			extensions[e] = name
			found, ok := domain.KindOfExtension(e)
			require.True(t, ok)
			require.Equal(t, name, found)
		}
		for _, m := range slices.Concat(kind.MediaTypes, kind.AlsoMediaTypes) {
			require.NotContains(t, media, m)
			media[m] = name
			found, ok := domain.KindOfMediaType(m)
			require.True(t, ok)
			require.Equal(t, name, found)
		}
	}
	// The specification names the kinds that are neither archived nor downloaded.
	for _, name := range types {
		excluded := slices.Contains([]domain.DataSourceType{"athena", "google_slides", "habu", "notebook", "pptx"}, name)
		require.Equal(t, !excluded, name.Kind().CanArchive, name)
		require.Equal(t, !excluded, name.Kind().CanDownload, name)
	}
	_, ok := domain.KindOfExtension("exe")
	require.False(t, ok)
	require.Equal(t, "future_kind", domain.DataSourceType("future_kind").Label())
	require.Equal(t, "postgresql", domain.DataSourcePostgres.Kind().System, "the name that OpenTelemetry uses")
}

func TestDataSourceKind_CheckParams(t *testing.T) {
	t.Parallel()
	kind := domain.DataSourcePostgres.Kind()
	given := domain.DataSourceParams{"host": " db.example ", "database": "sales", "user": "reader"}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		got, err := kind.CheckParams(given)
		require.NoError(t, err)
		require.Equal(t, domain.DataSourceParams{
			"host": "db.example", "port": "5432", "database": "sales", "user": "reader", "schemas": "public", "tls": "verify",
		}, got)
		again, err := kind.CheckParams(got)
		require.NoError(t, err)
		require.Equal(t, got, again)
	})
	t.Run("ErrEveryField", func(t *testing.T) {
		t.Parallel()
		_, err := kind.CheckParams(domain.DataSourceParams{
			"port": "0x10", "tls": "disable", "user": "a\x00b", "database": "a\nb", "sslmode": "x", "password": "p",
		})
		var e *domain.Error
		require.ErrorAs(t, err, &e)
		var fields []string
		for _, f := range e.Fields {
			fields = append(fields, f.Field)
		}
		require.Equal(t, []string{
			"params.host", "params.port", "params.database", "params.user", "params.tls", "params.password", "params.sslmode",
		}, fields)
	})
	t.Run("ErrKindIsAFile", func(t *testing.T) {
		t.Parallel()
		csv := domain.DataSourceCSV.Kind()
		_, err := csv.CheckParams(given)
		require.Error(t, err)
		require.Error(t, csv.CheckSecret("x"))
		require.NoError(t, csv.CheckSecret(""))
	})
	t.Run("Secret", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, kind.CheckSecret("x"))
		require.Error(t, kind.CheckSecret(""))
		require.Error(t, kind.CheckSecret(string(make([]byte, domain.CredentialMax+1))))
	})
}
