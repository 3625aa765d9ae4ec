package domain

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"time"
)

// The default limits of a sign-in, which an operator can change.
const (
	SignInIdle     = 4 * time.Hour
	SignInAbsolute = 12 * time.Hour
)

// SignInKey identifies a sign-in. It contains a hash instead of the identity provider's id
// of the sign-in, so that no part of a token is stored anywhere.
type SignInKey struct {
	UserID int64
	Hash   [sha256.Size]byte
}

// SignIn begins when a person authenticates at the identity provider, covers all bearers
// that the provider issues for that, and lasts until it ends. Only the person ends it, and
// nobody can read the sign-ins of others.
type SignIn struct {
	SignInKey

	OrganisationID int64
	// Named is true if the provider has an id for the sign-in (sid). All its bearers carry
	// this id, so the sign-in can be ended without ending others.
	Named bool
	// IssuedAt is when the bearer was issued, AuthTime when the person last authenticated.
	// Zero if the bearer does not say.
	IssuedAt, AuthTime time.Time
}

// BeganAt returns when the sign-in began, as far as the bearer says; otherwise zero.
func (s SignIn) BeganAt() time.Time {
	if s.AuthTime.IsZero() {
		return s.IssuedAt
	}
	return s.AuthTime
}

// SignIn returns the sign-in that the bearer of the identity belongs to. It is identified by
// the provider's id of the sign-in, else by the time of the authentication, else by the
// bearer itself.
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

// part writes a text with its length before it, so that different lists of texts never give
// the same bytes.
func part(h hash.Hash, text string) {
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text)))) // writing to a hash never fails
	_, _ = h.Write([]byte(text))
}

// SignInService stores sign-ins.
type SignInService interface {
	// EnterSignIn checks that a call's sign-in is not over. The first call stores the
	// sign-in. active records that the person is doing something, at most once a minute.
	// CodeUnauthenticated if the sign-in is over: it was ended, was idle for too long or is
	// too old, or the person is disabled.
	EnterSignIn(ctx context.Context, in SignIn, active bool) error
	// EndSignIn ends a sign-in: its bearers are not accepted any more. Ending a sign-in that
	// is not Named also ends the person's earlier sign-ins that are not Named.
	EndSignIn(ctx context.Context, in SignIn) error
	// EndedSignIns returns the sign-ins of a list that are over.
	EndedSignIns(ctx context.Context, list []SignInKey) ([]SignInKey, error)
}
