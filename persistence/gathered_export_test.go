package persistence

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// ClaimTogether claims conversations as one group. A conversation that is to be claimed alone
// has neither a claim nor an error.
func (s *Store) ClaimTogether(ctx context.Context, activation uuid.UUID, ids ...uuid.UUID) ([]*domain.Claim, error) {
	claims := make([]conversationClaim, len(ids))
	for i, id := range ids {
		claims[i] = conversationClaim{id, activation, "node", nil}
	}
	got, err := s.core.claimConversations(ctx, claims)
	if err != nil {
		return nil, err
	}
	out := make([]*domain.Claim, len(got))
	for i, c := range got {
		if c.err != nil {
			return nil, c.err
		}
		out[i] = c.claim
	}
	return out, nil
}

// ClaimAlone claims a conversation as Claim does for one that a group had to skip.
func (s *Store) ClaimAlone(ctx context.Context, activation, id uuid.UUID, silent ...string) (*domain.Claim, error) {
	return s.ConversationStore.claimAlone(ctx, conversationClaim{id, activation, "node", silent})
}

// SessionsTogether claims sessions as one group; the person's id is 0 for one that is to be claimed alone.
func (s *Store) SessionsTogether(ctx context.Context, node string, users ...uuid.UUID) (heads, ids []int64, err error) {
	claims := make([]sessionClaim, len(users))
	for i, u := range users {
		claims[i] = sessionClaim{u, node}
	}
	rows, err := s.core.claimSessions(ctx, claims)
	heads, ids = make([]int64, len(rows)), make([]int64, len(rows))
	for i, r := range rows {
		if r != nil {
			heads[i], ids[i] = r.Head, r.ID
		}
	}
	return heads, ids, err
}

// UsersTogether reads people by their subjects at one issuer as one group: their ids, 0 for nobody.
func (s *Store) UsersTogether(ctx context.Context, issuer string, subjects ...string) ([]int64, error) {
	keys := make([]subject, len(subjects))
	for i, k := range subjects {
		keys[i] = subject{issuer, k}
	}
	rows, err := s.core.usersBySubject(ctx, keys)
	ids := make([]int64, len(rows))
	for i, r := range rows {
		if r != nil {
			ids[i] = r.AppUser.ID
		}
	}
	return ids, err
}

// AccessTogether reads what people may do with conversations as one group.
func (s *Store) AccessTogether(ctx context.Context, conversations []uuid.UUID, users []int64) ([]domain.Permission, []int64, error) {
	keys := make([]reader, len(conversations))
	for i := range conversations {
		keys[i] = reader{conversations[i], users[i]}
	}
	got, err := s.core.accesses(ctx, keys)
	permissions, versions := make([]domain.Permission, len(got)), make([]int64, len(got))
	for i, a := range got {
		permissions[i], versions[i] = a.permission, a.version
	}
	return permissions, versions, err
}

// MessagesTogether reads the last messages of conversations as one group.
func (s *Store) MessagesTogether(ctx context.Context, ids []uuid.UUID, befores []int64, limits []int) ([][]domain.Message, error) {
	keys := make([]messageRange, len(ids))
	for i := range ids {
		keys[i] = messageRange{ids[i], befores[i], limits[i]}
	}
	return s.core.messagesBefore(ctx, keys)
}

// AgentsTogether reads the agents of prompts of people as one group; nil for one that is not there.
func (s *Store) AgentsTogether(ctx context.Context, callers []domain.Caller, ids []int64) ([]*domain.Analyst, error) {
	keys := make([]agentKey, len(callers))
	for i, c := range callers {
		keys[i] = agentKey{c.OrganisationID, c.UserID, ids[i]}
	}
	return s.core.agents(ctx, keys)
}

// MessagesByIDTogether reads messages as one group; nil for one that is not there.
func (s *Store) MessagesByIDTogether(ctx context.Context, organisations []int64, ids []uuid.UUID) ([]*domain.Message, error) {
	keys := make([]messageKey, len(ids))
	for i, id := range ids {
		keys[i] = messageKey{organisations[i], id}
	}
	return s.core.messagesByID(ctx, keys)
}
