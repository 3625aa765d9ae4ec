package persistence_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// stuckFiles keeps the files whose keys begin with stuck, whatever is asked of it.
type stuckFiles struct{ *keys }

func (f stuckFiles) Delete(ctx context.Context, key string) error {
	if strings.HasPrefix(key, "stuck") {
		return errors.New("the bucket is away")
	}
	return f.keys.Delete(ctx, key)
}

func TestFileIntake(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	ben, doris := persistencetest.Caller(t, s, persistencetest.Ben), persistencetest.Caller(t, s, persistencetest.Doris)
	engine := persistencetest.Connect(t, url, "parley_engine")
	alive := domain.Member{Node: "a@1", Name: "a", Incarnation: uuid.New(), Address: "127.0.0.1:1"}
	require.NoError(t, s.Members.Join(ctx, alive, time.Minute))
	intake := s.Files.FileIntake(alive.Node)
	later := func(t *testing.T, interval string, names ...string) {
		t.Helper()
		_, err := engine.Exec(ctx, "UPDATE discarded_file SET at = at - $1::text::interval WHERE key = ANY($2)", interval, names)
		require.NoError(t, err)
	}
	prune := func(t *testing.T, names ...string) []string {
		t.Helper()
		files := newKeys(names...)
		_, err := s.Files.PruneFiles(ctx, files)
		require.NoError(t, err)
		return files.left()
	}
	source := func(name string) domain.NewDataSource {
		return domain.NewDataSource{
			Name: "n", Description: "d", Type: domain.DataSourceCSV, FileKey: name + "/f", WorkKey: name + "/w",
			Resources: []domain.DataResource{{Name: "t", Table: "t"}},
			Key:       domain.IdempotencyKey{Key: name},
		}
	}

	t.Run("OK", func(t *testing.T) {
		require.NoError(t, intake.Begin(ctx, ben.OrganisationID, "ok/f", "ok/w"))
		require.ElementsMatch(t, []string{"ok/f", "ok/w"}, prune(t, "ok/f", "ok/w"), "its node is alive")
		_, err := s.DataSources.CreateDataSource(ctx, ben, source("ok"))
		require.NoError(t, err)
		require.Zero(t, count(t, engine, "SELECT count(*) FROM discarded_file WHERE key LIKE 'ok/%'"))
	})
	t.Run("CommittedWithoutAnAnswer", func(t *testing.T) {
		require.NoError(t, intake.Begin(ctx, ben.OrganisationID, "lost/f", "lost/w"))
		_, err := s.DataSources.CreateDataSource(ctx, ben, source("lost"))
		require.NoError(t, err)
		// The request saw an error and gives up; then its client repeats it with other bytes.
		require.NoError(t, intake.End(ctx, ben.OrganisationID, "lost/f", "lost/w"))
		require.NoError(t, intake.Begin(ctx, ben.OrganisationID, "again/f", "again/w"))
		repeated := source("lost")
		repeated.FileKey, repeated.WorkKey = "again/f", "again/w"
		d, err := s.DataSources.CreateDataSource(ctx, ben, repeated)
		require.NoError(t, err)
		require.Equal(t, []string{"lost/f", "lost/w"}, []string{d.FileKey, d.WorkKey}, "the first result is returned")
		require.NoError(t, intake.End(ctx, ben.OrganisationID, "again/f", "again/w"))
		later(t, "10 minutes", "again/f", "again/w", "lost/f", "lost/w")
		require.ElementsMatch(t, []string{"lost/f", "lost/w"}, prune(t, "lost/f", "lost/w", "again/f", "again/w"))
	})
	t.Run("NodeIsGone", func(t *testing.T) {
		require.NoError(t, s.Files.FileIntake("gone@1").Begin(ctx, ben.OrganisationID, "gone/f", "gone/w"))
		require.Empty(t, prune(t, "gone/f", "gone/w"), "at once")
		_, err := s.DataSources.CreateDataSource(ctx, ben, source("gone"))
		requireCode(t, domain.CodeConflict, err)
		require.ErrorContains(t, err, "Please send it again.")
	})
	t.Run("NodeForgot", func(t *testing.T) {
		require.NoError(t, intake.Begin(ctx, ben.OrganisationID, "old/f"))
		later(t, "23 hours", "old/f")
		require.NotEmpty(t, prune(t, "old/f"))
		later(t, "2 hours", "old/f")
		require.Empty(t, prune(t, "old/f"))
	})
	t.Run("NeverNoted", func(t *testing.T) {
		_, err := s.DataSources.CreateDataSource(ctx, ben, source("never"))
		requireCode(t, domain.CodeConflict, err)
	})
	t.Run("OtherOrganisation", func(t *testing.T) {
		require.NoError(t, intake.Begin(ctx, ben.OrganisationID, "ours/f"))
		require.NoError(t, s.Files.FileIntake(alive.Node).End(ctx, doris.OrganisationID, "ours/f"))
		later(t, "10 minutes", "ours/f")
		require.NotEmpty(t, prune(t, "ours/f"), "it is still being stored")
	})
	t.Run("ManyThatStay", func(t *testing.T) {
		names := make([]string, 0, 602)
		for i := range 601 {
			names = append(names, fmt.Sprintf("stuck/%03d", i))
		}
		names = append(names, "zebra")
		require.NoError(t, s.Files.FileIntake("").Begin(ctx, ben.OrganisationID, names...))
		later(t, "10 minutes", names...)
		n, err := s.Files.PruneFiles(ctx, stuckFiles{newKeys(names...)})
		require.NoError(t, err)
		require.Equal(t, 1, n, "those that cannot be removed do not delay the one that can")
		require.Equal(t, 601, count(t, engine, "SELECT count(*) FROM discarded_file WHERE key LIKE 'stuck/%'"), "they are tried again")
	})
}
