package persistence_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

func TestStore_UserByIdentity(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	anna := domain.Identity{Issuer: "https://id", Subject: "1", Email: "Anna@Acme.test", EmailVerified: true}

	t.Run("ErrUnknownUserUnverified", func(t *testing.T) {
		unverified := anna
		unverified.EmailVerified = false
		_, err := s.Users.UserByIdentity(ctx, unverified)
		requireCode(t, domain.CodeUnknownUser, err)
	})
	t.Run("BindsAtTheFirstSignIn", func(t *testing.T) {
		u, err := s.Users.UserByIdentity(ctx, anna)
		require.NoError(t, err)
		require.Equal(t, "Anna Acme", u.FullName)
		require.Equal(t, "Acme", u.Organisation)
		require.True(t, u.IsSuperuser)
		require.True(t, u.IsOperator)
	})
	t.Run("ThenBySubjectAlone", func(t *testing.T) {
		u, err := s.Users.UserByIdentity(ctx, domain.Identity{Issuer: "https://id", Subject: "1", Email: "other@acme.test"})
		require.NoError(t, err)
		require.Equal(t, "Anna Acme", u.FullName)
	})
	t.Run("ErrUnknownUser", func(t *testing.T) { // A17
		for name, id := range map[string]domain.Identity{
			"same subject of another issuer": {Issuer: "https://evil", Subject: "1"},
			"same email, other subject":      {Issuer: "https://id", Subject: "2", Email: anna.Email, EmailVerified: true},
			"nobody":                         {Issuer: "https://id", Subject: "3", Email: "nobody@acme.test", EmailVerified: true},
			"empty":                          {EmailVerified: true},
			"empty email":                    {Issuer: "https://id", Subject: "4", Email: " ", EmailVerified: true},
		} {
			_, err := s.Users.UserByIdentity(ctx, id)
			require.Equal(t, domain.CodeUnknownUser, domain.CodeOf(err), name)
		}
	})
	t.Run("ErrUnauthenticatedDisabled", func(t *testing.T) {
		caller := persistencetest.Caller(t, s, persistencetest.Anna)
		require.NoError(t, s.Users.TouchSession(ctx, caller))
		_, err := persistencetest.Connect(t, url, "parley_engine").Exec(ctx, "UPDATE app_user SET is_disabled = true WHERE id = $1",
			caller.UserID)
		require.NoError(t, err)
		_, err = s.Users.UserByIdentity(ctx, anna)
		requireCode(t, domain.CodeUnauthenticated, err)
		requireCode(t, domain.CodeUnauthenticated, s.Users.TouchSession(ctx, caller))
		_, _, err = s.Sessions.ClaimSession(ctx, caller.UserUUID, "node")
		requireCode(t, domain.CodeNotFound, err)
	})
}

func TestStore_User(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	anna, doris := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Doris)
	u, err := s.Users.User(ctx, anna, anna.UserID)
	require.NoError(t, err)
	require.Equal(t, persistencetest.Anna, u.Email)
	_, err = s.Users.User(ctx, anna, doris.UserID)
	requireCode(t, domain.CodeNotFound, err)
	_, err = s.Users.UserByEmail(ctx, "nobody@acme.test")
	requireCode(t, domain.CodeNotFound, err)
	list, err := s.Users.ShareableEntities(ctx, doris, "", domain.Page{Number: 1, Size: 10})
	require.NoError(t, err)
	require.Equal(t, 1, list.Count)
	require.Equal(t, "Doris Day", list.Results[0].Name)
}

