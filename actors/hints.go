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

	// standsSize is the size of such a hint without the node's name: an id, an epoch, a seq.
	standsSize = 16 + 8 + 8
)

// stands says which node owns a conversation, its epoch, and how far its log goes.
type stands struct {
	conversation uuid.UUID
	epoch, head  int64
	node         string
}

func (s *stands) encode() []byte {
	data := append(make([]byte, 0, standsSize+len(s.node)), s.conversation[:]...)
	data = binary.BigEndian.AppendUint64(data, uint64(s.epoch)) //nolint:gosec // a round trip, not arithmetic
	data = binary.BigEndian.AppendUint64(data, uint64(s.head))  //nolint:gosec // as above
	return append(data, s.node...)
}

func readStands(data []byte) (s *stands, ok bool) {
	if len(data) < standsSize {
		return nil, false
	}
	return &stands{
		conversation: uuid.UUID(data[:16]),
		epoch:        int64(binary.BigEndian.Uint64(data[16:])), //nolint:gosec // as above
		head:         int64(binary.BigEndian.Uint64(data[24:])), //nolint:gosec // as above
		node:         string(data[standsSize:]),
	}, true
}

// tell sends a hint about an owner of this node to the other nodes. Of hints that wait to
// be sent about one conversation only the latest is kept.
func (s *System) tell(topic domain.HintTopic, conversation uuid.UUID, epoch, head int64) {
	hint := &stands{conversation: conversation, epoch: epoch, head: head, node: s.node}
	s.c.Hints.Tell(topic, conversation.String(), hint.encode())
}

func (s *System) tellOwner(conversation uuid.UUID, epoch, head int64) {
	s.tell(hintOwner, conversation, epoch, head)
}

func (s *System) tellHead(conversation uuid.UUID, epoch, head int64) {
	s.tell(hintHead, conversation, epoch, head)
}

// listen begins to handle the hints of other nodes. stop ends it.
func (s *System) listen() (stop func()) {
	owner := s.c.Hints.Listen(hintOwner, s.heard(func(at *stands) {
		// The cached address is out of date, and an owner on this node may be superseded.
		identity := at.conversation.String()
		s.places.Forget(kindConversation, identity)
		if _, here := s.c.ActorSystem.ProcessRegistry.GetLocal(kindConversation + "/" + identity); here {
			s.root().Send(s.ownership, &ownership.Doubted{Conversation: at.conversation})
		}
		s.hint(at)
	}))
	head := s.c.Hints.Listen(hintHead, s.heard(s.hint))
	flag := s.c.Hints.Listen(hintStop, s.flagged)
	present := s.c.Hints.Listen(attendance.Hint, func(data []byte) {
		conversation, _ := uuid.FromBytes(data) // the zero id if hints were missed
		s.root().Send(s.attendance, &attendance.CameOrWent{Conversation: conversation})
	})
	return func() { owner(); head(); flag(); present() }
}

// hint passes a hint to the readers of this node.
func (s *System) hint(at *stands) {
	s.root().Send(s.fanout, &fanout.Stands{Conversation: at.conversation, Epoch: at.epoch, Head: at.head})
}

// heard decodes hints of other nodes. If some were missed it asks all owners.
func (s *System) heard(do func(*stands)) func(data []byte) {
	return func(data []byte) {
		switch at, ok := readStands(data); {
		case !ok:
			s.root().Send(s.fanout, &fanout.MissedHints{})
		case at.node != s.node:
			do(at)
		}
	}
}
