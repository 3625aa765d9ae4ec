package semantic

// What people wrote about the data, read as statements. Only a few plain forms are understood; a sentence of any other form
// says nothing, because a wrong reading of it would be worse.

import (
	"regexp"
	"strings"

	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain/meaning"
)

const (
	// documentLines is the number of lines of a dictionary after which the rest is not read.
	documentLines = 1000
	// evidenceMax is the maximum length of a sentence that is shown as evidence, in characters.
	evidenceMax = 160
)

// period matches a word for a period.
const period = `(?:months?|weeks?|days?|years?|quarters?|periods?|time|dates?|monate?n?|jahre?n?|tagen?)`

// note is what documents say about one column.
type note struct {
	adds, scale, unit, also, reference, aggregate string // the sentences these were read from
	Adds                                          meaning.Adds
	Scale                                         float64
	Unit                                          meaning.Unit
	Also                                          []string
	// Reference is table.column.
	Reference string
	Aggregate meaning.Aggregate
}

// document is what the documents of a table say.
type document struct {
	row, rowSays string
	// currency is the one that a sentence about all amounts names.
	currency, currencySays string
	also                   []string
	columns                map[string]*note // by the folded name
}

var (
	// entry matches a line of a dictionary: "rev = revenue in EUR", "rev: revenue", "| rev | revenue |".
	entry = regexp.MustCompile("^[\\s|*•-]*[`\"']?([^=:–—→`\"'|]{1,60}?)[`\"']?\\s*(?:=|:|→|–|—|\\||\\t|\\s-\\s|" +
		"\\s(?:means|is)\\s)\\s*(\\S.*)$")
	// rowIs matches "one row per account and month", "each row is an order line", "eine Zeile je Konto".
	rowIs = regexp.MustCompile(`(?i)\b(?:one|each|every|eine|jede) (?:row|line|record|entry|zeile) ` +
		`(?:is|per|for|stands for|describes|pro|je|ist) (?:one |each |every |an? |einem? |einer )?(\p{L}[\p{L} _-]{1,60})`)
	everyThing = regexp.MustCompile(`^(?:Every|Each) (\p{Ll}[\p{Ll}-]+(?: \p{Ll}[\p{Ll}-]+)?) of \p{Lu}`)
	// neverOverTime and neverAdded match sentences that forbid a sum.
	neverOverTime = regexp.MustCompile(`(?i)\b(?:sum|sums|add|adding|total|totals)\b[^.]*\b(?:over|across|of)\b[^.]*\b` + period +
		`\b[^.]*\b(?:no sense|not|never|nonsense)\b|\b(?:not|never|don't)\b[^.]*\b(?:sum|add|added|summed|total)\b[^.]*` +
		`\b(?:over|across|for several)\b[^.]*\b` +
		period + `\b|nicht über ` + period + ` (?:summieren|addieren|aufsummieren)`)
	neverAdded = regexp.MustCompile(`(?i)\b(?:do not|don't|never|must not be|cannot be|not to be) (?:add|added|sum|summed|total|totalled)\b|` +
		`\b(?:sum|total|adding)\b[^.]*\b(?:makes no sense|is meaningless)\b|\bnot additive\b|\bnicht (?:summieren|addieren)\b`)
	mayBeAdded = regexp.MustCompile(`(?i)\b(?:may|can) be (?:added(?: up)?|summed(?: up)?)\b|\bis additive\b`)
	// atOneTime matches phrases for a state at one point in time: at the end of the month.
	atOneTime = regexp.MustCompile(`(?i)\b(?:at|as of|by) (?:the )?(?:end|close|start|beginning) of (?:the |each |every )?` + period +
		`\b|^end of (?:the |each )?` + period + `\b|\bmonth[- ]end\b|\b0 in the ` + period +
		` of leaving\b|\bclosing balance\b|\bam (?:monats|jahres)ende\b`)
	takeMean   = regexp.MustCompile(`(?i)\b(?:take|use) the (?:average|mean)\b`)
	takeLast   = regexp.MustCompile(`(?i)\b(?:take|use) the (?:last|latest)\b`)
	alsoCalled = regexp.MustCompile(`(?i)\b(?:also (?:called|known as|named)|synonyms?:?|auch genannt) ([^.;]{2,80})`)
	references = regexp.MustCompile(`(?i)\b(?:references|refers to|foreign key (?:to|of)|fk to|verweist auf) ([\p{L}\d_]+)[.(]([\p{L}\d_]+)`)
	scaledIn   = regexp.MustCompile(`(?i)\bin (?:us |€|\$|£)?\s?(thousands?|teur|t€|k€|k\$|keur|kusd|tsd|` +
		`millions?|mio|mn|meur|m€|m\$|billions?|bn|mrd)\b`)
	inUnit = regexp.MustCompile(`(?i)\bin (minutes?|hours?|days?|seconds?|weeks?|months?|years?|milliseconds?|` +
		`percent|per cent|%|prozent|minuten|stunden|tagen|kg|km|tons?|tonnes?|litres?|liters?|metres?|meters?|kwh)(?:\W|$)`)
	countsUnit = regexp.MustCompile(`(?i)^(minutes|hours|days|seconds|weeks) (?:to|from|until|between|since|for|of|worked)\b`)
)

