package builtin

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain/meaning"
)

// A question can be about the things to which no row of another table belongs, or some, or few: customers without orders, members who
// never visited in 2025, projects with an unpaid invoice. Such rows are called events here. No filter on the rows of either table gives
// these things, so the question is read in two parts: one about the things, and one about the events, each with the checks of a
// question of its own.

var (
	// lacksNoun matches things and the noun of the events that they do not have: which customers have no orders in 2025.
	lacksNoun = regexp.MustCompile(`(?i)^(.*?\w)\s+(?:(?:that|which|who|where|there)\s+)?` +
		`(?:without|lacking|(?:with|having|has|have|had|got|is|are|was|were)\s+(?:no|zero)|` +
		`(?:(?:have|has|had|did|do|does)\s+not|haven't|hasn't|hadn't|didn't|don't|doesn't|(?:have\s+|has\s+|had\s+)?never)\s+` +
		`(?:have|had|got|made|make|placed|place|received|receive))\s+` +
		`(?:(?:a\s+single|any|an?|one)\s+)?(.+?)\s*[?.!]*$`)
	// lacksVerb matches things and the verb of the events: members who have never visited us since March.
	lacksVerb = regexp.MustCompile(`(?i)^(.*?\w)\s+(?:(?:that|which|who)\s+)?` +
		`(?:(?:have|has|had|did|do|does)\s+(?:never|not)|(?:were|was|are|is)\s+never|haven't|hasn't|hadn't|didn't|don't|doesn't|never)\s+` +
		`(?:(?:ever|been|be|yet)\s+)*(\w+)\b(.*?)\s*[?.!]*$`)
	// hasNoun matches things and the noun of events of which they have some or few: customers with fewer than 3 orders.
	hasNoun = regexp.MustCompile(`(?i)^(.*?\w)\s+(?:(?:that|which|who)\s+)?(?:with|having|have|has|had|placed|made)\s+` +
		`(?:(at\s+least\s+(?:one|1|an?)|one\s+or\s+more|an?|any|some)|(fewer\s+than|less\s+than|under|at\s+most|up\s+to)\s+(\w+))\s+` +
		`(.+?)\s*[?.!]*$`)
	// onlyFills matches words of such a question that add nothing.
	onlyFills = regexp.MustCompile(`(?i)\s+(?:yet|so\s+far|ever|at\s+all|to\s+date|anything|(?:at|to|for|with|about)\s+(?:it|them|him|her))\b`)
	// asksShare matches the words of a share before the things.
	asksShare = regexp.MustCompile(`(?i)^(?:what(?:'s|\s+is)?\s+(?:the\s+)?)?(?:share|percentage|percent|proportion|fraction|%)\s+of\s+` +
		`(?:all\s+|our\s+|the\s+)*`)
	// asksCount matches the words of a number before the things.
	asksCount = regexp.MustCompile(`(?i)^(?:how\s+many|(?:what\s+is\s+the\s+)?(?:number|count)\s+of|count)\s+(?:of\s+)?` +
		`(?:all\s+|our\s+|the\s+)*`)
	// asksList matches the words of a list before the things.
	asksList = regexp.MustCompile(`(?i)^(?:please\s+)?(?:(?:which|what|list|show|name|find|get|give)\s+(?:me\s+)?|(?:who|what)\s+are\s+|` +
		`are\s+there\s+)?(?:all\s+|any\s+|our\s+|the\s+|of\s+)*`)
)

// These operators select things by the events that belong to them.
const (
	opHasNone operator = "has none"
	opHasSome operator = "has some"
	opHasFew  operator = "has few" // as the comparison and the number of the condition say
)

// eventsShown is the maximum number of things in a list of those with or without events.
const eventsShown = 1_000

