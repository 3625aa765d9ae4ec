package builtin

import (
	"slices"
	"strings"
	"unicode"

	"parley.dev/parley/analyst/specialist/columns"
)

// link is one reading of a stretch of the question as a name of the schema. Either column or table is
// set; a value is set together with its column.
type link struct {
	table   *table
	column  *column
	value   string
	isValue bool
	quality float64 // 1 means exactly the name
	// part reports that the value is a word that occurs in several values of its column.
	part bool
	// piece reports that it is one word of a value of several words, which names the value only if the
	// word has no other meaning.
	piece bool
	// capital is the piece if it is a short word in capitals: IT.
	capital string
	// stat is the statistic at the beginning of a name, such as the highest for "max temperature".
	stat aggregate
	// over reports that the word means an end or a flow, such as churned for a date on which something
	// ended.
	over bool
	// typed is the word as it was written, if it was read as another word.
	typed string
}

// index finds the possible meanings of words of a question in a view.
type index struct {
	view    *view
	same    [][]string
	stop    map[string]bool
	known   map[string]bool
	phrases map[string][]link
	values  map[string][]link   // by plain words: United is not read as unit
	forms   map[string][]link   // values of one word by stem: "who failed" finds Fail
	words   []string            // single words, for typing errors, sorted
	starts  map[string][]phrase // names and values of several words, by each of their words, sorted
	longest int                 // number of words of the longest phrase
}

// These bounds keep the index fast for a table of thousands of columns.
const (
	indexColumns = 2000
	phraseMax    = 6
)

// newIndex indexes a view's names, descriptions and values.
func newIndex(v *view, lang *language) *index {
	ix := &index{
		view: v, stop: lang.stop, known: lang.known, same: lang.same, phrases: make(map[string][]link),
		values: make(map[string][]link), forms: make(map[string][]link), starts: make(map[string][]phrase),
	}
	lex := lang.lexicon
	for i, t := range v.tables() {
		quality := 1.0
		if i > 0 {
			// A name of the base table is more likely than a name of a joined table.
			quality = 0.9
		}
		ix.addTable(t, quality, lex, v.taken)
		for k, c := range t.columns {
			if k < indexColumns {
				ix.addColumn(c, quality, lex)
			}
		}
		ix.addDictionary(t, quality)
		ix.addSaid(t, quality)
		if c := t.profit(); c != nil {
			for _, name := range []string{"profit", "gain", "earning", "margin"} {
				ix.add([]string{name}, link{column: c, quality: quality * 0.9})
			}
			ix.add([]string{"gross", "profit"}, link{column: c, quality: quality * 0.9})
		}
	}
	ix.addEnding()
	ix.addMonths()
	ix.addMoney()
	ix.addFlows()
	for phrase, links := range ix.phrases {
		best(links)
		ix.start(phrase, false)
		if !strings.Contains(phrase, " ") && len(phrase) >= 4 {
			ix.words = append(ix.words, phrase)
		}
	}
	for phrase, links := range ix.values {
		best(links)
		if !strings.Contains(phrase, " ") && len(phrase) >= 5 {
			ix.words = append(ix.words, phrase)
		}
		ix.start(phrase, true)
	}
	for _, phrases := range ix.starts {
		// A map has no fixed order.
		slices.SortFunc(phrases, func(a, b phrase) int { return strings.Compare(a.key, b.key) })
	}
	slices.Sort(ix.words)
	ix.words = slices.Compact(ix.words)
	return ix
}

// addEnding links words for leaving to the date on which a row ended or, without such a date, to the
// rows that are no longer active.
func (ix *index) addEnding() {
	words := []string{
		"churn", "churned", "cancel", "cancelled", "canceled", "cancellation", "attrition", "quit", "terminated",
		"termination", "unsubscribed", "lapsed", "churner", "leaver", "inactive",
	}
	at := link{column: ix.view.ending(), quality: 0.8, over: true}
	if at.column == nil {
		for _, c := range ix.view.base.columns {
			if core := coreOf(c.words); c.booleanLike() && len(core) == 1 && isOne(core[0], stem("active"), stem("subscribed"), "current") {
				at.column, at.value, at.isValue = c, c.truth(false), true
			}
		}
	}
	if at.column == nil {
		return
	}
	for _, w := range words {
		if at.isValue {
			ix.add([]string{w}, at)
			continue
		}
		ix.add([]string{stem(w)}, at)
	}
}

