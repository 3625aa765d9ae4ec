package table

// Units that follow a number in the same cell. Only words of these lists are units; a column is
// numeric only if its cells have the same one.

import (
	"bytes"
	"strings"
)

// unitOf returns the standard spelling of a unit that may follow the numbers of a column. It is empty for a word that is not
// a known unit. The column is then text, because cells such as "12 A3" and "10 X" are more often codes than quantities.
func unitOf(word string) string {
	switch word {
	case "h", "m", "s", "g", "l", "L", "d":
		// Only these units of one letter are common enough after a number.
		return word
	}
	// Most units are read in any case.
	switch strings.ToLower(word) {
	case "kg", "mg", "lb", "lbs", "oz", "km", "cm", "mm", "mi", "ft", "yd", "ha", "ml", "cl", "dl", "hl",
		"ms", "kcal", "kj", "ppm", "rpm", "bpm", "mph", "kph", "km/h", "m/s", "bar", "psi", "px", "pcs", "pts", "sqm", "sqft", "sq ft", "m²",
		"m³", "km²", "ft²",
		"stars", "points", "units", "pieces", "items", "people", "nights", "miles", "rooms", "l/100km":
		return strings.ToLower(word)
	// These differ by their case (mW and MW), so the spelling of the file is kept.
	case "hpa", "kwh", "mwh", "gwh", "wh", "kw", "mw", "kwp", "hz", "khz", "mhz", "ghz", "db", "kb", "mb", "gb", "tb":
		return word
	case "°c", "°f", "°":
		return strings.ToUpper(word)
	// Words with several spellings have one.
	case "hr", "hrs", "hour", "hours":
		return "hours"
	case "min", "mins", "minute", "minutes":
		return "minutes"
	case "sec", "secs", "second", "seconds":
		return "seconds"
	case "day", "days":
		return "days"
	case "week", "weeks", "wks":
		return "weeks"
	case "month", "months", "mos":
		return "months"
	case "year", "years", "yrs", "yr":
		return "years"
	case "star":
		return "stars"
	case "night":
		return "nights"
	case "mile":
		return "miles"
	case "piece":
		return "pieces"
	case "item":
		return "items"
	case "point":
		return "points"
	case "room":
		return "rooms"
	default:
		return ""
	}
}

// unitMax is the maximum length of a unit in bytes.
const unitMax = 8

// withoutUnit removes the unit from a cell that ends with one, such as 656.8 kg, 12km or 3h.
func withoutUnit(cell []byte) (digits []byte, unit string) {
	end := len(cell)
	// The last digit ends the number; what follows is the unit, if it is short enough.
	for end > 0 && !isDigit(cell[end-1]) && len(cell)-end <= unitMax {
		end--
	}
	if end == 0 || end == len(cell) || !isDigit(cell[end-1]) {
		return cell, ""
	}
	if unit = unitOf(string(bytes.Trim(cell[end:], " \u00a0"))); unit == "" {
		return cell, ""
	}
	return cell[:end], unit
}

// hasUnit reports whether a cell is a number with a unit.
func hasUnit(cell string) bool {
	n := &numbers{decimal: '.', group: ','}
	digits, unit := withoutUnit([]byte(cell))
	return unit != "" && n.accept(digits)
}
