package fakes

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Blueprints is the service of blueprints: it checks what a caller writes and
// answers with it, and keeps two: 1 of Owner, which Reader may see, and 2 of
// the library of the first organisation.
type Blueprints struct{ *World }

func (s Blueprints) find(caller domain.Caller, id int64) (*domain.Blueprint, error) {
	b := &domain.Blueprint{
		ID: id, OrganisationID: 1, Name: "Review", Description: "Sales", DataSources: []int64{4}, MissingDataSources: 1, ProjectLabels: []domain.LabelRef{{ID: 5, Name: "Q1", Color: "Olive Green"}},
		Categories: []domain.UseCaseCategory{{ID: 1, Name: "Sales"}}, InputParameters: "Region: where\nYear", InitialMessage: "Review {{Region}}.",
		Steps: []domain.BlueprintStep{
			{ID: 11, BlueprintID: id, Name: "Look", Order: 1, DetailedInstructions: "Look at it", Memories: []int64{}, Version: 3},
			{ID: 12, BlueprintID: id, Name: "Count", Order: 2, Code: "SELECT 1", Language: "sql", Memories: []int64{2}, AnalystID: 1, Version: 3},
		},
		Version: 3, CreatedAt: s.now, UpdatedAt: s.now,
	}
	switch {
	case caller.OrganisationID != 1 || id < 1 || id > 2 || id == 1 && caller.UserID == s.Stranger.ID:
		return nil, domain.NotFound("Blueprint")
	case id == 2:
		b.IsLibrary, b.Permission, b.InputParameters = true, domain.PermissionRead, ""
		return b, nil
	}
	b.Owner = &domain.Person{ID: s.Owner.ID, UUID: s.Owner.UUID, FullName: s.Owner.FullName}
	b.Permission = domain.PermissionRead
	if caller.UserID == s.Owner.ID {
		b.Permission = domain.PermissionOwner
	}
	return b, nil
}

// ask finds one with which the caller may do something.
func (s Blueprints) ask(caller domain.Caller, id int64, action domain.Action) (*domain.Blueprint, error) {
	b, err := s.find(caller, id)
	if err == nil {
		err = action.Ask(caller, b.Standing(caller))
	}
	return b, err
}

// Blueprint implements domain.BlueprintService.
func (s Blueprints) Blueprint(_ context.Context, caller domain.Caller, id int64) (*domain.Blueprint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("Blueprint"); err != nil {
		return nil, err
	}
	return s.find(caller, id)
}

// Blueprints implements domain.BlueprintService.
func (s Blueprints) Blueprints(_ context.Context, caller domain.Caller, f domain.BlueprintFilter) (domain.List[domain.Blueprint], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("Blueprints " + f.Scope + " " + f.Library + " " + f.Inputs + " " + f.Sort); err != nil {
		return domain.List[domain.Blueprint]{}, err
	}
	var all []domain.Blueprint
	for id := range int64(3) {
		if b, err := s.find(caller, id); err == nil {
			all = append(all, *b)
		}
	}
	return cut(all, f.Page), nil
}

// written is what a draft makes.
func (s Blueprints) written(caller domain.Caller, id int64, d *domain.BlueprintDraft) (*domain.Blueprint, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	b, err := s.find(domain.Caller{UserID: s.Owner.ID, OrganisationID: 1}, 1)
	if err != nil {
		return nil, err
	}
	b.ID, b.Name, b.Owner = id, d.Name, &domain.Person{ID: caller.UserID, UUID: caller.UserUUID, FullName: caller.FullName}
	if d.Description != nil {
		b.Description = *d.Description
	}
	return b, nil
}

// CreateBlueprint implements domain.BlueprintService. It answers with the id 1,
// which the calls after it find.
func (s Blueprints) CreateBlueprint(_ context.Context, caller domain.Caller, d domain.BlueprintDraft) (*domain.Blueprint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("CreateBlueprint"); err != nil {
		return nil, err
	}
	if _, err := s.once(caller, d.Key); err != nil {
		return nil, err
	}
	s.remember(caller, d.Key, int64(1))
	return s.written(caller, 1, &d)
}

// UpdateBlueprint implements domain.BlueprintService.
func (s Blueprints) UpdateBlueprint(_ context.Context, caller domain.Caller, id int64, d domain.BlueprintDraft) (*domain.Blueprint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("UpdateBlueprint"); err != nil {
		return nil, err
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	b, err := s.ask(caller, id, domain.ChangeBlueprint)
	if err != nil {
		return nil, err
	}
	if d.Version != 0 && d.Version != b.Version {
		return nil, domain.Errorf(domain.CodeConflict, "Somebody else changed this meanwhile. Please load it again.")
	}
	return s.written(caller, id, &d)
}

// DeleteBlueprint implements domain.BlueprintService.
func (s Blueprints) DeleteBlueprint(_ context.Context, caller domain.Caller, id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("DeleteBlueprint"); err != nil {
		return err
	}
	_, err := s.ask(caller, id, domain.DeleteBlueprint)
	return err
}

// ArchiveBlueprint implements domain.BlueprintService.
func (s Blueprints) ArchiveBlueprint(_ context.Context, caller domain.Caller, id int64, archived bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	call := "ArchiveBlueprint back"
	if archived {
		call = "ArchiveBlueprint"
	}
	if err := s.called(call); err != nil {
		return err
	}
	_, err := s.ask(caller, id, domain.ArchiveBlueprint)
	return err
}

// SetBlueprintFavorite implements domain.BlueprintService.
func (s Blueprints) SetBlueprintFavorite(_ context.Context, caller domain.Caller, id int64, on bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	call := "SetBlueprintFavorite off"
	if on {
		call = "SetBlueprintFavorite on"
	}
	if err := s.called(call); err != nil {
		return err
	}
	_, err := s.find(caller, id)
	return err
}

// CopyBlueprint implements domain.BlueprintService.
func (s Blueprints) CopyBlueprint(_ context.Context, caller domain.Caller, id int64, name string, _ domain.IdempotencyKey) (*domain.Blueprint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("CopyBlueprint"); err != nil {
		return nil, err
	}
	b, err := s.find(caller, id)
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = "Copy of " + b.Name
	}
	return s.written(caller, 1, &domain.BlueprintDraft{Name: name})
}

