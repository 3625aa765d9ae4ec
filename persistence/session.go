package persistence

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Sessions keep the node that has a person's session, and the person's own log.
type Sessions struct{ *core }

var _ domain.SessionStore = Sessions{}

// ClaimSession implements domain.SessionStore. It locks the same row as writes to the
// person's log: each such write is either included in the returned head or sees the new home.
// It goes together with other claims, or, if somebody else has locked the row, alone.
func (s Sessions) ClaimSession(ctx context.Context, user uuid.UUID, node string) (int64, int64, error) {
	got, err := gatheredCall(ctx, s.gathered.sessions, sessionClaim{user, node})
	if err != nil {
		return 0, 0, err
	}
	if got != nil {
		return got.Head, got.ID, nil
	}
	var row *dbsqlc.SessionClaimRow
	err = s.asEngine(ctx, func(r *reading) {
		r.SessionClaim(&dbsqlc.SessionClaimParams{Node: node, Uuid: user}, &row)
	})
	if err != nil {
		return 0, 0, err
	}
	if row == nil {
		return 0, 0, domain.NotFound("User")
	}
	return row.Head, row.ID, nil
}

// ReleaseSession implements domain.SessionStore. It does nothing if node is not the home.
func (s Sessions) ReleaseSession(ctx context.Context, user uuid.UUID, node string) error {
	return translate(s.q.SessionRelease(ctx, s.engine, &dbsqlc.SessionReleaseParams{Uuid: user, Node: node}))
}

// SessionHome implements domain.SessionStore. A node that is not a member of the cluster is not returned.
func (s Sessions) SessionHome(ctx context.Context, user uuid.UUID) (string, error) {
	return gatheredCall(ctx, s.gathered.sessionHomes, user)
}

// SessionHeads implements domain.SessionStore. It is one query for each node that is named, all in one round trip: a node has
// thousands of sessions and knows few nodes, and a name for each session would be half of what is sent.
func (s Sessions) SessionHeads(ctx context.Context, known []domain.SessionHead) ([]domain.SessionHead, error) {
	sizes := map[string]int{}
	for i := range known {
		sizes[known[i].Node]++
	}
	groups := make(map[string]*dbsqlc.SessionHeadsParams, len(sizes))
	for node, n := range sizes {
		groups[node] = &dbsqlc.SessionHeadsParams{Node: node, Users: make([]uuid.UUID, 0, n), Heads: make([]int64, 0, n)}
	}
	for i := range known {
		g := groups[known[i].Node]
		g.Users, g.Heads = append(g.Users, known[i].User), append(g.Heads, known[i].Head)
	}
	found := make([][]dbsqlc.SessionHeadsRow, 0, len(groups))
	if err := s.asEngine(ctx, func(r *reading) {
		found = found[:0] // a reading may be tried again
		for _, p := range groups {
			found = append(found, nil)
			r.SessionHeads(p, &found[len(found)-1])
		}
	}); err != nil {
		return nil, err
	}
	var out []domain.SessionHead
	for _, rows := range found {
		for _, r := range rows {
			out = append(out, domain.SessionHead{User: r.Uuid, Head: r.Head, Node: r.Node})
		}
	}
	return out, nil
}

// UserEvents implements domain.SessionStore.
func (s Sessions) UserEvents(ctx context.Context, userID, after int64, limit int) ([]domain.UserEvent, bool, error) {
	var (
		head *int64
		rows []dbsqlc.UserEventsRow
	)
	// The head is read first: an event that is committed between the two queries is then
	// an additional one, not a gap.
	err := s.asEngine(ctx, func(r *reading) {
		r.UserHead(userID, &head)
		r.UserEvents(&dbsqlc.UserEventsParams{UserID: userID, After: after, Size: int64(limit)}, &rows)
	})
	if err != nil {
		return nil, false, err
	}
	events := make([]domain.UserEvent, len(rows))
	for i, r := range rows {
		events[i] = domain.UserEvent{UserID: userID, UserUUID: r.Uuid, Seq: r.Seq, Type: domain.EventType(r.Type), Data: r.Data, At: utc(r.At)}
	}
	if len(events) > 0 {
		return events, events[0].Seq == after+1, nil
	}
	// There are no later events: unless after is the head, some are missing.
	return events, head != nil && (after == *head || limit <= 0), nil
}
