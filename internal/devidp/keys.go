package devidp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/dexidp/dex/storage"

	"parley.dev/parley/internal/clock"
)

// keyRefresh is the time within which a node signs with keys that another node has
// saved. If two nodes start with an empty store at the same time, both save keys, and
// both use the keys of the later save within this time.
const keyRefresh = 5 * time.Second

// KeyStore stores the signing keys with their private parts. All nodes share one store.
type KeyStore interface {
	// Load returns the keys that were saved last, or nothing if none were saved.
	Load(ctx context.Context) ([]byte, error)

	// Save replaces the keys atomically.
	Save(ctx context.Context, keys []byte) error
}

// memoryKeyStore is for a provider whose bearers may become invalid when it ends.
type memoryKeyStore struct {
	mu   sync.Mutex
	keys []byte
}

func (s *memoryKeyStore) Load(context.Context) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.keys, nil
}

func (s *memoryKeyStore) Save(_ context.Context, keys []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.keys = keys

	return nil
}

// keyStorage is dex's storage, except that the keys are in a KeyStore.
type keyStorage struct {
	storage.Storage

	store  KeyStore
	codes  CodeStore
	clock  clock.Clock
	logger *slog.Logger

	// end ends a sign-in in the API; lifetime is how long a sign-in can be refreshed.
	end      func(ctx context.Context, in SignIn) error
	lifetime time.Duration

	// mu guards the fields below, and serializes the updates of this node.
	mu sync.Mutex
	// sessions holds the sessions of the refresh tokens by token id. Both are in memory.
	sessions map[string]session
	// keys are the keys that were loaded at loadedAt. They are used for a short time
	// without another load, and for longer while the store does not answer.
	keys     storage.Keys
	loadedAt time.Time
}

// GetKeys implements storage.Storage.
func (s *keyStorage) GetKeys(ctx context.Context) (storage.Keys, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.keys.SigningKey != nil && s.clock.Now().Sub(s.loadedAt) < keyRefresh {
		return s.keys, nil
	}

	err := s.loadLocked(ctx)
	if err != nil && s.keys.SigningKey != nil {
		s.logger.LogAttrs(ctx, slog.LevelWarn, "the store of signing keys does not answer; going on with the known ones", slog.Any("error", err))
		return s.keys, nil
	}

	return s.keys, err
}

// UpdateKeys implements storage.Storage.
func (s *keyStorage) UpdateKeys(ctx context.Context, updater func(old storage.Keys) (storage.Keys, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	refused := false

	err := s.updateLocked(ctx, func(old storage.Keys) (storage.Keys, error) {
		updated, err := updater(old)
		refused = err != nil

		return updated, err
	})
	if err != nil && !refused {
		// Dex's own log line does not contain the reason (see warnings).
		s.logger.LogAttrs(ctx, slog.LevelError, "the signing keys could not be changed", slog.Any("error", err))
	}

	return err
}

// updateLocked changes the keys in the store. The lock must be held.
func (s *keyStorage) updateLocked(ctx context.Context, updater func(old storage.Keys) (storage.Keys, error)) error {
	if err := s.loadLocked(ctx); err != nil {
		return err
	}

	updated, err := updater(s.keys)
	if err != nil {
		return err
	}

	raw, err := json.Marshal(updated)
	if err != nil {
		return fmt.Errorf("encode signing keys: %w", err)
	}

	if err := s.store.Save(ctx, raw); err != nil {
		return fmt.Errorf("save signing keys: %w", err)
	}

	// Another node may have saved keys in the meantime. The keys in the store are valid.
	return s.loadLocked(ctx)
}

// loadLocked loads the keys from the store. The lock must be held.
func (s *keyStorage) loadLocked(ctx context.Context) error {
	raw, err := s.store.Load(ctx)
	if err != nil {
		return fmt.Errorf("load signing keys: %w", err)
	}

	var keys storage.Keys
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &keys); err != nil {
			return fmt.Errorf("decode signing keys: %w", err)
		}
	}

	s.keys, s.loadedAt = keys, s.clock.Now()

	return nil
}
