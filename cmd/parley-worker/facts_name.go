package main

// Names of columns and tables, as hints of what is worth a proof. A name alone never makes a fact.

import (
	"slices"
	"strings"

	"parley.dev/parley/internal/english"
)

// abbreviationLeast is how short an abbreviation of a noun may be, in letters.
const abbreviationLeast = 3

// keyWords end the names of keys, in English and in German.
func keyWords() []string {
	return append([]string{
		"id", "ids", "key", "code", "no", "nr", "num", "number", "nummer", "uuid", "guid", "kennung", "ref", "schlüssel",
	}, articleNumbers()...)
}

// articleNumbers are names of numbers that name the same thing in every table: a stock keeping unit, and numbers that a
// standard gives to goods, books, cars and accounts.
func articleNumbers() []string {
	return []string{"sku", "ean", "gtin", "upc", "isbn", "issn", "vin", "iban"}
}

// keyWord reports whether a word says by itself that a column names something.
func keyWord(word string) bool { return slices.Contains(keyWords(), word) }

// wordsOf splits a name at everything that is neither a letter nor a digit. Names in a prepared file are in lower case,
// so that customerId is one word; its end is split off if it is an id.
func wordsOf(name string) []string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == ' ' || r == '-' || r == '.' })
	if len(words) == 0 {
		return []string{strings.ToLower(name)}
	}
	last := words[len(words)-1]
	// A shorter beginning is no noun: paid, valid and grid are words of their own.
	if stem, ok := strings.CutSuffix(last, "id"); ok && len(stem) > abbreviationLeast && stem[len(stem)-1] != 'l' {
		words = append(words[:len(words)-1], stem, "id")
	}
	return words
}

// keyLike reports whether words name a key: order id, product code, id.
func keyLike(words []string) bool {
	return keyWord(words[len(words)-1]) || words[0] == "id" && len(words) <= 2
}

// stemOf returns the words without those that say that it is a key.
func stemOf(words []string) []string {
	if len(words) > 1 && keyWord(words[len(words)-1]) {
		return words[:len(words)-1]
	}
	if len(words) > 1 && words[0] == "id" {
		return words[1:]
	}
	return words
}

// periodNamed reports whether words name a period of time.
func periodNamed(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{
			"month", "monat", "quarter", "quartal", "year", "jahr", "week", "woche", "period", "periode", "date", "datum", "day", "tag",
		}, w)
	})
}

// placeNamed reports whether words name a place among others, such as the line of an order.
func placeNamed(words []string) bool {
	return slices.Contains([]string{
		"line", "pos", "position", "seq", "sequence", "index", "row", "rank", "zeile", "item", "step",
	}, words[len(words)-1])
}

// nounsOf returns what a row of a table may be called: the whole name in the singular, and its last word.
func nounsOf(table string) []string {
	words := strings.FieldsFunc(strings.ToLower(table), func(r rune) bool { return r == '_' || r == ' ' || r == '-' || r == '.' })
	if len(words) == 0 {
		return []string{strings.ToLower(table)}
	}
	last := english.Singular(words[len(words)-1])
	whole := strings.Join(append(slices.Clone(words[:len(words)-1]), last), "_")
	if whole == last {
		return []string{last}
	}
	return []string{whole, last}
}

// namesNoun reports whether words are one of the nouns, or an abbreviation of it.
func namesNoun(words, nouns []string) bool {
	return slices.ContainsFunc(nouns, func(noun string) bool { return sameNoun(strings.Join(words, "_"), noun) })
}

// sameNoun compares a name with a noun: equal, in the plural, or its first letters, at least three of them. The first
// letters of several words are another noun: an order is no order item.
func sameNoun(name, noun string) bool {
	abbreviated := len(name) >= abbreviationLeast && strings.HasPrefix(noun, name) && !strings.Contains(noun, "_")
	return name == noun || english.Singular(name) == noun || abbreviated
}

// endsInNoun reports whether the last words are one of the nouns: home team names a team, and the words before it a role.
func endsInNoun(words, nouns []string) bool {
	for first := range words {
		if namesNoun(words[first:], nouns) {
			return true
		}
	}
	return false
}

// generic reports whether a name by itself does not say what it names, such as id and name.
func generic(words []string) bool {
	return len(words) == 1 && (keyWord(words[0]) || slices.Contains([]string{
		"name", "date", "type", "title", "status", "value", "year", "month", "day", "week", "index", "row", "rank", "description", "datum", "typ",
		"wert", "jahr", "monat", "tag", "position", "line", "zeile",
	}, words[0]))
}

// sharedName reports whether equal names of columns in two tables are a sign of a link: order_id and sku are, id and name
// are not.
func sharedName(words []string) bool {
	return !generic(words) || slices.Contains(articleNumbers(), words[0])
}
