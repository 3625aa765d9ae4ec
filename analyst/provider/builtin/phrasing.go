package builtin

import (
	"regexp"
	"slices"
	"strings"
)

// A question often ends with words about the form of its answer: "ordered by the number of papers in descending order", "Give the
// names and their counts." They name again what the question has already named, so the grammar would look for a second part of the
// answer. These expressions find such words; words that name something new are kept.
var (
	sentenceBreak = regexp.MustCompile(`[?.!]\s+`)
	// wantsOutput matches the beginning of a sentence that lists what the answer should show.
	wantsOutput = regexp.MustCompile(`(?i)^(?:please\s+)?(?:give|return|show|list|provide|include|display|output)\b`)
	// wantsOrder matches an order at the end of a sentence: its key, and its direction.
	wantsOrder = regexp.MustCompile(`(?i)[,;]?\s*(?:\b(?:and|then|please)\s+)*\b(?:order|ordered|sort|sorted|rank|ranked|arranged)\b` +
		`(?:\s+(?:the\s+|these\s+)?(?:results?|list|rows|output|answers?))?(?:\s+by\s+(.+?))?` +
		`(?:,?\s+(?:in\s+)?(ascending|descending)(?:\s+order)?|` +
		`,?\s+from\s+(?:the\s+)?(\w+)\s+to\s+(?:the\s+)?(\w+)(?:\s+\w+)?)?\s*[?.!]*$`)
	// tiesTo matches a participle that only connects a preposition to the noun before it: "located in", "listed in". It adds nothing,
	// because the columns of the row say where.
	tiesTo = regexp.MustCompile(`(?i)\b(?:that\s+(?:are|is|were|was)\s+|which\s+(?:are|is|were|was)\s+)?` +
		`(?:located|situated|listed|contained)\s+(in|at|on)\b`)
	// belongsTo matches a participle of a relation that no column names.
	belongsTo = regexp.MustCompile(`(?i)\b(?:that\s+(?:are|is|were|was)\s+|(?:are|is|were|was)\s+)?associated\s+with\s+(each|every|the)\b`)
	// inAll matches words that name all of the data.
	inAll = regexp.MustCompile(`(?i)\s+in\s+(?:the|this)\s+(?:database|dataset|data\s+set|data|records)` +
		`(\s*[,?.!]|\s*$|\s+(?:ordered|sorted)\b)`)
	// ratioPer matches a quotient that is said twice.
	ratioPer = regexp.MustCompile(`(?i)\bratio\s+of\s+(?:the\s+)?(\w+(?:\s+\w+)?\s+per\s+\w+)`)
	// mostNumber matches a superlative that is said twice.
	mostNumber = regexp.MustCompile(`(?i)\bmost\s+number\s+of\b`)
	// namesAnd matches a request for things by their names with another column of theirs.
	namesAnd = regexp.MustCompile(`(?i)^(?:(?:what|which)\s+(?:are|is)|what's|list|show|give(?:\s+me)?|return|get)\s+(?:the\s+)?` +
		`(?:names?|titles?)\s+and\s+(\w+(?:\s+\w+)?)\s+of\s+(?:all\s+)?(?:the\s+)?`)
	// getsThings matches a request that is not written as a question.
	getsThings = regexp.MustCompile(`(?i)^get\s+(?:all\s+)?the\b`)
	// namesOf matches a request for things by their names, which is how rows are shown.
	namesOf = regexp.MustCompile(`(?i)^((?:what|which)\s+(?:are|is)|what's|list|show|give(?:\s+me)?|return)\s+(?:the\s+)?` +
		`(?:names?|titles?)\s+of\s+(?:all\s+)?(?:the\s+)?`)
)

// phrased rewrites a question for the grammar.
func (l *language) phrased(question string) string {
	text := strings.TrimSpace(question)
	if !strings.Contains(text, " ") {
		return text
	}
	text = l.withoutOutput(text)
	text = l.withoutOrder(text)
	if at := inAll.FindStringIndex(text); at != nil && slices.ContainsFunc(lex(text[:at[0]]), func(t token) bool {
		return !l.stop[t.norm]
	}) {
		text = inAll.ReplaceAllString(text, "$1") // but "what is in this data" asks about the data
	}
	text = tiesTo.ReplaceAllString(text, "$1")
	text = belongsTo.ReplaceAllString(text, "for $1")
	text = ratioPer.ReplaceAllString(text, "$1")
	text = mostNumber.ReplaceAllString(text, "most")
	text = namesOf.ReplaceAllString(text, "list the ")
	text = namesAnd.ReplaceAllString(text, "list by name the $1 of the ")
	text = getsThings.ReplaceAllString(text, "list the")
	return text
}

// withoutOutput leaves out a last sentence that only lists what the question has already named.
func (l *language) withoutOutput(question string) string {
	for {
		ends := sentenceBreak.FindAllStringIndex(question, -1)
		if len(ends) == 0 {
			return question
		}
		last := ends[len(ends)-1]
		head, tail := question[:last[0]+1], question[last[1]:]
		switch {
		case wantsOrder.MatchString(tail) && wantsOrder.FindStringIndex(tail)[0] == 0:
			// The order belongs to the sentence before it.
			return l.withoutOutput(strings.TrimRight(head, "?.!")) + ", " + tail
		case wantsOutput.MatchString(tail) && l.repeats(tail, head):
			question = head
		default:
			return question
		}
	}
}

// withoutOrder leaves out an order by something that the question counts or measures anyway; its direction stays.
func (l *language) withoutOrder(question string) string {
	m := wantsOrder.FindStringSubmatchIndex(question)
	if m == nil || m[0] == 0 {
		return question
	}
	part := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return question[m[2*i]:m[2*i+1]]
	}
	head := question[:m[0]]
	key, direction := part(1), strings.ToLower(part(2))
	if from := part(3); from != "" && direction == "" {
		k := l.keywords["from "+strings.ToLower(from)+" to "+strings.ToLower(part(4))]
		if k.kind != atomDirection {
			return question
		}
		direction = map[string]string{"desc": "descending", "asc": "ascending"}[k.text]
	}
	if key == "" && direction == "" || key != "" && !(l.counts(key) && l.repeats(key, head)) {
		return question
	}
	if direction == "" {
		direction = "descending" // as after "sorted by" everywhere
	}
	return head + ", " + direction
}

// counts reports whether a key of an order is a figure: the number of papers, the total, their average.
func (l *language) counts(key string) bool {
	return slices.ContainsFunc(lex(key), func(t token) bool {
		return isOne(t.norm, "number", "count", "total", "average", "sum", "amount", "quantity", "numbers", "counts", "totals", "averages")
	})
}

// repeats reports whether each word of a part that has a meaning also occurs in the rest of the question.
func (l *language) repeats(part, rest string) bool {
	named := lex(rest)
	for i, t := range lex(part) {
		if i == 0 && wantsOutput.MatchString(part) || t.kind == tokenSymbol || l.stop[t.norm] || isOne(t.norm, "please", "give", "list",
			"include", "output", "corresponding", "count", "counts", "number", "numbers", "name", "names", "id", "ids", "title", "titles",
			"relevant", "associated", "respective", "result", "results", "order", "total", "average", "amount") {
			continue
		}
		if !slices.ContainsFunc(named, func(n token) bool { return n.stem == t.stem }) {
			return false
		}
	}
	return true
}
