package builtin

import (
	"slices"
	"strings"
)

// stance is the relation of a question to the question before. It depends on the structure of the
// question, and never on words that both have in common: a question that is complete by itself takes
// nothing from the question before; a question without a clause of its own changes the question before.
type stance struct {
	// opener means that its beginning connects it to the question before: "and …", "what about …".
	opener bool
	// changes means that it changes what was shown: "instead", "same for".
	changes bool
	// adds means that what was shown stays, in addition to what is named: "the median as well".
	adds bool
	// back means that it refers to the rows of the answer before: "of those", "their".
	back bool
	// compares means that it compares what it names with what was shown: "compared to Hull".
	compares bool
	// part means that it begins like a part of a sentence: "without the late ones".
	part bool
	// whole means that it is complete by itself: "which vet did the most emergencies".
	whole bool
	// verbal means that it has a verb; "and how many dogs" has none.
	verbal bool
	// all means that it removes a filter: "for all carriers".
	all bool
	// ranksOnly means that it has a superlative and names nothing: "and the lowest?".
	ranksOnly bool
	// sorts means that it only asks for an order: "sort by genre".
	sorts bool
	// uncounted means that it asks how many, but does not say of what.
	uncounted bool
	// counts means that its superlative is about a number of rows: "the busiest month".
	counts bool
	// plural means that it begins with a value that names rows: "emergencies by month".
	plural bool
	// tabled means that it names the rows of the table.
	tabled bool
	// listed means that it asks for the rows themselves.
	listed bool
	// measured means that it says what is measured or counted.
	measured bool
}

// stanceOf determines the stance of a question from its structure.
func stanceOf(ts []token, atoms []atom) stance {
	s := stance{
		opener: len(ts) > 1 && isOne(ts[0].norm, "and", "or", "now", "then", "but", "also") || len(ts) > 2 &&
			isOne(ts[0].norm+" "+ts[1].norm, "what about", "how about"),
		back:   pointsBack(ts, atoms),
		all:    liftsFilter(ts),
		verbal: slices.ContainsFunc(ts, func(t token) bool { return auxiliary(t.norm) }),
	}
	said := slices.DeleteFunc(slices.Clone(atoms), func(a atom) bool { return a.kind == atomStop && isOne(a.words, "?", ".", "!", ",") })
	for i := range said {
		a := &said[i]
		switch a.kind {
		case atomFollow:
			s.changes = s.changes || a.text == "change" && !s.replaces(said, i)
			s.adds = s.adds || a.text == "add" && (i == 0 || i == len(said)-1)
		case atomRows:
			s.listed = true
		case atomHowMany, atomShare:
			s.whole = s.whole || nounAt(said, i+1)
			s.uncounted = s.uncounted || strings.EqualFold(a.words, "how many") && !nounAt(said, i+1)
		case atomSuper:
			s.counts = s.counts || a.hint == "count"
			s.whole = s.whole || a.hint == "count" || isOne(strings.ToLower(a.words), "most", "fewest", "least") && nounAt(said, i+1)
		default:
		}
	}
	s.ranksOnly = names(said) == 0 && !s.whole && slices.ContainsFunc(said, func(a atom) bool {
		return a.kind == atomSuper && (a.hint == "" || said[0].kind == atomWhich || s.opener)
	})
	first := 0
	for first < len(said) && (said[first].kind == atomFollow || said[first].kind == atomAnd || isOne(strings.ToLower(said[first].words),
		"please", "so", "ok", "okay")) {
		first++
	}
	if first == len(said) {
		return s
	}
	opens, word := said[first].kind, strings.ToLower(said[first].words)
	s.compares = opens == atomVs || opens == atomCompare && first+1 < len(said) && isOne(strings.ToLower(said[first+1].words), "to", "with",
		"it", "that", "this")
	if v := valueOf(&said[first]); opens == atomLink && v != nil {
		s.plural = word != strings.ToLower(v.value) && singular(word) == strings.ToLower(v.value)
	}
	s.sorts = opens == atomOrder && names(said[first:]) == 1
	s.part = opens == atomNot || opens == atomBy || opens == atomEach || opens == atomStop && preposition(word)
	s.whole = s.whole && !lacksSubject(said[first:]) || asksWhich(said[first:]) || auxiliary(word) && names(said[first:]) > 1
	return s
}

// joined reports whether a question itself says that it belongs to the question before.
func (s stance) joined() bool {
	return s.opener || s.changes || s.adds || s.back || s.compares || s.part
}

// replaces reports whether "instead of cats" belongs to a complete question with a verb: there it does
// not ask to change the question before.
func (s stance) replaces(atoms []atom, i int) bool {
	return strings.EqualFold(atoms[i].words, "instead") && i+1 < len(atoms) && strings.EqualFold(atoms[i+1].words, "of") && s.whole && s.verbal
}