// belonging reads a phrased question about things by their events; nil if the question asks for something else, or if a part is not
// understood: then the grammar reads all of it, and refuses what it cannot read.
func (p *planner) belonging(text string) *form {
	none := condition{op: opHasNone}
	if m := lacksNoun.FindStringSubmatch(text); m != nil {
		named := func(things *index, rows bool) *form { return p.eventsNamed(things, rows, m[2]) }
		if f := p.things(m[1], m[2], none, named); f != nil {
			return f
		}
	}
	if m := lacksVerb.FindStringSubmatch(text); m != nil {
		done := func(things *index, rows bool) *form { return p.eventsDone(things, rows, m[2], m[3]) }
		return p.things(m[1], m[3], none, done)
	}
	if m := hasNoun.FindStringSubmatch(text); m != nil {
		has := condition{op: opHasSome}
		if m[2] == "" {
			n := word(m[4])
			if n.kind != tokenNumber {
				n = numberToken(m[4])
			}
			if n.kind != tokenNumber || n.value != math.Trunc(n.value) || n.value < 1 {
				return nil
			}
			has = condition{op: opHasFew, nums: []float64{n.value}, than: opLt}
			if w := strings.ToLower(m[3]); strings.HasSuffix(w, "most") || strings.HasSuffix(w, "to") {
				has.than = opLe
			}
		}
		return p.things(m[1], m[5], has, func(things *index, rows bool) *form {
			if !rows {
				return nil // the rows of the events say it as well
			}
			return p.eventsNamed(things, rows, m[5])
		})
	}
	return nil
}

// guardBelonging refuses a reading of the grammar that takes rows without a name for things without rows: what share of the branches
// have no loans.
func (p *planner) guardBelonging(text string, f *form) {
	m := lacksNoun.FindStringSubmatch(text)
	if f == nil || m == nil || !slices.ContainsFunc(f.conditions(), func(c condition) bool { return c.op == opNull && c.col.keyLike() }) {
		return
	}
	if things, events := p.namedIn(m[1]), p.namedIn(m[2]); events != nil && events != things {
		f.block(fmt.Sprintf("I could not tell which things have no %s.", events.view.base.rowsNamed()))
	}
}

// things reads the part of a question that is before the events. Groups at the end of the question are those of the things.
func (p *planner) things(head, tail string, has condition, events func(things *index, rows bool) *form) *form {
	share, groups := asksShare.FindString(head), eachGroup.FindString(tail)
	if things := p.namedIn(head); things != nil {
		of := events(things, true)
		if of == nil {
			return nil
		}
		var f *form
		switch {
		case share != "":
			f = p.readOn(things, "how many "+head[len(share):]+groups)
		case asksCount.MatchString(head):
			f = p.readOn(things, "how many "+asksCount.ReplaceAllString(head, "")+groups)
		case groups == "" && onlyNames(asksList.ReplaceAllString(head, "")):
			f = p.readOn(things, "list "+asksList.ReplaceAllString(head, ""))
		default:
			f = p.readOn(things, head+groups)
		}
		if f != nil && f.mode == modeRows && f.limit == rowsShown {
			f.limit = eventsShown // a list of those without something is asked for as a whole
		}
		return p.limited(f, of, has, share != "")
	}
	if share+groups != "" {
		return nil
	}
	for _, ix := range p.indexes {
		if of := events(ix, false); of != nil {
			if f := p.limited(p.thingsNamed(ix, head), of, has, false); f != nil {
				return f
			}
		}
	}
	return nil
}

// limited limits things by their events, and checks the whole reading.
func (p *planner) limited(f, events *form, has condition, share bool) *form {
	if f == nil || !f.limitBy(events, has, share) {
		return nil
	}
	p.guard(f, nil)
	return f
}

// namedIn returns the index of the table whose rows a part of a question names last; nil if it names none.
func (p *planner) namedIn(text string) *index {
	ts := lex(text)
	for i := len(ts) - 1; i >= 0; i-- {
		for _, ix := range p.indexes {
			if ix.namesRows(ts[i]) {
				return ix
			}
		}
	}
	return nil
}

// namesRows reports whether a word names the rows of the base.
func (ix *index) namesRows(t token) bool {
	words := ix.view.base.words
	return len(words) > 0 && words[len(words)-1] == t.stem ||
		slices.ContainsFunc(ix.phrases[t.stem], func(l link) bool { return l.calls(ix.view.base, t.stem) })
}

