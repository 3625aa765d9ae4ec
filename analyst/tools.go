package analyst

// The tools of a model. Each reads the rights of the person when it runs (G15). Its result is text for the model; a query also
// shows a table to people. The model gets the errors and can correct its call.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"parley.dev/parley/analyst/guard"
	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
)

// sqlMax is the maximum number of bytes of one query.
const sqlMax = 20 << 10

// queryResult is the result of a query that later calls may name.
type queryResult struct {
	ref   string
	title string
	table *domain.ResultSet
	// chart means that a chart is made of it even if the model does not ask for one.
	chart bool
	// object is the id of the table that people see.
	object uuid.UUID
	// aside means that it is only for the text of the answer.
	aside bool
	// basis is the grade and the checks that the answer gets from it.
	basis basis
}

// attachment is a display object that waits for its message.
type attachment struct {
	Object domain.DisplayObject `json:"object"`
	// Answer and Summary say which messages must still show it.
	Answer  bool `json:"answer,omitempty"`
	Summary bool `json:"summary,omitempty"`
}

// attachmentsFor returns the objects that a message of this channel must show. Two messages may show
// the same file; each gets an object of its own.
func (r *run) attachmentsFor(c Channel) []domain.DisplayObject {
	var out []domain.DisplayObject
	for i := range r.pending {
		p := &r.pending[i]
		switch {
		case c == ChannelAnswer && p.Answer:
			p.Answer = false
			r.hasChart = r.hasChart || p.Object.Type == domain.DisplayHighcharts
			out = append(out, p.Object)
		case c == ChannelSummary && p.Summary:
			p.Summary = false
			o := p.Object
			o.ID = domain.NewID()
			out = append(out, o)
		}
	}
	return out
}

// listSources lists the tables of the conversation's connectors that the person may use now.
func (r *run) listSources(ctx context.Context, _ struct{}) (*toolOutput, error) {
	sources, err := r.readable(ctx)
	if err != nil {
		return nil, err
	}
	if len(sources) == 0 {
		return &toolOutput{Result: ToolResult{Text: "No data source is attached, or none may be read."}}, nil
	}
	var b strings.Builder
	for _, t := range Tables(sources) {
		fmt.Fprintf(&b, "source %d %s: table %s, %d rows, %d columns", t.SourceID, oneLine(t.Source, 80), t.Name, t.Rows, len(t.Columns))
		if about := t.about(); about != "" {
			fmt.Fprintf(&b, " (%s)", oneLine(about, 200))
		}
		b.WriteByte('\n')
	}
	for _, unread := range Unread(sources) {
		b.WriteString("source " + unread + "\n")
	}
	return &toolOutput{Result: ToolResult{Text: r.asData(r.fit(b.String()))}}, nil
}

// describeSource describes one connector, or all of them, with more columns than the prompt.
func (r *run) describeSource(ctx context.Context, a DescribeSourceArgs) (*toolOutput, error) {
	sources, err := r.readable(ctx)
	if err != nil {
		return nil, err
	}
	want := strings.TrimSpace(strings.ToLower(a.Source))
	tables := Tables(sources)
	var b strings.Builder
	i, m := 0, r.readKnowledge(ctx, sources).meaning
	var shown []Table
	// Tables has the same order as the resources of the sources, so one counter is enough for both.
	for s := range sources {
		if notice := sources[s].Notice(); notice != "" && (want == "" || want == strconv.FormatInt(sources[s].ID, 10) ||
			want == strings.ToLower(sources[s].Name)) {
			b.WriteString(oneLine(sources[s].Name, 80) + ": " + notice + "\n")
		}
		for _, res := range sources[s].Resources {
			t := &tables[i]
			i++
			if want == "" || want == strconv.FormatInt(t.SourceID, 10) || want == strings.ToLower(t.Source) || want == strings.ToLower(t.Name) {
				b.WriteString(describeTable(t, m, res.Preview, wordsOf(r.question()), 200))
				shown = append(shown, *t)
			}
		}
	}
	for _, line := range append(semantic.AboutLinks(m, namesIn(shown)), semantic.Complete(m, namesIn(shown))...) {
		b.WriteString(line + "\n")
	}
	if b.Len() == 0 {
		return nil, domain.Errorf(domain.CodeNotFound, "There is no such data source in this conversation.")
	}
	return &toolOutput{Result: ToolResult{Text: r.asData(r.fit(b.String()))}}, nil
}

