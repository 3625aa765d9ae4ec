package check

// All texts of the checks for people. None of them says how likely an answer is correct.

import (
	"fmt"
	"strings"
	"time"

	"parley.dev/parley/internal/english"
)

// Line is the text about the checks that passed; empty if none of them could have failed.
func (r *Report) Line() string {
	texts := map[Kind]string{
		KindTotal: "adds up to the total of its own table", KindFigures: "the same figures without a join", KindShares: "the parts make 100 %",
		KindLevel: "read at one period, not added up over time",
	}
	var all []string
	if r.Empty != "" {
		return "" // nothing was added up
	}
	for _, k := range r.Passed {
		if texts[k] != "" {
			all = append(all, texts[k])
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "✓ Checked: " + strings.Join(all, "; ") + "."
}

// Withheld is the text instead of figures that failed a check; empty if none failed.
func (r *Report) Withheld() string {
	if r == nil || len(r.Failures) == 0 {
		return ""
	}
	return r.Failures[0].Said + " I do not show this result. This is a fault of mine; it has been counted."
}

// WithheldWritten is the same for a statement that this program did not generate, such as that of a memory, a blueprint or a
// model.
func (r *Report) WithheldWritten() string {
	if r == nil || len(r.Failures) == 0 {
		return ""
	}
	return r.Failures[0].Said
}

func differ(a float64, hasA bool, b float64, hasB bool) string {
	return fmt.Sprintf("I got two different totals for this: the groups add up to %s, and the table alone gives %s.", orNone(a, hasA),
		orNone(b, hasB))
}

// secondWayDiffers says that the figures of n groups have another sum in the second computation. For one group the sum is its
// figure.
func secondWayDiffers(a float64, n int, b float64, has bool) string {
	if n <= 1 {
		return fmt.Sprintf("I computed this in two ways and got two different figures: %s, and %s without a join.", orNone(a, n > 0),
			orNone(b, has))
	}
	return fmt.Sprintf("I computed this in two ways and got different figures: those of all groups together make %s, and %s without a join.",
		english.Figure(a), orNone(b, has))
}

func repeated(total, table string, joined, once float64) string {
	return fmt.Sprintf("%s gives %s over the joined rows, and %s if each row of %s is counted once.", total, english.Figure(joined),
		english.Figure(once), table)
}

func unevenRepeats(total, table string) string {
	return fmt.Sprintf("%s is another number if each row of %s is counted once, because the joined rows repeat some more often than others.",
		total, table)
}

func fixJoin(table string) string {
	return "A join repeats rows of " + table + ". Aggregate " + table + " before the join, or join what has one row for each of its rows."
}

func orNone(n float64, has bool) string {
	if !has {
		return "nothing"
	}
	return english.Figure(n)
}

func notWhole(percent float64) string {
	return fmt.Sprintf("The parts of the whole do not add up: together they make %s %%.", english.Figure(percent))
}

func notPart(percent float64) string {
	return fmt.Sprintf("A part of the whole is %s %% of it, which cannot be.", english.Figure(percent))
}

func severalPeriods(n float64) string {
	return fmt.Sprintf("A level was added up over %s periods, although it is to be read at one.", english.Figure(n))
}

func notACount(n float64) string {
	return fmt.Sprintf("A number of rows came out as %s, which cannot be.", english.Figure(n))
}

func moreThanAll(part, whole float64) string {
	return fmt.Sprintf("One group counts %s, and all rows together count %s.", english.Figure(part), english.Figure(whole))
}

func fewerThanAll(sum, whole float64) string {
	return fmt.Sprintf("All groups together count %s, and all rows count %s different ones.", english.Figure(sum), english.Figure(whole))
}

func outside(middle, end float64) string {
	return fmt.Sprintf("A mean or a highest value came out as %s, beyond an end of its values, %s.", english.Figure(middle),
		english.Figure(end))
}

func noRows(rows string) string { return fmt.Sprintf("There are no %s at all.", rows) }

func noGroups(condition string) string {
	return fmt.Sprintf("Rows match, but no group has %s.", condition)
}

func noneMeets(condition string) string {
	return fmt.Sprintf("No row meets this condition: %s.", condition)
}

func without(condition string, n float64, rows string) string {
	return fmt.Sprintf("without “%s” it would be %s %s", condition, english.Figure(n), rows)
}

func neverTogether(others []string) string {
	return "Each condition is met by some rows, but never all of them together: " + strings.Join(others, "; ") + "."
}

func neverAll(rows string) string {
	return fmt.Sprintf("Each condition is met by some %s, but never all of them together.", rows)
}

// spanOf says in which time span the data are that a question asked for.
func spanOf(of string, first, last time.Time, before, after bool) string {
	text := fmt.Sprintf("The data have %s from %s to %s", of, day(first), day(last))
	switch {
	case before:
		return text + "; what you asked for lies before that."
	case after:
		return text + "; what you asked for lies after that."
	}
	return text + ", and none in the time that you asked for."
}

func day(t time.Time) string { return t.Format("2 January 2006") }
