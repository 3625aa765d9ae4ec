package fakes

import (
	"context"

	"parley.dev/parley/domain"
)

// Analysts is the service of agents. Agent 1 is the default one of the first
// organisation; agent 2 is Root's and for Reader, too.
type Analysts struct{ *World }

// Analyst implements domain.AnalystService.
func (s Analysts) Analyst(context.Context, int64, int64) (*domain.Analyst, error) {
	return s.prism(), nil
}

// DefaultAnalyst implements domain.AnalystService.
func (s Analysts) DefaultAnalyst(context.Context, int64) (*domain.Analyst, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.prism(), s.called("DefaultAnalyst")
}

// UsableAnalyst implements domain.AnalystService.
func (s Analysts) UsableAnalyst(ctx context.Context, caller domain.Caller, id int64) (*domain.Analyst, error) {
	return s.AnalystFor(ctx, caller, id)
}

// AnalystFor implements domain.AnalystService.
func (s Analysts) AnalystFor(_ context.Context, caller domain.Caller, id int64) (*domain.Analyst, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("AnalystFor"); err != nil {
		return nil, err
	}
	return s.agent(caller, id)
}

// Analysts implements domain.AnalystService.
func (s Analysts) Analysts(_ context.Context, caller domain.Caller, f domain.AnalystFilter) (domain.List[domain.Analyst], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	call := "Analysts all"
	if f.OnlyEnabled {
		call = "Analysts enabled"
	}
	for _, scope := range f.Scopes {
		call += " " + scope
	}
	for _, c := range f.Conditions {
		call += " " + c.Field
	}
	var all []domain.Analyst
	for id := range int64(3) {
		if a, err := s.agent(caller, id); err == nil {
			all = append(all, *a)
		}
	}
	return cut(all, f.Page), s.called(call)
}

// CreateAnalyst implements domain.AnalystService.
func (s Analysts) CreateAnalyst(_ context.Context, caller domain.Caller, u domain.AnalystUpdate) (*domain.Analyst, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("CreateAnalyst"); err != nil {
		return nil, err
	}
	if err := domain.MakeAnalyst.Ask(caller, domain.Standing{}); err != nil {
		return nil, err
	}
	before, err := s.once(caller, u.Key)
	if err != nil {
		return nil, err
	}
	a := &domain.Analyst{
		ID: 3, OrganisationID: caller.OrganisationID, Name: "prism-2", Controller: domain.AnalystController, Provider: u.Available[0].Provider, Model: u.Available[0].Model,
		IsEnabled: true, Permission: domain.PermissionOwner, Owner: &domain.Person{ID: caller.UserID, UUID: caller.UserUUID, FullName: caller.FullName}, Version: 1, UpdatedAt: s.now,
	}
	if err := s.change(a, &u); err != nil {
		return nil, err
	}
	if before == nil {
		s.remember(caller, u.Key, a.ID)
	}
	return a, nil
}

// UpdateAnalyst implements domain.AnalystService.
func (s Analysts) UpdateAnalyst(_ context.Context, caller domain.Caller, id int64, u domain.AnalystUpdate) (*domain.Analyst, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("UpdateAnalyst"); err != nil {
		return nil, err
	}
	a, err := s.ask(caller, id, domain.ChangeAnalyst)
	if err != nil {
		return nil, err
	}
	if u.Version != 0 && u.Version != a.Version {
		return nil, domain.Errorf(domain.CodeConflict, "Somebody else changed this meanwhile. Please load it again.")
	}
	a.Version++
	return a, s.change(a, &u)
}

