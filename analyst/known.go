package analyst

// What is known of the sources of a turn: their facts, what people said about them, and the meaning that is derived of both.
// The planner and models read it before they make a query, and the check of totals reads it before a result is shown.

import (
	"context"
	"log/slog"
	"slices"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// known is what is known of some sources.
type known struct {
	// ids and keys are those of the sources and of their work files.
	ids  []int64
	keys []string
	// whole says that nothing is still to be measured, so that a later reading would find no more.
	whole   bool
	facts   map[int64][]domain.TableFacts
	meaning *meaning.Meaning
}

// know returns what is known of the sources. It is read once a turn, and again while something is still to be measured. Links
// between sources that were never asked together are asked for by reading.
func (r *run) know(ctx context.Context, sources []domain.DataSource) *known {
	ids, keys := make([]int64, len(sources)), make([]string, len(sources))
	for i := range sources {
		ids[i], keys[i] = sources[i].ID, sources[i].WorkKey
	}
	if k := r.known; k != nil && k.whole && slices.Equal(k.ids, ids) && slices.Equal(k.keys, keys) {
		return k
	}
	out := &known{ids: ids, keys: keys, facts: map[int64][]domain.TableFacts{}}
	found := r.readFacts(ctx, ids, out)
	said := r.readCorrections(ctx, ids)
	in := &semantic.Input{Links: found.Links, Today: r.cfg.Clock.Now().UTC()}
	for i := range sources {
		d := &sources[i]
		var of *domain.KnownFacts
		// Facts of a file that has been replaced meanwhile say nothing about the one that is asked.
		at := slices.IndexFunc(found.Sources, func(k domain.KnownFacts) bool { return k.Source == d.ID && k.Measured && k.WorkKey == d.WorkKey })
		switch {
		case at >= 0:
			of = &found.Sources[at]
			out.facts[d.ID] = of.Tables
		case d.HasFile && d.WorkKey != "" && !d.IsWarehouse():
			out.whole = false
		}
		corrections := slices.DeleteFunc(slices.Clone(said), func(c meaning.Correction) bool { return c.Source != d.ID })
		in.Sources = append(in.Sources, semantic.NewSource(d, of, corrections))
	}
	out.meaning = r.cfg.meanings.Of(in)
	r.known = out
	return out
}

// readFacts reads the facts of all sources in one call. Without them a total over a join is said to be unchecked, and less is
// derived; the question is answered all the same.
func (r *run) readFacts(ctx context.Context, ids []int64, into *known) *domain.FactsOfSources {
	if into.whole = r.cfg.Facts == nil || len(ids) == 0; into.whole {
		return &domain.FactsOfSources{}
	}
	found, err := r.cfg.Facts.Facts(ctx, r.job.Caller.OrganisationID, r.user(), ids)
	if err != nil {
		r.cfg.Log.LogAttrs(ctx, slog.LevelWarn, "the facts of data sources cannot be read", slog.Any("error", err))
		return &domain.FactsOfSources{}
	}
	into.whole = len(found.Unlinked) == 0
	return found
}

// readCorrections reads what people said about the sources.
func (r *run) readCorrections(ctx context.Context, ids []int64) []meaning.Correction {
	if r.cfg.Corrections == nil || len(ids) == 0 {
		return nil
	}
	said, err := r.cfg.Corrections.StandingOf(ctx, r.job.Caller.OrganisationID, r.user(), ids)
	if err != nil {
		// What people said is left out of this answer rather than the answer itself.
		r.cfg.Log.LogAttrs(ctx, slog.LevelWarn, "what people said about data sources cannot be read", slog.Any("error", err))
		return nil
	}
	return said
}
