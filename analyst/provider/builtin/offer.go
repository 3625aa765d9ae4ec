package builtin

import (
	"slices"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// Offer returns at most limit questions that these data sources can answer. Each question is read with
// its own source alone, and is kept only if no word of it was left out. If there are several sources,
// each contributes its best question before any contributes a second one.
func (p *Provider) Offer(sources []domain.DataSource, limit int) []domain.OfferedQuestion {
	offers := make([][]string, len(sources))
	for i := range sources {
		if tables := analyst.Tables(sources[i : i+1]); len(tables) > 0 {
			offers[i] = p.planner(tables, nil, nil).suggest(limit)
		}
	}
	var out []domain.OfferedQuestion
	said := func(text string) bool {
		return slices.ContainsFunc(out, func(q domain.OfferedQuestion) bool { return q.Text == text })
	}
	for round := range limit {
		for i, texts := range offers {
			if round < len(texts) && len(out) < limit && !said(texts[round]) {
				out = append(out, domain.OfferedQuestion{Text: texts[round], DataSourceID: sources[i].ID})
			}
		}
	}
	return out
}
