package builtin

import (
	"slices"
	"strings"
	"unicode"

	"parley.dev/parley/analyst/specialist/columns"
)

// spoken writes words of a column's name in the form for a sentence, with the capitals of its header.
// If they are the first words of the header, its signs stay as well: R&D cost, Kunden-Nr.
func (c *column) spoken(words []string) string {
	header := headerOf(c.Column)
	own, said, signs := c.table.manner.Words(header)
	begins := len(own) >= len(words) && slices.EqualFunc(words, own[:min(len(own), len(words))], func(w, o string) bool {
		return w == strings.ToLower(o)
	})
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			between := " "
			if begins {
				between = signs[i-1]
			}
			b.WriteString(between)
		}
		at := slices.IndexFunc(own, func(o string) bool { return strings.ToLower(o) == w })
		switch {
		case len(words) > 1 && written(w) != "":
			b.WriteString(written(w))
		case at < 0:
			b.WriteString(columns.Acronym(w))
		default:
			b.WriteString(said[at])
		}
	}
	if text := b.String(); strings.Count(text, "(") > strings.Count(text, ")") {
		return text + ")" // Total (net)
	}
	return b.String()
}

// written returns the full form of a word that names abbreviate; "" for other words.
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

// bareAlone reports whether a header has a remark in brackets that is not needed to distinguish it from
// another column. A word in brackets, as in Total (net), says which total it is, and is not a remark.
func (c *column) bareAlone() bool {
	_, inside, _ := strings.Cut(headerOf(c.Column), "(")
	return len(c.bare) > 0 && !strings.ContainsFunc(inside, unicode.IsLetter) && !slices.ContainsFunc(c.table.columns, func(o *column) bool {
		return o != c && (slices.Equal(o.bare, c.bare) || slices.Equal(o.words, c.bare))
	})
}

// flagged returns what a yes-or-no column says about its rows: remote for is_remote.
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
