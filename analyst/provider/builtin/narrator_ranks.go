package builtin

import (
	"fmt"
	"math"
	"slices"
)

// ends returns the rows with the first and the last group that have a value.
func ends(values []float64, rows [][]any) (first, last int) {
	first, last = -1, -1
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		key := fmt.Sprint(rows[i][0])
		if first < 0 || key < fmt.Sprint(rows[first][0]) {
			first = i
		}
		if last < 0 || key > fmt.Sprint(rows[last][0]) {
			last = i
		}
	}
	return first, last
}

// extremes returns the positions of the highest and the lowest value; −1 if there is none.
func extremes(values []float64) (best, worst int) {
	best, worst = -1, -1
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		if best < 0 || v > values[best] {
			best = i
		}
		if worst < 0 || v < values[worst] {
			worst = i
		}
	}
	return best, worst
}

// nth returns the position of the nth highest or lowest value, counted from 0; −1 if there are fewer.
func nth(values []float64, high bool, n int) int {
	var at []int
	for i, v := range values {
		if !math.IsNaN(v) {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int {
		if (values[a] > values[b]) == high && values[a] != values[b] {
			return -1
		}
		if values[a] == values[b] {
			return 0
		}
		return 1
	})
	if n >= len(at) {
		return -1
	}
	return at[n]
}

// tied returns all groups with the same value as one group, including that group.
func tied(values []float64, at int) []int {
	var same []int
	for i, v := range values {
		if v == values[at] {
			same = append(same, i)
		}
	}
	return same
}
