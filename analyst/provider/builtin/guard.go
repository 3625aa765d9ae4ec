package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// The guard looks at a reading when it is finished. What the parser took in
// silence and may change the answer is refused here, with its name: a wrong
// number that is stated as certain is worse than none. Each rule is of a class
// of words or of shapes, never of one question.

// guard checks what the words of the question were taken for.
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
	p.noteTaken()
}

// refuse blocks with a word that has no part in the reading.
func (p *parser) refuse(word, why string) {
	p.form.block(fmt.Sprintf("I do not know how to read “%s” here%s.", word, why))
}

// said is the question's words in small letters, each with the place of its atom.
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

// deed tells verbs of what people and things do in a row of a table: bought,
// visited, sold. Said of a thing, they hold of some of its rows.
func deed(w string) bool {
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

// ofThings tells a reading whose answer is things and not the rows that tell of them:
// customers, where the rows are their orders.
func (p *parser) ofThings() bool {
	f := p.form
	if f.counted != nil || slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggDistinct }) {
		return true
	}
	return slices.ContainsFunc(f.dims, func(d dimension) bool { return d.grain == grainNone && d.width == 0 && d.periods == nil })
}

// clause reports whether something is said of a thing before a place in the question,
// with a verb of its own: "who bought", "products sold".
func clause(words []saidWord, before int) bool {
	for i, w := range words[:before] {
		if deed(w.text) || i > 0 && isOne(w.text, "who", "that", "whose", "which") {
			return true
		}
	}
	return false
}