// BlueprintFromConversation implements domain.BlueprintService.
func (s Blueprints) BlueprintFromConversation(_ context.Context, caller domain.Caller, conversation uuid.UUID, given domain.BlueprintDraft) (*domain.Blueprint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("BlueprintFromConversation"); err != nil {
		return nil, err
	}
	c := s.conversations[conversation]
	if c == nil || c.Owner.ID != caller.UserID && !s.readers[conversation][caller.UserID] {
		return nil, domain.NotFound("Conversation")
	}
	d := domain.DraftFromConversation(c, nil, nil)
	d.Take(&given)
	return s.written(caller, 1, &d)
}

// StartBlueprint implements domain.BlueprintService: it answers with a
// conversation that is there.
func (s Blueprints) StartBlueprint(_ context.Context, caller domain.Caller, id int64, start domain.BlueprintStart) (*domain.BlueprintStarted, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("StartBlueprint"); err != nil {
		return nil, err
	}
	b, err := s.find(caller, id)
	if err != nil {
		return nil, err
	}
	if _, _, err := b.Start(start.Inputs); err != nil {
		return nil, err
	}
	for conversation := range s.conversations {
		return &domain.BlueprintStarted{Conversation: conversation, MissingDataSources: b.MissingDataSources}, nil
	}
	return nil, domain.NotFound("Conversation")
}

// UseBlueprint implements domain.BlueprintService.
func (s Blueprints) UseBlueprint(_ context.Context, caller domain.Caller, id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("UseBlueprint"); err != nil {
		return err
	}
	_, err := s.find(caller, id)
	return err
}

// BlueprintGrants implements domain.BlueprintService.
func (s Blueprints) BlueprintGrants(_ context.Context, caller domain.Caller, id int64) ([]domain.Grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("BlueprintGrants"); err != nil {
		return nil, err
	}
	// One that was made a moment ago is its maker's, whoever that is.
	b, err := s.find(caller, id)
	if err != nil || b.Owner == nil {
		return nil, err
	}
	return []domain.Grant{{Grantee: domain.Grantee{ID: b.Owner.ID, Type: domain.GranteeUser, Name: b.Owner.FullName}, Permission: domain.PermissionOwner}}, nil
}

// SetBlueprintGrants implements domain.BlueprintService.
func (s Blueprints) SetBlueprintGrants(_ context.Context, caller domain.Caller, id int64, _ []domain.Grant) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("SetBlueprintGrants"); err != nil {
		return err
	}
	_, err := s.ask(caller, id, domain.ShareBlueprint)
	return err
}

// UseCaseCategories implements domain.BlueprintService.
func (s Blueprints) UseCaseCategories(context.Context, domain.Caller) ([]domain.UseCaseCategory, error) {
	return []domain.UseCaseCategory{{ID: 1, Name: "Sales"}}, nil
}

// CreateStep implements domain.BlueprintService.
func (s Blueprints) CreateStep(_ context.Context, caller domain.Caller, d domain.StepDraft) (*domain.BlueprintStep, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("CreateStep"); err != nil {
		return nil, err
	}
	return s.step(caller, 13, &d)
}

// UpdateStep implements domain.BlueprintService.
func (s Blueprints) UpdateStep(_ context.Context, caller domain.Caller, id int64, d domain.StepDraft) (*domain.BlueprintStep, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("UpdateStep"); err != nil {
		return nil, err
	}
	if id != 11 && id != 12 {
		return nil, domain.NotFound("Step")
	}
	d.BlueprintID = 1
	return s.step(caller, id, &d)
}

// Steps implements domain.BlueprintService.
func (s Blueprints) Steps(_ context.Context, caller domain.Caller, ids []int64) (map[int64]domain.BlueprintStep, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := map[int64]domain.BlueprintStep{}
	for _, id := range ids {
		b, err := s.find(caller, 1)
		if err != nil || id != 11 {
			return nil, domain.Invalid("steps", "One of the steps is not available.")
		}
		found[id] = b.Steps[0]
	}
	return found, nil
}

func (s Blueprints) step(caller domain.Caller, id int64, d *domain.StepDraft) (*domain.BlueprintStep, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if d.BlueprintID != 0 {
		if _, err := s.ask(caller, d.BlueprintID, domain.ChangeBlueprint); err != nil {
			return nil, err
		}
	}
	out := &domain.BlueprintStep{ID: id, BlueprintID: d.BlueprintID, Name: d.Name, Order: max(d.Order, 1), Memories: d.Memories, Version: 4}
	if d.Code != nil {
		out.Code, out.Language = *d.Code, "python"
	}
	return out, nil
}

// DeleteStep implements domain.BlueprintService.
func (s Blueprints) DeleteStep(_ context.Context, caller domain.Caller, id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("DeleteStep"); err != nil {
		return err
	}
	if id != 11 && id != 12 {
		return domain.NotFound("Step")
	}
	_, err := s.ask(caller, 1, domain.ChangeBlueprint)
	return err
}
