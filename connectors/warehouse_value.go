package connectors

import (
	"math"
	"strconv"

	"parley.dev/parley/domain"
)

// Cells of databases that send texts, as cells of a domain.ResultSet. Each function is for a cell
// that is not NULL (Answer.Read).

// IntegerCell returns an int64 if the number fits, else the nearest float64.
func IntegerCell(cell []byte) any {
	if n, err := strconv.ParseInt(string(cell), 10, 64); err == nil {
		return n
	}
	return NumberCell(cell)
}

// NumberCell returns a float64, or nil for NaN and infinity, which JSON does not have.
func NumberCell(cell []byte) any {
	f, err := strconv.ParseFloat(string(cell), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return f
}

// TextCell returns a text without characters that no client shows.
func TextCell(cell []byte) any { return domain.Clean(string(cell)) }

// Whole reads an integer that the engine itself has made, for example of its catalogue; 0 for
// NULL.
func Whole(cell []byte) int64 {
	n, _ := strconv.ParseInt(string(cell), 10, 64) // the engine made it from an integer
	return n
}

// Fraction reads a number that the engine itself has made; 0 for NULL.
func Fraction(cell []byte) float64 {
	f, _ := strconv.ParseFloat(string(cell), 64) // the engine made it from a number
	return f
}
