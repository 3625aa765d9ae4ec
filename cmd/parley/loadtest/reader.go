package loadtest

// A reader that checks a server by docs/stream-protocol.md, as strictly as the client in the
// browser relies on it. It has no sockets and no clock, so it can be tested alone.

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/google/uuid"
)

// held is the state of one conversation in a reader that follows
// docs/stream-protocol.md. Anything that a server sends in violation of the protocol is
// a fault. It is a pure state machine; the reader's goroutine and the final comparison
// use it under the reader's lock.
type held struct {
	known      bool // the first position is known
	seq        int64
	generation int64
	epoch      int64
	messages   map[uuid.UUID]*heldMessage
	order      []uuid.UUID
	ends       map[uuid.UUID]string // turn → status
}

// heldMessage is one message with all of its text that has been shown.
type heldMessage struct {
	role  string
	text  []byte
	ended bool
}

// action is what a reader does after a frame.
type action uint8

const (
	goOn        action = iota
	turnEnded          // the answer has ended
	resubscribe        // something is missing: subscribe again from the cursor
	refetch            // the server cannot continue from the cursor
)

// newHeld makes a reader that knows no position yet.
func newHeld() *held {
	return &held{messages: map[uuid.UUID]*heldMessage{}, ends: map[uuid.UUID]string{}}
}

// cursor is the position to continue from, as the hello frame encodes it.
func (h *held) cursor() map[string]any {
	at := map[string]any{"seq": h.seq}
	// Seq 0 asks the server for its own position.
	if !h.known {
		return map[string]any{"seq": 0}
	}
	at["generation"] = h.generation
	for _, id := range h.order {
		// Text of one open message can be continued from an offset; other messages come as events.
		if m := h.messages[id]; !m.ended && len(m.text) > 0 {
			at["message"], at["offset"] = id, len(m.text)
			break
		}
	}
	return at
}

// take applies a frame of the conversation.
func (h *held) take(f *frame) (action, error) {
	switch f.Type {
	case "subscribed":
		// A cursor was sent, so the server must continue at it, or answer with reset.
		if h.known && f.Seq != h.seq {
			return resubscribe, fmt.Errorf("subscribed at %d while %d is held", f.Seq, h.seq)
		}
		h.known, h.seq, h.generation, h.epoch = true, f.Seq, f.Generation, max(h.epoch, f.Epoch)
		return goOn, nil
	case "reset":
		return refetch, nil
	case "denied":
		return goOn, fmt.Errorf("denied")
	}
	// Frames of an earlier owner, or from before a rewind, may still arrive and must be dropped.
	if f.Epoch < h.epoch || f.Generation < h.generation && f.Seq == 0 {
		return goOn, nil
	}
	h.epoch = f.Epoch
	if f.Type == "message.delta" {
		return h.delta(f)
	}
	// An event that is held already comes again after a reconnect, which the protocol allows.
	if f.Seq == 0 || f.Seq <= h.seq {
		return goOn, nil
	}
	if f.Seq != h.seq+1 {
		return resubscribe, fmt.Errorf("gap: event %d while %d is held", f.Seq, h.seq)
	}
	h.seq, h.generation = f.Seq, max(h.generation, f.Generation)
	return h.event(f)
}

// event applies an event of the log, in its order.
func (h *held) event(f *frame) (action, error) {
	switch f.Type {
	case "message.created":
		var m storedMessage
		if err := json.Unmarshal(f.Data, &m); err != nil {
			return goOn, fmt.Errorf("a message is not JSON: %w", err)
		}
		if h.messages[m.ID] != nil {
			return goOn, fmt.Errorf("repeat: message %s was created before", m.ID)
		}
		h.messages[m.ID] = &heldMessage{role: m.Role, text: []byte(m.Text), ended: m.Status != "streaming"}
		h.order = append(h.order, m.ID)
	case "message.updated":
		var end struct {
			ID     uuid.UUID
			Status string
			Length *int
		}
		if err := json.Unmarshal(f.Data, &end); err != nil {
			return goOn, fmt.Errorf("the end of a message is not JSON: %w", err)
		}
		m := h.messages[end.ID]
		// A message of a role that this person does not see has no length here.
		if m == nil || end.Length == nil {
			return goOn, nil
		}
		// A turn may not end twice, nor a message (G6).
		if m.ended {
			return goOn, fmt.Errorf("message %s ended twice", end.ID)
		}
		m.ended = true
		// The length says how many bytes the message has, so a piece that was lost at the end is
		// noticed.
		if *end.Length != len(m.text) {
			return goOn, fmt.Errorf("message %s ended with %d bytes while %d are held", end.ID, *end.Length, len(m.text))
		}
	case "conversation.streaming-complete":
		var d struct {
			TurnID uuid.UUID
			Status string
		}
		if err := json.Unmarshal(f.Data, &d); err != nil {
			return goOn, fmt.Errorf("an end is not JSON: %w", err)
		}
		if before := h.ends[d.TurnID]; before != "" {
			return goOn, fmt.Errorf("turn %s ended twice: %s and %s", d.TurnID, before, d.Status)
		}
		h.ends[d.TurnID] = d.Status
		return turnEnded, nil
	}
	return goOn, nil
}

