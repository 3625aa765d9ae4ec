package fakes

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Blueprints is the service of blueprints. It answers each person with what they are shown
// (World.Show), and answers writes with the first of these; it stores nothing and refuses
// nothing by itself. Owner is shown blueprint 1 as its owner, Reader and Root may read it.
// All of them and Stranger may read 2, which is in the library.
type Blueprints struct{ *World }

// Show sets what a person sees of a blueprint from now on.
func (w *World) Show(person *domain.User, b domain.Blueprint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.show(person, b)
}

func (w *World) show(person *domain.User, b domain.Blueprint) {
	if w.shown[person.ID] == nil {
		w.shown[person.ID] = map[int64]domain.Blueprint{}
	}
	w.shown[person.ID][b.ID] = b
}

// showBlueprints sets what people see at the beginning.
func (w *World) showBlueprints() {
	review := domain.Blueprint{
		ID: 1, OrganisationID: 1, Name: "Review", Description: "Sales", DataSources: []int64{4}, MissingDataSources: 1,
		ProjectLabels: []domain.LabelRef{{ID: 5, Name: "Q1", Color: "Olive Green"}}, Permission: domain.PermissionRead,
		Owner:      &domain.Person{ID: w.Owner.ID, UUID: w.Owner.UUID, FullName: w.Owner.FullName},
		Categories: []domain.UseCaseCategory{{ID: 1, Name: "Sales"}}, InputParameters: "Region: where\nYear",
		InitialMessage: "Review {{Region}}.",
		Steps: []domain.BlueprintStep{
			{ID: 11, BlueprintID: 1, Name: "Look", Order: 1, DetailedInstructions: "Look at it", Memories: []int64{}, Version: 3},
			{ID: 12, BlueprintID: 1, Name: "Count", Order: 2, Code: "SELECT 1", Language: "sql", Memories: []int64{2}, AnalystID: 1, Version: 3},
		},
		Version: 3, CreatedAt: w.now, UpdatedAt: w.now,
	}
	library := review
	library.ID, library.Owner, library.IsLibrary, library.InputParameters = 2, nil, true, ""
	own := review
	own.Permission = domain.PermissionOwner
	w.show(&w.Owner, own)
	w.show(&w.Reader, review)
	w.show(&w.Root, review)
	for _, person := range []*domain.User{&w.Owner, &w.Reader, &w.Root, &w.Stranger} {
		w.show(person, library)
	}
}

// see returns what the caller is shown of a blueprint.
func (s Blueprints) see(caller domain.Caller, id int64) (*domain.Blueprint, error) {
	b, ok := s.shown[caller.UserID][id]
	if !ok {
		return nil, domain.NotFound("Blueprint")
	}
	return &b, nil
}

// answer records the call and returns what the caller is shown of a blueprint.
func (s Blueprints) answer(method string, asked any, caller domain.Caller, id int64) (*domain.Blueprint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted(method, asked); err != nil {
		return nil, err
	}
	return s.see(caller, id)
}

// Blueprint implements domain.BlueprintService.
func (s Blueprints) Blueprint(_ context.Context, caller domain.Caller, id int64) (*domain.Blueprint, error) {
	return s.answer("Blueprint", id, caller, id)
}

// Blueprints implements domain.BlueprintService.
func (s Blueprints) Blueprints(_ context.Context, caller domain.Caller, f domain.BlueprintFilter) (domain.List[domain.Blueprint], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("Blueprints", f); err != nil {
		return domain.List[domain.Blueprint]{}, err
	}
	var list domain.List[domain.Blueprint]
	for _, id := range slices.Sorted(maps.Keys(s.shown[caller.UserID])) {
		list.Results = append(list.Results, s.shown[caller.UserID][id])
	}
	list.Count = len(list.Results)
	return list, nil
}

// CreateBlueprint implements domain.BlueprintService.
func (s Blueprints) CreateBlueprint(_ context.Context, caller domain.Caller, d domain.BlueprintDraft) (*domain.Blueprint, error) {
	return s.answer("CreateBlueprint", d, caller, 1)
}

// BlueprintChange has the arguments of a call of UpdateBlueprint.
type BlueprintChange struct {
	ID    int64
	Draft domain.BlueprintDraft
}

// UpdateBlueprint implements domain.BlueprintService.
func (s Blueprints) UpdateBlueprint(_ context.Context, caller domain.Caller, id int64, d domain.BlueprintDraft) (*domain.Blueprint, error) {
	return s.answer("UpdateBlueprint", BlueprintChange{id, d}, caller, id)
}

// DeleteBlueprint implements domain.BlueprintService.
func (s Blueprints) DeleteBlueprint(_ context.Context, _ domain.Caller, id int64) error {
	return s.note("DeleteBlueprint", id)
}

// Mark has the arguments of a call that switches something on or off.
type Mark struct {
	ID int64
	On bool
}

// ArchiveBlueprint implements domain.BlueprintService.
func (s Blueprints) ArchiveBlueprint(_ context.Context, _ domain.Caller, id int64, archived bool) error {
	return s.note("ArchiveBlueprint", Mark{id, archived})
}

