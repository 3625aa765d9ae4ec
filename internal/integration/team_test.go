package integration_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/persistence/persistencetest"
)

// guaranteeG15Team: a person who is removed from a team hears nothing more of what the team
// reads, and is told to fetch the lists again; a person who is added may read at once.
func guaranteeG15Team(t *testing.T, n *node) {
	t.Helper()
	anna, cleo := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Cleo)
	db, err := pgx.Connect(t.Context(), n.database)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close(context.Background())) })
	_, err = db.Exec(t.Context(), "SET ROLE parley_engine")
	require.NoError(t, err)
	var team int64
	require.NoError(t, db.QueryRow(t.Context(),
		"INSERT INTO team (org_id, name) SELECT org_id, 'Field' FROM app_user WHERE id = $1 RETURNING id", cleo.me().ID).Scan(&team))
	id := anna.create()
	path := "/discourse/conversations/" + id.String()
	anna.do("PUT", path+"/actors", map[string]any{"teams": []map[string]any{{"id": team, "permission": "read"}}}).into(t, 200, nil)
	anna.send(id, "seed=3 tokens=40000 rate=50")
	s := cleo.dial(nil)
	s.say(map[string]any{"type": "subscribe", "conversation": id})
	require.Equal(t, protocol.FrameDenied, s.of(id).Type, "the refusal is remembered")

	_, err = db.Exec(t.Context(), "INSERT INTO team_member (team_id, user_id, org_id) SELECT $1, id, org_id FROM app_user WHERE id = $2",
		team, cleo.me().ID)
	require.NoError(t, err)
	v := readAsMember(t, cleo, s, id)

	_, err = db.Exec(t.Context(), "DELETE FROM team_member WHERE team_id = $1", team)
	require.NoError(t, err)
	resynced := false
	for v.over == "" || !resynced {
		f, err := s.next()
		require.NoError(t, err)
		resynced = resynced || f.Type == protocol.FrameResync
		require.NoError(t, v.apply(f))
	}
	require.Equal(t, protocol.FrameDenied, v.over)
	require.True(t, anna.get(id).IsStreaming, "the turn goes on without the reader")
	anna.stop(id)
	cleo.do("GET", path, nil).refused(t, 404)
}

// readAsMember waits until the stream says that something has changed, and reads the conversation as a client does
// then, until some of its answer has come. Another change of the same person, before the node has seen that of the
// team, leads to a refusal once more: the one of the team is still to come.
func readAsMember(t *testing.T, p *person, s *socket, id uuid.UUID) *view {
	t.Helper()
	for resynced := false; ; {
		if !resynced {
			s.wait(func(f frame) bool { return f.Type == protocol.FrameResync })
		}
		resynced = false
		c := p.get(id)
		v := newView(&c)
		s.say(map[string]any{"type": "subscribe", "conversation": id, "at": v.cursor()[id]})
		held := len(v.texts[v.open])
		for v.over == "" && len(v.texts[v.open]) < held+50 {
			f, err := s.next()
			require.NoError(t, err)
			resynced = resynced || f.Type == protocol.FrameResync
			require.NoError(t, v.apply(f))
		}
		if v.over == "" {
			return v
		}
		require.Equal(t, protocol.FrameDenied, v.over)
	}
}
