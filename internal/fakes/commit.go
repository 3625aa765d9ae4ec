package fakes

import (
	"slices"
	"unicode/utf8"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Commit performs one write atomically, with the same checks as Postgres and the journal.
func (s *Store) Commit(w *domain.Write) domain.WriteResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.conversations[w.Conversation]
	if c == nil || c.Deleted || c.Epoch != w.Fence.Epoch || c.Activation != w.Fence.Activation {
		return domain.WriteResult{Err: domain.Errorf(domain.CodeFenced, "fenced")}
	}
	if err := s.admit(c, w); err != nil {
		return domain.WriteResult{Err: err}
	}
	s.events(c, w)
	s.messages(c, w)
	s.turns(c, w)
	if w.Request != uuid.Nil {
		c.Requests = domain.WithRequest(c.Requests, w.Request)
	}
	if w.Update != nil {
		if w.Update.Name != nil {
			c.Name = *w.Update.Name
		}
		if w.Update.Description != nil {
			c.Description = *w.Update.Description
		}
		if w.Update.DataSources != nil {
			c.Sources = *w.Update.DataSources
		}
	}
	if len(w.Grants) > 0 {
		c.Access++
		for _, g := range w.Grants {
			delete(c.Grants, g.Grantee.ID)
			if g.Permission != domain.PermissionRemove {
				c.Grants[g.Grantee.ID] = g.Permission
			}
		}
	}
	if w.Cut != nil {
		c.Generation = w.Cut.Generation
		for _, m := range c.Messages {
			if m.Seq >= w.Cut.FromSeq {
				c.Cut[m.ID] = true
			}
		}
	}
	if w.Snapshot != nil {
		if w.Snapshot.Seq != c.NextSeq-1 {
			s.violation(w, "a snapshot at %d, the head is %d", w.Snapshot.Seq, c.NextSeq-1)
		}
		c.Snapshot = w.Snapshot
	}
	if w.Delete {
		c.Deleted = true
		c.Epoch++
	}
	return domain.WriteResult{UserEvents: s.userEvents(c, w)}
}

// admit refuses writes that the constraints of the tables would refuse.
func (s *Store) admit(c *Conversation, w *domain.Write) error {
	if len(w.Events) > 0 && w.NextSeq != c.NextSeq {
		s.violation(w, "next seq %d, the row's is %d", w.NextSeq, c.NextSeq)
		return domain.Errorf(domain.CodeConflict, "seq")
	}
	for _, m := range w.Messages {
		if s.message(m.ID, func(other *Conversation) bool { return other.Org == c.Org }) != nil {
			return domain.Errorf(domain.CodeConflict, "message exists")
		}
	}
	for _, u := range w.Usage {
		for _, have := range c.Usage {
			if have.TurnID == u.TurnID && have.Step == u.Step && have.Attempt == u.Attempt {
				s.violation(w, "usage of step %d counted twice", u.Step)
				return domain.Errorf(domain.CodeConflict, "usage exists")
			}
		}
	}
	return nil
}

func (s *Store) events(c *Conversation, w *domain.Write) {
	for _, e := range w.Events {
		if e.Seq != c.NextSeq {
			s.violation(w, "seq %d, want %d", e.Seq, c.NextSeq)
		}
		if e.Epoch > c.Epoch {
			s.violation(w, "epoch %d of an event, the row's is %d", e.Epoch, c.Epoch)
		}
		if n := len(c.Events); n > 0 && c.Events[n-1].Epoch > e.Epoch {
			s.violation(w, "epoch fell to %d", e.Epoch)
		}
		if n := len(c.Events); n > 0 && c.Events[n-1].Generation > e.Generation {
			s.violation(w, "generation fell to %d", e.Generation)
		}
		c.NextSeq++
		c.Events = append(c.Events, e)
	}
}

