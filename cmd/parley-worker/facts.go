package main

// The measurement of a prepared file: exact keys, dependencies, panels, statistics and links, for the analyst and for the
// check of queries (domain/facts.go). Estimates and samples decide only what is not worth a proof; whatever is in the
// answer was counted over all rows. It has more memory than a query and a folder to spill to: the exact number of ten
// million different keys does not fit into the memory of a query.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	duckdb "github.com/duckdb/duckdb-go-bindings"

	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

const (
	// countedRows is the number of rows up to which the different values of every column are counted. Above, they are
	// estimated, and counted only where a fact needs it.
	countedRows = 1_000_000
	// countTime, keysTime, impliedTime and panelTime bound one part of the measurement of one table, and linkTime one link, so that
	// the first table of a file cannot use up the time of all others.
	countTime, keysTime, impliedTime, panelTime, linkTime = 40 * time.Second, 30 * time.Second, 30 * time.Second, 30 * time.Second,
		10 * time.Second
)

// errUnfit is the error of a statement that does not fit into the limits. The fact that needs it is left out.
var errUnfit = errors.New("does not fit into the time or the memory of a measurement")

// surveyFacts measures one database, or the links between two.
func surveyFacts(db *database, q *frame.Facts) (*frame.Measured, error) {
	if len(q.Databases) < 1 || len(q.Databases) > 2 {
		return nil, fmt.Errorf("%d databases to measure", len(q.Databases))
	}
	s := &survey{db: db, end: time.Now().Add(time.Duration(q.Millis) * time.Millisecond)}
	settings := []string{
		fmt.Sprintf("SET memory_limit = '%dB'", q.Memory),
		"SET temp_directory = 'spill'",
		fmt.Sprintf("SET max_temp_directory_size = '%dB'", q.Spill),
		// The order of rows means nothing here, and keeping it needs memory.
		"SET preserve_insertion_order = false",
	}
	for i, d := range q.Databases {
		settings = append(settings, fmt.Sprintf("ATTACH %s AS f%d (READ_ONLY)", sqltext.QuoteText(d.File), i))
	}
	for _, sql := range settings {
		if err := db.exec(sql); err != nil {
			return nil, err
		}
	}
	if len(q.Databases) == 2 {
		return s.between(q)
	}
	return s.within(&q.Databases[0])
}

// survey is one measurement.
type survey struct {
	db *database
	// end is when the whole measurement must be over.
	end time.Time
}

// within measures the tables of one database and the links between them.
func (s *survey) within(d *frame.FactsDatabase) (*frame.Measured, error) {
	out := &domain.SourceFacts{Tables: []domain.TableFacts{}}
	tables := make([]*surveyed, 0, len(d.Tables))
	for _, name := range d.Tables {
		t, err := s.open("f0", name)
		if err != nil {
			return nil, err
		}
		err = t.measure()
		if errors.Is(err, errUnfit) {
			// Not even the rows could be counted, so that there is no fact of the table.
			out.Unmeasured = []domain.FactPart{domain.FactTables}
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("measure %s: %w", name, err)
		}
		tables = append(tables, t)
	}
	links, whole, err := s.links(candidates(tables, func(child, home *surveyed) bool { return true }))
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		out.Links = append(out.Links, l.facts)
	}
	if !whole {
		out.Unmeasured = append(out.Unmeasured, domain.FactLinks)
	}
	if d.Known != nil {
		if out.Lost, err = s.lost(tables, d.Known); err != nil {
			return nil, err
		}
	}
	for _, t := range tables {
		out.Tables = append(out.Tables, t.result())
	}
	return &frame.Measured{Facts: out}, nil
}

// between measures the links between the tables of two databases, whose facts are known.
func (s *survey) between(q *frame.Facts) (*frame.Measured, error) {
	var tables []*surveyed
	of := map[*surveyed]int{}
	for i := range q.Databases {
		d := &q.Databases[i]
		for j := range d.Tables {
			t, err := s.open(fmt.Sprintf("f%d", i), d.Tables[j])
			if err != nil {
				return nil, err
			}
			t.adopt(d.Known)
			tables, of[t] = append(tables, t), i
		}
	}
	links, whole, err := s.links(candidates(tables, func(child, home *surveyed) bool { return of[child] != of[home] }))
	if err != nil {
		return nil, err
	}
	// Links that do not fit are measured again by the next try, because an answer has no place for their absence.
	if !whole {
		return nil, domain.Errorf(domain.CodeInvalid, "The links could not be measured within the limits of memory and time.")
	}
	out := &frame.Measured{Forward: []domain.LinkFacts{}, Backward: []domain.LinkFacts{}}
	for _, l := range links {
		if of[l.child] == 0 {
			out.Forward = append(out.Forward, l.facts)
		} else {
			out.Backward = append(out.Backward, l.facts)
		}
	}
	return out, nil
}

