package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

// nthWords returns the places of a ranking, as words.
func nthWords() []string {
	return []string{"second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
}

// placeOf reads second and 3rd as a place of a ranking; 0 for anything else.
func placeOf(norm string) int {
	if i := slices.Index(nthWords(), norm); i >= 0 {
		return i + 2
	}
	var n int
	var suffix string
	if _, err := fmt.Sscanf(norm, "%d%s", &n, &suffix); err == nil && n >= 2 && n <= 100 && isOne(suffix, "nd", "rd", "th") {
		return n
	}
	return 0
}

// placeText writes a place as a word: second, 12th.
func placeText(n int) string {
	words := nthWords()
	if n-2 < len(words) {
		return words[n-2]
	}
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		suffix = map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10]
		if suffix == "" {
			suffix = "th"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}

// takeNth removes the place before a superlative from a question and returns it: the second best region
// is read like the best one, and the place is counted afterwards.
func takeNth(lang *language, ts []token) ([]token, int) {
	for i := 0; i+1 < len(ts); i++ {
		n := placeOf(ts[i].norm)
		if n == 0 {
			continue
		}
		phrase := ""
		for k := i + 1; k < len(ts) && k <= i+3; k++ {
			if phrase += ts[k].norm; lang.keywords[phrase].kind == atomSuper || lang.keywords[phrase].kind == atomTop &&
				lang.keywords[phrase].hint == "" {
				return slices.Delete(slices.Clone(ts), i, i+1), n
			}
			phrase += " "
		}
	}
	return ts, 0
}

// placeNth keeps only the place of a ranking that was asked for.
func (p *parser) placeNth() {
	f := p.form
	if p.nth == 0 {
		return
	}
	f.explained++
	if f.mode == modeGroups && len(f.dims) == 0 && len(f.measures) == 1 {
		// The second highest price belongs to a row.
		if m := f.measures[0]; m.col != nil && m.over == nil && m.per == nil && (m.agg == aggMin || m.agg == aggMax) {
			f.mode, f.orderCol, f.desc, f.measures = modeRows, m.col, m.agg == aggMax, nil
			f.columns = p.showcase(m.col)
		}
	}
	switch {
	case f.mode == modeRows && f.orderCol != nil && f.latestOf == nil:
	case f.mode == modeGroups && len(f.dims) > 0 && f.within == nil && !f.growth && !f.running && f.shareOf == nil && f.moving == nil:
		f.orderDim = false
	default:
		f.block("I could not tell which ranking that place belongs to.")
		return
	}
	f.nth, f.limit, f.single, f.ordered = p.nth, 1, true, true
	f.note(placesNote)
}

// placed says what is at a place of a ranking.
func (t *teller) placed(at int) narration {
	f := t.form
	word := map[bool]string{true: "highest", false: "lowest"}[f.desc]
	what, value := "", ""
	if f.mode == modeRows {
		if f.orderCol.isDate() {
			word = map[bool]string{true: "latest", false: "earliest"}[f.desc]
		}
		what, value = f.orderCol.saidTitle(), safe(dateText(specialist.Text(t.cell(0, at))))
		if v, ok := specialist.Number(t.cell(0, at)); ok && !f.orderCol.isYear() {
			value = marked(0, at, quantity(v, f.orderCol))
		}
	} else {
		what = f.measures[0].said(f)
		if v, ok := specialist.Number(t.cell(0, at)); ok {
			value = marked(0, at, t.figure(v, 0))
		}
	}
	name := "That row"
	if at > 0 {
		name = "**" + safe(specialist.Text(t.cell(0, 0))) + "**"
		if f.mode == modeGroups {
			name = "**" + t.label(0) + "**"
		}
	}
	text := fmt.Sprintf("%s has the %s %s %s%s: **%s**.", name, placeText(f.nth), word, what, t.scope(), value)
	return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
}
