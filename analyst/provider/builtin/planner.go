package builtin

import (
	"slices"
	"time"

	"parley.dev/parley/analyst"
)

// planner reads questions over a set of tables.
type planner struct {
	lang    *language
	views   []*view
	indexes []*index
	now     time.Time
}

func newPlanner(lang *language, tables []analyst.Table, now time.Time, questions []string) *planner {
	p := &planner{lang: lang, views: views(relevant(tables, questions)), now: now}
	for _, v := range p.views {
		p.indexes = append(p.indexes, newIndex(v, lang))
	}
	return p
}

// follow reads questions one after the other and gives the last one's form. One that
// was not understood says nothing for the next; where the next leans on it, that is said.
func (p *planner) follow(questions []string) *form {
	var f *form
	lost := false
	var known *form // the last one that was understood
	for i, q := range questions {
		now := p.read(q, f)
		if lost && f == nil && now != nil && !now.blocked {
			now.guardPronoun(true)
		}
		understood := now != nil && now.understood() && !now.help
		last := i == len(questions)-1
		if last || understood {
			if lost && last && f == nil && known != nil && now != nil && now.shows() {
				// Another view of what was shown is of the last answer that there was.
				if again := p.read(q, known); again != nil && again.understood() {
					again.note("I had not understood the question before this one, so this follows the last one that I answered.")
					return again
				}
			}
			if lost && now != nil && (now.follows || now.leans()) {
				now.note("I had not understood the question before this one, so nothing is taken over from it.")
				if f == nil && now.leans() {
					now.block("I did not understand the question before this one, so there is nothing that this one could follow. Please ask it in full.")
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
			f = nil // what comes next is said of this one, and not of those before it
		}
	}
	return f
}

// shows tells a question that only wants what was shown in another way: as a pie, by
// month, for one of its parts. It measures nothing of its own and points at nothing.
func (f *form) shows() bool {
	s := f.stance
	return f.leans() && !s.back && !s.beside && !s.whole && !s.ranksOnly && !f.growth && !f.compare && !f.share && f.shareOf == nil &&
		len(f.ignored) == 0 && (f.chart != "" || len(f.dims) > 0 || s.changes && len(f.where) > 0)
}

// read gives the best reading of a question, nil when there are no tables. The
// question before, when there is one, helps with one that leans on it.
func (p *planner) read(question string, before *form) *form {
	f := p.reading(question, before)
	if f != nil && !f.help {
		f.guardRepeats()
		p.guardElsewhere(f)
		if before == nil || before.view != f.view {
			p.guardTwins(f)
		}
		p.guardGround(f)
		f.guardPronouns(before)
		f.guardLevels()
		f.noteAdded()
	}
	return f
}

// reading is the best reading before it is held against the whole of the data.
func (p *planner) reading(question string, before *form) *form {
	ts := lex(question)
	var best *form
	for _, ix := range p.indexes {
		f := parse(p.lang, ts, ix, p.now)
		if before != nil && before.view == f.view {
			f.explained += 0.6
		}
		if ix.view.base.ofYear(ts) != "" {
			f.explained += 0.7 // of sheets for years, that of the year that is asked for
		}
		if p.sells(ts, ix.view) {
			f.explained -= 2.5
		}
		if f.mode == modeGroups && !p.grounded(f) {
			f.explained -= 2 // the rows of another table may be what is spoken of
		}
		if best == nil || rank(f) > rank(best) {
			best = f
		}
	}
	if best == nil {
		return nil
	}
	if best.fanned {
		// Another table may have the numbers in rows of their own.
		for _, ix := range p.indexes {
			if f := parse(p.lang, ts, ix, p.now); f.understood() && len(f.ignored) == 0 && !f.help && f.mode != modeDescribe &&
				rank(f) >= rank(best)-1.5 {
				best = f
				break
			}
		}
	}
	if before != nil && !best.help && best.mode != modeDescribe && best.leans() {
		// It is read again in the terms of the table that was spoken of.
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
		best.block("I could not tell what is to be ranked.")
	}
	if best.reverse {
		best.block("I could not tell which order is to be turned.")
	}
	if best.unsure != "" {
		best.block(best.unsure)
	}
	if best.shared && best.shareOf == nil {
		best.block("I could not tell of what the share is to be.")
	}
	return best
}

// rank compares readings: explained words count for it, ignored ones and joins against it.
func rank(f *form) float64 {
	return f.explained - 1.2*float64(len(f.ignored)) - 0.4*float64(len(f.used())) - 0.3*float64(len(f.notes))
}

// sells tells a question of what was sold from a table that only lists what there is to
// sell, where another one has the sales.
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
