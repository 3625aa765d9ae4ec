package devidp

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"time"

	"github.com/dexidp/dex/storage"
)

// SignIn is a sign-in as the API knows it: whose it is, and the sid and auth_time
// of its tokens.
type SignIn struct {
	Subject string
	Email   string
	Session string
	Began   time.Time
}

// spent is a code that was exchanged, and the sign-in that it began. A code that
// comes a second time was seen by somebody else, and nobody knows which of the two
// is the person (RFC 9700, 4.5): then the tokens of the first are worth nothing more.
type spent struct {
	signIn SignIn
	until  time.Time
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

// DeleteAuthCode implements storage.Storage. Of two exchanges at the same moment
// the second one ends here.
func (s *keyStorage) DeleteAuthCode(ctx context.Context, id string) error {
	err := s.Storage.DeleteAuthCode(ctx, id)
	if errors.Is(err, storage.ErrNotFound) {
		s.endReused(ctx, id)
	}

	if current, ok := ctx.Value(issuanceKey{}).(*issuance); ok && err == nil {
		in := s.sessionOf(current)
		s.spend(id, SignIn{Subject: current.subject, Email: current.email, Session: in.id, Began: in.began.Truncate(time.Second)})
	}

	return err //nolint:wrapcheck // dex compares its own errors
}

// spend remembers an exchanged code for as long as tokens of it may live.
func (s *keyStorage) spend(code string, in SignIn) {
	now := s.clock.Now()

	s.mu.Lock()
	defer s.mu.Unlock()

	for sum, old := range s.spent {
		if !now.Before(old.until) {
			delete(s.spent, sum)
		}
	}

	s.spent[sha256.Sum256([]byte(code))] = spent{signIn: in, until: now.Add(s.lifetime)}
}

// endReused ends the sign-in of a code that was exchanged before.
func (s *keyStorage) endReused(ctx context.Context, code string) {
	s.mu.Lock()
	first, ok := s.spent[sha256.Sum256([]byte(code))]
	s.mu.Unlock()

	if !ok || !s.clock.Now().Before(first.until) {
		return
	}

	s.logger.LogAttrs(ctx, slog.LevelWarn, "a code of a sign-in came a second time; the sign-in is over")

	if err := s.end(ctx, first.signIn); err != nil {
		s.logger.LogAttrs(ctx, slog.LevelError, "a sign-in could not be ended", slog.Any("error", err))
	}
}
