package persistence

// Connections of connectors to remote databases, and their secrets. A secret is stored encrypted
// (envelope encryption, internal/envelope), in a row of its own. It is decrypted only for the call
// of a connector that signs in with it; no answer of the API and no log contains it.

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// paramsOf decodes the parameters of a connection; nil for a data source without one. A
// value that cannot be decoded was written by a later release, and counts as no connection.
func paramsOf(stored []byte) domain.DataSourceParams {
	var params domain.DataSourceParams
	if json.Unmarshal(stored, &params) != nil || len(params) == 0 {
		return nil
	}
	return params
}

// connectionColumns are the columns of a data source that hold its connection.
func connectionColumns(c *domain.Connection) (params []byte, credential uuid.NullUUID, err error) {
	if c == nil {
		return []byte("{}"), credential, nil
	}
	if params, err = json.Marshal(c.Params); err != nil {
		return nil, credential, domain.Internal(err, "The parameters of a connection could not be written.")
	}
	return params, uuid.NullUUID{UUID: c.CredentialID, Valid: c.CredentialID != uuid.Nil}, nil
}

// sealConnection encrypts the secret of a new connection; nil if the connection names a
// stored one. It also replaces the hash in the request's idempotency key, from which the
// secret could be guessed.
func (s Credentials) sealConnection(
	ctx context.Context, caller domain.Caller, n *domain.NewDataSource, id uuid.UUID,
) (*envelope.Sealed, error) {
	// The right depends only on the person's flag.
	if err := domain.ConnectDataSource.Authorize(caller, domain.Relation{}); err != nil {
		return nil, err
	}
	if err := s.agreeOnKey(ctx); err != nil {
		return nil, err
	}
	n.Key.Body = s.cfg.Keys.Mark(n.Key.Body[:])
	if n.Connection.CredentialID != uuid.Nil {
		return nil, nil //nolint:nilnil // nil is documented above
	}
	// The place, which is the organization and the id, is authenticated with the ciphertext: copied
	// into another row, it cannot be decrypted.
	sealed, err := s.cfg.Keys.Seal(placeOf(caller.OrganisationID, id), []byte(n.Connection.Secret))
	if err != nil {
		return nil, domain.Internal(err, "The secret could not be encrypted.")
	}
	return &sealed, nil
}

// insertOwnSecret stores the secret of a connector, which is deleted with it.
func (s Credentials) insertOwnSecret(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, source int64, id uuid.UUID, sealed *envelope.Sealed,
) error {
	_, err := s.q.CredentialInsert(ctx, tx, &dbsqlc.CredentialInsertParams{
		ID: id, OrgID: caller.OrganisationID, OwnerID: caller.UserID, KeyID: sealed.KeyID, WrappedKey: sealed.WrappedKey, Body: sealed.Body,
		DataSourceID: &source,
	})
	return err
}

// mayUseCredential refuses another person's credential.
func (s Credentials) mayUseCredential(ctx context.Context, tx pgx.Tx, caller domain.Caller, c *domain.Connection) error {
	if c == nil || c.CredentialID == uuid.Nil {
		return nil
	}
	owned, err := s.q.CredentialOwned(ctx, tx, &dbsqlc.CredentialOwnedParams{ID: c.CredentialID, OwnerID: caller.UserID})
	if err == nil && !owned {
		err = errNoCredential()
	}
	return err
}

// Another person's secret and one that does not exist give the same error.
func errNoCredential() error {
	return domain.Invalid("credentialId", "You keep no secret with this id")
}

// Credentials implements domain.CredentialService.
func (s Credentials) Credentials(ctx context.Context, caller domain.Caller) ([]domain.Credential, error) {
	if err := domain.ListCredentials.Authorize(caller, domain.Relation{}); err != nil {
		return nil, err
	}
	var rows []dbsqlc.CredentialListRow
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { r.CredentialList(caller.UserID, &rows) })
	list := make([]domain.Credential, len(rows))
	for i, r := range rows {
		list[i] = domain.Credential{ID: r.ID, Name: r.Name, CreatedAt: utc(r.CreatedAt)}
	}
	return list, err
}

// OwnSecret implements domain.SecretKeeper.
// The person must still own the secret, whenever a connector signs in with it.
func (s Credentials) OwnSecret(ctx context.Context, organisation, user int64, id uuid.UUID) (string, error) {
	var owned *bool
	err := s.asTenant(ctx, organisation, func(r *reading) {
		r.CredentialOwned(&dbsqlc.CredentialOwnedParams{ID: id, OwnerID: user}, &owned)
	})
	if err == nil && !pointer.Value(owned) {
		err = errNoCredential()
	}
	if err != nil {
		return "", err
	}
	secret, err := s.OpenCredential(ctx, organisation, id)
	return string(secret), err
}

// SourceSecret implements domain.SecretKeeper.
// A connector keeps its secret for all who may use it, so the person is not a parameter.
func (s Credentials) SourceSecret(ctx context.Context, organisation, source int64) (string, error) {
	id, err := s.q.CredentialOfSource(ctx, s.engine, &dbsqlc.CredentialOfSourceParams{DataSourceID: source, OrgID: organisation})
	if errors.Is(err, pgx.ErrNoRows) {
		return "", domain.NotFound("Secret of the connector")
	}
	if err != nil {
		return "", translate(err)
	}
	secret, err := s.OpenCredential(ctx, organisation, id)
	return string(secret), err
}

// Identity identifies this database independently of its address: the number of its cluster
// and its own within it (connectors/postgres.Identity).
func (s Credentials) Identity(ctx context.Context) (string, error) {
	identity, err := s.q.DatabaseIdentity(ctx, s.engine)
	if err != nil {
		return "", translate(err)
	}
	return identity, nil
}
