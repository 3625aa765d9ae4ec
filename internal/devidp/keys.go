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

// keyRefresh is how soon a node signs with the keys that another node saved.
// Two nodes that start on an empty store at the same moment both save, and the
// later one wins on both within this time.
const keyRefresh = 5 * time.Second

// KeyStore keeps the signing keys, private parts included. All nodes share one.
type KeyStore interface {
	// Load returns what was saved last, or nothing when nothing was.
	Load(ctx context.Context) ([]byte, error)

	// Save replaces it as a whole: a reader never sees a part.
	Save(ctx context.Context, keys []byte) error
}

// memoryKeyStore is for a provider whose bearers may end with it.
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

// keyStorage is dex's storage with the keys kept elsewhere.
type keyStorage struct {
	storage.Storage

	store  KeyStore
	codes  CodeStore
	clock  clock.Clock
	logger *slog.Logger

	// end tells the API that a sign-in is over; lifetime is how long tokens live.
	end      func(ctx context.Context, in SignIn) error
	lifetime time.Duration

	// mu guards what follows, and makes updates of this node one by one.
	mu sync.Mutex
	// sessions are those of the refresh tokens, by their ids, in memory as those are.
	sessions map[string]session
	// keys are what the store held at loadedAt. They are used for a short time
	// without asking, and for longer while the store does not answer.
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
		// Dex's own line does not say why (see warnings).
		s.logger.LogAttrs(ctx, slog.LevelError, "the signing keys could not be changed", slog.Any("error", err))
	}

	return err
}

// updateLocked changes what the store holds. The lock is held.
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

	// Another node may have saved since. What the store holds counts.
	return s.loadLocked(ctx)
}

// loadLocked reads the store. The lock is held.
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
