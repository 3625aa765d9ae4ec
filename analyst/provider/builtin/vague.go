package builtin

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain/meaning"
)

// A question such as "who are our best customers?" ranks things and does not say by what. The things are in one table, and what
// they brought is in another one. The meaning says which number that table is mainly about, and by which name the things are
// called.

// vague is a question that ranks things without a number.
type vague struct {
	// size says that the word, such as biggest, can mean how big a thing is, and not only what it brought.
	size  bool
	least bool
	limit int
	one   bool // the question asks for one thing
	// noun is what the things are called, by its stems, and rest is what follows it, as written.
	noun string
	rest string
}

// ranked is what a vague question can mean: the total of a number of the view's table, for each thing that a column names.
type ranked struct {
	view   *view
	number *column
	by     *column
	key    *column // of the things, if two of them can have one name
	hops   int
}

// ranking reads a question that ranks things of one table and names no number; nil if it asks for something else, or if the
// grammar has to say what is wrong with it.
func (p *planner) ranking(text string) *form {
	q := p.vague(text)
	if q == nil {
		return nil
	}
	paths, things := p.rankedBy(q)
	if len(paths) == 0 {
		return p.unranked(q, things)
	}
	var forms []*form
	for i := range paths {
		if f := p.rankedForm(q, &paths[i]); f != nil {
			forms = append(forms, f)
		}
	}
	if len(forms) != len(paths) {
		return nil
	}
	f := forms[0]
	switch own := things.ownNumber(); {
	case len(forms) > 1:
		f.asks = true
		f.block(fmt.Sprintf("By which number should %s be ranked: the total of %s, or the total of %s?", things.label(),
			quoteFrom(paths[0].number), quoteFrom(paths[1].number)))
	case q.size && own != nil:
		f.asks = true
		f.block(fmt.Sprintf("By which number should %s be ranked: %s, or the total of %s?", things.label(), quoteFrom(own),
			quoteFrom(paths[0].number)))
	default:
		f.note(fmt.Sprintf("You did not say by what, so I took the total of %s.", quoteFrom(paths[0].number)))
		f.taken = paths[0].number
	}
	return f
}

// quoteFrom names a number with its table.
func quoteFrom(c *column) string { return quoteName(c) + " of " + c.table.label() }

// vague finds the parts of a vague question: words before the ranking that say nothing, the ranking, the things, and a limit of
// time or place after them. Anything else is not this form.
func (p *planner) vague(text string) *vague {
	ts := lex(text)
	i := 0
	asked, singular := "", false
	for i < len(ts) && ts[i].kind == tokenWord && (p.lang.stop[ts[i].norm] || p.lang.keywords[ts[i].norm].kind == atomWhich ||
		isOne(ts[i].norm, "our", "my", "who", "what", "which")) {
		if isOne(ts[i].norm, "which", "what", "who") {
			asked = ts[i].norm
		}
		singular = singular || isOne(ts[i].norm, "is", "was", "did")
		i++
	}
	q := &vague{}
	if at := p.rankAt(ts, i, q); at > i {
		q.one = asked != "" && singular && q.limit == 0
		if !q.things(ts, p.nounAt(ts, at), at, text) {
			return nil
		}
		return q
	}
	// "which product is the best"
	if asked != "which" && asked != "what" {
		return nil
	}
	at := p.nounAt(ts, i)
	end := i + at
	if at == 0 || end >= len(ts) || !isOne(ts[end].norm, "is", "are", "did", "does", "was", "were", "performs", "performed") {
		return nil
	}
	q.one = isOne(ts[end].norm, "is", "was", "did", "does", "performs", "performed")
	k := end + 1
	for k < len(ts) && p.lang.stop[ts[k].norm] {
		k++
	}
	if after := p.rankAt(ts, k, q); after == k+1 && q.limit == 0 && rests(ts, after) {
		q.noun, q.rest = stemsOf(ts[i:end]), textFrom(text, ts, after)
		return q
	}
	return nil
}

