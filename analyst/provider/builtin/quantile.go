package builtin

import (
	"fmt"
	"strconv"
	"strings"
)

// aggStddev is the standard deviation of the values of a group.
const aggStddev aggregate = "stddev"

// quantilePrefix begins the name of an aggregate that is a quantile: "quantile 0.9".
const quantilePrefix = "quantile "

// quantile returns the fraction of the values that are below, for an aggregate that is a quantile.
func (a aggregate) quantile() (q string, ok bool) {
	return strings.CutPrefix(string(a), quantilePrefix)
}

// percentile names a quantile in the usual form: 90th percentile.
func (a aggregate) percentile() string {
	q, _ := a.quantile()
	v := parseNumber(q) * 100
	n := trimFloat(float64(int(v*1000+0.5)) / 1000)
	suffix := "th"
	switch {
	case strings.HasSuffix(n, "11"), strings.HasSuffix(n, "12"), strings.HasSuffix(n, "13"):
	case strings.HasSuffix(n, "1"):
		suffix = "st"
	case strings.HasSuffix(n, "2"):
		suffix = "nd"
	case strings.HasSuffix(n, "3"):
		suffix = "rd"
	}
	return n + suffix + " percentile"
}

// readQuantile reads "90th percentile", "percentile 95", "p95", "first quartile".
func readQuantile(ts []token) (aggregate, int) {
	at := func(percent float64) aggregate {
		return aggregate(quantilePrefix + strconv.FormatFloat(percent/100, 'f', -1, 64))
	}
	end := func(n int) int {
		if n < len(ts) && ts[n].norm == "of" {
			return n + 1
		}
		return n
	}
	w := ts[0].norm
	if digits, ok := strings.CutPrefix(w, "p"); ok && isOne(digits, "10", "25", "50", "75", "80", "90", "95", "98", "99") {
		return at(parseNumber(digits)), end(1)
	}
	if len(ts) < 2 {
		return "", 0
	}
	if isOne(ts[1].norm, "percentile", "pctl", "centile") {
		var v float64
		digits := strings.TrimRight(w, "stndrh%")
		if _, err := fmt.Sscanf(digits, "%f", &v); err == nil && v > 0 && v < 100 {
			return at(v), end(2)
		}
	}
	if isOne(w, "percentile") && ts[1].kind == tokenNumber && ts[1].value > 0 && ts[1].value < 100 {
		return at(ts[1].value), end(2)
	}
	if ts[1].norm == "quartile" {
		switch w {
		case "first", "1st", "lower":
			return at(25), end(2)
		case "second", "2nd":
			return at(50), end(2)
		case "third", "3rd", "upper":
			return at(75), end(2)
		}
	}
	return "", 0
}
