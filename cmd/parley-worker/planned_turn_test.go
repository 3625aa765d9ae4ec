package main

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// remote is a database that answers every statement with one number.
type remote struct {
	mu    sync.Mutex
	asked []string
}

func (r *remote) Type() domain.DataSourceType                    { return domain.DataSourcePostgres }
func (r *remote) Check(context.Context, connectors.Access) error { return nil }

func (r *remote) Describe(context.Context, connectors.Access) (*domain.SourceDescription, error) {
	return &domain.SourceDescription{}, nil
}

func (r *remote) Query(_ context.Context, _ connectors.Access, sql string, _ connectors.Caps) (*domain.ResultSet, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, sql)
	return &domain.ResultSet{Columns: []domain.Column{{Name: "total", Type: domain.ColumnInteger}}, Rows: [][]any{{int64(1234)}}}, nil
}

// noSecrets keeps one empty secret for everything.
type noSecrets struct{}

func (noSecrets) OwnSecret(context.Context, int64, int64, uuid.UUID) (string, error) { return "", nil }

func (noSecrets) SourceSecret(context.Context, int64, int64) (string, error) { return "", nil }

// TestTurn_Database lets a model write a wrong total over a remote database: it is told so, and its second query answers.
func TestTurn_Database(t *testing.T) {
	t.Parallel()
	database := &remote{}
	desk := connectors.NewDesk(setup(t).bench, connectors.WarehousesByType(database), noSecrets{}, connectors.Caps{})
	source := shop()
	x := turns{config: analyst.Config{
		DataSources: analysttest.NewSources(source), Files: &analysttest.Files{}, Workbench: desk, Facts: knownFacts{},
		Backoff: time.Millisecond, Clock: autumn{},
	}}
	const wrong, right = "SELECT sum(o.total) AS total FROM orders o JOIN lines l ON l.order_id = o.id",
		"SELECT sum(o.total) AS total FROM orders o JOIN customers c ON c.id = o.customer_id"
	var told []string
	sink, err := x.ask(t, analysttest.Job("a question"), func(results []string) (object, string) {
		told = results
		switch len(results) {
		case 0:
			return object{"sql": wrong}, ""
		case 1:
			return object{"sql": right}, ""
		}
		return nil, "Here it is."
	})
	require.NoError(t, err)
	require.Len(t, told, 2)
	require.Contains(t, told[0], "Not run: sum(orders.total) counts an order once for each of its lines")
	require.NotContains(t, told[0], "1,234")
	require.Contains(t, told[1], "Result ")
	require.NotContains(t, told[1], "Not checked", "the key of customers is declared")
	require.Equal(t, "Here it is.", sink.Role(domain.RoleAssistant)[0].Text)
	require.Equal(t, []string{wrong, right}, database.asked, "nothing else costs the database a query")
}
