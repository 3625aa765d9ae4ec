package ledger

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// batch is a write that is being collected. Its events get their seqs, and its text its
// offset, when it is submitted, so that a refused batch before it leaves no gap.
type batch struct {
	// alone keeps other changes out of the batch: the store may refuse this write because of
	// its content, and no other change must fail with it.
	alone bool
	// plain says that it contains only text.
	plain  bool
	write  domain.Write
	drafts []draft
	// done are the functions that are called in order after the commit, then decide, which see
	// the whole write; failed are those that are called after a refusal.
	done   []func()
	decide []func()
	failed []func(error)
	bytes  int
	first  int64
	last   int64
}

// draft is an entry before it has its seq: an event, or the text of a message.
type draft struct {
	kind       protocol.EntryKind
	event      domain.EventType
	generation int64
	// data returns the value to marshal, when the seq is known.
	data func(seq int64) any
	// text is the message of a delta, or a message that was opened or has ended.
	text *text
	// said is the text that a delta adds. from..to is its range in the message; to is the
	// length of an ended message. Both are known when the draft has been assembled.
	said     string
	from, to int
	hasRange bool
	message  *domain.Message
}

// text is a message being written, or one whose last event the ring still holds.
type text struct {
	id uuid.UUID
	// name is the id by which the turn's pieces refer to it.
	name uuid.UUID
	role domain.Role
	// said is all submitted text, committed the length of the durable part.
	said      domain.Growing
	committed int
	created   int64
	ended     bool
	// opened says that its creating event is committed.
	opened bool
}

// openBatch returns the batch for the next change. A change that must be alone always gets a
// separate batch.
func (s *State) openBatch(alone bool) *batch {
	b := s.openTextBatch(alone)
	b.plain = false
	return b
}

// openTextBatch is openBatch for text only.
func (s *State) openTextBatch(alone bool) *batch {
	if n := len(s.queue); n > 0 && !alone && !s.queue[n-1].alone {
		return s.queue[n-1]
	}
	var b *batch
	if n := len(s.spare); n > 0 && !alone {
		b, s.spare = s.spare[n-1], s.spare[:n-1]
	} else {
		b = &batch{alone: alone, plain: true}
	}
	s.queue = append(s.queue, b)
	return b
}

// batchesKept is how many batches are reused: while one is in flight, the next one
// collects.
const batchesKept = 2

// recycle keeps a committed batch for the next text, while a turn runs and if the batch held
// only text of one message, as nearly all do. The journal has given the write back with its
// answer (see domain.Journal), and no publication shares its memory. Only the memory of two
// slices is kept.
func (s *State) recycle(b *batch) {
	if s.turn == nil || !b.plain || len(b.drafts) != 1 || len(s.spare) == batchesKept {
		return
	}
	clear(b.drafts)
	clear(b.write.Chunks)
	*b = batch{plain: true, drafts: b.drafts[:0], write: domain.Write{Chunks: b.write.Chunks[:0]}}
	s.spare = append(s.spare, b)
}

func (b *batch) event(t domain.EventType, generation int64, data func(seq int64) any) {
	b.drafts = append(b.drafts, draft{kind: protocol.EntryEvent, event: t, generation: generation, data: data})
}

// addText appends to a message. All text that one batch adds to a message is one delta.
func (b *batch) addText(t *text, generation int64, p string) {
	b.bytes += len(p)
	for i := range b.drafts {
		if d := &b.drafts[i]; d.kind == protocol.EntryDelta && d.text == t {
			d.said += p
			return
		}
	}
	b.drafts = append(b.drafts, draft{kind: protocol.EntryDelta, generation: generation, text: t, said: p})
}

// setRange sets the range of a draft in its message, after all text that was written before.
func (d *draft) setRange() {
	if d.hasRange || d.text == nil {
		return // assembled before: the range stays
	}
	d.hasRange, d.from = true, d.text.said.Len()
	d.text.said.Append(d.said)
	d.to, d.said = d.text.said.Len(), ""
}

func (b *batch) addStep(step domain.Step) {
	for i := range b.write.Steps {
		if b.write.Steps[i].Number == step.Number {
			b.write.Steps[i] = step
			return
		}
	}
	b.write.Steps = append(b.write.Steps, step)
}

// submit passes the next batch to the journal when it has none.
func (s *State) submit(now time.Time) {
	if s.inflight != nil || s.reclaiming || s.gone || len(s.queue) == 0 {
		return
	}
	b := s.queue[0]
	s.queue = slices.Delete(s.queue, 0, 1)
	s.inflight = b
	s.assemble(b, now)
	s.out(s.submission(b))
}

