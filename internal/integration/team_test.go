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

// guaranteeG15Team: a person who is removed from a team receives nothing more of what is
// shared with the team, and is told to fetch the lists again. A person who is added may read
// immediately.
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
	require.Equal(t, protocol.FrameDenied, s.of(id).Type, "the subscription must be refused before the person is a member")

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
	require.True(t, anna.get(id).IsStreaming, "the turn must continue without the reader")
	anna.stop(id)
	cleo.do("GET", path, nil).refused(t, 404)
}

// readAsMember waits for a resync frame and then reads the conversation as a client does, until
// some of its answer has arrived. The resync may be for another change of the same person, before
// the node has seen the change of the team. Then the subscription is refused once more, and
// readAsMember waits for the next resync.
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
