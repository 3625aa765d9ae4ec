package connection

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
)

// mergeReach is how many queued frames are searched for a delta that the new one continues.
const mergeReach = 64

// outbox is the queue of frames for the socket. While a write is in progress, deltas of one
// message are merged, so that a slow reader gets fewer and larger frames. An empty outbox
// holds no memory.
type outbox struct {
	items []item
	bytes int
	// flying is the size in bytes of the write in progress.
	flying int
}

// item is one frame. A merged delta has its text in merged.
type item struct {
	// json is the frame; nil for a delta whose frame is encoded when it is written.
	json   []byte
	weight int
	stream uuid.UUID
	// For a delta:
	message    uuid.UUID
	epoch      int64
	generation int64
	offset     int64
	text       string
	merged     []byte
	progress   bool
}

func (o *outbox) size() int { return o.bytes + o.flying }

func (o *outbox) empty() bool { return len(o.items) == 0 }

// raw queues a frame that is encoded already.
func (o *outbox) raw(json []byte) {
	o.push(item{json: json, weight: len(json)})
}

func (o *outbox) push(i item) {
	o.items = append(o.items, i)
	o.bytes += i.weight
}

// entry queues an entry of a conversation.
func (o *outbox) entry(stream uuid.UUID, e *protocol.Entry) {
	switch {
	case e.Kind == protocol.EntryDelta && o.merge(stream, e):
		return
	case e.Kind == protocol.EntryProgress && o.replace(stream, e):
		return
	}
	n := item{json: e.JSON, weight: e.Weight(), stream: stream, progress: e.Kind == protocol.EntryProgress}
	if e.Kind == protocol.EntryDelta {
		n.message, n.epoch, n.generation, n.offset, n.text = e.Message, e.Epoch, e.Generation, e.Offset, e.Text
	}
	o.push(n)
}

// merge appends a delta to the one that it continues, if nothing else of its conversation
// is queued between them.
func (o *outbox) merge(stream uuid.UUID, e *protocol.Entry) bool {
	for i := len(o.items) - 1; i >= 0 && i >= len(o.items)-mergeReach; i-- {
		have := &o.items[i]
		if have.stream != stream {
			continue
		}
		if have.message != e.Message || have.epoch != e.Epoch || have.generation != e.Generation || have.end() != e.Offset {
			return false
		}
		if have.merged == nil {
			have.merged = append(make([]byte, 0, 2*(len(have.text)+len(e.Text))), have.text...)
			have.json, have.text = nil, ""
		}
		have.merged = append(have.merged, e.Text...)
		have.weight += len(e.Text)
		o.bytes += len(e.Text)
		return true
	}
	return false
}

// replace keeps only the latest progress of a conversation.
func (o *outbox) replace(stream uuid.UUID, e *protocol.Entry) bool {
	if n := len(o.items); n > 0 {
		if have := &o.items[n-1]; have.progress && have.stream == stream {
			o.bytes += len(e.JSON) - have.weight
			have.json, have.weight = e.JSON, len(e.JSON)
			return true
		}
	}
	return false
}

func (i *item) end() int64 {
	if i.merged != nil {
		return i.offset + int64(len(i.merged))
	}
	return i.offset + int64(len(i.text))
}

// drain empties the outbox into frames for one write.
func (o *outbox) drain() [][]byte {
	frames := make([][]byte, len(o.items))
	o.flying = 0
	for i := range o.items {
		it := &o.items[i]
		switch {
		case it.merged != nil:
			frames[i] = protocol.EncodeDelta(it.stream, it.epoch, it.generation, it.message, it.offset, string(it.merged))
		case it.json == nil:
			frames[i] = protocol.EncodeDelta(it.stream, it.epoch, it.generation, it.message, it.offset, it.text)
		default:
			frames[i] = it.json
		}
		o.flying += len(frames[i])
	}
	o.items, o.bytes = nil, 0
	return frames
}

// landed says that the write has returned.
func (o *outbox) landed() { o.flying = 0 }
