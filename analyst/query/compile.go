package query

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"parley.dev/parley/internal/sqltext"
)

// Statement is a question as SQL.
type Statement struct {
	SQL string
	// Columns are the names of the columns of the result, and Said what Say says of each.
	Columns []string
	Said    []string
	// Joined says that rows of several tables, or figures of several facts, were put together.
	Joined bool
}

// Heading says how a column of a result is written. It changes nothing of the question.
type Heading struct {
	// Column is the place of the column as Compile has it, from 0: what is grouped by, the measures, the windows.
	Column int
	// Name is the name of the column in the result.
	Name string
	// Percent writes a part of a whole, 0 to 1, as a percentage.
	Percent bool
	// Digits are the digits after the point to which a number is rounded; 0 rounds nothing.
	Digits int
}

// Compile writes a question as one SELECT. It fails with an *Error if the dialect lacks something that the question needs.
func Compile(a Ask, d Dialect) (Statement, error) { return CompileAs(a, d, nil) }

// CompileAs is Compile with these headings, in their order: columns without one are left out. What is grouped by must have the
// first headings. No headings at all leave the columns as they are.
func CompileAs(a Ask, d Dialect, headings []Heading) (Statement, error) {
	m, n := a.ask()
	c := compilerOf(m, d)
	c.steps()
	out := c.ask(n)
	if c.err == nil {
		out.headed(c, headings)
	}
	sql := c.with(out.write(c))
	if c.err != nil {
		return Statement{}, c.err
	}
	s := Statement{SQL: sql, Joined: *c.joins > 0}
	for _, o := range out.outs {
		s.Columns = append(s.Columns, o.name)
		s.Said = append(s.Said, o.said)
	}
	return s, nil
}

// CompileSet writes the rows of a set with columns of numbers or texts as a SELECT, for statistics over a relation. The names
// are those of the columns; a row is repeated as often as it occurs.
func CompileSet(of Set, columns []Column, d Dialect) (Statement, error) {
	r, err := of.m.Rows(of, columns)
	if err != nil {
		return Statement{}, err
	}
	return Compile(r, d)
}

// compiler writes one statement. It keeps the first error; what is written after an error is discarded.
type compiler struct {
	m *Model
	d Dialect
	// names are the names that are taken, in lower case.
	names map[string]bool
	// ctes are the common table expressions so far. tables maps a table to the expression that replaces it after the steps of a
	// script.
	ctes   []string
	tables map[string]string
	// joins counts the joins, including those of subqueries.
	joins *int
	// lookups says that a column of another table is looked up in a subquery instead of joined; see control.go.
	lookups bool
	// stack says that the enclosing statement adds up the figures of this one; see figures.
	stack bool
	err   error
}

func compilerOf(m *Model, d Dialect) *compiler {
	c := &compiler{m: m, d: d, names: map[string]bool{}, tables: map[string]string{}, joins: new(int)}
	// A generated name must not hide a table.
	for _, t := range m.tables {
		c.names[strings.ToLower(t.Name)] = true
	}
	return c
}

func (c *compiler) fail(err error) string {
	if c.err == nil {
		c.err = err
	}
	return "NULL"
}

// must returns the text, or records the error.
func (c *compiler) must(text string, err error) string {
	if err != nil {
		return c.fail(err)
	}
	return text
}

// inner is a compiler for a subquery, which has its own common table expressions.
func (c *compiler) inner() *compiler {
	return &compiler{m: c.m, d: c.d, names: c.names, tables: c.tables, joins: c.joins}
}

// close takes over the error of a subquery's compiler, and returns the subquery with its common table expressions.
func (c *compiler) close(inner *compiler, sql string) string {
	if inner.err != nil {
		c.fail(inner.err)
	}
	return "(" + inner.with(sql) + ")"
}

func (c *compiler) with(sql string) string {
	if len(c.ctes) == 0 {
		return sql
	}
	return "WITH " + strings.Join(c.ctes, ",\n") + "\n" + sql
}

// fresh makes a name that is not used yet.
func (c *compiler) fresh(base string) string {
	name := base
	for i := 2; c.names[strings.ToLower(name)]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	c.names[strings.ToLower(name)] = true
	return name
}