// rows runs a statement within a part of the time that is left. It returns errUnfit if the time or the memory does not
// suffice; the statement of a next, smaller part may still fit.
func (s *survey) rows(limit time.Duration, sql string) ([][]string, error) {
	limit = min(limit, time.Until(s.end))
	if limit <= 0 {
		return nil, errUnfit
	}
	// The timer must not interrupt the statement after this one, so it looks whether this one still runs.
	var mu sync.Mutex
	running := true
	timer := time.AfterFunc(limit, func() {
		mu.Lock()
		defer mu.Unlock()
		if running {
			duckdb.Interrupt(s.db.conn)
		}
	})
	found, err := s.db.rows(sql)
	timer.Stop()
	mu.Lock()
	running = false
	mu.Unlock()
	var engine *engineError
	if errors.As(err, &engine) && (isTimeout(engine.message) || isOutOfMemory(engine.message)) {
		return nil, errUnfit
	}
	return found, err
}

// numbers runs a statement that returns one row of numbers. NULL counts as 0.
func (s *survey) numbers(limit time.Duration, sql string) ([]int64, error) {
	found, err := s.rows(limit, sql)
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%d rows of a statement that counts", len(found))
	}
	out := make([]int64, len(found[0]))
	for i, cell := range found[0] {
		if cell == "" {
			continue
		}
		if out[i], err = strconv.ParseInt(cell, 10, 64); err != nil {
			return nil, fmt.Errorf("read a count: %w", err)
		}
	}
	return out, nil
}

// class is what the type of a column allows to measure.
type class int

const (
	classText class = iota
	classInteger
	classDecimal // numbers with a fixed point, which are exact
	classFloat
	classDay
	classTime
	classBoolean
	classOther
)

func classOf(databaseType string) class {
	switch name, _, _ := strings.Cut(databaseType, "("); name {
	case "VARCHAR":
		return classText
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER":
		return classInteger
	case "DECIMAL":
		return classDecimal
	case "DOUBLE", "FLOAT":
		return classFloat
	case "DATE":
		return classDay
	case "TIMESTAMP":
		return classTime
	case "BOOLEAN":
		return classBoolean
	}
	return classOther
}

func (c class) isNumber() bool { return c == classInteger || c == classDecimal || c == classFloat }
func (c class) isTime() bool   { return c == classDay || c == classTime }

// surveyedColumn is a column with what is known about it so far.
type surveyedColumn struct {
	domain.ColumnFacts
	class class
	place int
	words []string
	// estimate is the approximate number of different values, or the exact one if ColumnFacts.Distinct is set.
	estimate int64
}

// surveyed is a table with what is known about it so far.
type surveyed struct {
	s *survey
	// from is the table as FROM names it.
	from    string
	facts   domain.TableFacts
	columns []*surveyedColumn
	// nouns are what a row may be called, by the name of the table.
	nouns []string
}

