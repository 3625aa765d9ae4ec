package builtin

import (
	"cmp"
	"slices"
	"time"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain/meaning"
)

// planner reads questions about a set of tables.
type planner struct {
	lang       *language
	tables     []analyst.Table
	meaning    *meaning.Meaning
	indexCache *indexCache
	views      []*view
	indexes    []*index
	now        time.Time
}

func newPlanner(lang *language, tables []analyst.Table, m *meaning.Meaning, now time.Time, questions []string) *planner {
	return (*indexCache)(nil).planner(lang, tables, m, now, questions)
}

// planner makes a planner of tables, with their indexes from the cache. Without a meaning it derives one from the tables alone.
func (s *indexCache) planner(lang *language, tables []analyst.Table, m *meaning.Meaning, now time.Time, questions []string) *planner {
	tables = relevant(tables, questions)
	if m == nil {
		m = meaningOf(tables, now)
	}
	p := &planner{lang: lang, tables: tables, meaning: m, indexCache: s, now: now}
	p.views, p.indexes = s.get(lang, tables, m)
	return p
}

// planner makes a planner of what a question is asked about.
func (p *Provider) planner(tables []analyst.Table, m *meaning.Meaning, questions []string) *planner {
	return p.indexCache.planner(p.lang, tables, m, today(p.cfg.Clock.Now()), questions)
}

// follow reads questions one after the other and returns the form of the last one. A question that was
// not understood contributes nothing to the next one; if the next one depends on it, a note says so.
func (p *planner) follow(questions []string) *form {
	var f *form
	lost := false
	var known *form // the last form that was understood
	for i, q := range questions {
		now := p.read(q, f)
		if lost && f == nil && now != nil && !now.blocked {
			now.guardPronoun(true)
		}
		understood := now != nil && now.understood() && !now.help
		last := i == len(questions)-1
		if last || understood {
			if lost && last && f == nil && known != nil && now != nil && now.shows() {
				// A question that only shows the result in another way refers to the last answer that
				// exists.
				if again := p.read(q, known); again != nil && again.understood() {
					again.note("I did not understand the previous question, so this one follows the last one that I answered.")
					return again
				}
			}
			if lost && now != nil && (now.follows || now.changesPrevious()) {
				now.note("I did not understand the previous question, so nothing is taken over from it.")
				if f == nil && now.changesPrevious() {
					now.block("I did not understand the previous question, so there is nothing that this one could follow. Please ask it in full.")
					understood = false
				}
			}
			if last || understood {
				f = now
			}
			if understood {
				known = now
			}
		}
		lost = !understood && (now == nil || !now.help)
		if lost && !last && (now == nil || !now.stance.joined()) {
			f = nil // the next question refers to this one, and not to the questions before it
		}
	}
	return f
}

// shows reports whether a question only asks for the same result in another way: as a pie, by month,
// for a part of it. It has no measure and no pronoun of its own.
func (f *form) shows() bool {
	s := f.stance
	return f.changesPrevious() && !s.back && !s.compares && !s.whole && !s.ranksOnly &&
		!f.growth && !f.compare && !f.share && f.shareOf == nil && len(f.ignored) == 0 &&
		(f.chart != "" || len(f.dims) > 0 || s.changes && len(f.where) > 0)
}

// read returns the best reading of a question; nil if there are no tables. before is the form of the
// question before, if there is one, for a question that depends on it.
func (p *planner) read(question string, before *form) *form {
	return p.readPhrased(p.lang.phrased(question), before)
}

// readPhrased reads a question that is already in the words of the grammar. If the question names one of several paths between two
// tables, it is read over that path.
func (p *planner) readPhrased(text string, before *form) *form {
	text = p.quoteSigned(text)
	by, elsewhere := p.byPart(text, before)
	if by != nil {
		return by
	}
	over := p
	if before != nil && before.over != nil {
		over = before.over // a follow-up uses the same path
	}
	f := over.readAs(text, before)
	if f == nil {
		return nil
	}
	if over != p {
		f.over = over
	}
	if f.understood() && slices.ContainsFunc(elsewhere, f.goesTo) {
		f.block("The question names a way that I could not follow. If it continues the previous one, please ask it in full.")
	}
	return f
}

// readAs reads a question over the paths between tables that are clear.
func (p *planner) readAs(text string, before *form) *form {
	if f := p.statistical(text, before); f != nil {
		return f
	}
	if f := p.ratio(text); f != nil {
		return f
	}
	if f := p.belonging(text); f != nil {
		return f
	}
	if before == nil {
		if f := p.ranking(text); f != nil {
			return f
		}
	}
	f := p.readGrammar(text, before)
	p.guardBelonging(text, f)
	return f
}

// readGrammar reads a question by the grammar alone.
func (p *planner) readGrammar(text string, before *form) *form {
	ts := lex(text)
	f := p.reading(ts, before)
	if f == nil || f.help {
		return f
	}
	most := rank(f)
	p.guard(f, before)
	if f.blocked && !f.asks && f.mode != modeDescribe && !f.follows && !(before != nil && f.changesPrevious()) {
		if other := p.second(ts, f.view, most); other != nil {
			return other
		}
	}
	return f
}

