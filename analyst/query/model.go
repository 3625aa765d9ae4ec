package query

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// Error says to a person why a tree cannot be built, and what can be asked instead.
type Error struct {
	// Text is one sentence, or two.
	Text string
	// Offers are what can be asked instead, as short phrases. It can be empty.
	Offers []string
}

// Error returns the sentence with the offers behind it.
func (e *Error) Error() string {
	if len(e.Offers) == 0 {
		return e.Text
	}
	return e.Text + " Possible instead: " + strings.Join(e.Offers, "; ") + "."
}

func refuse(offers []string, format string, args ...any) error {
	return &Error{Text: fmt.Sprintf(format, args...), Offers: offers}
}

// Model is a meaning with the paths between its tables. It is immutable; the steps of a Script make new models.
type Model struct {
	tables []*table
	links  []link
	types  func(source int64, table, column string) domain.ColumnType
	// steps are those of a script that led to this model, in their order.
	steps []*node
}

// table is a table of the meaning.
type table struct {
	meaning.Table
	columns map[string]*meaning.Column
}

// link is a link of the meaning that leads from many rows to one.
type link struct {
	from, to         *table
	fromCols, toCols []string
	part             string
	inferred         bool
	preferred        bool
}

// Option changes how a model is made.
type Option func(*Model)

// WithTypes tells the model how columns are stored. Without it every column with the role of a time is taken to hold dates.
func WithTypes(types func(source int64, table, column string) domain.ColumnType) Option {
	return func(m *Model) { m.types = types }
}

