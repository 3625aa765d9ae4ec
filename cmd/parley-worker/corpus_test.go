package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/provider/builtin/corpus"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/demo"
	"parley.dev/parley/internal/sqltext"
)

// TestCorpus runs every expected query of the planner's corpus in the real worker: a query that looks correct must also run.
func TestCorpus(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) { c.Queue, c.Wait = 10_000, 10*time.Minute })
	sources := map[string]domain.DataSource{}
	for i, schema := range corpus.Schemas() {
		source := domain.DataSource{ID: int64(i + 1), Name: schema.Name, WorkKey: filepath.Join(b.dir, fmt.Sprintf("schema-%d.duckdb", i))}
		db, err := openMemory()
		require.NoError(t, err)
		require.NoError(t, db.exec("ATTACH "+sqltext.QuoteText(source.WorkKey)+" AS made"))
		require.NoError(t, db.exec("USE made"))
		for _, sql := range schema.Setup {
			require.NoError(t, db.exec(sql), sql)
		}
		require.NoError(t, db.exec("USE memory"))
		require.NoError(t, db.exec("DETACH made"))
		for _, table := range schema.Tables {
			source.Resources = append(source.Resources, domain.DataResource{Name: table.Title, Table: table.Name})
		}
		sources[schema.Name] = source
	}
	questions, err := corpus.Questions()
	require.NoError(t, err)
	require.NotEmpty(t, questions)
	for _, q := range questions {
		if q.SQL == "" {
			continue
		}
		t.Run(q.Schema+"/"+strings.Join(append(q.Before, q.Text), " > "), func(t *testing.T) {
			t.Parallel()
			require.Contains(t, sources, q.Schema)
			_, err := b.bench.Query(t.Context(), []domain.DataSource{sources[q.Schema]}, q.SQL)
			require.NoError(t, err, q.SQL)
		})
	}
}

// TestDemo asks the questions of the demo sources: the planner's queries run and return rows.
func TestDemo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	planner := builtin.New(builtin.Config{})
	for _, s := range demo.Sources() {
		var text bytes.Buffer
		require.NoError(t, s.WriteCSV(&text))
		source, info := b.prepare(t, s.FileName, text.String())
		table := info.Resources[0]
		require.GreaterOrEqual(t, table.Rows, int64(10_000))
		require.Len(t, table.Columns, len(s.Columns))
		for i, c := range table.Columns {
			require.Equal(t, s.Columns[i].Name, c.Name, "the name of a demo column does not change")
		}
		for _, question := range s.Questions {
			t.Run(s.Name+"/"+question, func(t *testing.T) {
				sql := planned(t, planner, []domain.DataSource{source}, question)
				result, err := b.bench.Query(t.Context(), []domain.DataSource{source}, sql)
				require.NoError(t, err, sql)
				require.NotEmpty(t, result.Rows, sql)
			})
		}
	}
}

// planned returns the query that the planner wants to run for a question.
func planned(t *testing.T, p *builtin.Provider, sources []domain.DataSource, question string) string {
	t.Helper()
	var sql, text string
	_, err := p.Stream(context.WithoutCancel(t.Context()), &analyst.Request{
		Turns: []analyst.Utterance{{Role: analyst.UtteranceUser, Text: question}}, Tables: analyst.Tables(sources),
	}, func(piece analyst.Piece) error {
		text += piece.Text
		if piece.Call != nil && piece.Call.Name == analyst.ToolRunQuery {
			var args analyst.RunQueryArgs
			if err := json.Unmarshal(piece.Call.Args, &args); err != nil {
				return fmt.Errorf("read the call: %w", err)
			}
			sql = args.SQL
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, sql, "no query for %q: %s", question, text)
	return sql
}
