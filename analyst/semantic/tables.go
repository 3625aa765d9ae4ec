package semantic

import (
	"slices"
	"strings"

	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/english"
)

// entities lists the things that columns of the table name, and takes over the measured dependencies.
func (t *table) entities() {
	if t.facts != nil {
		for _, i := range t.facts.Implied {
			t.m.Implies = append(t.m.Implies, meaning.Determination{By: slices.Clone(i.By), Columns: slices.Clone(i.Columns)})
		}
	}
	for _, c := range t.columns {
		switch c.m.Role {
		case meaning.Key:
			entity := t.noun
			// The items of order_items are order items, whatever their key is called.
			if stem := stemOf(c.words); len(stem) > 0 && !keyNamed(stem) && !in(stem[0], "codes") && !strings.HasSuffix(t.noun,
				" "+strings.Join(stem, " ")) {
				entity = strings.Join(stem, " ")
			}
			t.m.Entities = append(t.m.Entities, meaning.EntityRef{Entity: entity, Columns: []string{c.Name}, Home: t.single(c.Name)})
		case meaning.Foreign:
			entity := strings.Join(stemOf(c.words), " ")
			if len(c.links) > 0 {
				entity = c.links[0].Entity
			}
			t.m.Entities = append(t.m.Entities, meaning.EntityRef{Entity: entity, Columns: []string{c.Name}})
		default:
		}
	}
}

// kind decides what the rows of the table are.
func (t *table) kind() {
	count := map[meaning.Role]int{}
	for _, c := range t.columns {
		count[c.m.Role]++
	}
	dates := count[meaning.Time] + count[meaning.Part]
	switch {
	case t.m.Snapshot != nil:
		t.m.Kind = meaning.SnapshotTable
	case slices.ContainsFunc(t.columns, t.names):
		t.m.Kind = meaning.Pairs
	case count[meaning.Foreign] > 1 && count[meaning.Foreign]+count[meaning.Key] == len(t.columns):
		t.m.Kind = meaning.Bridge
	case dates == len(t.columns) && len(t.m.Keys) > 0:
		t.m.Kind = meaning.Calendar
	case count[meaning.Text] > 0 && count[meaning.Measure]+count[meaning.Time]+count[meaning.Foreign] == 0 && t.hasProse():
		t.m.Kind = meaning.Document
	default:
		t.m.Kind = t.entityOrEvent(count)
	}
}

// hasProse reports whether a text of the table is long.
func (t *table) hasProse() bool {
	return slices.ContainsFunc(t.columns, func(c *column) bool { return c.m.Role == meaning.Text && len(c.Values) > 0 && c.isProse() })
}

// entityOrEvent distinguishes a table of things from a table of events: by the noun of its key or its name, or else by its time.
func (t *table) entityOrEvent(count map[meaning.Role]int) meaning.TableKind {
	for _, noun := range t.nouns() {
		last := noun[strings.LastIndex(noun, " ")+1:]
		switch {
		// The items of an order are part of an event.
		case anyIn(strings.Fields(noun), "happenings"):
			return meaning.Event
		case in(last, "things"):
			return meaning.EntityTable
		}
	}
	if t.m.Time != "" || count[meaning.Foreign] > 0 || count[meaning.Key] == 0 {
		return meaning.Event
	}
	return meaning.EntityTable
}

// nouns are what a row may be called: by its key, then by the name of the table.
func (t *table) nouns() []string {
	var out []string
	for _, e := range t.m.Entities {
		if e.Home {
			out = append(out, e.Entity)
		}
	}
	return append(out, t.noun)
}

