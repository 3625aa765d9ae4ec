package builtin

import (
	"errors"
	"fmt"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/domain"
)

// unsupported is the error for a form that the query tree cannot express.
type unsupported string

func (u unsupported) Error() string { return "I cannot ask the data for " + string(u) + "." }

// queryTree is a form as a query tree, with the headings of its result.
type queryTree struct {
	ask       query.Ask
	headings  []query.Heading
	statement query.Statement
}

// adapter makes the query tree of a form.
type adapter struct {
	form   *form
	script *query.Script
	base   query.Table
	// names are the names of the result that are taken.
	names *resultNames
	// lets are the numbers that the tree makes as columns of the base: formulas, and values of a joined table.
	lets map[string]query.Col
}

// buildTree makes the query tree of a form. Its error is unsupported for a form that the tree cannot express, and a *query.Error
// for one that would give a wrong figure.
func buildTree(f *form) (*queryTree, error) {
	if err := f.together(); err != nil {
		return nil, err
	}
	m, err := query.NewModel(f.meant())
	if err != nil {
		return nil, unsupported("these tables: " + err.Error())
	}
	a := &adapter{form: f, script: query.NewScript(m), names: newResultNames(f.view), lets: make(map[string]query.Col)}
	if err := a.makeColumns(); err != nil {
		return nil, err
	}
	if a.base, err = a.table(f.view.base); err != nil {
		return nil, unsupported("the table: " + err.Error())
	}
	switch {
	case f.stat != nil:
		return a.statistical()
	case f.mode == modeCorrelation:
		return a.correlation()
	case f.mode == modeRows:
		return a.rows()
	case f.counted != nil:
		return a.counted()
	case f.shareOf != nil:
		return a.shareOf()
	case f.growth:
		return a.growth()
	case f.moving != nil, f.running:
		return a.alongTime()
	case len(f.measures) == 1 && f.measures[0].each != grainNone:
		return a.each()
	default:
		return a.groups()
	}
}

// compiled returns the statement of a form's query tree in the SQL of its tables, and keeps the tree for the checks.
func (f *form) compiled() (string, error) {
	p, err := buildTree(f)
	if err != nil {
		return "", err
	}
	s, err := query.CompileAs(p.ask, f.dialect(), p.headings)
	if err != nil {
		return "", fmt.Errorf("compile a question: %w", err)
	}
	p.statement, f.queryTree = s, p
	if f.view.base.Dialect == domain.DialectPostgres {
		return tidy(s.SQL, reservedInPostgres), nil
	}
	return tidy(s.SQL, nil), nil
}

// write writes the query of a form. A form whose query tree cannot be built, because its figure would be wrong or its database
// lacks a function, is refused with the words of the tree.
func (f *form) write() {
	if !f.understood() {
		return
	}
	f.keepStatistic()
	if f.blocked {
		return
	}
	if f.mode == modeDescribe {
		f.statement, f.queryTree = f.overview(), nil
		return
	}
	s, err := f.compiled()
	var refusal *query.Error
	var none unsupported
	switch {
	case err == nil:
		f.statement = s
	case errors.As(err, &refusal):
		f.block(refusal.Error())
	case errors.As(err, &none):
		f.block(none.Error())
	default:
		f.block("I could not write a query for that question.")
	}
}

func (a *adapter) m() *query.Model { return a.script.Model() }

func (a *adapter) table(t *table) (query.Table, error) { return tableIn(a.m(), t) }

// tableIn finds a table by its source and its name, because two sources may have a table of the same name.
func tableIn(m *query.Model, t *table) (query.Table, error) {
	if t.SourceID == 0 {
		return m.Table(t.Bare())
	}
	return m.Table(fmt.Sprintf("s%d.%s", t.SourceID, t.Bare()))
}

// col finds a column of a table; a formula is not one.
func (a *adapter) col(c *column) (query.Col, error) {
	if c.made != nil {
		return query.Col{}, unsupported("a formula at this place")
	}
	t, err := a.table(c.table)
	if err != nil {
		return query.Col{}, unsupported("a table: " + err.Error())
	}
	found, err := t.Col(c.Name)
	if err != nil {
		return query.Col{}, unsupported("a column: " + err.Error())
	}
	return found, nil
}

