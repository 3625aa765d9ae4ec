package domain

import (
	"slices"
	"strings"
	"unicode"
)

// MaxTerms is the most terms that one text has; what comes after them does not
// make two texts more alike.
const MaxTerms = 64

// Terms gives the words of a text by which questions are compared: in small
// letters, without those that every question has, without a plural's ending,
// each once, in order of their first place. Of scripts that write without
// spaces each character is a term.
func Terms(text string) []string {
	terms := []string{}
	add := func(term string) {
		if term != "" && !commonWord(term) && len(term) <= 64 && !slices.Contains(terms, term) && len(terms) < MaxTerms {
			terms = append(terms, term)
		}
	}
	var word strings.Builder
	end := func() {
		add(singular(word.String()))
		word.Reset()
	}
	for _, r := range strings.ToLower(Clean(text)) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			end()
			add(string(r))
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mn, r):
			word.WriteRune(r)
		case r == '\'' || r == '’':
			// don't and customer's stay one word.
		default:
			end()
		}
	}
	end()
	return terms
}

// singular takes an English plural's ending away. It need not be right, only
// the same for a question and the one that is like it.
func singular(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		return word[:len(word)-1]
	}
	return word
}

// commonWord tells the words that say nothing of what a question is about.
func commonWord(term string) bool {
	switch term {
	case "a", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could", "did", "do", "doe", "does", "each", "for", "from",
		"get", "give", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "let", "many", "me", "much", "my", "of", "on",
		"or", "our", "per", "please", "show", "so", "tell", "than", "that", "the", "their", "them", "then", "there", "these", "they", "thi",
		"this", "those", "to", "u", "us", "wa", "was", "we", "were", "what", "when", "where", "which", "who", "whose", "why", "will", "with",
		"would", "you", "your":
		return true
	}
	return false
}
