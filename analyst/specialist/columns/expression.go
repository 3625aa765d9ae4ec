package columns

import (
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// expression returns what is known about an expression, from the columns in it.
func expression(ts []sqltext.Token, names scope, depth int) fact {
	ts = bare(ts)
	if len(ts) == 0 || depth > 4*depthMax {
		return fact{}
	}
	if ts[0].Is("case") && ts[len(ts)-1].Is("end") {
		return branch(ts, names, depth)
	}
	if ts[0].Is("select") || ts[0].Is("with") {
		if items := query(ts, names, depthMax/2); len(items) == 1 {
			return items[0].fact
		}
		return fact{}
	}
	windowed := false
	for i := len(ts) - 2; i > 0; i-- {
		// OVER and FILTER follow a call and do not change its unit.
		if i+1 < len(ts) && (ts[i].Is("over") || ts[i].Is("filter")) && ts[i+1].Is("(") && i+1+span(ts[i+1:]) == len(ts)-1 && outside(ts, i) {
			windowed = windowed || ts[i].Is("over")
			ts = ts[:i]
		}
	}
	f := operation(ts, names, depth)
	if windowed {
		f.adds = false
	}
	return f
}

// bare removes brackets, signs, casts and DISTINCT, which do not matter for the unit.
func bare(ts []sqltext.Token) []sqltext.Token {
	for {
		switch {
		case len(ts) > 1 && ts[0].Is("(") && span(ts) == len(ts)-1:
			ts = ts[1 : len(ts)-1]
		case len(ts) > 1 && (ts[0].Is("-") || ts[0].Is("+") || ts[0].Is("distinct")):
			ts = ts[1:]
		case len(ts) > 2 && ts[len(ts)-2].Is("::"):
			ts = ts[:len(ts)-2]
		default:
			return ts
		}
	}
}

// outside reports whether a position is outside of all brackets.
func outside(ts []sqltext.Token, at int) bool {
	depth := 0
	for _, t := range ts[:at] {
		if t.Is("(") {
			depth++
		}
		if t.Is(")") {
			depth--
		}
	}
	return depth == 0
}

// branch returns the fact of the first value of a CASE that is known and not a literal.
func branch(ts []sqltext.Token, names scope, depth int) fact {
	body := ts[1 : len(ts)-1]
	var out fact
	for len(body) > 0 {
		var rest []sqltext.Token
		_, rest = until(body, []string{"then", "else"})
		if len(rest) == 0 {
			break
		}
		var value []sqltext.Token
		value, body = until(rest[1:], []string{"when", "else"})
		if f := expression(value, names, depth+1); f.known && !f.literal {
			return f
		}
	}
	return out
}

// operation splits an expression at sums first, then at products.
func operation(ts []sqltext.Token, names scope, depth int) fact {
	if at := lastOutside(ts, "+", "-"); at > 0 {
		return sum(expression(ts[:at], names, depth+1), expression(ts[at+1:], names, depth+1))
	}
	if at := lastOutside(ts, "*", "/"); at > 0 {
		a, b := expression(ts[:at], names, depth+1), expression(ts[at+1:], names, depth+1)
		if ts[at].Is("*") {
			return product(a, b)
		}
		return quotient(a, b)
	}
	switch {
	case len(ts) > 2 && ts[0].Kind == sqltext.Word && ts[1].Is("(") && 1+span(ts[1:]) == len(ts)-1:
		return call(ts[0].Text, ts[2:len(ts)-1], names, depth)
	case len(ts) == 1 && ts[0].Kind == sqltext.Number:
		v, err := strconv.ParseFloat(ts[0].Text, 64)
		return fact{literal: true, value: v, known: err == nil}
	case len(ts) == 1 && ts[0].IsName():
		return names[ts[0].Text]
	case len(ts) == 3 && ts[0].IsName() && ts[1].Is(".") && ts[2].IsName():
		return names[ts[2].Text]
	default:
		return fact{}
	}
}

// lastOutside finds the last occurrence of either operator outside of brackets. It is the last
// one, because operators of the same rank are evaluated from left to right.
func lastOutside(ts []sqltext.Token, a, b string) int {
	depth, at := 0, -1
	for i, t := range ts {
		switch {
		case t.Is("(") || t.Is("[") || t.Is("case"):
			depth++
		case t.Is(")") || t.Is("]") || t.Is("end"):
			depth--
		case depth == 0 && i > 0 && (t.Is(a) || t.Is(b)) && (ts[i-1].Kind != sqltext.Sign || ts[i-1].Is(")") || ts[i-1].Is("]")):
			at = i
		}
	}
	return at
}

func sum(a, b fact) fact {
	switch {
	case a.literal && b.literal:
		return fact{literal: true, known: true}
	case a.literal:
		return b
	case b.literal:
		return a
	case a.known && b.known && a.measured == b.measured && a.count == b.count && a.until == "" && b.until == "":
		return fact{measured: a.measured, count: a.count, adds: a.adds && b.adds, known: true, ratio: a.ratio && b.ratio}
	default:
		return fact{}
	}
}

func product(a, b fact) fact {
	if b.literal {
		a, b = b, a
	}
	switch {
	case !a.known || !b.known:
		return fact{}
	case a.literal && b.literal:
		return fact{literal: true, value: a.value * b.value, known: true}
	case a.literal && a.value == 100 && (b.ratio || b.format == domain.FormatFraction):
		return fact{measured: unitOf("%"), known: true}
	case a.literal && a.value == 100:
		b.hundred = true
		return b
	case a.literal:
		return b
	case a.plain():
		return fact{measured: b.measured, adds: b.format == domain.FormatMoney, known: true}
	case b.plain():
		return fact{measured: a.measured, adds: a.format == domain.FormatMoney, known: true}
	default:
		return fact{}
	}
}

// plain reports whether the value is a number by which another value can be multiplied
// without changing its unit: a quantity, a count or a share.
func (f fact) plain() bool {
	return f.format == "" || f.format == domain.FormatPercent || f.format == domain.FormatFraction || f.count
}

func quotient(a, b fact) fact {
	switch {
	case !a.known || !b.known:
		return fact{}
	case b.literal && slices.Contains([]float64{1000, 1e6, 1e9, 60, 3600, 24, 86400}, b.value):
		// The result is in thousands of the unit, or in another unit, such as hours.
		return fact{known: true}
	case b.literal:
		a.hundred = false
		return a
	case a.literal:
		return fact{known: true, hundred: a.value == 100, ratio: false}
	case a.hundred && a.measured == b.measured:
		return fact{measured: unitOf("%"), known: true}
	case a.measured == b.measured && (a.unit != "" || a.count && b.count):
		return fact{ratio: true, known: true}
	case b.plain():
		return fact{measured: a.measured, known: true}
	default:
		return fact{known: true}
	}
}

// call derives what is known about a function's result from its arguments.
func call(name string, args []sqltext.Token, names scope, depth int) fact {
	list := parts(args, ",")
	first := func() fact { return expression(list[0], names, depth+1) }
	at := func(i int) []sqltext.Token {
		if i < len(list) {
			return list[i]
		}
		return nil
	}
	switch name {
	case "count", "count_star", "count_if", "approx_count_distinct":
		// The same thing may be in two groups, so distinct counts cannot be added up.
		return fact{count: true, adds: name != "approx_count_distinct" && (len(args) == 0 || !args[0].Is("distinct")), known: true}
	case "sum", "fsum", "kahan_sum":
		f := first()
		f.adds = f.format != domain.FormatPercent && f.format != domain.FormatFraction
		f.key = false
		return f
	case "avg", "mean", "favg", "median", "quantile", "quantile_cont", "quantile_disc", "min", "max", "mode", "stddev", "stddev_samp",
		"stddev_pop", "mad",
		"lag", "lead", "first_value", "last_value", "first", "last", "any_value", "arg_min", "arg_max", "min_by", "max_by":
		f := first()
		f.adds = false
		return f
	case "round", "coalesce", "ifnull", "nullif", "abs", "floor", "ceil", "ceiling", "trunc", "greatest", "least", "round_even":
		return first()
	case "cast", "try_cast":
		value, _ := until(list[0], []string{"as"})
		return expression(value, names, depth+1)
	case "date_trunc", "datetrunc":
		f := expression(at(1), names, depth+1)
		f.grain, f.known = strings.ToLower(literalText(at(0))), true
		return f
	case "year":
		f := first()
		f.grain, f.known = name, true
		return f
	case "date_part", "datepart":
		return datePart(strings.ToLower(literalText(at(0))), expression(at(1), names, depth+1))
	case "extract":
		if len(args) > 2 && args[1].Is("from") {
			return datePart(args[0].Text, expression(args[2:], names, depth+1))
		}
		return fact{known: true}
	case "strftime":
		f := first()
		f.grain, f.known = grainOfPattern(literalText(at(1))), true
		return f
	case "datediff", "date_diff", "datesub", "date_sub":
		unit := strings.TrimSuffix(strings.ToLower(literalText(at(0))), "s") + "s"
		return fact{measured: measured{unit: unit, format: domain.FormatNumber}, known: true}
	case "if", "iff":
		return expression(at(1), names, depth+1)
	default:
		return fact{}
	}
}

func datePart(part string, f fact) fact {
	if part == "year" || part == "isoyear" {
		f.grain, f.known = "year", true
		return f
	}
	// A part of a date without the year, such as a month, is only a number.
	return fact{known: true}
}

func literalText(ts []sqltext.Token) string {
	if len(ts) == 1 && ts[0].Kind == sqltext.Text {
		return ts[0].Text
	}
	return ""
}

// grainOfPattern returns the period that the texts of a pattern of strftime name. The case of its
// letters matters: %m is the month and %M the minute.
func grainOfPattern(pattern string) string {
	switch {
	case strings.HasSuffix(pattern, "%m"):
		return "month"
	case pattern == "%Y" || pattern == "%y":
		return "year"
	default:
		return ""
	}
}
