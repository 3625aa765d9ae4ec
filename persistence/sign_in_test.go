package persistence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// G14: how long people stay signed in.
func TestStore_SignIn(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	engine := persistencetest.Connect(t, url, "parley_engine")
	now := time.Now().Truncate(time.Second) //nolint:forbidigo // of the database's clock
	anna, err := s.Users.UserByEmail(t.Context(), persistencetest.Anna)
	require.NoError(t, err)
	in := func(id domain.Identity) domain.SignIn {
		id.Issuer, id.Subject = "https://id", "anna"
		return id.SignIn(anna)
	}
	enter := func(t *testing.T, in domain.SignIn, active bool) domain.Code {
		t.Helper()
		return domain.CodeOf(s.SignIns.EnterSignIn(t.Context(), in, active))
	}
	age := func(t *testing.T, in domain.SignIn, column, by string) {
		t.Helper()
		tag, err := engine.Exec(t.Context(), "UPDATE sign_in SET "+column+" = "+column+" - $1::text::interval WHERE user_id = $2 AND key = $3",
			by, in.UserID, in.Hash[:])
		require.NoError(t, err)
		require.EqualValues(t, 1, tag.RowsAffected())
	}
	const over = domain.CodeUnauthenticated

	t.Run("ErrIdle", func(t *testing.T) {
		tab := in(domain.Identity{Session: "idle", AuthTime: now, IssuedAt: now})
		require.Empty(t, enter(t, tab, true))
		age(t, tab, "active_at", "3 hours 59 minutes")
		require.Empty(t, enter(t, tab, false), "a keep-alive is accepted")
		age(t, tab, "active_at", "2 minutes")
		require.Equal(t, over, enter(t, tab, false), "and has not prolonged the sign-in")
		require.Equal(t, over, enter(t, tab, true), "nor does a late call")
	})
	t.Run("OKActive", func(t *testing.T) {
		tab := in(domain.Identity{Session: "active", AuthTime: now, IssuedAt: now})
		require.Empty(t, enter(t, tab, true))
		age(t, tab, "active_at", "3 hours")
		require.Empty(t, enter(t, tab, true))
		age(t, tab, "active_at", "3 hours")
		require.Empty(t, enter(t, tab, true))
	})
	t.Run("WritesOnceAMinute", func(t *testing.T) {
		tab := in(domain.Identity{Session: "writes", AuthTime: now, IssuedAt: now})
		at := func() (at time.Time) {
			require.NoError(t, engine.QueryRow(t.Context(), "SELECT active_at FROM sign_in WHERE user_id = $1 AND key = $2", tab.UserID,
				tab.Hash[:]).Scan(&at))
			return at
		}
		require.Empty(t, enter(t, tab, true))
		first := at()
		require.Empty(t, enter(t, tab, true))
		require.Equal(t, first, at())
		age(t, tab, "active_at", "61 seconds")
		require.Empty(t, enter(t, tab, true))
		require.True(t, at().After(first))
	})
	t.Run("ErrTooOld", func(t *testing.T) {
		tab := in(domain.Identity{Session: "old", AuthTime: now, IssuedAt: now})
		require.Empty(t, enter(t, tab, true))
		age(t, tab, "began_at", "12 hours 1 minute")
		require.Equal(t, over, enter(t, tab, true))
		require.Equal(t, over, enter(t, in(domain.Identity{Session: "late", AuthTime: now.Add(-13 * time.Hour), IssuedAt: now}), true),
			"a fresh bearer of an old sign-in")
		require.Equal(t, over, enter(t, in(domain.Identity{Session: "stale", IssuedAt: now.Add(-13 * time.Hour)}), true), "an old bearer")
	})
	t.Run("EndsOneByItsName", func(t *testing.T) {
		one, other := in(domain.Identity{Session: "one", AuthTime: now, IssuedAt: now}),
			in(domain.Identity{Session: "other", AuthTime: now, IssuedAt: now})
		unseen := in(domain.Identity{Session: "unseen", AuthTime: now, IssuedAt: now})
		require.Empty(t, enter(t, one, true))
		require.Empty(t, enter(t, other, true))
		require.NoError(t, s.SignIns.EndSignIn(t.Context(), one))
		require.Equal(t, over, enter(t, one, true))
		require.Equal(t, over, enter(t, in(domain.Identity{Session: "one", AuthTime: now, IssuedAt: now.Add(time.Minute)}), true),
			"a refreshed bearer")
		require.Empty(t, enter(t, other, true))
		ended, err := s.SignIns.EndedSignIns(t.Context(), []domain.SignInKey{one.SignInKey, other.SignInKey, unseen.SignInKey})
		require.NoError(t, err)
		require.ElementsMatch(t, []domain.SignInKey{one.SignInKey, unseen.SignInKey}, ended)
	})
	t.Run("StartsAgainByShowingWhoItIs", func(t *testing.T) {
		before := in(domain.Identity{Session: "sso", AuthTime: now, IssuedAt: now})
		require.Empty(t, enter(t, before, true))
		require.NoError(t, s.SignIns.EndSignIn(t.Context(), before))
		later := time.Now().Add(2 * time.Second) //nolint:forbidigo // as above
		after := in(domain.Identity{Session: "sso", AuthTime: later, IssuedAt: later})
		require.Empty(t, enter(t, after, true))
		require.Equal(t, over, enter(t, before, true), "a bearer that was issued before the log-out")
	})
	t.Run("EndsAllWithoutAName", func(t *testing.T) {
		ben, err := s.Users.UserByEmail(t.Context(), persistencetest.Ben)
		require.NoError(t, err)
		of := func(token string, at time.Time) domain.SignIn {
			return domain.Identity{Issuer: "https://id", Subject: "ben", TokenID: token, IssuedAt: at}.SignIn(ben)
		}
		named := domain.Identity{Issuer: "https://id", Subject: "ben", Session: "named", IssuedAt: now}.SignIn(ben)
		for _, in := range []domain.SignIn{of("a", now), of("b", now), named} {
			require.Empty(t, enter(t, in, true))
		}
		require.NoError(t, s.SignIns.EndSignIn(t.Context(), of("a", now)))
		require.Equal(t, over, enter(t, of("a", now), true))
		require.Equal(t, over, enter(t, of("b", now), true))
		require.Equal(t, over, enter(t, of("never seen", now), true))
		require.Empty(t, enter(t, of("c", time.Now().Add(2*time.Second)), true)) //nolint:forbidigo // as above
		require.Empty(t, enter(t, named, true))
	})
	t.Run("ErrDisabled", func(t *testing.T) {
		cleo, err := s.Users.UserByEmail(t.Context(), persistencetest.Cleo)
		require.NoError(t, err)
		tab := domain.Identity{Issuer: "https://id", Subject: "cleo", Session: "s", IssuedAt: now}.SignIn(cleo)
		require.Empty(t, enter(t, tab, true))
		_, err = engine.Exec(t.Context(), "UPDATE app_user SET is_disabled = true WHERE id = $1", cleo.ID)
		require.NoError(t, err)
		require.Equal(t, over, enter(t, tab, true))
		ended, err := s.SignIns.EndedSignIns(t.Context(), []domain.SignInKey{tab.SignInKey})
		require.NoError(t, err)
		require.Equal(t, []domain.SignInKey{tab.SignInKey}, ended)
	})
	t.Run("AsksAfterMany", func(t *testing.T) {
		list := make([]domain.SignInKey, 2500)
		for i := range list {
			list[i] = domain.SignInKey{UserID: int64(i)}
		}
		ended, err := s.SignIns.EndedSignIns(t.Context(), list)
		require.NoError(t, err)
		require.Len(t, ended, len(list))
	})
}

