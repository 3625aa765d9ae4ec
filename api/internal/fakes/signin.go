package fakes

import (
	"context"
	"sync"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// SignIns keeps sign-ins by the rules of the real ones.
type SignIns struct {
	clock clock.Clock

	// mu guards rows.
	mu   sync.Mutex
	rows map[domain.SignInKey]*signIn
}

type signIn struct{ began, active, ended time.Time }

// NewSignIns makes a service without sign-ins.
func NewSignIns(c clock.Clock) *SignIns {
	return &SignIns{clock: c, rows: map[domain.SignInKey]*signIn{}}
}

func (s *SignIns) over(row *signIn) bool {
	now := s.clock.Now()
	return row == nil || !row.ended.IsZero() || now.Sub(row.active) > domain.SignInIdle || now.Sub(row.began) > domain.SignInAbsolute
}

// EnterSignIn implements domain.SignInService.
func (s *SignIns) EnterSignIn(_ context.Context, in domain.SignIn, active bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	row := s.rows[in.SignInKey]
	if row == nil {
		row = &signIn{began: in.BeganAt(), active: now}
		s.rows[in.SignInKey] = row
	}
	if s.over(row) || now.Sub(in.IssuedAt) > domain.SignInAbsolute {
		return domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
	}
	if active {
		row.active = now
	}
	return nil
}

// EndSignIn implements domain.SignInService.
func (s *SignIns) EndSignIn(_ context.Context, in domain.SignIn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, row := range s.rows {
		if key == in.SignInKey || !in.Named && key.UserID == in.UserID {
			row.ended = s.clock.Now()
		}
	}
	return nil
}

// Disable ends all sign-ins of a person, as disabling them in the database does.
func (s *SignIns) Disable(user int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, row := range s.rows {
		if key.UserID == user {
			row.ended = s.clock.Now()
		}
	}
}

// EndedSignIns implements domain.SignInService.
func (s *SignIns) EndedSignIns(_ context.Context, list []domain.SignInKey) ([]domain.SignInKey, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ended []domain.SignInKey
	for _, key := range list {
		if s.over(s.rows[key]) {
			ended = append(ended, key)
		}
	}
	return ended, nil
}
