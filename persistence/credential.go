package persistence

import (
	"context"
	"log/slog"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Credentials keep the secrets of connectors, encrypted, and return them only to the desk,
// which connects.
type Credentials struct{ *core }

var (
	_ domain.CredentialService = Credentials{}
	_ domain.SecretKeeper      = Credentials{}
)

// placeOf is the additional data that the encryption of a credential is bound to: a row that
// is moved to another organisation cannot be decrypted.
func placeOf(organisation int64, id uuid.UUID) string {
	return strconv.FormatInt(organisation, 10) + "/credential/" + id.String()
}

// CreateCredential implements domain.CredentialService.
func (s Credentials) CreateCredential(ctx context.Context, caller domain.Caller, n domain.NewCredential) (*domain.Credential, error) {
	// The right depends only on the person's flag.
	if err := domain.MakeCredential.Authorize(caller, domain.Relation{}); err != nil {
		return nil, err
	}
	if err := n.Validate(); err != nil {
		return nil, err
	}
	if err := s.agreeOnKey(ctx); err != nil {
		return nil, err
	}
	// A short secret could be guessed from a plain hash of it in the row of the idempotency key.
	n.Key.Body = s.cfg.Keys.Mark(n.Key.Body[:])
	id := domain.NewID()
	sealed, err := s.cfg.Keys.Seal(placeOf(caller.OrganisationID, id), n.Content)
	if err != nil {
		return nil, domain.Internal(err, "The secret could not be encrypted.")
	}
	made := &domain.Credential{ID: id, Name: n.Name}
	err = s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		first, err := s.beginOnce(ctx, tx, caller, kindCredential, n.Key)
		if err != nil {
			return err
		}
		// The answer of the first request is read again; the new ciphertext is dropped.
		if first != "" {
			return s.credential(ctx, tx, first, made)
		}
		at, err := s.q.CredentialInsert(ctx, tx, &dbsqlc.CredentialInsertParams{
			ID: id, OrgID: caller.OrganisationID, OwnerID: caller.UserID, Name: n.Name,
			KeyID: sealed.KeyID, WrappedKey: sealed.WrappedKey, Body: sealed.Body,
		})
		if err != nil {
			return err
		}
		made.CreatedAt = utc(at)
		return s.finishOnce(ctx, tx, caller, n.Key, id.String())
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// agreedKey is the name of the secret that holds the id of the nodes' encryption key.
// OfferSecret stores the id only if none is stored, and returns the stored one, so all nodes agree
// on the first.
const agreedKey = "credential-key"

// agreeOnKey refuses to encrypt with a key that the other nodes do not have, because they
// could not decrypt the secret.
func (s Credentials) agreeOnKey(ctx context.Context) error {
	cannot := domain.Errorf(domain.CodeUnavailable, "Secrets cannot be kept at the moment: the server does not have the key to "+
		"encrypt them with.")
	if s.cfg.Keys == nil {
		return cannot
	}
	agreed, err := s.secrets().OfferSecret(ctx, agreedKey, []byte(s.cfg.Keys.Current()))
	if err != nil {
		return err
	}
	if !s.cfg.Keys.Has(string(agreed)) {
		s.logger.LogAttrs(ctx, slog.LevelError, "this node has another key than the one that secrets are encrypted with; give all nodes the "+
			"same PARLEY_SECRET_KEY",
			slog.String("own", s.cfg.Keys.Current()), slog.String("agreed", string(agreed)))
		return cannot
	}
	return nil
}

// credential reads the public fields of a credential that the first request with the key has created.
// The stored result is the id; the name and the time are read by it.
func (s Credentials) credential(ctx context.Context, tx pgx.Tx, text string, into *domain.Credential) error {
	id, err := uuid.Parse(text)
	if err != nil {
		return domain.Internal(err, "The first result could not be read.")
	}
	row, err := s.q.CredentialGet(ctx, tx, id)
	if err != nil {
		return err
	}
	*into = domain.Credential{ID: row.ID, Name: row.Name, CreatedAt: utc(row.CreatedAt)}
	return nil
}

// OpenCredential decrypts a credential of an organisation, for a connector that signs in with
// it. No call of the API uses it. CodeNotFound, and CodeInternal if the master key is
// missing or the row was altered.
func (s Credentials) OpenCredential(ctx context.Context, organisation int64, id uuid.UUID) ([]byte, error) {
	var row *dbsqlc.CredentialOpenRow
	err := s.asEngine(ctx, func(r *reading) {
		r.CredentialOpen(&dbsqlc.CredentialOpenParams{ID: id, OrgID: organisation}, &row)
	})
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NotFound("Credential")
	}
	// The row exists, so a missing key is an error of the configuration and not of the caller.
	if s.cfg.Keys == nil {
		return nil, domain.Internal(envelope.ErrNoKey, "The secret could not be decrypted.")
	}
	secret, err := s.cfg.Keys.Open(placeOf(organisation, id), envelope.Sealed{KeyID: row.KeyID, WrappedKey: row.WrappedKey, Body: row.Body})
	if err != nil {
		return nil, domain.Internal(err, "The secret could not be decrypted.")
	}
	return secret, nil
}

// RewrapCredentials wraps every credential with the first key of the ring, while credentials
// are added and used. It returns how many it changed, and how many it could not open because
// their key is not configured.
func (s Credentials) RewrapCredentials(ctx context.Context) (changed, closed int, err error) {
	if s.cfg.Keys == nil {
		return 0, 0, nil
	}
	// Pages are read by id, so credentials that are added meanwhile do not disturb the loop.
	p := dbsqlc.CredentialsUnderParams{KeyID: s.cfg.Keys.Current()}
	for {
		rows, err := s.q.CredentialsUnder(ctx, s.engine, &p)
		if err != nil {
			return changed, closed, translate(err)
		}
		for _, row := range rows {
			p.After = row.ID
			sealed, err := s.cfg.Keys.Rewrap(placeOf(row.OrgID, row.ID), envelope.Sealed{
				KeyID: row.KeyID, WrappedKey: row.WrappedKey,
				Body: row.Body,
			})
			if err != nil {
				closed++
				s.logger.LogAttrs(ctx, slog.LevelError, "a credential cannot be decrypted with the configured keys",
					slog.String("credential", row.ID.String()), slog.String("key", row.KeyID), slog.Any("error", err))
				continue
			}
			// The old key is compared in the statement: a row that another node has wrapped
			// meanwhile stays.
			err = s.q.CredentialRewrap(ctx, s.engine, &dbsqlc.CredentialRewrapParams{
				KeyID: sealed.KeyID, WrappedKey: sealed.WrappedKey, ID: row.ID, Before: row.KeyID,
			})
			if err != nil {
				return changed, closed, translate(err)
			}
			changed++
		}
		if len(rows) > 0 {
			continue
		}
		// With a credential that could not be opened the old key is still needed.
		if closed > 0 {
			return changed, closed, nil
		}
		return changed, 0, s.agreeAnew(ctx)
	}
}

// agreeAnew makes this node's first key the one that all nodes must have, when no credential needs another one. It does
// not ask whether this call has changed a credential: a call that was interrupted after its last change may have left the
// old agreement. A node without the agreed key agrees on nothing, because it may be the one with the wrong key.
func (s Credentials) agreeAnew(ctx context.Context) error {
	agreed, err := s.secrets().LoadSecret(ctx, agreedKey)
	if err != nil || agreed == nil || string(agreed) == s.cfg.Keys.Current() || !s.cfg.Keys.Has(string(agreed)) {
		return err
	}
	return s.secrets().SaveSecret(ctx, agreedKey, []byte(s.cfg.Keys.Current()))
}
