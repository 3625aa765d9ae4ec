package query

import "slices"

// Window is a figure of a group that is calculated from the figures of the other groups.
//
//sumtype:decl
type Window interface {
	window() *node
}

type windowNode struct{ n *node }

func (w windowNode) window() *node { return w.n }

// Running adds up a measure over time, up to each period. Measures that do not add up over time are refused: levels, means,
// counts of different values.
func (m *Model) Running(of Measure, along TimeDim) (Window, error) {
	if !m.adds(of.measure()).time {
		return nil, refuse([]string{"the figure of each period"}, "%s does not add up over time.", m.say(of.measure()))
	}
	return windowNode{op(opRunning, of.measure(), along.n)}, nil
}

// maxPeriods is how many periods a window can look back.
const maxPeriods = 10_000

// Moving is the mean or the sum of a measure over a number of periods up to each one. Missing periods are not counted, and no
// earlier ones replace them.
func (m *Model) Moving(of Measure, periods int, statistic string, along TimeDim) (Window, error) {
	if known := []string{"mean", "sum"}; !slices.Contains(known, statistic) {
		return nil, refuse(known, "There is no moving %s.", statistic)
	}
	if periods < 2 || periods > maxPeriods {
		return nil, refuse(nil, "A moving figure is of 2 to %d periods.", maxPeriods)
	}
	if statistic == "sum" && !m.adds(of.measure()).time {
		return nil, refuse([]string{"the moving mean"}, "%s does not add up over time.", m.say(of.measure()))
	}
	return windowNode{op(opMoving, of.measure(), along.n).with(statistic).num(float64(periods))}, nil
}

// Growth compares a measure with the one some periods before, by the calendar: the same month last year is 12 months before. If
// that period is missing there is no value; it is not skipped.
func Growth(of Measure, periods int, percent bool, along TimeDim) (Window, error) {
	if periods < 1 || periods > maxPeriods {
		return nil, refuse(nil, "A comparison looks 1 to %d periods back.", maxPeriods)
	}
	how := "change"
	if percent {
		how = "percent"
	}
	return windowNode{op(opGrowth, of.measure(), along.n).with(how).num(float64(periods))}, nil
}

// RankBy is the place of a group by a measure, 1 for the highest (desc) or the lowest (asc). Equal ones have the same place.
func RankBy(of Measure, direction string, within ...By) (Window, error) {
	if err := directed(direction); err != nil {
		return nil, err
	}
	return windowNode{op(opRankBy, append([]*node{of.measure()}, nodesOf(within)...)...).with(direction)}, nil
}

// PartOfTotal is the part, 0 to 1, that a group has of all groups, or of those with the same values of what it is within. Means
// and counts of different values are refused, and so are levels of several periods.
func (m *Model) PartOfTotal(of Measure, within ...By) (Window, error) {
	if !m.adds(of.measure()).groups {
		return nil, refuse([]string{"the figures themselves"}, "%s has no parts that add up to a whole.", m.say(of.measure()))
	}
	return windowNode{op(opPartOf, append([]*node{of.measure()}, nodesOf(within)...)...)}, nil
}

func nodesOf(by []By) []*node {
	out := make([]*node, 0, len(by))
	for _, b := range by {
		out = append(out, b.by())
	}
	return out
}
