package devidp

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/dexidp/dex/storage"
)

// session is one sign-in: all of its tokens, also refreshed ones, contain its id (sid)
// and the time at which it began (auth_time), so that an API can end it.
type session struct {
	id    string
	began time.Time
}

// sessionOf returns the session of a request to the token endpoint. Without a refresh
// token a new session begins here.
func (s *keyStorage) sessionOf(current *issuance) session {
	if current.session.id == "" {
		current.session = session{id: rand.Text(), began: s.clock.Now()}
	}

	return current.session
}

// CreateRefresh implements storage.Storage. It records the session that the refresh
// token belongs to.
func (s *keyStorage) CreateRefresh(ctx context.Context, token storage.RefreshToken) error {
	if current, ok := ctx.Value(issuanceKey{}).(*issuance); ok {
		s.mu.Lock()
		s.sessions[token.ID] = s.sessionOf(current)
		s.mu.Unlock()
	}

	return s.Storage.CreateRefresh(ctx, token) //nolint:wrapcheck // dex compares its own errors
}

// GetRefresh implements storage.Storage. A request with a refresh token continues the
// session of the token.
func (s *keyStorage) GetRefresh(ctx context.Context, id string) (storage.RefreshToken, error) {
	token, err := s.Storage.GetRefresh(ctx, id)
	if current, ok := ctx.Value(issuanceKey{}).(*issuance); ok && err == nil {
		s.mu.Lock()
		current.session = s.sessions[id]
		s.mu.Unlock()
	}

	return token, err //nolint:wrapcheck // as above
}

// DeleteRefresh implements storage.Storage.
func (s *keyStorage) DeleteRefresh(ctx context.Context, id string) error {
	s.mu.Lock()
	delete(s.sessions, id)
	s.mu.Unlock()

	return s.Storage.DeleteRefresh(ctx, id) //nolint:wrapcheck // as above
}
