package ledger

import (
	"encoding/json"
	"hash/crc32"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// snapshotSchema changes when the fields of body change; a reader with another schema
// rebuilds from rows.
const snapshotSchema = 1

type body struct {
	Tail    []uuid.UUID       `json:"tail"`
	LastEnd domain.TurnStatus `json:"lastEnd,omitempty"`
}

// snapshot is the state as it will be when everything up to seq is committed.
func (s *State) snapshot(seq int64) *domain.Snapshot {
	end := s.lastEnd
	if s.turn != nil && s.turn.ending != "" {
		end = s.turn.ending
	}
	b := marshal(body{Tail: s.tail, LastEnd: end})
	return &domain.Snapshot{
		Conversation: s.id, Seq: seq, Epoch: s.fence.Epoch, SchemaVersion: snapshotSchema,
		Checksum: crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)), Body: b,
	}
}

// Restore loads the stored snapshot if it can be trusted: of this conversation and this
// schema, complete, of an earlier epoch, and exactly at the head. If it returns false, the
// state must be rebuilt from rows.
func (s *State) Restore(snap *domain.Snapshot) bool {
	if snap == nil || snap.Conversation != s.id || snap.SchemaVersion != snapshotSchema ||
		snap.Seq != s.head || snap.Epoch >= s.fence.Epoch ||
		snap.Checksum != crc32.Checksum(snap.Body, crc32.MakeTable(crc32.Castagnoli)) {
		return false
	}
	var b body
	if err := json.Unmarshal(snap.Body, &b); err != nil {
		return false
	}
	s.tail, s.lastEnd = b.Tail, b.LastEnd
	return true
}

// Rebuild replaces a snapshot by the last messages of the conversation, oldest first.
func (s *State) Rebuild(messages []domain.Message) {
	s.tail = Tail(messages)
	s.dirty = true
}

// Tail returns the ids that count as the head after these messages: the last one that all
// readers see, and the internal ones after it.
func Tail(messages []domain.Message) []uuid.UUID {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == domain.RoleInternal && i > 0 {
			continue
		}
		tail := make([]uuid.UUID, 0, len(messages)-i)
		for k := i; k < len(messages); k++ {
			tail = append(tail, messages[k].ID)
		}
		return tail
	}
	return nil
}