// delta appends text. The part that has been received before must be the same.
func (h *held) delta(f *frame) (action, error) {
	id, err := uuid.Parse(f.Message)
	if err != nil {
		return goOn, fmt.Errorf("a delta without message: %w", err)
	}
	// Bytes are counted and not characters, as in the protocol.
	m, have := h.messages[id], int64(0)
	if m != nil {
		have = int64(len(m.text))
	}
	switch {
	case m == nil:
		return resubscribe, fmt.Errorf("gap: text of message %s, which is not held", id)
	case f.Offset > have:
		return resubscribe, fmt.Errorf("gap: offset %d of message %s while %d bytes are held", f.Offset, id, have)
	}
	// The overlap of a repeated piece must be the same text: nothing that was shown may change
	// (G2).
	same := min(have-f.Offset, int64(len(f.Text)))
	if string(m.text[f.Offset:f.Offset+same]) != f.Text[:same] {
		return goOn, fmt.Errorf("message %s is shown with other text at %d than before", id, f.Offset)
	}
	if m.ended && same < int64(len(f.Text)) {
		return goOn, fmt.Errorf("message %s goes on after its end", id)
	}
	m.text = append(m.text, f.Text[same:]...)
	return goOn, nil
}

// storedMessage and storedConversation are the fields that are read from the API.
type storedMessage struct {
	ID     uuid.UUID `json:"id"`
	Role   string    `json:"role"`
	Text   string    `json:"text"`
	Status string    `json:"status"`
}

type storedConversation struct {
	Head        int64           `json:"head"`
	Generation  int64           `json:"generation"`
	IsStreaming bool            `json:"isStreaming"`
	Messages    []storedMessage `json:"messageSet"`
}

// begin sets the state and the position to those of a stored conversation. All text that
// was shown must be a prefix of the stored text: nothing that was shown may be lost.
func (h *held) begin(c *storedConversation) error {
	var wrong error
	stored := make(map[uuid.UUID]string, len(c.Messages))
	for _, m := range c.Messages {
		stored[m.ID] = m.Text
	}
	// After a rewind messages may be gone, so nothing is compared.
	if c.Generation == h.generation {
		wrong = h.lost(stored)
	}
	h.known, h.seq, h.generation = true, c.Head, c.Generation
	h.messages, h.order = make(map[uuid.UUID]*heldMessage, len(c.Messages)), nil
	for _, m := range c.Messages {
		h.messages[m.ID] = &heldMessage{role: m.Role, text: []byte(m.Text), ended: m.Status != "streaming"}
		h.order = append(h.order, m.ID)
	}
	return wrong
}

// lost returns an error if text was shown that is not stored.
func (h *held) lost(stored map[uuid.UUID]string) error {
	for id, m := range h.messages {
		text, ok := stored[id]
		// Internal messages are not in the answer of the API for everybody.
		if m.role == "internal" || len(m.text) == 0 && !ok {
			continue
		}
		if !ok || len(text) < len(m.text) || text[:len(m.text)] != string(m.text) {
			return fmt.Errorf("lost: %d bytes of message %s were shown, which are not a beginning of the %d that are stored", len(m.text), id,
				len(text))
		}
	}
	return nil
}

// compare is the final check: everything that is stored must have been shown, byte by
// byte, except messages from before the reader started.
func (h *held) compare(c *storedConversation) error {
	// Both have the same position, so the texts must be equal.
	if c.Head != h.seq {
		return fmt.Errorf("the reader is at %d, the conversation at %d", h.seq, c.Head)
	}
	stored := make(map[uuid.UUID]string, len(c.Messages))
	for _, m := range c.Messages {
		stored[m.ID] = m.Text
		if m.Status == "streaming" {
			return fmt.Errorf("message %s has no end", m.ID)
		}
		if shown := h.messages[m.ID]; shown != nil && m.Role != "internal" && string(shown.text) != m.Text {
			return fmt.Errorf("message %s is shown with %d bytes and stored with %d", m.ID, len(shown.text), len(m.Text))
		}
	}
	return h.lost(stored)
}

// guarded is a held that two goroutines use.
type guarded struct {
	mu sync.Mutex
	*held
}
