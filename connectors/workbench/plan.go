package workbench

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

const (
	// planDeadline is how long the plan of a statement may take; without one its totals are shown as unchecked.
	planDeadline = time.Second
	// defaultSchema is the schema of tables whose database has none, or was described before schemas were kept.
	defaultSchema = "main"
)

// Plan implements connectors.Planner: the bound plan of a statement that a remote database runs.
func (b *Bench) Plan(ctx context.Context, source *domain.DataSource, sql string) (domain.QueryPlan, error) {
	if len(sql) > maxStatement {
		return domain.QueryPlan{Missing: "it is too long"}, nil
	}
	release, err := b.admit(ctx, b.asking, source.OrganisationID)
	if err != nil {
		return domain.QueryPlan{}, err
	}
	defer release()
	w, err := b.acquireWorker(ctx)
	if err != nil {
		return domain.QueryPlan{}, err
	}
	defer w.end()
	request := emptyTables(source)
	request.SQL, request.Bytes, request.Millis = sql, maxPlan, int(planDeadline.Milliseconds())
	reply, err := w.ask(ctx, b.config.Clock, planDeadline, frame.Request{Kind: frame.KindPlan, Plan: request})
	switch {
	case err != nil:
		return domain.QueryPlan{}, b.died(ctx, w, err)
	case reply.Planned == nil:
		err := faultError(reply.Fault)
		b.config.Log.WarnContext(ctx, "a query to a database has no plan", slog.Any("error", err))
		return domain.QueryPlan{}, err
	}
	return domain.QueryPlan{JSON: reply.Planned.Plan, Missing: domain.Shorten(domain.Clean(reply.Planned.Missing), unplannedMax)}, nil
}

// emptyTables are the tables of a source, without their rows.
func emptyTables(source *domain.DataSource) *frame.Plan {
	out := &frame.Plan{Alias: connectors.SourceSchema(source.ID)}
	seen := map[string]bool{}
	for i := range source.Resources {
		r := &source.Resources[i]
		t := frame.EmptyTable{Schema: r.Declared.Schema, Name: r.Table}
		// The name of a table has its schema where another schema has one of the same name.
		if schema, name, ok := strings.Cut(r.Table, "."); ok {
			t.Schema, t.Name = schema, name
		}
		if t.Schema == "" {
			t.Schema = defaultSchema
		}
		for _, c := range r.Columns {
			t.Columns = append(t.Columns, frame.Column{Name: c.Name, Type: string(c.Type)})
		}
		if !seen[t.Schema] {
			seen[t.Schema] = true
			out.Schemas = append(out.Schemas, t.Schema)
		}
		out.Tables = append(out.Tables, t)
	}
	return out
}
