package query

import (
	"fmt"
	"strings"
)

// scalarWords are the scalars, with the words of those that have one argument.
func scalarWords() map[string]string {
	return map[string]string{
		opCol: "", opCalendar: "", opNumber: "", opText: "", opDay: "", opArith: "", opFunc: "", opPart: "", opTrunc: "", opBetween: "",
		opLength: "length of", opExtract: "", opBins: "class of", opCase: "", opOf: "", opOverall: "", opZScore: "", opScaled: "", opOverlap: "",
		opClock: "hour of",
	}
}

func (s *speaker) scalar(n *node) string {
	switch n.Op {
	case opCol:
		t := s.m.find(n.Table)
		if t == nil {
			return n.Column
		}
		if n.Part != "" {
			return n.Part + " " + label(t, n.Column)
		}
		return label(t, n.Column)
	case opCalendar:
		return "time"
	case opNumber:
		return number(n.Numbers[0])
	case opText:
		return "“" + n.word(0) + "”"
	case opDay:
		return n.word(0)
	case opArith:
		words := map[string]string{"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
		return s.scalar(n.Kids[0]) + " " + words[n.word(0)] + " " + s.scalar(n.Kids[1])
	case opFunc:
		if len(n.Numbers) > 0 {
			return fmt.Sprintf("%s rounded to %s digits", s.scalar(n.Kids[0]), number(n.Numbers[0]))
		}
		return n.word(0) + " of " + s.scalar(n.Kids[0])
	case opPart, opTrunc:
		if n.Kids[0].Op == opCalendar {
			return n.word(0)
		}
		return n.word(0) + " of " + s.scalar(n.Kids[0])
	case opBetween:
		return n.word(0) + " from " + s.scalar(n.Kids[0]) + " to " + s.scalar(n.Kids[1])
	case opLength, opBins, opClock:
		return scalarWords()[n.Op] + " " + s.scalar(n.Kids[0])
	case opExtract:
		return "“" + n.word(0) + "” in " + s.scalar(n.Kids[0])
	case opCase:
		var all []string
		for i := 0; i+1 < len(n.Kids); i += 2 {
			all = append(all, s.scalar(n.Kids[i+1])+" where "+s.pred(n.Kids[i]))
		}
		return join(append(all, s.scalar(n.Kids[len(n.Kids)-1])+" otherwise"), "and")
	case opOf:
		return s.part(n.Kids[0]) + " of each " + s.thing(n)
	case opOverall:
		return s.part(n.Kids[0]) + " of all " + s.set(n.Kids[1])
	case opZScore:
		return "standard deviations of " + s.scalar(n.Kids[0]) + " from the mean" + s.each(n.Kids[1:])
	case opScaled:
		return s.scalar(n.Kids[0]) + " from 0 for the lowest to 1 for the highest"
	case opOverlap:
		return s.scalar(n.Kids[0])
	}
	return n.Op
}

func (s *speaker) thing(n *node) string {
	t, err := s.m.base(n)
	if err != nil {
		return n.Table
	}
	return t.row()
}

func (s *speaker) each(by []*node) string {
	if len(by) == 0 {
		return ""
	}
	return " of each " + join(s.list(by), "and")
}

func (s *speaker) pred(n *node) string {
	switch n.Op {
	case opAll:
		return "all"
	case opAnd:
		return join(s.list(n.Kids), "and")
	case opOr:
		return "either " + join(s.list(n.Kids), "or")
	case opNot:
		return s.not(n.Kids[0])
	case opCmp:
		return s.scalar(n.Kids[0]) + " is " + compared(n.word(0)) + " " + s.scalar(n.Kids[1])
	case opIn:
		return s.scalar(n.Kids[0]) + " is " + join(n.Words[:min(len(n.Words), 20)], "or") + more(len(n.Words)-20)
	case opMatch:
		how := map[string]string{"contains": "contains", "starts": "starts with", "ends": "ends with", "is": "is"}
		return s.scalar(n.Kids[0]) + " " + how[n.word(0)] + " “" + n.word(1) + "”"
	case opMissing:
		return s.scalar(n.Kids[0]) + " is missing"
	case opBlank:
		return s.scalar(n.Kids[0]) + " is empty"
	case opDuring:
		return s.scalar(n.Kids[0]) + " is from " + between(n.Words)
	case opRecurs:
		var values []string
		for _, v := range n.Numbers {
			values = append(values, number(v))
		}
		return "the " + n.word(0) + " of " + s.scalar(n.Kids[0]) + " is " + join(values, "or")
	case opYes:
		return s.scalar(n.Kids[0]) + " is true"
	case opOutlier:
		rule := fmt.Sprintf("more than %s standard deviations (of a sample) from the mean", number(n.Numbers[0]))
		if n.word(0) == "iqr" {
			rule = fmt.Sprintf("more than %s times the distance of the quartiles outside of them", number(n.Numbers[0]))
		}
		return s.scalar(n.Kids[0]) + " is " + rule + s.each(n.Kids[1:])
	}
	return s.things(n)
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" or one of %d others", n)
}

// not says the opposite of a condition. Rows without a value stay, which is said.
func (s *speaker) not(n *node) string {
	switch n.Op {
	case opMissing:
		return s.scalar(n.Kids[0]) + " is known"
	case opBlank:
		return s.scalar(n.Kids[0]) + " is not empty"
	case opSome:
		return "the " + s.thing(n) + " has no " + s.set(n.Kids[0])
	case opEvery, opCountOf, opAllOf, opRank, opYes:
		return "not that " + s.pred(n)
	}
	s.note("Rows of which this is not known are kept.")
	return "not that " + s.pred(n)
}

