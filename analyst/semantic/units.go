package semantic

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/english"
)

// centScale is the scale of amounts in hundredths of their currency.
const centScale = 0.01

// ofOneMost is the largest value that a fraction can have: growth may be a little more than the whole.
const ofOneMost = 1.5

// scaledName finds the scale in a header or a name: Value (M€), revenue in TEUR, sales_k.
var scaledName = regexp.MustCompile(`(?:\((?:[$€£]|EUR |USD |GBP |in )?\s*|\bin )(k|K|T€|TEUR|k€|K€|k\$|000s?|[Tt]housands?|tsd|` +
	`Tsd|M|M€|M\$|MEUR|Mio|mio|mn|Mn|MM|[Mm]illions?|B|bn|Bn|[Bb]illions?|Mrd)\.?\s*(?:[$€£]|EUR|USD|GBP)?(?:\)|$)`)

// scaleOf returns the factor that a word for a scale stands for.
func scaleOf(word string) float64 {
	w := strings.TrimRight(strings.ToLower(word), "€$£s.")
	switch {
	case strings.HasPrefix(w, "b"), w == "mrd":
		return 1e9
	case strings.HasPrefix(w, "m"):
		return 1e6
	}
	return 1e3
}

// unitNamed returns the unit that a word or a sign stands for; no unit for "-" and for the empty text.
func unitNamed(name string) meaning.Unit {
	name = strings.TrimSpace(name)
	lower := strings.ToLower(name)
	switch lower {
	case "", "-":
		return meaning.Unit{}
	case "%", "percent", "per cent", "pct", "prozent":
		return meaning.Unit{Kind: meaning.Percent, Symbol: "%"}
	}
	if code := currencyOf(name); code != "" {
		return meaning.Unit{Kind: meaning.Money, Symbol: code}
	}
	if step := durationOf(lower); step != "" {
		return meaning.Unit{Kind: meaning.Duration, Symbol: step}
	}
	return meaning.Unit{Kind: meaning.Physical, Symbol: name}
}

// currencyOf returns the code of a currency that is written as a sign, a word or a code; empty if it is none.
func currencyOf(text string) string {
	switch strings.ToLower(text) {
	case "€", "euro", "euros", "k€", "m€", "t€", "teur", "meur", "keur":
		return "EUR"
	case "$", "us$", "dollar", "dollars", "us dollars", "k$", "m$", "kusd", "musd":
		return "USD"
	case "£", "pound", "pounds":
		return "GBP"
	case "¥":
		return "JPY"
	}
	if upper := strings.ToUpper(text); isCurrency(upper) {
		return upper
	}
	return ""
}

// isCurrency reports whether a text is a code of ISO 4217 that is in wide use.
func isCurrency(code string) bool {
	return slices.Contains(strings.Fields("EUR USD GBP CHF JPY INR SEK NOK DKK PLN CZK HUF RON BGN TRY CNY HKD SGD AUD NZD CAD MXN BRL "+
		"ARS CLP COP "+
		"ZAR AED SAR ILS EGP NGN KES KRW TWD THB IDR MYR PHP VND UAH RUB ISK"), code)
}

// durationOf returns the step of a duration: minutes for min; empty if the word is none.
func durationOf(word string) string {
	switch strings.ToLower(word) {
	case "ms", "millisecond", "milliseconds":
		return "milliseconds"
	case "s", "sec", "secs", "second", "seconds", "sekunden":
		return "seconds"
	case "min", "mins", "minute", "minutes", "minuten":
		return "minutes"
	case "h", "hr", "hrs", "hour", "hours", "stunden", "std":
		return "hours"
	case "d", "day", "days", "tage", "tagen":
		return "days"
	case "wk", "week", "weeks", "wochen":
		return "weeks"
	case "mo", "month", "months", "monate":
		return "months"
	case "yr", "yrs", "year", "years", "jahre":
		return "years"
	}
	return ""
}

