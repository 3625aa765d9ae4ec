package fakes

import (
	"context"

	"parley.dev/parley/domain"
)

// ProjectLabels is the service of projects. Label 1 is Owner's, of the first
// organisation; 2 to SharedSources are there, too, and no more than that.
type ProjectLabels struct{ *World }

func (s ProjectLabels) one() domain.ProjectLabel {
	return domain.ProjectLabel{
		ID: 1, OrganisationID: 1, Name: "Launch", Description: "The launch in spring", Color: "Royal Blue",
		Owner: domain.Person{ID: s.Owner.ID, UUID: s.Owner.UUID, FullName: s.Owner.FullName}, Conversations: 4, Version: 2, CreatedAt: s.now, UpdatedAt: s.now,
	}
}

// ProjectLabels implements domain.ProjectLabelService.
func (s ProjectLabels) ProjectLabels(_ context.Context, caller domain.Caller, f domain.ProjectLabelFilter) (domain.List[domain.ProjectLabel], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("ProjectLabels"); err != nil || caller.OrganisationID != 1 {
		return domain.List[domain.ProjectLabel]{}, err
	}
	return cut([]domain.ProjectLabel{s.one()}, f.Page), nil
}

// NamedProjectLabels implements domain.ProjectLabelService.
func (s ProjectLabels) NamedProjectLabels(_ context.Context, organisation int64, ids []int64) ([]domain.ProjectLabel, error) {
	var out []domain.ProjectLabel
	for _, id := range ids {
		if organisation == 1 && id >= 1 && id <= SharedSources {
			l := s.one()
			l.ID = id
			out = append(out, l)
		}
	}
	return out, nil
}

// CreateProjectLabel implements domain.ProjectLabelService.
func (s ProjectLabels) CreateProjectLabel(_ context.Context, caller domain.Caller, d domain.ProjectLabelDraft) (*domain.ProjectLabel, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("CreateProjectLabel"); err != nil {
		return nil, err
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	before, err := s.once(caller, d.Key)
	if err != nil {
		return nil, err
	}
	l := s.one()
	l.ID, l.Version, l.Conversations, l.Name, l.Description, l.Color = 2, 1, 0, d.Name, d.Description, d.Color
	l.OrganisationID, l.Owner = caller.OrganisationID, domain.Person{ID: caller.UserID, UUID: caller.UserUUID, FullName: caller.FullName}
	if before == nil {
		s.remember(caller, d.Key, l.ID)
	}
	return &l, nil
}

// UpdateProjectLabel implements domain.ProjectLabelService.
func (s ProjectLabels) UpdateProjectLabel(_ context.Context, caller domain.Caller, id int64, d domain.ProjectLabelDraft) (*domain.ProjectLabel, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("UpdateProjectLabel"); err != nil {
		return nil, err
	}
	l, err := s.ask(caller, id, domain.ChangeProjectLabel)
	if err != nil {
		return nil, err
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if d.Version != 0 && d.Version != l.Version {
		return nil, domain.Errorf(domain.CodeConflict, "Somebody else changed this meanwhile. Please load it again.")
	}
	l.Name, l.Description, l.Color, l.Version = d.Name, d.Description, d.Color, l.Version+1
	return l, nil
}

// DeleteProjectLabel implements domain.ProjectLabelService.
func (s ProjectLabels) DeleteProjectLabel(_ context.Context, caller domain.Caller, id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("DeleteProjectLabel"); err != nil {
		return err
	}
	_, err := s.ask(caller, id, domain.DeleteProjectLabel)
	return err
}

// ask finds one with which the caller may do something.
func (s ProjectLabels) ask(caller domain.Caller, id int64, action domain.Action) (*domain.ProjectLabel, error) {
	l := s.one()
	if id != l.ID {
		return nil, domain.NotFound("Project")
	}
	return &l, action.Ask(caller, l.Standing(caller))
}
