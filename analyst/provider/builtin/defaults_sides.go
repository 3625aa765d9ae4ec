package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// placeCompare groups by what is compared.
func (p *parser) placeCompare() {
	f := p.form
	if f.mode == modeRows {
		return
	}
	if f.compare && !f.share {
		for i, w := range f.where {
			if w.op == opIn && len(w.values) == 1 && w.col.booleanLike() {
				// "churned compared with the others" asks for both sides.
				f.where = slices.Delete(slices.Clone(f.where), i, i+1)
				p.addDim(dimension{col: w.col})
				return
			}
		}
	}
	for i := range f.where {
		w := &f.where[i]
		if w.op != opIn || len(w.values) < 2 {
			continue
		}
		if len(w.also) > 0 && slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomBetween }) {
			// "between two places" means both directions.
			for _, other := range w.also {
				f.where = append(f.where, condition{col: other, op: opIn, values: w.values})
			}
			f.where[i].also = nil
			return
		}
		if len(w.also) > 0 {
			// With groups each row counts only once, so only one of the columns can be used.
			w.also = nil
			f.note(fmt.Sprintf("I compared them by %s only.", quoteName(w.col)))
		}
		alone := len(f.dims) == 0 || len(f.dims) == 1 && f.dims[0].grain != grainNone && len(f.measures) == 1 &&
			f.measures[0].agg == aggAvg && !f.growth && !f.running && f.moving == nil
		if f.compare || f.view.base.metric() == w.col || (alone && !f.share && len(f.measures) > 0 && !p.or) {
			already := slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == w.col })
			if !already {
				d := dimension{col: w.col}
				if f.timed() != nil {
					f.dims = append(f.dims, d)
				} else {
					f.dims = append([]dimension{d}, f.dims...)
				}
			}
			f.explained += 0.3
		}
	}
}

// statesCompared reports whether the compared values are states that rows reached, such as completed
// and cancelled: rows in these states are counted.
func (p *parser) statesCompared() bool {
	return slices.ContainsFunc(p.form.where, func(w condition) bool {
		return w.op == opIn && len(w.values) > 1 && slices.ContainsFunc(w.values,
			func(v string) bool { return past(strings.ToLower(v)) })
	})
}

// placeShare settles a share: without groups it is the share of the rows that match the filter.
func (p *parser) placeShare() {
	f := p.form
	if !f.share {
		return
	}
	predicate := slices.ContainsFunc(f.where, p.predicate)
	for i, w := range f.where {
		if predicate && !p.predicate(w) {
			continue
		}
		grouped := slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == w.col })
		if len(f.dims) > 0 && (grouped || isOne(p.preps[w.col], "in", "for", "from", "within", "at", "on", "during")) {
			continue
		}
		if f.flow != "" && w.op == operator(f.flow) && w.nums[0] == 0 {
			continue
		}
		if w.op != opSpan && w.op != opRecurring {
			f.shareOf = &w
			f.where = slices.Delete(slices.Clone(f.where), i, i+1)
			return
		}
	}
	if len(f.dims) == 0 {
		f.share = false
		f.fragment, f.shared = true, true
	}
}

// whole decides what a share is a part of. The rows that match a condition are a part of all rows, if no number is named;
// groups are a part of their total, which means and other statistics do not have.
func (f *form) whole() {
	switch {
	case f.shareOf != nil:
		f.share = f.share && len(f.dims) > 0
		if len(f.measures) == 0 && f.mode == modeGroups {
			f.measures = []measure{{agg: aggCount, assumed: true}}
		}
	case f.share && len(f.measures) > 0 && f.measures[0].agg != aggSum && f.measures[0].agg != aggCount:
		f.share = false
		f.note("Averages have no shares of a whole, so I show the numbers themselves.")
	}
}
