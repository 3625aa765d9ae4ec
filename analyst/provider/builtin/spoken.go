package builtin

import (
	"slices"
	"strings"
	"unicode"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/analyst/specialist/columns"
)

// spoken writes words of a column's name as they stand in a sentence: in small letters, but
// for acronyms (VAT), words that their header writes with capitals inside (kWh), and the
// nouns of a German table.
func (c *column) spoken(words []string) string {
	own := make(map[string]string)
	header := headerOf(c.Column)
	for _, w := range strings.FieldsFunc(header, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		own[strings.ToLower(w)] = w
	}
	shouts := header == strings.ToUpper(header)
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = columns.Acronym(w)
		letters := []rune(own[w])
		switch {
		case len(words) > 1 && written(w) != "":
			out[i] = written(w)
		case out[i] != w || len(letters) == 0:
		case shouts && c.table.german():
			out[i] = specialist.Sentence(w)
		case !shouts && slices.ContainsFunc(letters[1:], unicode.IsUpper), c.table.german() && unicode.IsUpper(letters[0]):
			out[i] = own[w]
		}
	}
	return strings.Join(out, " ")
}

// written is a word that names shorten and people write out; empty for any other one.
func written(w string) string {
	switch w {
	case "pct":
		return "percent"
	case "avg":
		return "average"
	case "num":
		return "number of"
	case "qty":
		return "quantity"
	case "amt":
		return "amount"
	default:
		return ""
	}
}

// bareAlone tells a header with a remark in brackets that no other column's needs to be told
// apart from it. A word in brackets, as in Total (net), says which total it is, and is no remark.
func (c *column) bareAlone() bool {
	_, inside, _ := strings.Cut(headerOf(c.Column), "(")
	return len(c.bare) > 0 && !strings.ContainsFunc(inside, unicode.IsLetter) && !slices.ContainsFunc(c.table.columns, func(o *column) bool {
		return o != c && (slices.Equal(o.bare, c.bare) || slices.Equal(o.words, c.bare))
	})
}

// german tells a table whose headers are German, in which nouns have a capital letter. One
// letter or word that other languages hardly have is enough.
func (t *table) german() bool {
	return slices.ContainsFunc(t.columns, func(c *column) bool {
		return slices.ContainsFunc(splitName(headerOf(c.Column)), func(w string) bool {
			return strings.ContainsAny(w, "äöüß") || isOne(w, "umsatz", "datum", "kunde", "kunden", "menge", "preis", "artikel", "betrag", "jahr", "monat",
				"anzahl", "kosten", "filiale", "bundesland", "abteilung", "mitarbeiter", "bestellung", "rechnung", "gewinn", "stadt", "lieferant",
				"gehalt", "einheit", "bezeichnung", "standort", "verbrauch", "gesamt", "brutto", "netto", "strasse", "vorname", "nachname")
		})
	})
}

// flagged is what a column of yes and no says of its rows: remote of is_remote.
func (c *column) flagged() string {
	words := c.titleWords()
	if len(words) > 1 && isOne(words[0], "is", "has") {
		words = words[1:]
	}
	return c.spoken(words)
}

// yesOrNo names the rows of either side of such a column: remote and not remote.
func (c *column) yesOrNo(yes bool) string {
	if words := c.titleWords(); len(words) > 1 && words[0] == "has" {
		return map[bool]string{true: "with ", false: "without "}[yes] + c.flagged()
	}
	return map[bool]string{true: "", false: "not "}[yes] + c.flagged()
}