// runQuery runs a query. The rights are read here, when the tool runs.
func (r *run) runQuery(ctx context.Context, a RunQueryArgs) (*toolOutput, error) {
	sql := strings.TrimSpace(a.SQL)
	// These checks are cheap and protect the workbench, which checks the statement itself.
	switch {
	case sql == "":
		return nil, domain.Errorf(domain.CodeInvalid, "The query is empty.")
	case len(sql) > sqlMax || !domain.Storable(sql):
		return nil, domain.Errorf(domain.CodeInvalid, "The query is too long, or contains characters that cannot be used.")
	}
	a.SQL = sql
	return r.query(ctx, a)
}

// query runs a statement and checks its totals.
func (r *run) query(ctx context.Context, a RunQueryArgs) (*toolOutput, error) {
	sources, err := r.readable(ctx)
	if err != nil {
		return nil, err
	}
	if len(sources) == 0 {
		return nil, domain.Errorf(domain.CodeForbidden, "No data source is attached, or none may be read any more.")
	}
	if err := r.sink.Progress(ctx, "Running a query: "+cmp.Or(oneLine(a.Title, 80), "no title")); err != nil {
		return nil, wrap(err, "report a query")
	}
	checks, written := r.checks(a)
	table, err := r.controlled(ctx, sources, a.SQL, domain.QueryControl{SQL: checks.Control, Derived: written})
	if err != nil {
		return nil, err
	}
	verdict := r.judge(ctx, sources, table, written)
	if a.oneTable {
		verdict = ofStatistic(verdict)
	}
	var derived *guard.Derived
	if written {
		checks, derived = derivedChecks(table.Plan.JSON)
		if table.Plan.Remote {
			// Only the guard judges these totals: a control would cost the owner of the database a second query.
			checks.Control, checks.Repeats, derived.Unchecked = "", nil, nil
		}
	}
	table.Plan = domain.QueryPlan{}
	if withheld := r.withhold(ctx, sources, a, verdict.Faults); withheld != nil {
		return withheld, nil
	}
	if written && len(verdict.Faults) > 0 {
		// The faults are shown with the result, and the control would report them again.
		checks.Repeats = nil
	}
	report := r.verify(ctx, sources, checks, written, table)
	if why := r.correction(report, written); why != "" {
		failed := basis{Checks: basisOf(&verdict, report, derived, "").Checks}
		return &toolOutput{Result: ToolResult{Error: why, Withheld: true, Check: report}, Basis: failed}, nil
	}
	// The columns of a result are derived from those of the tables and the SQL (docs/contract.md,
	// units and headings).
	table.Shown = columns.Shown(a.SQL, readBy(sources), table)
	// The number counts the results of this turn, so a replay gives the same names.
	ref := refOf(r.job.Prompt.Seq, len(r.results)+1)
	out := &toolOutput{Ref: ref, Result: ToolResult{Table: table, Check: report}, Warnings: r.warnings(ctx, sources, verdict.Faults)}
	if len(verdict.Unchecked) > 0 {
		out.Unchecked = uncheckedRows(verdict.Unchecked)
	}
	assumed := ""
	var taken *domain.Assumption
	if written {
		assumed, taken = assumedSum(r.meaning, derived)
		if report != nil {
			out.Checked = cmp.Or(report.Empty, report.Line())
		}
	}
	out.Basis = basisOf(&verdict, report, derived, assumed)
	out.Basis.Assumption = taken
	out.Result.Text = r.resultText(ref, table)
	if remarks := out.remarks(); len(remarks) > 0 {
		out.Result.Text += "\nPeople read above the table:\n" + r.asData(strings.Join(remarks, "\n"))
	}
	return out, nil
}

// ofStatistic leaves out what a statistic of one table does on the way to its figures: it reads the table once for each column,
// and makes sums, squares and ratios of any number to get its mean and its deviation, also of rates and levels.
func ofStatistic(v guard.Verdict) guard.Verdict {
	v.Unchecked = slices.DeleteFunc(v.Unchecked, func(why string) bool { return guard.IsOverlap(why) || guard.IsMade(why) })
	v.Faults = slices.DeleteFunc(v.Faults, func(f guard.Fault) bool { return f.Kind == guard.RateSum || f.Kind == guard.LevelSum })
	return v
}