// changesPrevious reports whether a question is read as a change of the question before.
func (f *form) changesPrevious() bool {
	s := f.stance
	switch {
	case s.back, s.changes, s.compares, s.uncounted, s.ranksOnly, s.sorts:
		return true
	case (f.compare || f.growth || f.share || f.shareOf != nil) && !s.measured && !s.tabled && !(s.whole && !f.compare):
		return true // it does not say what to compare or divide
	case s.adds && (!s.whole || !s.verbal):
		return true
	case s.opener && !s.verbal && (!s.measured || len(f.dims) == 0):
		return true
	case s.whole, s.plural && len(f.dims) > 0:
		return false
	case s.part && !s.measured && !s.listed:
		return true
	}
	return f.fragment || f.follows && len(f.measures) == 0
}

// liftsFilter reports whether a question consists only of words such as "for all carriers".
func liftsFilter(ts []token) bool {
	for i, t := range ts {
		switch {
		case isOne(t.norm, "all", "both"):
			return len(ts)-i <= 4
		case !preposition(t.norm) && !isOne(t.norm, "and", "now", "what", "how", "about", "the", "same", "again", "show", "it"):
			return false
		}
	}
	return false
}

// pointsBack reports whether a question has a pronoun that refers to the question before, because
// nothing named before it in the question itself could be meant.
func pointsBack(ts []token, atoms []atom) bool {
	named := len(ts)
	at := 0
	for i := range atoms {
		if atoms[i].kind == atomLink {
			named = at
			break
		}
		at += atoms[i].size
	}
	for i, t := range ts[:named] {
		next := token{}
		if i+1 < len(ts) {
			next = ts[i+1]
		}
		switch {
		case isOne(t.norm, "them", "they", "their", "theirs"):
			return true
		case isOne(t.norm, "those", "these") && !isOne(next.norm, "who", "with", "that", "which", "where", "whose", "aged", "over", "under",
			"having", "without"):
			return true
		case isOne(t.norm, "one", "ones") && i > 0 && ts[i-1].norm == "which":
			return true
		}
	}
	return false
}

// nounAt reports whether the next words name something: they do in "how many dogs", but not in "how
// many were insured".
func nounAt(atoms []atom, i int) bool {
	for i < len(atoms) && (atoms[i].kind == atomDistinct || atoms[i].kind == atomStop && isOne(strings.ToLower(atoms[i].words), "the", "a",
		"an", "of", "all", "our", "my", "their")) {
		i++
	}
	return i < len(atoms) && (atoms[i].kind == atomLink || atoms[i].kind == atomUnknown || atoms[i].kind == atomRows)
}

// names counts what a question names.
func names(atoms []atom) int {
	n := 0
	for i := range atoms {
		switch atoms[i].kind {
		case atomLink, atomSpan, atomNumber, atomQuoted, atomRecurring, atomMissing, atomUnknown, atomContains:
			n++
		default:
		}
	}
	return n
}

// asksWhich reports whether a question asks which one of something that it names, with a verb and not
// only with a superlative: "which vets treat dogs".
func asksWhich(atoms []atom) bool {
	if atoms[0].kind != atomWhich {
		return false
	}
	// "who uses the lift the most" says what is ranked; "the vet with the most" does not.
	n, last := names(atoms), len(atoms)-1
	ranks := slices.ContainsFunc(atoms[:last], func(a atom) bool {
		return a.kind == atomSuper
	}) || atoms[last].kind == atomSuper && n < 2 && !strings.EqualFold(atoms[0].words, "who")
	verb := false
	for i := range atoms[1:] {
		a := &atoms[i+1]
		verb = verb || a.kind == atomUnknown || (a.kind == atomStop || a.kind == atomFlow) && !preposition(strings.ToLower(a.words)) &&
			!isOne(strings.ToLower(a.words), "the", "a", "an", "of", "one", "ones", "?", ",", ".")
	}
	if strings.EqualFold(atoms[0].words, "who") || strings.EqualFold(atoms[0].words, "where") {
		n++
	}
	return verb && n > 1 && !ranks
}

// lacksSubject recognises "which had the most dogs": it does not say which kind of thing is asked for.
func lacksSubject(atoms []atom) bool {
	return len(atoms) > 1 && strings.EqualFold(atoms[0].words, "which") && auxiliary(strings.ToLower(atoms[1].words))
}

// auxiliary reports whether a word is a verb that makes a clause of a question.
func auxiliary(w string) bool {
	return isOne(w, "is", "are", "was", "were", "do", "does", "did", "has", "have", "had")
}

// preposition reports whether a part of a sentence may begin with a word.
func preposition(w string) bool {
	return isOne(w, "in", "for", "from", "of", "at", "on", "with", "without", "by", "per", "within", "during", "among", "to", "between",
		"via", "through", "under", "over", "as", "across")
}
