package protocol_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// The frame is a contract (docs/stream-protocol.md), and contains nothing about a person except id
// and name.
func TestPresenceOf(t *testing.T) {
	t.Parallel()
	conversation, ben := uuid.MustParse("0198aaaa-0000-7000-8000-0000000000c1"), uuid.MustParse("0198aaaa-0000-7000-8000-00000000000b")
	frame := func(p *protocol.Present) string {
		t.Helper()
		text, err := json.Marshal(protocol.PresenceOf(p))
		require.NoError(t, err)
		return string(text)
	}
	require.JSONEq(t, `{"type":"presence","conversation":"0198aaaa-0000-7000-8000-0000000000c1","count":3,
		"people":[{"uuid":"0198aaaa-0000-7000-8000-00000000000b","fullName":"Ben Ames"}]}`, frame(&protocol.Present{
		Conversation: conversation, Count: 3,
		People: []domain.Person{{ID: 7, UUID: ben, FullName: "Ben Ames", Picture: "https://example.com/ben.png"}},
	}))
	require.JSONEq(t, `{"type":"presence","conversation":"0198aaaa-0000-7000-8000-0000000000c1","count":0,"people":[]}`,
		frame(&protocol.Present{Conversation: conversation}))
}
