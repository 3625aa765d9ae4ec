package domain

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"time"
)

// The limits of a sign-in where an operator sets no others.
const (
	SignInIdle     = 4 * time.Hour
	SignInAbsolute = 12 * time.Hour
)

// SignInKey tells sign-ins apart. The hash stands for what the identity provider
// calls the sign-in, so that nothing of a token is kept anywhere.
type SignInKey struct {
	UserID int64
	Hash   [sha256.Size]byte
}

// SignIn is one stay of a person: from showing the identity provider who they
// are, through all bearers that it gives for that, to the end. Nobody but the
// person ends it, and nobody reads of another's.
type SignIn struct {
	SignInKey

	OrganisationID int64
	// Named says that the provider has a name for the sign-in (sid), which all its
	// bearers carry, so that it can be ended alone.
	Named bool
	// IssuedAt is when the bearer was given, AuthTime when the person last showed
	// who they are. Zero: the bearer does not say.
	IssuedAt, AuthTime time.Time
}

// BeganAt is when the sign-in began as far as the bearer says; else zero.
func (s SignIn) BeganAt() time.Time {
	if s.AuthTime.IsZero() {
		return s.IssuedAt
	}
	return s.AuthTime
}

// SignIn is the sign-in that the bearer of the identity belongs to: known by the
// provider's name for it, else by the time when it began, else it is the bearer itself.
func (id Identity) SignIn(u *User) SignIn {
	s := SignIn{
		SignInKey: SignInKey{UserID: u.ID}, OrganisationID: u.OrganisationID, Named: id.Session != "",
		IssuedAt: id.IssuedAt, AuthTime: id.AuthTime,
	}
	h := sha256.New()
	part(h, id.Issuer)
	part(h, id.Subject)
	switch {
	case id.Session != "":
		part(h, "sid")
		part(h, id.Session)
	case !id.AuthTime.IsZero():
		part(h, "auth_time")
		part(h, id.AuthTime.UTC().Format(time.RFC3339))
	default:
		part(h, "token")
		part(h, id.TokenID)
	}
	h.Sum(s.Hash[:0])
	return s
}

// part writes text with its length before it, so that no two lists of texts are the same bytes.
func part(h hash.Hash, text string) {
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text)))) // a hash takes everything
	_, _ = h.Write([]byte(text))
}

// SignInService keeps sign-ins.
type SignInService interface {
	// EnterSignIn checks that a call's sign-in is not over, and begins it with its
	// first call. active notes that the person does something, at most once a minute.
	// CodeUnauthenticated once it is over: ended, idle or old for too long, or the
	// person disabled.
	EnterSignIn(ctx context.Context, in SignIn, active bool) error
	// EndSignIn ends it: none of its bearers is taken any more. One without a name
	// takes with it all of the person's that began before and have no name either.
	EndSignIn(ctx context.Context, in SignIn) error
	// EndedSignIns gives those of a list that are over.
	EndedSignIns(ctx context.Context, list []SignInKey) ([]SignInKey, error)
}
