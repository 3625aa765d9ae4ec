package persistence_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

func keyRing(t *testing.T, keys ...byte) *envelope.Ring {
	t.Helper()
	var all [][]byte
	for _, k := range keys {
		all = append(all, bytes.Repeat([]byte{k}, envelope.KeyLength))
	}
	r, err := envelope.NewRing(all...)
	require.NoError(t, err)
	return r
}

// withKeys is a store on a database, with other keys.
func withKeys(t *testing.T, url string, keys *envelope.Ring) *persistence.Store {
	t.Helper()
	s, err := persistence.Open(t.Context(), persistence.Config{URL: url, Keys: keys})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

func TestStore_Credentials(t *testing.T) {
	t.Parallel()
	const canary = "canary-private-key-51e0"
	base, url := openURL(t)
	ctx := t.Context()
	s := withKeys(t, url, keyRing(t, 1))
	anna, doris := persistencetest.Caller(t, base, persistencetest.Anna), persistencetest.Caller(t, base, persistencetest.Doris)
	n := domain.NewCredential{
		Name: "Warehouse", Content: []byte("-----BEGIN PRIVATE KEY-----\n" + canary),
		Key: domain.IdempotencyKey{Key: "k", Body: [32]byte{1}},
	}

	_, err := s.Credentials.CreateCredential(ctx, anna, n)
	requireCode(t, domain.CodeForbidden, err) // B14
	anna.Flags.UploadCredentials, doris.Flags.UploadCredentials = true, true
	made, err := s.Credentials.CreateCredential(ctx, anna, n)
	require.NoError(t, err)
	require.Equal(t, "Warehouse", made.Name)
	require.False(t, made.CreatedAt.IsZero())
	engine := persistencetest.Connect(t, url, "parley_engine")

	t.Run("OpensWhereItBelongs", func(t *testing.T) {
		secret, err := s.Credentials.OpenCredential(ctx, anna.OrganisationID, made.ID)
		require.NoError(t, err)
		require.Equal(t, n.Content, secret)
		_, err = s.Credentials.OpenCredential(ctx, doris.OrganisationID, made.ID)
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("Once", func(t *testing.T) {
		again, err := s.Credentials.CreateCredential(ctx, anna, n)
		require.NoError(t, err)
		require.Equal(t, made, again)
		other := n
		other.Key.Body = [32]byte{2}
		_, err = s.Credentials.CreateCredential(ctx, anna, other)
		requireCode(t, domain.CodeInvalid, err) // D11
		require.Equal(t, 1, count(t, engine, "SELECT count(*) FROM credential"))
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		_, err := s.Credentials.CreateCredential(ctx, anna, domain.NewCredential{Name: strings.Repeat("x", 81)})
		var known *domain.Error
		require.ErrorAs(t, err, &known)
		require.Equal(t, []domain.FieldError{
			{Field: "name", Message: "Please enter a valid name"},
			{Field: "file", Message: "Please select a file"},
		}, known.Fields)
		_, err = s.Credentials.CreateCredential(ctx, anna, domain.NewCredential{Name: "x", Content: make([]byte, domain.CredentialMax+1)})
		requireCode(t, domain.CodeInvalid, err)
	})
	t.Run("ErrUnavailable", func(t *testing.T) {
		_, err := base.Credentials.CreateCredential(ctx, anna, n)
		requireCode(t, domain.CodeUnavailable, err)
	})
	t.Run("NoRowShowsItG14", func(t *testing.T) {
		// This reads the whole database as text: every table and column.
		for _, table := range append(tenantTables(t, engine), "organisation") {
			var text string
			require.NoError(t, engine.QueryRow(ctx, "SELECT coalesce(string_agg(x::text, ' '), '') FROM "+table+" x").Scan(&text))
			for _, form := range []string{canary, hexOf(canary)} {
				require.NotContains(t, text, form, table)
			}
			require.NotContains(t, text, hexOf(string([]byte{1, 0, 0, 0, 0, 0, 0, 0})), "the hash of the request is marked with a key: "+table)
		}
	})
	t.Run("NoRequestReadsIt", func(t *testing.T) {
		app := persistencetest.Connect(t, url, "parley_app")
		enter(t, app, anna.OrganisationID)
		require.Equal(t, 1, count(t, app, "SELECT count(id) FROM credential"))
		for _, sql := range []string{
			"SELECT body FROM credential", "SELECT wrapped_key FROM credential", "SELECT * FROM credential",
			"UPDATE credential SET name = ''", "DELETE FROM credential",
		} {
			_, err := app.Exec(ctx, sql)
			require.ErrorContains(t, err, "permission denied", sql)
		}
	})
	t.Run("SwappedRowsG16", func(t *testing.T) {
		hers, err := s.Credentials.CreateCredential(ctx, doris, domain.NewCredential{Name: "Hers", Content: []byte("hers")})
		require.NoError(t, err)
		_, err = engine.Exec(ctx, `UPDATE credential c SET key_id = o.key_id, wrapped_key = o.wrapped_key, body = o.body
			FROM credential o WHERE o.id <> c.id`)
		require.NoError(t, err)
		for id, organisation := range map[uuid.UUID]int64{made.ID: anna.OrganisationID, hers.ID: doris.OrganisationID} {
			_, err := s.Credentials.OpenCredential(ctx, organisation, id)
			require.ErrorIs(t, err, envelope.ErrDamaged)
		}
		_, err = engine.Exec(ctx, `UPDATE credential c SET key_id = o.key_id, wrapped_key = o.wrapped_key, body = o.body
			FROM credential o WHERE o.id <> c.id`)
		require.NoError(t, err)
		// The row cannot be decrypted either if it is moved to another organisation.
		_, err = engine.Exec(ctx, "UPDATE credential SET org_id = $2 WHERE id = $1", made.ID, doris.OrganisationID)
		require.NoError(t, err)
		_, err = s.Credentials.OpenCredential(ctx, doris.OrganisationID, made.ID)
		require.ErrorIs(t, err, envelope.ErrDamaged)
		_, err = engine.Exec(ctx, "UPDATE credential SET org_id = $2 WHERE id = $1", made.ID, anna.OrganisationID)
		require.NoError(t, err)
	})
	t.Run("RotationG15", func(t *testing.T) {
		wrong := withKeys(t, url, keyRing(t, 2))
		_, err := wrong.Credentials.CreateCredential(ctx, anna, domain.NewCredential{Name: "x", Content: []byte("x")})
		requireCode(t, domain.CodeUnavailable, err) // no node encrypts with a key that the others do not have
		_, err = wrong.Credentials.OpenCredential(ctx, anna.OrganisationID, made.ID)
		require.ErrorIs(t, err, envelope.ErrNoKey)
		changed, closed, err := wrong.Credentials.RewrapCredentials(ctx)
		require.NoError(t, err)
		require.Equal(t, []int{0, 2}, []int{changed, closed})
		both := withKeys(t, url, keyRing(t, 2, 1))
		changed, closed, err = both.Credentials.RewrapCredentials(ctx)
		require.NoError(t, err)
		require.Equal(t, []int{2, 0}, []int{changed, closed})
		// A process that ended after its last change and before the agreement is repaired by the next call.
		_, err = engine.Exec(ctx, "UPDATE secret SET body = $1 WHERE name = 'credential-key'", []byte(keyRing(t, 1).Current()))
		require.NoError(t, err)
		_, _, err = wrong.Credentials.RewrapCredentials(ctx)
		require.NoError(t, err)
		_, err = wrong.Credentials.CreateCredential(ctx, anna, domain.NewCredential{Name: "x", Content: []byte("x")})
		requireCode(t, domain.CodeUnavailable, err) // without the agreed key a node agrees on nothing
		changed, closed, err = both.Credentials.RewrapCredentials(ctx)
		require.NoError(t, err)
		require.Equal(t, []int{0, 0}, []int{changed, closed})
		secret, err := wrong.Credentials.OpenCredential(ctx, anna.OrganisationID, made.ID)
		require.NoError(t, err, "the old key is not needed any more")
		require.Equal(t, n.Content, secret)
		_, err = wrong.Credentials.CreateCredential(ctx, anna, domain.NewCredential{Name: "x", Content: []byte("x")})
		require.NoError(t, err)
	})
}

// hexOf is the output of a bytea that contains the text.
func hexOf(text string) string { return hex.EncodeToString([]byte(text)) }