// read reads the documents of a table. names maps folded names and headers to columns.
func read(texts []string, names map[string]string) *document {
	d := &document{columns: map[string]*note{}}
	lines := 0
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if lines++; lines > documentLines {
				return d
			}
			line = strings.TrimSpace(line)
			if m := entry.FindStringSubmatch(line); m != nil {
				if column := names[folded(m[1])]; column != "" {
					d.about(column, m[2])
					continue
				}
			}
			for _, sentence := range sentences(line) {
				d.sentence(sentence, names)
			}
		}
	}
	return d
}

// sentences splits a text at the ends of sentences. A point in a name, such as customers.id, ends none.
func sentences(text string) []string {
	return strings.FieldsFunc(strings.NewReplacer(". ", "\n", "; ", "\n").Replace(strings.TrimRight(text, ". ")+" "),
		func(r rune) bool { return r == '\n' })
}

// sentence reads a sentence about the table, or about the one column that it names.
func (d *document) sentence(text string, names map[string]string) {
	text = strings.TrimSpace(text)
	if m := rowIs.FindStringSubmatch(text); m != nil && d.row == "" {
		d.row, d.rowSays = rowNoun(m[1]), text
	}
	if m := everyThing.FindStringSubmatch(text); m != nil && d.row == "" {
		d.row, d.rowSays = m[1], text
	}
	if m := alsoCalled.FindStringSubmatch(text); m != nil {
		d.also = append(d.also, alternatives(m[1])...)
	}
	var about []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;()\"'`", r) }) {
		if column := names[folded(w)]; column != "" && strings.ContainsAny(w, "_") || column != "" && len(w) > abbreviationLeast-1 {
			about = append(about, column)
		}
	}
	if len(about) == 1 {
		d.about(about[0], text)
		return
	}
	if code := columns.Currency(text); code != "" && strings.Contains(strings.ToLower(text), "amounts") {
		d.currency, d.currencySays = code, text
	}
}

// rowNoun makes a noun of what a sentence says a row is: account in a month, of "account and month".
func rowNoun(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, end := range []string{" from ", " of ", " with ", " which ", " that ", " in the ", " for "} {
		text, _, _ = strings.Cut(text, end)
	}
	for _, sep := range []string{" and ", " per ", " je ", " und "} {
		if thing, period, ok := strings.Cut(text, sep); ok && (in(period, "parts") || in(period, "years")) {
			return thing + " in a " + period
		}
	}
	return text
}

// alternatives splits a list of words: turnover, sales or revenue.
func alternatives(text string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(strings.ReplaceAll(text, " or ", ","), func(r rune) bool { return r == ',' }) {
		if part = strings.ToLower(strings.Trim(strings.TrimSpace(part), `"'“”`)); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// about reads a text about a column.
func (d *document) about(column, text string) {
	n := d.columns[column]
	if n == nil {
		n = &note{}
		d.columns[column] = n
	}
	for _, s := range sentences(text) {
		n.read(strings.TrimSpace(s))
	}
}

// read reads one sentence about a column. Of several sentences about the same thing the first one counts.
func (n *note) read(s string) {
	switch {
	case n.Adds != "":
	case neverOverTime.MatchString(s), atOneTime.MatchString(s) && !mayBeAdded.MatchString(s):
		n.Adds, n.adds = meaning.Level, s
	case neverAdded.MatchString(s):
		n.Adds, n.adds = meaning.Rate, s
	case mayBeAdded.MatchString(s):
		n.Adds, n.adds = meaning.Amount, s
	}
	switch {
	case n.Aggregate != "":
	case takeMean.MatchString(s):
		n.Aggregate, n.aggregate = meaning.Mean, s
	case takeLast.MatchString(s):
		n.Aggregate, n.aggregate = meaning.LastPeriod, s
	}
	if m := alsoCalled.FindStringSubmatch(s); m != nil {
		n.Also, n.also = append(n.Also, alternatives(m[1])...), s
	}
	if m := references.FindStringSubmatch(s); m != nil && n.Reference == "" {
		n.Reference, n.reference = m[1]+"."+m[2], s
	}
	if m := scaledIn.FindStringSubmatch(s); m != nil && n.Scale == 0 {
		n.Scale, n.scale = scaleOf(m[1]), s
	}
	if n.Unit.Kind == meaning.NoUnit {
		if u := unitInSentence(s); u.Kind != meaning.NoUnit {
			n.Unit, n.unit = u, s
		}
	}
}

// unitInSentence returns the unit that a sentence about a column names.
func unitInSentence(s string) meaning.Unit {
	if code := columns.Currency(s); code != "" {
		return meaning.Unit{Kind: meaning.Money, Symbol: code}
	}
	if m := countsUnit.FindStringSubmatch(s); m != nil {
		return unitNamed(m[1])
	}
	if m := inUnit.FindStringSubmatch(s); m != nil {
		return unitNamed(m[1])
	}
	return meaning.Unit{}
}

// folded makes names comparable: Net Amount, net_amount and NetAmount are equal.
func folded(name string) string { return strings.ToLower(strings.Join(columns.Split(name), "")) }

// shortened cuts a sentence for people.
func shortened(s string) string {
	if r := []rune(s); len(r) > evidenceMax {
		return string(r[:evidenceMax]) + "…"
	}
	return s
}
