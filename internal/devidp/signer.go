package devidp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/dexidp/dex/server/signer"
	"github.com/dexidp/dex/server/tokens"
	"github.com/go-jose/go-jose/v4"
)

const (
	typeAccess = "at+jwt"
	typeID     = "JWT"
)

// tokenSigner signs access and ID tokens apart from each other; see the
// package's comment. Rotation and public keys stay dex's.
type tokenSigner struct {
	signer.Signer

	keys     *keyStorage
	audience string

	// subjects gives the id of a person for dex's packed form of it.
	subjects map[string]string
}

// issuanceKey finds the issuance of a request in its context.
type issuanceKey struct{}

// issuance is what one request to the token endpoint has signed so far. Dex
// signs the access token first, and binds the ID token to it by at_hash: that
// is how the two are told apart.
type issuance struct {
	// accessHash is the at_hash that the ID token must carry; empty before the
	// access token is signed. One request is served by one goroutine.
	accessHash string
	// session is empty until a token is signed or a refresh token was read.
	session session
	// subject and email are whose code was shown; empty for other grants.
	subject, email string
}

// withIssuance prepares the context of a request to the token endpoint.
func withIssuance(ctx context.Context) context.Context {
	return context.WithValue(ctx, issuanceKey{}, &issuance{})
}

// Sign implements signer.Signer.
func (s *tokenSigner) Sign(ctx context.Context, payload []byte) (string, error) {
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.UseNumber()

	claims := map[string]any{}
	if err := decoder.Decode(&claims); err != nil {
		return "", fmt.Errorf("decode claims: %w", err)
	}

	if packed, ok := claims["sub"].(string); ok && s.subjects[packed] != "" {
		claims["sub"] = s.subjects[packed]
	}

	current, ok := ctx.Value(issuanceKey{}).(*issuance)
	if ok {
		in := s.keys.sessionOf(current)
		claims["sid"], claims["auth_time"] = in.id, in.began.Unix()
	}

	switch {
	case !ok:
		// Not from the token endpoint, so no bearer for the API.
		return s.sign(ctx, typeID, claims)
	case current.accessHash == "":
		return s.signAccess(ctx, current, claims)
	case claims["at_hash"] == current.accessHash:
		return s.sign(ctx, typeID, claims)
	default:
		return "", errors.New("a request signs one access token and the ID token that belongs to it")
	}
}

// signAccess makes of dex's claims an access token for the API.
func (s *tokenSigner) signAccess(ctx context.Context, current *issuance, claims map[string]any) (string, error) {
	for _, idOnly := range []string{"at_hash", "c_hash", "nonce"} {
		delete(claims, idOnly)
	}

	claims["azp"] = claims["aud"]
	claims["client_id"] = claims["aud"]
	claims["aud"] = s.audience

	token, err := s.sign(ctx, typeAccess, claims)
	if err != nil {
		return "", err
	}

	algorithm, err := s.Algorithm(ctx)
	if err != nil {
		return "", fmt.Errorf("signing algorithm: %w", err)
	}

	current.accessHash, err = tokens.AccessTokenHash(algorithm, token)
	if err != nil {
		return "", fmt.Errorf("hash of the access token: %w", err)
	}

	return token, nil
}

// sign signs claims with the current key.
func (s *tokenSigner) sign(ctx context.Context, typ jose.ContentType, claims map[string]any) (string, error) {
	payload, err := json.Marshal(claims)
	if err != nil {
		return "", fmt.Errorf("encode claims: %w", err)
	}

	keys, err := s.keys.GetKeys(ctx)
	if err != nil {
		return "", err
	}

	if keys.SigningKey == nil {
		return "", errors.New("no key to sign with")
	}

	key := jose.SigningKey{Algorithm: jose.SignatureAlgorithm(keys.SigningKey.Algorithm), Key: keys.SigningKey}

	with, err := jose.NewSigner(key, (&jose.SignerOptions{}).WithType(typ))
	if err != nil {
		return "", fmt.Errorf("prepare signing: %w", err)
	}

	signed, err := with.Sign(payload)
	if err != nil {
		return "", fmt.Errorf("sign: %w", err)
	}

	token, err := signed.CompactSerialize()
	if err != nil {
		return "", fmt.Errorf("serialise: %w", err)
	}

	return token, nil
}
