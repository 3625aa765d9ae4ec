package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// window is the stretch of time that a moving average covers, including the current unit: 7 days. A
// size of 0 means that the question did not say.
type window struct {
	agg   aggregate // aggAvg or aggSum
	size  int
	grain grain
}

// windowMax limits the number of units of a window.
const windowMax = 1000

var shortWindow = regexp.MustCompile(`^(\d{1,3})(d|w|m|mo)$`)

// takeMoving removes "7-day moving average of", "rolling 3 month sum" and "moving average … over 3
// months" from a question and returns what they ask for; the remaining tokens are read as they would be
// without these words.
func takeMoving(ts []token) ([]token, *window) {
	at := slices.IndexFunc(ts, func(t token) bool { return isOne(t.norm, "moving", "rolling", "trailing", "sliding") })
	if at < 0 {
		return ts, nil
	}
	w := &window{}
	from, to := at, at+1
	if n, g := windowAt(ts, to); n > 0 {
		w.size, w.grain, to = n, g, to+2
	}
	switch {
	case to >= len(ts):
		return ts, nil
	case isOne(ts[to].norm, "average", "avg", "mean", "averages"):
		w.agg = aggAvg
	case isOne(ts[to].norm, "sum", "total", "sums", "totals"):
		w.agg = aggSum
	default:
		return ts, nil
	}
	if to++; to < len(ts) && isOne(ts[to].norm, "of", "for") {
		to++
	}
	if n, g := windowAt(ts, at-2); n > 0 && w.size == 0 {
		w.size, w.grain, from = n, g, at-2
	} else if at > 0 && w.size == 0 {
		if m := shortWindow.FindStringSubmatch(ts[at-1].norm); m != nil {
			w.size, from = int(parseNumber(m[1])), at-1
			w.grain = map[string]grain{"d": grainDay, "w": grainWeek}[m[2]]
			if w.grain == grainNone {
				w.grain = grainMonth
			}
		}
	}
	out := slices.Clone(ts[:from])
	rest := ts[to:]
	for i := range rest {
		n, g := windowAt(rest, i)
		if n == 0 || w.size > 0 {
			continue
		}
		start := i
		for start > 0 && isOne(rest[start-1].norm, "over", "with", "a", "the", "window", "of", "using", "for", "period", "each", "every") {
			start--
		}
		if start == i && i > 0 || i > 0 && isOne(rest[i-1].norm, "last", "past", "previous") {
			continue // "the last 6 months" filters rows, and is not the size of the window
		}
		end := i + 2
		if end < len(rest) && isOne(rest[end].norm, "window", "windows", "period") {
			end++
		}
		w.size, w.grain = n, g
		rest = slices.Delete(slices.Clone(rest), start, end)
		break
	}
	return append(out, rest...), w
}

// windowAt reads a number and a unit of time at a position.
func windowAt(ts []token, i int) (int, grain) {
	if i < 0 || i+1 >= len(ts) || ts[i].kind != tokenNumber || ts[i].value < 2 || ts[i].value > windowMax ||
		ts[i].value != float64(int(ts[i].value)) {
		return 0, grainNone
	}
	g := grainOf(ts[i+1].norm)
	if !isOne(string(g), string(grainHour), string(grainDay), string(grainWeek), string(grainMonth), string(grainQuarter),
		string(grainYear)) || ts[i+1].norm == "date" {
		return 0, grainNone
	}
	return int(ts[i].value), g
}

// placeMoving sets the time along which a moving average moves.
func (p *parser) placeMoving() {
	f := p.form
	if f.moving == nil {
		return
	}
	if f.mode == modeRows && (len(f.measures) == 0 || f.measures[0].assumed) {
		f.mode, f.limit, f.orderCol, f.columns = modeGroups, 0, nil, nil
	}
	if f.mode != modeGroups {
		f.block("I could not tell what the moving average should be of.")
		return
	}
	if len(f.measures) == 0 {
		f.measures = []measure{{agg: aggCount, assumed: true}}
	}
	if f.along() < 0 {
		g := orElseGrain(f.moving.grain, grainAuto)
		if from, to := p.dateOf().reach(); g == grainAuto && !from.IsZero() && to.Sub(from).Hours() <= 200*24 {
			g = grainDay
		}
		p.addGrain(g)
		p.grains()
	}
	along := f.along()
	switch {
	case along < 0:
		f.block("A moving average needs a date to move along, and there is none here.")
		return
	case len(f.measures) > 1:
		f.block("I make the moving average of one number at a time.")
		return
	case f.share || f.growth || f.running || f.shareOf != nil || len(f.having) > 0 || f.limit > 0 || f.measures[0].each != grainNone:
		f.block("I make no moving averages of shares, changes or rankings.")
		return
	}
	unit := f.dims[along].grain
	if unit == grainNone {
		unit = grainYear // the dimension is a column of years
	}
	w := *f.moving
	if w.size == 0 {
		w.size = map[grain]int{grainHour: 24, grainDay: 7, grainWeek: 4, grainMonth: 3, grainQuarter: 4, grainYear: 3}[unit]
		w.grain = unit
		f.note(fmt.Sprintf("You did not say over how many %ss, so I took %d.", unit, w.size))
	}
	if w.grain != unit {
		f.block(fmt.Sprintf("A moving average over %ss moves by %s, and not by %s.", w.grain, w.grain, unit))
		return
	}
	f.moving, f.orderDim, f.desc = &w, true, false
	f.note(fmt.Sprintf("Each row looks back over %d %ss, its own included; the first ones have fewer behind them, and %ss without rows "+
		"are left out.", w.size, w.grain, w.grain))
}

func orElseGrain(a, b grain) grain {
	if a == grainNone {
		return b
	}
	return a
}

// called returns the word for the window's aggregate.
func (w *window) called() string {
	return map[aggregate]string{aggAvg: "average", aggSum: "sum"}[w.agg]
}

// phrase returns the window in words: 7-day moving average.
func (w *window) phrase() string {
	return fmt.Sprintf("%d-%s moving %s", w.size, w.grain, w.called())
}

// name returns the name of the window in SQL.
func (w *window) name() string { return fmt.Sprintf("moving_%s_%d_%ss", w.called(), w.size, w.grain) }

// narrateMoving narrates a moving average.
func (t *teller) narrateMoving() narration {
	f := t.form
	what := f.moving.phrase() + " of " + f.measures[0].said(f)
	values := t.values(t.dims)
	best, worst := extremes(values)
	if t.dims > 1 || best < 0 {
		text := fmt.Sprintf("The %s%s is in the table: %s rows.", what, t.scope(), rowCount(len(t.rows)))
		return narration{answer: text, summary: text}
	}
	last := len(values) - 1
	text := fmt.Sprintf("The %s%s ends at **%s** for %s.", what, t.scope(), t.valued(last, t.dims, values), t.label(last))
	summary := strings.ReplaceAll(text, "**", "")
	if best != worst {
		text += fmt.Sprintf(" It is highest for %s with %s and lowest for %s with %s.", t.label(best), t.valued(best, t.dims, values),
			t.label(worst), t.valued(worst, t.dims, values))
	}
	return narration{answer: text + t.partial(last), summary: summary}
}
