package fakes

import (
	"context"

	"parley.dev/parley/domain"
)

// ProjectLabels is the service of projects. It answers every caller with label 1, which
// belongs to Owner, of the first organisation, whatever is written. The labels with the ids 1
// to SharedSources exist, and no others.
type ProjectLabels struct{ *World }

func (s ProjectLabels) one() domain.ProjectLabel {
	return domain.ProjectLabel{
		ID: 1, OrganisationID: 1, Name: "Launch", Description: "The launch in spring", Color: "Royal Blue",
		Owner: domain.Person{ID: s.Owner.ID, UUID: s.Owner.UUID, FullName: s.Owner.FullName}, Conversations: 4, Version: 2, CreatedAt: s.now,
		UpdatedAt: s.now,
	}
}

// ProjectLabels implements domain.ProjectLabelService.
func (s ProjectLabels) ProjectLabels(
	_ context.Context, _ domain.Caller, f domain.ProjectLabelFilter,
) (domain.List[domain.ProjectLabel], error) {
	return domain.List[domain.ProjectLabel]{Results: []domain.ProjectLabel{s.one()}, Count: 1}, s.note("ProjectLabels", f)
}

// NamedProjectLabels implements domain.ProjectLabelService.
func (s ProjectLabels) NamedProjectLabels(_ context.Context, _ int64, ids []int64) ([]domain.ProjectLabel, error) {
	var out []domain.ProjectLabel
	for _, id := range ids {
		if id >= 1 && id <= SharedSources {
			l := s.one()
			l.ID = id
			out = append(out, l)
		}
	}
	return out, nil
}

// CreateProjectLabel implements domain.ProjectLabelService.
func (s ProjectLabels) CreateProjectLabel(_ context.Context, _ domain.Caller, d domain.ProjectLabelDraft) (*domain.ProjectLabel, error) {
	l := s.one()
	return &l, s.note("CreateProjectLabel", d)
}

// ProjectLabelChange has the arguments of a call of UpdateProjectLabel.
type ProjectLabelChange struct {
	ID    int64
	Draft domain.ProjectLabelDraft
}

// UpdateProjectLabel implements domain.ProjectLabelService.
func (s ProjectLabels) UpdateProjectLabel(
	_ context.Context, _ domain.Caller, id int64, d domain.ProjectLabelDraft,
) (*domain.ProjectLabel, error) {
	l := s.one()
	return &l, s.note("UpdateProjectLabel", ProjectLabelChange{id, d})
}

// DeleteProjectLabel implements domain.ProjectLabelService.
func (s ProjectLabels) DeleteProjectLabel(_ context.Context, _ domain.Caller, id int64) error {
	return s.note("DeleteProjectLabel", id)
}
