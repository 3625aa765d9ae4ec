package builtin

import (
	"fmt"
	"slices"
	"strings"
)

func (p *parser) superHint() string { return p.hint }

// superNoun reads a superlative with a noun: the most common category, the best region.
func (p *parser) superNoun(c *column) {
	if p.unique(c) && (p.hint == "" || p.hint == "count") {
		// "the agent with the most tickets" counts rows.
		p.form.measures = append(p.form.measures, measure{agg: aggCount})
		p.form.ordered, p.form.desc = true, p.superDir == "desc"
		p.form.single = p.form.limit == 0
		p.superPos, p.hint = -1, ""
		return
	}
	if m := p.byHint(p.hint); m != nil && !isOne(p.hint, "", "count") && (p.unique(c) || p.keyed(c) != nil) {
		// The fastest runner is one row.
		p.mentions, p.superValue = append(p.mentions, c), true
		p.superMeasure(m)
		return
	}
	if who := p.person(); isOne(p.hint, "", "count") && p.superDir != "" && (p.hasWho() && who != c || len(p.form.dims) == 1 &&
		p.form.dims[0].col != c && p.form.dims[0].grain == grainNone && p.hasWhich()) {
		// "who treated the most patients", "which region has the most products": the last noun is
		// counted for each of the things that are asked for.
		if len(p.form.dims) == 0 && who == nil {
			p.form.block("I could not tell who is meant.")
			return
		}
		if len(p.form.dims) == 0 {
			p.addDim(dimension{col: who})
		}
		p.form.measures = append(p.form.measures, measure{agg: aggDistinct, col: c})
		p.form.ordered, p.form.desc, p.form.single = true, p.superDir == "desc", p.form.limit == 0
		p.superPos, p.hint = -1, ""
		return
	}
	p.addDim(dimension{col: c})
	p.form.single = p.form.limit == 0
	p.form.ordered, p.form.desc = true, p.superDir == "desc"
	switch p.hint {
	case "count":
		p.form.measures = append(p.form.measures, measure{agg: aggCount})
	case "":
		p.hint = "primary"
	default:
		if m := p.byHint(p.hint); m != nil {
			agg := aggMax
			if p.superDir == "asc" {
				agg = aggMin
			}
			if !m.rate() {
				agg = aggSum
			}
			if p.hint == "rating" {
				agg = aggAvg
			}
			p.addMeasure(measure{agg: agg, col: m})
			if p.pace() && m.longLasting() {
				p.form.desc = !p.form.desc // the slowest takes the most time
			}
		} else {
			p.form.ignored, p.form.blocked = append(p.form.ignored, p.hint), true
		}
	}
	p.superPos = -1
}

// countedMost reports whether the superlative is one of how often something occurs: the most common fault.
func (p *parser) countedMost() bool {
	return slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomSuper && a.hint == "count" && a.size > 1 })
}

// meantBySuper keeps of the numbers that a noun may mean the one that the superlative before it ranks by: of the most expensive bottle
// it is the price. A flag before "the most" is counted: who rejects the most has the most rejected rows.
func (p *parser) meantBySuper(a *atom) {
	next, _ := p.peek(p.pos + 1)
	if next != nil && next.kind == atomLink && !isOne(a.hint, "", "count") {
		c := p.byHint(a.hint)
		kept := slices.DeleteFunc(slices.Clone(next.links), func(l link) bool { return l.isValue || l.column != c })
		if c != nil && len(kept) > 0 && valueOf(next) == nil && tableOfLink(next) == nil {
			next.links = kept
		}
	}
	if next != nil || !isOne(strings.ToLower(a.words), "most", "least") || p.last == nil || !p.last.booleanLike() || p.lastAt < p.pos-2 {
		return
	}
	if len(p.form.measures) == 0 && p.form.filters(p.last) {
		p.hint = "count"
	}
}

// superlativeOf returns the number by which a superlative before a day ranks: the temperature for "the coldest day"; nil if the day itself
// is the first or the last one.
func (p *parser) superlativeOf(c *column) *column {
	if p.pos == 0 || p.atoms[p.pos-1].kind != atomSuper || isOne(p.atoms[p.pos-1].hint, "", "count", "age", "duration") ||
		!isOne(strings.ToLower(p.atoms[p.pos].words), "day", "days", "date", "dates", "night", "nights") || c.isPart() {
		return nil
	}
	return p.byHint(p.atoms[p.pos-1].hint)
}

