package analyst

// The check of what a query adds up, at the one place where queries run: those of models, of the planner, of memories and
// of a plan's steps. The judgement is made by the package guard; here it is decided what follows from it.

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/analyst/check"
	"parley.dev/parley/analyst/guard"
	"parley.dev/parley/domain"
)

const (
	// mends is how many errors about totals a model gets in one turn. Then its query is shown with a warning, because a
	// model that cannot mend it would try without an end.
	mends = 2
	// warningsMax is the maximum number of faults that are told at once.
	warningsMax = 3
	// reasonMin is the minimum number of characters of a reason to accept a fault.
	reasonMin = 8
)

// acceptable lists the kinds of faults as JSON, for the schema of run_query.
func acceptable() string {
	kinds := make([]string, 0, len(guard.Kinds()))
	for _, k := range guard.Kinds() {
		kinds = append(kinds, strconv.Quote(string(k)))
	}
	return strings.Join(kinds, ",")
}

// judge checks the plan that came with a result.
func (r *run) judge(ctx context.Context, sources []domain.DataSource, table *domain.ResultSet) guard.Verdict {
	switch {
	case table.Plan.Missing != "":
		return guard.Verdict{Unchecked: []string{table.Plan.Missing}}
	case len(table.Plan.JSON) == 0:
		return guard.Verdict{}
	}
	schema, k := guard.NewSchema(), r.know(ctx, sources)
	for i := range sources {
		name := SchemaName(sources[i].ID)
		// The check needs only the sources that the statement names.
		if bytes.Contains(table.Plan.JSON, []byte(strconv.Quote(name))) {
			schema.Add(name, k.facts[sources[i].ID], described(k.meaning, sources[i].ID))
		}
	}
	return guard.Judge(table.Plan.JSON, schema)
}

// withhold returns the output in place of a result with a wrong total; nil if it is shown. A model is told how to mend its
// query, and a provider that cannot mend it gets what people are to read.
func (r *run) withhold(ctx context.Context, sources []domain.DataSource, a RunQueryArgs, faults []guard.Fault) *toolOutput {
	refused := slices.DeleteFunc(slices.Clone(faults), func(f guard.Fault) bool {
		return len(strings.TrimSpace(a.Reason)) >= reasonMin && slices.Contains(a.Accept, f.Kind)
	})
	if len(refused) == 0 || r.withheld >= mends && !r.plans() {
		return nil
	}
	refused = refused[:min(len(refused), warningsMax)]
	lines := make([]string, 0, len(refused))
	if r.plans() {
		for _, line := range r.warnings(ctx, sources, refused) {
			lines = append(lines, strings.TrimPrefix(line, guard.Sign))
		}
	} else {
		for i := range refused {
			lines = append(lines, "Not run: "+refused[i].Model)
		}
	}
	failed := domain.AnswerCheck{Kind: domain.CheckRows, Outcome: domain.CheckFailed, Note: refused[0].People}
	return &toolOutput{
		Result: ToolResult{Error: strings.Join(lines, "\n"), Withheld: true}, Basis: basis{Checks: []domain.AnswerCheck{failed}},
	}
}

// mend is what is said in place of a result that failed a check: to a model how it mends its query, and otherwise what people
// read.
func (r *run) mend(report *check.Report, written bool) string {
	switch {
	case !written:
		return report.Withheld()
	case r.plans():
		return report.WithheldWritten()
	}
	return report.Fix()
}

// plans reports whether the provider plans without a model. It makes the same query again, so an error does not help it.
func (r *run) plans() bool {
	p, ok := r.provider.(interface{ Plans() bool })
	return ok && p.Plans()
}

// warnings are the lines that people read above a table, each with the true figure where it is known.
func (r *run) warnings(ctx context.Context, sources []domain.DataSource, faults []guard.Fault) []string {
	var out []string
	for i := range faults[:min(len(faults), warningsMax)] {
		f := &faults[i]
		var result *domain.ResultSet
		if f.Control != nil {
			var err error
			// Without the true figure the warning says what is wrong.
			if result, err = r.timed(ctx, sources, f.Control.SQL); err != nil {
				r.cfg.Log.LogAttrs(ctx, slog.LevelWarn, "a control query failed", slog.Any("error", err))
				result = nil
			}
		}
		out = append(out, oneLine(f.Line(result, r.cfg.Clock.Now()), 600))
	}
	return out
}

// remarks are everything that people read above a table.
func (o *toolOutput) remarks() []string {
	out := slices.Clone(o.Warnings)
	for _, line := range []string{o.Unchecked, o.Checked} {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}
