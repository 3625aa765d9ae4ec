package domain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutValue is the value that a prompt has in the place of a placeholder. The key is the
// folded name.
type cutValue struct{ key, value string }

// cutMessage reads the values that a prompt has in the places of a message's placeholders.
// The prompt must contain the texts between the placeholders in the same order, with any
// amount of white space; further lines may follow the last text. Each text is searched for
// only once, behind the one before it, so the time grows with the lengths of message and
// prompt and not with the number of possible cuts. Nothing is read if two placeholders have
// no text between them, because then it is unknown where one value ends.
func cutMessage(message, prompt string) []cutValue {
	places := placeholder.FindAllStringSubmatchIndex(message, -1)
	if len(places) == 0 {
		return nil
	}
	text := foldSpace(prompt)
	at := places[0][0]
	head := literalOf(message[:at], false, true)
	if !strings.HasPrefix(text.folded, head) {
		return nil
	}
	from := len(head) // where the next value begins
	cuts := make([]cutValue, 0, len(places))
	for i, place := range places {
		last := i == len(places)-1
		end := len(message)
		if !last {
			end = places[i+1][0]
		}
		next := literalOf(message[place[1]:end], true, !last)
		var to int
		switch {
		case last:
			to = text.closing(from, next)
		case next == "":
			return nil
		default:
			to = text.find(from, next)
		}
		if to < 0 {
			return nil
		}
		cuts = append(cuts, cutValue{key: foldInput(message[place[2]:place[3]]), value: text.original(from, to)})
		from = to + len(next)
	}
	return cuts
}

// literalOf returns the form of a text between placeholders that is searched for. A blank
// next to a placeholder is kept only if a letter or digit follows or precedes it: so "for"
// does not end a value in the middle of California, and a colon is found with or without a
// blank behind it.
func literalOf(text string, afterValue, beforeValue bool) string {
	words := strings.Join(strings.Fields(text), " ")
	if words == "" {
		return ""
	}
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	if begins, _ := utf8.DecodeRuneInString(words); afterValue && unicode.IsSpace(first) && isWord(begins) {
		words = " " + words
	}
	if ends, _ := utf8.DecodeLastRuneInString(words); beforeValue && unicode.IsSpace(last) && isWord(ends) {
		words += " "
	}
	return words
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// foldedText is a text in which each run of white space is replaced by one blank.
type foldedText struct {
	text, folded string
	// at holds the offset in text of each byte of folded, and of its end.
	at []int
}

func foldSpace(text string) foldedText {
	var b strings.Builder
	b.Grow(len(text))
	at := make([]int, 0, len(text)+1)
	blank := -1 // offset of the white space before the next character; -1 for none
	for i, r := range text {
		if unicode.IsSpace(r) {
			if blank < 0 {
				blank = i
			}
			continue
		}
		if blank >= 0 && b.Len() > 0 {
			b.WriteByte(' ')
			at = append(at, blank)
		}
		blank = -1
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		b.WriteString(text[i : i+size])
		for k := range size {
			at = append(at, i+k)
		}
	}
	end := len(text)
	if blank >= 0 {
		end = blank
	}
	return foldedText{text: text, folded: b.String(), at: append(at, end)}
}

// original returns the part of the text between two offsets in folded.
func (t *foldedText) original(from, to int) string {
	return strings.TrimSpace(t.text[t.at[from]:t.at[to]])
}

// find returns where literal begins next, at least one byte after from; -1 if it is not found.
func (t *foldedText) find(from int, literal string) int {
	if from >= len(t.folded) {
		return -1
	}
	if i := strings.Index(t.folded[from+1:], literal); i >= 0 {
		return from + 1 + i
	}
	return -1
}

// closing returns where the last value ends: before the first literal at the end of a line.
func (t *foldedText) closing(from int, literal string) int {
	for to := t.find(from, literal); to >= 0; to = t.find(to, literal) {
		if t.endsLine(to + len(literal)) {
			return to
		}
	}
	return -1
}

// endsLine reports whether only white space is between an offset and the end of its line.
func (t *foldedText) endsLine(place int) bool {
	for _, r := range t.text[t.at[place]:] {
		if r == '\n' {
			return true
		}
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}