// NewModel reads a meaning. It fails if two tables or columns have one name, if a link leads to nothing, or if the value of a
// flag that says yes is no literal.
func NewModel(of *meaning.Meaning, options ...Option) (*Model, error) {
	m := &Model{}
	for _, o := range options {
		o(m)
	}
	for i := range of.Tables {
		t := &table{Table: of.Tables[i], columns: map[string]*meaning.Column{}}
		if t.Name == "" {
			return nil, refuse(nil, "A table of the meaning has no name.")
		}
		if m.find(t.key()) != nil {
			return nil, refuse(nil, "The meaning has two tables with the name %s.", t.Name)
		}
		for j := range t.Columns {
			c := &t.Columns[j]
			if c.Name == "" || t.columns[c.Name] != nil {
				return nil, refuse(nil, "The table %s has a column twice, or one without a name: “%s”.", t.Name, c.Name)
			}
			if c.Role == meaning.Flag {
				if _, err := yesOf(c); err != nil {
					return nil, err
				}
			}
			t.columns[c.Name] = c
		}
		m.tables = append(m.tables, t)
	}
	for i := range of.Links {
		if err := m.addLink(&of.Links[i]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *Model) addLink(l *meaning.Link) error {
	from, to := m.end(l.From), m.end(l.To)
	if from == nil || to == nil || len(l.From.Columns) == 0 || len(l.From.Columns) != len(l.To.Columns) {
		return refuse(nil, "A link from %s to %s does not name tables and columns of the meaning.", l.From.Table, l.To.Table)
	}
	for i := range l.From.Columns {
		if from.columns[l.From.Columns[i]] == nil || to.columns[l.To.Columns[i]] == nil {
			return refuse(nil, "A link from %s to %s names a column that the meaning does not have.", l.From.Table, l.To.Table)
		}
	}
	add := func(from, to *table, fc, tc []string) {
		m.links = append(m.links, link{
			from: from, to: to, fromCols: fc, toCols: tc, part: l.Part,
			inferred: l.Reason.State == meaning.Inferred, preferred: l.Preferred,
		})
	}
	switch l.Cardinality {
	case meaning.ManyToOne:
		add(from, to, l.From.Columns, l.To.Columns)
	case meaning.OneToOne:
		add(from, to, l.From.Columns, l.To.Columns)
		add(to, from, l.To.Columns, l.From.Columns)
	case meaning.ManyToMany:
		// Both ends name an entity without a table; the entities of the tables lead from one to the other (path.go).
	}
	return nil
}

func (m *Model) end(e meaning.Ends) *table { return m.find(keyOf(e.Source, e.Table)) }

// keyOf is the name of a table within a model: its own name, with the source before it if it has one.
func keyOf(source int64, name string) string {
	if source == 0 {
		return name
	}
	return fmt.Sprintf("s%d.%s", source, name)
}

func (t *table) key() string { return keyOf(t.Source, t.Name) }

// find returns a table by its key, or nil.
func (m *Model) find(key string) *table {
	for _, t := range m.tables {
		if t.key() == key {
			return t
		}
	}
	return nil
}

// row and plural name the rows of a table.
func (t *table) row() string {
	if t.Row != "" {
		return t.Row
	}
	return "row of " + t.Name
}

func (t *table) plural() string {
	switch {
	case t.Plural != "":
		return t.Plural
	case t.Row != "":
		return t.Row + "s"
	}
	return "rows of " + t.Name
}

// Table is a handle to the rows of a table of a model, or to the things of an entity that it names.
type Table struct {
	m *Model
	t *table
	// entity is the name of the entity whose things are meant, and by its columns; empty for the rows.
	entity string
	by     []string
}

// Things are the things of an entity: the rows of its own table if it has one, otherwise the different ones that this table
// names, with what is the same in all rows of one of them.
func (t Table) Things(entity string) (Table, error) {
	var offers []string
	for _, o := range t.m.tables {
		for _, e := range o.Entities {
			if e.Entity == entity && e.Home {
				return Table{m: t.m, t: o}, nil
			}
			if o == t.t {
				offers = append(offers, e.Entity)
			}
		}
	}
	for _, e := range t.t.Entities {
		if e.Entity == entity {
			return Table{m: t.m, t: t.t, entity: entity, by: e.Columns}, nil
		}
	}
	return Table{}, refuse(offers, "A %s names no %s.", t.t.row(), entity)
}

func (t Table) place() place { return place{t: t.t, by: t.by} }

// row and plural name one and several of what is meant.
func (t Table) row() string {
	if t.entity != "" {
		return t.entity
	}
	return t.t.row()
}

func (t Table) plural() string {
	if t.entity != "" {
		return t.entity + "s"
	}
	return t.t.plural()
}

// base finds the handle that a node was made of.
func (m *Model) base(n *node) (Table, error) {
	t, err := m.Table(n.Table)
	if err != nil || n.Part == "" {
		return t, err
	}
	return t.Things(n.Part)
}

// Table finds a table by its name. If two sources have a table of that name, it must be written with its source, as s12.orders.
func (m *Model) Table(name string) (Table, error) {
	if t := m.find(name); t != nil {
		return Table{m: m, t: t}, nil
	}
	var found []*table
	for _, t := range m.tables {
		if t.Name == name {
			found = append(found, t)
		}
	}
	if len(found) == 1 {
		return Table{m: m, t: found[0]}, nil
	}
	var offers []string
	for _, t := range m.tables {
		offers = append(offers, t.key())
	}
	if len(found) > 1 {
		return Table{}, refuse(offers, "Several data sources have a table %s.", name)
	}
	return Table{}, refuse(offers, "There is no table %s.", name)
}

// Tables are the keys of all tables, in the order of the meaning.
func (m *Model) Tables() []string {
	out := make([]string, 0, len(m.tables))
	for _, t := range m.tables {
		out = append(out, t.key())
	}
	return out
}

// Columns are the names of the columns of the table, with those that a script made.
func (t Table) Columns() []string {
	out := make([]string, 0, len(t.t.Columns))
	for i := range t.t.Columns {
		out = append(out, t.t.Columns[i].Name)
	}
	return out
}

// changed returns a copy of the model in which one table is replaced.
func (m *Model) changed(t *table) *Model {
	c := &Model{types: m.types, steps: m.steps, tables: slices.Clone(m.tables), links: slices.Clone(m.links)}
	for i, o := range c.tables {
		if o.key() != t.key() {
			continue
		}
		c.tables[i] = t
		for j := range c.links {
			if c.links[j].from == o {
				c.links[j].from = t
			}
			if c.links[j].to == o {
				c.links[j].to = t
			}
		}
	}
	return c
}

var yesNumber = regexp.MustCompile(`^-?\d{1,15}(\.\d{1,15})?$`)

// yes is the value of a flag that says yes. truth: the column is a boolean; otherwise text is compared.
type yes struct {
	truth  bool
	number bool
	text   string
}

// yesOf reads the literal of a flag. It is read and written again, never copied into a statement.
func yesOf(c *meaning.Column) (yes, error) {
	s := strings.TrimSpace(c.Yes)
	switch {
	case strings.EqualFold(s, "true"):
		return yes{truth: true}, nil
	case yesNumber.MatchString(s):
		return yes{number: true, text: s}, nil
	case len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'':
		body := s[1 : len(s)-1]
		if !strings.Contains(strings.ReplaceAll(body, "''", ""), "'") {
			return yes{text: strings.ReplaceAll(body, "''", "'")}, nil
		}
	}
	return yes{}, refuse(nil, "The value of %s that says yes is no literal: %s.", c.Name, c.Yes)
}