// onlyNames reports whether a part of a question consists of names and values.
func onlyNames(text string) bool {
	return !slices.ContainsFunc(lex(text), func(t token) bool {
		return t.kind != tokenWord || isOne(t.norm, "per", "by", "total", "average", "most")
	})
}

// thingsNamed reads things that have no table of their own, and that a column of the events names: stores, in a table of sales.
func (p *planner) thingsNamed(ix *index, head string) *form {
	counts := asksCount.MatchString(head)
	if counts {
		head = asksCount.ReplaceAllString(head, "")
	} else {
		head = asksList.ReplaceAllString(head, "")
	}
	f := p.readOn(ix, "how many "+head)
	if f == nil || f.mode != modeGroups || len(f.measures) != 1 || len(f.dims)+len(f.having) > 0 {
		return nil
	}
	m := f.measures[0]
	if !m.countsOwn(ix.view.base) || m.col.isDate() {
		return nil
	}
	f.thing = m.col
	if f.where = append(f.where, condition{col: m.col, op: opNotNull}); !counts {
		f.dims, f.measures, f.desc = []dimension{{col: m.col}}, []measure{{agg: aggCount, assumed: true}}, true
	}
	f.note(fmt.Sprintf("`%s` has only those %s that have a row in it.", ix.view.base.label(), plural(coreTitle(m.col))))
	return f
}

// readOn reads a part of a question with the rows of one table; nil if anything in it is not understood, or if it is no list and no
// plain figure.
func (p *planner) readOn(ix *index, text string) *form {
	f := parse(p.lang, lex(text), ix, p.now)
	if f.blocked || !f.understood() || f.help || f.mode != modeGroups && f.mode != modeRows || len(f.ignored)+len(f.read) > 0 ||
		f.changesPrevious() || f.unranked || f.reverse || f.unsure != "" || f.follows || f.shareOf != nil || f.share || f.counted != nil ||
		f.compare ||
		f.growth || f.running || f.moving != nil || f.stat != nil || f.latestOf != nil || f.nth > 0 || f.atEnd || !p.grounded(f) {
		return nil
	}
	return f
}

// eventsNamed reads events by their noun: late orders in 2025. rows means that the things are rows of their own table.
func (p *planner) eventsNamed(things *index, rows bool, text string) *form {
	text = strings.TrimSuffix(text, eachGroup.FindString(text))
	ts := lex(text)
	for i := range ts[:min(3, len(ts))] {
		for _, ix := range p.indexes {
			if ix.namesRows(ts[i]) && ix.hasEventsOf(things, rows) {
				return p.events(ix, text)
			}
		}
	}
	if rows {
		return nil // what the thing itself has: customers without a phone
	}
	return p.eventsWhere(things, text)
}

// eventsDone reads events by their verb: visited in 2025.
func (p *planner) eventsDone(things *index, rows bool, verb, rest string) *form {
	verb = strings.ToLower(verb)
	rest = strings.TrimSuffix(rest, eachGroup.FindString(rest))
	if rows && len(things.find([]token{word(verb)})) > 0 {
		return nil // what the thing itself says: employees who have not left
	}
	if !rows {
		if f := p.eventsWhere(things, verb+rest); f != nil {
			return f
		}
	}
	var found *index
	for _, ix := range p.indexes {
		if !ix.hasEventsOf(things, rows) || !ix.view.base.happensBy(verb) {
			continue
		}
		if found != nil {
			return nil // two tables have events of that verb
		}
		found = ix
	}
	if found == nil {
		return nil
	}
	return p.events(found, found.view.base.entity()+rest)
}

// eventsWhere reads events as those rows of a table that meet a condition: returned.
func (p *planner) eventsWhere(ix *index, text string) *form {
	f := p.events(ix, text)
	if f == nil || len(f.where) == 0 {
		return nil
	}
	return f
}

