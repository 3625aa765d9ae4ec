package builtin

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// parser reads atoms into a form. Each production takes the atoms that it explains, from the current
// position on; the plan says which words no production took.
type parser struct {
	form  *form
	asked []token
	atoms []atom
	pos   int
	now   time.Time

	// state between productions
	not      bool
	byNext   bool // a dimension is expected
	orderBy  bool // "sorted by": the next column orders
	agg      []aggregate
	aggPos   int
	distinct bool
	superPos int // position of a superlative, -1 for none
	superDir string
	hint     string
	last     *column // the column that was named last, for "is more than 5"
	lastAt   int
	spans    []span
	spanHint []string
	mentions []*column // columns that were named without a role in the sentence
	topOpen  bool      // the question does not say how many; within groups it is topFew
	topFew   int
	few      int // the number after top
	which    bool
	whichPos int
	preps    map[*column]string // the word before a value: in, for, of
	byName   bool               // rows are listed by their names
	topNoun  bool               // "top 5 …": the next column is what is ranked
	perNext  bool
	counting bool
	nums     []condition // comparisons whose column is not known yet

	recur        []recurring
	recurNot     bool
	dateNamed    *column // the date column that the question names
	named        []mention
	undone       []int     // positions of names of things that have not happened
	passed       []*column // names that only say whom the question is about: active customers
	alternatives []alternative
	or           bool // "or" is between values
	ambiguities  []ambiguity
	turned       bool      // the order takes into account that less is better
	superValue   bool      // the superlative belongs to a value: the cheapest house
	settled      bool      // the role of every part is decided
	meanCount    bool      // "the average number of"
	eachGrain    grain     // "the average monthly"
	eachAgg      aggregate // "the median monthly"
	nth          int       // "the second best"
	basket       bool      // the mean of an order was asked for; a unit of time then groups it
}

// parse reads a question with the names of one view.
func parse(lang *language, ts []token, ix *index, now time.Time) *form {
	ts = sideBySide(lang, ix.unnegate(ts))
	ts, nth := takeNth(lang, ts)
	ts, moving := takeMoving(ts)
	ts, atEnd := takeEnd(ts)
	p := &parser{
		form: &form{view: ix.view, mode: modeGroups, moving: moving, atEnd: atEnd}, asked: ts, atoms: lang.chunk(ts, ix), now: now, superPos: -1,
		aggPos: -1, nth: nth,
	}
	p.form.stance = stanceOf(ts, p.atoms)
	p.dropReplaced()
	if moving != nil {
		p.form.explained += 2
	}
	for _, t := range ts {
		p.spanHint = append(p.spanHint, t.stem)
	}
	p.grainRather()
	p.computed()
	for p.pos < len(p.atoms) {
		before := p.pos
		p.production()
		if p.pos == before {
			p.pos++
		}
	}
	p.finish()
	p.guard()
	p.form.tokens, p.form.atoms = ts, p.atoms
	return p.form
}

// dropReplaced ignores the name after "instead of".
func (p *parser) dropReplaced() {
	for i := 0; i+2 < len(p.atoms); i++ {
		if strings.EqualFold(p.atoms[i].words, "instead") && strings.EqualFold(p.atoms[i+1].words, "of") {
			p.atoms[i+2].kind = atomStop
		}
	}
}

