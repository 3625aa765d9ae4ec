package querytest

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Agrees compares an answer with the cells of an engine, which are texts; nil is a missing value. The order of rows is not
// compared. It returns what differs, or "".
func (a Answer) Agrees(cells [][]*string) string {
	if len(a) != len(cells) {
		return "the oracle has " + strconv.Itoa(len(a)) + " rows, the engine " + strconv.Itoa(len(cells)) + "\n" + a.String() + "\n" + text(cells)
	}
	used := make([]bool, len(cells))
	for _, row := range a {
		found := false
		for i, c := range cells {
			if !used[i] && rowAgrees(row, c) {
				used[i], found = true, true
				break
			}
		}
		if !found {
			return "the engine has no such row: " + (Answer{row}).String() + "\n" + a.String() + "\n" + text(cells)
		}
	}
	return ""
}

func rowAgrees(row []any, cells []*string) bool {
	if len(row) != len(cells) {
		return false
	}
	for i, v := range row {
		if !cellAgrees(v, cells[i]) {
			return false
		}
	}
	return true
}

// near is how much two figures may differ: both add up in another order.
const near = 1e-7

func cellAgrees(v any, cell *string) bool {
	if v == nil || cell == nil {
		return v == nil && cell == nil
	}
	switch x := v.(type) {
	case float64:
		y, err := strconv.ParseFloat(*cell, 64)
		return err == nil && math.Abs(x-y) <= near*(1+math.Abs(x)+math.Abs(y))
	case time.Time:
		return strings.HasPrefix(*cell, x.Format(time.DateOnly))
	}
	return show(v) == *cell
}

// String writes an answer for the message of a test.
func (a Answer) String() string {
	var lines []string
	for _, r := range a {
		var cells []string
		for _, v := range r {
			if v == nil {
				cells = append(cells, "∅")
			} else {
				cells = append(cells, show(v))
			}
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	return "oracle:\n" + strings.Join(lines, "\n")
}

func text(rows [][]*string) string {
	var lines []string
	for _, r := range rows {
		var cells []string
		for _, c := range r {
			if c == nil {
				cells = append(cells, "∅")
			} else {
				cells = append(cells, *c)
			}
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	return "engine:\n" + strings.Join(lines, "\n")
}
