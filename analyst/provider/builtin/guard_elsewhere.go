package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// guardElsewhere refuses a reading that uses a weaker match for a name of another table: "refunds" does
// not mean returns if a table of the conversation is called refunds.
func (p *planner) guardElsewhere(f *form) {
	if f.mode == modeDescribe || f.blocked {
		return
	}
	ts := f.tokens
	at := 0 // index of the first token of an atom
	for i := range f.atoms {
		a := &f.atoms[i]
		from := at
		at += a.size
		if a.kind != atomLink || a.size > len(ts)-from || valueOf(a) == nil && a.links[0].quality >= 0.8 || a.links[0].isValue &&
			a.words != strings.ToLower(a.words) {
			continue
		}
		for k, ix := range p.indexes {
			if p.views[k] == f.view {
				continue
			}
			for _, l := range ix.phrases[stemsOf(ts[from:from+a.size])] {
				own := l.column != nil && l.column.table == p.views[k].base || l.table == p.views[k].base
				least := 0.97
				if l.table != nil && a.links[0].quality < 0.5 {
					least = 0.75 // "items" means the order items, and not the rows of another table
				}
				if l.isValue || l.quality < least || !own || f.hasName(l) {
					continue
				}
				f.refuseUnjoined(a.words, p.views[k], p.views[k].base.entity())
			}
		}
	}
	p.guardUnjoinedNumbers(f)
	p.guardPhrases(f)
}

// guardUnjoinedNumbers refuses "budget and spent" if spent is a number of another table: words such as spent are stop words, and
// would otherwise be left out silently.
func (p *planner) guardUnjoinedNumbers(f *form) {
	for i, t := range f.tokens {
		if t.kind != tokenWord || !p.lang.stop[t.norm] {
			continue
		}
		alongside := i > 0 && isOne(f.tokens[i-1].norm, "and", "with", "vs", "versus", "to", "against", "minus", "less", "plus") ||
			i+1 < len(f.tokens) && isOne(f.tokens[i+1].norm, "and", "with", "vs", "versus", "against", "minus", "less", "plus")
		if !alongside {
			continue
		}
		for k, ix := range p.indexes {
			for _, l := range ix.phrases[t.stem] {
				if p.views[k] != f.view && l.column != nil && l.column.isNumber() && l.column.table == p.views[k].base &&
					slices.Equal(splitName(l.column.Name), []string{t.norm}) && !f.hasName(l) {
					f.refuseUnjoined(t.text, p.views[k], p.views[k].base.label())
					return
				}
			}
		}
	}
}

// guardPhrases refuses a reading that does not use a column whose name of several words is in the
// question: it would answer something else.
func (p *planner) guardPhrases(f *form) {
	ts := f.tokens
	for n := 4; n >= 2; n-- {
		for i := 0; i+n <= len(ts); i++ {
			if slices.ContainsFunc(ts[i:i+n], func(t token) bool { return t.kind != tokenWord }) {
				continue
			}
			if f.phrased(i, n) {
				continue
			}
			key := stemsOf(ts[i : i+n])
			var found []link
			for k, ix := range p.indexes {
				for _, l := range ix.phrases[key] {
					if l.column != nil && !l.isValue && l.quality >= 0.99 && l.column.table == p.views[k].base &&
						slices.Equal(l.column.words, strings.Fields(key)) {
						found = append(found, l)
					}
				}
			}
			if len(found) == 0 || slices.ContainsFunc(found, func(l link) bool { return f.hasName(l) }) {
				continue
			}
			words := joinedText(ts[i : i+n])
			if slices.ContainsFunc(found, func(l link) bool {
				return l.column.table.Name == f.view.base.Name && (l.column.isDate() || l.column.keyLike() || l.column.unique())
			}) {
				continue
			}
			f.block(fmt.Sprintf("“%s” is a column of %s, and I found no place for it here.", words, found[0].column.table.entity()))
		}
	}
}

