package devidp

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/dexidp/dex/storage"

	"parley.dev/parley/internal/clock"
)

// SignIn is a sign-in as the API identifies it: the person, and the sid and auth_time
// of its tokens.
type SignIn struct {
	Subject string
	Email   string
	Session string
	Began   time.Time
}

// CodeHash identifies a code without revealing it.
type CodeHash [sha256.Size]byte

// CodeStore records which codes were exchanged, and for which sign-in. A code that is
// used a second time was stolen, and it is unknown which of the two users is the person
// (RFC 9700, 4.5): the tokens from the first use must become invalid, on every node and
// after restarts. All nodes share one store.
type CodeStore interface {
	// Keep records the exchange of a code, until a time at which no token from it is valid.
	Keep(ctx context.Context, code CodeHash, in SignIn, until time.Time) error

	// Find returns the sign-in of a code that was exchanged, or nil.
	Find(ctx context.Context, code CodeHash) (*SignIn, error)
}

// memoryCodes is for a provider with a single process, whose bearers become invalid when it ends.
type memoryCodes struct {
	clock clock.Clock

	// mu guards spent.
	mu    sync.Mutex
	spent map[CodeHash]spent
}

type spent struct {
	signIn SignIn
	until  time.Time
}

func newMemoryCodes(c clock.Clock) *memoryCodes {
	return &memoryCodes{clock: c, spent: map[CodeHash]spent{}}
}

// Keep implements CodeStore.
func (m *memoryCodes) Keep(_ context.Context, code CodeHash, in SignIn, until time.Time) error {
	now := m.clock.Now()

	m.mu.Lock()
	defer m.mu.Unlock()

	for hash, old := range m.spent {
		if !now.Before(old.until) {
			delete(m.spent, hash)
		}
	}

	m.spent[code] = spent{signIn: in, until: until}

	return nil
}

// Find implements CodeStore.
func (m *memoryCodes) Find(_ context.Context, code CodeHash) (*SignIn, error) {
	m.mu.Lock()
	defer m.mu.Unlock()

	found, ok := m.spent[code]
	if !ok || !m.clock.Now().Before(found.until) {
		return nil, nil
	}

	return &found.signIn, nil
}

// GetAuthCode implements storage.Storage.
func (s *keyStorage) GetAuthCode(ctx context.Context, id string) (storage.AuthCode, error) {
	code, err := s.Storage.GetAuthCode(ctx, id)
	if errors.Is(err, storage.ErrNotFound) {
		s.endReused(ctx, id)
	}

	if current, ok := ctx.Value(issuanceKey{}).(*issuance); ok && err == nil {
		current.subject, current.email = code.Claims.UserID, code.Claims.Email
	}

	return code, err //nolint:wrapcheck // dex compares its own errors
}

// DeleteAuthCode implements storage.Storage. Of two concurrent exchanges the second one
// fails here. If it cannot be stored that a code is spent, its exchange fails, because a
// second use would not be detected.
func (s *keyStorage) DeleteAuthCode(ctx context.Context, id string) error {
	err := s.Storage.DeleteAuthCode(ctx, id)
	if errors.Is(err, storage.ErrNotFound) {
		s.endReused(ctx, id)
	}

	if current, ok := ctx.Value(issuanceKey{}).(*issuance); ok && err == nil {
		in := s.sessionOf(current)
		first := SignIn{Subject: current.subject, Email: current.email, Session: in.id, Began: in.began.Truncate(time.Second)}

		if err := s.codes.Keep(ctx, sha256.Sum256([]byte(id)), first, s.clock.Now().Add(s.lifetime)); err != nil {
			// Dex's own log line does not contain the reason (see warnings).
			s.logger.LogAttrs(ctx, slog.LevelError, "a spent code could not be kept", slog.Any("error", err))

			return fmt.Errorf("keep a spent code: %w", err)
		}
	}

	return err //nolint:wrapcheck // dex compares its own errors
}

// endReused ends the sign-in of a code that was exchanged before.
func (s *keyStorage) endReused(ctx context.Context, code string) {
	first, err := s.codes.Find(ctx, sha256.Sum256([]byte(code)))
	if err == nil && first == nil {
		return
	}

	if err == nil {
		s.logger.LogAttrs(ctx, slog.LevelWarn, "a code of a sign-in came a second time; the sign-in is over")
		err = s.end(ctx, *first)
	}

	if err != nil {
		s.logger.LogAttrs(ctx, slog.LevelError, "a sign-in could not be ended", slog.Any("error", err))
	}
}
