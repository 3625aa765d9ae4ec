package fakes

import (
	"context"

	"parley.dev/parley/domain"
)

// Facts is the service of facts. The file of SourceID is measured, every other one is not yet.
type Facts struct{ *World }

// Facts implements domain.FactsService.
func (f Facts) Facts(_ context.Context, _, user int64, sources []int64) (*domain.FactsOfSources, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := &domain.FactsOfSources{Sources: []domain.KnownFacts{}}
	for _, id := range sources {
		d, ok := f.sources[user][id]
		if !ok {
			continue
		}
		known := domain.KnownFacts{Source: id, WorkKey: d.WorkKey}
		if id == SourceID {
			known.Measured, known.MeasuredAt = true, f.now
			known.Tables = []domain.TableFacts{{
				Table: "sales", Rows: 2, Keys: [][]string{{"region"}}, Implied: []domain.Implication{{By: []string{"shop"}, Columns: []string{"city"}}},
				Panel: &domain.PanelFacts{
					Entity: []string{"shop"}, Period: "month", Series: []domain.SeriesFacts{{Column: "stock", ChangeColumn: "sold"}},
				},
				Unmeasured: []domain.FactPart{domain.FactDistinct},
			}}
			known.Changes = []domain.FactChange{{Kind: domain.KeyLost, Table: "sales", Columns: []string{"id"}, Repeated: 3}}
		}
		out.Sources = append(out.Sources, known)
	}
	return out, nil
}

// LinkedSources implements domain.FactsService.
func (Facts) LinkedSources(_ context.Context, _, _, source int64) ([]domain.LinkedSource, error) {
	if source != SourceID {
		return []domain.LinkedSource{}, nil
	}
	return []domain.LinkedSource{{Source: 7, Name: "Regions", Links: []domain.SourceLink{{
		FromSource: source, ToSource: 7,
		LinkFacts: domain.LinkFacts{
			FromTable: "sales", From: []string{"region"}, ToTable: "regions", To: []string{"region"}, Distinct: 2, Matched: 2,
		},
	}}}}, nil
}