// open reads the names and the types of a table's columns.
func (s *survey) open(catalog, name string) (*surveyed, error) {
	found, err := s.db.rows("SELECT column_name::VARCHAR, data_type::VARCHAR FROM duckdb_columns() "+
		"WHERE database_name = $1::VARCHAR AND schema_name = 'main' AND table_name = $2::VARCHAR ORDER BY column_index", catalog, name)
	if err != nil {
		return nil, fmt.Errorf("list columns: %w", err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no table %s", name)
	}
	t := &surveyed{s: s, from: catalog + ".main." + sqltext.QuoteName(name), facts: domain.TableFacts{Table: name}, nouns: nounsOf(name)}
	for i, row := range found {
		t.columns = append(t.columns, &surveyedColumn{
			ColumnFacts: domain.ColumnFacts{Name: row[0]}, class: classOf(row[1]), place: i, words: wordsOf(row[0]),
		})
	}
	return t, nil
}

// adopt takes over facts that were measured before.
func (t *surveyed) adopt(known *domain.SourceFacts) {
	if known == nil {
		return
	}
	for i := range known.Tables {
		if known.Tables[i].Table != t.facts.Table {
			continue
		}
		t.facts = known.Tables[i]
		for _, c := range t.columns {
			at := slices.IndexFunc(t.facts.Columns, func(f domain.ColumnFacts) bool { return f.Name == c.Name })
			if at >= 0 {
				c.ColumnFacts = t.facts.Columns[at]
			}
		}
	}
}

// result returns the facts of the table.
func (t *surveyed) result() domain.TableFacts {
	t.facts.Columns = make([]domain.ColumnFacts, len(t.columns))
	for i, c := range t.columns {
		t.facts.Columns[i] = c.ColumnFacts
	}
	return t.facts
}

// leaveOut notes that a part was not measured.
func (t *surveyed) leaveOut(part domain.FactPart) {
	if !slices.Contains(t.facts.Unmeasured, part) {
		t.facts.Unmeasured = append(t.facts.Unmeasured, part)
	}
}

// measure measures all parts of the table.
func (t *surveyed) measure() error {
	for _, part := range []func() error{t.count, t.findKeys, t.findPanel, t.findRunning, t.findImplied, t.findLives} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// count measures the rows and the statistics of the columns.
func (t *surveyed) count() error {
	rows, err := t.s.numbers(countTime, "SELECT count(*)::VARCHAR FROM "+t.from)
	if err != nil {
		return err // without the number of rows there is no fact at all
	}
	t.facts.Rows = rows[0]
	for first := 0; first < len(t.columns); first += batchColumns {
		err := t.edges(t.columns[first:min(first+batchColumns, len(t.columns))])
		if errors.Is(err, errUnfit) {
			// Without the missing values nothing else can be told of the columns.
			t.columns = nil
			t.facts.Unmeasured = []domain.FactPart{
				domain.FactColumns, domain.FactDistinct, domain.FactKeys, domain.FactImplied, domain.FactPanel,
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
	if t.facts.Rows > countedRows {
		return nil
	}
	for _, c := range t.columns {
		switch n, err := t.distinct(keysTime, c); {
		case errors.Is(err, errUnfit):
			t.leaveOut(domain.FactDistinct)
		case err != nil:
			return err
		default:
			c.Distinct, c.estimate = &n, n
		}
	}
	return nil
}

// edges measures what is missing, the minimum and the maximum of some columns, and estimates their different values.
func (t *surveyed) edges(columns []*surveyedColumn) error {
	const each = 4 // cells of a column
	parts := make([]string, 0, each*len(columns))
	for _, c := range columns {
		name, estimate, least, most := sqltext.QuoteName(c.Name), "NULL::VARCHAR", "NULL::VARCHAR", "NULL::VARCHAR"
		if t.facts.Rows > countedRows {
			estimate = "approx_count_distinct(" + name + ")::VARCHAR"
		}
		if c.class.isNumber() || c.class.isTime() {
			least, most = "min("+name+")::VARCHAR", "max("+name+")::VARCHAR"
		}
		parts = append(parts, "(count(*) - count("+name+"))::VARCHAR", estimate, least, most)
	}
	found, err := t.s.rows(countTime, "SELECT "+strings.Join(parts, ", ")+" FROM "+t.from)
	if err != nil {
		return fmt.Errorf("measure columns: %w", err)
	}
	for i, c := range columns {
		cells := found[0][each*i:]
		if c.Missing, err = strconv.ParseInt(cells[0], 10, 64); err != nil {
			return fmt.Errorf("measure columns: %w", err)
		}
		if cells[1] != "" {
			if c.estimate, err = strconv.ParseInt(cells[1], 10, 64); err != nil {
				return fmt.Errorf("measure columns: %w", err)
			}
		}
		// Neither a number nor a time is the empty text, which stands for NULL here.
		if cells[2] != "" {
			c.Min, c.Max = &cells[2], &cells[3]
		}
	}
	return nil
}

// distinct counts the different values of some columns, without the rows in which one of them is missing. The groups are
// counted and not count(DISTINCT), because only groups can be spilled.
func (t *surveyed) distinct(limit time.Duration, columns ...*surveyedColumn) (int64, error) {
	names := listOf(columns)
	found, err := t.s.numbers(limit, fmt.Sprintf("SELECT count(*)::VARCHAR FROM (SELECT 1 FROM %s WHERE %s GROUP BY %s)",
		t.from, noneMissing(columns), names))
	if err != nil {
		return 0, err
	}
	return found[0], nil
}

// exactly returns the exact number of different values of a column, which is counted once.
func (t *surveyed) exactly(limit time.Duration, c *surveyedColumn) (int64, error) {
	if c.Distinct != nil {
		return *c.Distinct, nil
	}
	n, err := t.distinct(limit, c)
	if err != nil {
		return 0, err
	}
	c.Distinct, c.estimate = &n, n
	return n, nil
}

// listOf lists columns for SQL.
func listOf(columns []*surveyedColumn) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = sqltext.QuoteName(c.Name)
	}
	return strings.Join(names, ", ")
}

// noneMissing is the condition that no value of the columns is missing.
func noneMissing(columns []*surveyedColumn) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = sqltext.QuoteName(c.Name) + " IS NOT NULL"
	}
	return strings.Join(parts, " AND ")
}

// namesOf lists the names of columns.
func namesOf(columns []*surveyedColumn) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

// column finds a column by its name.
func (t *surveyed) column(name string) *surveyedColumn {
	for _, c := range t.columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// choose finds several columns by their names; nil if one is missing.
func (t *surveyed) choose(names []string) []*surveyedColumn {
	out := make([]*surveyedColumn, len(names))
	for i, name := range names {
		if out[i] = t.column(name); out[i] == nil {
			return nil
		}
	}
	return out
}
