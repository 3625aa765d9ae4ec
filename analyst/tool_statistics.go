package analyst

// The tool statistics: a typed request becomes one SELECT (package statistics), which runs and is shown like a query of
// run_query, with the same rights, checks and limits.

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"parley.dev/parley/analyst/statistics"
	"parley.dev/parley/domain"
)

// StatisticsArgs are the arguments of the tool statistics. Either Table or SQL selects the rows.
type StatisticsArgs struct {
	Kind    string    `json:"kind"`
	Table   string    `json:"table,omitempty"`
	SQL     string    `json:"sql,omitempty"`
	Columns []string  `json:"columns"`
	By      string    `json:"by,omitempty"`
	Method  string    `json:"method,omitempty"`
	K       float64   `json:"k,omitempty"`
	Rows    bool      `json:"rows,omitempty"`
	Step    string    `json:"step,omitempty"`
	Bins    int       `json:"bins,omitempty"`
	Edges   []float64 `json:"edges,omitempty"`
	Groups  []string  `json:"groups,omitempty"`
	Title   string    `json:"title,omitempty"`
}

// statisticsSpec describes the tool to a model.
func statisticsSpec() (description, schema string) {
	kinds := make([]string, 0, len(statistics.Kinds()))
	for _, k := range statistics.Kinds() {
		kinds = append(kinds, strconv.Quote(string(k)))
	}
	return "Computes a statistic by one query; people see its table. Columns by kind: profile, jarque_bera, dagostino: any; outliers, bins: " +
			"one; correlation: two or more, all pairs; regression: the dependent one, then its predictors; percent_change: the numbers, then the " +
			"dates; welch_t, mann_whitney, anova: one, with by; paired_t, chi_square: two. In SQL of your own you may use p_t(t, df), p_f(f, d1, " +
			"d2), p_chi2(x, df), p_normal(z).",
		`{"type":"object","properties":{"kind":{"type":"string","enum":[` + strings.Join(kinds, ",") + `]},` +
			`"table":{"type":"string"},"sql":{"type":"string","description":"a SELECT in place of a table, to filter or join first"},` +
			`"columns":{"type":"array","items":{"type":"string"}},"by":{"type":"string","description":"column of the groups"},` +
			`"method":{"type":"string","enum":["pearson","spearman","z","iqr","sum","mean","width","quantile"],"description":"correlation, ` +
			`outliers, percent_change, bins: the first of the two is the default"},"k":{"type":"number","description":"outliers: 3 for z, 1.5 for ` +
			`iqr"},"rows":{"type":"boolean","description":"outliers: their rows, not their counts"},"step":{"type":"string","enum":["year",` +
			`"quarter","month","week","day","hour"]},"bins":{"type":"integer"},"edges":{"type":"array","items":{"type":"number"}},` +
			`"groups":{"type":"array","items":{"type":"string"},"description":"the two to compare"},"title":{"type":"string"}},` +
			`"required":["kind","columns"],"additionalProperties":false}`
}

// statistics computes a statistic.
func (r *run) statistics(ctx context.Context, a StatisticsArgs) (*toolOutput, error) {
	sources, err := r.readable(ctx)
	if err != nil {
		return nil, err
	}
	from, known, err := r.relation(ctx, sources, a)
	if err != nil {
		return nil, err
	}
	request := statistics.Request{
		Kind: statistics.Kind(a.Kind), From: from, Known: known, Columns: a.Columns, By: a.By, Method: a.Method, K: a.K, Rows: a.Rows,
		Step: a.Step, Count: a.Bins, Edges: a.Edges, Groups: a.Groups,
	}
	sql, err := request.SQL()
	if err != nil {
		return nil, err
	}
	chart := request.Kind == statistics.Bins || request.Kind == statistics.Change
	query := RunQueryArgs{SQL: sql, Title: cmp.Or(oneLine(a.Title, 80), statisticTitle(a)), Chart: &chart, oneTable: a.Table != ""}
	out, err := r.query(ctx, query)
	if err != nil {
		return nil, err
	}
	out.Query = &query
	if t := out.Result.Table; t != nil {
		out.Note = statistics.Used(t)
		out.Result.Text = strings.TrimSpace(out.Note+"\n") + "\n" + out.Result.Text
	}
	return out, nil
}

// statisticTitle is the title of a statistic for which the model gave none.
func statisticTitle(a StatisticsArgs) string {
	title := strings.ReplaceAll(a.Kind, "_", " ") + " of " + strings.Join(a.Columns, ", ")
	if a.By != "" {
		title += " by " + a.By
	}
	return oneLine(strings.ToUpper(title[:1])+title[1:], 80)
}

// relation returns the text after FROM, and its columns.
func (r *run) relation(ctx context.Context, sources []domain.DataSource, a StatisticsArgs) (string, []domain.Column, error) {
	sql := strings.TrimRight(strings.TrimSpace(a.SQL), "; \n\t")
	switch {
	case a.Table != "" && sql != "":
		return "", nil, domain.Errorf(domain.CodeInvalid, "Give a table or sql, not both.")
	case a.Table != "":
		t, err := tableNamed(sources, a.Table)
		if err != nil {
			return "", nil, err
		}
		if !t.Dialect.OfFiles() {
			return "", nil, errElsewhere(t.Dialect)
		}
		return t.Name, t.Columns, nil
	case sql == "":
		return "", nil, domain.Errorf(domain.CodeInvalid, "Say in table or in sql which rows.")
	case len(sql) > sqlMax || !domain.Storable(sql):
		return "", nil, domain.Errorf(domain.CodeInvalid, "The query is too long, or contains characters that cannot be used.")
	}
	// A SELECT over a remote database would run there, where the functions of the statistical tests do not exist.
	tables := Tables(sources)
	for i := range tables {
		if t := &tables[i]; !t.Dialect.OfFiles() && strings.Contains(strings.ToLower(sql), strings.ToLower(t.Name)) {
			return "", nil, errElsewhere(t.Dialect)
		}
	}
	// The line break ends a comment at the end of the model's text.
	from := "(" + sql + "\n)"
	empty, err := r.runTimed(ctx, sources, "SELECT * FROM "+from+" LIMIT 0")
	if err != nil {
		return "", nil, err
	}
	return from, empty.Columns, nil
}

// errElsewhere is the error for a table in a remote database.
func errElsewhere(d domain.Dialect) error {
	return domain.Errorf(domain.CodeInvalid,
		"Statistics run over files, and not in a %s database. Compute it with run_query there.", d.Label())
}

// tableNamed finds a table by its name in SQL.
func tableNamed(sources []domain.DataSource, name string) (*Table, error) {
	tables := Tables(sources)
	names := make([]string, 0, len(tables))
	for i := range tables {
		if strings.EqualFold(tables[i].Name, strings.Trim(strings.TrimSpace(name), `"`)) {
			return &tables[i], nil
		}
		names = append(names, tables[i].Name)
	}
	if len(names) == 0 {
		return nil, domain.Errorf(domain.CodeForbidden, "No data source is attached, or none may be read any more.")
	}
	return nil, domain.Errorf(domain.CodeNotFound, "There is no table %q. The tables are: %s.", domain.Shorten(name, 60),
		domain.Shorten(strings.Join(names, ", "), 1000))
}
