package builtin

import (
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// signOf is the currency, percent sign or unit that stood beside each number of an
// uploaded column; the reader of the file notes it at the end of the description.
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

// withSign writes a number of the column with what stood beside it.
func (c *column) withSign(text string) string {
	switch {
	case c.sign == "":
		return text
	case c.sign == "%":
		return text + "%"
	case isOne(c.sign, "$", "€", "£", "¥", "₹"):
		if rest, ok := strings.CutPrefix(text, "-"); ok {
			return "-" + c.sign + rest
		}
		return c.sign + text
	default:
		return text + " " + c.sign
	}
}

// quantity writes a value of a column with its unit.
func quantity(v float64, c *column) string {
	text := specialist.Format(v)
	u := unit(c)
	sign := c.sign != "" && c.made == nil && c.currency == ""
	if at := strings.IndexByte(text, '.'); at > 0 && at == len(text)-2 && (isOne(c.sign, "$", "€", "£", "₹") || isOne(u, " EUR", " USD", " GBP", " CHF")) {
		text += "0" // nobody writes €655.3
	}
	if sign {
		return c.withSign(text)
	}
	if v == 1 {
		u = strings.TrimSuffix(u, "s")
	}
	return text + u
}

// measuredIn tells whether the cells of a column are in a unit that goes by a word.
func (c *column) measuredIn(word string) bool {
	return c.sign != "" && c.sign != "%" && stem(strings.ToLower(c.sign)) == stem(word)
}

// unitWord finds the unit of some column that a word of the question names, as the
// words by which such columns go.
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

// measured are the columns of the form whose cells hold a unit beside the number.
func (f *form) measured() []*column {
	var out []*column
	see := func(c *column) {
		if c != nil && c.made == nil && c.sign != "" && !isOne(c.sign, "%", "$", "€", "£", "¥", "₹", "USD", "EUR", "GBP", "CHF") && !slices.Contains(out, c) {
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
