package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// guardWho compares "who" with the answer: it has to name people. If a row names two of them, one who
// acts and one who is affected, the verb has to say which of them is meant.
func (p *parser) guardWho() {
	f := p.form
	if !p.asksWho() || f.blocked {
		return
	}
	named := func(c *column) bool { return c != nil && (namesPeople(c) || c == p.person()) }
	switch f.mode {
	case modeRows:
		if len(f.columns) > 0 && !slices.ContainsFunc(f.columns, func(c *column) bool { return namesPeople(c) }) {
			f.block("I could not tell who is meant: none of the columns that I would show names people.")
		}
	case modeGroups:
		if len(f.dims) > 0 && !slices.ContainsFunc(f.dims, func(d dimension) bool { return named(d.col) && d.grain == grainNone }) {
			f.block("I could not tell who is meant.")
		}
		p.guardRoles()
	default:
	}
}

// asksWho distinguishes a question for people from a clause: employees who work overtime.
func (p *parser) asksWho() bool {
	for i := range p.atoms {
		if p.atoms[i].kind == atomWhich && strings.EqualFold(p.atoms[i].words, "who") {
			return i == 0 || p.atoms[i-1].kind != atomLink
		}
	}
	return false
}

// namesPeople reports whether a column may name people, or things that act like people: a text that is
// not a kind or a state, or a key.
func namesPeople(c *column) bool {
	if c.keyLike() && !slices.Equal(coreOf(c.words), c.table.words[max(0, len(c.table.words)-1):]) {
		return whoOrWhat(coreOf(c.words)[0]) || roleOf(c) != ""
	}
	if !c.isText() || c.booleanLike() || c.keyLike() && c.unique() && roleOf(c) == "" && !whoOrWhat(coreOf(c.words)[0]) {
		return false
	}
	last := c.words[len(c.words)-1]
	return isOne(last, "name", "nam") || roleOf(c) != "" || c.unique() && !c.keyLike() || 2*c.Distinct >= c.table.Rows && !c.keyLike()
}

// roleOf returns "doer" for a column of people who act, "taker" for a column of people who are
// affected, and "" for other columns.
func roleOf(c *column) string {
	core := coreOf(c.words)
	if len(core) == 0 || !c.isText() && !c.keyLike() {
		return ""
	}
	switch w := core[len(core)-1]; {
	case isOne(w, "customer", "client", "buyer", "donor", "user", "shopper", "subscriber", "member", "patient", "student", "guest",
		"tenant", "visitor", "pupil", "passenger", "borrower", "applicant", "candidat"):
		return "taker"
	case isOne(w, "agent", "rep", "seller", "salesperson", "employee", "employe", "manager", "driver", "teacher", "doctor",
		"physician", "waiter", "cashier", "technician", "nurse", "coach",
		"trainer", "instructor", "courier", "therapist", "dentist", "operator", "worker", "recruiter", "reviewer", "engineer",
		"consultant", "inspector", "vet", "broker", "adviser", "advisor", "assignee", "representativ"):
		return "doer"
	default:
		return ""
	}
}

// guardRoles refuses to guess which of two kinds of people "who" asks for.
func (p *parser) guardRoles() {
	f := p.form
	if len(f.dims) == 0 || p.tableNamed() && f.view.base.personal() {
		return
	}
	chosen := f.dims[0].col
	role := roleOf(chosen)
	if role == "" || slices.ContainsFunc(p.named, func(m mention) bool { return m.col == chosen }) {
		return
	}
	var other *column
	for _, c := range f.view.base.columns {
		if r := roleOf(c); c != chosen && r != "" && r != role && c.table == f.view.base {
			other = c
		}
	}
	if other == nil {
		return
	}
	for i := range p.atoms {
		for _, w := range strings.Fields(strings.ToLower(p.atoms[i].words)) {
			if s := doneBy(w); s != "" {
				if s != role {
					f.block(fmt.Sprintf("I could not tell whether you ask for the %s or the %s.", coreTitle(chosen), coreTitle(other)))
				}
				return
			}
		}
	}
	f.block(fmt.Sprintf("I could not tell whether you ask for the %s or the %s.", coreTitle(chosen), coreTitle(other)))
}

// personal reports whether the rows of a table are people.
func (t *table) personal() bool {
	return slices.ContainsFunc(t.columns, func(c *column) bool {
		return personal(c) && 2*c.Distinct >= t.Rows || c.unique() && roleOf(c) != ""
	})
}

// doneBy returns the role of a verb's subject; "" if it may be either.
func doneBy(verb string) string {
	switch stem(verb) {
	case stem("sold"), stem("sell"), stem("closed"), stem("resolved"), stem("resolve"), stem("solved"), stem("handled"),
		stem("handles"), stem("served"), stem("treated"), stem("treats"), stem("taught"), stem("managed"),
		stem("drove"), stem("inspected"), stem("repaired"), stem("performed"), stem("prescribed"), stem("performs"),
		stem("delivered"), stem("reviewed"), stem("trained"):
		return "doer"
	case stem("pay"), stem("spend"), stem("buy"), stem("bought"), stem("buys"), stem("ordered"), stem("purchased"), stem("spent"),
		stem("spends"), stem("paid"), stem("pays"), stem("visited"), stem("came"), stem("waited"), stem("stayed"), stem("borrowed"),
		stem("donated"), stem("returned"), stem("owes"),
		stem("enrolled"), stem("subscribed"), stem("churned"), stem("complained"):
		return "taker"
	default:
		return ""
	}
}

// guardHeads refuses rows if a clause is about things that are not the rows: buyers who bought two
// kinds are not the tickets of these kinds.
func (p *parser) guardHeads() {
	f := p.form
	if f.mode != modeRows || f.blocked || f.orderCol != nil || f.latestOf != nil {
		return
	}
	for i := 1; i < len(p.atoms); i++ {
		if !isOne(strings.ToLower(p.atoms[i].words), "who", "whose", "that") || p.atoms[i-1].kind != atomLink ||
			valueOf(&p.atoms[i-1]) != nil {
			continue
		}
		head := &p.atoms[i-1]
		c := columnOf(head)
		if c == nil || tableOfLink(head) == f.view.base && p.tableBeatsColumn(head) || p.unique(c) || p.keyed(c) != nil ||
			!c.keyLike() && roleOf(c) == "" || slices.Contains(f.columns, c) {
			continue
		}
		f.block(fmt.Sprintf("I would list %s, and you ask for %s.", f.view.base.rowsNamed(), c.many()))
	}
}
