package semantic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/english"
)

// declaredLinks takes over the foreign keys of remote databases.
func (d *deriver) declaredLinks() {
	for _, t := range d.tables {
		for _, f := range t.resource.Declared.References {
			home := d.table(t.m.Source, f.Table)
			if home == nil {
				continue // a table that is not asked
			}
			from, known := t.ends(f.Columns)
			to, has := home.ends(f.To)
			if !known || !has {
				continue
			}
			l := meaning.Link{
				From: from, To: to, Cardinality: meaning.ManyToOne, Entity: home.noun,
				Reason: declared("It is a foreign key of the database."),
			}
			if t.keyWithin(f.Columns) {
				l.Cardinality = meaning.OneToOne
			}
			if c := d.columnAt(from); c != nil {
				l.Part = c.part(home)
				// All its values exist in the other table; how many they are is known only if they were counted.
				if !c.Estimated {
					l.Distinct, l.Matched = c.Distinct, c.Distinct
				}
			}
			d.out.Links = append(d.out.Links, l)
		}
	}
}

// measuredLinks takes over the links that were proven, within sources and between them.
func (d *deriver) measuredLinks() {
	for i := range d.in.Sources {
		s := &d.in.Sources[i]
		if s.Facts == nil {
			continue
		}
		for j := range s.Facts.Links {
			d.measuredLink(s.ID, s.ID, &s.Facts.Links[j])
		}
	}
	for i := range d.in.Links {
		l := &d.in.Links[i]
		d.measuredLink(l.FromSource, l.ToSource, &l.LinkFacts)
	}
	d.keepHomeLinks()
	for i := range d.out.Links {
		l := &d.out.Links[i]
		if c := d.columnAt(l.From); c != nil && l.Cardinality != meaning.ManyToMany {
			c.links = append(c.links, *l)
		}
	}
}

// measuredLink adds one proven link.
func (d *deriver) measuredLink(from, to int64, f *domain.LinkFacts) {
	child, home := d.table(from, f.FromTable), d.table(to, f.ToTable)
	if child == nil || home == nil {
		return // facts of a table that is not asked
	}
	if len(f.From) == 1 && child.column(f.From[0]).namesCount() {
		return // 1 to 4 semesters look like the keys of four semesters
	}
	l := meaning.Link{
		From:     meaning.Ends{Source: from, Table: f.FromTable, Columns: slices.Clone(f.From)},
		To:       meaning.Ends{Source: to, Table: f.ToTable, Columns: slices.Clone(f.To)},
		Distinct: f.Distinct, Matched: f.Matched, Orphans: f.Orphans, Cardinality: meaning.ManyToOne, Entity: home.noun,
	}
	switch {
	case f.Shared:
		l.Cardinality = meaning.ManyToMany
		l.Entity = strings.Join(stemOf(child.column(f.From[0]).words), " ")
	case f.Unique:
		l.Cardinality = meaning.OneToOne
	}
	if !f.Shared && len(f.From) == 1 {
		l.Part = child.column(f.From[0]).part(home)
	}
	l.Reason = measured("%d of its %d values are found", f.Matched, f.Distinct)
	if f.Orphans > 0 {
		l.Reason.Evidence += fmt.Sprintf("; %s %s a %s that is not there", counted(f.Orphans, "row"), countWord(f.Orphans, "names", "name"),
			l.Entity)
	}
	l.Reason.Evidence += "."
	d.out.Links = append(d.out.Links, l)
}

// namesCount reports whether the name of a column says that it counts things: num_semesters, count_of_orders. Small counts are
// found among the keys of those things by chance.
func (c *column) namesCount() bool {
	return c != nil && len(c.words) > 1 && slices.Contains([]string{"number", "num", "count", "total", "total_number"}, c.words[0]) &&
		!slices.Contains([]string{"id", "key", "code", "number"}, c.last())
}

// counted is a number with its noun: 1 row, 12 rows.
func counted(n int64, noun string) string {
	return fmt.Sprintf("%d %s", n, countWord(n, noun, english.Plural(noun)))
}

