package fakes

import (
	"context"
	"maps"
	"slices"

	"parley.dev/parley/domain"
)

// Analysts is the service of agents. It answers each person with what they are shown
// (World.ShowAnalyst), whatever is written; it stores nothing and refuses nothing by itself.
// All people of the first organisation are shown agent 1, the default one. Agent 2 is shown
// to Root as its owner, and to Reader, who may use it.
type Analysts struct{ *World }

// ShowAnalyst sets what a person sees of an agent from now on.
func (w *World) ShowAnalyst(person *domain.User, a domain.Analyst) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.showAnalyst(person, a)
}

func (w *World) showAnalyst(person *domain.User, a domain.Analyst) {
	if w.analysts[person.ID] == nil {
		w.analysts[person.ID] = map[int64]domain.Analyst{}
	}
	w.analysts[person.ID][a.ID] = a
}

// showAnalysts sets what people see at the beginning.
func (w *World) showAnalysts() {
	for _, person := range []*domain.User{&w.Owner, &w.Reader, &w.Stranger, &w.Root} {
		w.showAnalyst(person, *Analysts{w}.prism())
	}
	finance := domain.Analyst{
		ID: 2, OrganisationID: 1, Name: "Finance", Controller: domain.AnalystController, Provider: "builtin", Model: "builtin", IsEnabled: true,
		Owner: &domain.Person{ID: w.Root.ID, UUID: w.Root.UUID, FullName: w.Root.FullName}, Instructions: "secret instructions",
		Knowledge: domain.AnalystSection{SpecialInstructions: "secret knowledge", Memories: []int64{1}}, ProjectLabels: []int64{1, 99},
		Permission: domain.PermissionRead, Version: 4, UpdatedAt: w.now,
	}
	w.showAnalyst(&w.Reader, finance)
	finance.Permission = domain.PermissionOwner
	w.showAnalyst(&w.Root, finance)
}

func (s Analysts) prism() *domain.Analyst {
	return &domain.Analyst{
		ID: 1, OrganisationID: 1, Name: domain.DefaultAnalystName, Provider: "builtin", Model: "planner", IsEnabled: true, IsDefault: true,
		Permission: domain.PermissionRead, Instructions: "secret instructions", Version: 1, UpdatedAt: s.now,
	}
}

// see returns what the caller is shown of an agent.
func (s Analysts) see(caller domain.Caller, id int64) (*domain.Analyst, error) {
	a, ok := s.analysts[caller.UserID][id]
	if !ok {
		return nil, domain.NotFound("Agent")
	}
	return &a, nil
}

// answer records the call and returns what the caller is shown of an agent.
func (s Analysts) answer(method string, asked any, caller domain.Caller, id int64) (*domain.Analyst, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted(method, asked); err != nil {
		return nil, err
	}
	return s.see(caller, id)
}

// Analyst implements domain.AnalystService. It answers with the default one.
func (s Analysts) Analyst(_ context.Context, _, id int64) (*domain.Analyst, error) {
	return s.prism(), s.note("Analyst", id)
}

// UsableAnalyst implements domain.AnalystService.
func (s Analysts) UsableAnalyst(_ context.Context, caller domain.Caller, id int64) (*domain.Analyst, error) {
	return s.answer("UsableAnalyst", id, caller, id)
}

// DefaultAnalyst implements domain.AnalystService.
func (s Analysts) DefaultAnalyst(_ context.Context, organisation int64) (*domain.Analyst, error) {
	return s.prism(), s.note("DefaultAnalyst", organisation)
}

// AnalystFor implements domain.AnalystService.
func (s Analysts) AnalystFor(_ context.Context, caller domain.Caller, id int64) (*domain.Analyst, error) {
	return s.answer("AnalystFor", id, caller, id)
}

// Analysts implements domain.AnalystService.
func (s Analysts) Analysts(_ context.Context, caller domain.Caller, f domain.AnalystFilter) (domain.List[domain.Analyst], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("Analysts", f); err != nil {
		return domain.List[domain.Analyst]{}, err
	}
	var list domain.List[domain.Analyst]
	for _, id := range slices.Sorted(maps.Keys(s.analysts[caller.UserID])) {
		list.Results = append(list.Results, s.analysts[caller.UserID][id])
	}
	list.Count = len(list.Results)
	return list, nil
}

// CreateAnalyst implements domain.AnalystService. It answers with agent 3, which is the caller's.
func (s Analysts) CreateAnalyst(_ context.Context, caller domain.Caller, u domain.AnalystUpdate) (*domain.Analyst, error) {
	return &domain.Analyst{
		ID: 3, OrganisationID: caller.OrganisationID, Name: "prism-2", Controller: domain.AnalystController, Provider: "openai", Model: "m-1",
		IsEnabled: true, Permission: domain.PermissionOwner, Version: 1, UpdatedAt: s.now,
		Owner: &domain.Person{ID: caller.UserID, UUID: caller.UserUUID, FullName: caller.FullName},
	}, s.note("CreateAnalyst", u)
}

// AnalystChange has the arguments of a call of UpdateAnalyst.
type AnalystChange struct {
	ID     int64
	Update domain.AnalystUpdate
}

// UpdateAnalyst implements domain.AnalystService.
func (s Analysts) UpdateAnalyst(_ context.Context, caller domain.Caller, id int64, u domain.AnalystUpdate) (*domain.Analyst, error) {
	return s.answer("UpdateAnalyst", AnalystChange{id, u}, caller, id)
}

// DeleteAnalyst implements domain.AnalystService.
func (s Analysts) DeleteAnalyst(_ context.Context, _ domain.Caller, id int64) error {
	return s.note("DeleteAnalyst", id)
}

// SetAnalystGrants implements domain.AnalystService.
func (s Analysts) SetAnalystGrants(_ context.Context, _ domain.Caller, id int64, grants []domain.Grant) error {
	return s.note("SetAnalystGrants", Grants{id, grants})
}

// AnalystGrants implements domain.AnalystService. Agent 1 belongs to the whole organisation.
func (s Analysts) AnalystGrants(_ context.Context, _ domain.Caller, id int64) ([]domain.Grant, error) {
	if err := s.note("AnalystGrants", id); err != nil || id == 1 {
		return nil, err
	}
	return []domain.Grant{
		{Grantee: domain.Grantee{ID: s.Root.ID, Type: domain.GranteeUser, Name: s.Root.FullName}, Permission: domain.PermissionOwner},
		{Grantee: domain.Grantee{ID: s.Reader.ID, Type: domain.GranteeUser, Name: s.Reader.FullName}, Permission: domain.PermissionRead},
	}, nil
}

// SetAnalystFavorite implements domain.AnalystService.
func (s Analysts) SetAnalystFavorite(_ context.Context, _ domain.Caller, id int64, on bool) error {
	return s.note("SetAnalystFavorite", Mark{id, on})
}
