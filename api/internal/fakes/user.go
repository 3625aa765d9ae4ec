package fakes

import (
	"context"

	"parley.dev/parley/domain"
)

// Users is the service of people. It finds a person by the email of an identity, whatever
// else the identity contains, and also returns disabled people.
type Users struct{ *World }

// UserByIdentity implements domain.UserService.
func (u Users) UserByIdentity(_ context.Context, id domain.Identity) (*domain.User, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.noted("UserByIdentity", id); err != nil {
		return nil, err
	}
	found, ok := u.byEmail[id.Email]
	if !ok {
		return nil, domain.Errorf(domain.CodeUnknownUser, "You are not authorized to access this resource")
	}
	out := *found
	return &out, nil
}

// User implements domain.UserService.
func (u Users) User(_ context.Context, _ domain.Caller, id int64) (*domain.User, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.noted("User", id); err != nil {
		return nil, err
	}
	for _, found := range u.byEmail {
		if found.ID == id {
			out := *found
			return &out, nil
		}
	}
	return nil, domain.NotFound("User")
}

// LogHead implements domain.UserService.
func (u Users) LogHead(context.Context, domain.Caller) (int64, error) {
	return LogHead, u.note("LogHead", nil)
}

// TouchSession implements domain.UserService.
func (u Users) TouchSession(context.Context, domain.Caller) error {
	return u.note("TouchSession", nil)
}

// ShareableQuery has the arguments of a call of ShareableEntities.
type ShareableQuery struct {
	Search string
	Page   domain.Page
}

// ShareableEntities implements domain.UserService. It answers every caller with the people of
// Owner's organisation.
func (u Users) ShareableEntities(_ context.Context, _ domain.Caller, search string, page domain.Page) (domain.List[domain.Grantee], error) {
	list := domain.List[domain.Grantee]{Count: 4}
	for _, person := range []*domain.User{&u.Owner, &u.Reader, &u.Stranger, &u.Root} {
		list.Results = append(list.Results, domain.Grantee{ID: person.ID, Type: domain.GranteeUser, Name: person.FullName})
	}
	return list, u.note("ShareableEntities", ShareableQuery{search, page})
}
