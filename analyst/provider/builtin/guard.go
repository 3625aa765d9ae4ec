package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// The guard checks a reading when it is finished. Anything that the parser accepted silently, and that
// may change the answer, is refused here by name: a wrong number that looks certain is worse than
// no number. Each rule is about a class of words or of shapes, and never about one question.

// guard checks how the words of the question were read.
func (p *parser) guard() {
	f := p.form
	if f.help {
		return
	}
	p.guardForeign()
	p.guardDescription()
	if f.mode == modeDescribe {
		return
	}
	p.guardScope()
	p.guardSides()
	p.guardShape()
	p.guardValues()
	p.guardMeasures()
	p.guardForms()
	p.guardWho()
	p.guardHeads()
	p.guardEach()
	p.guardAggregations()
	p.guardDropped()
	p.guardUnsaid()
	p.noteTaken()
}

// refuse blocks with a word that has no part in the reading.
func (p *parser) refuse(word, why string) {
	p.form.block(fmt.Sprintf("I do not know how to read “%s” here%s.", word, why))
}

// saidWord is a word of the question in small letters, with the position of its atom.
type saidWord struct {
	text string
	at   int
}

func (p *parser) said() []saidWord {
	var out []saidWord
	for i := range p.atoms {
		if p.atoms[i].kind == atomQuoted {
			out = append(out, saidWord{"“quoted”", i})
			continue
		}
		for _, w := range strings.Fields(strings.ToLower(p.atoms[i].words)) {
			out = append(out, saidWord{w, i})
		}
	}
	return out
}

// actionVerb reports whether a word is a verb for what people and things do in a row of a table: bought, visited, sold. Such a verb
// is true of a thing if it is true of one of its rows.
func actionVerb(w string) bool {
	return isOne(w, "bought", "buy", "buys", "buying", "ordered", "order", "sold", "sell", "sells", "purchased", "purchase",
		"visited", "visit", "used", "use", "uses",
		"rented", "rent", "booked", "book", "watched", "listened", "reviewed", "rated", "returned", "return", "paid", "pay",
		"attended", "attend", "worked", "work", "works",
		"played", "play", "won", "lost", "won", "shipped", "ship", "delivered", "stocked", "stock", "offered", "available",
		"present", "appear", "appears", "appeared",
		"traded", "borrowed", "borrow", "made", "make", "placed", "place", "submitted", "opened", "closed", "resolved", "handled",
		"handle", "handles", "escalated", "reopened",
		"completed", "complete", "failed", "passed", "took", "taken", "take", "received", "receive", "missed", "served", "serve",
		"treated", "taught", "enrolled", "studied",
		"got", "get", "grown", "grew", "scored", "score", "joined", "left", "cancelled", "canceled", "contacted", "called", "spent",
		"spend", "renewed", "renew", "active",
		"called", "driven", "drove", "flew", "flown", "stayed", "stay", "ran", "run", "streamed", "downloaded", "clicked",
		"subscribed", "churned", "reordered", "had", "have", "has")
}

// ofThings reports whether the answer of a reading consists of things, and not of the rows about them:
// customers, if the rows are their orders.
func (p *parser) ofThings() bool {
	f := p.form
	if f.counted != nil || slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggDistinct }) {
		return true
	}
	return slices.ContainsFunc(f.dims, func(d dimension) bool { return d.grain == grainNone && d.width == 0 && d.periods == nil })
}

// clause reports whether the question says something about a thing before a position, with a verb of
// its own: "who bought", "products sold".
func clause(words []saidWord, before int) bool {
	for i, w := range words[:before] {
		if actionVerb(w.text) || i > 0 && isOne(w.text, "who", "that", "whose", "which") {
			return true
		}
	}
	return false
}
