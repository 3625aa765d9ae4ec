package builtin

import (
	"slices"
	"strings"
)

// nounsOf returns the stems of nouns for an action: failure and failures for fail, rejection for reject.
func nounsOf(verb string) []string {
	if len(verb) < 4 {
		return nil
	}
	var out []string
	for _, ending := range []string{"ure", "ion", "ation", "al", "lation"} {
		out = append(out, stem(verb+ending))
	}
	return out
}

// nounOfDoing reports whether a word has such an ending, or is its plural.
func nounOfDoing(w string) bool {
	w = strings.TrimSuffix(w, "s")
	return len(w) > 5 && (strings.HasSuffix(w, "ure") || strings.HasSuffix(w, "ion") || strings.HasSuffix(w, "al")) || len(w) > 3 &&
		strings.HasSuffix(w, "ing")
}

// past reports whether a word looks like a verb in the past: it says what happened, and seldom names a
// column.
func past(w string) bool {
	return len(w) > 4 && strings.HasSuffix(w, "ed") || isOne(w, "sold", "bought", "spent", "paid", "made", "hired", "left")
}

// stative reports whether such a word may still name a column: a column with that name, a yes-or-no
// column, or the amount for a verb of money.
func stative(c *column, w string) bool {
	return c.booleanLike() || slices.Contains(splitName(c.Name), w) || c.isNumber() && len(c.words) > 1 &&
		slices.Contains(c.words, stem(w)) && slices.Contains(c.titleWords(), stem(w)+"s") ||
		(c.isNumber() && isOne(w, "sold", "spent", "paid", "earned", "delayed"))
}

// unnegate splits unresolved into not and resolved, if only the latter is known.
func (ix *index) unnegate(ts []token) []token {
	var out []token
	for i, t := range ts {
		if rest, ok := strings.CutPrefix(t.norm, "un"); ok && t.kind == tokenWord && past(rest) && len(ix.find(ts[i:i+1])) == 0 {
			if positive := word(rest); len(ix.find([]token{positive})) > 0 {
				not := word("not")
				out = append(out, not, positive)
				continue
			}
		}
		out = append(out, t)
	}
	return out
}
