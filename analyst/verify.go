package analyst

// The checks of a result's figures (package check), in addition to the judgement of the statement in totals.go.

import (
	"context"
	"log/slog"

	"parley.dev/parley/analyst/check"
	"parley.dev/parley/domain"
)

// checks returns the checks of a query's result, never nil. written means that the statement was not generated here, so its
// checks are derived from its plan. Checks that a model sends are ignored.
func (r *run) checks(a RunQueryArgs) (plan *check.Plan, written bool) {
	if a.Checks == nil || !r.plans() {
		return &check.Plan{}, true
	}
	return a.Checks, false
}

// verify judges a result and counts the outcomes. An empty result is explained by one more query. It returns nil if nothing was
// checked and nothing is to be explained.
func (r *run) verify(
	ctx context.Context, sources []domain.DataSource, checks *check.Plan, written bool, table *domain.ResultSet,
) *check.Report {
	if checks.Unmade != "" {
		r.cfg.Log.LogAttrs(ctx, slog.LevelError, "the checks of an answer could not be made", slog.String("reason", checks.Unmade))
	}
	report := checks.Judge(table, table.Control)
	table.Control = nil
	if r.cfg.Checked != nil {
		report.Outcomes(func(k check.Kind, o check.Outcome) { r.cfg.Checked(k, o, written) })
	}
	level := slog.LevelError
	if written {
		// The statement was not generated here: its author gets the fault.
		level = slog.LevelWarn
	}
	for _, f := range report.Failures {
		r.cfg.Log.LogAttrs(ctx, level, "a check of an answer failed", slog.String("check", string(f.Kind)),
			slog.String("turn", r.job.Turn.ID.String()))
	}
	if len(report.Failures) == 0 && checks.Empty(table) {
		for _, p := range checks.Reasons() {
			if report.Empty = r.explained(ctx, sources, p); report.Empty != "" {
				break
			}
		}
	}
	if report.IsZero() {
		return nil
	}
	return &report
}

// explained returns why a result is empty; "" if the reason is unknown.
func (r *run) explained(ctx context.Context, sources []domain.DataSource, probe *check.Probe) string {
	found, err := r.runTimed(ctx, sources, probe.SQL)
	if err != nil {
		// The answer "no rows" is correct without the reason.
		r.cfg.Log.LogAttrs(ctx, slog.LevelWarn, "an empty result could not be explained", slog.Any("error", err))
		return ""
	}
	return oneLine(probe.Explain(found), 600)
}
