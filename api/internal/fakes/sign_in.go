package fakes

import (
	"context"
	"slices"
	"sync"

	"parley.dev/parley/domain"
)

// SignIns records the sign-ins that it is asked about, and refuses those that were ended:
// by the API, or by a test in place of the rules.
type SignIns struct {
	// mu protects the fields below.
	mu      sync.Mutex
	entered []EnteredSignIn
	ended   []domain.SignIn
	over    map[domain.SignInKey]bool
}

// EnteredSignIn has the arguments of a call of EnterSignIn.
type EnteredSignIn struct {
	domain.SignIn

	Active bool
}

// NewSignIns makes a service without sign-ins.
func NewSignIns() *SignIns {
	return &SignIns{over: map[domain.SignInKey]bool{}}
}

// Entered lists what EnterSignIn was asked, in order.
func (s *SignIns) Entered() []EnteredSignIn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.entered)
}

// Ended lists what EndSignIn was asked, in order.
func (s *SignIns) Ended() []domain.SignIn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.ended)
}

// End ends all sign-ins of a person that have been entered.
func (s *SignIns) End(user int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.entered {
		if s.entered[i].UserID == user {
			s.over[s.entered[i].SignInKey] = true
		}
	}
}

// EnterSignIn implements domain.SignInService.
func (s *SignIns) EnterSignIn(_ context.Context, in domain.SignIn, active bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entered = append(s.entered, EnteredSignIn{in, active})
	if s.over[in.SignInKey] {
		return domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
	}
	return nil
}

// EndSignIn implements domain.SignInService.
func (s *SignIns) EndSignIn(_ context.Context, in domain.SignIn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = append(s.ended, in)
	s.over[in.SignInKey] = true
	return nil
}

// EndedSignIns implements domain.SignInService.
func (s *SignIns) EndedSignIns(_ context.Context, list []domain.SignInKey) ([]domain.SignInKey, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ended []domain.SignInKey
	for _, key := range list {
		if s.over[key] {
			ended = append(ended, key)
		}
	}
	return ended, nil
}
