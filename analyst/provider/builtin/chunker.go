package builtin

import (
	"slices"
	"strings"
)

// atom is a stretch of the question and the meaning it was read with.
type atom struct {
	kind  atomKind
	text  string // of a keyword: its sense; otherwise the words
	hint  string
	words string // as written
	links []link
	num   float64
	span  span
	recur recurring
	size  int    // tokens
	typed string // the keyword that a misspelled word was read as
	score float64
}

// language is what the chunker knows of English. It is built once.
type language struct {
	keywords map[string]keyword
	stop     map[string]bool
	lexicon  map[string][]string
	same     [][]string
	known    map[string]bool // words of English that are not typing errors
	// spelled are the keywords of one word that a misspelled word is compared with.
	spelled   []string
	inquiries *inquiries
	tests     *testWords
}

func newLanguage() *language {
	l := &language{
		keywords: keywords(), stop: stopWords(), lexicon: lexicon(), same: sameValues(), inquiries: newInquiries(), tests: newTestWords(),
	}
	for w, k := range l.keywords {
		if len(w) >= 5 && ascii(w) && !strings.Contains(w, " ") &&
			slices.Contains([]atomKind{
				atomAgg, atomSuper, atomGrain, atomShare, atomTrend, atomGrowth, atomCompare, atomBetween, atomDistinct,
				atomNot, atomRunning,
			}, k.kind) {
			l.spelled = append(l.spelled, w)
		}
	}
	slices.Sort(l.spelled)
	l.known = make(map[string]bool)
	for phrase := range l.keywords {
		for _, w := range strings.Fields(phrase) {
			l.known[w] = true
		}
	}
	for _, group := range synonyms() {
		for _, w := range group {
			l.known[w], l.known[w+"s"] = true, true
		}
	}
	for _, w := range strings.Fields("older younger newer later earlier faster slower longer shorter higher lower bigger smaller gold good " +
		"goods cheap dear fast slow order orders other others where there their these those than then ones once twice late early") {
		l.known[w] = true
	}
	return l
}

// misspelled returns the keyword that a word differs from by a typing error, or "" if there is none.
func (l *language) misspelled(t token) string {
	if t.kind != tokenWord || len(t.norm) < 5 || !ascii(t.norm) {
		return ""
	}
	limit := 1
	if len(t.norm) >= 8 {
		limit = 2
	}
	if superlative(t.norm) {
		return "" // the snowiest day is not the slowest one
	}
	for _, w := range l.spelled {
		if near(t.norm, w, limit) {
			return w
		}
	}
	return ""
}

// superlative reports whether a word is the superlative of a common adjective that no keyword has: it is not a typing error of another.
func superlative(w string) bool {
	base, ok := strings.CutSuffix(w, "est")
	if !ok {
		return false
	}
	return isOne(base, "snowi", "cleani", "clean", "green", "smart", "tight", "bright", "steep", "sweet", "loud", "deep", "dark", "hard",
		"rich",
		"wid", "thinn", "thick", "soft", "near", "fresh", "strict", "dens", "hungri", "happi", "saf", "noisi", "stormi", "foggi",
		"cloudi", "dirti", "healthi", "wealthi", "fatt", "slimm", "flatt", "broad", "narrow", "shallow", "rough", "smooth", "sharp", "blunt",
		"calm", "mild", "bold", "proud", "friendli", "tasti", "spici", "juici", "funni", "scari", "easi", "simpl", "tough",
		"gentl", "kind", "clos", "farth", "furth", "pretti", "nic", "fin", "chilli", "stiff", "lean", "plain", "clear")
}

// inUnits returns the only number of the table that is in a unit of time, such as labour_hours; nil if there is none, or several.
func (ix *index) inUnits(unit string) *column {
	if !isOne(unit, "hours", "minutes", "days", "weeks") {
		return nil
	}
	var found *column
	for _, c := range ix.view.base.columns {
		if !c.isNumber() || c.isPart() || c.keyLike() || c.made != nil || !slices.Contains(c.words, stem(unit)) {
			continue
		}
		if found != nil {
			return nil
		}
		found = c
	}
	return found
}

