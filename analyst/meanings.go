package analyst

import (
	"context"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/clock"
)

// linkedMax is the maximum number of other data sources with which the links of one are shown.
const linkedMax = 20

// Meanings derive what the data of a data source mean, for people to read and to correct. It implements
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
		return nil, err //nolint:wrapcheck // errors of domain are shown as they are
	}
	found, err := s.Facts.Facts(ctx, caller.OrganisationID, caller.UserID, []int64{source})
	if err != nil {
		return nil, err //nolint:wrapcheck // as above
	}
	said, err := s.Corrections.Corrections(ctx, caller.OrganisationID, caller.UserID, []int64{source})
	if err != nil {
		return nil, err //nolint:wrapcheck // as above
	}
	out := &domain.MeaningOfSource{Source: d, Measured: d.IsWarehouse(), Names: map[int64]string{}, Corrections: said}
	var known *domain.KnownFacts
	if len(found.Sources) == 1 {
		known = &found.Sources[0]
		out.Measured = out.Measured || known.Measured
	}
	in := semantic.Input{Today: s.Clock.Now(), Sources: []semantic.Source{semantic.NewSource(d, known, saidOf(said))}}
	if err := s.addLinked(ctx, caller, source, &in, out); err != nil {
		return nil, err
	}
	out.Meaning = semantic.Derive(&in)
	return out, nil
}

// addLinked adds the data sources that links lead to. Their own facts are not needed: the links between two data sources are
// measured for themselves, and asking for the facts of several would ask for the measurement of all links among them.
func (s Meanings) addLinked(
	ctx context.Context, caller domain.Caller, source int64, in *semantic.Input, out *domain.MeaningOfSource,
) error {
	others, err := s.Facts.LinkedSources(ctx, caller.OrganisationID, caller.UserID, source)
	if err != nil {
		return err //nolint:wrapcheck // errors of domain are shown as they are
	}
	var ids []int64
	for i := range others[:min(len(others), linkedMax)] {
		in.Links = append(in.Links, others[i].Links...)
		out.Names[others[i].Source] = others[i].Name
		ids = append(ids, others[i].Source)
	}
	// A person can say that a column leads to a data source that no measured link leads to.
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
		return err //nolint:wrapcheck // as above
	}
	for i := range readable {
		out.Names[readable[i].ID] = readable[i].Name
		in.Sources = append(in.Sources, semantic.NewSource(&readable[i], nil, nil))
	}
	return nil
}

// saidOf returns what was said, also what rests: it finds nothing to hold for.
func saidOf(standing []domain.StandingCorrection) []meaning.Correction {
	out := make([]meaning.Correction, len(standing))
	for i := range standing {
		out[i] = standing[i].Correction
	}
	return out
}
