package builtin

import (
	"regexp"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
)

// definition matches a line that says what something means.
var definition = regexp.MustCompile("^[\\s*•-]*[`\"']?([^=:–—→`\"'|]{1,60}?)[`\"']?\\s*(?:=|:|→|–|—|\\||\\s-\\s|\\s(?:means|is|" +
	"stands for)\\s)\\s*(\\S.*)$")

// listed matches a line of a table without marks: a name, a comma or tab, and a meaning.
var listed = regexp.MustCompile("^[`\"']?([^,\\t`\"']{1,60}?)[`\"']?[ ]*[,\\t][ ]*(\\S.*)$")

// entry is one line of a data dictionary: a name in the data, and what it means.
type entry struct{ name, meaning string }

// dictionaryMax is the maximum number of lines of a dictionary that are read.
const dictionaryMax = 500

// entries reads the lines of a dictionary that say what something means: "rev = revenue in EUR",
// "kunde: customer", "- `st` – status", the rows of a table in Markdown, and "rev,revenue" in a table
// with commas.
func entries(details string) []entry {
	var out []entry
	for text := range strings.Lines(details) {
		for _, part := range strings.Split(text, ";") {
			if len(out) == dictionaryMax {
				return out
			}
			part = strings.TrimSpace(strings.Trim(strings.TrimSpace(part), "|"))
			m := definition.FindStringSubmatch(part)
			if m == nil {
				m = listed.FindStringSubmatch(part)
			}
			if m != nil {
				out = append(out, entry{strings.TrimSpace(m[1]), untyped(m[2])})
			}
		}
	}
	return out
}

// untyped returns the meaning in a row of a dictionary without the type of the column.
func untyped(meaning string) string {
	cells := strings.Split(meaning, "|")
	kept := slices.DeleteFunc(cells, func(cell string) bool {
		return isOne(strings.ToLower(strings.TrimSpace(cell)), "integer", "int", "bigint", "number", "numeric", "decimal", "double", "float",
			"text",
			"string", "varchar", "boolean", "bool", "date", "datetime", "time", "timestamp", "")
	})
	return strings.Join(trimmed(kept), " / ")
}

func trimmed(texts []string) []string {
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i])
	}
	return texts
}

// fold makes names comparable: Net Amount, net_amount and NetAmount are the same.
func fold(name string) string { return strings.Join(splitName(name), "") }

// otherNames matches the words before further names of the same thing.
var otherNames = regexp.MustCompile(`(?i)\b(?:synonyms?(?: are| is)?|also (?:called|known as|named)|alias(?:es)?|other names?)\b[\s:]*`)

// meanings returns the names that a dictionary's text gives to a thing: what its first sentence says,
// and the names that are listed as other names.
func meanings(text string) [][]string {
	more := ""
	if at := otherNames.FindStringIndex(text); at != nil {
		text, more = strings.TrimRight(text[:at[0]], " ,([-–—"), text[at[1]:]
	}
	return append(named(text), named(more)...)
}

// named returns the names in a text: the parts between commas, slashes and "or", each without the unit
// that follows.
func named(text string) [][]string {
	if i := strings.IndexAny(text, "(.[)]"); i > 0 {
		text = text[:i]
	}
	text = strings.NewReplacer(",", "/", " or ", "/", " aka ", "/").Replace(text)
	var out [][]string
	for _, part := range strings.Split(text, "/") {
		for _, word := range []string{
			" in ", " as ", " at ", " per ", " where ", " which ", " that ", " for ", " when ", " if ", " of the ",
			" of each ", " of our ", " of this ",
		} {
			if head, _, ok := strings.Cut(part, word); ok {
				part = head
			}
		}
		words := splitName(strings.TrimSpace(part))
		for len(words) > 1 && isOne(words[0], "the", "a", "an", "our", "its", "their", "each") {
			words = words[1:]
		}
		if len(words) > 0 && len(words) <= 4 {
			out = append(out, stems(words))
		}
	}
	return out
}

// addDictionary lets a question use the words of the data dictionary: names of columns and of values,
// in either direction.
func (ix *index) addDictionary(t *table, quality float64) {
	if t.Dictionary == "" {
		return
	}
	for _, e := range entries(t.Dictionary) {
		if c := t.called(e.name); c != nil {
			for _, phrase := range meanings(e.meaning) {
				if !c.holdsValue(phrase) {
					ix.add(phrase, link{column: c, quality: quality * 0.97})
				}
			}
			continue
		}
		if c := t.called(e.meaning); c != nil {
			ix.add(stems(splitName(e.name)), link{column: c, quality: quality * 0.97})
			continue
		}
		for _, c := range t.columns {
			if i := slices.Index(c.Values, e.name); i >= 0 && !c.isNumber() {
				for _, phrase := range meanings(e.meaning) {
					ix.add(phrase, link{column: c, value: c.Values[i], isValue: true, quality: quality * 0.9})
				}
			}
		}
	}
}

// holdsValue reports whether words are a value of a column: if a dictionary lists the values of a
// column, they are not names of the column.
func (c *column) holdsValue(phrase []string) bool {
	return c.isText() && slices.ContainsFunc(c.Values, func(v string) bool { return slices.Equal(stems(splitName(v)), phrase) })
}

// called finds a column by the name that a dictionary uses for it, with or without the table's name
// before it.
func (t *table) called(name string) *column {
	name = strings.Trim(name, "`\"' ")
	if _, bare, ok := strings.Cut(name, "."); ok {
		name = bare
	}
	want := fold(name)
	if want == "" {
		return nil
	}
	for _, c := range t.columns {
		if fold(c.Name) == want {
			return c
		}
	}
	return nil
}

// learn sets the word by which the dictionary says what a column measures, so that a price is not
// summed, and the currency of an amount.
func (t *table) learn() {
	for _, e := range entries(t.Dictionary) {
		c := t.called(e.name)
		if c == nil {
			continue
		}
		if phrases := meanings(strings.ReplaceAll(e.meaning, " of ", " in ")); len(phrases) > 0 {
			// In "list price times quantity" the last word says what the column is.
			c.meaning = phrases[0][len(phrases[0])-1]
		}
		c.currency = orElse(currencyIn(e.meaning), c.currency)
	}
	for _, c := range t.columns {
		if c.currency == "" && c.Type != domain.ColumnText && !c.isDate() {
			c.currency = currencyIn(c.Description)
		}
	}
}

// currencyIn returns the currency that a sentence names for an amount, with a blank before it: "paid
// for the line in euros"; "" if there is none.
func currencyIn(text string) string {
	if code := columns.Currency(text); code != "" {
		return " " + code
	}
	return ""
}
