package fakes

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// User is a person with their log.
type User struct {
	ID     int64
	UUID   uuid.UUID
	Home   string
	Events []domain.UserEvent
	// Floor is the seq up to which the log has been pruned.
	Floor int64
}

var _ domain.SessionStore = (*Store)(nil)

// AddUser adds a person.
func (s *Store) AddUser(id int64, u uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users[id] = &User{ID: id, UUID: u}
}

// LookUser calls f with a person, under the store's lock.
func (s *Store) LookUser(id int64, f func(*User)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s.users[id])
}

// ClaimSession implements domain.SessionStore.
func (s *Store) ClaimSession(_ context.Context, id uuid.UUID, node string) (head, userID int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.users {
		if u.UUID == id {
			u.Home = node
			return u.Floor + int64(len(u.Events)), u.ID, nil
		}
	}
	return 0, 0, domain.NotFound("User")
}

// ReleaseSession implements domain.SessionStore.
func (s *Store) ReleaseSession(_ context.Context, id uuid.UUID, node string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.users {
		if u.UUID == id && u.Home == node {
			u.Home = ""
		}
	}
	return nil
}

// SessionHome implements domain.SessionStore.
func (s *Store) SessionHome(_ context.Context, id uuid.UUID) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.users {
		if u.UUID == id {
			return u.Home, nil
		}
	}
	return "", nil
}

// NewestUserEvents implements domain.ConversationStore.
func (s *Store) NewestUserEvents(_ context.Context, conversation uuid.UUID, changed []domain.Grantee) ([]domain.UserEvent, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.conversations[conversation]
	var events []domain.UserEvent
	for _, u := range s.users {
		named := slices.Contains(changed, domain.Grantee{ID: u.ID, Type: domain.GranteeUser})
		if n := len(u.Events); n > 0 && (u.ID == c.Owner || c.Grants[u.ID].CanRead() || named) {
			last := u.Events[n-1]
			last.Home = u.Home
			events = append(events, last)
		}
	}
	return events, nil
}

// SessionHeads implements domain.SessionStore.
func (s *Store) SessionHeads(_ context.Context, known []domain.SessionHead) ([]domain.SessionHead, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fail("heads", uuid.Nil); err != nil {
		return nil, err
	}
	var out []domain.SessionHead
	for _, k := range known {
		for _, u := range s.users {
			head := u.Floor + int64(len(u.Events))
			if u.UUID == k.User && (head > k.Head || u.Home != k.Node) {
				out = append(out, domain.SessionHead{User: u.UUID, Head: head, Node: u.Home})
			}
		}
	}
	return out, nil
}

// UserEvents implements domain.SessionStore.
func (s *Store) UserEvents(_ context.Context, id, after int64, limit int) (events []domain.UserEvent, held bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fail("user events", uuid.Nil); err != nil {
		return nil, false, err
	}
	u := s.users[id]
	if after < u.Floor {
		return nil, false, nil
	}
	for _, e := range u.Events {
		if e.Seq > after && len(events) < limit {
			events = append(events, e)
		}
	}
	return events, true, nil
}

// Prune removes all events of a person's log.
func (s *Store) Prune(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.users[id]
	u.Floor += int64(len(u.Events))
	u.Events = nil
}
