package query

import (
	"bytes"
	"encoding/json"
	"slices"
)

// node is one operation of a tree, as the journal keeps it. Nodes are immutable. The constants below say for each operation
// what its fields hold and what its kids are; only constructors make nodes, also when a journal is read.
type node struct {
	Op string `json:"op"`
	// Table and Column name a column, or Table alone the rows that an operation is about; Part is the part of a link, or the
	// entity whose things are meant.
	Table  string `json:"table,omitempty"`
	Column string `json:"column,omitempty"`
	Part   string `json:"part,omitempty"`
	// Words and Numbers are the constants of the operation.
	Words   []string  `json:"words,omitempty"`
	Numbers []float64 `json:"numbers,omitempty"`
	Kids    []*node   `json:"of,omitempty"`
}

// Scalars: one value for each row.
const (
	opCol      = "col"      // Table, Column, Part
	opCalendar = "calendar" // the default time of each table
	opNumber   = "number"   // Numbers: the number
	opText     = "text"     // Words: the text
	opDay      = "day"      // Words: a date, 2006-01-02, or a moment, 2006-01-02T15:04:05
	opArith    = "arith"    // Words: + - * /; kids: both sides
	opFunc     = "func"     // Words: the function; Numbers: digits of round; kid: its argument
	opPart     = "part"     // Words: the part of the calendar, as a number or by its name; kid: a time
	opTrunc    = "trunc"    // Words: the grain; kid: a time
	opBetween  = "between"  // Words: the unit; kids: two times
	opLength   = "length"   // kid: a text
	opClock    = "clock"    // kid: a text
	opExtract  = "extract"  // Words: a pattern; kid: a text
	opBins     = "bins"     // Numbers: the edges; Words: the names, one more than edges; kid: a number
	opCase     = "case"     // kids: condition, value, condition, value …, and a last value
	opOf       = "of"       // Table, Part: the thing; kid: a measure of each
	opOverall  = "overall"  // kids: a measure, the set it is of
	opZScore   = "zscore"   // kids: a number, then what it is grouped by
	opScaled   = "scaled"   // kids: a number; from its lowest value, 0, to its highest, 1
)

// Conditions on rows.
const (
	opAll     = "all"
	opAnd     = "and"     // kids: conditions
	opOr      = "or"      // kids: conditions
	opNot     = "not"     // kid: a condition; holds for rows of which it is not known as well
	opCmp     = "cmp"     // Words: = < <= > >=; kids: both sides
	opIn      = "in"      // Words: the values; kid: a scalar
	opMatch   = "match"   // Words: contains, starts, ends or is, and the text; kid: a text
	opBlank   = "blank"   // kid: a text; missing, or nothing but blanks
	opMissing = "missing" // kid: a scalar
	opDuring  = "during"  // Words: the first day, and the day after the last; kid: a time
	opRecurs  = "recurs"  // Words: the part of the calendar; Numbers: its values; kid: a time
	opYes     = "yes"     // kid: a flag
	opAlive   = "alive"   // Table; Words: the period
	opBorn    = "born"    // Table; Words: the first day, and the day after the last
	opGone    = "gone"    // the same
	opSome    = "some"    // Table, Part: the thing; kid: the set of which it has some
	opEvery   = "every"   // the same; kids: the set, and the condition that all of it meet
	opCountOf = "countof" // the same; Words: the comparison; Numbers: the number; kids: the set, and what is counted, if not rows
	opAllOf   = "allof"   // the same; kids: the set, and the scalar of which it has all values that there are
	opOutlier = "outlier" // Words: z or iqr; Numbers: the factor; kids: a number, then what it is grouped by
	opRank    = "rank"    // Table, Part: the thing; Words: desc or asc; Numbers: how many; kids: a measure, then within what
	opSet     = "set"     // Table, Part; kid: a condition
	opOverlap = "overlap" // kid: a column of which a row has several
)

