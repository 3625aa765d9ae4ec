package persistence

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/gather"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// gathered are the calls of a client that arrives, made together with those of the other
// clients that arrive at the same moment: after a cut, or when a node is lost, thousands come
// back at once. Each needs its person and sign-in, the homes of the session and the
// conversation, both claims, and the last messages of a conversation without a snapshot. One at
// a time these are seven round trips and two flushes of the log each; together they are seven
// for up to 256 clients.
//
// A single call goes at once and sees what it would see alone. Callers wait for at most one
// other group (internal/gather). Rows that somebody else has locked are left to separate
// statements, so that they hold up nobody.
type gathered struct {
	users         *gather.Gatherer[subject, *dbsqlc.UsersBySubjectRow]
	signIns       *gather.Gatherer[domain.SignInKey, *dbsqlc.SignInStatesRow]
	sessionHomes  *gather.Gatherer[uuid.UUID, string]
	homes         *gather.Gatherer[uuid.UUID, string]
	sessions      *gather.Gatherer[sessionClaim, *dbsqlc.SessionClaimFreeRow]
	conversations *gather.Gatherer[conversationClaim, claimed]
	access        *gather.Gatherer[reader, access]
	messages      *gather.Gatherer[messageRange, []domain.Message]
	// byID and agents are those of prompts (gathered_prompts.go).
	byID   *gather.Gatherer[messageKey, *domain.Message]
	agents *gather.Gatherer[agentKey, *domain.Analyst]
}

// newGathered needs the pool of c that these calls have for themselves.
func newGathered(c *core) *gathered {
	return &gathered{
		users:         gatherer(c, c.usersBySubject),
		signIns:       gatherer(c, c.signInStates),
		sessionHomes:  gatherer(c, c.sessionHomes),
		homes:         gatherer(c, c.conversationHomes),
		sessions:      gatherer(c, c.claimSessions),
		conversations: gatherer(c, c.claimConversations),
		access:        gatherer(c, c.accesses),
		messages:      gatherer(c, c.messagesBefore),
		byID:          gatherer(c, c.messagesByID),
		agents:        gatherer(c, c.agents),
	}
}

func gatherer[K, V any](c *core, answer func(context.Context, []K) ([]V, error)) *gather.Gatherer[K, V] {
	return gather.New(gather.Config[K, V]{
		Answer: func(ctx context.Context, keys []K) ([]V, error) {
			values, err := answer(ctx, keys)
			if errors.Is(err, context.DeadlineExceeded) {
				// The limit of the group, not of a caller.
				err = unavailable(err)
			}
			return values, translate(err)
		},
		Single: func(err error) bool {
			return domain.CodeOf(err) != domain.CodeUnavailable && !errors.Is(err, context.Canceled)
		},
		Clock: c.clock,
	})
}

// gatheredCall makes a call through a gatherer, and repeats it while the database is
// unavailable, for as long as the caller allows.
func gatheredCall[K, V any](ctx context.Context, g *gather.Gatherer[K, V], key K) (V, error) {
	var v V
	err := retryUnavailable(ctx, func() (err error) {
		v, err = g.Do(ctx, key)
		return err
	})
	return v, err
}

// asKeyed runs queries of the engine that find all their rows by key. One round trip.
func (s *core) asKeyed(ctx context.Context, queue func(r *reading)) error {
	return retryUnavailable(ctx, func() error { return sendReading(ctx, s.keyed, queue) })
}

// reader is a person and a conversation.
type reader struct {
	conversation uuid.UUID
	user         int64
}

// access is what a reader may do, as of a version of the grants. Version 0: there is no such
// conversation.
type access struct {
	permission domain.Permission
	version    int64
}

// accesses reads what people may do. Two thousand readers of one conversation that arrive at
// once are eight statements.
func (s *core) accesses(ctx context.Context, readers []reader) ([]access, error) {
	p := &dbsqlc.ConversationAccessesParams{Ids: make([]uuid.UUID, len(readers)), Users: make([]int64, len(readers))}
	for i, r := range readers {
		p.Ids[i], p.Users[i] = r.conversation, r.user
	}
	rows, err := s.q.ConversationAccesses(ctx, s.keyed, p)
	if err != nil {
		return nil, err
	}
	found := make(map[reader]access, len(rows))
	for _, r := range rows {
		found[reader{r.ID, r.UserID}] = access{permissionOf(r.Rank), r.AccessVersion}
	}
	out := make([]access, len(readers))
	for i, r := range readers {
		a, ok := found[r]
		if !ok {
			a.permission = domain.PermissionNone
		}
		out[i] = a
	}
	return out, nil
}

// conversationHomes reads the living nodes that own conversations; empty if there is none.
func (s *core) conversationHomes(ctx context.Context, ids []uuid.UUID) ([]string, error) {
	rows, err := s.q.ConversationHomes(ctx, s.keyed, ids)
	if err != nil {
		return nil, err
	}
	nodes := make(map[uuid.UUID]string, len(rows))
	for _, r := range rows {
		nodes[r.ID] = r.Node
	}
	return inOrder(ids, nodes), nil
}

// sessionHomes is conversationHomes for the sessions of people.
func (s *core) sessionHomes(ctx context.Context, users []uuid.UUID) ([]string, error) {
	rows, err := s.q.SessionHomes(ctx, s.keyed, users)
	if err != nil {
		return nil, err
	}
	nodes := make(map[uuid.UUID]string, len(rows))
	for _, r := range rows {
		nodes[r.Uuid] = r.Node
	}
	return inOrder(users, nodes), nil
}

// inOrder returns what was found for each key; the zero value if nothing was.
func inOrder[K comparable, V any](keys []K, found map[K]V) []V {
	out := make([]V, len(keys))
	for i, k := range keys {
		out[i] = found[k]
	}
	return out
}