func (s *Store) messages(c *Conversation, w *domain.Write) {
	for i := range w.Messages {
		m := w.Messages[i]
		if m.Status == domain.MessageStreaming && m.Text != "" {
			s.violation(w, "a streaming message with text")
		}
		if m.Generation != c.Generation && (w.Cut == nil || m.Generation != w.Cut.Generation) {
			s.violation(w, "a message of generation %d, the row's is %d", m.Generation, c.Generation)
		}
		c.Messages = append(c.Messages, &m)
	}
	for i := range w.Chunks {
		chunk := &w.Chunks[i]
		m := find(c, chunk.Message)
		switch {
		case m == nil || m.Status != domain.MessageStreaming:
			s.violation(w, "text for a message that is not open")
		case chunk.Offset != int64(len(m.Text)):
			s.violation(w, "text at %d, the message has %d bytes", chunk.Offset, len(m.Text))
		case !utf8.ValidString(chunk.Whole()) || chunk.Whole() == "":
			s.violation(w, "text that cannot be stored: %q", chunk.Whole())
		default:
			m.Text += chunk.Whole()
		}
	}
	for _, end := range w.MessageEnds {
		m := find(c, end.Message)
		if m == nil || m.Status != domain.MessageStreaming {
			s.violation(w, "the end of a message that is not open")
			continue
		}
		if end.Text != nil && *end.Text != m.Text {
			s.violation(w, "the text of an end is not the text of the chunks: %q, not %q", *end.Text, m.Text)
		}
		m.Status = end.Status
	}
	for _, o := range w.Objects {
		if m := find(c, o.MessageID); m != nil && !slices.ContainsFunc(m.DisplayObjects, func(x domain.DisplayObject) bool {
			return x.ID == o.ID
		}) {
			m.DisplayObjects = append(m.DisplayObjects, o)
		}
	}
}

func (s *Store) turns(c *Conversation, w *domain.Write) {
	if t := w.TurnStart; t != nil {
		isNew := true
		for _, have := range c.Turns {
			switch {
			case have.ID == t.ID:
				have.Attempt, isNew = t.Attempt, false
			case have.Status == domain.TurnRunning:
				s.violation(w, "two turns run")
			}
		}
		if isNew {
			turn := *t
			c.Turns = append(c.Turns, &turn)
		}
	}
	seen := map[int]bool{}
	for _, step := range w.Steps {
		if seen[step.Number] {
			s.violation(w, "step %d twice in one write", step.Number)
		}
		seen[step.Number] = true
		steps := c.Steps[step.TurnID]
		i := slices.IndexFunc(steps, func(x domain.Step) bool { return x.Number == step.Number })
		if i >= 0 {
			steps[i] = step
		} else {
			c.Steps[step.TurnID] = append(steps, step)
		}
	}
	c.Usage = append(c.Usage, w.Usage...)
	if end := w.TurnEnd; end != nil {
		i := slices.IndexFunc(c.Turns, func(t *domain.Turn) bool { return t.ID == end.Turn })
		switch {
		case i < 0:
			s.violation(w, "the end of a turn that does not exist")
		case c.Turns[i].Status != domain.TurnRunning:
			s.violation(w, "a second end of a turn")
		default:
			c.Turns[i].Status, c.Turns[i].Reason = end.Status, end.Reason
			for _, m := range c.Messages {
				if m.TurnID == end.Turn && m.Status == domain.MessageStreaming {
					s.violation(w, "a turn ended with an open message")
				}
				if m.TurnID == end.Turn && (m.Status == domain.MessageFailed || m.Status == domain.MessageInterrupted) {
					m.Reason = end.Reason
				}
			}
		}
	}
}

func find(c *Conversation, id uuid.UUID) *domain.Message {
	for i := len(c.Messages) - 1; i >= 0; i-- {
		if c.Messages[i].ID == id {
			return c.Messages[i]
		}
	}
	return nil
}

func (s *Store) userEvents(c *Conversation, w *domain.Write) []domain.UserEvent {
	var out []domain.UserEvent
	for _, d := range w.UserEvents {
		for _, u := range s.users {
			if u.ID != c.Owner && !c.Grants[u.ID].CanRead() {
				continue
			}
			out = append(out, s.append(u, d))
		}
	}
	return out
}

func (s *Store) append(u *User, d domain.UserEventDraft) domain.UserEvent {
	e := domain.UserEvent{
		UserID: u.ID, UserUUID: u.UUID, Seq: u.Floor + int64(len(u.Events)) + 1, Type: d.Type, Data: d.Data, Home: u.Home,
	}
	u.Events = append(u.Events, e)
	return e
}

// AppendUser appends an event to a person's log, as a service does.
func (s *Store) AppendUser(id int64, d domain.UserEventDraft) domain.UserEvent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.append(s.users[id], d)
}