// row decides what one row is called.
func (t *table) row() {
	m := t.m
	if t.document.row != "" {
		m.Row, m.RowReason = t.document.row, meaning.Reason{State: meaning.Documented, Evidence: shortened(t.document.rowSays)}
		m.Plural = pluralOf(m.Row)
		return
	}
	key := ""
	if len(m.Keys) > 0 {
		key = listed(m.Keys[0])
	}
	switch {
	case m.Snapshot != nil && m.Kind == meaning.SnapshotTable:
		m.Row = t.entityOf(m.Snapshot.Entity) + " in a " + stepWord(t, m.Snapshot.Period)
		m.RowReason = measured("%s and %s together are unique in all %d rows.", listed(m.Snapshot.Entity), m.Snapshot.Period, m.Rows)
	case len(m.Keys) > 0 && len(m.Keys[0]) == 1 && t.role(key) == meaning.Key:
		m.Row, m.RowReason = t.entityOf(m.Keys[0]), t.unique(key+" is")
	case t.lineKey() != "":
		m.Row, m.RowReason = t.lineKey(), t.unique(key+" together are")
	case in(t.words[len(t.words)-1], "generic"):
		m.Row, m.RowReason = "row", inferred("Nothing says what a row is.")
	default:
		m.Row, m.RowReason = t.noun, inferred("The name of the table says so.")
	}
	m.Plural = pluralOf(m.Row)
	if t.manner.German {
		m.Plural = m.Row // German plurals have no rule
	}
}

// lineKey names a row that is a numbered part of something else: an order line has the number of its order and a number of its own.
func (t *table) lineKey() string {
	if len(t.m.Keys) == 0 || len(t.m.Keys[0]) != 2 {
		return ""
	}
	for i, name := range t.m.Keys[0] {
		place := t.column(name)
		thing := t.m.Keys[0][1-i]
		if place == nil || place.m.Role != meaning.Order || t.role(thing) != meaning.Foreign {
			continue
		}
		entity, last := t.entityOf([]string{thing}), place.words[len(place.words)-1]
		return entity + " " + last
	}
	return ""
}

// entityOf is the name of the thing that columns name.
func (t *table) entityOf(names []string) string {
	for _, e := range t.m.Entities {
		if slices.Equal(e.Columns, names) {
			return e.Entity
		}
	}
	parts := make([]string, 0, len(names))
	for _, name := range names {
		if c := t.column(name); c != nil {
			parts = append(parts, strings.Join(stemOf(c.words), " "))
		}
	}
	return strings.Join(parts, " and ")
}

// pluralOf makes the plural of a noun of several words: accounts in a month.
func pluralOf(row string) string {
	head, rest, more := row, "", false
	for _, sep := range []string{" in a ", " and "} {
		if head, rest, more = strings.Cut(row, sep); more {
			rest = sep + rest
			break
		}
	}
	at := strings.LastIndex(head, " ") + 1
	return head[:at] + english.Plural(head[at:]) + rest
}

// time chooses the default time of the table.
func (t *table) time() {
	if s := t.m.Snapshot; s != nil {
		t.m.Time, t.m.TimeReason = s.Period, measured("It is the period of the table.")
		return
	}
	best, rank := (*column)(nil), 0
	for _, c := range t.columns {
		if c.m.Role != meaning.Time {
			continue
		}
		if r := c.timeRank(); r > 0 && (best == nil || r > rank) {
			best, rank = c, r
		}
	}
	if best != nil {
		t.m.Time, t.m.TimeReason = best.Name, inferred("Of its times this one says when a row came to be.")
	}
}

// timeRank prefers the time at which a row came to be; 0 for a time that is only meant if it is named.
func (c *column) timeRank() int {
	if c.m.Missing*2 > c.table.m.Rows || anyIn(c.words, "birthdays") || anyIn(c.words, "years") && len(c.words) > 1 && !c.isTime() &&
		slices.ContainsFunc(c.words, func(w string) bool { return slices.Contains([]string{"built", "birth", "founded", "made", "model"}, w) }) {
		return 0
	}
	rank := 5
	for _, w := range c.words {
		switch {
		case in(w, "happened"):
			rank += 2
		case in(w, "later"):
			rank -= 5
		case in(w, "dates"):
			rank++
		}
	}
	if stem := english.Singular(c.table.words[len(c.table.words)-1]); slices.Contains(c.words, stem) {
		rank += 2 // the date of a booking is the day on which it was booked
	}
	if !c.isTime() {
		rank -= 3 // a date says more than a year
	}
	return max(rank, 0)
}
