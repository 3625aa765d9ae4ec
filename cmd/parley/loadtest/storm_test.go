package loadtest

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// A client of a storm counts each event that is missing, comes twice or comes in the wrong order.
func TestReturning_Take(t *testing.T) {
	t.Parallel()
	id := uuid.New()
	stream := id.String()
	user := func(seq int64) *frame { return &frame{Type: "conversation.updated", Stream: "user", Seq: seq} }
	event := func(seq int64) *frame {
		return &frame{Type: "conversation.updated", Stream: stream, Seq: seq, Generation: 2}
	}
	hello := []*frame{{Type: "session.ready", Seq: 7}, {Type: "subscribed", Stream: stream, Seq: 40, Generation: 1}}
	for name, x := range map[string]struct {
		frames                 []*frame
		faults, resets, events int64
		seq                    int64
	}{
		"OK":                {[]*frame{event(41), user(8), event(42), {Type: "keep-alive"}, {Type: "presence"}, user(9)}, 0, 0, 2, 42},
		"ErrGap":            {[]*frame{event(41), event(43)}, 1, 0, 2, 43},
		"ErrRepeat":         {[]*frame{event(41), event(41)}, 1, 0, 2, 41},
		"ErrGapOfPerson":    {[]*frame{user(9)}, 1, 0, 0, 40},
		"ErrRepeatOfPerson": {[]*frame{user(8), user(8)}, 1, 0, 0, 40},
		"ErrOtherPlace":     {[]*frame{{Type: "subscribed", Stream: stream, Seq: 39}}, 1, 0, 0, 39},
		"Reset":             {[]*frame{{Type: "reset", Stream: stream, Seq: 60, Generation: 3}, event(61)}, 0, 1, 1, 61},
		"Resync":            {[]*frame{{Type: "session.resync", Seq: 90}, user(91)}, 0, 1, 0, 40},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &returning{id: id, tally: newTally(time.Now())}
			for _, f := range hello {
				r.take(f)
			}
			require.Zero(t, r.tally.faults.Load())
			for _, f := range x.frames {
				r.take(f)
			}
			require.Equal(t, x.faults, r.tally.faults.Load(), r.tally.samples)
			require.Equal(t, x.resets, r.tally.resets.Load())
			require.Equal(t, x.events, r.events.Load())
			require.Equal(t, x.seq, r.seq)
		})
	}
}
