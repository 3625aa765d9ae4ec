package persistence_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// The numbers of objects that people create reveal when they were created, and nothing
// about what others have created meanwhile.
func TestNumbers(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	raw := persistencetest.Connect(t, url, "parley_engine")
	now := func() int64 {
		var at int64
		require.NoError(t, raw.QueryRow(ctx, "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint").Scan(&at))
		return at
	}

	t.Run("NothingIsCounted", func(t *testing.T) {
		for _, who := range []string{persistencetest.Anna, persistencetest.Doris, persistencetest.Doris, persistencetest.Anna} {
			caller := persistencetest.Caller(t, s, who)
			before := now()
			label, err := s.ProjectLabels.CreateProjectLabel(ctx, caller, domain.ProjectLabelDraft{
				Name:        "Launch " + uuid.NewString()[:8],
				Description: "D", Color: "#008080",
			})
			require.NoError(t, err)
			require.GreaterOrEqual(t, label.ID, before)
			require.LessOrEqual(t, label.ID, now())
			require.Less(t, label.ID, int64(1)<<53, "what JavaScript can hold")
		}
	})

	t.Run("OfEveryTableThatPeopleWrite", func(t *testing.T) {
		// A table whose numbers people see takes them from next_number, or is filled only by operators.
		rows, err := raw.Query(ctx, `SELECT c.table_name FROM information_schema.columns c
			JOIN information_schema.tables t USING (table_schema, table_name)
			WHERE t.table_type = 'BASE TABLE' AND c.table_schema = 'public' AND c.column_name = 'id' AND c.data_type = 'bigint'
			  AND c.column_default IS DISTINCT FROM 'next_number()'
			ORDER BY 1`)
		require.NoError(t, err)
		var counted []string
		for rows.Next() {
			var name string
			require.NoError(t, rows.Scan(&name))
			counted = append(counted, name)
		}
		require.NoError(t, rows.Err())
		require.Equal(t, []string{
			"app_user", "memory_label", "memory_source", "memory_type", "organisation", "sentiment", "sentiment_label", "team", "team_change",
			"use_case_category",
		}, slices.DeleteFunc(counted, func(name string) bool { return name == "goose_db_version" }))
	})

	t.Run("UniqueAndInOrder", func(t *testing.T) {
		const writers, each = 8, 200
		var (
			wait sync.WaitGroup
			mu   sync.Mutex
			all  []int64
		)
		for range writers {
			c := persistencetest.Connect(t, url, "parley_app")
			wait.Go(func() {
				rows, err := c.Query(context.WithoutCancel(ctx), "SELECT next_number() FROM generate_series(1, $1)", each)
				if !assertNoError(t, err) {
					return
				}
				var own []int64
				for rows.Next() {
					var n int64
					if !assertNoError(t, rows.Scan(&n)) {
						return
					}
					own = append(own, n)
				}
				if !assertNoError(t, rows.Err()) {
					return
				}
				mu.Lock()
				defer mu.Unlock()
				if !slices.IsSorted(own) {
					t.Error("the rows of one statement are not in order")
				}
				all = append(all, own...)
			})
		}
		wait.Wait()
		slices.Sort(all)
		require.Len(t, slices.Compact(all), writers*each)
	})

	t.Run("NoTransactionWaits", func(t *testing.T) {
		// A transaction that has taken a number and stays open blocks no one.
		tx, err := persistencetest.Connect(t, url, "parley_app").Begin(ctx)
		require.NoError(t, err)
		var first, second int64
		require.NoError(t, tx.QueryRow(ctx, "SELECT next_number()").Scan(&first))
		require.NoError(t, raw.QueryRow(ctx, "SELECT next_number()").Scan(&second))
		require.Greater(t, second, first)
		require.NoError(t, tx.Rollback(ctx))
	})

	t.Run("AheadOfAClockThatWasSetBack", func(t *testing.T) {
		super := persistencetest.Connect(t, url, "")
		_, err := super.Exec(ctx, "SELECT setval('number_given', 9000000000000000)")
		require.NoError(t, err)
		var n int64
		require.NoError(t, raw.QueryRow(ctx, "SELECT next_number()").Scan(&n))
		require.Equal(t, int64(9000000000000001), n)
	})
}
