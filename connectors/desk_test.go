package connectors_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// place records the requests that it gets.
type place struct {
	asked   []string
	sources []int64
	access  connectors.Access
}

func (p *place) Query(_ context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error) {
	p.asked = append(p.asked, sql)
	p.sources = nil
	for _, s := range sources {
		p.sources = append(p.sources, s.ID)
	}
	return &domain.ResultSet{}, nil
}

type elsewhere struct{ place }

func (e *elsewhere) Type() domain.DataSourceType { return domain.DataSourcePostgres }

func (e *elsewhere) Check(_ context.Context, a connectors.Access) error {
	e.access = a
	return nil
}

func (e *elsewhere) Describe(_ context.Context, a connectors.Access) (*domain.SourceDescription, error) {
	e.access = a
	return &domain.SourceDescription{}, nil
}

func (e *elsewhere) Query(_ context.Context, a connectors.Access, sql string, _ connectors.Caps) (*domain.ResultSet, error) {
	e.access = a
	e.asked = append(e.asked, sql)
	return &domain.ResultSet{}, nil
}

type keeper struct{ source map[int64]string }

func (k keeper) OwnSecret(_ context.Context, _, _ int64, id uuid.UUID) (string, error) {
	if id == uuid.Nil {
		return "", errors.New("no id")
	}
	return "kept", nil
}

func (k keeper) SourceSecret(_ context.Context, _, source int64) (string, error) {
	if s, ok := k.source[source]; ok {
		return s, nil
	}
	return "", domain.NotFound("Secret")
}

// planning is a workbench that also plans queries to databases.
type planning struct {
	place

	plan    domain.QueryPlan
	err     error
	planned []string
}

func (p *planning) Plan(_ context.Context, _ *domain.DataSource, sql string) (domain.QueryPlan, error) {
	p.planned = append(p.planned, sql)
	return p.plan, p.err
}

func tables(names ...string) []domain.DataResource {
	out := make([]domain.DataResource, len(names))
	for i, n := range names {
		out[i].Table = n
	}
	return out
}

