package builtin

import (
	"slices"
	"strings"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// FollowUps implements analyst.Follower. The last question is read as it was for the answer, even if a
// model answered it. Each possible follow-up is read after it; a follow-up is offered only if it is
// understood completely and asks for something else. If the last question cannot be read, or has too
// few follow-ups, the schema's own questions fill the list.
func (p *Provider) FollowUps(
	tables []analyst.Table, m *meaning.Meaning, questions []string, found *domain.ResultSet, limit int,
) []string {
	if len(tables) == 0 || len(questions) == 0 {
		return nil
	}
	if len(questions) > historyMax {
		questions = questions[len(questions)-historyMax:]
	}
	planner := p.planner(tables, m, questions)
	ofSchema := func() []string {
		return slices.DeleteFunc(planner.suggest(limit+len(questions)), func(q string) bool {
			return slices.Contains(questions, q)
		})
	}
	f := planner.follow(questions)
	if f == nil || f.help || !f.understood() {
		offers := ofSchema()
		return offers[:min(limit, len(offers))]
	}
	asked := sql(f)
	var out []string
	seen := map[string]bool{asked: true}
	offer := func(candidates []string) {
		for _, q := range candidates {
			if len(out) == limit {
				return
			}
			next := planner.follow(append(slices.Clone(questions), q))
			if next == nil || next.help || !next.understood() || len(next.ignored)+len(next.read) > 0 || slices.ContainsFunc(next.notes, isWarning) {
				continue
			}
			if query := sql(next); !seen[query] {
				seen[query] = true
				out = append(out, q)
			}
		}
	}
	offer(following(f, found))
	if len(out) < limit {
		offer(ofSchema())
	}
	return out
}

// isWarning reports whether a note says more than which parts of the question before were kept: a
// follow-up question is expected to keep parts.
func isWarning(note string) bool { return !strings.HasPrefix(note, keptNote) }

// following returns questions that depend on a form: by another column, over time, for the leading
// group, as parts of the whole.
func following(f *form, found *domain.ResultSet) []string {
	var out []string
	name := func(c *column) string { return c.spoken(c.titleWords()) }
	used := func(c *column) bool {
		return slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == c }) ||
			slices.ContainsFunc(f.where, func(w condition) bool { return w.col == c })
	}
	base := f.view.base
	var groups []*column
	for _, c := range base.columns {
		if c.sorts() && !used(c) {
			groups = append(groups, c)
		}
	}
	if len(groups) > 0 {
		out = append(out, "And by "+name(groups[0])+"?")
	}
	if f.timed() == nil && base.overMonths() {
		out = append(out, "And by month?")
	}
	if lead := leader(f, found); lead != "" {
		out = append(out, "Only for "+lead+"?", "And only "+lead+"?")
	}
	// One group is always the whole.
	if len(f.dims) > 0 && !f.share && f.addsUp() && (found == nil || len(found.Rows) > 1) {
		out = append(out, "As a share of the total?")
	}
	for _, c := range groups[min(1, len(groups)):] {
		out = append(out, "And by "+name(c)+"?")
	}
	if f.mode == modeGroups && len(f.dims) == 1 && f.limit == 0 && found != nil && len(found.Rows) > 5 {
		out = append(out, "Only the top 5?")
	}
	for _, c := range base.columns {
		measured := c == f.orderCol || slices.ContainsFunc(f.measures, func(m measure) bool { return m.col == c })
		if c.isNumber() && c.suggested() && !used(c) && !measured {
			out = append(out, "And the "+c.saidTitle()+"?", "And the "+name(c)+"?")
		}
	}
	return out
}

// addsUp reports whether the groups of a form are parts of a whole: means and highest values are not.
func (f *form) addsUp() bool {
	return !slices.ContainsFunc(f.measures, func(m measure) bool {
		return m.over != nil || m.per != nil || m.each != grainNone || m.agg != aggSum && m.agg != aggCount
	})
}

// leader returns the first group of a result in the words of a question.
func leader(f *form, found *domain.ResultSet) string {
	if found == nil || len(found.Rows) < 2 || len(f.dims) == 0 || !f.dims[0].col.isText() || f.growth {
		return ""
	}
	text, ok := found.Rows[0][0].(string)
	if !ok || text == "" || text != safe(specialist.Text(text)) || len(text) > 40 {
		return ""
	}
	return text
}
