package eval

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"parley.dev/parley/analyst/guard"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// Outcome is what became of a question.
type Outcome string

// The outcomes. What a suite expects is right, also a refusal.
const (
	Right Outcome = "right"
	// Partial is a part of what was asked, and nothing false about the rest.
	Partial Outcome = "partial"
	Asked   Outcome = "asked"
	Refused Outcome = "refused"
	// WrongSaid is a wrong value in an answer that says what it assumed or left out.
	WrongSaid Outcome = "wrongSaid"
	// WrongCertain is the worst: a wrong value, and no word of doubt.
	WrongCertain Outcome = "wrongCertain"
	// Failed is a turn without an answer: the provider, or the worker, could not be used.
	Failed Outcome = "failed"
)

// doubt finds what an answer says when it has assumed something or left something out. The texts are those
// of the planner's notes, and those that models use.
var doubt = regexp.MustCompile(`(?i)\b(` + strings.Join([]string{
	`so I took`, `I took (?:the|all|those)`, `I took [“"]`, `may also (?:be|mean)`, `may be told by`, `is read as`,
	`left (?:it|that|those|them) out`, `could not (?:place|tell|find)`, `did not (?:say|name|understand)`, `not (?:sure|certain)`,
	`unclear`, `ambiguous`, `assum\w+`, `interpret\w+`, `angenommen`, `nicht sicher`, `mehrdeutig`, `unklar`,
}, "|") + `)\b`)

// asking finds a question to the person.
var asking = regexp.MustCompile(`(?i)\?\s*$|\?\s+[A-Z]|\b(please (?:say|tell|name|specify|clarify)|say which|do you mean|did you mean|` +
	`bitte (?:sagen|nennen))\b`)

// quoted finds texts in quotes, which are not the assistant's own words.
var quoted = regexp.MustCompile("“[^”]*”|„[^“]*“|`[^`]*`|\"[^\"]*\"")

// prose returns the sentences of an answer, without lists (of questions that are offered, or of rows) and
// without texts in quotes.
func prose(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "* ") && !strings.HasPrefix(line, "|") {
			lines = append(lines, line)
		}
	}
	return quoted.ReplaceAllString(strings.Join(lines, "\n"), "")
}

// judgement is an outcome with its reason.
type judgement struct {
	outcome Outcome
	// declined means that nothing was answered, rightly.
	declined bool
	reason   string
}

// judge compares an answer with what is known. truths are the correct results, if there are any.
func judge(q *Question, a *answered, truths []truth) judgement {
	own := prose(a.text)
	results := slices.DeleteFunc(slices.Clone(a.queries), func(x query) bool { return x.result == nil })
	switch {
	case a.err != nil && len(results) == 0:
		return judgement{outcome: Failed, reason: a.err.Error()}
	case len(results) == 0 && slices.ContainsFunc(a.queries, unavailable):
		return judgement{outcome: Failed, reason: "a query could not be run"}
	case len(results) > 0:
		return judgeResult(q, a, results, truths)
	case q.Kind == KindAnswer && holdsText(q, own, truths):
		// Some questions need no query: what was found before, or what the schema says.
		return judgement{outcome: Right}
	case invents(own, q.Text+" "+strings.Join(q.Sources, " ")) && q.Kind != KindOpen:
		return judgement{outcome: wrong(a), reason: "figures without a query"}
	}
	declined := Refused
	if asking.MatchString(own) {
		declined = Asked
	}
	switch {
	case q.Kind == KindRefuse, q.Kind == KindAsk && declined == Asked, q.Kind == KindOpen:
		// To ask back instead of refusing is at least as good.
		return judgement{outcome: Right, declined: true}
	}
	return judgement{outcome: declined, reason: shorten(own)}
}

// unavailable reports whether a query failed for a reason that is not in its text: the worker did not
// answer. That says nothing about the provider.
func unavailable(x query) bool {
	code := domain.CodeOf(x.err)
	return x.err != nil && code != domain.CodeInvalid && code != domain.CodeTooLarge
}

// truth is the rows of a correct result, and how exact they are.
type truth struct {
	rows     [][]any
	decimals int
	// part means that these rows answer a part of the question.
	part bool
}