// best sorts the best reading first.
func best(links []link) {
	slices.SortStableFunc(links, func(a, b link) int {
		switch {
		case a.quality > b.quality:
			return -1
		case a.quality < b.quality:
			return 1
		default:
			return 0
		}
	})
}

// add adds a reading of a phrase, or raises the quality of an equal reading.
func (ix *index) add(phrase []string, l link) {
	if len(phrase) == 0 || len(phrase) > phraseMax {
		return
	}
	key, in := strings.Join(phrase, " "), ix.phrases
	if l.isValue {
		// People leave out accents, and the words of a question are without them.
		key, in = plainLetters(key), ix.values
	}
	for i, old := range in[key] {
		if old.column == l.column && old.table == l.table && old.value == l.value {
			in[key][i].quality = max(old.quality, l.quality)
			return
		}
	}
	in[key] = append(in[key], l)
	ix.longest = max(ix.longest, len(phrase))
}

// both adds a phrase and, for a single word, its synonyms with a lower quality.
func (ix *index) both(phrase []string, l link, lex map[string][]string) {
	ix.add(phrase, l)
	if len(phrase) != 1 {
		return
	}
	for _, other := range lex[phrase[0]] {
		if l.column != nil && !l.isValue && l.column.isDate() && isOne(other, "revenu", "revenue", "turnover", "incom", "income", "earning",
			"proceed", "spend") {
			continue // the date on which something was sold is not money
		}
		s := l
		s.quality *= 0.75
		ix.add([]string{other}, s)
	}
}

func (ix *index) addTable(t *table, quality float64, lex map[string][]string, taken map[string]bool) {
	for _, name := range [][]string{t.words, stems(splitName(t.Title)), stems(splitName(t.Source))} {
		if len(name) == 0 || t.shadowed(name) {
			continue
		}
		ix.called(name, link{table: t, quality: quality}, lex, taken)
		if len(name) > 1 {
			ix.called(name[len(name)-1:], link{table: t, quality: quality * 0.8}, lex, taken)
			if last := name[len(name)-1]; onlyDigits(last) || isOne(last, "center", "centr", "log", "data", "dataset", "list", stem("records"),
				"export", "report", "history", "sheet", "table", "file", stem("performance"), stem("tracker"), "register", stem("database"),
				stem("readings")) {
				// The table of a call center contains calls; a table of service tickets does not
				// contain services.
				ix.called(name[:1], link{table: t, quality: quality * 0.6}, lex, taken)
			}
		}
	}
	for _, c := range t.columns {
		// A table with an employee number contains employees, whatever its name is.
		core := coreOf(c.words)
		if last := len(core) - 1; last > 0 && isOne(core[last], "ref", "key", "uuid") {
			core = core[:last] // a call reference is the key of a call
		}
		if c.keyLike() && c.names() && (len(core) < len(c.words) || strings.HasSuffix(c.Description, "#")) {
			ix.both(core, link{table: t, quality: quality * 0.87}, lex)
		}
	}
	for _, word := range t.words {
		if t.shadowed([]string{word}) {
			continue // in a file called sales with a column sales, the word means the column
		}
		for _, noun := range rowNouns(word) {
			ix.add([]string{stem(noun)}, link{table: t, quality: quality * 0.7})
		}
	}
	for _, row := range []string{
		"reading", "measurement", "observation", "transaction", "event", "item", "case", "person", "record", "row",
		"entry", "respondent", "participant", "response", "submission",
	} {
		ix.add([]string{stem(row)}, link{table: t, quality: quality * 0.42})
	}
}

// called links a name and its synonyms to a table, except for names of numbers: the budget of
// budget.xlsx is its column, in whichever sheet the column is. A common noun for rows, such as orders,
// may still mean the rows.
func (ix *index) called(name []string, l link, lex map[string][]string, taken map[string]bool) {
	free := func(words []string) bool {
		return !taken[strings.Join(words, " ")] || countable(words[len(words)-1])
	}
	if free(name) {
		ix.add(name, l)
	}
	if len(name) > 1 {
		return
	}
	l.quality *= 0.75
	for _, other := range lex[name[0]] {
		if free([]string{other}) && free(name) {
			ix.add([]string{other}, l)
		}
	}
}

// shadowed reports whether a number of the table has the same name as the table. The name then means
// the number, because a file is often named after its content.
func (t *table) shadowed(name []string) bool {
	return slices.ContainsFunc(t.columns, func(c *column) bool { return c.isNumber() && slices.Equal(c.words, name) })
}

