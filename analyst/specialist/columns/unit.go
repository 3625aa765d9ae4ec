package columns

import (
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// measured is what is known about a number's unit.
type measured struct {
	unit   string
	format domain.ColumnFormat // empty if nothing is known
}

// currencies maps the signs and words next to amounts and in names to currencies.
var currencies = map[string]string{ //nolint:gochecknoglobals // a constant list
	"€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "$": "USD", "us$": "USD", "usd": "USD", "£": "GBP", "gbp": "GBP",
	"chf": "CHF", "¥": "JPY", "jpy": "JPY", "₹": "INR", "inr": "INR", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "pln": "PLN", "zł": "PLN",
}

// unitOf parses a unit as written next to numbers or in brackets: €, %, kg, t/ha.
func unitOf(sign string) measured {
	sign = strings.TrimSpace(sign)
	lower := strings.ToLower(sign)
	switch {
	case sign == "":
		return measured{}
	case currencies[lower] != "":
		return measured{unit: currencies[lower], format: domain.FormatMoney}
	case lower == "%" || lower == "percent" || lower == "pct":
		return measured{unit: "%", format: domain.FormatPercent}
	default:
		return measured{unit: sign, format: domain.FormatNumber}
	}
}

// lastWords are the units at the end of a name: weight_kg, duration_minutes.
var lastWords = []string{ //nolint:gochecknoglobals // a constant list
	"kg", "km", "cm", "mm", "ms", "kwh", "kw", "mwh", "gb", "mb", "tb", "days", "hours", "minutes", "seconds", "weeks", "months", "years",
	"miles", "celsius",
}

// unitSpelling maps units in lower case to their spelling.
//
//nolint:gochecknoglobals // a constant list
var unitSpelling = map[string]string{"kwh": "kWh", "kw": "kW", "mwh": "MWh", "gb": "GB", "mb": "MB", "tb": "TB", "celsius": "°C"}

// unitInName returns the unit at the end of a name, and the name without it.
func unitInName(name string) (m measured, rest string) {
	if bare, unit, ok := bracketed(name); ok {
		if m := unitOf(unit); m.format != domain.FormatNumber || isUnit(unit) {
			return m, bare
		}
		return measured{}, name
	}
	words := Split(name)
	if len(words) < 2 {
		return measured{}, name
	}
	last := strings.ToLower(words[len(words)-1])
	bare := strings.TrimSuffix(strings.Join(words[:len(words)-1], "_"), "_in") // height in cm
	switch {
	case currencies[last] != "":
		return unitOf(last), bare
	case last == "pct" || last == "percent" || last == "percentage":
		// The word stays, because it says what the number is: discount percent.
		return unitOf("%"), name
	case slices.Contains(lastWords, last) && !strings.EqualFold(words[0], "number") && !Describes(words[len(words)-2]):
		unit := last
		if w := unitSpelling[last]; w != "" {
			unit = w
		}
		return unitOf(unit), bare
	default:
		return measured{}, name
	}
}

// Describes reports whether a word has no meaning without the next one: weekly hours are not
// a "weekly" in hours, and a price per kWh is not in kWh.
func Describes(word string) bool {
	return slices.Contains([]string{
		"weekly", "monthly", "daily", "yearly", "annual", "hourly", "quarterly", "working", "worked", "total", "average", "avg", "mean", "median",
		"highest", "lowest", "billable", "paid", "sick", "extra", "open", "active", "used", "remaining", "planned", "actual", "standard",
		"normal",
		"per", "pro", "je",
	}, strings.ToLower(word))
}

// trailingSigns are the units that may follow a name without brackets: Cost £.
var trailingSigns = []string{"€", "$", "£", "¥", "₹", "%", "°C", "°F"} //nolint:gochecknoglobals // a constant list

// trailingSign cuts such a sign off the end of a header.
func trailingSign(header string) (bare, sign string, ok bool) {
	at := strings.LastIndexByte(header, ' ')
	if at < 1 || !slices.Contains(trailingSigns, header[at+1:]) {
		return "", "", false
	}
	// “Discount in %” is the discount.
	return strings.TrimSuffix(strings.TrimSpace(header[:at]), " in"), header[at+1:], true
}

// Unit returns the unit of a source's column of numbers, from its header or name: a
// currency's code, %, or a unit such as kg; empty if none is known.
func Unit(c *domain.Column) string { return sourceFact(c, "").unit }

// FormatOf returns how a source's column of numbers is shown, as far as its header, name and values
// say it: as money, as percentages, as fractions, or as numbers with a unit; empty if nothing is
// known.
func FormatOf(c *domain.Column) domain.ColumnFormat { return sourceFact(c, "").format }

// Sign returns how a currency is written next to amounts: € for EUR. For a currency without
// a sign it is the code. It is empty if the code is not a currency.
func Sign(code string) string {
	if sign := currencySigns[code]; sign != "" || currencies[strings.ToLower(code)] != code {
		return sign
	}
	return code
}

// currencySigns are the signs of currencies. Charts use the same ones.
var currencySigns = map[string]string{ //nolint:gochecknoglobals // a constant list
	"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹", "PLN": "zł", "SEK": "kr", "NOK": "kr", "DKK": "kr",
}

// bracketed cuts off the brackets at the end of a name: Yield (t/ha).
func bracketed(name string) (bare, inside string, ok bool) {
	bare, rest, found := strings.Cut(name, "(")
	inside, tail, closed := strings.Cut(rest, ")")
	if !found || !closed || strings.TrimSpace(tail) != "" || strings.TrimSpace(bare) == "" {
		return "", "", false
	}
	return strings.TrimSpace(bare), strings.TrimSpace(inside), true
}

// Currency returns the currency that a sentence names for an amount: EUR for "paid for the line
// in euros"; empty if there is none.
func Currency(text string) string {
	words := Split(strings.ToLower(text))
	if strings.Contains(text, "in €") {
		return "EUR"
	}
	for i, w := range words {
		if i == 0 {
			continue
		}
		if slices.Contains([]string{"eur", "usd", "gbp", "chf"}, w) {
			return strings.ToUpper(w)
		}
		if words[i-1] != "in" && !(i > 1 && words[i-2] == "in" && slices.Contains([]string{"us", "swiss", "british"}, words[i-1])) {
			continue
		}
		switch w {
		case "euro", "euros":
			return "EUR"
		case "dollar", "dollars":
			return "USD"
		case "pounds":
			return "GBP"
		case "francs":
			return "CHF"
		}
	}
	return ""
}