// things says the conditions on things and on their life.
func (s *speaker) things(n *node) string {
	thing := "the " + s.thing(n)
	switch n.Op {
	case opAlive:
		return "the thing lives in the period of " + n.word(0)
	case opBorn:
		return "the thing began between " + n.word(0) + " and before " + n.word(1)
	case opGone:
		return "the thing ceased between " + n.word(0) + " and before " + n.word(1)
	case opSome:
		return thing + " has some " + s.set(n.Kids[0])
	case opEvery:
		return "for all " + s.set(n.Kids[0]) + " of " + thing + ", " + s.pred(n.Kids[1])
	case opCountOf:
		what := s.set(n.Kids[0])
		if len(n.Kids) > 1 {
			what = "different " + s.scalar(n.Kids[1]) + " among its " + what
		}
		return fmt.Sprintf("%s has %s %s %s", thing, compared(n.word(0)), number(n.Numbers[0]), what)
	case opAllOf:
		return thing + " has every " + s.scalar(n.Kids[1]) + " among its " + s.set(n.Kids[0])
	case opRank:
		s.note("Equal ones share a place.")
		which := map[string]string{"desc": "highest", "asc": "lowest"}[n.word(0)]
		return fmt.Sprintf("%s is among the %s with the %s %s%s", thing, number(n.Numbers[0]), which, s.part(n.Kids[0]),
			strings.Replace(s.each(n.Kids[1:]), " of ", " within ", 1))
	}
	return n.Op
}

func (s *speaker) measure(n *node) string {
	switch n.Op {
	case opCount:
		return "number of " + s.set(n.Kids[0])
	case opDistinct:
		return "number of different " + s.scalar(n.Kids[0])
	case opTotal:
		return "total " + s.withUnit(n.Kids[0])
	case opAt:
		return s.withUnit(n.Kids[0])
	case opStat:
		return s.statistic(n)
	case opPair:
		words := map[string]string{
			"corr": "correlation", "slope": "slope", "intercept": "intercept", "r2": "explained part of the variance",
			"p": "p-value of the correlation", "spearman": "rank correlation", "spearman_p": "p-value of the rank correlation",
		}
		return words[n.word(0)] + " of " + s.scalar(n.Kids[0]) + " by " + s.scalar(n.Kids[1])
	case opWelch:
		s.note("Welch's test is two-sided and does not assume equal variances.")
		words := map[string]string{"t": "t", "df": "degrees of freedom", "p": "p-value"}
		return fmt.Sprintf("%s of Welch's test of the mean %s where %s and where %s", words[n.word(0)], s.withUnit(n.Kids[0]),
			s.pred(n.Kids[1]), s.pred(n.Kids[2]))
	case opAnova, opChi2, opMann, opNormality, opPaired, opFit:
		return s.test(n)
	case opWhen:
		return s.part(n.Kids[0]) + " where " + s.pred(n.Kids[1])
	case opRatio:
		return s.part(n.Kids[0]) + " divided by " + s.part(n.Kids[1])
	case opDiff:
		return s.part(n.Kids[0]) + " minus " + s.part(n.Kids[1])
	case opPercent:
		return s.part(n.Kids[0]) + " in percent of " + s.part(n.Kids[1])
	case opShare:
		return "part of " + s.part(n.Kids[0]) + " where " + s.pred(n.Kids[1])
	case opPer:
		return s.part(n.Kids[0]) + " per " + s.scalar(n.Kids[1])
	case opEach:
		if n.word(0) == "" {
			return statisticWord(n.word(1)) + " " + s.part(n.Kids[0]) + " of each " + s.scalar(n.Kids[1])
		}
		s.note("Only %ss that have rows are counted.", n.word(0))
		return statisticWord(n.word(1)) + " " + s.part(n.Kids[0]) + " of a " + n.word(0)
	}
	return n.Op
}

// withUnit says a number with its unit.
func (s *speaker) withUnit(n *node) string {
	c, err := s.m.Col(n.Table, n.Column)
	if err != nil || c.c.Number == nil {
		return s.scalar(n)
	}
	return s.scalar(n) + unitOf(c.c.Number.Unit)
}

func (s *speaker) statistic(n *node) string {
	word := statisticWord(n.word(0))
	if n.word(0) == "quantile" {
		word = number(100*n.Numbers[0]) + " % quantile of"
	}
	out := word + " " + s.withUnit(n.Kids[0])
	if t := s.m.find(n.Kids[0].Table); t != nil {
		if w := weight(t, n); w != "" {
			out += " weighed by " + label(t, w)
		}
	}
	switch n.word(0) {
	case "std", "var":
		s.note("The standard deviation and the variance are those of a sample.")
	case "stdp", "varp":
		s.note("The standard deviation and the variance are those of a whole population.")
	case "kurtosis":
		s.note("The kurtosis is the excess over that of a normal distribution.")
	}
	return out
}

// unitAlong is the unit of a time that a window goes along.
func unitAlong(n *node) string {
	if n.Op == opTrunc {
		return n.word(0)
	}
	return "year"
}

func (s *speaker) window(n *node) string {
	of := s.part(n.Kids[0])
	switch n.Op {
	case opRunning:
		return "the running total of " + of
	case opMoving:
		return fmt.Sprintf("the %s of %s over %s %ss", n.word(0), of, number(n.Numbers[0]), unitAlong(n.Kids[1]))
	case opGrowth:
		how := "the change"
		if n.word(0) == "percent" {
			how = "the change in percent"
		}
		return fmt.Sprintf("%s of %s to %s %s before", how, of, number(n.Numbers[0]), unitAlong(n.Kids[1]))
	case opRankBy:
		return "the place by " + of + s.each(n.Kids[1:])
	default:
		return "the part of " + of + " of all groups" + s.each(n.Kids[1:])
	}
}
