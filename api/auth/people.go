package auth

import (
	"context"
	"sync"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

const (
	// freshFor is how long a person is remembered. A disabled one is out after it.
	freshFor = 4 * time.Second
	// peopleMax is when persons who are not fresh any more are thrown out.
	peopleMax = 10_000
)

// SignedIn is a person with a valid bearer.
type SignedIn struct {
	User *domain.User
	// Expires is when the bearer ends.
	Expires time.Time
}

// Verifying checks a token and says whose it is.
type Verifying interface {
	Verify(ctx context.Context, token string) (domain.Identity, error)
}

// People finds the person of a bearer.
type People struct {
	tokens Verifying
	users  domain.UserService
	clock  clock.Clock

	// mu guards known, which every request reads and writes.
	mu    sync.Mutex
	known map[identityKey]known
}

// identityKey has the issuer in it: the same subject of another one is another person.
type identityKey struct{ issuer, subject string }

type known struct {
	user  *domain.User
	until time.Time
}

// NewPeople makes a finder.
func NewPeople(tokens Verifying, users domain.UserService, c clock.Clock) *People {
	return &People{tokens: tokens, users: users, clock: c, known: map[identityKey]known{}}
}

// Find checks the token and gives the person. CodeUnauthenticated,
// CodeUnknownUser for somebody whom the app does not know, CodeUnavailable.
// The user is shared and must not be changed.
func (p *People) Find(ctx context.Context, token string) (*SignedIn, error) {
	if token == "" || len(token) > tokenMax {
		return nil, refuse(nil)
	}
	id, err := p.tokens.Verify(ctx, token)
	if err != nil {
		return nil, err
	}
	key, now := identityKey{id.Issuer, id.Subject}, p.clock.Now()
	if user := p.remembered(key, now); user != nil {
		return &SignedIn{User: user, Expires: id.Expires}, nil
	}
	user, err := p.users.UserByIdentity(ctx, id)
	if err != nil {
		return nil, err
	}
	if user.IsDisabled {
		return nil, refuse(nil)
	}
	p.remember(key, known{user: user, until: now.Add(freshFor)}, now)
	return &SignedIn{User: user, Expires: id.Expires}, nil
}

func (p *People) remembered(key identityKey, now time.Time) *domain.User {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k, ok := p.known[key]; ok && now.Before(k.until) {
		return k.user
	}
	return nil
}

func (p *People) remember(key identityKey, k known, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.known) >= peopleMax {
		for other, o := range p.known {
			if !now.Before(o.until) {
				delete(p.known, other)
			}
		}
	}
	p.known[key] = k
}

// refuse is the one answer to every token that is not good. Why is for the log.
func refuse(cause error) error {
	err := domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
	if cause != nil {
		return err.WithCause(cause)
	}
	return err
}
