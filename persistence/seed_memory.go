package persistence

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// SeedMemory is a sample, known by Seed within its organisation: one that a
// person changed is not made again, one that was deleted is.
type SeedMemory struct {
	Seed           string
	Name           string
	Question       string
	Response       string
	Type           string   // the name of one of the types that memory_words makes
	Labels         []string // names of labels
	AlwaysRecalled bool
}

// seedMemories gives an organisation the words of memories, and its samples.
func (s Samples) seedMemories(ctx context.Context, tx pgx.Tx, org int64, memories []SeedMemory) error {
	// The words of the organization are made first, because samples name them.
	if err := s.q.SeedMemoryWords(ctx, tx, org); err != nil {
		return err
	}
	for i := range memories {
		m := &memories[i]
		terms := domain.Terms(m.Question)
		id, err := s.q.SeedMemory(ctx, tx, &dbsqlc.SeedMemoryParams{
			// A name that is too long is shortened here and not refused, because no person has
			// written it.
			OrgID: org, Name: domain.Shorten(m.Name, domain.MemoryNameMax), Question: m.Question, Response: m.Response, Type: m.Type,
			//nolint:gosec // at most domain.MaxTerms
			Labels: append([]string{}, m.Labels...), AlwaysRecalled: m.AlwaysRecalled, TermCount: int32(len(terms)), Seed: m.Seed, At: s.now(),
		})
		if errors.Is(err, pgx.ErrNoRows) {
			continue // it was seeded before
		}
		if err != nil {
			return err
		}
		// The words of the question are what a recall compares (memory.go).
		if err := s.memories().insertTerms(ctx, tx, org, id, terms); err != nil {
			return err
		}
	}
	return nil
}
