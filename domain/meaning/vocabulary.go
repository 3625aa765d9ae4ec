package meaning

import (
	"encoding/json"
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
	// End is the other end as "table.column", or for a link of several columns as "table." and what LinkedColumns reads.
	// All names can have dots, so only the tables can say where it is divided.
	End string
}

// LinkedColumns reads the columns of a link from what follows the table in its end: the name of one column, or for a link of
// several columns the JSON [["from","to"],…] with all pairs, in the order of the link, whose first pair has the column that
// the correction is about. ok is false for a list that is no such JSON; a name is always ok.
func LinkedColumns(column, end string) (from, to []string, ok bool) {
	if !strings.HasPrefix(end, `[["`) {
		return []string{column}, []string{end}, true
	}
	var pairs [][]string
	if err := json.Unmarshal([]byte(end), &pairs); err != nil || len(pairs) < 2 {
		return nil, nil, false
	}
	for _, p := range pairs {
		if len(p) != 2 {
			return nil, nil, false
		}
		from, to = append(from, p[0]), append(to, p[1])
	}
	return from, to, from[0] == column
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
