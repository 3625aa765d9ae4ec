package analyst

// The check of totals, at the one place where all queries run: those of models, of the planner, of memories and of a plan's
// steps. The package guard judges them; this file decides what follows.

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
	// correctionsMax is the maximum number of errors about totals that a model gets in one turn. After them its result is shown
	// with a warning, because a model that cannot correct its query would retry endlessly.
	correctionsMax = 2
	// warningsMax is the maximum number of faults in one message.
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

// judge judges the plan that came with a result. written means that the statement was not generated here.
func (r *run) judge(ctx context.Context, sources []domain.DataSource, table *domain.ResultSet, written bool) guard.Verdict {
	switch {
	case table.Plan.OneTable && !written:
		// The query tree that generated it has no wrong total of one table.
		return guard.Verdict{}
	case table.Plan.Missing != "":
		return guard.Verdict{Unchecked: []string{table.Plan.Missing}}
	case len(table.Plan.JSON) == 0:
		return guard.Verdict{}
	}
	schema, k := guard.NewSchema(), r.readKnowledge(ctx, sources)
	for i := range sources {
		name := SchemaName(sources[i].ID)
		// Only the sources that the statement names are needed.
		switch {
		case !bytes.Contains(table.Plan.JSON, []byte(strconv.Quote(name))):
		case sources[i].IsWarehouse():
			schema.AddDeclared(name, sources[i].Resources, described(k.meaning, sources[i].ID))
		case k.facts[sources[i].ID] == nil:
			schema.AddUnmeasured(name, sources[i].Resources, described(k.meaning, sources[i].ID))
		default:
			schema.Add(name, k.facts[sources[i].ID], described(k.meaning, sources[i].ID))
		}
	}
	return guard.Judge(table.Plan.JSON, schema)
}

// withhold returns the output that replaces a result with a wrong total; nil if the result is shown. A model gets the text with
// which it can correct its query, and a provider that cannot correct it gets the text for people.
func (r *run) withhold(ctx context.Context, sources []domain.DataSource, a RunQueryArgs, faults []guard.Fault) *toolOutput {
	refused := slices.DeleteFunc(slices.Clone(faults), func(f guard.Fault) bool {
		return len(strings.TrimSpace(a.Reason)) >= reasonMin && slices.Contains(a.Accept, f.Kind)
	})
	if len(refused) == 0 || r.withheld >= correctionsMax && !r.plans() {
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

// correction returns the message that replaces a rejected result: for a model how to correct its query, otherwise the text for
// people. It is empty if the result is not rejected.
func (r *run) correction(report *check.Report, written bool) string {
	switch {
	case !written:
		return report.Withheld()
	case r.plans():
		return report.WithheldWritten()
	}
	return report.Fix()
}

// plans reports whether the provider plans without a model. It generates the same query again, so an error does not help it.
func (r *run) plans() bool {
	p, ok := r.provider.(interface{ Plans() bool })
	return ok && p.Plans()
}

// warnings returns the lines above a table for people, each with the correct figure if it is known.
func (r *run) warnings(ctx context.Context, sources []domain.DataSource, faults []guard.Fault) []string {
	var out []string
	for i := range faults[:min(len(faults), warningsMax)] {
		f := &faults[i]
		var result *domain.ResultSet
		if f.Control != nil {
			var err error
			// Without the correct figure the warning still says what is wrong.
			if result, err = r.runTimed(ctx, sources, f.Control.SQL); err != nil {
				r.cfg.Log.LogAttrs(ctx, slog.LevelWarn, "a control query failed", slog.Any("error", err))
				result = nil
			}
		}
		out = append(out, oneLine(f.Line(result, r.cfg.Clock.Now()), 600))
	}
	return out
}

// remarks returns all lines above a table for people.
func (o *toolOutput) remarks() []string {
	out := slices.Clone(o.Warnings)
	for _, line := range []string{o.Unchecked, o.Checked} {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}
