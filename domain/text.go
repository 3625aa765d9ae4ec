package domain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// characterBytes is the maximum average size of a text's characters in bytes. One letter may
// have any number of marks, so a limit of characters alone would not limit the size. The
// longest emoji has 41 bytes.
const characterBytes = 48

// Length counts what a person sees as characters (grapheme clusters), which is
// how every text limit of the specification is counted. Text of characters that
// are made of unusually many bytes counts by its bytes.
func Length(s string) int {
	return max(uniseg.GraphemeClusterCount(s), (len(s)+characterBytes-1)/characterBytes)
}

// Shorten cuts s to at most limit characters, as Length counts them, never inside
// a character.
func Shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	g := uniseg.NewGraphemes(s)
	end := 0
	if limit <= 0 {
		return ""
	}
	for n := 0; n < limit && g.Next(); n++ {
		_, to := g.Positions()
		if to > limit*characterBytes {
			break
		}
		end = to
	}
	if end == 0 {
		// Not even the first character fits: keep as many of its marks as fit.
		end = min(len(s), limit*characterBytes)
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
	}
	return s[:end]
}

// leads reports whether a word needs a next one, in the languages of the pages: a name that
// ends with such a word looks incomplete.
func leads(word string) bool {
	const words = " a an and at by for from in is of on or per the to with " +
		"am bei das dem den der die ein eine für im mit nach oder pro und von vor zu zum zur "
	return strings.Contains(words, " "+strings.ToLower(word)+" ")
}

// ShortenAtWord cuts s to at most limit characters after a whole word, and removes words at
// the end that need a next one. If the first word is longer, it is cut as by Shorten.
func ShortenAtWord(s string, limit int) string {
	s = strings.TrimSpace(s)
	cut := Shorten(s, limit)
	if cut == s {
		return s
	}
	words := strings.Fields(cut)
	if next, _ := utf8.DecodeRuneInString(s[len(cut):]); !unicode.IsSpace(next) && !endsInSpace(cut) {
		// The cut is within a word.
		words = words[:max(len(words)-1, 0)]
	}
	for len(words) > 1 && leads(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return strings.TrimSpace(cut)
	}
	return strings.TrimRight(strings.Join(words, " "), ",;:–-")
}

func endsInSpace(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsSpace(last)
}

// Blank reports whether s has no visible characters: only spaces and invisible characters
// such as a zero-width space, a control character, a variation selector, a Hangul filler or
// a Braille blank.
func Blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return r != '\u2800' && !unicode.IsSpace(r) &&
			!unicode.In(r, unicode.Cf, unicode.Cc, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
	}) < 0
}

// Storable reports whether the store can hold s: valid UTF-8 without NUL.
func Storable(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// Clean makes text from a model or a query storable: NUL and invalid UTF-8 become the
// replacement character, so that one bad byte does not make an answer unusable.
func Clean(s string) string {
	if Storable(s) {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
