package persistence

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Secrets keep secrets that the nodes share, such as signing keys.
type Secrets struct{ *core }

// LoadSecret reads the shared secret of a name; nil if there is none.
func (s Secrets) LoadSecret(ctx context.Context, name string) ([]byte, error) {
	body, err := s.q.SecretGet(ctx, s.engine, name)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return body, translate(err)
}

// SaveSecret stores the shared secret of a name.
func (s Secrets) SaveSecret(ctx context.Context, name string, body []byte) error {
	return translate(s.q.SecretSet(ctx, s.engine, &dbsqlc.SecretSetParams{Name: name, Body: body}))
}

// OfferSecret stores body under a name unless the name has a secret already, and returns the
// stored one: of several nodes that offer at once, the first one wins.
func (s Secrets) OfferSecret(ctx context.Context, name string, body []byte) ([]byte, error) {
	if err := s.q.SecretOffer(ctx, s.engine, &dbsqlc.SecretOfferParams{Name: name, Body: body}); err != nil {
		return nil, translate(err)
	}
	kept, err := s.q.SecretGet(ctx, s.engine, name)
	return kept, translate(err)
}

// Secret is one entry of the secrets, for parts that load and save a single body.
type Secret struct {
	secrets Secrets
	name    string
}

// Secret names an entry, such as the signing keys of the development identity provider.
func (s Secrets) Secret(name string) Secret { return Secret{secrets: s, name: name} }

// Load reads the entry; nil if there is none.
func (e Secret) Load(ctx context.Context) ([]byte, error) {
	return e.secrets.LoadSecret(ctx, e.name)
}

// Save replaces the entry.
func (e Secret) Save(ctx context.Context, body []byte) error {
	return e.secrets.SaveSecret(ctx, e.name, body)
}

// KeepSpentCode stores until a time, by its hash, that a code of a sign-in was exchanged. A
// second call for the code changes nothing.
func (s Secrets) KeepSpentCode(ctx context.Context, hash, body []byte, until time.Time) error {
	return translate(s.q.SpentCodeKeep(ctx, s.engine, &dbsqlc.SpentCodeKeepParams{Hash: hash, Body: body, Until: until}))
}

// SpentCode returns what was stored with a code; nil if it has been deleted or was never stored.
func (s Secrets) SpentCode(ctx context.Context, hash []byte) ([]byte, error) {
	body, err := s.q.SpentCodeGet(ctx, s.engine, &dbsqlc.SpentCodeGetParams{Hash: hash, Now: s.clock.Now()})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return body, translate(err)
}
