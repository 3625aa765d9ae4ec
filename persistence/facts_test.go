package persistence_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// fileOf is a file of one table for a new connector.
func fileOf(name, key string) domain.NewDataSource {
	return domain.NewDataSource{
		Name: name, Description: "d", Type: domain.DataSourceCSV, FileName: name + ".csv", FileKey: "uploads/" + key, WorkKey: "prepared/" + key,
		Resources: []domain.DataResource{{Name: name, Table: name, Rows: 3, Columns: []domain.Column{{Name: "id", Type: domain.ColumnInteger}}}},
		Key:       domain.IdempotencyKey{Key: key},
	}
}

func factsOf(table string, keys ...[]string) *domain.SourceFacts {
	return &domain.SourceFacts{Tables: []domain.TableFacts{{
		Table: table, Rows: 3, Keys: keys, Columns: []domain.ColumnFacts{{Name: "id"}, {Name: "n"}},
	}}}
}

// claimed takes the next measurement, which must be of these sources.
func claimed(t *testing.T, s *persistence.Store, ids ...int64) *domain.FactsTask {
	t.Helper()
	task, err := s.Facts.ClaimFacts(t.Context())
	require.NoError(t, err)
	require.NotNil(t, task, "there is nothing to measure")
	var got []int64
	for _, d := range task.Sources {
		got = append(got, d.ID)
	}
	require.Equal(t, ids, got)
	return task
}

func idle(t *testing.T, s *persistence.Store) {
	t.Helper()
	task, err := s.Facts.ClaimFacts(t.Context())
	require.NoError(t, err)
	require.Nil(t, task)
}

// finishAll measures all that there is, so that a test begins with nothing to do.
func finishAll(t *testing.T, s *persistence.Store) {
	t.Helper()
	for {
		task, err := s.Facts.ClaimFacts(t.Context())
		require.NoError(t, err)
		if task == nil {
			return
		}
		require.NoError(t, s.Facts.FinishFacts(t.Context(), task, &domain.FactsResult{Facts: &domain.SourceFacts{}}))
	}
}

func TestFacts_File(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	woken := make(chan struct{}, 10)
	s.WakeForFacts(func() { woken <- struct{}{} })
	anna, cleo := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Cleo)
	doris := persistencetest.Caller(t, s, persistencetest.Doris)
	finishAll(t, s) // the sample is a source that existed already
	d, err := createSource(t, s, anna, fileOf("orders", "one"))
	require.NoError(t, err)
	require.Len(t, woken, 1)

	known := func(c domain.Caller) []domain.KnownFacts {
		t.Helper()
		found, err := s.Facts.Facts(ctx, c.OrganisationID, c.UserID, []int64{d.ID})
		require.NoError(t, err)
		return found.Sources
	}
	require.False(t, known(anna)[0].Measured)
	task := claimed(t, s, d.ID)
	require.Equal(t, "orders", task.Sources[0].Resources[0].Table)
	require.Empty(t, task.Known)
	idle(t, s) // one node at a time
	require.NoError(t, s.Facts.FinishFacts(ctx, task, &domain.FactsResult{Facts: factsOf("orders", []string{"id"})}))
	idle(t, s)
	require.Equal(t, factsOf("orders", []string{"id"}).Tables, known(anna)[0].Tables)
	require.Empty(t, known(anna)[0].Changes)
	require.Empty(t, known(cleo), "who may not read a source reads no facts")
	require.Empty(t, known(doris))

	// Another file: the facts of the one before are compared with it.
	noteFiles(t, s, anna, "uploads/two", "prepared/two")
	file := domain.DataSourceFile{
		Type: domain.DataSourceCSV, FileName: "orders.csv", FileKey: "uploads/two", WorkKey: "prepared/two",
		Resources: fileOf("orders", "two").Resources,
	}
	_, err = s.DataSources.UpdateDataSource(ctx, anna, d.ID, domain.DataSourceUpdate{File: &file})
	require.NoError(t, err)
	require.False(t, known(anna)[0].Measured, "the facts of the old file are not those of the new one")
	task = claimed(t, s, d.ID)
	require.Equal(t, []domain.SourceFacts{*factsOf("orders", []string{"id"})}, task.Known)
	after := factsOf("orders")
	after.Lost = []domain.LostKey{{Table: "orders", Columns: []string{"id"}, Repeated: 3}}
	require.NoError(t, s.Facts.FinishFacts(ctx, task, &domain.FactsResult{Facts: after}))
	require.Equal(t, "id no longer identifies each row of orders: 3 values are in several rows.", known(anna)[0].Changes[0].String())

	// The tables have no row of a deleted source.
	require.NoError(t, s.DataSources.DeleteDataSource(ctx, anna, d.ID))
	engine := persistencetest.Connect(t, url, "parley_engine")
	var left int
	require.NoError(t, engine.QueryRow(ctx, "SELECT count(*) FROM data_facts WHERE data_source_id = $1", d.ID).Scan(&left))
	require.Zero(t, left)
}

