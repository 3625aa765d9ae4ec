package domain

import (
	"slices"
	"strings"
	"unicode"
)

// MaxTerms is the maximum number of terms of one text; later words are ignored.
const MaxTerms = 64

// Terms returns the words of a text that are used to compare questions: in lower case,
// without common words, without plural endings, each once, in the order in which they first
// appear. In scripts that are written without spaces, each character is a term.
func Terms(text string) []string {
	terms := []string{}
	add := func(term string) {
		if term != "" && !commonWord(term) && len(term) <= 64 && !slices.Contains(terms, term) && len(terms) < MaxTerms {
			terms = append(terms, term)
		}
	}
	var word strings.Builder
	end := func() {
		add(stemOf(word.String()))
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
			// An apostrophe is dropped, so that don't and customer's are one word each.
		default:
			end()
		}
	}
	end()
	return terms
}

// stemOf removes an English plural ending. The result need not be a correct word; it only
// has to be the same for similar questions.
func stemOf(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		return word[:len(word)-1]
	}
	return word
}

// commonWord reports whether a word says nothing about the subject of a question.
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
