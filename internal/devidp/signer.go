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

// tokenSigner signs access tokens and ID tokens with different contents; see the
// package's comment. Dex still handles the rotation of keys and the public keys.
type tokenSigner struct {
	signer.Signer

	keys     *keyStorage
	audience string

	// subjects maps dex's packed form of a person's id to the id.
	subjects map[string]string
}

// issuanceKey is the key of the issuance in the context of a request.
type issuanceKey struct{}

// issuance is the state of one request to the token endpoint. Dex signs the access
// token first, and binds the ID token to it with at_hash: this distinguishes the two
// calls of Sign.
type issuance struct {
	// accessHash is the at_hash that the ID token must carry; empty before the
	// access token is signed. One request is served by one goroutine.
	accessHash string
	// session is empty until a token is signed or a refresh token was read.
	session session
	// subject and email are those of the person whose code is exchanged; they are
	// empty for other grants.
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
		// The call is not from the token endpoint, so this is not a bearer for the API.
		return s.sign(ctx, typeID, claims)
	case current.accessHash == "":
		return s.signAccess(ctx, current, claims)
	case claims["at_hash"] == current.accessHash:
		return s.sign(ctx, typeID, claims)
	default:
		return "", errors.New("a request signs one access token and the ID token that belongs to it")
	}
}

// signAccess makes an access token for the API from dex's claims.
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