// countWord is the singular for one and the plural for any other number.
func countWord(n int64, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// part is the part that the entity of a home plays in a column: home in home_team_id.
func (c *column) part(home *table) string {
	stem := stemOf(c.words)
	for first := range stem {
		if home.isNoun(stem[first:]) || english.Singular(stem[first]) == english.Singular(home.words[len(home.words)-1]) {
			return strings.Join(stem[:first], " ")
		}
	}
	return ""
}

// keepHomeLinks drops weaker links: columns that lead to the table that is named like them lead to no other table, and columns that
// lead to the table of their entity are not linked to third tables.
func (d *deriver) keepHomeLinks() {
	all := d.out.Links
	noun := func(l *meaning.Link) bool { return d.leadsHome(l) }
	d.out.Links = slices.DeleteFunc(slices.Clone(all), func(l meaning.Link) bool {
		if l.Cardinality == meaning.ManyToMany {
			return slices.ContainsFunc(all, func(o meaning.Link) bool {
				return o.Cardinality != meaning.ManyToMany && (o.From.Same(l.From) || o.From.Same(l.To))
			})
		}
		if noun(&l) {
			return false
		}
		return slices.ContainsFunc(all, func(o meaning.Link) bool {
			// The home of an entity is the table that is named like it. Another key of that table may lead there, but not back.
			return noun(&o) && o.Cardinality != meaning.ManyToMany && (o.From.Same(l.From) || o.To.Same(l.From) && o.From.Same(l.To))
		})
	})
}

// leadsHome reports whether a link leads to the table that is named like its columns.
func (d *deriver) leadsHome(l *meaning.Link) bool {
	home, c := d.table(l.To.Source, l.To.Table), d.columnAt(l.From)
	if home == nil || c == nil || l.Cardinality == meaning.ManyToMany {
		return false
	}
	stem := stemOf(c.words)
	for first := range stem {
		if home.isNoun(stem[first:]) {
			return true
		}
	}
	return false
}

// table finds a table of a source; nil if there is none.
func (d *deriver) table(source int64, name string) *table {
	for _, t := range d.tables {
		if t.m.Source == source && strings.EqualFold(t.m.Name, name) {
			return t
		}
	}
	return nil
}

// columnAt is the one column of an end; nil if there are several.
func (d *deriver) columnAt(e meaning.Ends) *column {
	t := d.table(e.Source, e.Table)
	if t == nil || len(e.Columns) != 1 {
		return nil
	}
	return t.column(e.Columns[0])
}

// documentedLinks adds the links that a dictionary names: references customers.id.
func (d *deriver) documentedLinks() {
	for _, t := range d.tables {
		for _, c := range t.columns {
			if c.note.Reference == "" {
				continue
			}
			if from, to, ok := d.endsOf(c, c.note.Reference); ok {
				d.suggest(from, to, meaning.Reason{State: meaning.Documented, Evidence: shortened(c.note.reference)})
			}
		}
	}
}

// endsOf finds both ends of the link from a column that a text such as customers.id or s12.customers.id names; without a
// source it is of the column's own. The text can name the pairs of a link of several columns (meaning.LinkedColumns).
func (d *deriver) endsOf(c *column, text string) (from, to meaning.Ends, ok bool) {
	for _, t := range d.tables {
		rest, named := cutFold(text, fmt.Sprintf("s%d.%s.", t.m.Source, t.m.Name))
		if !named && t.m.Source == c.table.m.Source {
			rest, named = cutFold(text, t.m.Name+".")
		}
		names, columns, ok := meaning.LinkedColumns(c.Name, rest)
		if !named || !ok {
			continue
		}
		from, known := c.table.ends(names)
		to, has := t.ends(columns)
		if known && has {
			return from, to, true
		}
	}
	return meaning.Ends{}, meaning.Ends{}, false
}

// cutFold cuts a prefix of any case.
func cutFold(text, prefix string) (string, bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

// ends are columns of a table as an end of a link, in the spelling of the table; ok is false if it lacks one of them.
func (t *table) ends(names []string) (e meaning.Ends, ok bool) {
	e = meaning.Ends{Source: t.m.Source, Table: t.m.Name}
	for _, name := range names {
		c := t.column(name)
		if c == nil {
			return meaning.Ends{}, false
		}
		e.Columns = append(e.Columns, c.Name)
	}
	return e, true
}

// end is the column as an end of a link.
func (c *column) end() meaning.Ends {
	return meaning.Ends{Source: c.table.m.Source, Table: c.table.m.Name, Columns: []string{c.Name}}
}

// suggest adds a link that is not measured, unless it is known already.
func (d *deriver) suggest(from, to meaning.Ends, why meaning.Reason) {
	home := d.table(to.Source, to.Table)
	at := slices.IndexFunc(d.out.Links, func(l meaning.Link) bool { return l.From.Same(from) && l.To.Same(to) })
	if home == nil || at >= 0 || from.Same(to) {
		return
	}
	link := meaning.Link{From: from, To: to, Entity: home.noun, Cardinality: meaning.ManyToOne, Reason: why}
	if home.m.KeysKnown && !home.keyWithin(to.Columns) {
		link.Cardinality = meaning.ManyToMany // measured: several rows have one value
	}
	c := d.columnAt(from)
	if c != nil {
		link.Part = c.part(home)
	}
	d.out.Links = append(d.out.Links, link)
	if c != nil && (c.m.Role == meaning.Measure || c.m.Role == meaning.Dimension || c.m.Role == meaning.Text) {
		c.m.Role, c.m.Reasons["role"], c.m.Number = meaning.Foreign, why, nil
	}
}

// nameLinks suggests links by names where nothing could be measured: in remote databases, and before a file is measured.
func (d *deriver) nameLinks() {
	for _, t := range d.tables {
		for _, c := range t.columns {
			if c.m.Role != meaning.Foreign || len(c.links) > 0 {
				continue
			}
			var homes []meaning.Ends
			for _, home := range d.tables {
				if end, ok := home.namedBy(c); ok && home != t && !(t.m.KeysKnown && home.m.KeysKnown) && (home.source == t.source ||
					!home.source.Declared && !t.source.Declared) {
					homes = append(homes, end)
				}
			}
			// With two homes, none of them is clear.
			if len(homes) == 1 {
				d.suggest(c.end(), homes[0], inferred("The name of %s says so; it is not measured.", c.Name))
			}
		}
	}
}

// namedBy is the key of the table that a column of another one is named after.
func (t *table) namedBy(c *column) (meaning.Ends, bool) {
	stem := stemOf(c.words)
	named := false
	for first := range stem {
		named = named || t.isNoun(stem[first:])
	}
	if !named {
		return meaning.Ends{}, false
	}
	for _, k := range t.columns {
		own := len(k.words) == 1 && k.last() == c.last() || strings.EqualFold(k.Name, c.Name)
		if own && k.m.Role == meaning.Key && k.Type == c.Type {
			return k.end(), true
		}
	}
	return meaning.Ends{}, false
}

// sortLinks puts the links into a fixed order, and names a part only where an entity plays several.
func (d *deriver) sortLinks() {
	slices.SortStableFunc(d.out.Links, func(a, b meaning.Link) int {
		return cmp.Or(cmp.Compare(a.From.Source, b.From.Source), cmp.Compare(a.From.Table, b.From.Table),
			slices.Compare(a.From.Columns, b.From.Columns), cmp.Compare(a.To.Source, b.To.Source), cmp.Compare(a.To.Table, b.To.Table))
	})
	for i := range d.out.Links {
		l := &d.out.Links[i]
		alone := true
		for j := range d.out.Links {
			o := &d.out.Links[j]
			if i != j && o.From.Source == l.From.Source && o.From.Table == l.From.Table && o.To.Source == l.To.Source && o.To.Table == l.To.Table {
				alone = false
			}
		}
		if alone {
			l.Part = ""
		}
	}
}