// alias makes a name for a table in a FROM clause.
func (c *compiler) alias(p place) string {
	base := []rune(p.t.Name)
	if len(base) > 30 {
		base = base[:30]
	}
	// The name of a table is reserved, so that no generated name hides it; only the table itself may use it.
	name := string(base)
	if used := "own " + strings.ToLower(p.t.Name); name == p.t.Name && p.by == nil && !c.names[used] {
		c.names[used] = true
		return name
	}
	return c.fresh(name)
}

// text writes a constant. It refuses zero bytes and invalid UTF-8.
func (c *compiler) text(s string) string {
	if strings.ContainsRune(s, 0) || !utf8.ValidString(s) {
		return c.fail(refuse(nil, "A text has a character that no table can have."))
	}
	return sqltext.QuoteText(s)
}

func (c *compiler) name(s string) string {
	if strings.ContainsRune(s, 0) || !utf8.ValidString(s) || s == "" {
		return c.fail(refuse(nil, "A name has a character that no name can have."))
	}
	return sqltext.QuoteName(s)
}

// cte adds a common table expression and returns its name.
func (c *compiler) cte(base, sql string) string {
	name := c.fresh(base)
	c.ctes = append(c.ctes, sqltext.QuoteName(name)+" AS (\n"+sql+"\n)")
	return name
}

// source writes what a place is read from.
func (c *compiler) source(p place) string {
	table := c.table(p.t)
	if p.by == nil {
		return table
	}
	var columns, keys, known []string
	for _, b := range p.by {
		keys = append(keys, c.name(b))
		known = append(known, c.name(b)+" IS NOT NULL")
	}
	columns = append(columns, keys...)
	for i := range p.t.Columns {
		if n := p.t.Columns[i].Name; !slices.Contains(p.by, n) && p.has(n) {
			columns = append(columns, c.d.First(c.name(n))+" AS "+c.name(n))
		}
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + table + " WHERE " + strings.Join(known, " AND ") +
		" GROUP BY " + strings.Join(keys, ", ") + ")"
}

func (c *compiler) table(t *table) string {
	if step := c.tables[t.key()]; step != "" {
		return sqltext.QuoteName(step)
	}
	if strings.ContainsRune(t.Name, 0) || !utf8.ValidString(t.Name) {
		return c.fail(refuse(nil, "A name has a character that no name can have."))
	}
	return c.d.Table(t.Source, t.Name)
}

// steps writes the steps of the script, each as a common table expression that reads the one before.
func (c *compiler) steps() {
	later := map[string]bool{}
	for _, s := range c.m.steps {
		if s.Op == opLet {
			later[s.Table+"\x00"+s.word(0)] = true
		}
	}
	for _, s := range c.m.steps {
		name := s.Table
		if s.Op != opLet {
			name = s.Kids[0].Table
		}
		t := c.m.find(name)
		of := c.scope(place{t: t})
		columns := []string{sqltext.QuoteName(of.alias) + ".*"}
		where := ""
		switch s.Op {
		case opLet:
			columns = append(columns, of.scalar(s.Kids[0])+" AS "+c.name(s.word(0)))
			delete(later, s.Table+"\x00"+s.word(0))
		case opKeep:
			where = of.where(conjuncts(s.Kids[0]))
		case opFill:
			columns = nil
			for i := range t.Columns {
				n := t.Columns[i].Name
				if later[t.key()+"\x00"+n] {
					continue
				}
				value := sqltext.QuoteName(of.alias) + "." + c.name(n)
				if n == s.Kids[0].Column {
					mean := c.must(c.d.Stat(s.word(0), c.name(n), 0, ""))
					value = "coalesce(" + value + ", (SELECT " + mean + " FROM " + c.table(t) + ")) AS " + c.name(n)
				}
				columns = append(columns, value)
			}
		}
		sql := "SELECT " + strings.Join(columns, ", ") + "\nFROM " + of.from.String() + where
		c.tables[t.key()] = c.cte("step", sql)
		delete(c.names, "own "+strings.ToLower(t.Name))
	}
}

func (c *compiler) ask(n *node) *final {
	switch n.Op {
	case opRows:
		return c.rows(n)
	case opChange:
		return c.change(n)
	case opTally:
		return c.tally(n)
	default:
		return c.groups(n)
	}
}
