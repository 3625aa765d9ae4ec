package loadtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestHeldLog(t *testing.T) {
	t.Parallel()
	ready := func(seq int64) *frame { return &frame{Type: "session.ready", Seq: seq} }
	resync := func(seq int64) *frame { return &frame{Type: "session.resync", Seq: seq} }
	event := func(seq int64) *frame { return &frame{Type: "conversation.updated", Stream: "user", Seq: seq} }
	for name, c := range map[string]struct {
		frames []*frame
		// wrong is the error of the last frame; all others are right.
		wrong string
	}{
		"OneSocket":            {frames: []*frame{ready(5), event(6), event(7)}},
		"Beginning":            {frames: []*frame{ready(0), event(1)}},
		"TheNextSocketGoesOn":  {frames: []*frame{ready(5), event(6), ready(6), event(7)}},
		"MovedByAResync":       {frames: []*frame{ready(5), ready(9), resync(9), event(10)}},
		"MovedBackByAResync":   {frames: []*frame{ready(5), resync(3), event(4)}},
		"KeepAlivesDoNotCount": {frames: []*frame{ready(5), {Type: "keep-alive"}, event(6)}},
		"ErrRepeat":            {frames: []*frame{ready(5), event(6), event(6)}, wrong: "repeat: event 6 while 6 is held"},
		"ErrRepeatAfterReturn": {frames: []*frame{ready(5), event(6), ready(6), event(6)}, wrong: "repeat: event 6 while 6 is held"},
		"ErrGap":               {frames: []*frame{ready(5), event(7)}, wrong: "gap: event 7 while 5 is held"},
		"ErrMoved":             {frames: []*frame{ready(5), ready(9), event(10)}, wrong: "continued elsewhere than at 5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var l heldLog
			for i, f := range c.frames {
				err := l.take(f)
				if i == len(c.frames)-1 && c.wrong != "" {
					require.ErrorContains(t, err, c.wrong)
				} else {
					require.NoError(t, err)
				}
			}
		})
	}
}

// The age of shown text is that of the oldest token that has become complete.
func TestHeld_Made(t *testing.T) {
	t.Parallel()
	at := time.UnixMicro(1_700_000_000_000_000)
	token := func(n int, at time.Time) string { return fmt.Sprintf("%08d-%014x ", n, at.UnixMicro()) }
	h, id := newHeld(), uuid.New()
	text := token(0, at) + token(1, at.Add(time.Second)) + token(2, at.Add(2*time.Second))
	h.messages[id] = &heldMessage{role: "assistant"}
	show := func(to int) time.Time {
		before := h.lengths()
		h.messages[id].text = []byte(text[:to])
		return h.made(before)
	}
	require.Zero(t, show(TokenBytes-1), "half of a token")
	require.True(t, show(2*TokenBytes).Equal(at))
	require.Zero(t, show(2*TokenBytes+3))
	require.True(t, show(len(text)).Equal(at.Add(2*time.Second)))
	require.Zero(t, show(len(text)), "nothing new")
	h.messages[uuid.New()] = &heldMessage{role: "user", text: []byte(text)}
	require.Zero(t, h.made(map[uuid.UUID]int{id: len(text)}), "a person's own text has no age")
}
