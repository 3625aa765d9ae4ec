package semantic

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/english"
)

// Derive says what the data of some sources mean. It takes some milliseconds, and changes nothing of its input.
func Derive(in *Input) *meaning.Meaning {
	d := &deriver{in: in, out: &meaning.Meaning{Hash: in.Hash()}, today: in.Today}
	for i := range in.Sources {
		for j := range in.Sources[i].Resources {
			d.tables = append(d.tables, d.open(&in.Sources[i], &in.Sources[i].Resources[j]))
		}
	}
	// A link says which columns name things of other tables, and a role which links its names suggest.
	d.declaredLinks()
	d.measuredLinks()
	for _, t := range d.tables {
		t.roles()
		t.entities()
		t.snapshot(d.today)
		t.time()
		t.kind()
		t.numbers()
		t.row()
		t.synonyms(d.out)
		t.readings()
	}
	d.documentedLinks()
	d.nameLinks()
	for i := range in.Sources {
		for j := range in.Sources[i].Corrections {
			d.correct(&in.Sources[i].Corrections[j])
		}
	}
	for _, t := range d.tables {
		t.settle()
		d.out.Tables = append(d.out.Tables, *t.m)
	}
	d.sortLinks()
	return d.out
}

// deriver is one derivation.
type deriver struct {
	in     *Input
	out    *meaning.Meaning
	tables []*table
	today  time.Time
}

// table is a table with what is known and what is derived so far.
type table struct {
	m        *meaning.Table
	source   *Source
	resource *domain.DataResource
	facts    *domain.TableFacts // nil if it is not measured
	document *document
	// noun is what a row may be called by the name of the table, and words the words of that name.
	noun    string
	words   []string
	columns []*column
	manner  columns.Manner
	// stronger is the number of verbs that stronger rules have found than the one that looks now.
	stronger int
}

// column is a column with what is known and what is derived so far.
type column struct {
	*domain.Column
	m     *meaning.Column
	table *table
	facts *domain.ColumnFacts // nil if it is not measured
	words []string
	note  *note
	// links are the measured links that begin at the column alone.
	links []meaning.Link
}

// open reads what is known about a table.
func (d *deriver) open(s *Source, r *domain.DataResource) *table {
	t := &table{
		source: s, resource: r, noun: nounOf(r.Table), words: tableWords(r.Table), manner: columns.MannerOf(r.Columns),
		m: &meaning.Table{Source: s.ID, Name: r.Table, Rows: r.Rows},
	}
	if s.Facts != nil {
		if at := slices.IndexFunc(s.Facts.Tables, func(f domain.TableFacts) bool { return f.Table == r.Table }); at >= 0 {
			t.facts = &s.Facts.Tables[at]
			t.m.Rows, t.m.KeysKnown = t.facts.Rows, !slices.Contains(t.facts.Unmeasured, domain.FactKeys)
		}
	}
	names := map[string]string{}
	for i := range r.Columns {
		c := &r.Columns[i]
		if header, _ := columns.Header(c); header != "" {
			names[folded(header)] = c.Name
		}
	}
	// A name is stronger than a heading.
	for i := range r.Columns {
		names[folded(r.Columns[i].Name)] = r.Columns[i].Name
	}
	t.document = read([]string{r.Details, r.Description, s.Description}, names)
	t.m.Columns = make([]meaning.Column, len(r.Columns))
	for i := range r.Columns {
		c := &column{Column: &r.Columns[i], m: &t.m.Columns[i], table: t, words: columnWords(&r.Columns[i])}
		c.m.Name, c.m.Label, c.m.Missing = c.Name, columns.Heading(c.Column), c.Nulls
		c.m.Reasons = map[string]meaning.Reason{}
		if t.facts != nil {
			if at := slices.IndexFunc(t.facts.Columns, func(f domain.ColumnFacts) bool { return f.Name == c.Name }); at >= 0 {
				c.facts = &t.facts.Columns[at]
				c.m.Missing = c.facts.Missing
			}
		}
		if header, note := columns.Header(c.Column); header == "" && note != "" {
			t.document.about(c.Name, note)
		}
		if c.note = t.document.columns[c.Name]; c.note == nil {
			c.note = &note{}
		}
		t.columns = append(t.columns, c)
	}
	if t.facts != nil {
		t.keys()
	} else {
		for _, k := range r.Declared.Keys {
			t.m.Keys = append(t.m.Keys, slices.Clone(k))
		}
	}
	return t
}

