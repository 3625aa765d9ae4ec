package builtin

import (
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// A question may make a column of others: the days between two dates, one number minus another. The
// words become one atom, so that everything that can be asked about a column can be asked about it.

// maxGap is the maximum number of words without a meaning between the parts.
const maxGap = 3

// interval reads a duration between two dates of each row, and returns how many tokens it takes: "days
// between order and shipping", "how long from admission to discharge", "time to resolve", "delivery
// time".
func (ix *index) interval(ts []token, i int) (*column, int) {
	base := ix.view.base
	if len(base.dates()) < 2 {
		return nil, 0
	}
	rest := ts[i:]
	if b := ix.view.ending(); b != nil && (isOne(rest[0].norm, "lifetime", "lifespan") || rest[0].norm == "tenure" &&
		slices.ContainsFunc(ts, func(t token) bool {
			return isOne(t.norm, "left", "leavers", "gone", "quit")
		})) && len(ix.find(rest[:1])) == 0 {
		if a := ix.view.beginning(b); a != nil {
			return duration(a, b, ix.unitAsked(ts, grainNone, a, b)), 1
		}
	}
	if len(rest) > 2 && isOne(rest[0].norm, "days", "time") && rest[1].norm == "on" && rest[2].norm == "market" {
		if b, _ := ix.dateNamed([]token{word("sold")}, nil); ix.view.beginning(b) != nil {
			a := ix.view.beginning(b)
			return duration(a, b, ix.unitAsked(ts, grainDay, a, b)), 3
		}
	}
	head, n := durationHead(rest)
	if n == 0 {
		return ix.namedInterval(ts, i)
	}
	k := n
	for k < len(rest) && k < n+maxGap && isOne(rest[k].norm, "does", "it", "take", "takes", "took", "is", "was", "the", "passed", "pass",
		"passes", "elapsed", "of", "delay", "did") {
		k++
	}
	if k >= len(rest) {
		return nil, 0
	}
	switch {
	case isOne(rest[k].norm, "between", "from"):
		joint := []string{"and"}
		if rest[k].norm == "from" {
			joint = []string{"to", "until", "till"}
		}
		a, x := ix.dateNamed(rest[k+1:], joint)
		if a == nil || k+1+x >= len(rest) || !isOne(rest[k+1+x].norm, joint...) {
			return nil, 0
		}
		b, y := ix.dateNamed(rest[k+x+2:], nil)
		if b == nil || a == b {
			return nil, 0
		}
		if _, last := b.reach(); rest[k].norm == "between" {
			// Of two dates the earlier one is the start, in whichever order they are named.
			if first, _ := a.reach(); first.After(last) {
				a, b = b, a
			}
		}
		return duration(a, b, ix.unitAsked(ts, head, a, b)), k + x + 2 + y
	case head == grainNone && rest[0].norm == "how" && ix.lasted(rest[k:]) > 0:
		b := ix.view.ending()
		a := ix.view.beginning(b)
		if a == nil {
			return nil, 0
		}
		return duration(a, b, ix.unitAsked(ts, head, a, b)), k + ix.lasted(rest[k:])
	case isOne(rest[k].norm, "to", "until", "till") && (head != grainNone || rest[0].norm != "how" ||
		isOne(rest[k-1].norm, "take", "takes", "took")):
		b, y := ix.dateNamed(rest[k+1:], nil)
		a := ix.view.beginning(b)
		if a == nil {
			return nil, 0
		}
		return duration(a, b, ix.unitAsked(ts, head, a, b)), k + 1 + y
	default:
		return nil, 0
	}
}

// lasted reads "do customers stay" after "how long", and returns how many tokens it takes; 0 for
// anything else.
func (ix *index) lasted(ts []token) int {
	for i, t := range ts[:min(len(ts), 5)] {
		switch {
		case isOne(t.norm, "stay", "stayed", "stays", "last", "lasts", "lasted", "remain", "remained", "remains", "keep", "subscribed"):
			return i + 1
		case ix.stop[t.norm]:
		case !slices.ContainsFunc(ix.find(ts[i:i+1]), func(l link) bool {
			return l.table == ix.view.base || l.column != nil && !l.isValue && l.column.isText()
		}):
			return 0
		}
	}
	return 0
}

// namedInterval reads "resolution time" and "time to deliver" for a table that has the dates, and no
// number of that name.
func (ix *index) namedInterval(ts []token, i int) (*column, int) {
	if i+1 >= len(ts) || !isOne(ts[i+1].norm, "time", "times", "duration", "delay") || ts[i].kind != tokenWord {
		return nil, 0
	}
	if slices.ContainsFunc(ix.find(ts[i:i+2]), func(l link) bool { return l.column != nil && l.column.isNumber() && l.quality > 0.5 }) {
		return nil, 0
	}
	for _, c := range ix.view.base.columns {
		if c.isNumber() && slices.Contains(c.words, ts[i].stem) {
			return nil, 0
		}
	}
	b, n := ix.dateNamed(ts[i:i+1], nil)
	a := ix.view.beginning(b)
	if n == 0 || a == nil {
		return nil, 0
	}
	return duration(a, b, ix.unitAsked(ts, grainNone, a, b)), 2
}

// durationHead reads the words at the beginning of a duration.
func durationHead(ts []token) (unit grain, n int) {
	if g := grainOf(ts[0].norm); isOne(string(g), string(grainDay), string(grainHour), string(grainWeek)) && ts[0].norm != "date" {
		return g, 1
	}
	switch ts[0].norm {
	case "minutes":
		return grainMinute, 1
	case "time", "duration", "interval", "gap", "period", "delay":
		return grainNone, 1
	case "how":
		if len(ts) > 1 && ts[1].norm == "long" {
			return grainNone, 2
		}
		if len(ts) > 2 && ts[1].norm == "many" && grainOf(ts[2].norm) == grainDay {
			return grainDay, 3
		}
	}
	return grainNone, 0
}

// unitAsked returns the unit of a duration: the unit that "in hours" names, or the unit before the
// duration, or a unit that suits the columns.
func (ix *index) unitAsked(ts []token, unit grain, a, b *column) grain {
	for i := 1; i < len(ts); i++ {
		if ts[i-1].norm != "in" {
			continue
		}
		switch g := grainOf(ts[i].norm); {
		case ts[i].norm == "minutes":
			unit = grainMinute
		case g == grainHour || g == grainWeek || g == grainDay && ts[i].norm == "days":
			unit = g
		}
	}
	if unit == grainNone {
		unit = grainDay
		if a.Type == domain.ColumnTime && b.Type == domain.ColumnTime {
			unit = grainHour
		}
	}
	return unit
}

// inUnit takes the words "in hours" next to a duration, which already uses them.
func (ix *index) inUnit(ts []token, i int) int {
	if i+1 >= len(ts) || ts[i].norm != "in" || !isOne(ts[i+1].norm, "days", "hours", "minutes", "weeks") {
		return 0
	}
	for k := range ts {
		if _, n := ix.interval(ts, k); n > 0 {
			return 2
		}
	}
	return 0
}

func duration(a, b *column, unit grain) *column {
	return formula{op: opDuration, a: a, b: b, unit: unit}.column()
}

// dateNamed finds the date of the base that words name, up to a joining word.
func (ix *index) dateNamed(ts []token, until []string) (*column, int) {
	var best *column
	size, rank := 0, 0
	n := 0
	for n < len(ts) && n < 4 && !isOne(ts[n].norm, until...) && ts[n].kind == tokenWord {
		n++
	}
	for k := n; k > 0; k-- {
		for _, c := range ix.view.base.dates() {
			score := 0
			for _, t := range ts[:k] {
				switch {
				case ix.stop[t.norm] && !slices.Contains(c.words, t.stem), isOne(t.norm, "date", "time", "being"):
				case slices.Contains(c.words, t.stem):
					score += 2
				case slices.ContainsFunc(append(c.titleWords(), c.words...), func(w string) bool {
					return shareBeginning(w, t.stem) || len(w) >= 4 && strings.HasPrefix(t.stem, w)
				}):
					score++
				default:
					score -= 3
				}
			}
			if score > rank {
				best, size, rank = c, k, score
			}
		}
		if until != nil && best == nil {
			break // all words up to the joining word are one name
		}
	}
	if until != nil && size < n {
		return nil, 0
	}
	for size > 1 && ix.stop[ts[size-1].norm] && !slices.Contains(best.words, ts[size-1].stem) {
		size-- // "churn in" of "churn in days"
	}
	for size < len(ts) && best != nil && isOne(ts[size].norm, "date", "time") {
		size++
	}
	return best, size
}

// beginning returns the date at which a duration begins that ends with another date: the date of the
// event itself.
func (v *view) beginning(end *column) *column {
	if end == nil {
		return nil
	}
	for _, c := range v.base.dates() {
		if c != end {
			first, _ := c.reach()
			last, _ := end.reach()
			if !first.After(last) && dateRank(c) >= dateRank(end) {
				return c
			}
		}
	}
	return nil
}

// computed joins the atoms of "revenue minus cost".
func (p *parser) computed() {
	for i := 0; i+2 < len(p.atoms); i++ {
		a := &p.atoms[i]
		k := i + 1
		if a.kind == atomCompare && strings.Contains(strings.ToLower(a.words), "difference") {
			p.differenceAt(i)
			continue
		}
		if isOne(strings.ToLower(p.atoms[k].words), "divided by", "/") && numberOf(a) != nil && numberOf(&p.atoms[k+1]) != nil {
			p.atoms[k].kind, p.atoms[k].text = atomEach, "divide"
			continue
		}
		op := operation(&p.atoms[k])
		if op == "" || k+1 >= len(p.atoms) {
			continue
		}
		left := numberOf(a)
		for k+1 < len(p.atoms) && p.atoms[k+1].kind == atomStop {
			k++
		}
		if k+1 >= len(p.atoms) {
			continue
		}
		if right := numberOf(&p.atoms[k+1]); left != nil && right != nil && left != right && left.table == right.table {
			p.fold(i, k+1, formula{op: op, a: left, b: right}.column())
			i--
		}
	}
}

// differenceAt reads "difference between price and cost".
func (p *parser) differenceAt(i int) {
	a, k := p.peek(i + 1)
	if a != nil && a.kind == atomBetween {
		a, k = p.peek(k + 1)
	}
	if a == nil {
		return
	}
	and, m := p.peek(k + 1)
	b, n := p.peek(m + 1)
	if and == nil || b == nil || and.kind != atomAnd {
		return
	}
	left, right := numberOf(a), numberOf(b)
	if a.kind == atomAgg && right != nil {
		left = right.sibling(aggregate(a.text)) // "between max and min temperature"
	}
	if left == nil || right == nil || left == right || left.table != right.table {
		return
	}
	p.fold(i, n, formula{op: opMinus, a: left, b: right}.column())
}

// fold makes one atom of the atoms from i to k.
func (p *parser) fold(i, k int, c *column) {
	var words []string
	size := 0
	for _, a := range p.atoms[i : k+1] {
		words = append(words, a.words)
		size += a.size
	}
	folded := atom{kind: atomLink, links: []link{{column: c, quality: 1}}, words: strings.Join(words, " "), size: size}
	p.atoms = slices.Replace(p.atoms, i, k+1, folded)
}

// operation returns the operation that a word between two numbers means.
func operation(a *atom) formulaOp {
	switch strings.ToLower(a.words) {
	case "minus", "less", "-", "−", "–":
		return opMinus
	case "plus", "+":
		return opPlus
	case "times", "multiplied by", "*", "x", "×":
		return opTimes
	default:
		return ""
	}
}

// numberOf returns the column of numbers that an atom names; nil for anything else.
func numberOf(a *atom) *column {
	if a.kind != atomLink {
		return nil
	}
	if v := valueOf(a); v != nil && v.quality > a.links[0].quality-0.01 {
		return nil
	}
	for _, l := range a.links {
		if l.column != nil && !l.isValue && l.column.isNumber() && l.quality > 0.45 {
			return l.column
		}
	}
	return nil
}
