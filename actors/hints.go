package actors

import (
	"encoding/binary"

	"github.com/google/uuid"

	"parley.dev/parley/actors/node/attendance"
	"parley.dev/parley/actors/node/fanout"
	"parley.dev/parley/actors/node/ownership"
	"parley.dev/parley/domain"
)

const (
	// hintOwner says that a node has become the owner of a conversation, hintHead that
	// its owner has written an event. A hint is not trusted: it only makes a node ask the
	// owner or the store, sooner than its next regular check.
	hintOwner domain.HintTopic = "owner"
	hintHead  domain.HintTopic = "head"

	// positionSize is the size of such a hint without the node's name: an id, an epoch, a seq.
	positionSize = 16 + 8 + 8
)

// position says which node owns a conversation, its epoch, and how far its log goes.
type position struct {
	conversation uuid.UUID
	epoch, head  int64
	node         string
}

func (p *position) encode() []byte {
	data := append(make([]byte, 0, positionSize+len(p.node)), p.conversation[:]...)
	data = binary.BigEndian.AppendUint64(data, uint64(p.epoch)) //nolint:gosec // converted back when it is read
	data = binary.BigEndian.AppendUint64(data, uint64(p.head))  //nolint:gosec // as above
	return append(data, p.node...)
}

func readPosition(data []byte) (p *position, ok bool) {
	if len(data) < positionSize {
		return nil, false
	}
	return &position{
		conversation: uuid.UUID(data[:16]),
		epoch:        int64(binary.BigEndian.Uint64(data[16:])), //nolint:gosec // as above
		head:         int64(binary.BigEndian.Uint64(data[24:])), //nolint:gosec // as above
		node:         string(data[positionSize:]),
	}, true
}

// sendHint sends a hint about an owner of this node to the other nodes. If several hints about
// one conversation wait to be sent, only the latest is kept.
func (s *System) sendHint(topic domain.HintTopic, conversation uuid.UUID, epoch, head int64) {
	hint := &position{conversation: conversation, epoch: epoch, head: head, node: s.node}
	s.c.Hints.Send(topic, conversation.String(), hint.encode())
}

func (s *System) sendOwnerHint(conversation uuid.UUID, epoch, head int64) {
	s.sendHint(hintOwner, conversation, epoch, head)
}

func (s *System) sendHeadHint(conversation uuid.UUID, epoch, head int64) {
	s.sendHint(hintHead, conversation, epoch, head)
}

// listen begins to handle the hints of other nodes. stop ends it.
func (s *System) listen() (stop func()) {
	owner := s.c.Hints.Listen(hintOwner, s.received(func(at *position) {
		// The cached address is out of date, and an owner on this node may be superseded.
		identity := at.conversation.String()
		s.placement.Forget(kindConversation, identity)
		if _, here := s.c.ActorSystem.ProcessRegistry.GetLocal(kindConversation + "/" + identity); here {
			s.root().Send(s.ownership, &ownership.Doubted{Conversation: at.conversation})
		}
		s.hint(at)
	}))
	head := s.c.Hints.Listen(hintHead, s.received(s.hint))
	flag := s.c.Hints.Listen(hintStop, s.flagged)
	present := s.c.Hints.Listen(attendance.Hint, func(data []byte) {
		conversation, _ := uuid.FromBytes(data) // the zero id if hints were missed
		s.root().Send(s.attendance, &attendance.CameOrWent{Conversation: conversation})
	})
	return func() { owner(); head(); flag(); present() }
}

// hint passes a hint to the readers of this node.
func (s *System) hint(at *position) {
	s.root().Send(s.fanout, &fanout.Position{Conversation: at.conversation, Epoch: at.epoch, Head: at.head})
}

// received decodes hints of other nodes. If some were missed it asks all owners.
func (s *System) received(do func(*position)) func(data []byte) {
	return func(data []byte) {
		switch at, ok := readPosition(data); {
		case !ok:
			s.root().Send(s.fanout, &fanout.MissedHints{})
		case at.node != s.node:
			do(at)
		}
	}
}
