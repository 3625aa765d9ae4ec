package devidp_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/devidp"
)

func TestTokenSource_PasswordToken(t *testing.T) {
	t.Parallel()

	shared := setup(t, nil)

	source := func(t *testing.T, b bundle) devidp.TokenSource {
		t.Helper()
		return devidp.TokenSource{Dir: filepath.Join(t.TempDir(), "tokens"), Clock: b.clock}
	}

	t.Run("OK", func(t *testing.T) {
		t.Parallel()

		b := shared
		token, err := source(t, b).PasswordToken(t.Context(), b.issuer, devidp.DefaultClientID, adaMail, secret)
		require.NoError(t, err)

		header, claims := parts(t, token)
		require.Equal(t, "at+jwt", header["typ"])
		require.Equal(t, adaID, claims["sub"])
		require.Equal(t, adaMail, claims["email"])
	})

	t.Run("KeptForAnHour", func(t *testing.T) {
		t.Parallel()

		b := setup(t, nil)
		s := source(t, b)
		ask := func() string {
			token, err := s.PasswordToken(t.Context(), b.issuer, devidp.DefaultClientID, adaMail, secret)
			require.NoError(t, err)

			return token
		}

		first := ask()
		require.Equal(t, first, ask())
		b.clock.Advance(59 * time.Minute)
		require.Equal(t, first, ask())
		b.clock.Advance(2 * time.Minute)
		require.NotEqual(t, first, ask())

		files, err := os.ReadDir(s.Dir)
		require.NoError(t, err)
		require.Len(t, files, 1)
		info, err := files[0].Info()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	})

	t.Run("NotKeptWhenRefused", func(t *testing.T) {
		t.Parallel()

		b := shared
		s := source(t, b)
		over := ""
		s.Refused = func(_ context.Context, token string) bool { return token == over }
		ask := func() string {
			token, err := s.PasswordToken(t.Context(), b.issuer, devidp.DefaultClientID, adaMail, secret)
			require.NoError(t, err)

			return token
		}

		first := ask()
		require.Equal(t, first, ask())
		over = first // the person has logged out
		second := ask()
		require.NotEqual(t, first, second)
		require.Equal(t, second, ask())
	})

	t.Run("NotKeptOverNewKeys", func(t *testing.T) {
		t.Parallel()

		store := devidp.FileKeyStore{Path: filepath.Join(t.TempDir(), "keys.json")}
		b := setup(t, store)
		s := source(t, b)
		first, err := s.PasswordToken(t.Context(), b.issuer, devidp.DefaultClientID, adaMail, secret)
		require.NoError(t, err)

		// The store now has the keys of another provider, as after a reset of the data.
		other := devidp.FileKeyStore{Path: filepath.Join(t.TempDir(), "keys.json")}
		setup(t, other)
		foreign, err := other.Load(t.Context())
		require.NoError(t, err)
		require.NoError(t, store.Save(t.Context(), foreign))
		b.clock.Advance(10 * time.Second)

		second, err := s.PasswordToken(t.Context(), b.issuer, devidp.DefaultClientID, adaMail, secret)
		require.NoError(t, err)
		require.NotEqual(t, first, second)
	})

	t.Run("ErrWrongPassword", func(t *testing.T) {
		t.Parallel()

		b := shared
		s := source(t, b)
		_, err := s.PasswordToken(t.Context(), b.issuer, devidp.DefaultClientID, adaMail, secret)
		require.NoError(t, err)
		_, err = s.PasswordToken(t.Context(), b.issuer, devidp.DefaultClientID, adaMail, "wrong")
		require.EqualError(t, err, "sign in as "+adaMail+": Invalid username or password")
	})

	t.Run("ErrUnknownClient", func(t *testing.T) {
		t.Parallel()

		b := shared
		_, err := source(t, b).PasswordToken(t.Context(), b.issuer, "other", adaMail, secret)
		require.ErrorContains(t, err, "sign in as "+adaMail)
	})

	t.Run("ErrProviderDown", func(t *testing.T) {
		t.Parallel()

		b := setup(t, nil)
		b.server.Close()
		_, err := source(t, b).PasswordToken(t.Context(), b.issuer, devidp.DefaultClientID, adaMail, secret)
		require.ErrorContains(t, err, "reach the sign-in provider "+b.issuer)
	})
}
