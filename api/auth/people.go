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
	// SignIn is the stay that the bearer belongs to.
	SignIn domain.SignIn
	// Expires is when the bearer ends.
	Expires time.Time
}

// Verifying checks a token and says whose it is.
type Verifying interface {
	Verify(ctx context.Context, token string) (domain.Identity, error)
}

// People finds the person of a bearer.
type People struct {
	tokens  Verifying
	users   domain.UserService
	signIns domain.SignInService
	clock   clock.Clock

	// mu guards known, which every request reads and writes.
	mu    sync.Mutex
	known map[identityKey]known
}

// identityKey has the issuer in it: the same subject of another one is another
// person. Bearers of different sign-ins are remembered apart, and so are those of
// different age, since each is judged by its own.
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
	// active: that the person does something was noted.
	active bool
}

// NewPeople makes a finder.
func NewPeople(tokens Verifying, users domain.UserService, signIns domain.SignInService, c clock.Clock) *People {
	return &People{tokens: tokens, users: users, signIns: signIns, clock: c, known: map[identityKey]known{}}
}

// Find checks the token and its sign-in and gives the person. active notes that
// the person does something, rather than a page that is open by itself.
// CodeUnauthenticated, CodeUnknownUser for somebody whom the app does not know,
// CodeUnavailable. The user is shared and must not be changed.
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
	p.remember(key, known{user: user, until: now.Add(freshFor), active: active}, now)
	return &SignedIn{User: user, SignIn: in, Expires: id.Expires}, nil
}

// Forget drops what is cached about a person, whose next call is checked in full.
func (p *People) Forget(user int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, k := range p.known {
		if k.user.ID == user {
			delete(p.known, key)
		}
	}
}

// ForgetAll drops everything that is remembered: something may have changed that
// nobody was told of.
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