// tokensIn returns the words of a heading in the form that they have in questions.
func tokensIn(header string) []token { return lex(header) }

func (ix *index) addColumn(c *column, quality float64, lex map[string][]string) {
	w := c.words
	if len(w) == 0 {
		return
	}
	at := func(q float64) link { return link{column: c, quality: quality * q} }
	if whole := stems(splitName(c.Name)); !slices.Equal(whole, w) {
		ix.add(whole, at(1))
		for _, one := range whole {
			if len(whole) > 1 && abbreviated(one) != "" && !noise(one) {
				ix.add([]string{one}, at(0.54))
			}
		}
	}
	ix.both(w, at(1), lex)
	if c.bare != nil {
		ix.both(c.bare, at(0.98), lex)
	}
	if header, _ := columns.Header(c.Column); columns.BeginsWithDigit(header) {
		var written []string // 2024-01 is one word of a question, but two words of a name
		for _, t := range tokensIn(header) {
			written = append(written, t.stem)
		}
		ix.add(written, at(1))
	}
	if core := coreOf(w); c.keyLike() {
		for _, word := range []string{"number", "id", "code"} {
			ix.add(append(slices.Clone(core), word), at(0.9))
		}
	}
	if isOne(w[len(w)-1], "zip", "postal") {
		ix.add([]string{"zip", "cod"}, at(0.95))
		ix.add([]string{"zip", "code"}, at(0.95))
		ix.add([]string{"postal", "cod"}, at(0.95))
	}
	if c.isNumber() && (slices.Contains(w, "sq") || slices.ContainsFunc(w, func(x string) bool {
		return isOne(x, "sqft", "sqm", "m2", "qm")
	})) {
		// Square feet are an area, and the size of a property.
		ix.add([]string{"sqm"}, at(1))
		ix.add([]string{stem("size")}, at(0.7))
		ix.add([]string{"area"}, at(0.7))
	}
	if c.isNumber() && len(w) == 1 && w[0] == stem("nights") {
		ix.add([]string{stem("room"), w[0]}, at(0.95)) // what hotels call a night in one room
	}
	if c.isText() && isOne(w[len(w)-1], "reason", "caus", "cause", "motiv") {
		ix.add([]string{stem("why")}, at(0.9))
	}
	if i := slices.Index(w, "per"); i > 0 {
		// The price per litre is a price.
		ix.add(w[:i], at(0.85))
	}
	if slices.Contains(c.words, "total") && slices.ContainsFunc(c.words, func(w string) bool {
		return isOne(w, "pric", "amount", "charg", "fare", "valu", "bill")
	}) {
		ix.both([]string{stem("revenue")}, at(0.7), lex)
	}
	if n := len(c.table.words); n > 0 {
		ix.add(append([]string{c.table.words[n-1]}, w...), at(1))
		if core := coreOf(w); len(core) < len(w) {
			ix.add(append([]string{c.table.words[n-1]}, core...), at(0.9))
		}
	}
	if core := coreOf(w); len(core) < len(w) && !c.holds() {
		for i := range core {
			for _, other := range lex[core[i]] {
				if len(core) > 1 {
					phrase := slices.Clone(core)
					phrase[i] = other
					ix.add(phrase, at(0.7))
				}
			}
		}
		q := 0.85
		if c.isBool() {
			// is_manager is the column that best matches a manager.
			q = 0.97
		}
		ix.both(core, at(q), lex)
	}
	if len(w) > 1 {
		// "overtime" finds OverTime.
		ix.add([]string{stem(strings.Join(splitName(c.Name), ""))}, at(1))
		for i, one := range w {
			q := 0.54 // a word of its own name means more than a synonym of another name
			if i == len(w)-1 {
				q = 0.7
			}
			if !noise(one) {
				ix.both([]string{one}, at(q), lex)
			}
		}
		ix.add(w[len(w)-2:], at(0.9))
		// A word of a name may be replaced by its synonym: staff count for employee count.
		for i := range w {
			for _, other := range lex[w[i]] {
				phrase := slices.Clone(w)
				phrase[i] = other
				ix.add(phrase, at(0.75))
			}
		}
	}
	for _, word := range splitName(c.Description) {
		// Stop words are checked as whole words: "there" is a stop word, its stem is not.
		if one := stem(word); len(one) > 3 && !ix.stop[word] && !ix.stop[one] {
			ix.add([]string{one}, at(0.35))
		}
	}
	ix.addStatistic(c, quality, lex)
	ix.addValues(c, quality)
}