// hasEventsOf reports whether the rows of a table belong to things: to the rows of another one, or to what a column of its own names.
func (ix *index) hasEventsOf(things *index, rows bool) bool {
	if !rows {
		return ix == things
	}
	return ix != things && ix.view.joins(things.view.base)
}

// happensBy reports whether the rows of a table are what a verb says: orders for ordered, bookings for book, registrations for
// registered.
func (t *table) happensBy(verb string) bool {
	var nouns []string
	switch verb {
	case "bought", "buy", "purchased", "purchase":
		nouns = []string{"purchas", "order", "sale"}
	case "paid", "pay":
		nouns = []string{"payment"}
	case "sold", "sell":
		nouns = []string{"sale", "order"}
	case "came", "come":
		nouns = []string{"visit", "attendance"}
	case "flown", "flew", "fly":
		nouns = []string{"flight"}
	case "lent", "lend", "borrowed", "borrow":
		nouns = []string{"loan"}
	default:
		root := stem(verb)
		nouns = append(nounsOf(root), root)
		for _, ending := range []string{"ing", "ment", "ance", "y"} {
			nouns = append(nouns, root+ending)
		}
		if absent, ok := strings.CutSuffix(verb, "ent"); ok {
			nouns = append(nouns, absent+"ence")
		}
	}
	return slices.ContainsFunc(t.words, func(w string) bool {
		return slices.ContainsFunc(nouns, func(noun string) bool { return w == noun || w == stem(noun) })
	})
}

// events reads which rows are meant: all of a table, or those that meet conditions.
func (p *planner) events(ix *index, text string) *form {
	f := p.readOn(ix, "number of "+onlyFills.ReplaceAllString(text, ""))
	if f == nil || f.mode != modeGroups || len(f.measures) != 1 || len(f.dims)+len(f.having) > 0 || f.limit > 0 {
		return nil
	}
	if m := f.measures[0]; !m.counts() && !m.countsOwn(ix.view.base) {
		return nil
	}
	return f
}

// countsOwn reports whether a measure is the number of different things that a column of the table names.
func (m measure) countsOwn(t *table) bool {
	return m.agg == aggDistinct && m.col != nil && m.col.made == nil && m.col.table == t && m.per == nil && m.over == nil &&
		m.each == grainNone
}

// limitBy limits a form to things by their events, or asks for the share of these things. It reports false if the things and the events
// do not fit together: a condition that both tables could have would mean something else in each of them.
func (f *form) limitBy(events *form, has condition, share bool) bool {
	key := f.thing
	if key == nil {
		key = f.view.keyOf(events.view)
	}
	if key == nil || share && (f.mode != modeGroups || len(f.measures) != 1 || !f.measures[0].counts()) {
		return false
	}
	own := *events
	own.where = nil
	for _, w := range events.where {
		c := twin(f.view, w.col)
		if c == nil || f.thing != nil {
			own.where = append(own.where, w)
			continue
		}
		if w.other != nil || len(w.also) > 0 {
			return false
		}
		// What is said of the things is a condition on them: customers without orders in Germany.
		w.col = c
		f.where = append(f.where, w)
	}
	has.col, has.events = key, &own
	if has.op == opHasFew {
		f.note(fmt.Sprintf("Those without any %s count as well.", own.view.base.rowsNamed()))
	}
	for _, n := range events.notes {
		f.note(n)
	}
	if share {
		f.shareOf = &has
	} else {
		f.where = append(f.where, has)
	}
	return true
}

// keyOf returns the column by which rows of another view name the rows of the base.
func (v *view) keyOf(events *view) *column {
	for _, t := range events.joined {
		if t.Name == v.base.Name {
			return v.base.named(t.keys[0].Name)
		}
	}
	return nil
}

// phraseEvents says a condition on events in the words of a plan: there are no `orders` for 2025.
func (c condition) phraseEvents() string {
	out := "there are " + map[operator]string{opHasNone: "no ", opHasSome: "some "}[c.op]
	if c.op == opHasFew {
		out += numbersPhrase(c.than, c.nums) + " "
	}
	out += "`" + c.events.view.base.label() + "`"
	for _, w := range c.events.where {
		out += " " + w.connected()
	}
	return out
}

