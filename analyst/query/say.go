package query

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"parley.dev/parley/domain/meaning"
)

// Say says in English what is asked: one sentence, and a note for each thing that a reader has to know, such as that groups
// overlap or that a level is taken in its last period.
func Say(a Ask) string {
	m, n := a.ask()
	s := &speaker{m: m}
	sentence := s.ask(n)
	if len(m.steps) > 0 {
		var steps []string
		for _, k := range m.steps {
			steps = append(steps, s.step(k))
		}
		sentence += ", after these steps: " + strings.Join(steps, "; ")
	}
	return strings.Join(append([]string{upper(sentence) + "."}, s.notes...), " ")
}

// speaker collects the notes of a sentence.
type speaker struct {
	m     *Model
	notes []string
}

func (s *speaker) note(format string, args ...any) {
	if text := upper(fmt.Sprintf(format, args...)); !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}

func upper(text string) string {
	r := []rune(text)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

// say says a part of a tree without its notes.
func (m *Model) say(n *node) string { return (&speaker{m: m}).part(n) }

func (s *speaker) part(n *node) string {
	switch {
	case isMeasure(n) && n.Op != opNamed:
		return s.measure(n)
	case isWindow(n):
		return s.window(n)
	case n.Op == opNamed:
		return s.part(n.Kids[0])
	}
	if _, scalar := scalarWords()[n.Op]; scalar {
		return s.scalar(n)
	}
	return s.pred(n)
}

// nameOf is the name of a column of a result.
func (m *Model) nameOf(n *node) string {
	if n.Op == opNamed {
		return n.word(0)
	}
	var b strings.Builder
	for _, r := range strings.ToLower(shortName(m, n)) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		} else if !strings.HasSuffix(b.String(), "_") {
			b.WriteByte('_')
		}
	}
	name := strings.Trim(b.String(), "_")
	// PostgreSQL cuts names at 63 bytes.
	if r := []rune(name); len(r) > 56 {
		name = string(r[:56])
	}
	for len(name) > 56 {
		r := []rune(name)
		name = string(r[:len(r)-1])
	}
	name = strings.TrimRight(name, "_")
	if name == "" {
		return "value"
	}
	return name
}

// shortName says a part without the words that belong only into a sentence.
func shortName(m *Model, n *node) string {
	switch n.Op {
	case opCol:
		if n.Part != "" {
			return n.Part + " " + n.Column
		}
		return n.Column
	case opTrunc:
		return n.word(0)
	case opPart:
		if n.word(0) == "month" || n.word(0) == "day" {
			return n.word(0) + " of " + map[string]string{"month": "year", "day": "month"}[n.word(0)]
		}
		return n.word(0)
	case opOverlap:
		return shortName(m, n.Kids[0])
	case opCount:
		return m.say(op(opCount, &node{Op: opSet, Table: n.Kids[0].Table, Part: n.Kids[0].Part, Kids: []*node{op(opAll)}}))
	case opTotal, opAt:
		words := map[string]string{opTotal: "total ", opAt: ""}
		return words[n.Op] + n.Kids[0].Column
	case opStat:
		return statisticWord(n.word(0)) + " " + n.Kids[0].Column
	case opWhen:
		return shortName(m, n.Kids[0]) + " where " + m.say(n.Kids[1])
	}
	return m.say(n)
}

// statisticWord is the word of a statistic.
func statisticWord(statistic string) string {
	switch statistic {
	case "min":
		return "lowest"
	case "max":
		return "highest"
	case "std", "stdp":
		return "standard deviation of"
	case "var", "varp":
		return "variance of"
	case "iqr":
		return "distance of the quartiles of"
	case "mad":
		return "median distance from the median of"
	case "skew":
		return "skewness of"
	case "range", "kurtosis", "quantile":
		return statistic + " of"
	case "mode":
		return "most frequent"
	}
	return statistic
}

func join(all []string, and string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " " + and + " " + all[len(all)-1]
}

func (s *speaker) list(nodes []*node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, s.part(n))
	}
	return out
}

// set says the rows of a set.
func (s *speaker) set(n *node) string {
	t, err := s.m.base(n)
	if err != nil {
		return n.Table
	}
	if n.Kids[0].Op == opAll {
		return t.plural()
	}
	return t.plural() + " where " + s.pred(n.Kids[0])
}

func (s *speaker) ask(n *node) string {
	switch n.Op {
	case opRows:
		return s.rows(n)
	case opTally:
		return "how many groups there are of: " + s.ask(n.Kids[0])
	case opChange:
		return fmt.Sprintf("where the change of %s comes from, by %s, from %s to %s, of the %s", s.part(n.Kids[1]),
			join(s.list(n.Kids[3].Kids), "and"), between(n.Words[:2]), between(n.Words[2:]), s.set(n.Kids[0]))
	}
	out := join(s.list(n.Kids[groupsShow].Kids), "and")
	if w := s.list(n.Kids[groupsOver].Kids); len(w) > 0 {
		out += ", with " + join(w, "and")
	}
	if by := s.list(n.Kids[groupsBy].Kids); len(by) > 0 {
		out += ", by " + join(by, "and")
	}
	if where := n.Kids[groupsOf].Kids[0]; where.Op != opAll {
		out += ", where " + s.pred(where)
	}
	for _, h := range n.Kids[groupsHave].Kids {
		out += fmt.Sprintf(", only groups with %s %s %s", s.part(h.Kids[0]), compared(h.word(0)), number(h.Numbers[0]))
	}
	for _, t := range n.Kids[groupsTop].Kids {
		out += ", " + s.top(t)
	}
	out += s.ordered(n.Kids[groupsOrder].Kids)
	s.groupNotes(n)
	return out
}

