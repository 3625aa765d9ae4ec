package ledger

import (
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// change changes the conversation's name, description, label or data sources.
func (s *State) change(in Change) {
	if s.isMade(in.Request) {
		s.answer(in.To, nil)
		return
	}
	u := in.Update
	if err := u.Validate(); err != nil {
		s.fail(in.To, err)
		return
	}
	b := s.openBatch(true)
	s.makes(b, in.Request)
	b.write.Update = &u
	data := protocol.ConversationChange{
		ID: s.id, Name: u.Name, Description: u.Description, DataSources: u.DataSources, ProjectLabels: u.ProjectLabels,
	}
	b.event(domain.EventConversationUpdated, s.generation, func(int64) any { return data })
	b.write.UserEvents = append(b.write.UserEvents, domain.UserEventDraft{Type: domain.EventConversationUpdated, Data: marshal(data)})
	b.done = append(b.done, func() {
		if u.Name != nil {
			s.name = *u.Name
		}
		if u.DataSources != nil {
			s.sources = *u.DataSources
		}
		s.answer(in.To, nil)
	})
	b.failed = append(b.failed, func(err error) { s.fail(in.To, err) })
}

// grantsMax is the maximum number of entries of one change of access.
const grantsMax = 1000

// setGrants changes who may see the conversation. It is an event of the log:
// a person who loses the right sees nothing after it.
func (s *State) setGrants(in SetGrants) {
	if s.isMade(in.Request) {
		s.answer(in.To, nil)
		return
	}
	if err := s.checkGrants(in.Grants); err != nil {
		s.fail(in.To, err)
		return
	}
	if len(in.Grants) == 0 {
		s.answer(in.To, nil)
		return
	}
	b := s.openBatch(true)
	s.makes(b, in.Request)
	b.write.Grants = in.Grants
	data := protocol.ConversationChange{ID: s.id, AccessChanged: true}
	b.event(domain.EventConversationUpdated, s.generation, func(int64) any { return data })
	b.write.UserEvents = append(b.write.UserEvents, domain.UserEventDraft{Type: domain.EventConversationUpdated, Data: marshal(data)})
	b.done = append(b.done, func() {
		s.out(Recheck{})
		s.answer(in.To, nil)
	})
	b.failed = append(b.failed, func(err error) { s.fail(in.To, err) })
}

func (s *State) checkGrants(grants []domain.Grant) error {
	if len(grants) > grantsMax {
		return domain.Invalid("grants", "Too many people and teams at once.")
	}
	seen := make([]domain.Grantee, 0, len(grants))
	for _, g := range grants {
		who := domain.Grantee{ID: g.Grantee.ID, Type: g.Grantee.Type}
		var c domain.Checks
		c.Require(who.Type == domain.GranteeUser || who.Type == domain.GranteeTeam, "type", "Only people and teams can be given access.")
		c.Require(g.Permission == domain.PermissionRead || g.Permission == domain.PermissionRemove, "permission",
			"A conversation can be shared for reading only.")
		c.Require(who.Type != domain.GranteeUser || who.ID != s.owner, "users", "The owner's access cannot be changed")
		c.Require(!slices.Contains(seen, who), "id", "The same person or team is named twice.")
		if err := c.Err(); err != nil {
			return err
		}
		seen = append(seen, who)
	}
	return nil
}

// isMade reports whether a change was made by an earlier try of its request. That try may have reached another
// owner, which has committed it; meanwhile a later request may have changed the same thing again.
func (s *State) isMade(request uuid.UUID) bool {
	return request != uuid.Nil && slices.Contains(s.requests, request)
}

// makes stores the request with its change.
func (s *State) makes(b *batch, request uuid.UUID) {
	if request == uuid.Nil {
		return
	}
	b.write.Request = request
	b.done = append(b.done, func() { s.requests = domain.WithRequest(s.requests, request) })
}