func TestFacts_ReplacedWhileMeasuring(t *testing.T) {
	t.Parallel()
	s, _ := openURL(t)
	ctx := t.Context()
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	finishAll(t, s)
	d, err := createSource(t, s, anna, fileOf("orders", "one"))
	require.NoError(t, err)
	old := claimed(t, s, d.ID)
	noteFiles(t, s, anna, "uploads/two", "prepared/two")
	file := domain.DataSourceFile{Type: domain.DataSourceCSV, FileName: "o.csv", FileKey: "uploads/two", WorkKey: "prepared/two"}
	_, err = s.DataSources.UpdateDataSource(ctx, anna, d.ID, domain.DataSourceUpdate{File: &file})
	require.NoError(t, err)
	fresh := claimed(t, s, d.ID)
	require.Equal(t, "prepared/two", fresh.Sources[0].WorkKey)
	require.NoError(t, s.Facts.FinishFacts(ctx, old, &domain.FactsResult{Facts: factsOf("orders", []string{"id"})}))
	require.NoError(t, s.Facts.FinishFacts(ctx, fresh, &domain.FactsResult{Facts: factsOf("orders", []string{"n"})}))
	found, err := s.Facts.Facts(ctx, anna.OrganisationID, anna.UserID, []int64{d.ID})
	require.NoError(t, err)
	require.Equal(t, [][]string{{"n"}}, found.Sources[0].Tables[0].Keys)
	require.Empty(t, found.Sources[0].Changes, "a file that was never measured is not compared")
	idle(t, s)
}

func TestFacts_Crash(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	finishAll(t, s)
	d, err := createSource(t, s, anna, fileOf("orders", "one"))
	require.NoError(t, err)
	engine := persistencetest.Connect(t, url, "parley_engine")
	over := func() {
		t.Helper()
		_, err := engine.Exec(ctx, "UPDATE data_facts SET claimed_until = clock_timestamp() - interval '1 second' WHERE body IS NULL")
		require.NoError(t, err)
	}
	lost := claimed(t, s, d.ID)
	idle(t, s)
	over() // the node is gone, and its claim ends
	again := claimed(t, s, d.ID)
	require.Equal(t, 2, again.Attempt)
	// A result of the first claim comes too late.
	require.NoError(t, s.Facts.FinishFacts(ctx, lost, &domain.FactsResult{Facts: factsOf("orders", []string{"late"})}))
	require.NoError(t, s.Facts.FailFacts(ctx, again, true))
	idle(t, s) // it rests
	over()
	again = claimed(t, s, d.ID)
	require.Equal(t, 2, again.Attempt, "an interrupted try does not count")
	require.NoError(t, s.Facts.FailFacts(ctx, again, false))
	over()
	last := claimed(t, s, d.ID)
	require.Equal(t, domain.FactsAttempts, last.Attempt)
	require.NoError(t, s.Facts.FailFacts(ctx, last, false))
	over()
	idle(t, s)
	found, err := s.Facts.Facts(ctx, anna.OrganisationID, anna.UserID, []int64{d.ID})
	require.NoError(t, err)
	require.True(t, found.Sources[0].Failed)
	require.False(t, found.Sources[0].Measured)
}

// TestFacts_Nodes lets many nodes look at once: each file is measured once.
func TestFacts_Nodes(t *testing.T) {
	t.Parallel()
	s, _ := openURL(t)
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	finishAll(t, s)
	const files, nodes = 6, 4
	for i := range files {
		_, err := createSource(t, s, anna, fileOf("t"+string(rune('a'+i)), "f"+string(rune('a'+i))))
		require.NoError(t, err)
	}
	var mu sync.Mutex
	times := map[int64]int{}
	var done sync.WaitGroup
	for range nodes {
		done.Go(func() {
			// A node that meets another one gets nothing and looks again.
			for range 10 * files {
				task, err := s.Facts.ClaimFacts(context.Background())
				if err != nil || task == nil {
					continue
				}
				mu.Lock()
				times[task.Sources[0].ID]++
				mu.Unlock()
			}
		})
	}
	done.Wait()
	require.Len(t, times, files)
	for id, n := range times {
		require.Equal(t, 1, n, id)
	}
}