func TestDesk_Query(t *testing.T) {
	t.Parallel()
	at := domain.DataSourceParams{"host": "db"}
	file := domain.DataSource{ID: 1, Name: "File", Type: domain.DataSourceCSV, Resources: tables("sales", "shared")}
	shop := domain.DataSource{
		ID: 2, Name: "Shop", Type: domain.DataSourcePostgres, Params: at,
		Resources: tables("orders", "shared", "crm.people", "Odd one"),
	}
	stock := domain.DataSource{ID: 3, Name: "Stock", Type: domain.DataSourcePostgres, Params: at, Resources: tables("goods")}
	all := []domain.DataSource{file, shop, stock}
	for _, row := range []struct {
		name, sql, place, asked string
		sources                 []domain.DataSource
	}{
		{name: "File", sql: "SELECT * FROM sales", place: "file"},
		{name: "Database", sql: "SELECT * FROM orders o JOIN crm.people p ON o.p = p.id", place: "2"},
		{name: "AnotherDatabase", sql: "SELECT 1 FROM (SELECT * FROM goods) g", place: "3"},
		{name: "QuotedName", sql: `SELECT * FROM "Odd one"`, place: "2"},
		{
			name: "Qualified", sql: `SELECT * FROM s2.shared WHERE a = 's2.shared'`, place: "2",
			asked: `SELECT * FROM shared WHERE a = 's2.shared'`,
		},
		{name: "QualifiedTwice", sql: `SELECT * FROM "s2"."crm"."people", s2.orders`, place: "2", asked: `SELECT * FROM "crm"."people", orders`},
		{name: "QualifiedFile", sql: "SELECT * FROM s1.shared", place: "file"},
		{name: "ColumnsAreNoTables", sql: "SELECT orders, goods FROM sales WHERE shared IN (1) ORDER BY orders", place: "file"},
		{name: "TextsAndComments", sql: "SELECT 'FROM orders', $a$ FROM goods $a$ /* FROM goods */ FROM sales -- FROM orders\n", place: "file"},
		{name: "CommonTable", sql: "WITH o AS (SELECT * FROM orders) SELECT * FROM o", place: "2"},
		{name: "NothingNamed", sql: "SELECT 1", place: "file"},
		{name: "OnlyOneDatabase", sql: "SELECT 1", place: "2", sources: []domain.DataSource{shop}},
		{name: "OnlyFiles", sql: "SELECT * FROM orders", place: "file", sources: []domain.DataSource{file}},
		{name: "ErrFileAndDatabase", sql: "SELECT * FROM sales, orders"},
		{name: "ErrFileAndDatabaseInParts", sql: "SELECT * FROM sales WHERE a IN (SELECT b FROM orders)"},
		{name: "ErrTwoDatabases", sql: "SELECT * FROM orders JOIN goods USING (id)"},
		{name: "ErrNoTable", sql: "SELECT 1", sources: []domain.DataSource{shop, stock}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			files, database := &place{}, &elsewhere{}
			desk := connectors.NewDesk(files, connectors.WarehousesByType(database), keeper{map[int64]string{2: "2", 3: "3"}}, connectors.Caps{})
			sources := all
			if row.sources != nil {
				sources = row.sources
			}
			_, err := desk.Query(t.Context(), sources, row.sql)
			if row.place == "" {
				require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
				require.Empty(t, files.asked)
				require.Empty(t, database.asked)
				return
			}
			require.NoError(t, err)
			if row.place == "file" {
				require.Equal(t, []string{row.sql}, files.asked)
				require.Equal(t, []int64{1}, files.sources)
				return
			}
			if row.asked == "" {
				row.asked = row.sql
			}
			require.Equal(t, []string{row.asked}, database.asked)
			require.Equal(t, row.place, database.access.Secret)
		})
	}
	t.Run("PlanIsMissingForJoins", func(t *testing.T) {
		t.Parallel()
		for sql, want := range map[string]string{
			"SELECT a, count(*), max(b), avg(b) FROM orders GROUP BY 1":          "",
			"SELECT sum, \"sum\", 'sum(a)' FROM orders":                          "",
			"SELECT SUM (a) FROM orders":                                         "the database Shop",
			"WITH o AS (SELECT * FROM orders) SELECT sum(a) FROM o":              "the database Shop",
			"SELECT count(*) FROM orders, LATERAL unnest(tags) t":                "the database Shop",
			"SELECT sum(a) FROM orders o JOIN crm.people p ON o.p = p.id":        "the database Shop",
			"SELECT sum(a) FROM s2.shared WHERE b IN (SELECT b FROM orders)":     "the database Shop",
			"SELECT sum(o.a) FROM orders o JOIN orders p ON o.parent = p.number": "the database Shop",
		} {
			desk := connectors.NewDesk(&place{}, connectors.WarehousesByType(&elsewhere{}), keeper{map[int64]string{2: "2"}}, connectors.Caps{})
			result, err := desk.Query(t.Context(), []domain.DataSource{shop}, sql)
			require.NoError(t, err)
			require.Equal(t, want, result.Plan.Missing, sql)
			require.Equal(t, want != "" && !strings.Contains(sql, "JOIN") && !strings.Contains(sql, " IN "), result.Plan.OneTable, sql)
		}
	})
	t.Run("PlanOfADatabase", func(t *testing.T) {
		t.Parallel()
		for name, row := range map[string]struct {
			sql     string
			plan    domain.QueryPlan
			err     error
			want    domain.QueryPlan
			planned []string
		}{
			"AJoin": {
				sql:     "SELECT sum(a) FROM s2.orders o JOIN crm.people p ON o.p = p.id",
				plan:    domain.QueryPlan{JSON: []byte("{}")},
				want:    domain.QueryPlan{JSON: []byte("{}"), Remote: true},
				planned: []string{"SELECT sum(a) FROM s2.orders o JOIN crm.people p ON o.p = p.id"},
			},
			"ATotalOfOneTable": {
				sql: "SELECT sum(a) FROM orders", plan: domain.QueryPlan{Missing: "the engine made no plan"},
				want:    domain.QueryPlan{Missing: "the database Shop: the engine made no plan", OneTable: true, Remote: true},
				planned: []string{"SELECT sum(a) FROM orders"},
			},
			"Busy": {
				sql: "SELECT sum(a) FROM orders", err: connectors.Busy(domain.CodeTooMany), planned: []string{"SELECT sum(a) FROM orders"},
				want: domain.QueryPlan{Missing: "the database Shop", OneTable: true, Remote: true},
			},
			"NothingAddedUp": {sql: "SELECT max(a) FROM orders"},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				files := &planning{plan: row.plan, err: row.err}
				desk := connectors.NewDesk(files, connectors.WarehousesByType(&elsewhere{}), keeper{map[int64]string{2: "2"}}, connectors.Caps{})
				result, err := desk.Query(t.Context(), []domain.DataSource{shop}, row.sql)
				require.NoError(t, err)
				require.Equal(t, row.want, result.Plan)
				require.Equal(t, row.planned, files.planned)
			})
		}
	})
	t.Run("ErrSecretGone", func(t *testing.T) {
		t.Parallel()
		desk := connectors.NewDesk(&place{}, connectors.WarehousesByType(&elsewhere{}), keeper{}, connectors.Caps{})
		_, err := desk.Query(t.Context(), []domain.DataSource{shop}, "SELECT 1")
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
	})
	t.Run("ErrKindThatNobodyAsks", func(t *testing.T) {
		t.Parallel()
		desk := connectors.NewDesk(&place{}, nil, keeper{}, connectors.Caps{})
		_, err := desk.Query(t.Context(), []domain.DataSource{shop}, "SELECT 1")
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		require.False(t, desk.Takes(domain.DataSourcePostgres))
	})
}

func TestDesk_Check(t *testing.T) {
	t.Parallel()
	database := &elsewhere{}
	desk := connectors.NewDesk(&place{}, connectors.WarehousesByType(database), keeper{}, connectors.Caps{})
	require.NoError(t, desk.Check(t.Context(), domain.Caller{}, domain.DataSourcePostgres, domain.Connection{Secret: "given"}))
	require.Equal(t, "given", database.access.Secret)
	require.NoError(t, desk.Check(t.Context(), domain.Caller{}, domain.DataSourcePostgres, domain.Connection{CredentialID: uuid.New()}))
	require.Equal(t, "kept", database.access.Secret)
	_, err := desk.Describe(t.Context(), domain.Caller{}, domain.DataSourceSnowflake, domain.Connection{Secret: "given"})
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
}
