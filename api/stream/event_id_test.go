package stream

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// A client that follows as many conversations as it may comes back with its event id: all headers
// of a request may have 16 kB, and a bearer has more than one of them.
func TestEventID(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]int{"None": 0, "One": 1, "Most": domain.FollowedMax} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seq := int64(7)
			cursor := &protocol.ClientCursor{User: &seq}
			if n > 0 {
				cursor.Conversations = map[uuid.UUID]protocol.ConversationCursor{}
			}
			for i := range n {
				at := protocol.ConversationCursor{Seq: int64(i), Generation: 1}
				if i%4 == 0 {
					at.Message, at.Offset = uuid.New(), int64(100*i)
				}
				cursor.Conversations[uuid.New()] = at
			}
			raw, err := json.Marshal(cursor)
			require.NoError(t, err)
			id := string(new(eventIDs).appendTo(nil, raw))
			require.LessOrEqual(t, len(id), 12<<10)
			require.NotContains(t, id, "\n")
			back, err := eventCursor("", id)
			require.NoError(t, err)
			require.Equal(t, cursor, back)
		})
	}
	var bomb bytes.Buffer
	w, err := flate.NewWriter(&bomb, flate.BestCompression)
	require.NoError(t, err)
	_, err = w.Write([]byte(strings.Repeat(" ", 1<<20) + "{}"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	for name, id := range map[string]string{
		"ErrBomb":      "." + base64.RawURLEncoding.EncodeToString(bomb.Bytes()),
		"ErrNoBase64":  "!",
		"ErrNoFlate":   ".abc",
		"ErrNoJSON":    base64.RawURLEncoding.EncodeToString([]byte("{")),
		"ErrTooLong":   strings.Repeat("A", 70<<10),
		"ErrTruncated": "." + base64.RawURLEncoding.EncodeToString(bomb.Bytes()[:40]),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := eventCursor("", id)
			require.Error(t, err)
		})
	}
}
