package session

import (
	"slices"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// log is the latest part of the person's log: a pure state machine that accepts events in
// any order and returns them in the order of their seqs.
type log struct {
	head int64
	// floor is the seq below the first held event.
	floor int64
	ring  []*protocol.UserFrame
	// wanted is the highest known seq; if it is above head, events are missing.
	wanted  int64
	filling bool
}

func (l *log) begin(head int64) { *l = log{head: head, floor: head, wanted: head} }

// add appends events up to the first gap, and returns the frames of the new ones.
func (l *log) add(events []domain.UserEvent) []*protocol.UserFrame {
	var out []*protocol.UserFrame
	for i := range events {
		e := &events[i]
		l.wanted = max(l.wanted, e.Seq)
		if e.Seq != l.head+1 {
			continue
		}
		f := &protocol.UserFrame{Seq: e.Seq, Json: protocol.EncodeUserEvent(string(e.Type), e.Seq, e.At, e.Data)}
		l.head = e.Seq
		l.ring = append(l.ring, f)
		out = append(out, f)
	}
	if n := len(l.ring) - ringEvents; n > 0 {
		l.floor = l.ring[n-1].Seq
		l.ring = slices.Delete(l.ring, 0, n)
	}
	return out
}

// gap reports whether something is known to be missing.
func (l *log) gap() bool { return l.wanted > l.head }

// skip stops waiting for events that the store does not have any more.
func (l *log) skip() {
	wanted := l.wanted
	l.begin(wanted)
}

// after returns the frames above a seq; ok is false if they are not held.
func (l *log) after(seq int64) (frames []*protocol.UserFrame, ok bool) {
	if seq < l.floor || seq > l.head {
		return nil, false
	}
	for i, f := range l.ring {
		if f.Seq > seq {
			return l.ring[i:], true
		}
	}
	return nil, true
}
