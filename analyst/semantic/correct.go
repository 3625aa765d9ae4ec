package semantic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/domain/meaning"
)

// correct applies what a person said. It overrides everything except measurements, which people can only narrow: nobody can say
// that a column is unique in which values repeat. A correction about a table or a column that does not exist has no effect until it
// does.
func (d *deriver) correct(said *meaning.Correction) {
	t := d.table(said.Source, said.Table)
	if t == nil {
		return
	}
	why := meaning.Reason{State: meaning.Said, Evidence: shortened(said.Reason)}
	if why.Evidence == "" && said.ByName != "" {
		why.Evidence = said.ByName + " said so."
	}
	if said.Column == "" {
		t.correct(d.out, said, why)
		return
	}
	c := t.column(said.Column)
	if c == nil {
		return
	}
	switch said.Field {
	case meaning.FieldRole:
		c.correctRole(meaning.Role(said.Value), why)
	case meaning.FieldAdds, meaning.FieldDefault, meaning.FieldUnit, meaning.FieldScale, meaning.FieldWeight:
		c.correctNumber(said, why)
	case meaning.FieldWords:
		d.addWords(t, c.Name, said.Value, why)
	case meaning.FieldVerbs:
		c.correctVerbs(said.Value, why)
	case meaning.FieldLink:
		d.correctLink(c, said.Value, why)
	case meaning.FieldRow, meaning.FieldTime, meaning.FieldMain:
		// They are said of tables.
	}
}

// correct applies what a person said about the table.
func (t *table) correct(out *meaning.Meaning, said *meaning.Correction, why meaning.Reason) {
	switch said.Field {
	case meaning.FieldRow:
		t.m.Row, t.m.Plural, t.m.RowReason = said.Value, pluralOf(said.Value), why
	case meaning.FieldTime:
		if c := t.column(said.Value); c != nil {
			t.m.Time, t.m.TimeReason = c.Name, why
		}
	case meaning.FieldMain:
		if c := t.column(said.Value); c != nil && c.isNumber() {
			t.m.Main, t.m.MainReason = c.Name, why
		}
	case meaning.FieldWords:
		for _, text := range alternatives(said.Value) {
			out.Words = append(out.Words, meaning.Word{Text: text, Language: verbLanguage, Source: t.m.Source, Table: t.m.Name, Reason: why})
		}
	default:
		// The others are said of columns.
	}
}

// addWords adds other words for a column.
func (d *deriver) addWords(t *table, column, list string, why meaning.Reason) {
	for _, text := range alternatives(list) {
		d.out.Words = append(d.out.Words, meaning.Word{
			Text: text, Language: verbLanguage, Source: t.m.Source, Table: t.m.Name, Column: column, Reason: why,
		})
	}
}

// correctRole changes the role of a column as far as measurements allow it.
func (c *column) correctRole(role meaning.Role, why meaning.Reason) {
	not := ""
	switch {
	case role == meaning.Key && c.table.m.KeysKnown && !c.table.single(c.Name):
		not = "its values repeat"
	case role == meaning.Measure && !c.isNumber():
		not = "it has no numbers"
	case role == meaning.Time && !c.isTime() && !c.isYear() && !c.isPeriodText():
		not = "it has no times"
	case role == meaning.Flag && c.yes() == "":
		not = "it has no two values of which one means yes"
	}
	if not != "" {
		// The correction is kept for a later file. The explanation of the role says that it has no effect now.
		kept := c.m.Reasons["role"]
		kept.Evidence = strings.TrimSpace(fmt.Sprintf("%s A person said %s, but %s.", kept.Evidence, role, not))
		c.m.Reasons["role"] = kept
		return
	}
	c.m.Role, c.m.Reasons["role"] = role, why
	c.m.Yes = ""
	if role == meaning.Flag {
		c.m.Yes = c.yes()
	}
	if role != meaning.Measure {
		c.m.Number = nil
		return
	}
	if c.m.Number == nil {
		c.number()
		c.barriers()
	}
}

// correctNumber changes what a number means. A role that was only inferred gives way to it.
func (c *column) correctNumber(said *meaning.Correction, why meaning.Reason) {
	if !c.isNumber() {
		return
	}
	if c.m.Number == nil {
		if c.m.Reasons["role"].State == meaning.Said {
			return
		}
		c.correctRole(meaning.Measure, why)
	}
	n, field := c.m.Number, string(said.Field)
	switch said.Field {
	case meaning.FieldAdds:
		if n.Adds = meaning.Adds(said.Value); c.m.Reasons["default"].State != meaning.Said {
			n.Default, c.m.Reasons["default"] = c.aggregate(n)
		}
		c.barriers()
	case meaning.FieldDefault:
		n.Default = meaning.Aggregate(said.Value)
	case meaning.FieldUnit:
		n.Unit = unitNamed(said.Value)
		n.Unit.OfOne = n.Unit.Kind == meaning.Percent && c.ofOne()
		c.barriers()
	case meaning.FieldScale:
		factor, err := strconv.ParseFloat(said.Value, 64)
		if err != nil || factor <= 0 {
			return
		}
		n.Scale = factor
	case meaning.FieldWeight:
		w := c.table.column(said.Value)
		if w == nil || !w.isNumber() {
			return
		}
		n.Weight = w.Name
	default:
		return
	}
	c.m.Reasons[field] = why
}

// correctVerbs binds verbs to a flag or to a time. A verb means one thing in a table, so an earlier meaning of it is removed.
func (c *column) correctVerbs(list string, why meaning.Reason) {
	t := c.table
	for _, word := range alternatives(list) {
		if stem := verbStem(word); stem != "" {
			word = stem
		}
		v := meaning.Verb{Word: word, Language: verbLanguage, Reason: why}
		switch c.m.Role {
		case meaning.Time:
			v.Time = c.Name
		case meaning.Flag:
			v.Column, v.Value = c.Name, c.m.Yes
		default:
			continue
		}
		t.m.Verbs = slices.DeleteFunc(t.m.Verbs, func(v meaning.Verb) bool { return v.Word == word })
		t.m.Verbs = append(t.m.Verbs, v)
	}
}

// correctLink adds, denies or prefers a link from a column.
func (d *deriver) correctLink(c *column, value string, why meaning.Reason) {
	denied, preferred := strings.HasPrefix(value, "-"), strings.HasPrefix(value, "!")
	from, to, ok := d.endsOf(c, strings.TrimSpace(strings.TrimLeft(value, "-!")))
	if !ok {
		return
	}
	is := func(l meaning.Link) bool { return l.From.Same(from) && l.To.Same(to) }
	if denied {
		d.out.Links = slices.DeleteFunc(d.out.Links, is)
		return
	}
	d.suggest(from, to, why)
	if preferred && slices.ContainsFunc(d.out.Links, is) {
		meaning.Prefer(d.out.Links, from, to) // the last one that a person chose
	}
}

// settle derives what depends on corrections: the default time is that of the flags, also if a person said it after a verb.
func (t *table) settle() {
	if s := t.m.Snapshot; s != nil && t.m.TimeReason.State != meaning.Said {
		t.m.Time = s.Period
	}
	if t.m.RowReason.State != meaning.Said {
		t.row()
	}
	for i := range t.m.Verbs {
		if v := &t.m.Verbs[i]; v.Column != "" {
			v.Time = t.m.Time
		}
	}
	t.verbs()
	t.defaults()
}