// phrased reports whether words are one phrase of the language, such as over time.
func (f *form) phrased(i, n int) bool {
	at := 0
	for k := range f.atoms {
		a := &f.atoms[k]
		if at <= i && at+a.size >= i+n && a.kind != atomLink {
			return true
		}
		at += a.size
	}
	return false
}

func stemsOf(ts []token) string {
	words := make([]string, len(ts))
	for i, t := range ts {
		words[i] = t.stem
	}
	return strings.Join(words, " ")
}

// hasName reports whether a form uses a column or a table with that name, in any view.
func (f *form) hasName(l link) bool {
	if l.column == nil {
		return l.table != nil && (f.keyOf(l.table) || l.table.Name == f.view.base.Name ||
			slices.ContainsFunc(f.used(), func(t *table) bool { return t.Name == l.table.Name }) ||
			slices.ContainsFunc(f.view.joined, func(t *table) bool { return t.Name == l.table.Name && t.on != nil && f.uses(t.on) }))
	}
	c := twin(f.view, l.column)
	return c != nil && f.uses(c)
}

// keyOf reports whether a form uses the key that identifies the rows of a table.
func (f *form) keyOf(t *table) bool {
	return slices.ContainsFunc(f.view.columns(), func(c *column) bool {
		return c.keyLike() && len(t.words) > 0 && slices.Equal(coreOf(c.words), t.words[len(t.words)-1:]) && f.uses(c)
	})
}

// uses reports whether a form uses a column.
func (f *form) uses(c *column) bool {
	var same func(o *column) bool
	same = func(o *column) bool {
		return o != nil && (o == c || o.made != nil && (same(o.made.a) || same(o.made.b)) ||
			o.Column != nil && c.Column != nil && o.Name == c.Name && o.table != nil && o.table.Name == c.table.Name)
	}
	for _, m := range f.measures {
		if same(m.col) || same(m.per) || same(m.over) {
			return true
		}
	}
	for _, d := range f.dims {
		if same(d.col) {
			return true
		}
	}
	for _, w := range f.where {
		if same(w.col) || same(w.other) || slices.ContainsFunc(w.also, same) {
			return true
		}
	}
	return slices.ContainsFunc(f.columns, same) || same(f.orderCol) || same(f.latestOf) || same(f.counted) || same(f.within) ||
		f.shareOf != nil && same(f.shareOf.col)
}

// guardPronouns refuses a pronoun that refers to a group in the answer before: only the table of that
// answer contains its name.
func (f *form) guardPronouns(before *form) {
	if before == nil || f.blocked || before.mode != modeGroups || len(before.dims) == 0 {
		return
	}
	few := before.limit > 0 || before.single || len(before.having) > 0
	f.guardPronoun(few)
}

// guardPronoun refuses such pronouns. few says that the answer before had few lines, or is unknown.
func (f *form) guardPronoun(few bool) {
	for i, t := range f.tokens {
		prev, next := "", ""
		if i > 0 {
			prev = f.tokens[i-1].norm
		}
		if i+1 < len(f.tokens) {
			next = f.tokens[i+1].norm
		}
		if isOne(prev, "show", "make", "break", "split", "put", "draw", "plot", "sort") {
			continue
		}
		switch t.norm {
		case "it":
			if isOne(prev, "does", "did", "do", "has", "had", "for", "in", "of", "from", "to", "at", "with") ||
				isOne(next, "has", "had", "did", "does", "have") {
				f.ask(fmt.Sprintf("I do not know what “%s” means; please name it.", t.text))
			}
		case "its", "he", "she", "his", "her":
			f.ask(fmt.Sprintf("I do not know what “%s” means; please name it.", t.text))
		case "them", "they", "their", "theirs", "those", "these":
			if few && (f.stance.back || isOne(t.norm, "they")) {
				f.ask(fmt.Sprintf("I do not take over what the answer before named, so I do not know which “%s” are; please name them.", t.text))
			}
		}
	}
}
