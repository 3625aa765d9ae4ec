package history

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
)

// View is a client's copy of a conversation, which it keeps by the rules of
// docs/stream-protocol.md. Clients use it for their cursors, and the checker to replay what they
// received.
type View struct {
	id         uuid.UUID
	known      bool
	seq        int64
	generation int64
	epoch      int64
	messages   map[uuid.UUID]*shown
	// over says that the subscription has ended for good: denied, or deleted.
	over bool
}

// shown is a message with all of its text that has been shown.
type shown struct {
	seq   int64
	role  string
	text  []byte
	ended bool
}

// Next is what a client does after a frame.
type Next uint8

// What a client does after a frame.
const (
	GoOn      Next = iota
	Subscribe      // something is missing: subscribe again from the cursor
	Fetch          // the server cannot go on from the cursor
	Leave          // the subscription has ended for good
)

// NewView makes a view that has fetched nothing yet.
func NewView(id uuid.UUID) *View { return &View{id: id, messages: map[uuid.UUID]*shown{}} }

// Cursor is where the client goes on, as the hello frame encodes it.
func (v *View) Cursor() map[string]any {
	at := map[string]any{"seq": v.seq}
	if !v.known {
		return at
	}
	at["generation"] = v.generation
	for id, m := range v.messages {
		if !m.ended && len(m.text) > 0 {
			at["message"], at["offset"] = id, len(m.text)
		}
	}
	return at
}

// Seq is the position of the last event that is held.
func (v *View) Seq() int64 { return v.seq }

// Over says whether the subscription has ended for good.
func (v *View) Over() bool { return v.over }

// Begin goes on from a fetched conversation. All that was shown must be a beginning of what is
// stored, unless a rewind has removed messages meanwhile.
func (v *View) Begin(c *Conversation) error {
	var err error
	if v.known && c.Generation == v.generation {
		err = v.lost(c)
	}
	v.known, v.over, v.seq, v.generation = true, false, c.Head, c.Generation
	v.messages = make(map[uuid.UUID]*shown, len(c.Messages))
	for _, m := range c.Messages {
		v.messages[m.ID] = &shown{seq: m.Seq, role: m.Role, text: []byte(m.Text), ended: m.Status != "streaming"}
	}
	return err
}

// Apply takes a frame. An error is a violation of the protocol, or of what was promised.
func (v *View) Apply(f *Wire) (Next, error) {
	switch f.Type {
	case "reset":
		return Fetch, nil
	case "denied", "conversation.deleted":
		v.over = true
		return Leave, nil
	case "subscribed":
		if v.known && f.Seq != v.seq {
			return Subscribe, fmt.Errorf("subscribed at %d while %d is held", f.Seq, v.seq)
		}
		v.known, v.seq, v.generation, v.epoch = true, f.Seq, f.Generation, max(v.epoch, f.Epoch)
		return GoOn, nil
	}
	// Frames of an earlier owner, or from before a rewind, may be under way and are dropped.
	if f.Epoch < v.epoch || f.Seq == 0 && f.Generation < v.generation {
		return GoOn, nil
	}
	v.epoch = f.Epoch
	switch {
	case f.Type == "message.delta":
		return v.delta(f)
	case f.Seq == 0 || f.Seq <= v.seq:
		return GoOn, nil
	case f.Seq != v.seq+1:
		return Subscribe, fmt.Errorf("gap: event %d while %d is held", f.Seq, v.seq)
	}
	v.seq, v.generation = f.Seq, max(v.generation, f.Generation)
	return GoOn, v.event(f)
}

// event applies an event of the log that comes in its order.
func (v *View) event(f *Wire) error {
	var data struct {
		Message
		Length  *int  `json:"length"`
		FromSeq int64 `json:"fromSeq"`
	}
	if len(f.Data) > 0 {
		if err := json.Unmarshal(f.Data, &data); err != nil {
			return fmt.Errorf("the data of %s are not as documented: %w", f.Type, err)
		}
	}
	switch f.Type {
	case "message.created":
		if v.messages[data.ID] != nil {
			return fmt.Errorf("message %s was created twice", data.ID)
		}
		v.messages[data.ID] = &shown{seq: f.Seq, role: data.Role, text: []byte(data.Text), ended: data.Status != "streaming"}
	case "message.updated":
		m := v.messages[data.ID]
		if m == nil || data.Length == nil {
			return nil
		}
		if m.ended {
			return fmt.Errorf("message %s ended twice", data.ID)
		}
		m.ended = true
		if *data.Length != len(m.text) {
			return fmt.Errorf("message %s ended with %d bytes while %d are held", data.ID, *data.Length, len(m.text))
		}
	case "conversation.rewound":
		maps.DeleteFunc(v.messages, func(_ uuid.UUID, m *shown) bool { return m.seq >= data.FromSeq })
	}
	return nil
}

// delta adds text. What was shown before must be the same.
func (v *View) delta(f *Wire) (Next, error) {
	id, err := uuid.Parse(f.Message)
	if err != nil {
		return GoOn, fmt.Errorf("a delta of no message: %w", err)
	}
	m := v.messages[id]
	if m == nil {
		return Subscribe, fmt.Errorf("gap: text of message %s, which is not held", id)
	}
	have := int64(len(m.text))
	if f.Offset > have {
		return Subscribe, fmt.Errorf("gap: offset %d of message %s while %d bytes are held", f.Offset, id, have)
	}
	same := min(have-f.Offset, int64(len(f.Text)))
	if string(m.text[f.Offset:f.Offset+same]) != f.Text[:same] {
		return GoOn, fmt.Errorf("message %s is shown with other text at %d than before", id, f.Offset)
	}
	if m.ended && same < int64(len(f.Text)) {
		return GoOn, fmt.Errorf("message %s goes on after its end", id)
	}
	m.text = append(m.text, f.Text[same:]...)
	return GoOn, nil
}

// lost returns an error if something was shown that is not a beginning of what is stored.
func (v *View) lost(c *Conversation) error {
	for id, m := range v.messages {
		if m.role == "internal" {
			continue // superusers alone get its text
		}
		i := slices.IndexFunc(c.Messages, func(s Message) bool { return s.ID == id })
		if i < 0 {
			return fmt.Errorf("message %s was shown and is not stored", id)
		}
		if text := c.Messages[i].Text; len(text) < len(m.text) || text[:len(m.text)] != string(m.text) {
			return fmt.Errorf("%d bytes of message %s were shown, which are no beginning of the %d that are stored", len(m.text), id, len(text))
		}
	}
	return nil
}

// Differs compares the view with what is stored at the end, byte by byte.
func (v *View) Differs(c *StoredConversation) error {
	if head := int64(len(c.Events)); v.seq != head {
		return fmt.Errorf("the client is at %d, the conversation at %d", v.seq, head)
	}
	for _, m := range c.Messages {
		if m.Cut || m.Role == "internal" {
			continue
		}
		held := v.messages[m.ID]
		if held == nil {
			return fmt.Errorf("message %s is stored and was never shown", m.ID)
		}
		if string(held.text) != m.Text {
			return fmt.Errorf("message %s is shown with %d bytes and stored with %d", m.ID, len(held.text), len(m.Text))
		}
	}
	for id, m := range v.messages {
		if m.role != "internal" && !slices.ContainsFunc(c.Messages, func(s StoredMessage) bool { return s.ID == id && !s.Cut }) {
			return fmt.Errorf("message %s is shown and not stored", id)
		}
	}
	return nil
}
