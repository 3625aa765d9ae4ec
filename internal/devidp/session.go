package devidp

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/dexidp/dex/storage"
)

// session is one sign-in: all tokens that come of it, refreshed ones too, carry
// its name (sid) and its beginning (auth_time), so that an API can end it.
type session struct {
	id    string
	began time.Time
}

// sessionOf is the session of a request to the token endpoint. One that no
// refresh token has brought begins here.
func (s *keyStorage) sessionOf(current *issuance) session {
	if current.session.id == "" {
		current.session = session{id: rand.Text(), began: s.clock.Now()}
	}

	return current.session
}

// CreateRefresh implements storage.Storage. It remembers which session the
// refresh token goes on with.
func (s *keyStorage) CreateRefresh(ctx context.Context, token storage.RefreshToken) error {
	if current, ok := ctx.Value(issuanceKey{}).(*issuance); ok {
		s.mu.Lock()
		s.sessions[token.ID] = s.sessionOf(current)
		s.mu.Unlock()
	}

	return s.Storage.CreateRefresh(ctx, token) //nolint:wrapcheck // dex compares its own errors
}

// GetRefresh implements storage.Storage. The request that shows a refresh token
// goes on with its session.
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
