package semantic

// The words that a question can have and that no name of a column says: verbs, and what people call tables and columns.

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain/meaning"
)

const (
	// verbsMax is the maximum number of verbs of a table in a prompt, and wordsMax that of the other words of a table or a column.
	verbsMax, wordsMax = 8, 8
)

// aboutVerbs says what the verbs of a table mean, those that people said first, and those with one meaning together; empty if there are
// none. Shared verbs are left out, since the model would read one of several meanings as the only one.
func aboutVerbs(t *meaning.Table) string {
	type group struct {
		means string
		words []string
	}
	var groups []group
	told, more := 0, 0
	for i := range t.Verbs {
		v := &t.Verbs[i]
		if v.Shared || beginsAtDefault(t, v) {
			continue
		}
		if told == verbsMax {
			more++
			continue
		}
		told++
		means, word := verbMeans(t, v), `"`+v.Word+`"`
		if at := slices.IndexFunc(groups, func(g group) bool { return g.means == means }); at >= 0 {
			groups[at].words = append(groups[at].words, word)
		} else {
			groups = append(groups, group{means, []string{word}})
		}
	}
	parts := make([]string, 0, len(groups))
	for _, g := range groups {
		verb := "mean"
		if len(g.words) == 1 {
			verb = "means"
		}
		parts = append(parts, fmt.Sprintf("%s %s %s", strings.Join(g.words, ", "), verb, g.means))
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

// beginsAtDefault reports whether a verb only says that a row begins at its default time, which the line of that time says.
func beginsAtDefault(t *meaning.Table, v *meaning.Verb) bool {
	return v.Reason.State != meaning.Said && v.Column == "" && v.Time == t.Time && slices.Contains(classOf("begins"), v.Word)
}

// verbMeans is the condition or the time of a verb. The default time is not named.
func verbMeans(t *meaning.Table, v *meaning.Verb) string {
	if v.Column == "" {
		return v.Time
	}
	means := v.Column
	if v.Value != "" {
		means += " = " + v.Value
	}
	if v.Time != "" && v.Time != t.Time {
		means += " by " + v.Time
	}
	return means
}

// SaidWords are the other words that people said for a table and for its columns, each once, by the name of the column, which is empty
// for the table. Words of descriptions and dictionaries are not among them: a prompt has them where they were written.
func SaidWords(m *meaning.Meaning, t *meaning.Table) map[string][]string {
	out := make(map[string][]string)
	for i := range m.Words {
		w := &m.Words[i]
		if w.Reason.State == meaning.Said && w.Source == t.Source && w.Table == t.Name && w.Value == "" &&
			!slices.Contains(out[w.Column], w.Text) {
			out[w.Column] = append(out[w.Column], w.Text)
		}
	}
	return out
}

// aboutWords lists what people call something; empty if they said nothing.
func aboutWords(said []string) string {
	if len(said) == 0 {
		return ""
	}
	return "words: " + strings.Join(said[:min(len(said), wordsMax)], ", ") + andMore(len(said)-wordsMax)
}

// andMore says how many of a list were left out.
func andMore(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}
