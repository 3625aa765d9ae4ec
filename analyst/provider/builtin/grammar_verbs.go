package builtin

import (
	"slices"
	"strings"
)

// describesRows distinguishes "reopened tickets" from "reopened by agent": in the first, the verb
// describes the rows that are named directly after it.
func (p *parser) describesRows() bool {
	next, i := p.peek(p.pos + 1)
	return next != nil && i == p.pos+1 && next.kind == atomLink && tableOfLink(next) == p.form.view.base && p.tableBeatsColumn(next)
}

// behindTable reports whether the name of the rows is directly before the current atom.
func (p *parser) behindTable() bool {
	if words := strings.Fields(p.atoms[p.pos].words); len(words) == 2 &&
		slices.Contains(p.form.view.base.words, stem(strings.ToLower(words[0]))) {
		return true // "grants approved"
	}
	if p.pos == 0 || strings.Contains(p.atoms[p.pos].words, " ") {
		return false
	}
	before := &p.atoms[p.pos-1]
	if auxiliary(strings.ToLower(before.words)) && p.pos > 1 {
		before = &p.atoms[p.pos-2]
	}
	return before.kind == atomLink && tableOfLink(before) == p.form.view.base && p.tableBeatsColumn(before)
}

func lastWord(words string) string {
	list := strings.Fields(strings.ToLower(words))
	return list[len(list)-1]
}

// dayOf returns the date on which the verb in a number's name was done: approved on, for the approved
// amount. It returns nil if there is no such date.
func (p *parser) dayOf(c *column) *column {
	word := stem(lastWord(p.atoms[p.pos].words))
	for _, d := range c.table.columns {
		if d.isDate() && slices.Contains(d.words, word) {
			return d
		}
	}
	return nil
}

// keyBehind returns the key of a joined table if its noun was read as one of its dates: "per order"
// does not mean by the date of the order. It returns nil if the date is meant.
func (p *parser) keyBehind(c *column) *column {
	a := &p.atoms[p.pos]
	if !c.isDate() || a.size != 1 {
		return nil
	}
	word := stem(strings.ToLower(a.words))
	for _, t := range p.form.view.joined {
		if t.on != nil && c.table == t && (slices.Contains(t.words, word) || slices.Equal(coreOf(t.on.words), []string{word})) {
			return t.on
		}
	}
	return nil
}
