// Package statistics turns typed requests for statistics into one SELECT over a relation: profiles of columns, outliers,
// correlations, regressions, changes over time, bins and tests with p-values. Every figure is computed by the engine, so
// people see in the query how it was made. docs/statistics.md has each formula with its source.
//
// The statements are written in DuckDB's dialect and use the functions p_t, p_f, p_chi2 and p_normal of the worker
// (cmd/parley-worker/pvalue.go), so they run over files and not in warehouses.
//
// Rules that hold for all of them: a value that is missing, NaN or infinite is left out and counted; spreads are
// computed from differences to the mean, in a second pass, because sums of squares lose all digits of large values; a
// figure that is not defined is NULL with a note that says why, and is never an error or an infinite number.
//
// The package computes texts only: it has no engine and reads nothing.
package statistics
