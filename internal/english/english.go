// Package english makes the forms of English nouns that names of tables and columns need: the singular, the plural and the
// article; and it writes figures. Of nouns it knows endings and a few irregular words, and no dictionary, so a rare word may
// come out wrong.
package english

import "strings"

// shortest is the length from which a last s is an ending: gas and bus are whole words.
const shortest = 4

// irregular are the nouns whose plural is no ending, by their singular.
func irregular(singular string) string {
	switch singular {
	case "person":
		return "people"
	case "child":
		return "children"
	case "man":
		return "men"
	case "woman":
		return "women"
	case "species", "series":
		return singular
	}
	return ""
}

// Singular takes the plural off a noun. Of several words, separated by blanks or underscores, it changes the last one.
func Singular(noun string) string {
	head, word := last(noun)
	for _, one := range []string{"person", "child", "man", "woman", "species", "series"} {
		if word == irregular(one) {
			return head + one
		}
	}
	ends := func(endings ...string) bool {
		for _, e := range endings {
			if strings.HasSuffix(word, e) {
				return true
			}
		}
		return false
	}
	switch {
	case word == "movies", word == "cookies", word == "calories":
		word = strings.TrimSuffix(word, "s")
	case ends("ies") && len(word) > shortest:
		word = strings.TrimSuffix(word, "ies") + "y"
	case ends("sses", "xes", "ches", "shes", "tuses", "nuses", "puses", "ruses"):
		word = strings.TrimSuffix(word, "es")
	case ends("us", "is", "ss"):
	case ends("s") && len(word) >= shortest:
		word = strings.TrimSuffix(word, "s")
	}
	return head + word
}

// Plural makes the plural of a noun in the singular. Of several words it changes the last one.
func Plural(noun string) string {
	head, word := last(noun)
	if many := irregular(word); many != "" {
		return head + many
	}
	switch {
	case strings.HasSuffix(word, "y") && len(word) > 1 && !strings.ContainsRune("aeiou", rune(word[len(word)-2])):
		return head + strings.TrimSuffix(word, "y") + "ies"
	case strings.HasSuffix(word, "s"), strings.HasSuffix(word, "x"), strings.HasSuffix(word, "ch"), strings.HasSuffix(word, "sh"):
		return head + word + "es"
	}
	return head + word + "s"
}

// Article puts a or an before a noun, by its sound as far as its letters tell it.
func Article(noun string) string {
	lower := strings.ToLower(noun)
	begins := func(list ...string) bool {
		for _, b := range list {
			if strings.HasPrefix(lower, b) {
				return true
			}
		}
		return false
	}
	// These begin with a vowel and sound like you or won.
	consonant := begins("eu", "one", "once", "unit", "union", "unique", "univers", "use", "usage", "usual", "util")
	if begins("a", "e", "i", "o", "u") && !consonant || begins("hour", "honest", "heir") {
		return "an " + noun
	}
	return "a " + noun
}

// last cuts the last word off a noun of several words.
func last(noun string) (head, word string) {
	at := strings.LastIndexAny(noun, " _") + 1
	return noun[:at], noun[at:]
}