// production takes the next atom, and the atoms that belong to it.
func (p *parser) production() {
	a := &p.atoms[p.pos]
	if a.typed != "" {
		p.form.read = append(p.form.read, fmt.Sprintf("%q as %s", a.words, a.typed))
	}
	switch a.kind {
	case atomLink:
		p.readLink(a)
	case atomSpan:
		p.spans = append(p.spans, p.sinceThen(a.span))
		p.explain(a, 1)
	case atomAgg:
		p.readAgg(a)
	case atomHowMany:
		if slices.Contains(p.agg, aggAvg) {
			p.hint, p.meanCount = "ratio", true
		}
		p.counting, p.agg, p.aggPos = true, nil, -1
		p.explain(a, 0.5)
	case atomDistinct:
		p.distinct = true
		p.explain(a, 0.5)
	case atomBy, atomEach:
		p.readBy(a)
	case atomTop:
		p.readTop(a)
	case atomSuper:
		p.readSuper(a)
	case atomLatest:
		p.readLatest(a)
	case atomCmp:
		p.readComparison(a)
	case atomBetween:
		p.readBetween()
	case atomNot:
		p.not = true
		p.explain(a, 0.2)
	case atomRecurring:
		p.recur, p.recurNot, p.not = append(p.recur, a.recur), p.not, false
		p.explain(a, 1)
	case atomSign:
		p.readSign(a)
	case atomFlow:
		p.readFlow(a)
	case atomOpen:
		p.readOpen(a)
	case atomRatio:
		p.readRatio(a)
	case atomUnable:
		p.form.block(unable(a.text))
	case atomAnd, atomVs:
		p.readAnd(a)
	case atomCompare:
		p.form.compare = true
		p.explain(a, 0.5)
		if n := len(p.form.measures); strings.EqualFold(a.words, "ratio") && n >= 1 && p.form.measures[n-1].col != nil {
			a, b := p.form.measures[0], p.form.measures[n-1]
			if n != 2 || a.col == nil || !a.col.isNumber() || !b.col.isNumber() || a.over != nil || b.over != nil {
				p.form.block(unable("arithmetic"))
				return
			}
			p.form.measures = []measure{{agg: aggSum, col: a.col, over: b.col}}
			p.form.compare = false
		} else if strings.HasPrefix(strings.ToLower(a.words), "ratio") {
			p.form.measures = append(p.form.measures, measure{agg: aggCount, assumed: true})
		}
	case atomShare:
		if p.shareOfTotal(a) || p.partOfBill(a) {
			return
		}
		p.form.share = true
		p.explain(a, 0.5)
	case atomGrowth:
		if n := len(p.form.measures); n > 0 && p.form.measures[n-1].agg == aggDistinct && isOne(strings.ToLower(a.words), "grow", "grown",
			"change", "changed") {
			return // "what each farm grows" is not about growth
		}
		if p.pos > 0 && isOne(strings.ToLower(p.atoms[p.pos-1].words), "we", "they", "i", "you", "farmers", "did we", "do we") {
			p.readUnknown(a) // what somebody grows is no growth
			return
		}
		p.form.growth = true
		p.growthGrain(a)
		p.explain(a, 0.5)
	case atomTrend:
		p.addGrain(grain(a.hint))
		p.explain(a, 0.5)
	case atomRows:
		p.form.mode, p.byName = modeRows, p.byName || a.text == "names"
		p.explain(a, 0.3)
	case atomDescribe:
		p.form.mode = modeDescribe
		p.explain(a, 0.5)
	case atomOrder:
		if p.ranksNoun() {
			p.topNoun, p.form.ordered, p.form.desc, p.superDir = true, true, true, "desc"
			p.explain(a, 0.2)
			return
		}
		p.orderBy, p.form.ordered, p.form.desc = true, true, true
		p.explain(a, 0.2)
	case atomDirection:
		if a.text == "reverse" {
			p.form.reverse = true
			p.explain(a, 0.5)
			return
		}
		p.form.ordered, p.form.desc = true, a.text == "desc"
		p.hint = orElse(p.hint, a.hint)
		p.explain(a, 0.3)
	case atomChart:
		p.form.chart = a.text
		p.form.fragment = true
		p.explain(a, 0.3)
	case atomGrain:
		p.readGrain(a)
	case atomContains:
		p.readContains(a)
	case atomMissing:
		p.readMissing(a)
	case atomBasket:
		p.readBasket(a)
	case atomWhich:
		if first, _ := p.peek(0); first != a && strings.EqualFold(a.words, "where") {
			// "rows where status is late" asks for rows, and not for statuses.
			a.kind = atomStop
			return
		}
		p.which, p.whichPos = true, p.pos
	case atomRate:
		p.readRate(a)
	case atomBins:
		p.explain(a, 0.3)
		p.hint = "bins"
	case atomCorrelation:
		p.form.mode = modeCorrelation
		p.explain(a, 0.5)
	case atomSignificance:
		p.form.tested = true
		p.explain(a, 0.5)
	case atomFollow:
		p.form.follows = true
	case atomHelp:
		if a.text != "" && slices.ContainsFunc(p.atoms, func(x atom) bool { return x.kind != atomStop && x.kind != atomHelp }) {
			return // a greeting before a question, or thanks after it
		}
		if p.pos > 1 && slices.ContainsFunc(p.atoms, func(x atom) bool { return x.kind == atomLink }) {
			p.readUnknown(a) // a word that belongs to the question
			return
		}
		p.form.help, p.form.greeting = true, a.text
	case atomNumber:
		p.readNumber(a)
	case atomQuoted:
		p.readQuoted(a)
	case atomUnknown:
		p.readUnknown(a)
	case atomStop:
		if isOne(a.words, "*", "+", "-", "−") && len(p.form.measures) > 0 && p.pos+1 < len(p.atoms) && numberOf(&p.atoms[p.pos+1]) != nil {
			p.form.block(unable("arithmetic"))
		}
	case atomOrMore:
	case atomMath:
		p.readMath(a)
	case atomDecade:
		p.readDecade(a)
	case atomRunning:
		p.form.running = true
		p.explain(a, 0.5)
		if isOne(strings.ToLower(a.words), "running count", "running count of", "cumulative count", "cumulative count of",
			"cumulative number of", "running number of") {
			p.counting = true
		}
	}
}