// rankedDay reads "the busiest day" and "the worst night" like the names of other units of time.
func (p *parser) rankedDay(c *column) bool {
	if p.pos == 0 || p.superPos != p.pos-1 || !isOne(p.hint, "", "count") ||
		!isOne(strings.ToLower(p.atoms[p.pos].words), "day", "days", "night", "nights") ||
		isOne(strings.ToLower(p.atoms[p.superPos].words), "highest", "lowest", "largest", "smallest", "greatest", "maximal") {
		return false
	}
	p.dateNamed = c
	p.form.single = p.form.limit == 0
	p.addGrain(grainDay)
	return true
}

// extremeBehind ranks rows by the number that a superlative means, if the noun behind it is known only as the name of their date: of the
// longest call in a table with the day on which each was called.
func (p *parser) extremeBehind() {
	by := p.byHint(p.hint)
	if p.hint == "duration" {
		by = p.lasting()
	}
	if by == nil {
		p.superPos = -1
		p.form.block(fmt.Sprintf("I found no %s here, by which to rank.", p.hint))
		return
	}
	p.superMeasure(by)
}

// extremeDay reads "the coldest day": the days are ranked by the number that the word means, and not by their dates.
func (p *parser) extremeDay(c, by *column) {
	agg := aggSum
	switch {
	case by.rate() && p.superDir == "asc":
		agg = aggMin
	case by.rate():
		agg = aggMax
	}
	p.superPos, p.hint, p.form.orderCol = -1, "", nil
	p.addDim(dimension{col: c, grain: grainDay})
	p.addMeasure(measure{agg: agg, col: by})
	p.form.ordered, p.form.desc, p.form.single = true, p.superDir == "desc", p.form.limit == 0
}

// headsSuper reports whether a question begins with the days that a superlative after it ranks.
func (p *parser) headsSuper() bool {
	if !isOne(strings.ToLower(p.atoms[p.pos].words), "day", "days", "date", "dates", "night", "nights") {
		return false
	}
	for i := range p.pos {
		if k := p.atoms[i].kind; k != atomStop && k != atomWhich {
			return false
		}
	}
	next := slices.IndexFunc(p.atoms[p.pos:], func(a atom) bool { return a.kind == atomSuper })
	return next > 0 && !slices.ContainsFunc(p.atoms[p.pos+1:p.pos+next], func(a atom) bool { return a.kind != atomStop })
}

// readLatest reads "the last 10 orders" as rows in the order of their date.
func (p *parser) readLatest(a *atom) {
	p.explain(a, 0.5)
	if next, i := p.peek(p.pos + 1); next != nil && next.kind == atomNumber && next.num <= 10000 {
		p.form.limit = int(next.num)
		p.pos = i + 1
	}
	d := p.form.dateColumn(p.spanHint)
	if d == nil {
		d = p.beginning(false) // the newest vessel was built last
	}
	if d != nil {
		p.form.mode, p.form.orderCol, p.form.ordered, p.form.desc = modeRows, d, true, a.text == "desc"
	}
	if next, i := p.peek(p.pos + 1); next != nil && p.form.limit == 0 && i == p.pos+1 && next.kind == atomLink &&
		!strings.HasSuffix(next.words, "s") {
		p.form.limit = 1 // the latest balance is one row
	}
}

// judged reports whether the question says best or worst, and not highest or lowest.
func (p *parser) judged() bool {
	return slices.ContainsFunc(p.atoms, func(a atom) bool {
		return a.kind == atomSuper && isOne(strings.ToLower(a.words), "best", "worst", "poorest")
	})
}

// pace reports whether the question says fastest or slowest; of a duration these mean the least and the
// most.
func (p *parser) pace() bool {
	return slices.ContainsFunc(p.atoms, func(a atom) bool {
		return a.kind == atomSuper && isOne(strings.ToLower(a.words), "fastest", "slowest", "quickest")
	})
}

// longLasting reports whether a number is a duration.
func (c *column) longLasting() bool {
	return c.lasts() || c.made != nil && c.made.op == opDuration || slices.ContainsFunc(c.words, func(w string) bool {
		return isOne(w, "duration", "minut", "hour", "second", "day", "latency", "delay", "wait")
	})
}

