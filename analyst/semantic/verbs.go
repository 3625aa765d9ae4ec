package semantic

import (
	"slices"
	"strings"

	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/english"
	"parley.dev/parley/internal/sqltext"
)

// verbLanguage is the language of the verbs that names have.
const verbLanguage = "en"

// verbs finds which time and which rows the verbs of a question mean, so that no verb has to be guessed from similar words. The
// first rule that finds a verb counts, and what people said counts before all rules.
func (t *table) verbs() {
	for _, rule := range []func(){t.dateVerbs, t.snapshotVerbs, t.defaultVerbs, t.participles} {
		t.stronger = len(t.m.Verbs)
		rule()
	}
}

// dateVerbs are dates that are named like a verb: shipped is ship_date.
func (t *table) dateVerbs() {
	for _, c := range t.columns {
		if c.m.Role != meaning.Time || !c.isTime() {
			continue
		}
		for _, w := range c.words {
			if stem := verbStem(w); stem != "" {
				t.verb(stem, c.Name, "", "", inferred("The name of %s has this verb.", c.Name))
			}
		}
	}
}

// defaultVerbs are the verbs of the beginning and the end of a row.
func (t *table) defaultVerbs() {
	if t.m.Time == "" || t.m.Snapshot != nil {
		return
	}
	for _, w := range classOf("begins") {
		t.verb(w, t.m.Time, "", "", inferred("A row begins at its default time."))
	}
	if end := t.onlyEnd(); end != nil {
		for _, w := range classOf("ends") {
			t.verb(w, end.Name, "", "", inferred("It is the one date of an end."))
		}
	}
}

// snapshotVerbs are the verbs of the beginning and the end of an entity.
func (t *table) snapshotVerbs() {
	s := t.m.Snapshot
	if s == nil {
		return
	}
	if c := t.column(s.Exit); c != nil {
		for _, w := range c.words {
			if stem := verbStem(w); stem != "" {
				t.verb(stem, s.Period, c.Name, c.m.Yes, measured("%s is true only in the last row of an entity.", c.Name))
			}
		}
		for _, w := range classOf("exitverbs") {
			t.verb(w, s.Period, c.Name, c.m.Yes, measured("%s is true only in the last row of an entity.", c.Name))
		}
	}
	if s.Birth != "" {
		for _, w := range classOf("birthverbs") {
			t.verb(w, s.Birth, "", "", measured("%s is the first period of an entity.", s.Birth))
		}
	}
}

// participles are flags and values that are a verb themselves: returned, status Returned.
func (t *table) participles() {
	for _, c := range t.columns {
		switch c.m.Role {
		case meaning.Flag:
			for _, w := range c.words {
				if stem := verbStem(w); stem != "" && stem != w {
					t.verb(stem, t.m.Time, c.Name, c.m.Yes, inferred("It is the flag itself."))
				}
			}
		case meaning.Dimension:
			if !slices.ContainsFunc(c.words, func(w string) bool { return slices.Contains([]string{"status", "state", "stage", "outcome"}, w) }) {
				continue
			}
			for _, v := range c.Values {
				// A value that is its own stem, such as “Open”, is an adjective and gives no verb.
				if stem := verbStem(strings.ToLower(v)); stem != "" && stem != strings.ToLower(v) {
					t.verb(stem, t.m.Time, c.Name, sqltext.QuoteText(v), inferred("It is a value of %s.", c.Name))
				}
			}
		default:
		}
	}
}

// onlyEnd returns the only date of an end; nil if there is none or more than one.
func (t *table) onlyEnd() *column {
	var out *column
	for _, c := range t.columns {
		if c.m.Role != meaning.Time || !slices.ContainsFunc(c.words, func(w string) bool {
			return slices.Contains(append(classOf("ends"), "end"), verbStem(w)) || w == "end" || w == "ended" || w == "closed" || w == "resolved"
		}) {
			continue
		}
		if out != nil {
			return nil
		}
		out = c
	}
	return out
}

// verb adds a verb, unless a stronger rule has found it. A verb that the same rule has found with another meaning is shared.
func (t *table) verb(word, time, column, value string, why meaning.Reason) {
	at := slices.IndexFunc(t.m.Verbs, func(v meaning.Verb) bool { return v.Word == word })
	if at < 0 {
		t.m.Verbs = append(t.m.Verbs, meaning.Verb{Word: word, Language: verbLanguage, Time: time, Column: column, Value: value, Reason: why})
		return
	}
	if v := &t.m.Verbs[at]; at >= t.stronger && (v.Time != time || v.Column != column || v.Value != value) {
		v.Shared = true
	}
}

// classOf lists a class of verbs in a fixed order.
func classOf(list string) []string {
	var out []string
	for w := range words().lists[list] {
		out = append(out, w)
	}
	slices.Sort(out)
	return out
}

// synonyms adds the other words for the table and its columns.
func (t *table) synonyms(out *meaning.Meaning) {
	add := func(column, text string, why meaning.Reason) {
		out.Words = append(out.Words, meaning.Word{
			Text: text, Language: verbLanguage, Source: t.m.Source, Table: t.m.Name, Column: column,
			Reason: why,
		})
	}
	for _, text := range t.document.also {
		add("", text, meaning.Reason{State: meaning.Documented, Evidence: "The description says so."})
	}
	for _, c := range t.columns {
		for _, text := range c.note.Also {
			add(c.Name, text, meaning.Reason{State: meaning.Documented, Evidence: shortened(c.note.also)})
		}
		if c.m.Number == nil {
			continue
		}
		for _, group := range words().same {
			if !slices.Contains(group, english.Singular(c.last())) || c.m.Number.Adds != meaning.Amount {
				continue
			}
			for _, w := range group {
				// A word that another column has means that one.
				if !slices.ContainsFunc(t.columns, func(o *column) bool {
					return slices.ContainsFunc(o.words, func(x string) bool { return english.Singular(x) == w })
				}) {
					add(c.Name, w, inferred("%s and %s are said of the same.", english.Singular(c.last()), w))
				}
			}
		}
	}
}
