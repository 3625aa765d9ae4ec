package analyst_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// sourceStore keeps data sources, their facts and their corrections for one person, who may not read the data source 9.
type sourceStore struct {
	domain.DataSourceService
	domain.FactsService
	domain.CorrectionService
	sources []domain.DataSource
	links   []domain.LinkedSource
	said    []domain.StandingCorrection
	asked   []int64
}

func (s *sourceStore) DataSource(_ context.Context, _ domain.Caller, id int64) (*domain.DataSource, error) {
	at := slices.IndexFunc(s.sources, func(d domain.DataSource) bool { return d.ID == id })
	if at < 0 || id == 9 {
		return nil, domain.NounDataSource.Missing()
	}
	return &s.sources[at], nil
}

func (s *sourceStore) Readable(_ context.Context, _, _ int64, ids []int64) ([]domain.DataSource, error) {
	s.asked = ids
	return slices.DeleteFunc(slices.Clone(s.sources), func(d domain.DataSource) bool { return d.ID == 9 || !slices.Contains(ids, d.ID) }), nil
}

func (s *sourceStore) Facts(_ context.Context, _, _ int64, ids []int64) (*domain.FactsOfSources, error) {
	d, err := s.DataSource(context.Background(), domain.Caller{}, ids[0])
	if err != nil {
		return nil, err
	}
	return &domain.FactsOfSources{Sources: []domain.KnownFacts{{
		Source: d.ID, WorkKey: d.WorkKey, Measured: d.WorkKey != "", SourceFacts: domain.SourceFacts{Tables: []domain.TableFacts{{
			Table: "orders", Rows: 100, Keys: [][]string{{"id"}},
			Columns: []domain.ColumnFacts{{Name: "id"}, {Name: "customer_id"}, {Name: "price"}},
		}}},
	}}}, nil
}

func (s *sourceStore) LinkedSources(context.Context, int64, int64, int64) ([]domain.LinkedSource, error) {
	return s.links, nil
}

func (s *sourceStore) Corrections(context.Context, int64, int64, []int64) ([]domain.StandingCorrection, error) {
	return s.said, nil
}

func newSourceStore() *sourceStore {
	number := func(name string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnInteger, Distinct: 90}
	}
	return &sourceStore{sources: []domain.DataSource{
		{ID: 1, WorkKey: "w", HasFile: true, Resources: []domain.DataResource{{
			Name: "orders", Table: "orders", Rows: 100, Columns: []domain.Column{number("id"), number("customer_id"), number("price")},
		}}},
		{ID: 2, Name: "People", WorkKey: "v", HasFile: true, Resources: []domain.DataResource{{
			Name: "customers", Table: "customers", Rows: 10, Columns: []domain.Column{number("id")},
		}}},
		{ID: 9, Name: "Secret"},
	}}
}

func (s *sourceStore) read(t *testing.T) *domain.MeaningOfSource {
	t.Helper()
	today := fixedClock{day: time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)}
	service := analyst.Meanings{DataSources: s, Facts: s, Corrections: s, Clock: today}
	got, err := service.Meaning(t.Context(), domain.Caller{}, 1)
	require.NoError(t, err)
	return got
}

func TestMeanings_Meaning(t *testing.T) {
	t.Parallel()
	price := func(m *domain.MeaningOfSource) meaning.Column {
		at := slices.IndexFunc(m.Meaning.Tables[0].Columns, func(c meaning.Column) bool { return c.Name == "price" })
		return m.Meaning.Tables[0].Columns[at]
	}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		got := newSourceStore().read(t)
		require.True(t, got.Measured)
		require.Equal(t, int64(1), got.Source.ID)
		require.Equal(t, [][]string{{"id"}}, got.Meaning.Tables[0].Keys)
		require.Equal(t, meaning.Unknown, price(got).Number.Adds)
	})
	t.Run("OKSaid", func(t *testing.T) {
		t.Parallel()
		s := newSourceStore()
		said := func(column string) domain.StandingCorrection {
			return domain.StandingCorrection{Rests: column != "price", Correction: meaning.Correction{
				Source: 1, Table: "orders", Column: column, Field: meaning.FieldAdds, Value: "amount", ByName: "Ben",
			}}
		}
		s.said = []domain.StandingCorrection{said("price"), said("gone")}
		got := s.read(t)
		require.Equal(t, meaning.Amount, price(got).Number.Adds)
		require.Equal(t, meaning.Said, price(got).Reasons["adds"].State)
		require.Len(t, got.Corrections, 2, "what rests is shown as well")
	})
	t.Run("OKLinked", func(t *testing.T) {
		t.Parallel()
		s := newSourceStore()
		link := domain.SourceLink{FromSource: 1, ToSource: 2, LinkFacts: domain.LinkFacts{
			FromTable: "orders", From: []string{"customer_id"}, ToTable: "customers", To: []string{"id"}, Distinct: 10, Matched: 10,
		}}
		s.links = []domain.LinkedSource{{Source: 2, Name: "People", Links: []domain.SourceLink{link}}}
		got := s.read(t)
		require.Equal(t, "People", got.Names[2])
		require.Equal(t, int64(2), got.Meaning.Links[0].To.Source)
	})
	t.Run("OKSaidLink", func(t *testing.T) {
		t.Parallel()
		s := newSourceStore()
		link := func(value string) domain.StandingCorrection {
			return domain.StandingCorrection{Correction: meaning.Correction{
				Source: 1, Table: "orders", Column: "customer_id", Field: meaning.FieldLink, Value: value,
			}}
		}
		s.said = []domain.StandingCorrection{link("s2.customers.id"), link("s9.secrets.id")}
		got := s.read(t)
		require.Equal(t, []int64{2, 9}, s.asked)
		require.Equal(t, map[int64]string{2: "People"}, got.Names, "a data source that may not be read is not named")
		require.Len(t, got.Meaning.Links, 1)
	})
	t.Run("OKNotMeasured", func(t *testing.T) {
		t.Parallel()
		s := newSourceStore()
		s.sources[0].WorkKey = ""
		require.False(t, s.read(t).Measured)
		s.sources[0].Params = domain.DataSourceParams{"host": "h"}
		require.True(t, s.read(t).Measured, "a remote database is not measured, and is not waited for")
	})
	t.Run("ErrNotFound", func(t *testing.T) {
		t.Parallel()
		s := newSourceStore()
		_, err := analyst.Meanings{DataSources: s, Facts: s, Corrections: s, Clock: fixedClock{}}.Meaning(t.Context(), domain.Caller{}, 9)
		require.Equal(t, domain.CodeNotFound, domain.CodeOf(err))
	})
}
