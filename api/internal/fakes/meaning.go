package fakes

import (
	"context"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// Corrections is the service of corrections. It answers everybody with one, whatever is written.
type Corrections struct{ *World }

func (s Corrections) one() meaning.Correction {
	return meaning.Correction{
		ID: 5, Source: SourceID, Table: "sales", Column: "count", Field: meaning.FieldAdds, Value: "level", Reason: "a stock", By: 1, ByName: "Olga",
		At: s.now,
	}
}

// Corrections implements domain.CorrectionService.
func (s Corrections) Corrections(_ context.Context, _, _ int64, _ []int64) ([]domain.StandingCorrection, error) {
	return []domain.StandingCorrection{{Correction: s.one()}}, s.note("Corrections", nil)
}

// Said has the arguments of a call of Correct.
type Said struct {
	Source int64
	New    domain.NewCorrection
}

// Correct implements domain.CorrectionService.
func (s Corrections) Correct(_ context.Context, _ domain.Caller, source int64, n domain.NewCorrection) (*meaning.Correction, error) {
	c := s.one()
	n.Key = domain.IdempotencyKey{}
	return &c, s.note("Correct", Said{source, n})
}

// Withdrawn has the arguments of a call of WithdrawCorrection.
type Withdrawn struct{ Source, Correction int64 }

// WithdrawCorrection implements domain.CorrectionService.
func (s Corrections) WithdrawCorrection(_ context.Context, _ domain.Caller, source, id int64) error {
	return s.note("WithdrawCorrection", Withdrawn{source, id})
}

// Meaning is the service of meanings. It knows only the table of SourceID.
type Meaning struct{ *World }

// Meaning implements domain.MeaningService.
func (s Meaning) Meaning(ctx context.Context, caller domain.Caller, source int64) (*domain.MeaningOfSource, error) {
	d, err := DataSources(s).DataSource(ctx, caller, source)
	if err != nil {
		return nil, err
	}
	corrections, err := Corrections(s).Corrections(ctx, caller.OrganisationID, caller.UserID, []int64{source})
	if err != nil {
		return nil, err
	}
	said := meaning.Reason{State: meaning.Said, Evidence: "said by Olga"}
	return &domain.MeaningOfSource{
		Source: d, Measured: true, Names: map[int64]string{7: "Regions"}, Corrections: corrections,
		Meaning: &meaning.Meaning{
			Tables: []meaning.Table{{
				Source: source, Name: "sales", Rows: 2, Row: "sale", Kind: meaning.SnapshotTable, Keys: [][]string{{"region"}}, KeysKnown: true,
				RowReason: meaning.Reason{State: meaning.Measured, Evidence: "region is unique in 2 of 2 rows"},
				Snapshot:  &meaning.Snapshot{Entity: []string{"shop"}, Period: "month", Step: meaning.Month, Exit: "closed"},
				Time:      "month", Verbs: []meaning.Verb{{Word: "count", Column: "count"}},
				Columns: []meaning.Column{
					{Name: "region", Role: meaning.Key},
					{Name: "count", Role: meaning.Measure, Reasons: map[string]meaning.Reason{"adds": said}, Number: &meaning.Number{
						Adds: meaning.Level, Default: meaning.LastPeriod, Scale: 1, Unit: meaning.Unit{Kind: meaning.Money, Symbol: "USD"},
						Barriers: []meaning.Barrier{{Column: "month", Of: "months"}},
					}},
				},
			}},
			Links: []meaning.Link{
				{
					From: meaning.Ends{Source: source, Table: "sales", Columns: []string{"region"}},
					To:   meaning.Ends{Source: 7, Table: "regions", Columns: []string{"name"}}, Cardinality: meaning.ManyToOne, Distinct: 2, Matched: 2,
				},
				{From: meaning.Ends{Source: 8, Table: "a"}, To: meaning.Ends{Source: 7, Table: "b"}},
			},
			Words: []meaning.Word{
				{Text: "pieces", Source: source, Table: "sales", Column: "count"}, {Text: "pieces", Source: source, Table: "sales", Column: "count"},
				{Text: "turnover", Source: source, Table: "sales"},
			},
		},
	}, nil
}