// addValues links the values of a column to the column.
func (ix *index) addValues(c *column, quality float64) {
	if c.isDate() || (c.isNumber() && !c.isPart()) {
		return
	}
	seen := make(map[string]int)
	split := make([][]string, len(c.Values))
	for i, v := range c.Values {
		split[i] = splitName(v)
		for _, w := range split[i] {
			seen[w]++
		}
	}
	if c.Distinct > 30 && !c.identifies() {
		for w, n := range seen {
			if n > 1 && len(w) > 2 && !noise(w) && !ix.stop[w] && !onlyDigits(w) && !slices.Contains(c.words, stem(w)) &&
				!slices.Contains(c.table.words, stem(w)) {
				ix.add([]string{w}, link{column: c, value: w, isValue: true, part: true, quality: quality * 0.55})
			}
		}
	}
	if n := len(c.Values); n >= 3 && c.isText() {
		for w, k := range seen {
			// If all values are ministries, the word ministry means the column.
			if 10*k >= 9*n && k <= n && len(w) > 3 && !noise(w) && !ix.stop[w] && !onlyDigits(w) {
				ix.add([]string{stem(w)}, link{column: c, quality: quality * 0.8})
			}
		}
	}
	for i, v := range c.Values {
		words := split[i]
		if len(words) == 0 || len(v) > 80 {
			continue
		}
		q := 0.95
		if len(v) <= 2 || (onlyDigits(v) && len(words) < 2) || isOne(strings.ToLower(v), "yes", "no", "true", "false", "other", "none", "all") {
			// So short a value usually means something else; the question must also name its column.
			q = 0.45
		}
		ix.add(words, link{column: c, value: v, isValue: true, quality: quality * q})
		if whole := strings.ToLower(v); len(words) > 1 && ascii(whole) && !strings.ContainsAny(whole, " \t") {
			// I21.0 and DrSmith are one word in a question.
			ix.add([]string{whole}, link{column: c, value: v, isValue: true, quality: quality * q})
		}
		if whole := loweredWords(v); len(words) > 1 && !slices.Equal(whole, words) {
			// McKinsey is one word, although its capitals separate it.
			ix.add(whole, link{column: c, value: v, isValue: true, quality: quality * q})
			for _, w := range whole {
				if len(whole) > 1 && len(w) > 3 && seen[w] == 0 && !noise(w) && !slices.ContainsFunc(c.Values, func(o string) bool {
					return o != v && slices.Contains(loweredWords(o), w)
				}) {
					ix.add([]string{w}, link{column: c, value: v, isValue: true, piece: true, quality: quality * 0.6})
				}
			}
		}
		if plain := transliterated(v); plain != "" {
			ix.add(splitName(plain), link{column: c, value: v, isValue: true, quality: quality * q * 0.98})
		}
		if len(words) == 1 && len(v) > 2 && q > 0.5 && c.Distinct <= 12 {
			for _, y := range []string{words[0] + "y", words[0] + words[0][len(words[0])-1:] + "y"} {
				// rainy finds rain, and foggy finds fog
				ix.forms[stem(y)] = append(ix.forms[stem(y)], link{column: c, value: v, isValue: true, quality: quality * 0.85})
			}
			for _, noun := range nounsOf(stem(words[0])) {
				ix.forms[noun] = append(ix.forms[noun], link{column: c, value: v, isValue: true, quality: quality * 0.83})
			}
			ix.forms[stem(words[0])] = append(ix.forms[stem(words[0])], link{column: c, value: v, isValue: true, quality: quality * 0.85})
		}
		low := strings.ToLower(v)
		for _, group := range ix.same {
			if slices.Contains(group, low) {
				for _, other := range group {
					if len(other) > 2 || other == "uk" || other == "hr" {
						ix.add(strings.Fields(other), link{column: c, value: v, isValue: true, quality: quality * 0.85})
					}
				}
			}
		}
		if plain := strings.Fields(v); len(plain) > 1 {
			for _, w := range plain {
				if low := strings.ToLower(w); len(w) >= 2 && len(w) <= 3 && w == strings.ToUpper(w) && ascii(w) && !onlyDigits(w) && seen[low] == 1 {
					ix.add([]string{low}, link{column: c, value: v, isValue: true, piece: true, capital: w, quality: quality * 0.6})
				}
			}
		}
		if len(words) > 1 {
			for _, w := range words {
				if seen[w] == 1 && len(w) > 3 && !noise(w) {
					ix.add([]string{w}, link{column: c, value: v, isValue: true, piece: true, quality: quality * 0.6})
				}
			}
		}
	}
}