// secondLeast is how much less than the best reading the next one may explain, in words.
const secondLeast = 1.5

// second returns the next best reading of a question whose best one is refused: the rows of another table may answer all of it.
// It explains nearly as much, leaves out nothing, and passes the same checks; nil if there is none.
func (p *planner) second(ts []token, refused *view, most float64) *form {
	var others []*form
	for _, ix := range p.indexes {
		if ix.view == refused {
			continue
		}
		f := parse(p.lang, ts, ix, p.now)
		if f.mode == modeRows && !f.namesBase() {
			continue // the rows of the other table are not those that were asked for
		}
		if f.understood() && len(f.ignored)+len(f.notes) == 0 && !f.help && f.mode != modeDescribe && !f.changesPrevious() && p.grounded(f) &&
			rank(f) >= most-secondLeast {
			others = append(others, f)
		}
	}
	slices.SortStableFunc(others, func(a, b *form) int { return cmp.Compare(rank(b), rank(a)) })
	for _, f := range others {
		if p.guard(f, nil); !f.blocked {
			return f
		}
	}
	return nil
}

// namesBase reports whether the question names the table whose rows are read.
func (f *form) namesBase() bool {
	return slices.ContainsFunc(f.atoms, func(a atom) bool {
		return slices.ContainsFunc(a.links, func(l link) bool { return l.table == f.view.base && l.quality >= 0.8 })
	})
}

// calls reports whether a word, by its stem, is the name of a table or a part of it.
func (l link) calls(t *table, word string) bool {
	return l.table == t && l.quality >= 0.8 && slices.Contains(t.words, word)
}

// guard checks a reading against all of the data, and writes its query.
func (p *planner) guard(f, before *form) {
	p.guardTiedPaths(f)
	f.guardRepeats()
	p.guardElsewhere(f)
	if before == nil || before.view != f.view {
		p.guardTwins(f)
	}
	p.guardGround(f)
	f.guardPronouns(before)
	f.guardReadings()
	f.guardLevels()
	f.guardEnd()
	f.noteAdded()
	f.noteCurrencies()
	f.noteOwnTables()
	f.noteOrphans()
	f.write()
}

// reading returns the best reading before it is checked against all of the data.
func (p *planner) reading(ts []token, before *form) *form {
	var best *form
	for _, ix := range p.indexes {
		f := parse(p.lang, ts, ix, p.now)
		if before != nil && before.view == f.view {
			f.explained += 0.6
		}
		if ix.view.base.ofYear(ts) != "" {
			f.explained += 0.7 // of several sheets by year, the sheet of the year in the question
		}
		if p.sells(ts, ix.view) {
			f.explained -= 2.5
		}
		if f.mode == modeGroups && !p.grounded(f) {
			f.explained -= 2 // the question may be about the rows of another table
		}
		if best == nil || rank(f) > rank(best) {
			best = f
		}
	}
	if best == nil {
		return nil
	}
	if best.fanned {
		// Another table may have each of the numbers in a row of its own.
		for _, ix := range p.indexes {
			if f := parse(p.lang, ts, ix, p.now); f.understood() && len(f.ignored) == 0 && !f.help && f.mode != modeDescribe &&
				rank(f) >= rank(best)-1.5 {
				best = f
				break
			}
		}
	}
	if before != nil && !best.help && best.mode != modeDescribe && best.changesPrevious() {
		// The question is read again with the names of the table of the question before.
		for _, ix := range p.indexes {
			if ix.view == before.view {
				if again := parse(p.lang, ts, ix, p.now); rank(again) >= rank(best)-0.7 {
					best = again
				}
			}
		}
		if best.view == before.view && (best.explained > 0 || best.chart != "") {
			return merge(before, best)
		}
	}
	if best.unranked {
		best.block("I could not tell what to rank.")
	}
	if best.reverse {
		best.block("I could not tell which order to reverse.")
	}
	if best.unsure != "" {
		best.block(best.unsure)
	}
	if best.shared && best.shareOf == nil {
		best.block("I could not tell what the share should be of.")
	}
	return best
}

// rank scores a reading: explained words raise it; ignored words, joins and notes lower it.
func rank(f *form) float64 {
	return f.explained - 1.2*float64(len(f.ignored)) - 0.4*float64(len(f.used())) - 0.3*float64(len(f.notes))
}

// sells reports whether a question asks what was sold, and the table only lists what can be sold, while
// another table contains the sales.
func (p *planner) sells(ts []token, v *view) bool {
	if len(v.base.dates()) > 0 || !slices.ContainsFunc(ts, func(t token) bool {
		return isOne(t.norm, "sold", "bought", "ordered", "purchased", "sell", "sells", "selling")
	}) {
		return false
	}
	return slices.ContainsFunc(p.views, func(o *view) bool {
		return len(o.base.dates()) > 0 && o.joins(v.base)
	})
}
