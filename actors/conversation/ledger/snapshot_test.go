package ledger

import (
	"hash/crc32"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// A snapshot only saves reads, and may contain anything: one that does not fit in every
// respect is not used.
func TestState_Restore(t *testing.T) { // G21, F46
	t.Parallel()
	claim := &domain.Claim{
		Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 12, Generation: 1,
		Fence: domain.Fence{Epoch: 4, Activation: uuid.New()},
	}
	before := NewState(claim, Limits{TurnText: 100})
	before.tail, before.lastEnd = []uuid.UUID{domain.NewID()}, domain.TurnComplete
	good := before.snapshot(11)
	claim.Fence.Epoch++
	sum := func(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
	for name, spoil := range map[string]func(*domain.Snapshot){
		"OfAnotherConversation": func(s *domain.Snapshot) { s.Conversation = domain.NewID() },
		"OfAnotherSchema":       func(s *domain.Snapshot) { s.SchemaVersion++ },
		"Old":                   func(s *domain.Snapshot) { s.Seq-- },
		"OfTheFuture":           func(s *domain.Snapshot) { s.Seq++ },
		"OfThisEpoch":           func(s *domain.Snapshot) { s.Epoch++ },
		"OfALaterEpoch":         func(s *domain.Snapshot) { s.Epoch += 3 },
		"FlippedBit":            func(s *domain.Snapshot) { s.Body = append([]byte{s.Body[0] ^ 1}, s.Body[1:]...) },
		"Truncated":             func(s *domain.Snapshot) { s.Body = s.Body[:len(s.Body)-1] },
		"NotJSON":               func(s *domain.Snapshot) { s.Body = []byte("}"); s.Checksum = sum(s.Body) },
	} {
		t.Run("Err"+name, func(t *testing.T) {
			t.Parallel()
			bad := *good
			spoil(&bad)
			s := NewState(claim, Limits{TurnText: 100})
			require.False(t, s.Restore(&bad))
			require.Empty(t, s.tail)
		})
	}
	t.Run("ErrMissing", func(t *testing.T) {
		t.Parallel()
		require.False(t, NewState(claim, Limits{TurnText: 100}).Restore(nil))
	})
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		s := NewState(claim, Limits{TurnText: 100})
		require.True(t, s.Restore(good))
		require.Equal(t, before.tail, s.tail)
		require.Equal(t, before.lastEnd, s.lastEnd)
	})
}