// time finds a column of dates.
func (a *adapter) time(c *column) (query.Time, error) {
	if !c.isDate() {
		return query.Time{}, unsupported("a time that is not stored as a date")
	}
	found, err := a.col(c)
	if err != nil {
		return query.Time{}, err
	}
	return a.m().Time(found)
}

// scalar is the value that a column or a formula has in a row.
func (a *adapter) scalar(c *column) (query.Scalar, error) {
	if c.made == nil {
		return a.col(c)
	}
	return a.formula(c.made)
}

// formula is the value of a formula in a row.
func (a *adapter) formula(f *formula) (query.Scalar, error) {
	m := a.m()
	if f.op != opDuration {
		x, err := a.scalar(f.a)
		if err != nil {
			return nil, err
		}
		y, err := a.scalar(f.b)
		if err != nil {
			return nil, err
		}
		return m.Arith(x, map[formulaOp]string{opPlus: "+", opMinus: "-", opTimes: "*"}[f.op], y)
	}
	x, err := a.time(f.a)
	if err != nil {
		return nil, err
	}
	y, err := a.time(f.b)
	if err != nil {
		return nil, err
	}
	unit := map[grain]string{grainMinute: "minutes", grainHour: "hours", grainDay: "days", grainWeek: "days"}[f.unit]
	between, err := m.Between(x, y, unit)
	if err != nil || f.unit != grainWeek {
		return between, err
	}
	week, err := query.Const(7)
	if err != nil {
		return nil, err
	}
	return m.Arith(between, "/", week)
}

// makeColumns makes columns of the base for the numbers that are measured and are no columns yet: formulas, money spent with its
// sign turned, and values of joined tables, which are repeated in each row that belongs to them.
func (a *adapter) makeColumns() error {
	f := a.form
	base, err := tableIn(a.m(), f.view.base)
	if err != nil {
		return unsupported("the table: " + err.Error())
	}
	for _, m := range f.measures {
		for _, c := range []*column{m.col, m.over, m.per} {
			if c == nil || c.made == nil && c.table == f.view.base && !(m.minus && c == m.col) || f.fromOwnTable(m) {
				continue
			}
			key := letKey(c, m.minus && c == m.col)
			if _, done := a.lets[key]; done {
				continue
			}
			value, err := a.scalar(c)
			if err != nil {
				return err
			}
			if m.minus && c == m.col {
				if value, err = a.negative(value); err != nil {
					return err
				}
			}
			made, err := a.script.Let(base, a.letName(base, c.Name), value)
			if err != nil {
				return err
			}
			a.lets[key] = made
		}
	}
	// A step makes a new model, so the columns are looked up in the last one.
	for key, c := range a.lets {
		if base, err = tableIn(a.m(), f.view.base); err != nil {
			return unsupported("the table: " + err.Error())
		}
		if a.lets[key], err = base.Col(c.Name()); err != nil {
			return unsupported("a column: " + err.Error())
		}
	}
	return nil
}

// letKey names what is made of a column.
func letKey(c *column, minus bool) string { return fmt.Sprintf("%p %t", c, minus) }

func (a *adapter) negative(x query.Scalar) (query.Scalar, error) {
	minus, err := query.Const(-1)
	if err != nil {
		return nil, err
	}
	return a.m().Arith(minus, "*", x)
}

// letName returns a name that no column of the base has.
func (a *adapter) letName(base query.Table, name string) string {
	for taken := base.Columns(); ; name += "_value" {
		free := true
		for _, t := range taken {
			free = free && t != name
		}
		for _, c := range a.lets {
			free = free && c.Name() != name
		}
		if free {
			return domain.Shorten(name, 120)
		}
	}
}

// measured finds the column that a measure is taken of.
func (a *adapter) measured(c *column, minus bool) (query.Col, error) {
	if made, ok := a.lets[letKey(c, minus)]; ok {
		return made, nil
	}
	return a.col(c)
}