// Measures: one value for each group.
const (
	opCount    = "count"    // kid: a set
	opDistinct = "distinct" // kid: a column
	opTotal    = "total"    // kid: an amount
	opAt       = "at"       // Words: the pick; kid: a level
	opStat     = "stat"     // Words: the statistic; Numbers: its parameter; kid: a number, or any column of min and max
	opPair     = "pair"     // Words: the statistic; kids: y, x
	opWelch    = "welch"    // Words: t, df or p; kids: a number, two conditions
	// Tests and regressions, each a fact of its own; Table is the table of their rows, and Words the part of the result.
	opAnova     = "anova"      // kids: a number, what groups it
	opChi2      = "chi2"       // kids: two scalars
	opMann      = "mannwhit"   // kids: a number, two conditions
	opNormality = "normality"  // kid: a number
	opPaired    = "paired"     // kids: two numbers of a row
	opFit       = "regression" // Numbers: the predictor, from 1, 0 for none; kids: y, its predictors
	opWhen      = "when"       // kids: a measure, a condition
	opRatio     = "ratio"      // kids: two measures
	opDiff      = "diff"       // kids: two measures
	opPercent   = "percent"    // kids: two measures
	opShare     = "share"      // kids: a measure, the condition of its part
	opPer       = "per"        // kids: a measure, a column
	opEach      = "each"       // Words: the grain, or none, and the statistic; kids: a measure, a time, or without a grain a column
	opNamed     = "named"      // Words: the name; kid: a measure or a scalar
)

// Windows: one value for each group, from the other groups.
const (
	opRunning = "running" // kids: a measure, the time
	opMoving  = "moving"  // Words: mean or sum; Numbers: of how many periods; kids: a measure, the time
	opGrowth  = "growth"  // Words: percent or change; Numbers: how many periods before; kids: a measure, the time
	opRankBy  = "rankby"  // Words: desc or asc; kids: a measure, then within what
	opPartOf  = "partof"  // kids: a measure, then within what
)

// What is asked, and the steps before it.
const (
	opList   = "list"
	opHave   = "have"   // Words: the comparison; Numbers: the number; kid: a measure
	opOrder  = "order"  // Words: desc or asc; kid: what is ordered by
	opTop    = "top"    // Words: desc or asc; Numbers: how many, from which place; kids: what is ranked, then within what
	opFirst  = "first"  // Numbers: how many, from which place; kids: within what
	opGroups = "groups" // kids: set, list of dimensions, of measures, of have, of windows, of order, of at most one top or first
	opRows   = "rows"   // kids: set, list of scalars, of order, of at most one top or first
	opTally  = "tally"  // kid: groups
	opChange = "change" // Words: two spans; kids: set, measure, time, list of dimensions
	opLet    = "let"    // Table; Words: the name; kid: a scalar
	opKeep   = "keep"   // kid: a set
	opFill   = "fill"   // Words: the statistic; kid: a number
	opScript = "script" // kids: list of steps, list of asks
)

func op(name string, kids ...*node) *node { return &node{Op: name, Kids: kids} }

// with returns a node with constants.
func (n *node) with(words ...string) *node {
	n.Words = words
	return n
}

func (n *node) num(numbers ...float64) *node {
	n.Numbers = numbers
	return n
}

func (n *node) at(t Table) *node {
	n.Table, n.Part = t.t.key(), t.entity
	return n
}

func (n *node) word(i int) string {
	if i < len(n.Words) {
		return n.Words[i]
	}
	return ""
}

// text is the canonical text of a node: equal nodes have equal texts.
func (n *node) text() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(n); err != nil {
		// A node holds only strings and finite numbers, which constructors check.
		panic(err)
	}
	return b.String()
}

func list[T any](items []T, of func(T) *node) *node {
	n := op(opList)
	for _, i := range items {
		n.Kids = append(n.Kids, of(i))
	}
	return n
}

// same reports whether two nodes are equal.
func (n *node) same(o *node) bool { return n.text() == o.text() }

// among reports whether one of the nodes is equal to this one.
func (n *node) among(all []*node) bool { return slices.ContainsFunc(all, n.same) }
