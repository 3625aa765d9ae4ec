package builtin

import (
	"strings"
)

// aggregate is the way in which the rows of a group become one number.
type aggregate string

const (
	aggCount    aggregate = "count"
	aggDistinct aggregate = "distinct"
	aggSum      aggregate = "sum"
	aggAvg      aggregate = "avg"
	aggMedian   aggregate = "median"
	aggMin      aggregate = "min"
	aggMax      aggregate = "max"
)

// measure is one number that is asked for.
type measure struct {
	agg aggregate
	col *column // nil counts rows
	// per divides by the distinct values of a column: orders per customer.
	per *column
	// over divides by the total of another column: cost per click; percent multiplies the quotient by
	// 100.
	over    *column
	percent bool
	// sides are the two figures of a ratio, each with conditions of its own; nothing else is set then.
	sides *sides
	// minus turns the sign of money that was spent.
	minus bool
	// each takes the mean of the totals of a unit of time: sales per month on average.
	each grain
	// eachAgg is the aggregate of those totals instead of the mean: the median daily spend; "" for the
	// mean.
	eachAgg aggregate
	// assumed reports that the question did not name the aggregation.
	assumed bool
	// twin reports that the question's word names the column before as well.
	twin bool
	// aggOnly reports that the question named the aggregation but not its column.
	aggOnly bool
}

// counts reports whether a measure is the number of rows.
func (m measure) counts() bool {
	return m.col == nil && m.per == nil && m.over == nil && m.sides == nil && m.each == grainNone
}

// ofRows reports whether a measure counts rows, whatever the number is divided by.
func (m measure) ofRows() bool { return m.agg == aggCount && m.col == nil }

// onlyCounts reports whether a question asks for nothing but a number of rows, in all or by groups.
func (f *form) onlyCounts() bool {
	return f.mode == modeGroups && len(f.measures) == 1 && f.measures[0].ofRows()
}

// name returns the name of the measure in SQL and, with blanks, in words.
func (m measure) name() string {
	switch {
	case m.sides != nil:
		return "ratio"
	case m.each != grainNone:
		return m.eachWord() + "_" + measure{agg: m.agg, col: m.col, minus: m.minus}.name() + "_per_" + string(m.each)
	case m.over != nil && m.percent:
		return snake(m.col.title()) + "_percent_of_" + snake(m.over.title())
	case m.over != nil:
		return snake(m.col.title()) + "_per_" + snake(singular(m.over.title()))
	case m.per != nil:
		return measure{agg: m.agg, col: m.col}.name() + "_per_" + snake(singular(coreTitle(m.per)))
	case m.col == nil:
		return "count"
	}
	title := snake(m.col.title())
	if m.minus {
		title += "_spent"
	}
	if q, ok := m.agg.quantile(); ok {
		return "p" + strings.ReplaceAll(trimFloat(float64(int(parseNumber(q)*1e5+0.5))/1e3), ".", "_") + "_" + title
	}
	switch m.agg {
	case aggStddev:
		return prefix("stddev_", title)
	case aggDistinct:
		if !m.col.countable() {
			return "distinct_" + snake(coreTitle(m.col))
		}
		return "distinct_" + plural(snake(coreTitle(m.col)))
	case aggSum:
		return prefix("total_", title)
	case aggAvg:
		return prefix("average_", title)
	case aggMedian:
		return prefix("median_", title)
	case aggMin:
		return prefix("lowest_", title)
	case aggMax:
		return prefix("highest_", title)
	case aggCount:
		return "count_of_" + title
	default:
		return title
	}
}

// eachWord names the aggregate of the totals of units of time.
func (m measure) eachWord() string {
	switch m.eachAgg {
	case aggMedian:
		return "median"
	case aggMin:
		return "lowest"
	case aggMax:
		return "highest"
	default:
		return "average"
	}
}
