package builtin

import (
	"slices"
	"strings"
)

// Words that are not written like any name or value are read as a similar one: with a typing error,
// with the same beginning, or with a code.

// start indexes a phrase of several words by each of its words.
func (ix *index) start(key string, value bool) {
	if words := strings.Fields(key); len(words) > 1 && len(words) <= 4 {
		for _, w := range words {
			ix.starts[w] = append(ix.starts[w], phrase{key, value})
		}
	}
}

// bySharedBeginning finds the meaning of a word by the beginning that it shares with a name: readmission and readmitted,
// cancellation and cancelled. Of the columns, only dates and yes-or-no columns are found like this. It also finds codes, and nouns
// that contain the table's name.
func (ix *index) bySharedBeginning(t token) []link {
	var codes []link
	for _, w := range ix.view.base.words {
		if len(w) >= 7 && shareBeginning(w, t.stem) {
			return []link{{table: ix.view.base, quality: 0.7, typed: t.text}}
		}
	}
	for _, c := range ix.view.columns() {
		if !c.booleanLike() && !c.isDate() {
			continue
		}
		for _, w := range c.words {
			if shareBeginning(w, t.stem) {
				return []link{{column: c, quality: 0.7, typed: t.text}}
			}
		}
	}
	for _, c := range ix.view.base.columns {
		if !c.isText() || c.Distinct > 12 || c.keyLike() {
			continue
		}
		for _, v := range c.Values {
			if w := plainLetters(strings.ToLower(v)); len(t.stem) >= 6 && !strings.Contains(w, " ") && shareBeginning(w, t.stem) {
				return []link{{column: c, value: v, isValue: true, quality: 0.7, typed: t.text}}
			}
		}
	}
	for _, c := range ix.view.base.columns {
		// Boston is BOS, in columns of airport or station codes.
		if !c.isText() || !slices.ContainsFunc(c.words, func(w string) bool {
			return isOne(w, "origin", "orig", "dest", "destination", "airport", "from", "to", "station", "iata", "departur", "arrival")
		}) {
			continue
		}
		for _, v := range c.Values {
			if len(v) == 3 && v == strings.ToUpper(v) && len(t.norm) > 4 && strings.HasPrefix(t.norm, strings.ToLower(v)) {
				for _, l := range ix.values[strings.ToLower(v)] {
					if l.isValue && l.value == v {
						l.quality, l.typed = 0.7, t.text
						codes = append(codes, l)
					}
				}
				return codes
			}
		}
	}
	for _, w := range ix.view.base.words {
		if len(w) >= 4 && len(t.stem) > len(w) && strings.Contains(t.stem, w) {
			return []link{{table: ix.view.base, quality: 0.6, typed: t.text}}
		}
	}
	return nil
}

// shareBeginning reports whether a word of a name and a word of a question have the same beginning, such as delivery and delivered.
func shareBeginning(name, asked string) bool {
	n := 0
	for n < len(name) && n < len(asked) && name[n] == asked[n] {
		n++
	}
	return n >= 5 && n >= len(name)-3 && len(asked)-n <= 6
}

// guessPhrase reads several words as a name or value with the same number of words, if one or more of
// them differ by a typing error and the rest are equal.
func (ix *index) guessPhrase(ts []token, lang *language) []link {
	if slices.ContainsFunc(ts, func(t token) bool { return t.kind != tokenWord || past(t.norm) }) || len(ix.find(ts)) > 0 {
		return nil
	}
	for _, t := range ts {
		for _, p := range append(slices.Clone(ix.starts[t.norm]), ix.starts[t.stem]...) {
			if !p.nearly(ts, lang) {
				continue
			}
			in := ix.phrases
			if p.value {
				in = ix.values
			}
			out := slices.Clone(in[p.key])
			for i := range out {
				out[i].quality *= 0.9
				out[i].typed = joinedText(ts)
			}
			return out
		}
	}
	return nil
}

// phrase is a name or value of several words.
type phrase struct {
	key   string
	value bool
}

// nearly reports whether words are equal to the phrase except for typing errors, of which there is at
// least one.
func (p phrase) nearly(ts []token, lang *language) bool {
	words := strings.Fields(p.key)
	if len(words) != len(ts) {
		return false
	}
	typed := 0
	for i, w := range words {
		asked, limit := ts[i].stem, 1
		if p.value {
			asked = ts[i].norm
		}
		if len(w) >= 8 {
			limit = 2
		}
		switch {
		case asked == w:
		case len(asked) >= 4 && len(w) >= 4 && near(asked, w, limit) && !lang.stop[ts[i].norm] && !lang.known[ts[i].norm] &&
			lang.keywords[ts[i].norm].kind == atomUnknown:
			typed++
		default:
			return false
		}
	}
	return typed > 0 && typed < len(words)
}

func joinedText(ts []token) string {
	words := make([]string, len(ts))
	for i, t := range ts {
		words[i] = t.text
	}
	return strings.Join(words, " ")
}

// guess reads an unknown word as a known one that differs by a typing error.
func (ix *index) guess(t token) []link {
	if t.kind != tokenWord || len(t.stem) < 4 || !ascii(t.stem) {
		return nil
	}
	limit := 1
	switch {
	case (len(t.norm) < 5 || ix.known[t.norm]) && !past(t.norm):
		limit = 0 // an English word is not a typing error, and so short a word is similar to too many
	case len(t.stem) >= 8:
		limit = 2
	}
	least, at := limit+1, ""
	for _, w := range ix.words {
		if len(t.norm) < 5 && len(ix.phrases[w]) == 0 || len(t.norm) < 6 && len(ix.values[w]) > 0 {
			continue // so short a word is easily similar to some value
		}
		if noise(w) && !slices.ContainsFunc(ix.phrases[w], func(l link) bool { return l.quality >= 0.99 }) {
			continue // "the number of a thing" is not its name
		}
		if w == t.stem || near(t.stem, w, limit) {
			if d := distance(t.stem, w); d < least {
				least, at = d, w
			}
		}
	}
	if at == "" && t.norm != t.stem {
		// Values are compared as they are written, with their endings.
		for _, w := range ix.words {
			if len(ix.values[w]) > 0 && near(t.norm, w, limit) {
				at = w
				break
			}
		}
	}
	if at == "" {
		return ix.bySharedBeginning(t)
	}
	out := append(slices.Clone(ix.phrases[at]), ix.values[at]...)
	best(out)
	for i := range out {
		out[i].quality *= 0.8
		out[i].typed = t.text
	}
	return out
}