// SetBlueprintFavorite implements domain.BlueprintService.
func (s Blueprints) SetBlueprintFavorite(_ context.Context, _ domain.Caller, id int64, on bool) error {
	return s.note("SetBlueprintFavorite", Mark{id, on})
}

// BlueprintCopy has the arguments of a call of CopyBlueprint.
type BlueprintCopy struct {
	ID   int64
	Name string
	Key  domain.IdempotencyKey
}

// CopyBlueprint implements domain.BlueprintService.
func (s Blueprints) CopyBlueprint(
	_ context.Context, caller domain.Caller, id int64, name string, key domain.IdempotencyKey,
) (*domain.Blueprint, error) {
	return s.answer("CopyBlueprint", BlueprintCopy{id, name, key}, caller, 1)
}

// BlueprintOf has the arguments of a call of BlueprintFromConversation.
type BlueprintOf struct {
	Conversation uuid.UUID
	Draft        domain.BlueprintDraft
}

// BlueprintFromConversation implements domain.BlueprintService.
func (s Blueprints) BlueprintFromConversation(
	_ context.Context, caller domain.Caller, conversation uuid.UUID, given domain.BlueprintDraft,
) (*domain.Blueprint, error) {
	return s.answer("BlueprintFromConversation", BlueprintOf{conversation, given}, caller, 1)
}

// BlueprintStart has the arguments of a call of StartBlueprint.
type BlueprintStart struct {
	ID    int64
	Start domain.BlueprintStart
}

// StartBlueprint implements domain.BlueprintService: it answers with an existing
// conversation.
func (s Blueprints) StartBlueprint(
	_ context.Context, _ domain.Caller, id int64, start domain.BlueprintStart,
) (*domain.BlueprintStarted, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("StartBlueprint", BlueprintStart{id, start}); err != nil {
		return nil, err
	}
	for conversation := range s.conversations {
		return &domain.BlueprintStarted{Conversation: conversation, MissingDataSources: 1}, nil
	}
	return nil, domain.NotFound("Conversation")
}

// UseBlueprint implements domain.BlueprintService.
func (s Blueprints) UseBlueprint(_ context.Context, _ domain.Caller, id int64) error {
	return s.note("UseBlueprint", id)
}

// BlueprintGrants implements domain.BlueprintService. Every person sees blueprint 1 as Owner's.
func (s Blueprints) BlueprintGrants(_ context.Context, _ domain.Caller, id int64) ([]domain.Grant, error) {
	if err := s.note("BlueprintGrants", id); err != nil || id != 1 {
		return nil, err
	}
	owner := domain.Grantee{ID: s.Owner.ID, Type: domain.GranteeUser, Name: s.Owner.FullName}
	return []domain.Grant{{Grantee: owner, Permission: domain.PermissionOwner}}, nil
}

// Grants has the arguments of a call that shares something.
type Grants struct {
	ID     int64
	Grants []domain.Grant
}

// SetBlueprintGrants implements domain.BlueprintService.
func (s Blueprints) SetBlueprintGrants(_ context.Context, _ domain.Caller, id int64, grants []domain.Grant) error {
	return s.note("SetBlueprintGrants", Grants{id, grants})
}

// UseCaseCategories implements domain.BlueprintService.
func (s Blueprints) UseCaseCategories(context.Context, domain.Caller) ([]domain.UseCaseCategory, error) {
	return []domain.UseCaseCategory{{ID: 1, Name: "Sales"}}, s.note("UseCaseCategories", nil)
}

// MadeStep is the answer of calls on a step.
func MadeStep() domain.BlueprintStep {
	return domain.BlueprintStep{
		ID: 13, BlueprintID: 1, Name: "Chart", Order: 3, Code: "draw()", Language: "python", Memories: []int64{2},
		Version: 4,
	}
}

// CreateStep implements domain.BlueprintService.
func (s Blueprints) CreateStep(_ context.Context, _ domain.Caller, d domain.StepDraft) (*domain.BlueprintStep, error) {
	step := MadeStep()
	return &step, s.note("CreateStep", d)
}

// StepChange has the arguments of a call of UpdateStep.
type StepChange struct {
	ID    int64
	Draft domain.StepDraft
}

// UpdateStep implements domain.BlueprintService.
func (s Blueprints) UpdateStep(_ context.Context, _ domain.Caller, id int64, d domain.StepDraft) (*domain.BlueprintStep, error) {
	step := MadeStep()
	return &step, s.note("UpdateStep", StepChange{id, d})
}

// Steps implements domain.BlueprintService: it answers with the steps of blueprint 1.
func (s Blueprints) Steps(_ context.Context, _ domain.Caller, ids []int64) (map[int64]domain.BlueprintStep, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := map[int64]domain.BlueprintStep{}
	for _, step := range s.shown[s.Owner.ID][1].Steps {
		found[step.ID] = step
	}
	return found, s.noted("Steps", ids)
}

// DeleteStep implements domain.BlueprintService.
func (s Blueprints) DeleteStep(_ context.Context, _ domain.Caller, id int64) error {
	return s.note("DeleteStep", id)
}
