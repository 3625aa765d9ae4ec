package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// review checks the step's results against its QA instructions, as far as that is possible without a
// model: empty cells, signs, numbers of rows, repeats. It lists what it cannot check, without a
// verdict.
func (p *Provider) review(r *analyst.Request, s *speaker) error {
	var tables []*domain.ResultSet
	for _, u := range r.Turns {
		if u.Result != nil && u.Result.Table != nil {
			tables = append(tables, u.Result.Table)
		}
	}
	var held, failed, open []string
	for _, line := range sentences(r.Guide.PlanStep().QAInstructions) {
		says, ok, known := check(line, tables)
		switch {
		case !known:
			open = append(open, "“"+safeLine(line, 160)+"”")
		case ok:
			held = append(held, says)
		default:
			failed = append(failed, says)
		}
	}
	var b strings.Builder
	switch {
	case len(failed) > 0:
		b.WriteString("Not passed: " + specialist.List(failed, "and") + ".")
		if len(held) > 0 {
			b.WriteString(" It is true that " + specialist.List(held, "and") + ".")
		}
	case len(held) > 0:
		b.WriteString("Passed: " + specialist.List(held, "and") + ".")
	}
	if len(open) > 0 {
		b.WriteString(" I cannot check " + specialist.List(open, "and") + " without a model.")
	}
	return s.say(analyst.ChannelAnswer, strings.TrimSpace(b.String()))
}

var rowsWanted = regexp.MustCompile(`(at least|at most|exactly|more than|fewer than|less than)\s+(\d{1,9})\s+(?:\w+\s+)?(?:row|result|` +
	`line|group|entr|record)`)

// check applies one sentence of the instructions to all results of the step.
func check(line string, tables []*domain.ResultSet) (says string, ok, known bool) {
	text := strings.ToLower(line)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	rows := rowsWanted.FindStringSubmatch(text)
	no := has("no ", "not ", "never", "without", "n't", "non-")
	switch {
	case len(tables) == 0:
		return "there is a result", false, rows != nil || has("negative", "empty", "missing", "null", "duplicate", "result", "row")
	case rows != nil:
		want, err := strconv.Atoi(rows[2])
		if err != nil {
			return "", false, false
		}
		n := len(tables[len(tables)-1].Rows)
		hold := map[string]bool{
			"at least": n >= want, "at most": n <= want, "exactly": n == want, "more than": n > want,
			"fewer than": n < want, "less than": n < want,
		}
		return fmt.Sprintf("the last result has %s", count(n, "row")), hold[rows[1]], true
	case no && has("negative"), has("non-negative"):
		n := counted(tables, func(v any) bool { x, ok := specialist.Number(v); return ok && x < 0 })
		return fmt.Sprintf("%s negative", howMany(n, "value")), n == 0, true
	case no && has("duplicate", "repeated", "twice"):
		n := repeats(tables)
		return fmt.Sprintf("%s repeated", howMany(n, "row")), n == 0, true
	case no && has("empty") && has("result") && !has("cell", "value", "column", "field"), has("returns rows", "has rows", "there are rows",
		"there is a result"):
		empty := slices.IndexFunc(tables, func(t *domain.ResultSet) bool { return len(t.Rows) == 0 })
		if empty >= 0 {
			return "a result has no rows", false, true
		}
		return "every result has rows", true, true
	case no && has("empty", "missing", "null", "blank"):
		n := counted(tables, func(v any) bool { s, isText := v.(string); return v == nil || isText && strings.TrimSpace(s) == "" })
		return fmt.Sprintf("%s empty", howMany(n, "cell")), n == 0, true
	default:
		return "", false, false
	}
}

func howMany(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + " is"
	case 1:
		return "1 " + what + " is"
	default:
		return count(n, what) + " are"
	}
}

func counted(tables []*domain.ResultSet, is func(any) bool) int {
	n := 0
	for _, t := range tables {
		for _, row := range t.Rows {
			for _, v := range row {
				if is(v) {
					n++
				}
			}
		}
	}
	return n
}

func repeats(tables []*domain.ResultSet) int {
	n := 0
	for _, t := range tables {
		seen := make(map[string]bool, len(t.Rows))
		for _, row := range t.Rows {
			key := fmt.Sprintf("%q", row)
			if seen[key] {
				n++
			}
			seen[key] = true
		}
	}
	return n
}

// conclude closes a plan with the first sentence of each step's answer.
func (p *Provider) conclude(r *analyst.Request, s *speaker) error {
	var lines []string
	for _, d := range r.Guide.Done {
		text := specialist.DigestAll([]string{d.Answer})
		if text == "" {
			continue
		}
		if d.Failed {
			text += " (The check of this step did not pass.)"
		}
		lines = append(lines, "- "+safe(d.Name)+": "+text)
	}
	return s.say(analyst.ChannelSummary, strings.Join(lines, "\n"))
}