// submission makes the Submit of a batch. A batch of text only, after which nothing is
// queued, may still grow until its group begins, so that the turn's text is shown as early
// as possible.
func (s *State) submission(b *batch) Submit {
	w := &b.write
	w.Source, w.Continues = nil, domain.Continuation{}
	if t := s.turn; t != nil && t.ending == "" && len(s.queue) == 0 && b.plain && len(b.drafts) == 1 &&
		slices.Contains(t.open, b.drafts[0].text) {
		w.Continues.Message, w.Continues.Room = b.drafts[0].text.name, s.limits.TurnText-t.bytes
	}
	return Submit{Write: w}
}

// absorb adds the text that the journal has pulled into the write, as its answer says. Later
// text of the message gets its range when its own batch is assembled.
func (s *State) absorb(b *batch) {
	if b.write.Continues.Message == uuid.Nil || b.write.Chunks[0].Pulled == "" {
		return
	}
	pulled, d := b.write.Chunks[0].Pulled, &b.drafts[0]
	d.text.said.Append(pulled)
	d.to = d.text.said.Len()
	b.bytes += len(pulled)
	if s.turn != nil {
		s.turn.bytes += len(pulled)
	}
}

// assemble makes the write of a batch for the store, with seqs from the next one on.
func (s *State) assemble(b *batch, now time.Time) {
	w := &b.write
	w.Conversation, w.OrganisationID, w.Fence = s.id, s.org, s.fence
	w.NextSeq, w.Events, w.Chunks, w.Messages = s.next, nil, w.Chunks[:0], nil
	b.first = s.next
	ended := 0 // the ends of messages are in the order of their drafts
	for i := range b.drafts {
		d := &b.drafts[i]
		d.setRange()
		if d.kind == protocol.EntryDelta {
			w.Chunks = append(w.Chunks, domain.Chunk{Message: d.text.id, Offset: int64(d.from), Text: d.text.said.Slice(d.from, d.to)})
			continue
		}
		if d.kind == protocol.EntryEnded {
			w.MessageEnds[ended].Text = endText(d.text)
			ended++
		}
		seq := s.next
		s.next++
		if d.message != nil {
			d.message.Seq = seq
			if d.message.CreatedAt.IsZero() {
				d.message.CreatedAt = now
			}
			w.Messages = append(w.Messages, *d.message)
		}
		if d.text != nil && d.kind == protocol.EntryOpened {
			d.text.created = seq
		}
		w.Events = append(w.Events, domain.Event{
			Seq: seq, Type: d.event, Epoch: s.fence.Epoch, Generation: d.generation, Data: marshal(d.data(seq)), At: now,
		})
	}
	b.last = s.next - 1
	if w.Snapshot != nil {
		w.Snapshot = s.snapshot(b.last)
	}
}

// endTextMax is the maximum size in bytes of a text that is written again at its end.
const endTextMax = 256 << 10

// endText is the text that is stored at the end of a message. Joining its pieces costs the
// store ten times as much, because they are on as many pages, between the pieces of other
// answers. The store does it only for texts that would make the write very large.
func endText(t *text) *string {
	if t.said.Len() > endTextMax {
		return nil
	}
	whole := t.said.String()
	return &whole
}

// publication makes the entries that readers get of a committed batch, in order.
func (s *State) publication(b *batch) *protocol.Publication {
	epoch := s.fence.Epoch
	p := protocol.NewPublication(s.id, epoch, len(b.drafts))
	event := 0
	for i := range b.drafts {
		d := &b.drafts[i]
		e := protocol.Entry{Kind: d.kind, Epoch: epoch, Generation: d.generation}
		if d.kind == protocol.EntryDelta {
			e.Message, e.Offset, e.Text = d.text.id, int64(d.from), d.text.said.Slice(d.from, d.to)
			p.Entries = append(p.Entries, e)
			continue
		}
		ev := &b.write.Events[event]
		event++
		e.Seq, e.Event = ev.Seq, ev
		if d.text != nil {
			e.Message, e.Offset = d.text.id, int64(d.to)
		}
		p.Entries = append(p.Entries, e)
	}
	return p
}

// marshal encodes types of the package protocol, which always succeeds.
func marshal(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		// A type of protocol that JSON cannot encode is a bug in this program; the actor's
		// guard catches the panic and refuses the message.
		panic(err)
	}
	return b
}