func TestStore_Analysts(t *testing.T) {
	t.Parallel()
	s := persistencetest.OpenURL(t, persistencetest.URL(t))
	ctx := t.Context()
	world := persistencetest.World()
	further := world.Analysts
	world.Analysts = nil
	require.NoError(t, s.Samples.Seed(ctx, world))
	anna, doris := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Doris)

	a, err := s.Analysts.DefaultAnalyst(ctx, anna.OrganisationID)
	require.NoError(t, err)
	require.Equal(t, domain.DefaultAnalystName, a.Name)
	require.Equal(t, "builtin", a.Provider)
	require.True(t, a.IsDefault)
	_, err = s.Analysts.Analyst(ctx, doris.OrganisationID, a.ID)
	requireCode(t, domain.CodeNotFound, err)
	same, err := s.Analysts.Analyst(ctx, anna.OrganisationID, a.ID)
	require.NoError(t, err)
	require.Equal(t, a, same)

	enabled, err := s.Analysts.Analysts(ctx, anna, domain.AnalystFilter{OnlyEnabled: true})
	require.NoError(t, err)
	require.Equal(t, 1, enabled.Count)
	all, err := s.Analysts.Analysts(ctx, anna, domain.AnalystFilter{})
	require.NoError(t, err)
	require.Len(t, all.Results, 1)
	require.Equal(t, domain.DefaultAnalystName, all.Results[0].Name)

	world.Analysts = further
	require.NoError(t, s.Samples.Seed(ctx, world))
	world.Analysts = nil
	require.NoError(t, s.Samples.Seed(ctx, world))
	enabled, err = s.Analysts.Analysts(ctx, anna, domain.AnalystFilter{OnlyEnabled: true})
	require.NoError(t, err)
	require.Equal(t, 2, enabled.Count)
}

func TestStore_Seed(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	before := persistencetest.Caller(t, s, persistencetest.Anna)
	require.NoError(t, s.Samples.Seed(ctx, persistencetest.World()))
	require.Equal(t, before, persistencetest.Caller(t, s, persistencetest.Anna))
	sources, err := s.DataSources.DataSources(ctx, before, domain.DataSourceFilter{})
	require.NoError(t, err)
	require.Equal(t, 1, sources.Count)
	has, err := s.Samples.HasSample(ctx, "Acme", "orders")
	require.NoError(t, err)
	require.True(t, has)
	has, err = s.Samples.HasSample(ctx, "Beta", "orders")
	require.NoError(t, err)
	require.False(t, has)

	t.Run("ErrConflictPersonOfAnother", func(t *testing.T) {
		world := persistencetest.World()
		world.Organisations[1].People[0].Email = persistencetest.Anna
		requireCode(t, domain.CodeConflict, s.Samples.Seed(ctx, world))
	})
	t.Run("ErrInvalidMember", func(t *testing.T) {
		world := persistencetest.World()
		world.Organisations[0].Teams[0].Members = []string{persistencetest.Doris}
		requireCode(t, domain.CodeInvalid, s.Samples.Seed(ctx, world))
	})
}

// TestStore_MoveIssuer: a node that restarts at another address still knows its people,
// and the people of other issuers are not changed.
func TestStore_MoveIssuer(t *testing.T) {
	t.Parallel()
	s, _ := openURL(t)
	ctx := t.Context()
	anna := domain.Identity{Issuer: "http://localhost:8080/dex", Subject: "1", Email: "anna@acme.test", EmailVerified: true}
	ben := domain.Identity{Issuer: "https://id", Subject: "2", Email: "ben@acme.test", EmailVerified: true}
	require.NoError(t, s.Users.MoveIssuer(ctx, "issuer", anna.Issuer))
	for _, id := range []domain.Identity{anna, ben} {
		_, err := s.Users.UserByIdentity(ctx, id)
		require.NoError(t, err)
	}
	require.NoError(t, s.Users.MoveIssuer(ctx, "issuer", "http://localhost:9090/dex"))
	_, err := s.Users.UserByIdentity(ctx, anna)
	requireCode(t, domain.CodeUnknownUser, err)
	anna.Issuer = "http://localhost:9090/dex"
	for _, id := range []domain.Identity{anna, ben} {
		_, err := s.Users.UserByIdentity(ctx, id)
		require.NoError(t, err)
	}
	stored, err := s.Secrets.LoadSecret(ctx, "issuer")
	require.NoError(t, err)
	require.Equal(t, anna.Issuer, string(stored))
}
