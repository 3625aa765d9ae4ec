package integration_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/persistence/persistencetest"
)

// connectAsEngine connects to the database with the engine's role, which sees all organisations.
func connectAsEngine(t *testing.T, n *node) *pgx.Conn {
	t.Helper()
	db, err := pgx.Connect(t.Context(), n.database)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close(context.Background())) })
	_, err = db.Exec(t.Context(), "SET ROLE parley_engine")
	require.NoError(t, err)
	return db
}

// insertPerson inserts a person of Acme whom no other test uses.
func insertPerson(t *testing.T, db *pgx.Conn, email string) {
	t.Helper()
	_, err := db.Exec(t.Context(), `INSERT INTO app_user (uuid, org_id, email, full_name, scheduled_task_view, upload_credentials)
		SELECT $1, org_id, $2, $2, true, true FROM app_user WHERE email = $3`, uuid.New(), email, persistencetest.Anna)
	require.NoError(t, err)
}

// guaranteeG14: a sign-in that ended, for whatever reason, is refused and its
// streams are closed, on all servers, while its turn continues.
// It covers A16, A19 and A20 with the real table of sign-ins.
func guaranteeG14(t *testing.T, n *node) {
	t.Helper()
	const gwen = "gwen@acme.test"
	db := connectAsEngine(t, n)
	insertPerson(t, db, gwen)
	other := *n
	other.url = n.serve(t, api.Limits{})

	refused := func(bearer string) {
		t.Helper()
		for _, at := range []*node{n, &other} {
			require.Eventually(t, func() bool {
				return at.as(t, bearer).do("GET", "/user/me", nil).status == http.StatusUnauthorized
			}, patience, 100*time.Millisecond)
			require.Equal(t, "E401", at.as(t, bearer).do("POST", "/user/me/keep-alive", nil).refused(t, 401).Code)
		}
	}
	tab, phone, anna := n.as(t, gwen+"#tab"), n.as(t, gwen+"#phone"), n.as(t, persistencetest.Anna)
	id := tab.create()
	tab.share(id, anna, "read")
	tab.send(id, "seed=14 tokens=80000 rate=100")
	runs := func() {
		t.Helper()
		require.True(t, anna.get(id).IsStreaming, "the turn must continue")
	}

	here, there, phones := tab.dial(nil), other.as(t, gwen+"#tab").dial(nil), phone.dial(nil)
	require.Equal(t, http.StatusNoContent, tab.do("POST", "/user/me/logout", nil).status)
	tab.do("GET", "/user/me", nil).refused(t, 401)
	require.Equal(t, 4401, here.code())
	require.Equal(t, 4401, there.code(), "the other server must find out by itself")
	refused(gwen + "#tab")
	runs()
	phone.do("GET", "/user/me", nil).into(t, 200, nil)

	// All of the person's other sign-ins are idle.
	_, err := db.Exec(t.Context(), "UPDATE sign_in SET active_at = active_at - interval '4 hours 1 minute' WHERE ended_at IS NULL AND "+
		"user_id = (SELECT id FROM app_user WHERE email = $1)", gwen)
	require.NoError(t, err)
	require.Equal(t, 4401, phones.code())
	refused(gwen + "#phone")
	runs()

	third := n.as(t, gwen+"#third")
	streams := third.dial(nil)
	_, err = db.Exec(t.Context(), "UPDATE app_user SET is_disabled = true WHERE email = $1", gwen)
	require.NoError(t, err)
	require.Equal(t, 4401, streams.code())
	refused(gwen + "#third")
	runs()

	_, err = db.Exec(t.Context(), "UPDATE app_user SET is_disabled = false WHERE email = $1", gwen)
	require.NoError(t, err)
	refused(gwen + "#tab")
	fourth := n.as(t, gwen+"#fourth")
	require.Eventually(t, func() bool { return fourth.do("GET", "/user/me", nil).status == http.StatusOK }, patience, 100*time.Millisecond)
	fourth.stop(id)
}
