package persistence

// Facts of data sources as they are read. Rights and the present work keys are read from the database each time; the facts
// of a work key never change, so they are kept by the node (facts_cache.go).

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// pairsAsked is the maximum number of pairs whose links one call asks for.
const pairsAsked = 64

// Facts read what was measured of data sources, and give out measurements to nodes.
type Facts struct{ *core }

var (
	_ domain.FactsService = Facts{}
	_ domain.FactsQueue   = Facts{}
)

// Facts implements domain.FactsService.
func (s Facts) Facts(ctx context.Context, organisation, user int64, sources []int64) (*domain.FactsOfSources, error) {
	out := &domain.FactsOfSources{Sources: []domain.KnownFacts{}}
	if len(sources) == 0 {
		return out, nil
	}
	var states []dbsqlc.FactsStateRow
	var links []dbsqlc.LinkFactsStateRow
	err := s.asTenant(ctx, organisation, func(r *reading) {
		r.FactsState(&dbsqlc.FactsStateParams{UserID: user, Ids: sources, Attempts: domain.FactsAttempts}, &states)
		r.LinkFactsState(&dbsqlc.LinkFactsStateParams{UserID: user, Ids: sources}, &links)
	})
	if err != nil {
		return nil, err
	}
	bodies, err := s.bodies(ctx, organisation, states)
	if err != nil {
		return nil, err
	}
	for i := range states {
		row := &states[i]
		known := domain.KnownFacts{Source: row.ID, WorkKey: row.WorkKey, Failed: row.Failed}
		if body := bodies[factsPlace{row.ID, row.WorkKey, row.Rules}]; body != nil {
			known.Measured, known.MeasuredAt, known.SourceFacts = true, utc(row.MeasuredAt), *body
			if known.Changes, err = decodedFacts[[]domain.FactChange](row.Changes); err != nil {
				return nil, err
			}
		}
		out.Sources = append(out.Sources, known)
	}
	measured := map[[2]int64]bool{}
	for i := range links {
		pair := [2]int64{links[i].FirstID, links[i].SecondID}
		// The latest rules come first, and a measurement that is only asked for after all results.
		if links[i].Body == "" || measured[pair] {
			continue
		}
		measured[pair] = true
		of, err := decodedFacts[[]domain.SourceLink](links[i].Body)
		if err != nil {
			return nil, err
		}
		out.Links = append(out.Links, of...)
	}
	out.Unlinked = unlinked(states, measured)
	return out, s.ask(ctx, organisation, out.Unlinked)
}

// unlinked lists the pairs of files without links, not even with the answer that there are none.
func unlinked(states []dbsqlc.FactsStateRow, measured map[[2]int64]bool) [][2]int64 {
	var out [][2]int64
	for i := range states {
		for j := i + 1; j < len(states); j++ {
			// The rows are in the order of their ids.
			pair := [2]int64{states[i].ID, states[j].ID}
			if states[i].WorkKey != "" && states[j].WorkKey != "" && !measured[pair] {
				out = append(out, pair)
			}
		}
	}
	return out
}

// ask asks for the links of pairs, once for each pair of files.
func (s Facts) ask(ctx context.Context, organisation int64, pairs [][2]int64) error {
	if len(pairs) == 0 {
		return nil
	}
	p := &dbsqlc.LinkFactsAskParams{Rules: domain.FactsRules}
	for _, pair := range pairs[:min(len(pairs), pairsAsked)] {
		p.Firsts, p.Seconds = append(p.Firsts, pair[0]), append(p.Seconds, pair[1])
	}
	err := s.write(ctx, organisation, func(tx pgx.Tx) error { return s.q.LinkFactsAsk(ctx, tx, p) })
	if err == nil {
		s.wakeMeasurer()
	}
	return err
}

// bodies returns the facts of files, from the node's memory or from the database.
func (s Facts) bodies(ctx context.Context, organisation int64, states []dbsqlc.FactsStateRow) (map[factsPlace]*domain.SourceFacts, error) {
	out := make(map[factsPlace]*domain.SourceFacts, len(states))
	var p dbsqlc.FactsBodiesParams
	for i := range states {
		place := factsPlace{states[i].ID, states[i].WorkKey, states[i].Rules}
		if !states[i].Measured {
			continue
		}
		if out[place] = s.factsCache.get(place); out[place] == nil {
			p.Ids, p.WorkKeys, p.Rules = append(p.Ids, place.source), append(p.WorkKeys, place.workKey), append(p.Rules, place.rules)
		}
	}
	if len(p.Ids) == 0 {
		return out, nil
	}
	var rows []dbsqlc.FactsBodiesRow
	if err := s.asTenant(ctx, organisation, func(r *reading) { r.FactsBodies(&p, &rows) }); err != nil {
		return nil, err
	}
	for i := range rows {
		facts, err := decodedFacts[domain.SourceFacts](rows[i].Body)
		if err != nil {
			return nil, err
		}
		place := factsPlace{rows[i].DataSourceID, rows[i].WorkKey, rows[i].Rules}
		s.factsCache.put(place, &facts, len(rows[i].Body))
		out[place] = &facts
	}
	return out, nil
}

// LinkedSources implements domain.FactsService.
func (s Facts) LinkedSources(ctx context.Context, organisation, user, source int64) ([]domain.LinkedSource, error) {
	var rows []dbsqlc.LinkFactsOfRow
	err := s.asTenant(ctx, organisation, func(r *reading) {
		r.LinkFactsOf(&dbsqlc.LinkFactsOfParams{UserID: user, ID: source}, &rows)
	})
	if err != nil {
		return nil, err
	}
	out := []domain.LinkedSource{}
	for i := range rows {
		row := &rows[i]
		other := domain.LinkedSource{Source: row.FirstID, Name: row.FirstName}
		if other.Source == source {
			other = domain.LinkedSource{Source: row.SecondID, Name: row.SecondName}
		}
		// The latest rules come first.
		if len(out) > 0 && out[len(out)-1].Source == other.Source {
			continue
		}
		if other.Links, err = decodedFacts[[]domain.SourceLink](row.Body); err != nil {
			return nil, err
		}
		if other.Changes, err = decodedFacts[[]domain.FactChange](row.Changes); err != nil {
			return nil, err
		}
		out = append(out, other)
	}
	return out, nil
}

// decodedFacts decodes a stored body.
func decodedFacts[T any](body string) (out T, err error) {
	if err := json.Unmarshal([]byte(body), &out); err != nil {
		return out, domain.Internal(err, "What was measured of a connector could not be read.")
	}
	return out, nil
}

// encodedFacts encodes a body for the database.
func encodedFacts(v any) (string, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return "", domain.Internal(err, "What was measured of a connector could not be written.")
	}
	return string(body), nil
}
