package actors

import (
	"encoding/binary"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// hintStands says where the owner of a conversation stands: its id, the epoch and the
// last seq. Whatever it says, a reader only asks the owner anew, who answers from what
// is committed.
const hintStands domain.HintTopic = "stands"

// stands tells the fan-outs of all nodes where an owner of this one stands.
func (s *System) stands(conversation uuid.UUID, epoch, head int64) {
	if s.c.Hints == nil {
		return
	}
	data := append(make([]byte, 0, 32), conversation[:]...)
	data = binary.BigEndian.AppendUint64(data, uint64(epoch)) //nolint:gosec // a round trip, not arithmetic
	data = binary.BigEndian.AppendUint64(data, uint64(head))  //nolint:gosec // as above
	s.c.Hints.Tell(hintStands, conversation.String(), data)
}

// listen hands what owners say to the fan-out. stop ends it.
func (s *System) listen() (stop func()) {
	if s.c.Hints == nil {
		return func() {}
	}
	return s.c.Hints.Listen(hintStands, func(data []byte) {
		if len(data) != 32 {
			s.root().Send(s.fanout, &missedHints{})
			return
		}
		s.root().Send(s.fanout, &stands{
			conversation: uuid.UUID(data[:16]),
			epoch:        int64(binary.BigEndian.Uint64(data[16:])), //nolint:gosec // as above
			head:         int64(binary.BigEndian.Uint64(data[24:])), //nolint:gosec // as above
		})
	})
}

// stands is what a hint said; missedHints that some may not have come.
type (
	stands struct {
		conversation uuid.UUID
		epoch, head  int64
	}
	missedHints struct{}
)

func (*stands) IgnoreDeadLetterLogging()      {}
func (*missedHints) IgnoreDeadLetterLogging() {}