// rankAt reads words of ranking with a number of places before or after them, and returns the place after them; i if there are none.
func (p *planner) rankAt(ts []token, i int, q *vague) int {
	at := i
	number := func() {
		if q.limit == 0 && at < len(ts) && ts[at].kind == tokenNumber && ts[at].value >= 1 && ts[at].value <= 1000 &&
			ts[at].value == float64(int(ts[at].value)) {
			q.limit = int(ts[at].value)
			at++
		}
	}
	number()
	if at >= len(ts) || ts[at].kind != tokenWord {
		return i
	}
	k := p.lang.keywords[ts[at].norm]
	// Most, highest and their like are followed by the number.
	if (k.kind != atomSuper && k.kind != atomTop) || k.hint != "" || isOne(ts[at].norm, "most", "least", "fewest", "maximal", "minimal",
		"highest", "lowest", "greatest") {
		return i
	}
	q.least = k.text == "asc"
	q.size = isOne(ts[at].norm, "biggest", "largest", "smallest")
	at++
	number()
	return at
}

// things takes the noun of n words at a place, and what follows it.
func (q *vague) things(ts []token, n, at int, text string) bool {
	if n == 0 || !rests(ts, at+n) {
		return false
	}
	q.noun, q.rest = stemsOf(ts[at:at+n]), textFrom(text, ts, at+n)
	return true
}

// rests reports whether what is left of a question only limits it: in 2025, for Germany, last month.
func rests(ts []token, at int) bool {
	if at+1 < len(ts) && ts[at].norm == "of" && (ts[at+1].kind == tokenNumber || ts[at+1].kind == tokenDate) {
		return true // of 2025
	}
	return at == len(ts) || isOne(ts[at].norm, "in", "at", "for", "during", "since", "from", "last", "this", "until", "between") &&
		!slices.ContainsFunc(ts[at:], func(t token) bool { return isOne(t.norm, "by", "per", "each", "every", "with", "and", "or", "without") })
}

// textFrom is a question from one of its tokens on, as written.
func textFrom(text string, ts []token, at int) string {
	if at >= len(ts) {
		return ""
	}
	words := make([]string, 0, len(ts)-at)
	for _, t := range ts[at:] {
		words = append(words, t.text)
	}
	if !strings.Contains(text, `"`) {
		return strings.Join(words, " ")
	}
	for i := range words {
		if ts[at+i].kind == tokenQuoted {
			words[i] = `"` + words[i] + `"`
		}
	}
	return strings.Join(words, " ")
}

// nounLongest is the maximum number of words of a name of things.
const nounLongest = 3

// nounLeast is how well a word must name a table or a column, so that nothing is ranked that was not meant.
const nounLeast = 0.7

// nounAt is the number of the words that name things; 0 if there are none.
func (p *planner) nounAt(ts []token, at int) int {
	for n := min(nounLongest, len(ts)-at); n > 0; n-- {
		if slices.ContainsFunc(p.indexes, func(ix *index) bool { return ix.names(stemsOf(ts[at:at+n])) != (calls{}) }) {
			return n
		}
	}
	return 0
}

// calls is what words mean in the base of a view: its rows, or a column of it.
type calls struct {
	rows   bool
	column *column
}

// names looks words up among the rows and the columns of the base of a view. Keys name things of other tables, so they do not count.
func (ix *index) names(stems string) calls {
	var out calls
	for _, l := range ix.phrases[stems] {
		switch c := l.column; {
		case l.isValue || l.quality < nounLeast:
		case l.table == ix.view.base:
			out.rows = true
		case c != nil && c.table == ix.view.base && c.made == nil && out.column == nil && !c.keyLike() && !c.isNumber() && !c.isDate():
			out.column = c
		}
	}
	return out
}

// thingsOf finds the table of things that words name, with its column if they name one of those instead of the things; nil if
// they name none, or what several tables have.
func (p *planner) thingsOf(noun string) (things *table, of *column) {
	var others int
	for _, ix := range p.indexes {
		found, t := ix.names(noun), ix.view.base
		switch {
		case found.rows && (things == nil || of != nil):
			things, of = t, nil
		case found.rows:
			return nil, nil
		case found.column != nil && (things == nil || of != nil):
			things, of = t, found.column
			others++
		}
	}
	if things == nil || of != nil && others > 1 || things.meaning == nil || things.meaning.Kind != meaning.EntityTable {
		return nil, nil
	}
	return things, of
}

