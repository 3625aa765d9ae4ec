package workbench

// Measurements of prepared files, in a worker of their own kind: it has more memory and time than a query and a folder to
// spill to, and only one runs at a time, with less claim to the processor than queries have.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

const (
	defaultFactsDeadline = 2 * time.Minute
	// factsAnswer is how long before its deadline a worker stops to measure, so that it can answer with what it has.
	factsAnswer = 5 * time.Second
	// factsMemory is for the engine. The process may have as much again for what the engine does not count.
	factsMemory = 512 << 20
	factsSpill  = 4 << 30
	// factsQueue is how many measurements may wait. A node asks for one after the other.
	factsQueue = 4
	// factsBytes is the maximum size of the facts of one source. Of tables beyond it only the keys are kept.
	factsBytes = 4 << 20
	// factTextMax is the maximum length of an end of a range, and factNames that of a list of columns.
	factTextMax, factNames = 100, maxFileColumns
)

func factsLimits(deadline time.Duration) limits {
	return limits{address: 4 << 30, data: 1 << 30, cpu: deadline + 2*time.Second, files: 128, fileSize: factsSpill}
}

// MeasureFacts measures the tables of a prepared file and the links between them. The facts of the file before may be nil;
// with them the answer also says which of its keys are lost. Errors: CodeInvalid, CodeTooMany, CodeUnavailable.
func (b *Bench) MeasureFacts(ctx context.Context, source *domain.DataSource, before *domain.SourceFacts) (*domain.SourceFacts, error) {
	measured, err := b.measure(ctx, []domain.DataSource{*source}, []*domain.SourceFacts{before})
	if err != nil {
		return nil, err
	}
	if measured.Facts == nil {
		return nil, domain.Internal(errors.New("no facts in the answer"), "measure a file")
	}
	if err := checkFacts(source, measured.Facts); err != nil {
		return nil, domain.Internal(err, "read facts")
	}
	return boundFacts(measured.Facts), nil
}

// MeasureLinks measures the links between the tables of two prepared files, whose facts are known. The errors are those of
// MeasureFacts.
func (b *Bench) MeasureLinks(ctx context.Context, sources [2]domain.DataSource, known [2]domain.SourceFacts) ([]domain.SourceLink, error) {
	measured, err := b.measure(ctx, sources[:], []*domain.SourceFacts{&known[0], &known[1]})
	if err != nil {
		return nil, err
	}
	out := []domain.SourceLink{}
	for i, links := range [][]domain.LinkFacts{measured.Forward, measured.Backward} {
		from, to := &sources[i], &sources[1-i]
		for _, l := range links {
			if err := checkLink(from, to, &l); err != nil {
				return nil, domain.Internal(err, "read links")
			}
			out = append(out, domain.SourceLink{FromSource: from.ID, ToSource: to.ID, LinkFacts: l})
		}
	}
	return out, nil
}

// measure lets a new worker measure. Its folder has links to the prepared files, and room for what the engine spills; it is
// removed with all of it when the worker has ended.
func (b *Bench) measure(ctx context.Context, sources []domain.DataSource, known []*domain.SourceFacts) (*frame.Measured, error) {
	release, err := b.admit(ctx, b.measuring, organisationOf(sources))
	if err != nil {
		return nil, err
	}
	defer release()
	w, err := b.spawn(ctx, factsLimits(b.config.FactsDeadline))
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("measure a file: %w", context.Cause(ctx))
		}
		b.config.Log.ErrorContext(ctx, "worker did not start", slog.Any("error", err))
		return nil, connectors.Busy(domain.CodeUnavailable)
	}
	defer w.end()
	lowerPriority(w.cmd.Process)
	databases, err := b.link(ctx, w, sources)
	if err != nil {
		return nil, err
	}
	if len(databases) != len(known) {
		return nil, domain.Errorf(domain.CodeInvalid, "There is nothing to measure in this connector.")
	}
	request := &frame.Facts{
		Memory: factsMemory, Spill: factsSpill, Millis: int(max(b.config.FactsDeadline-factsAnswer, b.config.FactsDeadline/2).Milliseconds()),
	}
	for i, of := range known {
		d := &databases[i]
		request.Databases = append(request.Databases, frame.FactsDatabase{File: d.File, Tables: tablesOf(d.Views), Known: of})
	}
	reply, err := w.ask(ctx, b.config.Clock, b.config.FactsDeadline, frame.Request{Kind: frame.KindFacts, Facts: request})
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("measure a file: %w", context.Cause(ctx))
		}
		b.config.Log.WarnContext(ctx, "worker died", slog.Any("error", err), slog.String("stderr", w.said()))
		return nil, domain.Errorf(domain.CodeInvalid, "The file could not be measured within the limits of memory and time.").WithCause(err)
	}
	if reply.Measured == nil {
		return nil, faultError(reply.Fault)
	}
	return reply.Measured, nil
}

func tablesOf(views []frame.View) []string {
	out := make([]string, len(views))
	for i, v := range views {
		out[i] = v.Table
	}
	return out
}

