package builtin

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// signOf returns the currency, percent sign or unit next to each number of an uploaded column; the
// reader of the file writes it at the end of the description.
func signOf(c *domain.Column) string {
	if c.Type != domain.ColumnInteger && c.Type != domain.ColumnNumber {
		return ""
	}
	note := c.Description
	if i := strings.LastIndex(note, ", in "); i >= 0 {
		note = note[i+2:]
	}
	sign, ok := strings.CutPrefix(note, "in ")
	if !ok || len(sign) > 10 || strings.ContainsAny(sign, ",()`") {
		return ""
	}
	return sign
}

// withSign writes a number of the column with that sign.
func (c *column) withSign(text string) string {
	if c.sign == "%" {
		return text + "%"
	}
	return text + " " + c.sign
}

// currencyOf returns the code of the currency of the column's numbers; "" for other units.
func (c *column) currencyOf() string {
	if code := strings.TrimSpace(unit(c)); columns.Sign(code) != "" {
		return code
	}
	return ""
}

// inCurrency writes an amount in the form of charts and tables: $1,250, CHF 12.50.
func inCurrency(text, code string) string {
	sign := columns.Sign(code)
	if utf8.RuneCountInString(sign) > 1 {
		sign += " "
	}
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return "-" + sign + rest
	}
	return sign + text
}

// percentages reports whether the numbers of a column are percentages, and returns their factor: it is
// 100 for fractions of one, as the cells of a spreadsheet contain them.
func (c *column) percentages() (times float64, ok bool) {
	if c == nil || c.made != nil {
		return 0, false
	}
	if u, known := c.unitMeant(); known {
		if u.Kind != meaning.Percent {
			return 0, false
		}
		return map[bool]float64{true: 100, false: 1}[u.OfOne], true
	}
	switch format := columns.FormatOf(c.Column); {
	case format == domain.FormatFraction:
		return 100, true
	case format == domain.FormatPercent, c.sign == "%", strings.Contains(c.Name, "%"),
		slices.ContainsFunc(c.words, func(w string) bool { return isOne(w, "percent", "pct", "percentag") }):
		return 1, true
	default:
		return 0, false
	}
}

// percentText writes a percentage with the same number of decimals as tables and axes.
func percentText(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	if text = strings.TrimRight(strings.TrimRight(text, "0"), "."); text == "-0" {
		return "0%"
	}
	return text + "%"
}

// quantity writes a value of a column with its unit.
func quantity(v float64, c *column) string {
	if times, ok := c.percentages(); ok {
		return percentText(times * v)
	}
	text := specialist.Format(v) + c.scaleWord()
	if code := c.currencyOf(); code != "" {
		if at := strings.IndexByte(text, '.'); at > 0 && at == len(text)-2 && c.scaleWord() == "" {
			text += "0" // €655.3 is not a usual form
		}
		return inCurrency(text, code)
	}
	if _, known := c.unitMeant(); c.sign != "" && c.made == nil && !known {
		return c.withSign(text)
	}
	u := unit(c)
	if v == 1 {
		u = strings.TrimSuffix(u, "s")
	}
	return text + u
}

// measuredIn reports whether the unit of a column's cells is a word.
func (c *column) measuredIn(word string) bool {
	return c.sign != "" && c.sign != "%" && stem(strings.ToLower(c.sign)) == stem(word)
}

// unitWord finds the unit that a word of the question names, if some column has it, and returns the
// words for that unit.
func (p *parser) unitWord(word string) []string {
	word = strings.ToLower(word)
	for _, names := range [][]string{
		{"kg", "kilo", "kilos", "kilogram", "kilograms", "kgs"},
		{"km", "kilometer", "kilometers", "kilometre", "kilometres", "kms"},
		{"l", "liter", "liters", "litre", "litres"},
		{"m", "meter", "meters", "metre", "metres"},
		{"g", "gram", "grams"},
		{"miles", "mile", "mi"},
		{"lbs", "lb", "pounds"},
		{"kwh"},
		{"kw"},
		{"cm"},
		{"mm"},
		{"mb"},
		{"gb"},
		{"ms"},
		{"ha", "hectares", "hectare"},
	} {
		if !slices.Contains(names, word) {
			continue
		}
		for _, c := range p.form.view.base.columns {
			if c.isNumber() && slices.ContainsFunc(names, func(n string) bool { return c.measuredIn(n) || slices.Contains(c.words, stem(n)) }) {
				return stems(names)
			}
		}
	}
	return nil
}

// measured returns the columns of the form whose cells have a unit next to the number.
func (f *form) measured() []*column {
	var out []*column
	see := func(c *column) {
		if c != nil && c.made == nil && c.sign != "" && !isOne(c.sign, "%", "$", "€", "£", "¥", "₹", "USD", "EUR", "GBP", "CHF") &&
			!slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	for _, m := range f.measures {
		see(m.col)
		see(m.over)
	}
	for _, w := range f.where {
		see(w.col)
	}
	see(f.orderCol)
	return out
}
