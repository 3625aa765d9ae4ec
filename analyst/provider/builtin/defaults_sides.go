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
	several := slices.ContainsFunc(f.where, func(w condition) bool { return w.op == opIn && len(w.values) > 1 })
	if f.compare && !f.share && !several {
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

// causeOfShare exchanges the part and the whole of a share with a cause: of cancellations due to weather the cancellations are the whole.
func (p *parser) causeOfShare() {
	f := p.form
	if f.shareOf == nil {
		return
	}
	for i := range p.atoms {
		if p.atoms[i].kind != atomStop || !isOne(strings.ToLower(p.atoms[i].words), "due to", "because of", "caused by", "on account of") {
			continue
		}
		behind := func(c *column) bool {
			return slices.ContainsFunc(p.atoms[i+1:], func(a atom) bool {
				v := valueOf(&a)
				return a.kind == atomLink && v != nil && v.column == c
			})
		}
		at := slices.IndexFunc(f.where, func(w condition) bool { return w.op == opIn && behind(w.col) })
		if at < 0 || behind(f.shareOf.col) {
			continue
		}
		whole := *f.shareOf
		part := f.where[at]
		f.shareOf = &part
		f.where[at] = whole
		return
	}
}

// nounOfShare leaves out a group of a share that is only the noun behind its value: the share of high-priority faults is one of rows,
// whatever their fault is.
func (p *parser) nounOfShare() {
	f := p.form
	if f.shareOf == nil || len(f.dims) < 2 {
		return
	}
	for _, m := range p.named {
		if m.col == f.shareOf.col || m.at == 0 || p.atoms[m.at-1].kind != atomLink ||
			!slices.ContainsFunc(p.atoms[m.at-1].links, func(l link) bool { return l.column == f.shareOf.col }) {
			continue
		}
		f.dims = slices.DeleteFunc(slices.Clone(f.dims), func(d dimension) bool { return d.col == m.col })
	}
}