// checkFacts checks what a worker says about a file: it has read untrusted bytes, and its facts decide which queries are
// refused. The tables and the columns must be those of the source, and no number is negative.
func checkFacts(source *domain.DataSource, facts *domain.SourceFacts) error {
	seen := map[string]bool{}
	for i := range facts.Tables {
		t := &facts.Tables[i]
		resource := resourceOf(source, t.Table)
		if resource == nil || seen[t.Table] || t.Rows < 0 {
			return fmt.Errorf("facts of the table %q", domain.Shorten(t.Table, factTextMax))
		}
		seen[t.Table] = true
		lists := slices.Clone(t.Keys)
		for _, implied := range t.Implied {
			lists = append(lists, implied.By, implied.Columns)
		}
		if t.Panel != nil {
			named, err := checkPanel(t.Panel)
			if err != nil {
				return err
			}
			lists = append(lists, named...)
		}
		if r := t.Running; r != nil {
			named, err := checkSeries(r.Series)
			if err != nil {
				return err
			}
			lists = append(append(lists, r.Entity, []string{r.Time}), named...)
		}
		for j := range t.Columns {
			if err := checkColumn(&t.Columns[j], t.Rows); err != nil {
				return err
			}
			lists = append(lists, []string{t.Columns[j].Name})
		}
		if !known(resource, lists...) {
			return fmt.Errorf("columns of the table %q", t.Table)
		}
	}
	for i := range facts.Links {
		if err := checkLink(source, source, &facts.Links[i]); err != nil {
			return err
		}
	}
	for _, l := range facts.Lost {
		if resource := resourceOf(source, l.Table); resource == nil || !known(resource, l.Columns) || min(l.Repeated, l.Missing) < 0 {
			return fmt.Errorf("a lost key of the table %q", domain.Shorten(l.Table, factTextMax))
		}
	}
	return nil
}

// checkPanel checks the numbers of a panel, shortens its periods, and returns the columns that it names.
func checkPanel(p *domain.PanelFacts) (lists [][]string, err error) {
	named, err := checkSeries(p.Series)
	if err != nil {
		return nil, err
	}
	lists = append([][]string{p.Entity, {p.Period}}, named...)
	if len(p.Recent) > factNames || p.Lived < 0 {
		return nil, errors.New("the periods of a panel")
	}
	for i := range p.Recent {
		r := &p.Recent[i]
		if r.Rows < 0 {
			return nil, errors.New("the rows of a period")
		}
		r.Period = domain.Clean(domain.Shorten(r.Period, factTextMax))
	}
	for _, f := range p.Flags {
		lists = append(lists, []string{f.Column})
		if f.Last < 0 || f.Last > f.Yes {
			return nil, fmt.Errorf("the flag %q", f.Column)
		}
	}
	for _, b := range p.Births {
		lists = append(lists, []string{b.Column})
		if b.Equal < 0 || b.Equal > b.Entities {
			return nil, fmt.Errorf("the births of %q", b.Column)
		}
	}
	return lists, nil
}

// checkSeries checks the numbers of series, and returns the columns that they name.
func checkSeries(all []domain.SeriesFacts) (lists [][]string, err error) {
	for _, s := range all {
		lists = append(lists, []string{s.Column})
		if s.ChangeColumn != "" {
			lists = append(lists, []string{s.ChangeColumn})
		}
		if min(s.SampledEntities, s.Steps, s.Equal, s.Falling, s.Rising, s.Zero, s.Values) < 0 {
			return nil, fmt.Errorf("the series %q", s.Column)
		}
	}
	return lists, nil
}

// checkColumn checks the numbers of a column and shortens its ends.
func checkColumn(c *domain.ColumnFacts, rows int64) error {
	if c.Missing < 0 || c.Missing > rows || c.Distinct != nil && (*c.Distinct < 0 || *c.Distinct > rows) {
		return fmt.Errorf("the numbers of the column %q", domain.Shorten(c.Name, factTextMax))
	}
	for _, end := range []*string{c.Min, c.Max} {
		if end != nil {
			*end = domain.Clean(domain.Shorten(*end, factTextMax))
		}
	}
	return nil
}

// checkLink checks the ends and the numbers of a link.
func checkLink(from, to *domain.DataSource, l *domain.LinkFacts) error {
	child, home := resourceOf(from, l.FromTable), resourceOf(to, l.ToTable)
	if child == nil || home == nil || !known(child, l.From) || !known(home, l.To) || len(l.From) != len(l.To) || l.Matched < 0 ||
		l.Matched > l.Distinct || l.Orphans < 0 {
		return fmt.Errorf("a link of the table %q", domain.Shorten(l.FromTable, factTextMax))
	}
	return nil
}

func resourceOf(source *domain.DataSource, table string) *domain.DataResource {
	for i := range source.Resources {
		if source.Resources[i].Table == table {
			return &source.Resources[i]
		}
	}
	return nil
}

// known reports whether all names are columns of the table, and no list is empty or longer than a table is wide.
func known(resource *domain.DataResource, lists ...[]string) bool {
	names := make(map[string]bool, len(resource.Columns))
	for i := range resource.Columns {
		names[resource.Columns[i].Name] = true
	}
	for _, list := range lists {
		if len(list) == 0 || len(list) > factNames || slices.ContainsFunc(list, func(name string) bool { return !names[name] }) {
			return false
		}
	}
	return true
}

// boundFacts keeps facts within factsBytes: of the tables that do not fit, the keys are kept, which the check of queries
// needs most.
func boundFacts(facts *domain.SourceFacts) *domain.SourceFacts {
	size := 0
	for i := range facts.Tables {
		t := &facts.Tables[i]
		body, err := json.Marshal(t)
		if size += len(body); err == nil && size <= factsBytes {
			continue
		}
		facts.Tables[i] = domain.TableFacts{
			Table: t.Table, Rows: t.Rows, Keys: t.Keys, Columns: []domain.ColumnFacts{},
			Unmeasured: []domain.FactPart{domain.FactDistinct, domain.FactImplied, domain.FactPanel},
		}
	}
	return facts
}
