package persistence_test

import (
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// openQuota returns two stores, as of two nodes, with a quota in MB.
func openQuota(t *testing.T, person, organisation int64) (one, two *persistence.Store) {
	t.Helper()
	url := persistencetest.URL(t)
	stores := make([]*persistence.Store, 2)
	for i := range stores {
		s, err := persistence.Open(t.Context(),
			persistence.Config{URL: url, Quota: persistence.Quota{Person: person << 20, Organisation: organisation << 20}})
		require.NoError(t, err)
		t.Cleanup(s.Close)
		stores[i] = s
	}
	require.NoError(t, stores[0].Samples.Seed(t.Context(), persistencetest.World()))
	return stores[0], stores[1]
}

func upload(t *testing.T, s *persistence.Store, caller domain.Caller, mb int64) error {
	t.Helper()
	file, work := uuid.NewString(), uuid.NewString()
	if err := s.Files.FileIntake("").Begin(t.Context(), caller.OrganisationID, file, work); err != nil {
		return err
	}
	_, err := s.DataSources.CreateDataSource(t.Context(), caller, domain.NewDataSource{
		Name: "n", Description: "d", Type: domain.DataSourceCSV, FileKey: file, WorkKey: work, Size: mb << 20,
		Resources: []domain.DataResource{{Name: "t", Table: "t"}},
	})
	return err
}

func TestStore_UploadRoom(t *testing.T) {
	t.Parallel()
	s, _ := openQuota(t, 10, 15)
	anna, ben := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Ben)
	doris := persistencetest.Caller(t, s, persistencetest.Doris)
	room := func(c domain.Caller) int64 {
		t.Helper()
		n, err := s.Files.UploadRoom(t.Context(), c, "", 0)
		require.NoError(t, err)
		return n >> 20
	}
	require.Equal(t, int64(10), room(anna), "samples do not count")
	require.NoError(t, upload(t, s, anna, 8))
	require.Equal(t, int64(2), room(anna))
	require.Equal(t, int64(7), room(ben), "the rest of the organisation's quota")
	err := upload(t, s, anna, 3)
	requireCode(t, domain.CodeTooLarge, err)
	require.ErrorContains(t, err, "Your connectors hold 8 of 10 MB.")
	again := domain.NewDataSource{
		Name: "n", Description: "d", Type: domain.DataSourceCSV, FileKey: "f", WorkKey: "w", Size: 2 << 20,
		Resources: []domain.DataResource{{Name: "t", Table: "t"}},
		Key:       domain.IdempotencyKey{Key: "again"},
	}
	_, err = createSource(t, s, anna, again)
	require.NoError(t, err)
	n, err := s.Files.UploadRoom(t.Context(), anna, "again", 0)
	require.NoError(t, err, "a repeated request stores no further file")
	require.Equal(t, int64(domain.UploadMax), n)
	_, err = s.Files.UploadRoom(t.Context(), anna, "another", 0)
	requireCode(t, domain.CodeTooLarge, err)
	_, err = s.Files.UploadRoom(t.Context(), anna, "", 0)
	requireCode(t, domain.CodeTooLarge, err)
	n, err = s.Files.UploadRoom(t.Context(), anna, "", 8<<20)
	require.NoError(t, err, "the replaced file's bytes become free")
	require.Equal(t, int64(8<<20), n)
	requireCode(t, domain.CodeTooLarge, upload(t, s, ben, 6))
	require.NoError(t, upload(t, s, ben, 5))
	_, err = s.Files.UploadRoom(t.Context(), ben, "", 0)
	requireCode(t, domain.CodeTooLarge, err)
	require.ErrorContains(t, err, "The connectors of your organization hold 15 of 15 MB.")
	require.Equal(t, int64(10), room(doris), "another organisation has its own")

	// A file that replaces another one counts only by its additional bytes.
	list, err := s.DataSources.DataSources(t.Context(), anna, domain.DataSourceFilter{Scopes: []string{"owned"}, Search: "n"})
	require.NoError(t, err)
	replaced := false
	for _, d := range list.Results {
		if d.Size != 8<<20 {
			continue
		}
		replaced = true
		file := domain.DataSourceFile{
			Type: domain.DataSourceCSV, FileKey: "f2", WorkKey: "w2",
			Resources: []domain.DataResource{{Name: "t", Table: "t"}},
		}
		file.Size = 9 << 20
		_, err = s.DataSources.UpdateDataSource(t.Context(), anna, d.ID, domain.DataSourceUpdate{File: &file})
		requireCode(t, domain.CodeTooLarge, err)
		file.Size = 3 << 20
		noteFiles(t, s, anna, "f2", "w2")
		_, err = s.DataSources.UpdateDataSource(t.Context(), anna, d.ID, domain.DataSourceUpdate{File: &file})
		require.NoError(t, err)
		require.Equal(t, int64(5), room(anna))
	}
	require.True(t, replaced)

	free, _ := openQuota(t, 0, 0)
	n, err = free.Files.UploadRoom(t.Context(), persistencetest.Caller(t, free, persistencetest.Anna), "", 0)
	require.NoError(t, err)
	require.Equal(t, int64(domain.UploadMax), n)
}

// TestStore_QuotaAtOnce: uploads on two nodes at the same time cannot exceed the quota together.
func TestStore_QuotaAtOnce(t *testing.T) {
	t.Parallel()
	one, two := openQuota(t, 100, 20)
	callers := []domain.Caller{persistencetest.Caller(t, one, persistencetest.Anna), persistencetest.Caller(t, one, persistencetest.Ben)}
	var tries sync.WaitGroup
	kept := make(chan error, 16)
	for i := range cap(kept) {
		tries.Go(func() { kept <- upload(t, []*persistence.Store{one, two}[i%2], callers[i/2%2], 5) })
	}
	tries.Wait()
	close(kept)
	good := 0
	for err := range kept {
		if err == nil {
			good++
			continue
		}
		requireCode(t, domain.CodeTooLarge, err)
	}
	require.Equal(t, 4, good)
}
