package analyst_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// model is a provider whose calls are functions, one after the other; the last repeats.
type model struct {
	calls []func(r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error)
	made  []*analyst.Request
}

func (m *model) Name() string { return "test" }

func (m *model) Stream(_ context.Context, r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
	n := min(len(m.made), len(m.calls)-1)
	m.made = append(m.made, r)
	return m.calls[n](r, emit)
}

type step = func(r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error)

// ends is a plain end of a call that used these numbers of tokens.
func ends(input, output int64) analyst.End {
	return analyst.End{Usage: analyst.Usage{InputTokens: input, OutputTokens: output}}
}

func speaks(c analyst.Channel, text string) step {
	return func(_ *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
		return ends(10, 5), emit(analyst.Piece{Channel: c, Text: text})
	}
}

func callsTool(name string, args any) step {
	return func(_ *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
		body, err := json.Marshal(args)
		if err != nil {
			return analyst.End{}, fmt.Errorf("marshal: %w", err)
		}
		return ends(10, 5), emit(analyst.Piece{Call: &analyst.ToolCall{ID: "c", Name: name, Args: body}})
	}
}

func fails(err error) step {
	return func(*analyst.Request, func(analyst.Piece) error) (analyst.End, error) { return analyst.End{}, err }
}

func sales() domain.DataSource {
	return domain.DataSource{ID: 1, Name: "Sales", Resources: []domain.DataResource{{
		Name: "Sales", Table: "sales", Rows: 2, Preview: "region,total\nNorth,1\n",
		Columns: []domain.Column{
			{Name: "region", Type: domain.ColumnText, Values: []string{"North", "South"}},
			{Name: "total", Type: domain.ColumnInteger},
		},
	}}}
}

func result() *domain.ResultSet {
	return &domain.ResultSet{
		Columns: []domain.Column{{Name: "region", Type: domain.ColumnText}, {Name: "total", Type: domain.ColumnInteger}},
		Rows:    [][]any{{"North", int64(1)}, {"=cmd()", int64(-2)}},
	}
}

type bundle struct {
	model   *model
	sink    *analysttest.Sink
	files   *analysttest.Files
	sources *analysttest.Sources
	queries *[]string
	job     *analyst.Job
	config  analyst.Config
}

func setup(t *testing.T, calls ...step) *bundle {
	t.Helper()
	var queries []string
	b := &bundle{
		model: &model{calls: calls}, sink: &analysttest.Sink{}, files: &analysttest.Files{},
		sources: analysttest.NewSources(sales()), queries: &queries, job: analysttest.Job("total by region?"),
	}
	b.config = analyst.Config{
		Providers:   map[string]analyst.Provider{"test": b.model},
		DataSources: b.sources,
		Analysts: &analysttest.Agents{Agent: domain.Analyst{
			ID: 1, IsEnabled: true, Provider: "test", Model: "m",
			Instructions: "Speak of money.",
		}},
		Files:   b.files,
		Backoff: time.Microsecond,
		Prices:  map[string]analyst.Price{"test/m": {Input: 100, Output: 1000}},
		Workbench: analysttest.QueryFunc(func(_ context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error) {
			queries = append(queries, sql)
			if len(sources) != 1 {
				return nil, errors.New("a secret cause")
			}
			if strings.Contains(sql, "broken") {
				return nil, domain.Errorf(domain.CodeInvalid, "Parser error.")
			}
			return result(), nil
		}),
	}
	return b
}

func (b *bundle) run(t *testing.T) error {
	t.Helper()
	return analyst.NewPipeline(b.config).Run(t.Context(), b.job, b.sink)
}