// runTimed runs a statement within the time limit of a query.
func (r *run) runTimed(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error) {
	return r.controlled(ctx, sources, sql, domain.QueryControl{})
}

// controlled runs a statement, with its control if there is one and the workbench supports it, within the time limit of a
// query.
func (r *run) controlled(
	ctx context.Context, sources []domain.DataSource, sql string, control domain.QueryControl,
) (*domain.ResultSet, error) {
	// The timer uses the configured clock, so a test needs no real time.
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slow := domain.Errorf(domain.CodeTooLarge, "The query took too long and was ended.")
	timer := r.cfg.Clock.AfterFunc(r.cfg.QueryTimeout, func() { cancel(slow) })
	defer timer.Stop()
	var table *domain.ResultSet
	var err error
	if w, ok := r.cfg.Workbench.(ControlledWorkbench); ok && !control.IsZero() {
		table, err = w.Controlled(limited, sources, sql, control)
	} else {
		table, err = r.cfg.Workbench.Query(limited, sources, sql)
	}
	// The end of the turn is not a timeout of the query.
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(limited), slow) {
		return nil, slow
	}
	return table, wrap0(err, "run a query")
}

// readBy returns the tables of the sources in the form for the package columns.
func readBy(sources []domain.DataSource) []columns.Table {
	tables := Tables(sources)
	out := make([]columns.Table, 0, len(tables))
	for i := range tables {
		t := &tables[i]
		out = append(out, columns.Table{Name: t.Name, Dictionary: t.Dictionary, Columns: t.Columns})
	}
	return out
}

// resultText returns a result as a model reads it: the first rows and the number of rows.
func (r *run) resultText(ref string, t *domain.ResultSet) string {
	rows := len(t.Rows)
	body := CSV(t, rows)
	shown := rows
	// The number of rows is estimated from their size, and the loop corrects the estimate.
	for tokens(body) > r.budgets.result && shown > 1 {
		shown = max(1, min(shown/2, shown*r.budgets.result/tokens(body)))
		body = CSV(t, shown)
	}
	note := fmt.Sprintf("Result %s: %d rows, %d columns", ref, rows, len(t.Columns))
	if t.Truncated {
		note += ", cut at the limit: there are more rows than these"
	}
	if shown < rows {
		note += fmt.Sprintf("; the first %d follow", shown)
	}
	return note + ".\n" + r.asData(r.fit(body))
}

// fit shortens a text to the budget of one result.
func (r *run) fit(s string) string { return oneText(s, 4*r.budgets.result) }

// queryResultOf returns what later calls and the summary need of a result.
func (r *run) queryResultOf(call ToolCall, out *toolOutput) *queryResult {
	// The arguments were valid when the query ran, so decoding cannot fail here.
	a, _ := out.query(call)
	return &queryResult{
		ref: out.Ref, title: a.Title, table: out.Result.Table, chart: a.Chart == nil || *a.Chart, object: out.Result.Object,
		aside: a.Aside, basis: out.Basis,
	}
}

// result returns a result of this turn or of an earlier one by its name; an empty name means the latest.
func (r *run) result(ctx context.Context, ref string) (*queryResult, error) {
	ref = strings.TrimSpace(ref)
	if ref == "" {
		if n := len(r.results); n > 0 {
			return r.results[n-1], nil
		}
		// A step of a plan does not use a result from before the plan by accident.
		if n := len(r.earlierResults); n > 0 && r.planStep == nil {
			return r.openEarlier(ctx, r.earlierResults[n-1])
		}
		return nil, domain.Errorf(domain.CodeInvalid, "There is no result yet: run a query first.")
	}
	for _, t := range r.results {
		// Models do not always keep the case of a name.
		if strings.EqualFold(t.ref, ref) {
			return t, nil
		}
	}
	for _, e := range r.earlierResults {
		if strings.EqualFold(e.ref, ref) {
			return r.openEarlier(ctx, e)
		}
	}
	latest := "there is none yet: run a query first"
	if n := len(r.results); n > 0 {
		latest = "the latest is " + r.results[n-1].ref
	} else if n := len(r.earlierResults); n > 0 {
		latest = "the latest is " + r.earlierResults[n-1].ref
	}
	return nil, domain.Errorf(domain.CodeInvalid, "There is no result %q; %s.", domain.Shorten(ref, 20), latest)
}

