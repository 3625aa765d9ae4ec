package analyst

// What is known of the sources of a turn: their facts, what people said about them, and the meaning derived from both. The
// planner and models read it before they write a query, and the check of totals reads it before a result is shown.

import (
	"context"
	"log/slog"
	"slices"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// knowledge is what is known of some sources.
type knowledge struct {
	// ids and keys are the ids and the work-file keys of the sources.
	ids  []int64
	keys []string
	// complete means that no measurement is pending, so that a later read would find nothing new.
	complete bool
	facts    map[int64][]domain.TableFacts
	meaning  *meaning.Meaning
}

// readKnowledge returns what is known of the sources. It is read once a turn, and again while a measurement is pending. Reading
// the facts of several sources also requests the measurement of the links between them.
func (r *run) readKnowledge(ctx context.Context, sources []domain.DataSource) *knowledge {
	ids, keys := make([]int64, len(sources)), make([]string, len(sources))
	for i := range sources {
		ids[i], keys[i] = sources[i].ID, sources[i].WorkKey
	}
	if k := r.knowledge; k != nil && k.complete && slices.Equal(k.ids, ids) && slices.Equal(k.keys, keys) {
		return k
	}
	out := &knowledge{ids: ids, keys: keys, facts: map[int64][]domain.TableFacts{}}
	found := r.readFacts(ctx, ids, out)
	corrections := r.readCorrections(ctx, ids)
	in := &semantic.Input{Links: found.Links, Today: r.cfg.Clock.Now().UTC()}
	for i := range sources {
		d := &sources[i]
		var of *domain.KnownFacts
		// Facts of a file that was replaced since do not apply to the new file.
		at := slices.IndexFunc(found.Sources, func(k domain.KnownFacts) bool { return k.Source == d.ID && k.Measured && k.WorkKey == d.WorkKey })
		switch {
		case at >= 0:
			of = &found.Sources[at]
			out.facts[d.ID] = of.Tables
		case d.HasFile && d.WorkKey != "" && !d.IsWarehouse():
			out.complete = false
		}
		ofSource := slices.DeleteFunc(slices.Clone(corrections), func(c meaning.Correction) bool { return c.Source != d.ID })
		in.Sources = append(in.Sources, semantic.NewSource(d, of, ofSource))
	}
	out.meaning = r.cfg.meanings.Of(in)
	r.knowledge = out
	return out
}

// readFacts reads the facts of all sources in one call. If that fails, totals over joins are shown as unchecked and less is
// derived, but the question is still answered.
func (r *run) readFacts(ctx context.Context, ids []int64, into *knowledge) *domain.FactsOfSources {
	if into.complete = r.cfg.Facts == nil || len(ids) == 0; into.complete {
		return &domain.FactsOfSources{}
	}
	found, err := r.cfg.Facts.Facts(ctx, r.job.Caller.OrganisationID, r.user(), ids)
	if err != nil {
		r.cfg.Log.LogAttrs(ctx, slog.LevelWarn, "the facts of data sources cannot be read", slog.Any("error", err))
		return &domain.FactsOfSources{}
	}
	into.complete = len(found.Unlinked) == 0
	return found
}

// readCorrections reads what people said about the sources.
func (r *run) readCorrections(ctx context.Context, ids []int64) []meaning.Correction {
	if r.cfg.Corrections == nil || len(ids) == 0 {
		return nil
	}
	corrections, err := r.cfg.Corrections.StandingOf(ctx, r.job.Caller.OrganisationID, r.user(), ids)
	if err != nil {
		// It is better to answer without the corrections than not to answer.
		r.cfg.Log.LogAttrs(ctx, slog.LevelWarn, "what people said about data sources cannot be read", slog.Any("error", err))
		return nil
	}
	return corrections
}