// readUnknown takes a word that nothing explains: some words add nothing to what follows, others
// prevent an answer.
func (p *parser) readUnknown(a *atom) {
	if next, _ := p.peek(p.pos + 1); next != nil && isOne(strings.ToLower(a.words), "left", "gave", "wrote", "provided", "added", "filled",
		"submitted") && (next.kind == atomNot || next.kind == atomLink && columnOf(next) != nil && columnOf(next).Nulls > 0) {
		return
	}
	if next, _ := p.peek(p.pos + 1); next != nil && next.kind == atomSuper && isOne(strings.ToLower(a.words), "won", "win", "wins", "scored") {
		return // "who won the most medals" asks who has the most medals
	}
	if p.pos > 0 && isOne(strings.ToLower(p.atoms[p.pos-1].words), "about", "regarding", "concerning", "on", "mentioning", "with") {
		if c := p.mentioned(a.words); c != nil && (!strings.EqualFold(p.atoms[p.pos-1].words, "with") || p.namedLater(c)) {
			p.mentions = slices.DeleteFunc(p.mentions, func(m *column) bool { return m == c })
			p.form.where = append(p.form.where, condition{col: c, op: opContains, values: []string{a.words}})
			p.last, p.lastAt = c, p.pos
			p.explain(a, 1)
			return
		}
	}
	if p.pos > 0 && p.pos-p.lastAt == 1 && p.last != nil && p.last.isNumber() && isOne(strings.ToLower(a.words), "group", "groups",
		"bracket", "brackets", "band", "bands", "range", "ranges", "bucket", "buckets", "class", "classes") {
		return // age groups are steps of the age
	}
	if p.last != nil && p.lastAt == p.pos-1 && p.last.isNumber() && fillsNumber(strings.ToLower(a.words)) {
		return
	}
	if next, _ := p.peek(p.pos + 1); next != nil && next.kind == atomLink && valueOf(next) != nil && p.pos+1 < len(p.atoms) &&
		isOne(strings.ToLower(p.atoms[p.pos+1].words), "with", "by", "via", "in", "using", "through") &&
		isOne(strings.ToLower(a.words), "paid", "ordered", "booked", "purchased", "made", "placed", "done", "bought") {
		return // orders paid with PayPal are the orders of PayPal
	}
	p.form.ignored = append(p.form.ignored, a.words)
	if p.pos > 0 && a.words != strings.ToLower(a.words) && isOne(strings.ToLower(p.atoms[p.pos-1].words), "in", "from", "for", "of", "at",
		"by", "with", "=", "is", "vs", "versus", "and", "or") {
		// Without the name it would be another question.
		p.form.blocked = true
	}
	if p.pos+1 < len(p.atoms) && p.atoms[p.pos+1].kind == atomLink && !p.byNext {
		if c := columnOf(&p.atoms[p.pos+1]); c != nil && c.isNumber() && valueOf(&p.atoms[p.pos+1]) == nil {
			// The same holds for a word that says which number is meant: the outside temperature.
			p.form.blocked = true
		}
	}
	if len(p.agg) > 0 && p.pos-p.aggPos <= 2 {
		// An average of something else would be another question, too.
		p.form.blocked = true
	}
}

func (p *parser) explain(a *atom, weight float64) { p.form.explained += weight * float64(a.size) }

// ranksNoun distinguishes "rank subjects by score" from "ranked by score".
func (p *parser) ranksNoun() bool {
	next, i := p.peek(p.pos + 1)
	if next == nil || next.kind != atomLink || columnOf(next) == nil || columnOf(next).isNumber() {
		return false
	}
	by, _ := p.peek(i + 1)
	return by != nil && by.kind == atomBy
}

// peek returns the first atom from a position on that is not a stop word.
func (p *parser) peek(from int) (*atom, int) {
	for i := from; i < len(p.atoms); i++ {
		if p.atoms[i].kind != atomStop {
			return &p.atoms[i], i
		}
	}
	return nil, len(p.atoms)
}

func nameOf(l link) string {
	switch {
	case l.isValue:
		return l.value
	case l.column != nil:
		return l.column.title()
	default:
		return l.table.entity()
	}
}

func valueOf(a *atom) *link {
	for i := range a.links {
		if a.links[i].isValue {
			return &a.links[i]
		}
	}
	return nil
}

func columnOf(a *atom) *column {
	for _, l := range a.links {
		if l.column != nil && !l.isValue {
			return l.column
		}
	}
	return nil
}

// nounOf returns the column that an atom of one word was read as, and the stem of that word; nil for a
// value and for several words.
func nounOf(a *atom) (c *column, word string) {
	if a.kind != atomLink || a.size != 1 || valueOf(a) != nil {
		return nil, ""
	}
	return columnOf(a), stem(strings.ToLower(a.words))
}

func tableOfLink(a *atom) *table {
	for _, l := range a.links {
		if l.table != nil {
			return l.table
		}
	}
	return nil
}

func orElse(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func contains(list []*column, c *column) bool { return slices.Contains(list, c) }

// wordsAfter returns the words of the question after a position, for values that the schema does not
// contain.
func (p *parser) wordsAfter(i int) string {
	var out []string
	for ; i < len(p.atoms); i++ {
		a := p.atoms[i]
		if a.kind != atomUnknown && a.kind != atomQuoted && (a.kind != atomNumber || len(out) == 0) {
			break
		}
		out = append(out, a.words)
	}
	return strings.Join(out, " ")
}
