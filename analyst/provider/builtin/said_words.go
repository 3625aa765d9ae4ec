package builtin

import (
	"strings"

	"parley.dev/parley/domain/meaning"
)

// wordsFor returns the words that people have said for a table and its columns. Words of a document are read with the rest of it
// (dictionary.go).
func (t *table) wordsFor(m *meaning.Meaning) []meaning.Word {
	if m == nil {
		return nil
	}
	var out []meaning.Word
	for _, w := range m.Words {
		if w.Reason.State == meaning.Said && w.Source == t.SourceID && strings.EqualFold(w.Table, t.Bare()) {
			out = append(out, w)
		}
	}
	return out
}

// addSaid links the words that people have said like names of the schema. A word that is also another name keeps both readings.
func (ix *index) addSaid(t *table, quality float64) {
	for _, w := range t.said {
		l := link{table: t, quality: quality}
		if w.Column != "" {
			if l = (link{column: t.named(w.Column), quality: quality}); l.column == nil {
				continue // the correction is about a column of an earlier file
			}
		}
		ix.add(stems(splitName(w.Text)), l)
	}
}