func TestIdentity_SignIn(t *testing.T) {
	t.Parallel()
	u := &domain.User{ID: 7, OrganisationID: 3}
	at := time.Unix(1_700_000_000, 0)
	base := domain.Identity{Issuer: "i", Subject: "s", Session: "x", AuthTime: at, IssuedAt: at, TokenID: "1"}
	with := func(change func(*domain.Identity)) domain.SignInKey {
		id := base
		change(&id)
		return id.SignIn(u).SignInKey
	}
	same := func(*domain.Identity) {}
	require.Equal(t, with(same), with(func(id *domain.Identity) { id.TokenID, id.IssuedAt = "2", at.Add(time.Hour) }), "a refreshed bearer")
	nameless := func(id *domain.Identity) { id.Session = "" }
	require.Equal(t, with(nameless), with(func(id *domain.Identity) { id.Session, id.TokenID = "", "2" }), "known by its beginning")
	keys := map[domain.SignInKey]bool{}
	for _, change := range []func(*domain.Identity){
		same, nameless,
		func(id *domain.Identity) { id.Session = "y" },
		func(id *domain.Identity) { id.Subject = "t" },
		func(id *domain.Identity) { id.Issuer, id.Subject = "is", "" },
		func(id *domain.Identity) { id.Session, id.AuthTime = "", at.Add(time.Second) },
		func(id *domain.Identity) { id.Session, id.AuthTime = "", time.Time{} },
		func(id *domain.Identity) { id.Session, id.AuthTime, id.TokenID = "", time.Time{}, "2" },
	} {
		keys[with(change)] = true
	}
	require.Len(t, keys, 8)
	require.Equal(t, at, base.SignIn(u).BeganAt())
}

func TestStore_SpentCodes(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	soon := time.Now().Add(time.Hour) //nolint:forbidigo // of the database's clock
	hash, over := []byte("hash of a code, as one may think"), []byte("hash of an old code")
	body, err := s.Secrets.SpentCode(ctx, hash)
	require.NoError(t, err)
	require.Nil(t, body)
	require.NoError(t, s.Secrets.KeepSpentCode(ctx, hash, []byte("first"), soon))
	require.NoError(t, s.Secrets.KeepSpentCode(ctx, hash, []byte("second"), soon))
	require.NoError(t, s.Secrets.KeepSpentCode(ctx, over, []byte("old"), soon.Add(-2*time.Hour)))
	body, err = s.Secrets.SpentCode(ctx, hash)
	require.NoError(t, err)
	require.Equal(t, "first", string(body))
	body, err = s.Secrets.SpentCode(ctx, over)
	require.NoError(t, err)
	require.Nil(t, body)
	require.NoError(t, s.Prune(ctx))
	body, err = s.Secrets.SpentCode(ctx, hash)
	require.NoError(t, err)
	require.Equal(t, "first", string(body))
}
