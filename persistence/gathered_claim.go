package persistence

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Claims of many in one statement skip the rows that somebody else has locked. Their result
// has no row then, as for those that do not exist, and the caller claims alone, in its own
// time and on its own connection: there it waits for the lock, or finds nothing. So a locked
// row holds up nobody else, and no two claims can deadlock.

// sessionClaim is a person, and the node that becomes the home of their session.
type sessionClaim struct {
	user uuid.UUID
	node string
}

// claimSessions claims the sessions that nobody else has locked, and returns nil for others.
func (s *core) claimSessions(ctx context.Context, claims []sessionClaim) ([]*dbsqlc.SessionClaimFreeRow, error) {
	var p dbsqlc.SessionClaimFreeParams
	first := make(map[uuid.UUID]int, len(claims))
	for i, c := range claims {
		if _, twice := first[c.user]; !twice {
			first[c.user] = i
			p.Users, p.Nodes = append(p.Users, c.user), append(p.Nodes, c.node)
		}
	}
	rows, err := s.q.SessionClaimFree(ctx, s.keyed, &p)
	if err != nil {
		return nil, err
	}
	out := make([]*dbsqlc.SessionClaimFreeRow, len(claims))
	for _, r := range rows {
		out[first[r.Uuid]] = r
	}
	return out, nil
}

// conversationClaim is what Claim needs.
type conversationClaim struct {
	conversation, activation uuid.UUID
	node                     string
	silent                   []string
}

// claimed is a claim, or why there is none. Without both, the conversation is to be claimed alone.
type claimed struct {
	claim *domain.Claim
	err   error
}

// claimConversations claims those that nobody else has locked, in one transaction and one
// round trip. The reads follow the update, so they find everything that the former owners
// could ever commit, as with a single claim.
func (s *core) claimConversations(ctx context.Context, claims []conversationClaim) ([]claimed, error) {
	var (
		p     dbsqlc.ConversationClaimFreeParams
		rows  []dbsqlc.ConversationClaimed
		about claimRows
		first = make(map[uuid.UUID]int, len(claims))
	)
	for i, c := range claims {
		if _, twice := first[c.conversation]; !twice {
			first[c.conversation] = i
			p.Ids, p.Activations, p.Nodes = append(p.Ids, c.conversation), append(p.Activations, c.activation), append(p.Nodes, c.node)
			for _, node := range c.silent {
				p.SilentIds, p.SilentNodes = append(p.SilentIds, c.conversation), append(p.SilentNodes, node)
			}
		}
	}
	err := sendReading(ctx, s.keyed, func(r *reading) {
		r.Queue("BEGIN")
		r.ConversationClaimFree(&p, &rows)
		about.queue(r, p.Ids)
		r.Queue("COMMIT")
	})
	if err != nil {
		return nil, err
	}
	out := make([]claimed, len(claims))
	found := about.sorted()
	for _, r := range rows {
		i := first[r.ID]
		out[i].claim, out[i].err = found.claim(claims[i].activation, &r)
	}
	return out, nil
}
