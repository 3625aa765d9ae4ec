package statistics

import (
	"fmt"

	"parley.dev/parley/domain"
)

// Used says how many values a result of this package uses and how many were left out, from its own columns; "" if it
// has none of them.
func Used(t *domain.ResultSet) string {
	used, usedMost, ok := extent(t, "n", "numbers")
	if !ok {
		used, usedMost, ok = sums(t, "first_n", "second_n")
	}
	left, leftMost, told := extent(t, "left_out", "missing")
	if !ok || !told {
		return ""
	}
	each := ""
	if used != usedMost || left != leftMost {
		each = " in each line"
	}
	return fmt.Sprintf("Used %s values%s; left out because a value is missing or no finite number: %s.", between(used, usedMost), each,
		between(left, leftMost))
}

func between(least, most int64) string {
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// extent returns the least and the most of the first of the columns that the table has.
func extent(t *domain.ResultSet, names ...string) (least, most int64, ok bool) {
	for _, name := range names {
		for i, c := range t.Columns {
			if c.Name != name {
				continue
			}
			for _, row := range t.Rows {
				n, is := row[i].(int64)
				if !is {
					continue
				}
				if !ok {
					least, most, ok = n, n, true
				}
				least, most = min(least, n), max(most, n)
			}
			return least, most, ok
		}
	}
	return 0, 0, false
}

// sums adds the extents of two columns of a result with one row.
func sums(t *domain.ResultSet, first, second string) (least, most int64, ok bool) {
	a, _, hasA := extent(t, first)
	b, _, hasB := extent(t, second)
	return a + b, a + b, hasA && hasB && len(t.Rows) == 1
}
