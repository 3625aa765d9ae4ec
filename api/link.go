package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// A link to a display object contains the person who may read it and its expiry, signed:
//
//	version 1 byte · user 8 · organisation 8 · user's uuid 16 · expiry 8 · HMAC-SHA256 32
//
// The signature also covers the method and the object's id, so that the link opens nothing
// else. Rights are checked again when it is used: if the person has lost the right to the
// conversation, or if the object was deleted, the answer is 403.
const (
	linkVersion = 1
	linkClaims  = 1 + 8 + 8 + 16 + 8
	linkLength  = linkClaims + sha256.Size
)

// errLink is the error for everything that is not a valid link; it does not say why.
var errLink = domain.Errorf(domain.CodeForbidden, "The link is not valid any more")

func signLink(key []byte, method string, object uuid.UUID, caller domain.Caller, expires time.Time) string {
	raw := make([]byte, linkClaims, linkLength)
	raw[0] = linkVersion
	binary.BigEndian.PutUint64(raw[1:], uint64(caller.UserID))         //nolint:gosec // a round trip, not arithmetic
	binary.BigEndian.PutUint64(raw[9:], uint64(caller.OrganisationID)) //nolint:gosec // a round trip, not arithmetic
	copy(raw[17:], caller.UserUUID[:])
	binary.BigEndian.PutUint64(raw[33:], uint64(expires.Unix())) //nolint:gosec // a round trip, not arithmetic
	return base64.RawURLEncoding.EncodeToString(linkMAC(key, method, object, raw))
}

// linkMAC appends the signature to the claims.
func linkMAC(key []byte, method string, object uuid.UUID, claims []byte) []byte {
	mac := hmac.New(sha256.New, key)
	// Writing to a hash never fails.
	_, _ = mac.Write([]byte("display object link\x00" + method + "\x00"))
	_, _ = mac.Write(object[:])
	_, _ = mac.Write(claims)
	return mac.Sum(claims)
}

// openLink returns the caller that a link was made for. It returns CodeForbidden for
// everything that is not a valid link of this object and method.
func openLink(key []byte, method string, object uuid.UUID, token string, now time.Time) (domain.Caller, error) {
	if len(token) != base64.RawURLEncoding.EncodedLen(linkLength) {
		return domain.Caller{}, errLink
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || raw[0] != linkVersion {
		return domain.Caller{}, errLink
	}
	claims := append(make([]byte, 0, linkLength), raw[:linkClaims]...)
	if !hmac.Equal(linkMAC(key, method, object, claims), raw) {
		return domain.Caller{}, errLink
	}
	if now.Unix() >= int64(binary.BigEndian.Uint64(raw[33:])) { //nolint:gosec // a round trip, not arithmetic
		return domain.Caller{}, errLink
	}
	return domain.Caller{
		UserID:         int64(binary.BigEndian.Uint64(raw[1:])), //nolint:gosec // a round trip, not arithmetic
		OrganisationID: int64(binary.BigEndian.Uint64(raw[9:])), //nolint:gosec // a round trip, not arithmetic
		UserUUID:       uuid.UUID(raw[17:33]),
	}, nil
}