// unit finds the unit of a column of numbers.
func (c *column) unit() (meaning.Unit, meaning.Reason) {
	if n := c.note; n.Unit.Kind != meaning.NoUnit && !(n.Unit.Kind == meaning.Money && anyIn(c.words, "parts")) {
		u := n.Unit
		u.OfOne = u.Kind == meaning.Percent && c.ofOne()
		return u, meaning.Reason{State: meaning.Documented, Evidence: shortened(n.unit)}
	}
	if written := columns.Unit(c.Column); written != "" {
		u := unitNamed(written)
		u.OfOne = u.Kind == meaning.Percent && columns.FormatOf(c.Column) == domain.FormatFraction
		if u.Kind != meaning.NoUnit {
			return u, meaning.Reason{State: meaning.Inferred, Evidence: fmt.Sprintf("%s is written in the heading or beside its numbers.", written)}
		}
	}
	last := c.words[len(c.words)-1]
	switch {
	case slices.ContainsFunc(c.words, func(w string) bool { return w == "percent" || w == "pct" || w == "percentage" || w == "prozent" }),
		c.ofOne() && anyIn(c.words, "rates"):
		return meaning.Unit{Kind: meaning.Percent, Symbol: "%", OfOne: c.ofOne()}, meaning.Reason{
			State:    meaning.Inferred,
			Evidence: "Its name says percent, or its values are shares of one.",
		}
	case len(c.words) > 1 && durationOf(last) != "" && len(last) > 1 && !c.flows():
		return meaning.Unit{Kind: meaning.Duration, Symbol: durationOf(last)}, meaning.Reason{
			State:    meaning.Inferred,
			Evidence: "Its name ends in " + last + ".",
		}
	}
	if c.isMoney() || c.inCurrency() {
		u := meaning.Unit{Kind: meaning.Money, Symbol: c.table.document.currency}
		if other := c.table.currencyColumn(); other != nil {
			if u.Symbol = ""; other.distinct() == 1 && len(other.Values) == 1 {
				u.Symbol = strings.ToUpper(other.Values[0])
			} else {
				u.Column = other.Name
			}
			return u, meaning.Reason{State: meaning.Inferred, Evidence: other.Name + " holds the currency of each row."}
		}
		if u.Symbol != "" {
			return u, meaning.Reason{State: meaning.Documented, Evidence: shortened(c.table.document.currencySays)}
		}
		return u, meaning.Reason{State: meaning.Inferred, Evidence: "Its name is one of an amount of money; nothing says in which currency."}
	}
	return meaning.Unit{}, meaning.Reason{}
}

// isMoney reports whether the name is one of an amount of money. The last word decides what is measured: a sales count is no
// money, and neither are discount percent and order rate.
func (c *column) isMoney() bool {
	last := c.words[len(c.words)-1]
	switch {
	case c.inCents():
		return true
	case in(last, "units"), slices.Contains([]string{
		"count", "number", "quantity", "percent", "rate", "ratio", "id", "day",
	}, english.Singular(last)):
		return false
	case in(last, "money"):
		// A total or a value may be anything; together with a word for money it is money.
		return !slices.Contains([]string{"total", "value", "net", "gross", "unit", "discount", "margin", "worth"}, english.Singular(last)) ||
			anyIn(c.words[:len(c.words)-1], "money") || slices.ContainsFunc(c.words[:len(c.words)-1], func(w string) bool {
			return slices.Contains([]string{"order", "invoice", "line", "contract", "bill"}, english.Singular(w))
		})
	}
	// mrr_change, sales_net, fee_paid.
	return len(c.words) > 1 && in(c.words[0], "money") && slices.Contains([]string{
		"change", "net", "gross", "paid", "due", "total",
		"amount", "ytd",
	}, last)
}

// inCurrency reports whether a number is an amount of money because the table says in which currency each row is: without a number that
// is money by its name, the currency belongs to its words for funds and to its numbers with decimals.
func (c *column) inCurrency() bool {
	if c.table.currencyColumn() == nil || slices.ContainsFunc(c.table.columns, (*column).isMoney) {
		return false
	}
	last := english.Singular(c.last())
	counts := in(last, "units") || slices.Contains([]string{"weight", "size", "count", "number", "quantity", "hour", "day"}, last)
	return anyIn(c.words, "funds") || c.Type == domain.ColumnNumber && !counts && !c.ofOne() && !anyIn(c.words, "rates") &&
		!anyIn(c.words, "durations")
}

// inCents reports whether the name says that amounts are in hundredths of their currency: price_cents.
func (c *column) inCents() bool {
	return len(c.words) > 1 && slices.Contains([]string{"cents", "cent", "pence"}, c.last()) && c.isNumber()
}

// ofOne reports whether values are shares of one.
func (c *column) ofOne() bool {
	low, high, ok := c.ends()
	return ok && c.Type == domain.ColumnNumber && low >= -ofOneMost && high <= ofOneMost && high > 0
}

// scale finds the factor of a column of numbers; 1 if none is written.
func (c *column) scale() (float64, meaning.Reason) {
	if c.note.Scale != 0 {
		return c.note.Scale, meaning.Reason{State: meaning.Documented, Evidence: shortened(c.note.scale)}
	}
	if c.inCents() {
		return centScale, meaning.Reason{State: meaning.Inferred, Evidence: "Its name says cents."}
	}
	for _, text := range []string{c.Description, c.Name} {
		if m := scaledName.FindStringSubmatch(text); m != nil {
			return scaleOf(m[1]), meaning.Reason{State: meaning.Inferred, Evidence: fmt.Sprintf("Its heading says %s.", m[1])}
		}
	}
	return 1, meaning.Reason{}
}

// ends are the smallest and the largest value of a column of numbers.
func (c *column) ends() (low, high float64, ok bool) {
	least, most := c.edges()
	low, errLow := strconv.ParseFloat(least, 64)
	high, errHigh := strconv.ParseFloat(most, 64)
	return low, high, errLow == nil && errHigh == nil
}