// rankedBy finds the numbers by which things can be ranked: those of what happened to them, over the fewest links; of several,
// those of money. The table of the things is nil if no table of things is named so, or if several are.
func (p *planner) rankedBy(q *vague) ([]ranked, *table) {
	var paths []ranked
	things, column := p.thingsOf(q.noun)
	if things == nil {
		return nil, nil
	}
	for _, v := range p.views {
		m := v.base.meaning
		if m == nil || m.Main == "" {
			continue
		}
		at := slices.IndexFunc(v.joined, func(t *table) bool { return t.Name == things.Name })
		if at < 0 {
			continue
		}
		to := v.joined[at]
		w := ranked{view: v, number: v.base.named(m.Main), hops: max(1, len(to.via))}
		switch {
		case column != nil:
			w.by = to.named(column.Name)
		case things.meaning.Called != "":
			if w.by = to.named(things.meaning.Called); w.by != nil && !w.by.unique() {
				w.key = to.key
			}
		default:
			w.by = to.key
		}
		if to.key == nil && (w.by == nil || !w.by.unique()) {
			continue // several things may have one name, and no single column distinguishes them
		}
		if w.number != nil && w.by != nil {
			paths = append(paths, w)
		}
	}
	return nearest(paths), things
}

// nearest keeps the paths with the fewest links and, of several, those to money.
func nearest(paths []ranked) []ranked {
	if len(paths) == 0 {
		return nil
	}
	least := slices.MinFunc(paths, func(a, b ranked) int { return a.hops - b.hops }).hops
	paths = slices.DeleteFunc(paths, func(w ranked) bool { return w.hops > least })
	if slices.ContainsFunc(paths, ranked.money) {
		paths = slices.DeleteFunc(paths, func(w ranked) bool { return !w.money() })
	}
	return paths
}

func (w ranked) money() bool {
	m := w.number.meant()
	return m != nil && m.Number != nil && m.Number.Unit.Kind == meaning.Money
}

// ownNumber is a number of the things themselves that says how big they are; nil if there is none.
func (t *table) ownNumber() *column {
	for _, c := range t.columns {
		if m := c.meant(); m != nil && m.Number != nil && m.Role == meaning.Measure && m.Number.Adds != meaning.Rate {
			return c
		}
	}
	return nil
}

// placesUsual is the number of places of a ranking that names none.
const placesUsual = 10

// rankedForm reads the question with the names that it leaves out. The reading must be what was meant; nil if the grammar takes
// the names for others.
func (p *planner) rankedForm(q *vague, w *ranked) *form {
	total := "total " + w.number.title()
	text := fmt.Sprintf("%s %d %s by %s %s", orWord(q.least, "bottom", "top"), cmp.Or(q.limit, placesUsual), w.by.title(), total, q.rest)
	if q.one {
		text = fmt.Sprintf("which %s has the %s %s %s", w.by.title(), orWord(q.least, "lowest", "highest"), total, q.rest)
	}
	at := slices.Index(p.views, w.view)
	f := parse(p.lang, lex(strings.TrimSpace(text)), p.indexes[at], p.now)
	if f.help || !f.understood() || len(f.ignored)+len(f.read) > 0 || f.mode != modeGroups || len(f.dims) != 1 || len(f.measures) != 1 ||
		f.dims[0].col.Name != w.by.Name || f.dims[0].col.table.Name != w.by.table.Name || f.measures[0].agg != aggSum ||
		f.measures[0].col == nil || f.measures[0].col.Name != w.number.Name || f.measures[0].col.table.Name != w.number.table.Name {
		return nil
	}
	if w.key != nil {
		f.dims = append(f.dims, dimension{col: w.key})
		f.notes = slices.DeleteFunc(f.notes, func(n string) bool { return n == w.by.sharedName() })
	}
	p.guard(f, nil)
	return f
}

// unranked refuses to rank things that have no number to rank by; nil if they have one.
func (p *planner) unranked(q *vague, things *table) *form {
	if things == nil || q.size || slices.ContainsFunc(things.columns, func(c *column) bool {
		m := c.meant()
		return m != nil && m.Number != nil && (m.Number.Adds != meaning.Unknown || m.Reasons["adds"].State == meaning.Said)
	}) {
		return nil
	}
	at := slices.IndexFunc(p.views, func(v *view) bool { return v.base == things })
	f := parse(p.lang, lex("how many "+q.noun), p.indexes[at], p.now)
	f.block(fmt.Sprintf("The data do not say by which number %s are ranked. Please name one.", things.label()))
	return f
}

func orWord(first bool, yes, no string) string {
	if first {
		return yes
	}
	return no
}
