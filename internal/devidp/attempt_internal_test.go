package devidp

import (
	"log/slog"
	"testing"

	"github.com/dexidp/dex/connector"
	"github.com/dexidp/dex/server/connectors"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"
)

// list makes the list of passwords that dex uses, with one person.
func list(tb testing.TB) *guardedPasswords {
	tb.Helper()

	passwords, err := passwordsOf([]Person{{ID: "1", Email: "ada@example.test", Password: "correct"}})
	require.NoError(tb, err)
	guarded, err := newGuardedPasswords(storage.WithStaticPasswords(memory.New(slog.New(slog.DiscardHandler)), passwords,
		slog.New(slog.DiscardHandler)))
	require.NoError(tb, err)

	return guarded
}

func TestGuardedPasswords_GetPassword(t *testing.T) {
	t.Parallel()

	guarded := list(t)
	known, err := guarded.GetPassword(t.Context(), "ADA@example.test")
	require.NoError(t, err)
	unknown, err := guarded.GetPassword(t.Context(), "nobody@example.test")
	require.NoError(t, err)

	// For both a hash of the same cost is compared, which is the only slow step.
	cost, err := bcrypt.Cost(known.Hash)
	require.NoError(t, err)
	of, err := bcrypt.Cost(unknown.Hash)
	require.NoError(t, err)
	require.Equal(t, cost, of)

	// Nobody can sign in, or refresh a sign-in, as an unknown person.
	local := connectors.NewPasswordDB(guarded)
	for _, password := range []string{"", "correct"} {
		_, ok, err := local.Login(t.Context(), connector.Scopes{}, "nobody@example.test", password)
		require.NoError(t, err)
		require.False(t, ok)
	}
	refresher, ok := local.(connector.RefreshConnector)
	require.True(t, ok)
	_, err = refresher.Refresh(t.Context(), connector.Scopes{}, connector.Identity{UserID: "1", Email: "nobody@example.test"})
	require.ErrorContains(t, err, "user not found")
}

// BenchmarkGuardedPasswords_Login shows that known and unknown people take the same time.
func BenchmarkGuardedPasswords_Login(b *testing.B) {
	local := connectors.NewPasswordDB(list(b))
	for _, email := range []string{"ada@example.test", "nobody@example.test"} {
		b.Run(email, func(b *testing.B) {
			for b.Loop() {
				_, _, err := local.Login(b.Context(), connector.Scopes{}, email, "wrong")
				require.NoError(b, err)
			}
		})
	}
}
