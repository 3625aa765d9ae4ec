package fakes

import (
	"context"

	"parley.dev/parley/domain"
)

// Memories is the service of memories: it checks what a caller writes and
// answers with it, and keeps one memory, of the first organisation.
type Memories struct{ *World }

func (s Memories) one() domain.Memory {
	return domain.Memory{
		ID: 1, OrganisationID: 1, Name: "Net sales", Question: "What are net sales?", Response: "Sales less discounts.", Labels: []int64{2}, TypeID: 1,
		SourceID: 1, Source: domain.MemorySourceManual, IsEnabled: true, Version: 3, CreatedAt: s.now, UpdatedAt: s.now,
	}
}

// Memories implements domain.MemoryService.
func (s Memories) Memories(_ context.Context, caller domain.Caller, f domain.MemoryFilter) (domain.List[domain.Memory], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	call := "Memories"
	for _, specialist := range f.Specialists {
		call += " " + string(specialist)
	}
	if err := s.called(call); err != nil || caller.OrganisationID != 1 {
		return domain.List[domain.Memory]{}, err
	}
	return cut([]domain.Memory{s.one()}, f.Page), nil
}

// CreateMemory implements domain.MemoryService.
func (s Memories) CreateMemory(_ context.Context, caller domain.Caller, n domain.NewMemory) (*domain.Memory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("CreateMemory"); err != nil {
		return nil, err
	}
	if err := domain.MakeMemory.Ask(caller, domain.Standing{}); err != nil {
		return nil, err
	}
	if err := n.Validate(); err != nil {
		return nil, err
	}
	before, err := s.once(caller, n.Key)
	if err != nil {
		return nil, err
	}
	m := s.one()
	m.ID, m.Version, m.Name, m.Question, m.Response = 2, 1, n.Name, n.Question, n.Response
	m.Labels, m.TypeID, m.AlwaysRecalled = n.Labels, n.TypeID, n.AlwaysRecalled
	if before == nil {
		s.remember(caller, n.Key, m.ID)
	}
	return &m, nil
}

// UpdateMemory implements domain.MemoryService.
func (s Memories) UpdateMemory(_ context.Context, caller domain.Caller, id int64, u domain.MemoryUpdate) (*domain.Memory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("UpdateMemory"); err != nil {
		return nil, err
	}
	m := s.one()
	if err := s.ask(caller, id, domain.ChangeMemory); err != nil {
		return nil, err
	}
	if err := u.Validate(); err != nil {
		return nil, err
	}
	if u.Version != 0 && u.Version != m.Version {
		return nil, domain.Errorf(domain.CodeConflict, "Somebody else changed this meanwhile. Please load it again.")
	}
	if u.IsEnabled != nil {
		m.IsEnabled = *u.IsEnabled
	}
	if u.Name != nil {
		m.Name = *u.Name
	}
	m.Version++
	return &m, nil
}

// DeleteMemory implements domain.MemoryService.
func (s Memories) DeleteMemory(_ context.Context, caller domain.Caller, id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("DeleteMemory"); err != nil {
		return err
	}
	return s.ask(caller, id, domain.DeleteMemory)
}

// ask tells whether the caller may do something with a memory.
func (s Memories) ask(caller domain.Caller, id int64, action domain.Action) error {
	m := s.one()
	if id != m.ID {
		return domain.NotFound("Memory")
	}
	return action.Ask(caller, m.Standing(caller))
}

// MemoryTypes implements domain.MemoryService.
func (s Memories) MemoryTypes(context.Context, domain.Caller) ([]domain.MemoryWord, error) {
	return []domain.MemoryWord{{ID: 1, Name: "Query"}, {ID: 2, Name: "Chart", Specialist: domain.SpecialistChart}}, nil
}

// MemoryLabels implements domain.MemoryService.
func (s Memories) MemoryLabels(context.Context, domain.Caller) ([]domain.MemoryWord, error) {
	return []domain.MemoryWord{{ID: 2, Name: "Finance"}}, nil
}

// MemorySources implements domain.MemoryService.
func (s Memories) MemorySources(context.Context, domain.Caller) ([]domain.MemoryWord, error) {
	return []domain.MemoryWord{{ID: 1, Name: domain.MemorySourceManual}}, nil
}
