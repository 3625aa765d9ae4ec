package auth

import (
	"context"
	"sync"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

const (
	// cacheTime is how long a person is cached. A disabled person loses access after this
	// time.
	cacheTime = 4 * time.Second
	// cacheMax is the number of cached persons from which expired entries are removed.
	cacheMax = 10_000
)

// SignedIn is a person with a valid bearer.
type SignedIn struct {
	User *domain.User
	// SignIn is the sign-in that the bearer belongs to.
	SignIn domain.SignIn
	// Expires is when the bearer expires.
	Expires time.Time
}

// Verifying checks a token and returns the identity in it.
type Verifying interface {
	Verify(ctx context.Context, token string) (domain.Identity, error)
}

// People finds the person of a bearer.
type People struct {
	tokens  Verifying
	users   domain.UserService
	signIns domain.SignInService
	clock   clock.Clock

	// mu protects known, which every request reads and writes.
	mu    sync.Mutex
	known map[identityKey]known
}

// identityKey includes the issuer, because the same subject of another issuer is another
// person. Bearers of different sign-ins or of different age have separate entries, because
// each must pass its own checks.
type identityKey struct {
	issuer, subject, session, token string
	issued, began                   int64
}

func keyOf(id *domain.Identity) identityKey {
	return identityKey{id.Issuer, id.Subject, id.Session, id.TokenID, id.IssuedAt.Unix(), id.AuthTime.Unix()}
}

type known struct {
	user  *domain.User
	until time.Time
	// active is true if the activity of the person was recorded.
	active bool
}

// NewPeople makes a People with an empty cache.
func NewPeople(tokens Verifying, users domain.UserService, signIns domain.SignInService, c clock.Clock) *People {
	return &People{tokens: tokens, users: users, signIns: signIns, clock: c, known: map[identityKey]known{}}
}

// Find checks the token and its sign-in and returns the person. active means that the
// person is doing something; it is false for calls that an open page makes by itself.
// Errors: CodeUnauthenticated, CodeUnknownUser for a person whom the app does not know,
// CodeUnavailable. The returned user is shared and must not be changed.
func (p *People) Find(ctx context.Context, token string, active bool) (*SignedIn, error) {
	if token == "" || len(token) > tokenMax {
		return nil, refuse(nil)
	}
	id, err := p.tokens.Verify(ctx, token)
	if err != nil {
		return nil, err
	}
	key, now := keyOf(&id), p.clock.Now()
	if k := p.remembered(key, now); k.user != nil && (k.active || !active) {
		return &SignedIn{User: k.user, SignIn: id.SignIn(k.user), Expires: id.Expires}, nil
	}
	user, err := p.users.UserByIdentity(ctx, id)
	if err != nil {
		return nil, err
	}
	if user.IsDisabled {
		return nil, refuse(nil)
	}
	in := id.SignIn(user)
	if err := p.signIns.EnterSignIn(ctx, in, active); err != nil {
		return nil, err
	}
	p.remember(key, known{user: user, until: now.Add(cacheTime), active: active}, now)
	return &SignedIn{User: user, SignIn: in, Expires: id.Expires}, nil
}

// Forget removes a person from the cache, so that the next call is checked completely.
func (p *People) Forget(user int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, k := range p.known {
		if k.user.ID == user {
			delete(p.known, key)
		}
	}
}

// ForgetAll empties the cache. It is used when notices of changes may have been missed.
func (p *People) ForgetAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.known)
}

func (p *People) remembered(key identityKey, now time.Time) known {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k, ok := p.known[key]; ok && now.Before(k.until) {
		return k
	}
	return known{}
}

func (p *People) remember(key identityKey, k known, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.known) >= cacheMax {
		for other, o := range p.known {
			if !now.Before(o.until) {
				delete(p.known, other)
			}
		}
	}
	p.known[key] = k
}

// refuse returns the same error for every refused token; the cause is only for the log.
func refuse(cause error) error {
	err := domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
	if cause != nil {
		return err.WithCause(cause)
	}
	return err
}
