package analyst

import (
	"context"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/clock"
)

// linkedMax is the maximum number of other data sources whose links are shown.
const linkedMax = 20

// Meanings derives what the data of a data source mean, for people who read and correct it. It implements
// domain.MeaningService. All fields are required.
type Meanings struct {
	DataSources domain.DataSourceService
	Facts       domain.FactsService
	Corrections domain.CorrectionService
	Clock       clock.Clock
}

var _ domain.MeaningService = Meanings{}

// Meaning implements domain.MeaningService.
func (s Meanings) Meaning(ctx context.Context, caller domain.Caller, source int64) (*domain.MeaningOfSource, error) {
	d, err := s.DataSources.DataSource(ctx, caller, source)
	if err != nil {
		return nil, err
	}
	found, err := s.Facts.Facts(ctx, caller.OrganisationID, caller.UserID, []int64{source})
	if err != nil {
		return nil, err
	}
	corrections, err := s.Corrections.Corrections(ctx, caller.OrganisationID, caller.UserID, []int64{source})
	if err != nil {
		return nil, err
	}
	out := &domain.MeaningOfSource{Source: d, Measured: d.IsWarehouse(), Names: map[int64]string{}, Corrections: corrections}
	var known *domain.KnownFacts
	if len(found.Sources) == 1 {
		known = &found.Sources[0]
		out.Measured = out.Measured || known.Measured
	}
	in := semantic.Input{Today: s.Clock.Now(), Sources: []semantic.Source{semantic.NewSource(d, known, correctionsOf(corrections))}}
	if err := s.addLinked(ctx, caller, source, &in, out); err != nil {
		return nil, err
	}
	out.Meaning = semantic.Derive(&in)
	return out, nil
}

// addLinked adds the data sources to which links lead. Their own facts are not needed: the links between two data sources are
// measured separately, and reading the facts of several sources would request the measurement of all links between them.
func (s Meanings) addLinked(
	ctx context.Context, caller domain.Caller, source int64, in *semantic.Input, out *domain.MeaningOfSource,
) error {
	others, err := s.Facts.LinkedSources(ctx, caller.OrganisationID, caller.UserID, source)
	if err != nil {
		return err
	}
	var ids []int64
	for i := range others[:min(len(others), linkedMax)] {
		in.Links = append(in.Links, others[i].Links...)
		out.Names[others[i].Source] = others[i].Name
		ids = append(ids, others[i].Source)
	}
	// A person can also say that a column links to a data source without a measured link.
	for i := range out.Corrections {
		if link := meaning.ParseLink(out.Corrections[i].Value); out.Corrections[i].Field == meaning.FieldLink && link.Source != 0 {
			ids = append(ids, link.Source)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	readable, err := s.DataSources.Readable(ctx, caller.OrganisationID, caller.UserID, ids)
	if err != nil {
		return err
	}
	for i := range readable {
		out.Names[readable[i].ID] = readable[i].Name
		in.Sources = append(in.Sources, semantic.NewSource(&readable[i], nil, nil))
	}
	return nil
}

// correctionsOf returns all corrections, also those that currently apply to nothing.
func correctionsOf(standing []domain.StandingCorrection) []meaning.Correction {
	out := make([]meaning.Correction, len(standing))
	for i := range standing {
		out[i] = standing[i].Correction
	}
	return out
}