// reverseIfLessIsBetter reverses the order of the best and the worst if less of the number is better: the worst
// airline has the longest delays.
func (p *parser) reverseIfLessIsBetter() {
	f := p.form
	if f.mode != modeGroups || p.turned || !p.judged() || !f.ordered || len(f.dims) == 0 || len(f.measures) == 0 {
		return
	}
	if m := f.measures[0]; m.col != nil && m.col.lessIsBetter() && m.agg != aggCount && m.agg != aggDistinct {
		f.desc, p.turned = !f.desc, true
	}
}

// lessIsBetter reports whether less of a number is better.
func (c *column) lessIsBetter() bool {
	if c.made != nil && c.made.op != opDuration {
		return false // the revenue that remains after costs is good
	}
	return slices.ContainsFunc(c.words, func(w string) bool {
		return isOne(w, "delay", "cost", "error", "bounc", "churn", "defect", "wait", "resolution", "complaint", "latency", "expens", "loss",
			"fault", "return", "spend", "downtim", "absenc", "cancelled", "debt", "risk")
	})
}

// beginning returns the year or date at which the thing in a row began.
func (p *parser) beginning(born bool) *column {
	for _, c := range p.form.view.base.columns {
		if born && (c.isYear() || c.isDate()) && slices.ContainsFunc(c.words, func(w string) bool {
			return isOne(w, "birth", "born", "dob", "birthday", "birthdat", "birthyear")
		}) {
			return c
		}
	}
	for _, c := range p.form.view.base.columns {
		if (c.isYear() || c.isDate()) && slices.ContainsFunc(c.words, func(w string) bool {
			return isOne(w, "built", "found", "hire", "start", "join", "birth", "born", "begin", "construct", "dob")
		}) {
			return c
		}
	}
	return nil
}

// lasting returns the column of numbers that says how long something took: the duration itself, rather
// than a wait before it.
func (p *parser) lasting() *column {
	var best *column
	rank := 0
	for _, c := range p.form.view.base.columns {
		if !c.isNumber() || !c.longLasting() && seconds(stem(c.sign)) == 0 && !slices.ContainsFunc(c.words, func(w string) bool {
			return isOne(w, "time", "ms", "sec", "secs", "hr", "hrs", "min", "mins")
		}) {
			continue
		}
		score := 2
		for _, w := range c.words {
			switch w {
			case "duration", "length", "runtim", "talk", "finish", "elaps", "total", "call", "trip", "session":
				score += 2
			case "wait", "delay", "respons", "response", "hold", "half", "split", "first":
				score--
			}
		}
		if score > rank {
			best, rank = c, score
		}
	}
	return best
}

// mostDone ranks by "most visited": by a number that says how often, if there is one. Otherwise rows
// are counted.
func (p *parser) mostDone(a *atom) bool {
	words := strings.Fields(strings.ToLower(a.words))
	if a.hint != "count" || len(words) != 2 || !isOne(words[0], "most", "least") || !past(words[1]) {
		return false
	}
	for _, c := range p.form.view.base.columns {
		if c.isNumber() && slices.Contains(c.words, stem(words[1])) {
			p.superMeasure(c)
			return true
		}
	}
	return false
}

// mostly distinguishes "who got the most tips" from "who got the highest tip".
func (p *parser) mostly() bool {
	return slices.ContainsFunc(p.atoms, func(a atom) bool {
		return a.kind == atomSuper && isOne(strings.ToLower(a.words), "most", "least", "fewest")
	})
}

// sideBySide rewrites "is it colder in Oslo than in Dublin" as a comparison of the two temperatures,
// because words are between the comparative and its than.
func sideBySide(lang *language, ts []token) []token {
	if len(ts) < 5 || !isOne(ts[0].norm, "is", "are", "was", "were", "do", "does", "did", "has", "have") {
		return ts
	}
	than := slices.IndexFunc(ts, func(t token) bool { return t.norm == "than" })
	if than < 3 || than+1 >= len(ts) {
		return ts
	}
	for i := 1; i < than-1; i++ {
		k, ok := lang.keywords[ts[i].norm+" than"]
		if !ok || k.kind != atomCmp {
			continue
		}
		out := slices.Clone(ts)
		out[than] = word("vs")
		if k.hint != "" && k.hint != "pace" {
			out[i] = word(k.hint)
		} else {
			out[i] = word("compare")
		}
		return out
	}
	return ts
}
