package loadtest

// What a reader checks beside the frames of its conversation: how old text is when it is shown,
// and the order of the person's own log.

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

// lengths are the lengths of the messages that are held.
func (h *held) lengths() map[uuid.UUID]int {
	all := make(map[uuid.UUID]int, len(h.messages))
	for id, m := range h.messages {
		all[id] = len(m.text)
	}
	return all
}

// made returns when the oldest text was made that was added since the messages had the lengths:
// the time in the first token that it completes. It is zero if no token was completed.
func (h *held) made(before map[uuid.UUID]int) time.Time {
	var oldest time.Time
	for id, m := range h.messages {
		first := before[id] / TokenBytes
		if m.role == "user" || (first+1)*TokenBytes > len(m.text) || len(m.text) == before[id] {
			continue
		}
		micros, err := parseToken(m.text[first*TokenBytes:(first+1)*TokenBytes], int64(first))
		if err != nil {
			continue // no stamped text; what an answer must contain is compared at the end
		}
		if at := time.UnixMicro(micros); oldest.IsZero() || at.Before(oldest) {
			oldest = at
		}
	}
	return oldest
}

// heldLog is a client's place in its person's own log (docs/stream-protocol.md). Each event
// must come once and in order, also over several sockets; only a resync moves the place.
type heldLog struct {
	known bool
	seq   int64
	// moved says that a socket began at another place than the client's. A resync must follow.
	moved bool
}

// take applies a frame that is of no conversation.
func (l *heldLog) take(f *frame) error {
	switch {
	case f.Type == "session.ready":
		l.moved = l.known && f.Seq != l.seq
		if !l.moved {
			l.known, l.seq = true, f.Seq
		}
		return nil
	case f.Type == "session.resync":
		l.known, l.seq, l.moved = true, f.Seq, false
		return nil
	case f.Stream != "user" || f.Seq == 0:
		return nil
	case l.moved:
		l.moved = false
		return fmt.Errorf("it was continued elsewhere than at %d", l.seq)
	case f.Seq <= l.seq:
		return fmt.Errorf("repeat: event %d while %d is held", f.Seq, l.seq)
	case f.Seq > l.seq+1:
		err := fmt.Errorf("gap: event %d while %d is held", f.Seq, l.seq)
		l.seq = f.Seq
		return err
	}
	l.seq = f.Seq
	return nil
}
