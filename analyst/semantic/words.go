package semantic

import (
	"embed"
	"strings"
	"sync"

	"parley.dev/parley/internal/english"
)

//go:embed words
var wordFiles embed.FS

// lexicon are the lists of words of all languages. A name can mix languages, so they are one.
type lexicon struct {
	lists map[string]map[string]bool
	// same are groups of words with one meaning, and short the words that abbreviations stand for.
	same  [][]string
	short map[string]string
}

// words returns the lexicon, which is read once.
//
//nolint:gochecknoglobals // a constant list, too long for a literal
var words = sync.OnceValue(func() *lexicon {
	out := &lexicon{lists: map[string]map[string]bool{}, short: map[string]string{}}
	for _, name := range []string{"words/en.txt", "words/de.txt", "words/fr.txt"} {
		out.read(wordFile(name))
	}
	for line := range strings.Lines(wordFile("words/short.txt")) {
		if short, long, ok := strings.Cut(strings.TrimSpace(line), " "); ok && !strings.HasPrefix(line, "#") {
			out.short[short] = long
		}
	}
	return out
})

// wordFile returns an embedded file.
func wordFile(name string) string {
	text, err := wordFiles.ReadFile(name)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return string(text)
}

// read adds the lists of a file.
func (l *lexicon) read(text string) {
	var list string
	for line := range strings.Lines(text) {
		rest := strings.TrimSpace(line)
		if rest == "" || strings.HasPrefix(rest, "#") {
			continue
		}
		if name, after, ok := strings.Cut(rest, ":"); ok {
			list, rest = name, after
			if list == "same" {
				l.same = append(l.same, nil)
			}
		}
		if l.lists[list] == nil {
			l.lists[list] = map[string]bool{}
		}
		for _, w := range strings.Fields(rest) {
			if list == "same" {
				l.same[len(l.same)-1] = append(l.same[len(l.same)-1], w)
			}
			l.lists[list][w] = true
		}
	}
}

// in reports whether a word, or its singular, is in a list.
func in(word, list string) bool {
	l := words().lists[list]
	return l[word] || l[english.Singular(word)]
}

// anyIn reports whether one of the words is in a list.
func anyIn(all []string, list string) bool {
	for _, w := range all {
		if in(w, list) {
			return true
		}
	}
	return false
}