func (s Analysts) change(a *domain.Analyst, u *domain.AnalystUpdate) error {
	if err := u.Validate(); err != nil {
		return err
	}
	if u.IsEnabled != nil && !*u.IsEnabled && a.IsDefault {
		return domain.Invalid("isEnabled", "The default agent cannot be switched off")
	}
	for from, to := range map[*string]*string{u.Name: &a.Name, u.Description: &a.Description, u.Controller: &a.Controller, u.Provider: &a.Provider, u.Model: &a.Model, u.Picture: &a.Picture} {
		if from != nil {
			*to = *from
		}
	}
	if u.IsEnabled != nil {
		a.IsEnabled = *u.IsEnabled
	}
	if u.General != nil {
		a.GeneralDisabled = !*u.General
	}
	u.Knowledge.Apply(&a.Knowledge)
	u.ChartReview.Apply(&a.ChartReview)
	u.Insights.Apply(&a.Insights)
	u.Summary.Apply(&a.Summary)
	return nil
}

// DeleteAnalyst implements domain.AnalystService.
func (s Analysts) DeleteAnalyst(_ context.Context, caller domain.Caller, id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("DeleteAnalyst"); err != nil {
		return err
	}
	_, err := s.ask(caller, id, domain.DeleteAnalyst)
	return err
}

// SetAnalystGrants implements domain.AnalystService.
func (s Analysts) SetAnalystGrants(_ context.Context, caller domain.Caller, id int64, _ []domain.Grant) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("SetAnalystGrants"); err != nil {
		return err
	}
	_, err := s.ask(caller, id, domain.ShareAnalyst)
	return err
}

// AnalystGrants implements domain.AnalystService.
func (s Analysts) AnalystGrants(_ context.Context, caller domain.Caller, id int64) ([]domain.Grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("AnalystGrants"); err != nil {
		return nil, err
	}
	a, err := s.agent(caller, id)
	if err != nil || a.Owner == nil {
		return nil, err
	}
	return []domain.Grant{
		{Grantee: domain.Grantee{ID: a.Owner.ID, Type: domain.GranteeUser, Name: a.Owner.FullName}, Permission: domain.PermissionOwner},
		{Grantee: domain.Grantee{ID: s.Reader.ID, Type: domain.GranteeUser, Name: s.Reader.FullName}, Permission: domain.PermissionRead},
	}, nil
}

// SetAnalystFavorite implements domain.AnalystService.
func (s Analysts) SetAnalystFavorite(_ context.Context, caller domain.Caller, id int64, on bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	call := "SetAnalystFavorite off"
	if on {
		call = "SetAnalystFavorite on"
	}
	if err := s.called(call); err != nil {
		return err
	}
	_, err := s.agent(caller, id)
	return err
}

// agent is what the caller sees of an agent.
func (s Analysts) agent(caller domain.Caller, id int64) (*domain.Analyst, error) {
	a := s.prism()
	if id == 2 {
		a = &domain.Analyst{
			ID: 2, OrganisationID: 1, Name: "Finance", Controller: domain.AnalystController, Provider: "builtin", Model: "builtin", IsEnabled: true,
			Owner: &domain.Person{ID: s.Root.ID, UUID: s.Root.UUID, FullName: s.Root.FullName}, Instructions: "secret instructions",
			Knowledge: domain.AnalystSection{SpecialInstructions: "secret knowledge", Memories: []int64{1}}, ProjectLabels: []int64{1, 99}, Version: 4, UpdatedAt: s.now,
		}
		switch caller.UserID {
		case s.Root.ID:
			a.Permission = domain.PermissionOwner
		case s.Reader.ID:
			a.Permission = domain.PermissionRead
		}
	}
	if id != a.ID {
		return nil, domain.NotFound("Agent")
	}
	return a, domain.SeeAnalyst.Ask(caller, a.Standing(caller))
}

// ask finds one with which the caller may do something.
func (s Analysts) ask(caller domain.Caller, id int64, action domain.Action) (*domain.Analyst, error) {
	a, err := s.agent(caller, id)
	if err == nil {
		err = action.Ask(caller, a.Standing(caller))
	}
	return a, err
}

func (s Analysts) prism() *domain.Analyst {
	return &domain.Analyst{
		ID: 1, OrganisationID: 1, Name: domain.DefaultAnalystName, Provider: "builtin", Model: "planner", IsEnabled: true, IsDefault: true,
		Permission: domain.PermissionRead, Instructions: "secret instructions", Version: 1, UpdatedAt: s.now,
	}
}
