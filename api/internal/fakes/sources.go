package fakes

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Credentials is the service of secrets. It answers every caller with one secret.
type Credentials struct{ *World }

func (c Credentials) one() domain.Credential {
	return domain.Credential{ID: uuid.MustParse("01920000-0000-7000-8000-0000000000dd"), Name: "Warehouse", CreatedAt: c.now}
}

// CreateCredential implements domain.CredentialService.
func (c Credentials) CreateCredential(_ context.Context, _ domain.Caller, n domain.NewCredential) (*domain.Credential, error) {
	made := c.one()
	return &made, c.note("CreateCredential", n)
}

// Credentials implements domain.CredentialService.
func (c Credentials) Credentials(context.Context, domain.Caller) ([]domain.Credential, error) {
	return []domain.Credential{c.one()}, c.note("Credentials", nil)
}

// Workbench answers every query with the same two rows; Truncated says that they
// are not all.
type Workbench struct{ Truncated bool }

// Query implements api.Workbench.
func (w *Workbench) Query(_ context.Context, sources []domain.DataSource, _ string) (*domain.ResultSet, error) {
	if len(sources) != 1 || sources[0].WorkKey == "" {
		return nil, domain.Errorf(domain.CodeInternal, "no table")
	}
	return &domain.ResultSet{
		Columns: []domain.Column{{Name: "region"}, {Name: "count"}}, Rows: [][]any{{"=North", int64(1)}, {"South", 2.5}}, Truncated: w.Truncated,
	}, nil
}

// Questions offers one question for each data source, and not more than limit.
type Questions struct{}

// Offer implements api.QuestionOffer.
func (Questions) Offer(sources []domain.DataSource, limit int) []domain.OfferedQuestion {
	var out []domain.OfferedQuestion
	for i := range sources[:min(len(sources), limit)] {
		out = append(out, domain.OfferedQuestion{Text: "What is in " + sources[i].Name + "?", DataSourceID: sources[i].ID})
	}
	return out
}
