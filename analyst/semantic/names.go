package semantic

import (
	"slices"
	"strings"
	"unicode"

	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/english"
)

// abbreviationLeast is how short an abbreviation of a noun may be, in letters.
const abbreviationLeast = 3

// wordsOf splits a name into words in lower case, with its abbreviations written out. Names in a prepared file are in lower
// case, so that customerid is one word; its end is split off if it is an id.
func wordsOf(name string) []string {
	out := columns.Split(name)
	for i, w := range out {
		out[i] = strings.ToLower(w)
	}
	if len(out) == 0 {
		return []string{strings.ToLower(name)}
	}
	last := out[len(out)-1]
	// A shorter beginning is no noun: paid, valid and grid are words of their own.
	if stem, ok := strings.CutSuffix(last, "id"); ok && len(stem) > abbreviationLeast && stem[len(stem)-1] != 'l' {
		out = append(out[:len(out)-1], stem, "id")
	}
	for i, w := range out {
		if long := words().short[w]; long != "" {
			out[i] = long
		}
	}
	return out
}

// columnWords are the words of a column: of its header if that splits the name into more words, such as HomeTeam for hometeam.
func columnWords(c *domain.Column) []string {
	name := columns.Split(c.Name)
	header, _ := columns.Header(c)
	shown := columns.Split(header)
	if len(shown) > len(name) && strings.EqualFold(strings.Join(shown, ""), strings.Join(name, "")) && !slices.ContainsFunc(shown,
		func(w string) bool {
			return len(w) < 2
		}) {
		return wordsOf(strings.Join(shown, " "))
	}
	return wordsOf(c.Name)
}

// tableWords are the words of the name of a table, without numbers such as a year.
func tableWords(name string) []string {
	if _, bare, ok := strings.Cut(name, "."); ok {
		name = bare
	}
	all := wordsOf(name)
	out := slices.DeleteFunc(slices.Clone(all), func(w string) bool {
		return !strings.ContainsFunc(w, unicode.IsLetter)
	})
	if len(out) == 0 {
		return all
	}
	return out
}

// nounOf is what a table's rows may be called by its name: order item for order_items.
func nounOf(table string) string {
	all := tableWords(table)
	all[len(all)-1] = english.Singular(all[len(all)-1])
	return strings.Join(all, " ")
}

// stemOf returns the words of a column without those that say that it is a key: customer for customer_id.
func stemOf(all []string) []string {
	switch {
	case len(all) > 1 && (in(all[len(all)-1], "keys") || in(all[len(all)-1], "codes")):
		return all[:len(all)-1]
	case len(all) > 1 && all[0] == "id":
		return all[1:]
	}
	return all
}

// keyNamed reports whether words name a key: order id, product code, id.
func keyNamed(all []string) bool {
	return in(all[len(all)-1], "keys") || all[0] == "id" && len(all) <= 2
}

// verbStem reduces the form of an English verb: shipped, shipping and ship are one.
func verbStem(word string) string {
	switch word {
	case "sold":
		return "sell"
	case "bought":
		return "buy"
	case "paid":
		return "pay"
	case "left":
		return "leave"
	case "sent":
		return "send"
	case "made":
		return "make"
	case "begun", "began":
		return "begin"
	}
	deeds := words().lists["deeds"]
	for _, ending := range []string{"", "ed", "ing", "d", "s", "al", "ment", "e"} {
		stem, ok := strings.CutSuffix(word, ending)
		if !ok || len(stem) < abbreviationLeast {
			continue
		}
		for _, form := range []string{stem, stem + "e", undoubled(stem), strings.TrimSuffix(stem, "i") + "y"} {
			if deeds[form] {
				return form
			}
		}
	}
	return ""
}

// undoubled reverts what an ending does: shipp(ed) is ship, and cancell(ed) cancel.
func undoubled(stem string) string {
	if n := len(stem); n > abbreviationLeast && stem[n-1] == stem[n-2] {
		return stem[:n-1]
	}
	return stem
}

// listed joins names for a sentence: a, b and c.
func listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