// chunk covers the tokens with atoms so that as much as possible is explained: a longer phrase scores
// higher than its parts, and a name of the schema higher than a common word.
func (l *language) chunk(ts []token, ix *index) []atom {
	n := len(ts)
	best := make([]float64, n+1)
	choice := make([]atom, n)
	for i := n - 1; i >= 0; i-- {
		best[i] = -1
		for _, a := range l.atomsAt(ts, i, ix) {
			if total := a.score + best[i+a.size]; total > best[i] {
				best[i], choice[i] = total, a
			}
		}
	}
	var out []atom
	for i := 0; i < n; i += choice[i].size {
		a := choice[i]
		words := make([]string, 0, a.size)
		for _, t := range ts[i : i+a.size] {
			words = append(words, t.text)
		}
		a.words = strings.Join(words, " ")
		out = append(out, a)
	}
	return out
}

// atomsAt lists the readings that begin at a token.
func (l *language) atomsAt(ts []token, i int, ix *index) []atom {
	rest := ts[i:]
	before := "" // the word before
	if i > 0 {
		before = ts[i-1].norm
	}
	out := []atom{l.plainAtom(rest[0])}
	if s, n := readSpan(rest); n > 0 && (monthOf(rest[0].norm) == 0 || len(ix.view.base.months()) == 0) {
		score := 1.3 * float64(n)
		if n == 1 && isYearToken(rest[0]) && i > 0 && ((ts[i-1].kind == tokenSymbol && ts[i-1].norm != ",") ||
			isOne(ts[i-1].norm, "than", "over", "under", "above", "below", "top", "least", "most")) {
			score = 0 // "more than 2000" is not a year
		}
		if n == 1 && rest[0].norm == "may" {
			score = 0.9
		}
		if short := readsHalf(rest[0].norm) || quarterOf(rest[0].norm) > 0; n == 1 && len(ix.values[rest[0].norm]) > 0 &&
			(short || len(ix.view.base.dates()) == 0) {
			score = 0.3 // Q1 and March are values of a column
		}
		if ix.heads(rest, n) {
			score = 0.3
		}
		out = append(out, atom{kind: atomSpan, span: s, size: n, score: score})
	}
	if q, n := readQuantile(rest); n > 0 {
		out = append(out, atom{kind: atomAgg, text: string(q), size: n, score: 1.5 * float64(n)})
	}
	if c, n := ix.interval(ts, i); n > 0 {
		out = append(out, atom{kind: atomLink, links: []link{{column: c, quality: 1}}, size: n, score: 1.6 * float64(n)})
	}
	if n := ix.inUnit(ts, i); n > 0 {
		out = append(out, atom{kind: atomStop, size: n, score: 2.5})
	}
	if r, n := readRecurring(rest); n > 0 {
		score := 1.4 * float64(n)
		if n == 1 && len(ix.values[rest[0].norm]) > 0 && ix.values[rest[0].norm][0].quality > 0.8 {
			score = 1 // autumn is a value of a column, such as the term
		}
		out = append(out, atom{kind: atomRecurring, recur: r, size: n, score: score})
	}
	var phrase []string
	for n := 1; n <= keywordMax && n <= len(rest); n++ {
		if rest[n-1].kind == tokenQuoted {
			break
		}
		phrase = append(phrase, rest[n-1].norm)
		k, ok := l.keywords[strings.Join(phrase, " ")]
		if !ok || k.kind == atomOpen && ix.view.ending() == nil || k.kind == atomFlow && ix.view.signed() == nil || k.kind == atomUnable &&
			k.text == "write" && i > 0 {
			continue
		}
		out = append(out, atom{kind: k.kind, text: k.text, hint: k.hint, size: n, score: l.keywordScore(k, ts, i, n, ix)})
	}
	for n := 1; n <= ix.longest && n <= len(rest); n++ {
		if n == 2 && rest[0].norm == "over" && rest[1].norm == "time" && len(ix.view.base.dates()) > 0 &&
			(i == 0 || !isOne(ts[i-1].stem, "work", "do", "did", "doe", "by", "with", "and", "no", "is")) {
			continue // a column called OverTime must not hide a question about a development over time
		}
		if links := ix.find(rest[:n]); len(links) > 0 {
			out = append(out, l.linkAtom(links, rest[:n], i, before))
		} else if n > 2 && isOne(rest[n-2].norm, "the", "a", "an") {
			// A name of several words may contain an article: over the limit.
			if links := ix.find(append(slices.Clone(rest[:n-2]), rest[n-1])); len(links) > 0 && links[0].quality > 0.9 {
				out = append(out, l.linkAtom(links, rest[:n], i, before))
			}
		}
	}
	if rest[0].kind == tokenQuoted && !isOne(before, "contains", "contain", "containing", "like", "mention", "mentions", "mentioning",
		"with", "starting", "ending", "word", "called", "named", "=", "is") {
		// A name in quotes is first looked up as a column.
		if name := strings.Trim(rest[0].text, "\"'“”‘’`"); len(splitName(name)) > 0 {
			for _, l := range ix.phrases[strings.Join(stems(splitName(name)), " ")] {
				if l.column != nil && !l.isValue && slices.Equal(l.column.titleWords(), splitName(name)) {
					out = append(out, atom{kind: atomLink, links: []link{{column: l.column, quality: 1}}, size: 1, score: 2.5})
					break
				}
			}
		}
	}
	if w := rest[0].text; len(w) == 2 && w[0] >= 'A' && w[0] <= 'Z' && w[1] == 's' {
		for _, l := range ix.values[strings.ToLower(w[:1])] {
			if l.isValue && l.value == w[:1] {
				l.quality = 1 // As and Bs are grades
				out = append(out, atom{kind: atomLink, links: []link{l}, size: 1, score: 1.5})
			}
		}
	}
	if len(rest) > 1 && isOne(rest[0].norm, "children", "kids", "adults", "persons", "folks") &&
		isOne(rest[1].norm, "under", "over", "older", "younger", "above", "below", "aged", "between") &&
		slices.ContainsFunc(ix.view.base.columns, func(c *column) bool {
			return c.isNumber() && slices.Contains(c.words, "age")
		}) {
		out = append(out, atom{kind: atomStop, size: 1, score: 1}) // the age follows: children under 12
	}
	if rest[0].norm == "current" && len(rest) > 1 && rest[1].norm == "balance" && len(ix.find(rest[1:2])) > 0 {
		out = append(out, atom{kind: atomLatest, text: "desc", size: 1, score: 2}) // the current balance is the latest one
	}
	if c := ix.inUnits(rest[0].norm); c != nil && isOne(before, "most", "fewest", "least", "many", "total", "average", "mean", "median",
		"of") {
		out = append(out, atom{kind: atomLink, links: []link{{column: c, quality: 1}}, size: 1, score: 2}) // the most hours are labour_hours
	}
	if rest[0].norm == "days" && (i == 0 || ts[i-1].kind != tokenNumber && !isOne(before, "by", "per", "each", "every", "in", "last", "past",
		"top", "bottom", "between", "which", "what", "within")) && ix.view.base.daily() {
		// Where each row is a day, "days" means the rows.
		out = append(out, atom{kind: atomLink, links: []link{{table: ix.view.base, quality: 1}}, size: 1, score: 2})
	}
	if i > 0 && len(rest) > 1 && isOne(rest[0].norm, "year", "years", "yr", "yrs") && isOne(rest[1].norm, "old", "olds") &&
		slices.ContainsFunc(append(ix.find(ts[i-1:i]), ix.find(ts[max(0, i-2):i])...), func(l link) bool {
			return l.isValue
		}) {
		out = append(out, atom{kind: atomStop, size: 2, score: 3.5}) // "years old" after a value repeats the age group
	}
	if rest[0].norm == "new" && len(rest) > 1 && slices.ContainsFunc(ix.find(rest[1:2]), func(l link) bool {
		return l.column != nil && l.column.isDate() || l.table == ix.view.base && len(ix.view.base.dates()) > 0
	}) {
		out[0].kind = atomStop // "new hires" are simply hires
	}
	if i > 3 && i+1 == len(ts) && isOne(ts[0].norm, "do", "does", "did", "is", "are") && isOne(rest[0].norm, "more", "less", "better",
		"worse") {
		// "do those who work overtime earn more" compares two groups.
		out = append(out, atom{kind: atomCompare, size: 1, score: 1})
	}
	if rest[0].norm == "draw" && i > 2 {
		out[0].kind = atomUnknown // a draw is the result of a match, and not a request for a chart
	}
	for n := min(ix.longest, len(rest), 4); n >= 2; n-- {
		if links := ix.guessPhrase(rest[:n], l); len(links) > 0 {
			out = append(out, l.linkAtom(links, rest[:n], i, before))
			break
		}
	}
	if out[0].kind == atomUnknown && len(rest) > 1 && rest[1].norm == "of" && len(rest[0].norm) > 4 && near(rest[0].norm, "number", 1) {
		out = append(out, atom{kind: atomHowMany, size: 2, score: 2, typed: "number of"})
	}
	if out[0].kind == atomUnknown && len(out) == 1 {
		if w := l.misspelled(rest[0]); w != "" {
			k := l.keywords[w]
			out = append(out, atom{kind: k.kind, text: k.text, hint: k.hint, size: 1, score: 0.8, typed: w})
		}
		if links := ix.guess(rest[0]); len(links) > 0 && links[0].quality >= 0.5 {
			out = append(out, l.linkAtom(links, rest[:1], i, before))
		}
	}
	return out
}

