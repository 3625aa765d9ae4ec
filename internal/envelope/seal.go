package envelope

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"fmt"
)

// Sealed is an encrypted secret as it is stored.
type Sealed struct {
	// KeyID names the master key that wraps the data key.
	KeyID string
	// WrappedKey is the encrypted data key; Body is the encrypted secret. Both start with
	// their nonce.
	WrappedKey []byte
	Body       []byte
}

// Seal encrypts a secret. bound says where the secret belongs; Open needs the same value.
func (r *Ring) Seal(bound string, secret []byte) (Sealed, error) {
	key := make([]byte, KeyLength)
	_, _ = rand.Read(key) // never fails
	body, err := encrypt(key, "body", bound, secret)
	if err != nil {
		return Sealed{}, err
	}
	wrapped, err := encrypt(r.keys[0].wrap, "key", bound, key)
	if err != nil {
		return Sealed{}, err
	}
	return Sealed{KeyID: r.Current(), WrappedKey: wrapped, Body: body}, nil
}

// Open decrypts the secret. Errors: ErrNoKey, ErrDamaged.
func (r *Ring) Open(bound string, s Sealed) ([]byte, error) {
	key, err := r.unwrap(bound, s)
	if err != nil {
		return nil, err
	}
	return decrypt(key, "body", bound, s.Body)
}

// Rewrap wraps the data key with the ring's first key; the body does not change.
// Errors: ErrNoKey, ErrDamaged.
func (r *Ring) Rewrap(bound string, s Sealed) (Sealed, error) {
	if s.KeyID == r.Current() {
		return s, nil
	}
	key, err := r.unwrap(bound, s)
	if err != nil {
		return Sealed{}, err
	}
	wrapped, err := encrypt(r.keys[0].wrap, "key", bound, key)
	if err != nil {
		return Sealed{}, err
	}
	return Sealed{KeyID: r.Current(), WrappedKey: wrapped, Body: s.Body}, nil
}

func (r *Ring) unwrap(bound string, s Sealed) ([]byte, error) {
	k := r.find(s.KeyID)
	if k == nil {
		return nil, fmt.Errorf("%w (key %q)", ErrNoKey, s.KeyID)
	}
	return decrypt(k.wrap, "key", bound, s.WrappedKey)
}

// encrypt puts the nonce before the text. The layer is authenticated, too, so that a
// wrapped key is never accepted as a body.
func encrypt(key []byte, layer, bound string, text []byte) ([]byte, error) {
	gcm, err := gcmOf(key)
	if err != nil {
		return nil, err
	}
	return gcm.Seal(nil, nil, text, []byte(layer+"\x00"+bound)), nil //nolint:gosec // no nonce is passed, because the cipher generates one
}

func decrypt(key []byte, layer, bound string, sealed []byte) ([]byte, error) {
	gcm, err := gcmOf(key)
	if err != nil {
		return nil, err
	}
	text, err := gcm.Open(nil, nil, sealed, []byte(layer+"\x00"+bound))
	if err != nil {
		return nil, ErrDamaged
	}
	return text, nil
}

// gcmOf returns a cipher that generates the nonces, and stores them with the text.
func gcmOf(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("envelope: use a key: %w", err)
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("envelope: use a key: %w", err)
	}
	return gcm, nil
}