// unique is the reason why a key of the table is one. what begins the sentence: "order_id is".
func (t *table) unique(what string) meaning.Reason {
	if t.facts == nil {
		return declared("%s unique by a constraint of the database.", what)
	}
	return measured("%s unique in all %d rows.", what, t.m.Rows)
}

// keys copies the measured keys, those that people would name first: a key made of measures is unique by chance.
func (t *table) keys() {
	for _, k := range t.facts.Keys {
		t.m.Keys = append(t.m.Keys, slices.Clone(k))
	}
	if p := t.facts.Panel; p != nil {
		t.m.Keys = append(t.m.Keys, append(slices.Clone(p.Entity), p.Period))
	}
	odd := func(key []string) int {
		n := 0
		for _, name := range key {
			c := t.column(name)
			switch {
			case c == nil:
			case c.isTime() && len(key) == 1:
				n += 2
			case c.isTime(), keyNamed(c.words), c.isText():
			case in(c.words[len(c.words)-1], "orders"), c.isYear(), in(c.words[len(c.words)-1], "codes"), t.isNoun(c.words):
			default:
				n += 3
			}
		}
		return n
	}
	slices.SortStableFunc(t.m.Keys, func(a, b []string) int { return cmp.Compare(odd(a), odd(b)) })
	// The pair of a panel can be among the keys, in any order; the entity is named before the period.
	var out [][]string
	for _, k := range t.m.Keys {
		if p := t.facts.Panel; p != nil && len(k) == len(p.Entity)+1 && slices.Contains(k, p.Period) && subset(p.Entity, k) {
			k = append(slices.Clone(p.Entity), p.Period)
		}
		if !slices.ContainsFunc(out, func(o []string) bool { return slices.Equal(o, k) }) {
			out = append(out, k)
		}
	}
	t.m.Keys = out
}

// subset reports whether all of some names are among others.
func subset(some, others []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(others, s) })
}

// column finds a column by its name; nil if there is none.
func (t *table) column(name string) *column {
	for _, c := range t.columns {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

// role is the role of a column; empty if there is no such column.
func (t *table) role(name string) meaning.Role {
	if c := t.column(name); c != nil {
		return c.m.Role
	}
	return ""
}

// isNoun reports whether words are what a row of the table may be called.
func (t *table) isNoun(all []string) bool {
	last := english.Singular(t.words[len(t.words)-1])
	name := strings.Join(all, " ")
	return name == t.noun || name == last || len(all) == 1 && english.Singular(name) == last
}

// single reports whether a column alone is a measured key.
func (t *table) single(name string) bool {
	return slices.ContainsFunc(t.m.Keys, func(k []string) bool { return len(k) == 1 && strings.EqualFold(k[0], name) })
}

// keyWithin reports whether columns have all columns of a key, so that one row has their values.
func (t *table) keyWithin(names []string) bool {
	return slices.ContainsFunc(t.m.Keys, func(k []string) bool {
		return !slices.ContainsFunc(k, func(c string) bool {
			return !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, c) })
		})
	})
}

// repeats reports whether a value occurs in several rows, as far as it is known.
func (c *column) repeats() bool {
	if c.table.m.KeysKnown {
		return !c.table.single(c.Name) && c.distinct()+c.m.Missing < c.table.m.Rows
	}
	return c.Repeats || !c.Estimated && c.Distinct > 0 && c.Distinct < c.table.m.Rows
}

// distinct is the number of different values: the exact one if it is known.
func (c *column) distinct() int64 {
	if c.facts != nil && c.facts.Distinct != nil {
		return *c.facts.Distinct
	}
	return c.Distinct
}

// edges are the ends of a column as text.
func (c *column) edges() (least, most string) {
	if c.facts != nil && c.facts.Min != nil && c.facts.Max != nil {
		return *c.facts.Min, *c.facts.Max
	}
	return c.Min, c.Max
}

func (c *column) isText() bool { return c.Type == domain.ColumnText }
func (c *column) isTime() bool { return c.Type == domain.ColumnDate || c.Type == domain.ColumnTime }
func (c *column) isNumber() bool {
	return c.Type == domain.ColumnInteger || c.Type == domain.ColumnNumber
}

// last is the last word of the name, which says what the column is; the words before it say of what.
func (c *column) last() string { return c.words[len(c.words)-1] }
