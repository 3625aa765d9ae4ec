package persistence

// Samples of the library (see seed.go), which are made in one transaction with the other samples.
// Seeding again adds what is missing.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// SeedBlueprint is a blueprint of the library, known by Seed within its
// organisation: one that is archived is not made again.
type SeedBlueprint struct {
	Seed            string
	Name            string
	Description     string
	Categories      []string // names; made where they are missing
	DataSources     []string // seeds of the organisation's samples
	InputParameters string
	InitialMessage  string
	Steps           []domain.StepDraft
}

// seedBlueprint makes one library blueprint, unless it was made before. An invalid one is an error
// of the program and ends the seeding.
func (s Samples) seedBlueprint(ctx context.Context, tx pgx.Tx, org int64, b *SeedBlueprint) error {
	draft := domain.BlueprintDraft{
		Name: b.Name, Description: &b.Description, InputParameters: &b.InputParameters, InitialMessage: &b.InitialMessage, Steps: &b.Steps,
	}
	if err := draft.Validate(); err != nil {
		return fmt.Errorf("the library blueprint %s: %w", b.Seed, err)
	}
	categories, sources := []int64{}, []int64{}
	for _, name := range b.Categories {
		// A category is found by its name, and made if it is missing.
		id, err := s.q.SeedUseCaseCategory(ctx, tx, &dbsqlc.SeedUseCaseCategoryParams{OrgID: org, Name: name})
		if err != nil {
			return err
		}
		categories = append(categories, id)
	}
	for _, seed := range b.DataSources {
		id, err := s.q.SeedDataSourceBySeed(ctx, tx, &dbsqlc.SeedDataSourceBySeedParams{OrgID: org, Seed: seed})
		if errors.Is(err, pgx.ErrNoRows) {
			continue // a person deleted the sample
		}
		if err != nil {
			return err
		}
		sources = append(sources, id)
	}
	// The column has sorted ids, as those of all blueprints.
	slices.Sort(sources)
	// Whether it needs inputs is a column of its own, because lists are filtered by it.
	about := domain.Blueprint{InputParameters: b.InputParameters}
	id, err := s.q.SeedBlueprint(ctx, tx, &dbsqlc.SeedBlueprintParams{
		OrgID: org, Name: b.Name, Description: b.Description, DataSources: sources, UseCaseCategories: categories,
		InputParameters: b.InputParameters, NeedsInputs: about.NeedsInputs(), InitialMessage: b.InitialMessage, Seed: b.Seed,
		At: s.now(),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // it was seeded before
	}
	if err != nil {
		return err
	}
	for i := range b.Steps {
		p := s.blueprints().stepParams(domain.Caller{OrganisationID: org}, id, i+1, &b.Steps[i])
		if _, err := s.q.BlueprintStepInsert(ctx, tx, p); err != nil {
			return err
		}
	}
	return nil
}
