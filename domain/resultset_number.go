package domain

import "math"

// CellNumber returns the number in a cell of a ResultSet; false for any other value, also for NaN and infinity.
func CellNumber(cell any) (float64, bool) {
	switch v := cell.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return 0, false
}
