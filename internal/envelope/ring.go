package envelope

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// KeyLength is the length of a master key in bytes.
const KeyLength = 32

// ErrNoKey means that the master key of a secret is not in the ring.
var ErrNoKey = errors.New("envelope: the master key of this secret is not among the configured ones")

// ErrDamaged means that a secret cannot be decrypted: it was changed, or moved to another
// place.
var ErrDamaged = errors.New("envelope: this secret was changed or belongs elsewhere")

// Ring is a list of master keys. Printing a Ring does not reveal the keys.
type Ring struct{ keys []masterKey }

// masterKey holds the keys that are derived from one master key: each use has its own key.
type masterKey struct {
	id         string
	wrap, mark []byte
}

// NewRing makes a ring of one or more keys; the first key wraps.
func NewRing(keys ...[]byte) (*Ring, error) {
	if len(keys) == 0 {
		return nil, errors.New("envelope: there is no master key")
	}
	r := &Ring{}
	for _, key := range keys {
		if len(key) != KeyLength {
			return nil, fmt.Errorf("envelope: a master key has %d bytes, not %d", KeyLength, len(key))
		}
		k := masterKey{}
		var err error
		if k.wrap, err = hkdf.Key(sha256.New, key, nil, "parley envelope wrap", KeyLength); err != nil {
			return nil, fmt.Errorf("envelope: derive a key: %w", err)
		}
		if k.mark, err = hkdf.Key(sha256.New, key, nil, "parley envelope mark", KeyLength); err != nil {
			return nil, fmt.Errorf("envelope: derive a key: %w", err)
		}
		id, err := hkdf.Key(sha256.New, key, nil, "parley envelope id", 8)
		if err != nil {
			return nil, fmt.Errorf("envelope: derive a key: %w", err)
		}
		k.id = hex.EncodeToString(id)
		if r.Has(k.id) {
			return nil, errors.New("envelope: a master key is given twice")
		}
		r.keys = append(r.keys, k)
	}
	return r, nil
}

// Parse parses keys in base64, separated by commas. Errors never contain a key.
func Parse(text string) (*Ring, error) {
	var keys [][]byte
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		key, err := base64.StdEncoding.DecodeString(part)
		if err != nil {
			if key, err = base64.RawURLEncoding.DecodeString(strings.TrimRight(part, "=")); err != nil {
				return nil, fmt.Errorf("envelope: a master key must be %d bytes in base64", KeyLength)
			}
		}
		keys = append(keys, key)
	}
	return NewRing(keys...)
}

// Generate makes a new master key, in base64.
func Generate() string {
	key := make([]byte, KeyLength)
	_, _ = rand.Read(key) // never fails
	return base64.StdEncoding.EncodeToString(key)
}

// Current is the id of the key that wraps. The id reveals nothing about the key.
func (r *Ring) Current() string { return r.keys[0].id }

// Has reports whether the ring holds a key.
func (r *Ring) Has(id string) bool { return r.find(id) != nil }

// String keeps keys out of logs.
func (r *Ring) String() string { return "ring of " + r.Current() }

// GoString keeps keys out of logs.
func (r *Ring) GoString() string { return r.String() }

// Mark is a keyed hash (HMAC). With a plain hash, a short secret could be found by trying
// out all values.
func (r *Ring) Mark(b []byte) [sha256.Size]byte {
	mac := hmac.New(sha256.New, r.keys[0].mark)
	_, _ = mac.Write(b) // never fails
	return [sha256.Size]byte(mac.Sum(nil))
}

func (r *Ring) find(id string) *masterKey {
	for i := range r.keys {
		if r.keys[i].id == id {
			return &r.keys[i]
		}
	}
	return nil
}
