package ledger

import (
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// takePiece applies a piece of the turn's output. Pieces of a turn that has ended, was
// stopped or is not the running one are dropped.
func (s *State) takePiece(in Piece, now time.Time) {
	p, t := in.Piece, s.turn
	if t == nil || t.ending != "" || t.rec.ID != in.Turn || t.rec.Attempt != in.Attempt {
		s.dropPiece(p)
		return
	}
	switch p.Kind {
	case protocol.PieceOpen:
		s.openMessage(p, now)
	case protocol.PieceDelta:
		s.addDelta(p)
	case protocol.PieceAttach:
		s.attach(p)
	case protocol.PieceAnnotate:
		s.annotate(p)
	case protocol.PieceClose:
		if m := t.named(p.Message); m != nil && slices.Contains(t.open, m) {
			s.closeMessage(s.openBatch(false), m, domain.MessageComplete, "")
		}
	case protocol.PieceProgress:
		progress := protocol.NewPublication(s.id, s.fence.Epoch, 1)
		progress.Entries = append(progress.Entries, protocol.Entry{
			Kind: protocol.EntryProgress, Epoch: s.fence.Epoch, Generation: s.generation,
			Event: &domain.Event{Type: domain.EventTurnProgress, Data: marshal(protocol.Progress{TurnID: t.rec.ID, Text: p.Text})},
		})
		s.out(Publish{Publication: progress})
	case protocol.PieceStep:
		s.journalStep(p)
	case protocol.PieceEnd:
		s.endTurn(p.Status, p.Reason)
	}
}

// dropPiece releases the room of a dropped piece in the window and settles its receipt.
func (s *State) dropPiece(p *protocol.TurnPiece) {
	if w := p.Weight(); w > 0 {
		s.out(Release{Bytes: w})
	}
	if p.Receipt != nil {
		s.out(Settle{Receipt: p.Receipt, Err: Fenced()})
	}
}

func (s *State) openMessage(p *protocol.TurnPiece, now time.Time) {
	t := s.turn
	// An empty message that a lost node had opened is reused, so that readers do not notice
	// the crash.
	if !p.Whole {
		for i, spare := range t.spare {
			if spare.role == p.Role {
				t.spare = slices.Delete(t.spare, i, i+1)
				spare.name = p.Message
				t.ids[p.Message] = spare
				t.open = append(t.open, spare)
				s.out(Release{Bytes: p.Weight()})
				return
			}
		}
	}
	m := &domain.Message{
		ID: p.Message, ConversationID: s.id, TurnID: t.rec.ID, ParentID: s.parent(uuid.Nil), Generation: s.generation,
		Role: p.Role, Status: domain.MessageStreaming, AnalystID: t.rec.AnalystID, AnalystName: t.analyst,
		DisplayObjects: p.Objects, Annotation: p.Annotation, CreatedAt: now,
	}
	if p.AnalystID != 0 {
		// Each step of a plan may have its own agent.
		m.AnalystID, m.AnalystName = p.AnalystID, p.AnalystName
	}
	for i := range m.DisplayObjects {
		m.DisplayObjects[i].ConversationID, m.DisplayObjects[i].MessageID = s.id, m.ID
	}
	d := draft{
		kind: protocol.EntryEvent, event: domain.EventMessageCreated, generation: s.generation, message: m,
		data: func(int64) any { return eventData(m) },
	}
	if p.Whole {
		m.Status, m.Text = domain.MessageComplete, p.Text
		t.ids[m.ID] = &text{id: m.ID, role: p.Role, ended: true}
	} else {
		x := &text{id: m.ID, name: p.Message, role: p.Role}
		d.kind, d.text = protocol.EntryOpened, x
		t.ids[m.ID] = x
		t.open = append(t.open, x)
	}
	b := s.openBatch(false)
	b.bytes += p.Weight()
	b.drafts = append(b.drafts, d)
	b.write.Objects = append(b.write.Objects, m.DisplayObjects...)
	if m.Role == domain.RoleInternal {
		s.tail = append(s.tail, m.ID)
	} else {
		s.tail = []uuid.UUID{m.ID}
	}
}

// eventData is a message as the data of an event, which every reader gets. The text of an
// internal message is left out: superusers fetch it by its id.
func eventData(m *domain.Message) protocol.Message {
	data := protocol.MessageData(m)
	if m.Role == domain.RoleInternal {
		data.Text, data.DisplayobjectSet, data.Annotation = "", []protocol.DisplayObject{}, nil
	}
	return data
}

func (s *State) addDelta(p *protocol.TurnPiece) {
	t := s.turn
	m := t.named(p.Message)
	if m == nil || !slices.Contains(t.open, m) || len(p.Text) == 0 || !utf8.ValidString(p.Text) {
		// The turn has cleaned and split its text; other bytes are a bug and are dropped.
		s.dropPiece(p)
		return
	}
	if t.bytes+len(p.Text) > s.limits.TurnText {
		s.dropPiece(p)
		s.endTurn(domain.TurnFailed, "The answer became too long.")
		s.out(CancelTurn{Turn: t.rec.ID})
		return
	}
	t.bytes += len(p.Text)
	s.openTextBatch(false).addText(m, s.generation, p.Text)
}

func (s *State) attach(p *protocol.TurnPiece) {
	m := s.turn.named(p.Message)
	if m == nil || len(p.Objects) == 0 {
		s.dropPiece(p)
		return
	}
	for i := range p.Objects {
		p.Objects[i].ConversationID, p.Objects[i].MessageID = s.id, m.id
	}
	b := s.openBatch(false)
	b.bytes += p.Weight()
	b.write.Objects = append(b.write.Objects, p.Objects...)
	data := protocol.MessageObjects{ID: m.id, DisplayobjectSet: protocol.ObjectsData(p.Objects)}
	b.event(domain.EventMessageUpdated, s.generation, func(int64) any { return data })
}

// annotate adds an annotation to a message, open or closed.
func (s *State) annotate(p *protocol.TurnPiece) {
	m := s.turn.named(p.Message)
	if m == nil {
		s.dropPiece(p)
		return
	}
	b := s.openBatch(false)
	b.bytes += p.Weight()
	b.write.Annotations = append(b.write.Annotations, domain.MessageAnnotation{Message: m.id, Annotation: p.Annotation})
	data := protocol.MessageAnnotated{ID: m.id, Annotation: protocol.AnnotationData(&p.Annotation)}
	b.event(domain.EventMessageUpdated, s.generation, func(int64) any { return data })
}

func (s *State) closeMessage(b *batch, m *text, status domain.MessageStatus, reason string) {
	b.write.MessageEnds = append(b.write.MessageEnds, domain.MessageEnd{Message: m.id, Status: status})
	data := protocol.MessageEnd{ID: m.id, Status: string(status)}
	if status == domain.MessageFailed || status == domain.MessageInterrupted {
		data.Reason = reason
	}
	b.drafts = append(b.drafts, draft{
		kind: protocol.EntryEnded, event: domain.EventMessageUpdated, generation: s.generation, text: m,
		data: func(int64) any {
			data.Length = int64(m.said.Len()) // includes text that the journal has pulled
			return data
		},
	})
	s.turn.open = slices.DeleteFunc(s.turn.open, func(x *text) bool { return x == m })
}

func (s *State) journalStep(p *protocol.TurnPiece) {
	step := *p.Step
	step.TurnID, step.Attempt = s.turn.rec.ID, s.turn.rec.Attempt
	b := s.openBatch(false)
	b.bytes += p.Weight()
	b.addStep(step)
	if p.Usage != nil {
		u := *p.Usage
		u.TurnID, u.Step, u.Attempt = step.TurnID, step.Number, step.Attempt
		u.ConversationID, u.UserID = s.id, s.turn.rec.UserID
		u.Credits = domain.SumCredits(u.Credits)
		b.write.Usage = append(b.write.Usage, u)
		s.credits = domain.SumCredits(s.credits, u.Credits)
	}
	if receipt := p.Receipt; receipt != nil {
		b.done = append(b.done, func() { s.out(Settle{Receipt: receipt}) })
		b.failed = append(b.failed, func(err error) { s.out(Settle{Receipt: receipt, Err: err}) })
	}
}
