package connection

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
)

// A connection may ask its session twice, for instance if the first answer was late. Events
// that arrive for both requests are sent to the client once.
func TestActor_JoinedTwice(t *testing.T) { // G8
	t.Parallel()
	r := &recorder{events: make(chan string, 100), part: make(chan struct{}, 1), finish: make(chan struct{})}
	system, pid := spawn(t, &Shared{Outbox: 1 << 20}, func(a *Actor) { a.phase, a.in = open, Open{Sink: r} })
	frames := func(seqs ...int64) {
		out := &protocol.UserFrames{}
		for _, seq := range seqs {
			out.Frames = append(out.Frames, &protocol.UserFrame{Seq: seq, Json: protocol.EncodePosition("event", [16]byte{}, seq, 0, 0)})
		}
		system.Root.Send(pid, out)
	}
	event := func(seq string) {
		t.Helper()
		require.Equal(t, `try {"type":"event","seq":`+seq+`}`, r.next(t))
	}
	system.Root.Send(pid, &protocol.Joined{Seq: 5})
	require.Contains(t, r.next(t), protocol.FrameSessionReady)
	frames(6)
	event("6")
	system.Root.Send(pid, &protocol.Joined{Seq: 5})
	frames(6, 7)
	event("7")
	// A log that begins again may begin earlier.
	system.Root.Send(pid, &protocol.Joined{Seq: 3, Resync: true})
	require.Contains(t, r.next(t), protocol.FrameResync)
	frames(4)
	event("4")
}
