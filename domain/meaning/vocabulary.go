package meaning

import (
	"strconv"
	"strings"
)

// Roles are all roles that a column can be said to have.
func Roles() []Role {
	return []Role{Key, Foreign, Time, Part, Dimension, Measure, Flag, Text, Geo, Order}
}

// Kinds are all kinds of numbers.
func Kinds() []Adds { return []Adds{Amount, Level, Rate, Unknown} }

// Aggregates are all default aggregates.
func Aggregates() []Aggregate { return []Aggregate{Sum, LastPeriod, MeanOfPeriods, Mean, AskFirst} }

// SaidLink is the value of a correction with FieldLink.
type SaidLink struct {
	// Not: the columns are not linked. Preferred: of several links to the same place this one is meant.
	Not, Preferred bool
	// Source is the id of another data source, or 0 for a table of the same one.
	Source int64
	// End is the other end as "table.column". Both names can have dots, so only the tables can say where it is divided.
	End string
}

// ParseLink reads the value of a correction with FieldLink.
func ParseLink(value string) SaidLink {
	out := SaidLink{End: value}
	if rest, ok := strings.CutPrefix(value, "-"); ok {
		out.Not, out.End = true, rest
	} else if rest, ok := strings.CutPrefix(value, "!"); ok {
		out.Preferred, out.End = true, rest
	}
	// "s12.orders.id" is of another data source.
	digits, end, ok := strings.Cut(strings.TrimPrefix(out.End, "s"), ".")
	if ok && strings.HasPrefix(out.End, "s") && strings.Contains(end, ".") {
		if id, err := strconv.ParseInt(digits, 10, 64); err == nil && id > 0 {
			out.Source, out.End = id, end
		}
	}
	return out
}