// judgeResult judges an answer that is based on a query. The last result is the answer's; earlier ones
// are steps on the way to it, unless a truth is only found there.
func judgeResult(q *Question, a *answered, results []query, truths []truth) judgement {
	if q.Kind == KindOpen {
		return judgement{outcome: Right}
	}
	if len(truths) == 0 {
		return judgement{outcome: wrong(a), reason: "answered instead of declined"}
	}
	best, reason := differs, ""
	percent := strings.Contains(a.text+columnsOf(results), "%") || strings.Contains(strings.ToLower(columnsOf(results)), "percent")
	for _, t := range truths {
		m := measure{t.decimals, percent}
		for _, r := range slices.Backward(results) {
			v, why := m.compare(r.result.Rows, t.rows, q.Rows)
			if q.Scattered {
				v, why = m.scattered(r.result, a.text, t.rows)
			}
			if t.part && v == agrees {
				v, why = part, "a part of the answer"
			}
			if v > best || reason == "" {
				best, reason = max(best, v), why
			}
		}
	}
	if best < agrees && holdsText(q, unwarned(a.text), truths) {
		best = agrees
	}
	switch {
	case best == differs:
		return judgement{outcome: wrong(a), reason: reason}
	case best == part:
		return judgement{outcome: Partial, reason: reason}
	case q.Chart != "" && q.Chart != a.chart:
		return judgement{outcome: Partial, reason: fmt.Sprintf("chart %s instead of %s", a.chart, q.Chart)}
	case !strings.Contains(a.plan, q.Plan):
		return judgement{outcome: Partial, reason: "the plan does not say: " + q.Plan}
	}
	return judgement{outcome: Right}
}

// columnsOf lists the names of the columns of the last result.
func columnsOf(results []query) string {
	var b strings.Builder
	for _, c := range results[len(results)-1].result.Columns {
		b.WriteString(c.Name + " ")
	}
	return b.String()
}

// wrong tells the two kinds of wrong answers apart.
func wrong(a *answered) Outcome {
	if doubt.MatchString(a.plan+"\n"+a.text) || unwarned(a.text) != a.text {
		return WrongSaid
	}
	return WrongCertain
}

// unwarned returns a text without the lines that warn of a wrong figure. They may name the correct figure, but the answer is
// the wrong one.
func unwarned(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, guard.Sign) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// textCells is up to how many values are looked for in the text of an answer.
const textCells = 12

// holdsText reports whether the text of an answer has all values of a truth, for answers that give them in
// words and show another table. Without a number of three digits the values may be there by chance.
func holdsText(q *Question, text string, truths []truth) bool {
	all := figures(text)
	return slices.ContainsFunc(truths, func(t truth) bool {
		rows := t.rows
		if t.part {
			return false
		}
		if q.Rows == RowsFirst && len(rows) > 0 {
			rows = rows[:1]
		}
		cells := slices.Concat(rows...)
		return len(cells) <= textCells && slices.ContainsFunc(cells, telling) &&
			!slices.ContainsFunc(cells, func(c any) bool { return !says(text, all, c) })
	})
}

// telling reports whether a value is hardly in a text by chance.
func telling(v any) bool {
	n, ok := specialist.Number(v)
	return ok && (math.Abs(n) >= 100 || n != math.Trunc(n))
}

// scattered looks for the values of a truth anywhere in a result and in the text: for public sets, whose
// answers are single values with a name of their own.
func (m measure) scattered(result *domain.ResultSet, text string, want [][]any) (verdict, string) {
	all := figures(text)
	cells := slices.Concat(result.Rows...)
	values := slices.Concat(want...)
	missing := 0
	for _, w := range values {
		// A public set has its values as texts, whose decimals say how they are rounded.
		own := m
		if written, ok := w.(string); ok {
			if read := figures(written); len(read) == 1 && strings.Trim(written, "-0123456789.") == "" {
				w, own.decimals = read[0].value, read[0].decimals
			}
		}
		if !says(text, all, w) && !slices.ContainsFunc(cells, func(c any) bool { return own.equal(c, w) }) {
			missing++
		}
	}
	switch missing {
	case 0:
		return agrees, ""
	case len(values):
		return differs, "none of the values"
	}
	return part, fmt.Sprintf("%d of %d values are missing", missing, len(values))
}

// invents reports whether sentences have figures that the question does not have. Small whole numbers count
// columns, files or words.
func invents(own, question string) bool {
	known := figures(question)
	return slices.ContainsFunc(figures(own), func(f figure) bool {
		if f.decimals == 0 && f.value <= 100 && !f.percent || f.decimals == 0 && f.value >= 1900 && f.value < 2100 {
			return false
		}
		return !slices.ContainsFunc(known, func(k figure) bool { return k.value == f.value })
	})
}

// shorten cuts a text for a report.
func shorten(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return domain.Shorten(line, 160)
}

// rowsText writes the first rows of a result for a report.
func rowsText(rows [][]any) string {
	const most = 6
	var b strings.Builder
	for i, row := range rows {
		if i == most {
			fmt.Fprintf(&b, " … %d rows", len(rows))
			break
		}
		cells := make([]string, len(row))
		for k, v := range row {
			cells[k] = specialist.Text(v)
		}
		b.WriteString("[" + strings.Join(cells, " | ") + "]")
	}
	return b.String()
}