// heads reports whether a time of n tokens contains the heading of a column, or its beginning, in a
// table that has no date which the time could belong to: the numbers of 2023 are in a column next to
// those of 2022.
func (ix *index) heads(ts []token, n int) bool {
	base := ix.view.base
	if len(base.dates()) > 0 || slices.ContainsFunc(base.columns, (*column).isYear) {
		return false
	}
	for from := range n {
		for to := from + 1; to <= min(from+ix.longest, len(ts)); to++ {
			if slices.ContainsFunc(ix.find(ts[from:to]), func(l link) bool {
				return l.column != nil && !l.isValue && l.column.table == base && l.quality > 0.95
			}) {
				return true
			}
		}
	}
	return false
}

// plainAtom returns the atom of a token that nothing else explains.
func (l *language) plainAtom(t token) atom {
	a := atom{kind: atomUnknown, text: t.text, size: 1}
	switch {
	case t.kind == tokenNumber:
		a.kind, a.num, a.score = atomNumber, t.value, 0.5
	case t.kind == tokenQuoted:
		a.kind, a.score = atomQuoted, 0.5
	case t.kind == tokenClock, t.kind == tokenDate:
	case t.text == "IT": // in capitals it is not the pronoun
	case t.kind == tokenSymbol || l.stop[t.norm] || len(t.norm) < 2:
		a.kind = atomStop
	}
	return a
}

