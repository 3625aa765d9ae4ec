package builtin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/provider/builtin/corpus"
	"parley.dev/parley/domain"
)

// sourceOf makes a data source from a schema of the corpus.
func sourceOf(t *testing.T, id int64, name string) domain.DataSource {
	t.Helper()
	s := domain.DataSource{ID: id, Name: name}
	for _, table := range schema(t, name).Tables {
		s.Resources = append(s.Resources, domain.DataResource{Name: table.Title, Table: table.Name, Rows: table.Rows, Columns: table.Columns})
	}
	return s
}

func TestProvider_Offer(t *testing.T) {
	t.Parallel()
	p := builtin.New(builtin.Config{Clock: asked{}})

	t.Run("OK each is answered by its own source", func(t *testing.T) {
		t.Parallel()
		sales := sourceOf(t, 7, "sales")
		offered := p.Offer([]domain.DataSource{sales}, 3)
		require.Len(t, offered, 3)
		for _, q := range offered {
			require.Equal(t, int64(7), q.DataSourceID)
			r := builtin.Read(analyst.Tables([]domain.DataSource{sales}), corpus.Now(), q.Text)
			require.True(t, r.Understood, q.Text)
			require.NotEmpty(t, r.SQL, q.Text)
		}
	})

	t.Run("OK several sources take turns", func(t *testing.T) {
		t.Parallel()
		all := []domain.DataSource{sourceOf(t, 7, "sales"), {ID: 8, Name: "empty"}, sourceOf(t, 9, "web")}
		offered := p.Offer(all, 3)
		require.Len(t, offered, 3)
		require.Equal(t, []int64{7, 9, 7}, []int64{offered[0].DataSourceID, offered[1].DataSourceID, offered[2].DataSourceID})
	})

	t.Run("OK the same question once", func(t *testing.T) {
		t.Parallel()
		texts := map[string]bool{}
		for _, q := range p.Offer([]domain.DataSource{sourceOf(t, 7, "sales"), sourceOf(t, 8, "sales")}, 6) {
			require.False(t, texts[q.Text], q.Text)
			texts[q.Text] = true
		}
		require.NotEmpty(t, texts)
	})

	t.Run("nothing to ask", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, p.Offer(nil, 3))
		require.Empty(t, p.Offer([]domain.DataSource{{ID: 8, Name: "empty"}}, 3))
	})
}