// makeChart makes a chart of a result. The call may choose among the kinds that suit the
// columns; it cannot set other options.
func (r *run) makeChart(ctx context.Context, a MakeChartArgs) (*toolOutput, error) {
	t, err := r.result(ctx, a.Result)
	if err != nil {
		return nil, err
	}
	chart, err := specialist.DeriveChart(t.table, specialist.ChartWish{Kind: specialist.Kind(a.Kind), Title: cmp.Or(a.Title, t.title)})
	if err != nil {
		return nil, domain.Errorf(domain.CodeInvalid, "%s", err.Error())
	}
	return r.storeChart(ctx, chart)
}

// storeChart stores a chart. The answer shows it, and the summary as well.
func (r *run) storeChart(ctx context.Context, chart *specialist.Chart) (*toolOutput, error) {
	o, err := r.store(ctx, domain.NewID(), domain.DisplayHighcharts, cmp.Or(chart.Title, "Chart"), "", chart.Options)
	if err != nil {
		return nil, err
	}
	o.Columns = chart.Columns
	return &toolOutput{
		Result:  ToolResult{Text: "Made a " + chart.Describe() + ".", Chart: chart.Options, Object: o.ID},
		Pending: []attachment{{Object: *o, Answer: true, Summary: true}},
	}, nil
}

// chartByDefault makes a chart of the last result if the model has not asked for one.
// No chart is made if there is no new result, or if the agent's charts are switched off.
func (r *run) chartByDefault(ctx context.Context) error {
	if r.chartMade || len(r.results) == r.firstResult || r.agent.ChartReview.Disabled {
		return nil
	}
	t := r.results[len(r.results)-1]
	if !t.chart {
		return nil
	}
	// The agent's instructions may say that charts are not wanted.
	kind, none := r.preferredKind()
	if none {
		return nil
	}
	chart, err := specialist.DeriveChart(t.table, specialist.ChartWish{Kind: kind, Title: t.title})
	if err != nil {
		// Not every result makes a chart; the table is shown in any case.
		r.cfg.Log.LogAttrs(ctx, slog.LevelDebug, "result makes no chart", slog.String("reason", err.Error()))
		return nil
	}
	out, err := r.storeChart(ctx, chart)
	if err != nil {
		return err
	}
	r.pending = append(r.pending, out.Pending...)
	return nil
}

// preferredKind returns the kind of a chart that the model did not ask for: from the agent's settings
// for charts, or else from the memories about charts.
func (r *run) preferredKind() (kind specialist.Kind, none bool) {
	kind, none = specialist.PreferredKind(r.agent.ChartReview.SpecialInstructions)
	for i := range r.memories.charts {
		if kind == "" && !none {
			kind, _ = specialist.PreferredKind(r.memories.charts[i].Response)
		}
	}
	return kind, none
}

// saveFile stores a result as a file. Its key depends on the step, so that a second attempt of the turn
// does not store a second file.
func (r *run) saveFile(ctx context.Context, a SaveFileArgs) (*toolOutput, error) {
	t, err := r.result(ctx, a.Result)
	if err != nil {
		return nil, err
	}
	name := fileName(cmp.Or(strings.TrimSuffix(a.Name, ".csv"), t.title, "result")) + ".csv"
	id := uuid.NewSHA1(r.job.Turn.ID, []byte("file/"+strconv.Itoa(r.step)))
	o, err := r.store(ctx, id, domain.DisplayCSV, name, "", []byte(CSV(t.table, -1)))
	if err != nil {
		return nil, err
	}
	// The object gets a new id in each attempt; the file key stays the same.
	o.ID, o.Columns = domain.NewID(), t.table.Shown
	return &toolOutput{
		Result:  ToolResult{Text: fmt.Sprintf("Saved %d rows as %s.", len(t.table.Rows), name), Object: o.ID},
		Pending: []attachment{{Object: *o, Answer: true}},
	}, nil
}