// saidEvents says a condition on events in a sentence, after a word for things: without orders in 2025.
func (c condition) saidEvents() string {
	return map[operator]string{opHasNone: "without ", opHasSome: "with some ", opHasFew: "with "}[c.op] + c.namedEvents()
}

// ownedEvents says such a condition after a share of things: have no orders in 2025.
func (c condition) ownedEvents() string {
	return map[operator]string{opHasNone: "have no ", opHasSome: "have some ", opHasFew: "have "}[c.op] + c.namedEvents()
}

// namedEvents names the events of a condition, with what is said of them, and how many there are if the condition says that.
func (c condition) namedEvents() string {
	out := c.events.view.base.rowsNamed()
	if c.op == opHasFew {
		out = numbersPhrase(c.than, c.nums) + " " + out
	}
	var others []string
	for _, w := range c.events.where {
		if w.op == opSpan && !w.not {
			out += " " + w.span.when() + c.events.byDate(w.col)
			continue
		}
		others = append(others, w.said())
	}
	if len(others) > 0 {
		out += " where " + specialist.List(others, "and")
	}
	return strings.ReplaceAll(out, "`", "")
}

// belongs holds for things by the events that belong to them.
func (a *adapter) belongs(c condition) (query.Pred, error) {
	own := &adapter{form: c.events, script: a.script, names: a.names, lets: a.lets}
	var err error
	if own.base, err = own.table(c.events.view.base); err != nil {
		return nil, unsupported("the table: " + err.Error())
	}
	where, err := own.where()
	if err != nil {
		return nil, err
	}
	set, err := own.set(where...)
	if err != nil {
		return nil, err
	}
	things := a.base
	if c := a.form.thing; c != nil {
		if things, err = a.base.Things(c.Name); err != nil {
			return nil, fmt.Errorf("things of a column: %w", err)
		}
	}
	var some query.Pred
	if c.op == opHasFew {
		some, err = a.m().CountOf(things, set, nil, string(c.than), int(c.nums[0]))
	} else {
		some, err = a.m().Some(things, set)
	}
	if err != nil {
		return nil, fmt.Errorf("things with events: %w", err)
	}
	if c.op == opHasNone {
		return query.Not(some), nil
	}
	return some, nil
}

// conditions are those of a form, with that of a share.
func (f *form) conditions() []condition {
	if f.shareOf == nil {
		return f.where
	}
	return append(slices.Clone(f.where), *f.shareOf)
}

// eventForms are the forms of the events in the conditions of a form.
func (f *form) eventForms() []*form {
	var out []*form
	for _, c := range f.conditions() {
		if c.events != nil {
			out = append(out, c.events)
		}
	}
	return out
}

// eventTables are the tables that the events of a form need: their own, and those that are joined to it, also on the path to the things.
func (f *form) eventTables() []*table {
	var out []*table
	for _, e := range f.eventForms() {
		out = append(out, e.view.base)
		out = append(out, e.used()...)
		for _, t := range e.view.joined {
			if t.Name == f.view.base.Name {
				for at := t; at.from != nil; at = at.from {
					out = append(out, at)
				}
			}
		}
	}
	return out
}

// addEvents adds the tables of the events to what a form means, and the links that lead from them to the things.
func (f *form) addEvents(m *meaning.Meaning) {
	if f.thing != nil {
		m.Tables[0].Entities = []meaning.EntityRef{{Entity: f.thing.Name, Columns: []string{f.thing.Name}}}
	}
	for _, t := range f.eventTables() {
		if !slices.ContainsFunc(m.Tables, func(o meaning.Table) bool { return o.Source == t.SourceID && o.Name == t.Bare() }) {
			m.Tables = append(m.Tables, t.meant())
		}
		if t.from == nil {
			continue
		}
		l := t.link()
		if !slices.ContainsFunc(m.Links, func(o meaning.Link) bool { return o.From.Same(l.From) && o.To.Same(l.To) }) {
			m.Links = append(m.Links, l)
		}
	}
}