func (s *speaker) rows(n *node) string {
	out := join(s.list(n.Kids[rowsCols].Kids), "and") + " of the " + s.set(n.Kids[rowsOf])
	for _, t := range n.Kids[rowsTop].Kids {
		out += ", " + s.top(t)
	}
	return out + s.ordered(n.Kids[rowsOrder].Kids)
}

func (s *speaker) ordered(orders []*node) string {
	var all []string
	for _, o := range orders {
		all = append(all, s.part(o.Kids[0])+map[bool]string{true: ", highest first"}[o.word(0) == "desc"])
	}
	if len(all) == 0 {
		return ""
	}
	return ", ordered by " + join(all, "then")
}

func (s *speaker) top(n *node) string {
	if n.Op == opFirst {
		return s.first(n)
	}
	which := map[string]string{"desc": "highest", "asc": "lowest"}[n.word(0)]
	count, from := int(n.Numbers[0]), int(n.Numbers[1])
	out := fmt.Sprintf("the %d with the %s %s", count, which, s.part(n.Kids[0]))
	if from > 1 {
		out = fmt.Sprintf("the places %d to %d by the %s %s", from, from+count-1, which, s.part(n.Kids[0]))
	}
	if len(n.Kids) > 1 {
		out += " within each " + join(s.list(n.Kids[1:]), "and")
	}
	s.note("Equal ones share a place.")
	return out
}

// first says that only the first groups or rows are kept.
func (s *speaker) first(n *node) string {
	count, from := int(n.Numbers[0]), int(n.Numbers[1])
	out := fmt.Sprintf("the first %d", count)
	if from > 1 {
		out = fmt.Sprintf("the places %d to %d", from, from+count-1)
	}
	if len(n.Kids) > 0 {
		out += " within each " + join(s.list(n.Kids), "and")
	}
	return out
}

// groupNotes says what a reader of groups has to know.
func (s *speaker) groupNotes(n *node) {
	homes := map[string]bool{}
	for _, f := range (Groups{s.m, n}).figures() {
		leaves, err := s.m.leaves(f)
		if err != nil {
			continue
		}
		for _, l := range leaves {
			homes[l.home.key()] = true
			s.levelNote(l, n.Kids[groupsBy].Kids)
			s.overlapNote(l, n.Kids[groupsBy].Kids)
		}
	}
	if len(homes) > 1 {
		s.note("Each figure is calculated from its own table.")
	}
}

func (s *speaker) levelNote(l leaf, by []*node) {
	if l.n.Op != opAt {
		return
	}
	name := label(l.home.t, l.n.Kids[0].Column)
	step := string(l.home.t.Snapshot.Step)
	if step == "" {
		step = "period"
	}
	window := ""
	if slices.ContainsFunc(by, func(d *node) bool { return d.Op == opTrunc && ofPeriod(l.home.t, d.Kids[0]) && d.word(0) != step }) {
		window = " of each time"
	}
	switch Pick(l.n.word(0)) {
	case LastPeriod:
		s.note("%s is a level, so %ss are not added up: the last %s%s is taken.", name, step, step, window)
	case LastPerEntity:
		s.note("%s is a level, so %ss are not added up: the last value of each %s%s is taken.", name, step,
			strings.Join(l.home.t.Snapshot.Entity, " and "), window)
	case MeanOfPeriods:
		s.note("%s is a level, so %ss are not added up: the mean of the %ss is taken.", name, step, step)
	case Each:
		s.note("%s is a level, so %ss are not added up: each %s stands alone.", name, step, step)
	}
}

func (s *speaker) overlapNote(l leaf, by []*node) {
	for _, d := range by {
		if d.Op != opOverlap {
			continue
		}
		t := s.m.find(d.Kids[0].Table)
		if _, once, err := s.m.route(l.home, t, d.Kids[0].Column, d.Kids[0].Part); err != nil || once {
			continue
		}
		s.note("A %s can have several of %s and counts in full for each, so these groups overlap and do not add up to the whole.",
			rowOf(l.home), s.part(d))
	}
}

func (s *speaker) step(n *node) string {
	switch n.Op {
	case opLet:
		return "“" + n.word(0) + "” is " + s.part(n.Kids[0])
	case opKeep:
		return "only " + s.set(n.Kids[0]) + " are kept"
	}
	return "missing values of " + s.part(n.Kids[0]) + " are filled with the " + n.word(0)
}

// unitOf says a unit behind a name.
func unitOf(u meaning.Unit) string {
	switch u.Kind {
	case meaning.Money, meaning.Duration, meaning.Physical:
		if u.Symbol != "" {
			return " in " + u.Symbol
		}
		if u.Column != "" {
			return " in each " + strings.ReplaceAll(u.Column, "_", " ")
		}
	case meaning.Percent:
		return " in percent"
	case meaning.NoUnit, meaning.Count:
	}
	return ""
}

func between(days []string) string { return days[0] + " to before " + days[1] }

func compared(operator string) string {
	return map[string]string{"=": "equal to", "<": "below", "<=": "at most", ">": "above", ">=": "at least"}[operator]
}