func TestFacts_Links(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	anna, cleo := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Cleo)
	finishAll(t, s)
	a, err := createSource(t, s, anna, fileOf("orders", "one"))
	require.NoError(t, err)
	b, err := createSource(t, s, anna, fileOf("customers", "two"))
	require.NoError(t, err)
	facts := func(c domain.Caller) *domain.FactsOfSources {
		t.Helper()
		found, err := s.Facts.Facts(ctx, c.OrganisationID, c.UserID, []int64{b.ID, a.ID})
		require.NoError(t, err)
		return found
	}
	pair := [][2]int64{{a.ID, b.ID}}
	require.Equal(t, pair, facts(anna).Unlinked)
	require.Equal(t, pair, facts(anna).Unlinked, "asking twice is one measurement")
	// Links come after the facts of both files.
	for range 2 {
		task, err := s.Facts.ClaimFacts(ctx)
		require.NoError(t, err)
		require.Len(t, task.Sources, 1)
		require.NoError(t, s.Facts.FinishFacts(ctx, task, &domain.FactsResult{Facts: factsOf(task.Sources[0].Name, []string{"id"})}))
	}
	task := claimed(t, s, a.ID, b.ID)
	require.Equal(t, "orders", task.Known[0].Tables[0].Table)
	require.Equal(t, "customers", task.Known[1].Tables[0].Table)
	link := domain.SourceLink{FromSource: a.ID, ToSource: b.ID, LinkFacts: domain.LinkFacts{
		FromTable: "orders", From: []string{"n"}, ToTable: "customers", To: []string{"id"}, Distinct: 2, Matched: 2,
	}}
	require.NoError(t, s.Facts.FinishFacts(ctx, task, &domain.FactsResult{Links: []domain.SourceLink{link}}))
	found := facts(anna)
	require.Equal(t, []domain.SourceLink{link}, found.Links)
	require.Empty(t, found.Unlinked)
	idle(t, s)

	// Who may read only one of the two sources reads no link.
	_, err = s.DataSources.SetDataSourceGrants(ctx, anna, a.ID, []domain.Grant{
		{Grantee: domain.Grantee{Type: domain.GranteeUser, ID: cleo.UserID}, Permission: domain.PermissionRead},
	})
	require.NoError(t, err)
	require.Len(t, facts(cleo).Sources, 1)
	require.Empty(t, facts(cleo).Links)
	others, err := s.Facts.LinkedSources(ctx, cleo.OrganisationID, cleo.UserID, a.ID)
	require.NoError(t, err)
	require.Empty(t, others)

	// A replaced file is measured again with what it was linked with, and a link that no longer holds is reported.
	noteFiles(t, s, anna, "uploads/three", "prepared/three")
	file := domain.DataSourceFile{
		Type: domain.DataSourceCSV, FileName: "c.csv", FileKey: "uploads/three", WorkKey: "prepared/three",
		Resources: fileOf("customers", "three").Resources,
	}
	_, err = s.DataSources.UpdateDataSource(ctx, anna, b.ID, domain.DataSourceUpdate{File: &file})
	require.NoError(t, err)
	require.Empty(t, facts(anna).Links)
	task = claimed(t, s, b.ID)
	require.NoError(t, s.Facts.FinishFacts(ctx, task, &domain.FactsResult{Facts: factsOf("customers", []string{"id"})}))
	task = claimed(t, s, a.ID, b.ID)
	require.NoError(t, s.Facts.FinishFacts(ctx, task, &domain.FactsResult{}))
	others, err = s.Facts.LinkedSources(ctx, anna.OrganisationID, anna.UserID, a.ID)
	require.NoError(t, err)
	require.Equal(t, "customers", others[0].Name)
	require.Equal(t, "orders.n no longer links to customers.id.", others[0].Changes[0].String())

	engine := persistencetest.Connect(t, url, "parley_engine")
	var left int
	require.NoError(t, engine.QueryRow(ctx, "SELECT count(*) FROM data_link_facts").Scan(&left))
	require.Equal(t, 1, left, "the links of the old file are gone")
	require.NoError(t, s.DataSources.DeleteDataSource(ctx, anna, a.ID))
	require.NoError(t, engine.QueryRow(ctx, "SELECT count(*) FROM data_link_facts").Scan(&left))
	require.Zero(t, left)
}

// TestFacts_Tenants reads the tables as a request of another organisation does, without a condition.
func TestFacts_Tenants(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	anna, doris := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Doris)
	finishAll(t, s)
	d, err := createSource(t, s, anna, fileOf("orders", "one"))
	require.NoError(t, err)
	require.NoError(t, s.Facts.FinishFacts(ctx, claimed(t, s, d.ID), &domain.FactsResult{Facts: factsOf("orders", []string{"id"})}))
	app := persistencetest.Connect(t, url, "parley_app")
	for organisation, want := range map[int64]bool{anna.OrganisationID: true, doris.OrganisationID: false} {
		tx, err := app.Begin(ctx)
		require.NoError(t, err)
		_, err = tx.Exec(ctx, "SELECT set_config('app.org_id', $1::bigint::text, true)", organisation)
		require.NoError(t, err)
		var seen bool
		require.NoError(t, tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM data_facts)").Scan(&seen))
		require.Equal(t, want, seen)
		require.NoError(t, tx.Rollback(ctx))
	}
	_, err = app.Exec(ctx, "UPDATE data_facts SET body = '{}'")
	require.ErrorContains(t, err, "permission denied", "no request changes a fact")
}