// endsName reports whether the first word of a keyword is the last one of a number's name that the question contains: in "total
// seat change in 2026", change belongs to the column seat_change.
func (ix *index) endsName(k keyword, ts []token, i int) bool {
	if k.kind != atomGrowth && k.kind != atomShare && k.kind != atomCompare {
		return false
	}
	for from := max(0, i-3); from < i; from++ {
		if slices.ContainsFunc(ix.find(ts[from:i+1]), func(l link) bool {
			return l.column != nil && !l.isValue && l.quality >= 0.99 && l.column.isNumber() &&
				strings.Join(l.column.words, " ") == stemsOf(ts[from:i+1])
		}) {
			return true
		}
	}
	return false
}

// keywordScore scores a keyword. A word such as total or count may also be the name of a column; it is
// the keyword where something that can be counted follows.
func (l *language) keywordScore(k keyword, ts []token, i, n int, ix *index) float64 {
	if ix.endsName(k, ts, i) {
		return 0.5
	}
	// A phrase scores higher than its words one by one.
	score := float64(n) + 0.1 + 0.15*float64(n-1)
	if k.kind == atomRatio && !slices.ContainsFunc(ix.find(ts[i:i+n]), func(l link) bool { return l.quality > 0.8 && l.column != nil }) {
		score += 0.5
	}
	if n >= 3 && k.kind == atomGrowth {
		score += 0.5
	}
	if n == 1 && k.kind == atomAgg && i+1 == len(ts) && i > 0 && ix.exact(ts[i]) {
		return 0.5
	}
	if n == 1 && k.kind == atomHowMany && ix.exact(ts[i]) {
		return 0.5
	}
	if n == 1 && k.kind == atomHowMany && slices.ContainsFunc(ix.find(ts[i:i+1]), func(l link) bool { return l.isValue && l.quality > 0.9 }) {
		return 0.5 // headcount is a value of a column
	}
	if n == 1 && i > 0 && isOne(ts[i-1].norm, "total", "average", "mean", "median", "max", "min", "maximum", "minimum", "highest",
		"lowest") && ix.exact(ts[i]) {
		return 0.5
	}
	if n == 1 && k.kind == atomAgg && i+1 < len(ts) && isOne(ts[i+1].norm, "by", "per", "over", "where", "for", "in", "when", "with", "from",
		"is") && ix.exact(ts[i]) {
		return 0.5 // "sum by group" of a table with a column called sum
	}
	if n == 1 && k.kind == atomTop && i+1 < len(ts) && ts[i+1].kind == tokenNumber {
		return 2 // "top 5 …" ranks, whatever the columns are called
	}
	if n > 1 || (k.kind != atomAgg && k.kind != atomHowMany && k.kind != atomGrain) {
		return score
	}
	next := i + n
	for next < len(ts) && l.stop[ts[next].norm] && len(ix.find(ts[next:next+1])) == 0 {
		next++
	}
	if k.kind == atomGrain {
		return score
	}
	if next < len(ts) && len(ix.find(ts[next:next+1])) > 0 {
		return 1.3
	}
	return 0.9
}

// linkAtom scores a reading by how much of the question it explains and how well; before is the word
// before it.
func (l *language) linkAtom(links []link, ts []token, i int, before string) atom {
	n := float64(len(ts))
	score := links[0].quality * (1.2*n + 0.15*(n-1))
	// "group is A" names a value exactly as it is written; "a group" does not.
	written := i > 0 && links[0].isValue && links[0].value == ts[0].text && ts[0].text != ts[0].norm || links[0].capital != "" &&
		links[0].capital == ts[0].text
	said := before != "" && links[0].isValue && len(ts[0].norm) > 1 && !isOne(ts[0].norm, "an", "the", "it", "in", "on", "to", "of", "or",
		"is", "no", "as", "at", "by") &&
		links[0].column.Distinct <= 12 && isOne(before, "not", "is", "are", "=", "was", "were", "be")
	if said {
		score = max(score, 1)
	}
	if len(ts) == 1 && l.stop[ts[0].norm] && links[0].quality < 0.8 && !written && !said {
		score = -0.5
	}
	if len(ts) == 1 && links[0].quality < 0.4 {
		score = 0.2
	}
	return atom{kind: atomLink, links: links, size: len(ts), score: score}
}
