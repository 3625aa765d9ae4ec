package loadtest

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// shown returns the state of a reader that has received the first half of an answer.
func shown(t *testing.T) (h *held, id, turn uuid.UUID) {
	t.Helper()
	h, id, turn = newHeld(), uuid.New(), uuid.New()
	for _, f := range []*frame{
		{Type: "subscribed", Seq: 1, Epoch: 2, Generation: 1},
		created(2, id),
		delta(id, 0, "half "),
	} {
		do, err := h.take(f)
		require.NoError(t, err)
		require.Equal(t, goOn, do)
	}
	return h, id, turn
}

func created(seq int64, id uuid.UUID) *frame {
	return &frame{
		Type: "message.created", Seq: seq, Epoch: 2, Generation: 1,
		Data: json.RawMessage(fmt.Sprintf(`{"id":%q,"role":"assistant","status":"streaming"}`, id)),
	}
}

func delta(id uuid.UUID, offset int64, text string) *frame {
	return &frame{Type: "message.delta", Epoch: 2, Generation: 1, Message: id.String(), Offset: offset, Text: text}
}

func ended(seq int64, id uuid.UUID, length int) *frame {
	return &frame{
		Type: "message.updated", Seq: seq, Epoch: 2, Generation: 1,
		Data: json.RawMessage(fmt.Sprintf(`{"id":%q,"status":"complete","length":%d}`, id, length)),
	}
}

func complete(seq int64, turn uuid.UUID) *frame {
	return &frame{
		Type: "conversation.streaming-complete", Seq: seq, Epoch: 2, Generation: 1,
		Data: json.RawMessage(fmt.Sprintf(`{"turnId":%q,"status":"complete"}`, turn)),
	}
}

// TestHeld_Take sends frames that a server must never send; each one must be reported as a fault.
func TestHeld_Take(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		frames func(id, turn uuid.UUID) []*frame
		do     action
		fault  string
	}{
		"OK": {func(id, turn uuid.UUID) []*frame {
			return []*frame{delta(id, 5, "more"), ended(3, id, 9), complete(4, turn)}
		}, turnEnded, ""},
		"OK repeated": {func(id, _ uuid.UUID) []*frame {
			return []*frame{created(2, id), delta(id, 0, "half "), delta(id, 3, "f m")}
		}, goOn, ""},
		"OK older epoch": {func(id, _ uuid.UUID) []*frame {
			return []*frame{{Type: "message.delta", Epoch: 1, Message: id.String(), Offset: 90, Text: "x"}}
		}, goOn, ""},
		"OK reset":            {func(_, _ uuid.UUID) []*frame { return []*frame{{Type: "reset", Seq: 9}} }, refetch, ""},
		"ErrGapOfEvents":      {func(id, _ uuid.UUID) []*frame { return []*frame{ended(4, id, 5)} }, resubscribe, "gap: event 4"},
		"ErrGapOfText":        {func(id, _ uuid.UUID) []*frame { return []*frame{delta(id, 6, "x")} }, resubscribe, "gap: offset 6"},
		"ErrTextOfNoMessage":  {func(_, turn uuid.UUID) []*frame { return []*frame{delta(turn, 0, "x")} }, resubscribe, "gap: text"},
		"ErrOtherText":        {func(id, _ uuid.UUID) []*frame { return []*frame{delta(id, 0, "hall ")} }, goOn, "other text"},
		"ErrEndedShorter":     {func(id, _ uuid.UUID) []*frame { return []*frame{ended(3, id, 4)} }, goOn, "ended with 4 bytes"},
		"ErrEndedLonger":      {func(id, _ uuid.UUID) []*frame { return []*frame{ended(3, id, 6)} }, goOn, "ended with 6 bytes"},
		"ErrTextAfterTheEnd":  {func(id, _ uuid.UUID) []*frame { return []*frame{ended(3, id, 5), delta(id, 5, "x")} }, goOn, "after its end"},
		"ErrTwoEnds":          {func(_, turn uuid.UUID) []*frame { return []*frame{complete(3, turn), complete(4, turn)} }, goOn, "ended twice"},
		"ErrMessageEndsTwice": {func(id, _ uuid.UUID) []*frame { return []*frame{ended(3, id, 5), ended(4, id, 5)} }, goOn, "ended twice"},
		"ErrCreatedTwice":     {func(id, _ uuid.UUID) []*frame { return []*frame{created(3, id)} }, goOn, "created before"},
		"ErrOtherPlace": {func(_, _ uuid.UUID) []*frame {
			return []*frame{{Type: "subscribed", Seq: 7, Epoch: 3}}
		}, resubscribe, "subscribed at 7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, id, turn := shown(t)
			frames := c.frames(id, turn)
			for i, f := range frames {
				do, err := h.take(f)
				switch {
				case i < len(frames)-1:
					require.NoError(t, err)
				case c.fault == "":
					require.NoError(t, err)
					require.Equal(t, c.do, do)
				default:
					require.ErrorContains(t, err, c.fault)
					require.Equal(t, c.do, do)
				}
			}
		})
	}
}

// TestHeld_Compare finds differences between what was shown and what is stored.
func TestHeld_Compare(t *testing.T) {
	t.Parallel()
	stored := func(id uuid.UUID, text, status string) *storedConversation {
		return &storedConversation{Head: 2, Generation: 1, Messages: []storedMessage{{ID: id, Role: "assistant", Text: text, Status: status}}}
	}
	h, id, _ := shown(t)
	require.NoError(t, h.compare(stored(id, "half ", "interrupted")))
	require.ErrorContains(t, h.compare(stored(id, "half a", "complete")), "is shown with 5 bytes and stored with 6")
	require.ErrorContains(t, h.compare(stored(id, "hal", "complete")), "is shown with 5 bytes")
	require.ErrorContains(t, h.compare(stored(id, "half ", "streaming")), "has no end")
	require.ErrorContains(t, h.compare(&storedConversation{Head: 2}), "lost: 5 bytes")
	require.ErrorContains(t, h.compare(&storedConversation{Head: 3}), "the reader is at 2")
	require.Equal(t, map[string]any{"seq": int64(2), "generation": int64(1), "message": id, "offset": 5}, h.cursor())

	require.ErrorContains(t, h.begin(stored(id, "hal", "streaming")), "lost")
	require.NoError(t, h.begin(stored(id, "half a", "streaming")))
	require.Equal(t, 6, h.cursor()["offset"])
}

// TestAnswering_Compare finds prompts that were lost, duplicated or never sent.
func TestAnswering_Compare(t *testing.T) {
	t.Parallel()
	one, two := uuid.New(), uuid.New()
	a := &answering{acknowledged: []uuid.UUID{one}, unknown: []uuid.UUID{two}}
	prompts := func(ids ...uuid.UUID) *storedConversation {
		c := &storedConversation{}
		for _, id := range ids {
			c.Messages = append(c.Messages, storedMessage{ID: id, Role: "user", Text: "?"})
		}
		return c
	}
	require.NoError(t, a.compare(prompts(one)))
	require.NoError(t, a.compare(prompts(one, two)), "a prompt without an acknowledgement may be stored")
	require.ErrorContains(t, a.compare(prompts(two)), "is stored 0 times")
	require.ErrorContains(t, a.compare(prompts(one, one)), "is stored 2 times")
	require.ErrorContains(t, a.compare(prompts(one, uuid.New())), "that nobody sent")
	bad := prompts(one)
	bad.Messages = append(bad.Messages, storedMessage{ID: uuid.New(), Role: "assistant", Text: "00000001-00000000000000 "})
	require.ErrorContains(t, a.compare(bad), "reordered")
}