// loweredWords splits a value only at blanks and signs.
func loweredWords(v string) []string {
	return strings.FieldsFunc(strings.ToLower(v), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func onlyDigits(s string) bool { return strings.Trim(s, "0123456789.,- ") == "" }

// coreOf removes the words of a name that describe its unit or form, and not its subject.
func coreOf(words []string) []string {
	core := slices.Clone(words)
	for len(core) > 1 && (noise(core[len(core)-1]) || isOne(core[len(core)-1], "qty", "quantity")) {
		core = core[:len(core)-1]
	}
	for len(core) > 1 && isOne(core[0], "total", "is", "has", "num", "number", "the", "of", "n", "was") {
		core = core[1:]
	}
	return core
}

// noise reports whether a word of a name describes a unit or a form.
func noise(w string) bool {
	if onlyDigits(w) {
		return true // the 1 and the 5 of "Rating (1-5)"
	}
	switch w {
	case "eur", "usd", "gbp", "chf", "euro", "dollar", "id", "name", "nam", "amount", "pct", "percent", "kg", "km", "cm", "mm", "min", "sec",
		"ms", "hrs", "hour",
		"minut", "day", "code", "cod", "value", "valu", "flag", "text", "number", "no", "nr", "num", "type", "c", "f", "k", "m", "date", "at",
		"on", "ts", "bar",
		"celsius", "local", "utc", "total", "of", "in", "per", "count", "and", "the", "for", "with", "year":
		return true
	default:
		return false
	}
}

// find returns the readings of n tokens.
func (ix *index) find(ts []token) []link {
	if len(ts) == 1 && ts[0].kind == tokenQuoted {
		return asWritten(ix.values[plainLetters(strings.Join(splitName(ts[0].text), " "))], ts[0].text)
	}
	words, plain := make([]string, len(ts)), make([]string, len(ts))
	for i, t := range ts {
		if t.kind == tokenSymbol {
			return nil
		}
		words[i], plain[i] = t.stem, t.norm
	}
	names := ix.phrases[strings.Join(words, " ")]
	values := ix.values[strings.Join(plain, " ")]
	if last := len(plain) - 1; len(values) == 0 && !isOne(plain[last], "does", "has", "is", "was", "this", "its") {
		plain[last] = singular(plain[last])
		values = ix.values[strings.Join(plain, " ")]
	}
	if len(values) == 0 && len(ts) == 1 && (past(ts[0].norm) || strings.HasSuffix(ts[0].norm, "ing") || nounOfDoing(ts[0].norm)) {
		values = ix.forms[ts[0].stem]
	}
	if len(ts) == 1 && len(values) == 0 && (len(names) == 0 || names[0].quality < 0.5) && ts[0].kind == tokenWord {
		values = ix.forms[ts[0].stem] // "the hire rate" counts those who were hired
	}
	if len(ts) == 1 && slices.ContainsFunc(values, func(l link) bool { return strings.EqualFold(l.value, ts[0].norm) }) {
		// "still open" is the value Open, and not the day of the column Opened, which has the same stem only.
		names = slices.DeleteFunc(slices.Clone(names), func(l link) bool {
			return l.column != nil && l.column.isDate() && slices.ContainsFunc(splitName(l.column.Name), func(w string) bool {
				return past(w) && stem(w) == ts[0].stem && w != ts[0].norm
			})
		})
	}
	if len(ts) == 1 && past(ts[0].norm) {
		names = slices.DeleteFunc(slices.Clone(names), func(l link) bool { return l.column == nil || !l.over && !stative(l.column, ts[0].norm) })
	}
	if len(values) == 0 || len(names) == 0 {
		return append(slices.Clone(names), values...)
	}
	both := append(slices.Clone(names), values...)
	best(both)
	return both
}

// umlauts writes letters as people do whose keyboard lacks them. It is made once: a replacer builds its tree at its first use.
//
//nolint:gochecknoglobals // it does not change
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ø", "oe", "å", "aa")

// transliterated writes a value as people do whose keyboard lacks its letters: Koeln for Köln; "" if
// that changes nothing.
func transliterated(v string) string {
	plain := umlauts.Replace(v)
	if plain == v {
		return ""
	}
	return plain
}

// exact reports whether a word is a column's own name.
func (ix *index) exact(t token) bool {
	return slices.ContainsFunc(ix.phrases[t.stem], func(l link) bool { return l.column != nil && l.quality >= 0.99 })
}
