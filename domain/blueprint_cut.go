package domain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutValue is what a prompt has in the place of one placeholder, by its folded name.
type cutValue struct{ key, value string }

// cutMessage reads the values that a prompt has where a message has placeholders. The
// texts between the placeholders must stand in the prompt in their order, with any white
// space for theirs; lines of its own may stand after the last. Each is searched for once,
// behind the one before it, so the time grows with the length of both and not with the
// number of ways to cut. Nothing is read if two placeholders have no text between them,
// because then it is not known where one value ends.
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

// literalOf is a text between placeholders as it is searched for. A blank beside a
// placeholder counts only next to a letter or digit: so "for" does not end a value in
// the middle of California, and a colon is found with a blank behind it or without.
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

// foldedText is a text whose runs of white space are one blank each.
type foldedText struct {
	text, folded string
	// at has the place in text of each byte of folded, and one for its end.
	at []int
}

func foldSpace(text string) foldedText {
	var b strings.Builder
	b.Grow(len(text))
	at := make([]int, 0, len(text)+1)
	blank := -1 // where the white space begins that was read last
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

// original is what stands in the text between two places of folded.
func (t *foldedText) original(from, to int) string {
	return strings.TrimSpace(t.text[t.at[from]:t.at[to]])
}

// find gives where literal begins next, with at least one character before it; -1 for nowhere.
func (t *foldedText) find(from int, literal string) int {
	if from >= len(t.folded) {
		return -1
	}
	if i := strings.Index(t.folded[from+1:], literal); i >= 0 {
		return from + 1 + i
	}
	return -1
}

// closing gives where the last value ends: before the first literal with which a line ends.
func (t *foldedText) closing(from int, literal string) int {
	for to := t.find(from, literal); to >= 0; to = t.find(to, literal) {
		if t.endsLine(to + len(literal)) {
			return to
		}
	}
	return -1
}

// endsLine tells whether nothing but white space stands between a place and the end of its line.
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
