package fakes

import (
	"context"

	"parley.dev/parley/domain"
)

// Memories is the service of memories. It answers every caller with one memory, of the first
// organisation, whatever is written.
type Memories struct{ *World }

func (s Memories) one() domain.Memory {
	return domain.Memory{
		ID: 1, OrganisationID: 1, Name: "Net sales", Question: "What are net sales?", Response: "Sales less discounts.", Labels: []int64{2},
		TypeID:   1,
		SourceID: 1, Source: domain.MemorySourceManual, IsEnabled: true, Version: 3, CreatedAt: s.now, UpdatedAt: s.now,
	}
}

// Memories implements domain.MemoryService.
func (s Memories) Memories(_ context.Context, _ domain.Caller, f domain.MemoryFilter) (domain.List[domain.Memory], error) {
	return domain.List[domain.Memory]{Results: []domain.Memory{s.one()}, Count: 1}, s.note("Memories", f)
}

// CreateMemory implements domain.MemoryService.
func (s Memories) CreateMemory(_ context.Context, _ domain.Caller, n domain.NewMemory) (*domain.Memory, error) {
	m := s.one()
	return &m, s.note("CreateMemory", n)
}

// MemoryChange has the arguments of a call of UpdateMemory.
type MemoryChange struct {
	ID     int64
	Update domain.MemoryUpdate
}

// UpdateMemory implements domain.MemoryService.
func (s Memories) UpdateMemory(_ context.Context, _ domain.Caller, id int64, u domain.MemoryUpdate) (*domain.Memory, error) {
	m := s.one()
	return &m, s.note("UpdateMemory", MemoryChange{id, u})
}

// DeleteMemory implements domain.MemoryService.
func (s Memories) DeleteMemory(_ context.Context, _ domain.Caller, id int64) error {
	return s.note("DeleteMemory", id)
}

// MemoryTypes implements domain.MemoryService.
func (s Memories) MemoryTypes(context.Context, domain.Caller) ([]domain.MemoryWord, error) {
	return []domain.MemoryWord{{ID: 1, Name: "Query"}, {ID: 2, Name: "Chart", Specialist: domain.SpecialistChart}}, s.note("MemoryTypes", nil)
}

// MemoryLabels implements domain.MemoryService.
func (s Memories) MemoryLabels(context.Context, domain.Caller) ([]domain.MemoryWord, error) {
	return []domain.MemoryWord{{ID: 2, Name: "Finance"}}, s.note("MemoryLabels", nil)
}

// MemorySources implements domain.MemoryService.
func (s Memories) MemorySources(context.Context, domain.Caller) ([]domain.MemoryWord, error) {
	return []domain.MemoryWord{{ID: 1, Name: domain.MemorySourceManual}}, s.note("MemorySources", nil)
}
