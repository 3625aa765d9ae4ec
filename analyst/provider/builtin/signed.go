package builtin

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Some values of a column differ by their signs only: O+ and O-, C and C++. A question is read as words, which have no signs, so such a
// value is found in the text before it is split, and is kept whole. A question without the sign does not say which of them is meant.

// quoteSigned puts the values that differ from others of their column by signs only into quotes where a question has them.
func (p *planner) quoteSigned(text string) string {
	lower := strings.ToLower(text)
	for _, v := range p.views {
		for _, c := range v.base.columns {
			for _, value := range c.Values {
				if strings.ContainsFunc(value, isSign) && strings.Contains(lower, strings.ToLower(value)) &&
					!strings.ContainsAny(value, "\"'`“”‘’«»") && len(c.twins(value)) > 0 {
					text = quoteWhole(text, value)
				}
			}
		}
	}
	return text
}

// isSign reports whether a rune is neither a letter, nor a digit, nor a blank.
func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r) }

// twins returns the other values of a column that have the same words.
func (c *column) twins(value string) []string {
	if !c.isText() || !strings.ContainsFunc(strings.Join(c.Values, ""), isSign) {
		return nil
	}
	words := splitName(value)
	if len(words) == 0 {
		return nil
	}
	plain := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	var out []string
	for _, o := range c.Values {
		// What differs by case or by blanks is counted together.
		if !strings.EqualFold(plain(o), plain(value)) && slices.Equal(splitName(o), words) {
			out = append(out, o)
		}
	}
	return out
}

// quoteWhole puts quotes around a value where it is between blanks or the punctuation of a sentence.
func quoteWhole(text, value string) string {
	lower, want := strings.ToLower(text), strings.ToLower(value)
	if len(lower) != len(text) {
		return text // the positions in both would differ
	}
	var b strings.Builder
	for {
		i := strings.Index(lower, want)
		if i < 0 {
			return b.String() + text
		}
		end := i + len(want)
		before, _ := utf8.DecodeLastRuneInString(lower[:i])
		after, _ := utf8.DecodeRuneInString(lower[end:])
		begins := i == 0 || unicode.IsSpace(before) || before == '('
		if begins && (end == len(lower) || unicode.IsSpace(after) || strings.ContainsRune("?.,;:!)", after)) {
			b.WriteString(text[:i] + "“" + text[i:end] + "”")
		} else {
			b.WriteString(text[:end])
		}
		text, lower = text[end:], lower[end:]
	}
}

// asWritten keeps of the values with the words of a quoted text the one that is written exactly like it, if there is one.
func asWritten(links []link, text string) []link {
	var out []link
	for _, l := range links {
		if l.isValue && !l.part && strings.EqualFold(strings.TrimSpace(l.value), strings.TrimSpace(text)) {
			l.quality = max(l.quality, 0.95)
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return links
	}
	return out
}

// guardSigned refuses a value that was chosen although another one of its column has the same words.
func (p *parser) guardSigned() {
	for i := range p.atoms {
		a := &p.atoms[i]
		v := valueOf(a)
		if a.kind != atomLink || v == nil || v.part || v.piece || !p.form.filters(v.column) || strings.EqualFold(v.value, a.words) {
			continue
		}
		if others := v.column.twins(v.value); len(others) > 0 {
			p.form.ask(fmt.Sprintf("“%s” may be %s or %s in %s; please write it as it is there.", a.words, quoteAll([]string{v.value})[0],
				quoteAll(others)[0], quoteName(v.column)))
			return
		}
	}
}
