package connection

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// stream is what an owner publishes: events and texts in their order.
func stream(t *rapid.T) (entries []protocol.Entry, texts map[uuid.UUID]string) {
	texts = map[uuid.UUID]string{}
	var open []uuid.UUID
	seq := int64(0)
	for range rapid.IntRange(1, 60).Draw(t, "length") {
		switch rapid.IntRange(0, 5).Draw(t, "entry") {
		case 0:
			id := uuid.New()
			seq++
			open = append(open, id)
			entries = append(entries, protocol.Entry{Kind: protocol.EntryOpened, Seq: seq, Epoch: 1, Message: id})
		case 1:
			if len(open) > 0 {
				seq++
				id := open[0]
				open = open[1:]
				entries = append(entries, protocol.Entry{Kind: protocol.EntryEnded, Seq: seq, Epoch: 1, Message: id, Offset: int64(len(texts[id]))})
			}
		case 2:
			seq++
			entries = append(entries, protocol.Entry{Kind: protocol.EntryEvent, Seq: seq, Epoch: 1})
		default:
			if len(open) > 0 {
				id := open[len(open)-1]
				text := rapid.SampledFrom([]string{"a", "größe", "more "}).Draw(t, "text")
				entries = append(entries, protocol.Entry{Kind: protocol.EntryDelta, Epoch: 1, Message: id, Offset: int64(len(texts[id])), Text: text})
				texts[id] += text
			}
		}
	}
	return entries, texts
}

// TestPlace_Faults delivers a stream with losses, repeats and a late owner. What
// is forwarded must be the stream, or the place must have asked for it again.
func TestPlace_Faults(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries, texts := stream(t)
		var p place
		got := map[uuid.UUID]string{}
		last := int64(0)
		for i := 0; i < len(entries); {
			e := entries[i]
			next := i + 1
			switch rapid.IntRange(0, 9).Draw(t, "fate") {
			case 0: // lost; the owner continues with the next one
				i = next
				continue
			case 1: // repeated from a little before
				next = max(0, i-rapid.IntRange(0, 3).Draw(t, "back"))
			case 2: // an old owner still sends
				old := e
				old.Epoch = 0
				if p.epoch > 0 {
					require.Equal(t, skip, p.advance(&old))
				}
			}
			switch p.advance(&e) {
			case gap:
				// Subscribe again: go back to the first entry that the place needs.
				i = back(entries, &p)
				continue
			case forward:
				if e.Seq > 0 {
					require.Equal(t, last+1, e.Seq)
					last = e.Seq
				}
				if e.Kind == protocol.EntryDelta {
					require.LessOrEqual(t, e.Offset, int64(len(got[e.Message])))
					got[e.Message] = got[e.Message][:e.Offset] + e.Text
				}
			case skip:
			}
			i = next
		}
		// The end of the stream may have been lost; the owner's Position shows this.
		position := &protocol.Position{Epoch: 1}
		for _, e := range entries {
			position.Head = max(position.Head, e.Seq)
		}
		for id, text := range texts {
			require.True(t, len(got[id]) <= len(text) && text[:len(got[id])] == got[id])
		}
		if p.epoch == 1 && last < position.Head {
			require.True(t, p.behind(position), "the loss of the end is not noticed")
		}
	})
}

// back finds the first entry that the place does not have.
func back(entries []protocol.Entry, p *place) int {
	have := place{epoch: p.epoch, seq: p.seq, open: append([]opened(nil), p.open...)}
	for i := range entries {
		if have.advance(&entries[i]) != skip && (entries[i].Seq == p.seq+1 || entries[i].Kind == protocol.EntryDelta &&
			p.find(entries[i].Message) >= 0) {
			return i
		}
		have = place{epoch: p.epoch, seq: p.seq, open: append([]opened(nil), p.open...)}
	}
	return len(entries)
}

// TestOutbox_Merges checks that merged frames contain the same text.
func TestOutbox_Merges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries, texts := stream(t)
		conversations := []uuid.UUID{uuid.New(), uuid.New()}
		got := map[uuid.UUID]map[uuid.UUID]string{conversations[0]: {}, conversations[1]: {}}
		seqs := map[string][]int64{}
		var o outbox
		read := func() {
			before := o.bytes
			frames := o.drain()
			total := 0
			for _, raw := range frames {
				total += len(raw)
				var d protocol.Delta
				require.NoError(t, json.Unmarshal(raw, &d), "%s", raw)
				if d.Type == protocol.FrameDelta {
					texts := got[uuid.MustParse(d.Stream)]
					require.Equal(t, int64(len(texts[d.Message])), d.Offset)
					texts[d.Message] += d.Text
					continue
				}
				var f protocol.Frame
				require.NoError(t, json.Unmarshal(raw, &f))
				seqs[f.Stream] = append(seqs[f.Stream], f.Seq)
			}
			require.Equal(t, total, o.flying)
			require.InDelta(t, total, before, float64(64*len(frames)+64), "the counted bytes are close to the real size")
			o.landed()
			require.Zero(t, o.size())
		}
		for i := range entries {
			for _, c := range conversations {
				e := entries[i]
				e.Event = &domain.Event{Type: domain.EventConversationUpdated}
				// The frame of a delta may be encoded already or not.
				if e.Kind != protocol.EntryDelta || rapid.Bool().Draw(t, "encoded") {
					e.Encode(c)
				}
				o.entry(c, &e)
			}
			if rapid.IntRange(0, 4).Draw(t, "write") == 0 {
				read()
			}
		}
		read()
		for _, c := range conversations {
			for id, text := range texts {
				require.Equal(t, text, got[c][id])
			}
			for i, seq := range seqs[c.String()] {
				require.Equal(t, int64(i+1), seq)
			}
		}
	})
}

// An event may be written before the person's session has answered: its id must still contain
// the client's place in the person's own log.
func TestActor_CursorBeforeTheSessionAnswers(t *testing.T) { // G8
	t.Parallel()
	seq := int64(118)
	read := func(a *Actor) protocol.ClientCursor {
		var c protocol.ClientCursor
		require.NoError(t, json.Unmarshal(a.cursor(), &c))
		return c
	}
	require.Equal(t, &seq, read(&Actor{user: userLog{cursor: &seq}}).User)
	require.Equal(t, &seq, read(&Actor{user: userLog{begun: true, seq: seq}}).User)
	require.Nil(t, read(&Actor{}).User, "it asked for everything from now on")
}
