package actors

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node/fanout"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// The readers of an owner that another node has superseded follow the new one in less time
// than there is between two checks. The clock of the test allows no check.
func TestSystem_HintOfAnOwner(t *testing.T) { // G9
	t.Parallel()
	var hints fakes.Board
	ticks := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	n := newNodes(t, func(c *Config) { c.Hints, c.Clock = &hints, ticks })
	n.owns(t, n.one)
	s, c := n.one.connect(n.one.owner, hello)
	c.Receive(n.one.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)

	n.deaf.Store(true)
	n.owns(t, n.two)
	_, err := n.two.system.Send(context.Background(), n.one.owner, n.one.prompt("who is it?"))
	require.NoError(t, err)
	ended := func() bool {
		for _, f := range s.all() {
			if f.Type == "conversation.streaming-complete" && f.Stream == n.one.id.String() {
				return true
			}
		}
		return false
	}
	const step = 10 * time.Millisecond
	var passed time.Duration
	require.Eventually(t, func() bool {
		if ended() {
			return true
		}
		if passed+step < fanout.CheckEvery { // for the pauses of the reader; a check would come later
			ticks.Advance(step)
			passed += step
		}
		return false
	}, patience, 2*step)
	require.Empty(t, n.store.Violations())
}

// An owner ends only when the store says so, not because of a hint.
func TestSystem_HintThatIsWrong(t *testing.T) {
	t.Parallel()
	var hints fakes.Board
	n := newNodes(t, func(c *Config) { c.Hints = &hints })
	_, err := n.one.system.Send(context.Background(), n.one.owner, n.one.prompt("one"))
	require.NoError(t, err)
	epoch := func() (epoch int64) {
		at, err := n.store.Stored(context.Background(), n.one.id, n.one.owner)
		require.NoError(t, err)
		return at.Epoch
	}
	before := epoch()
	wrong := &position{conversation: n.one.id, epoch: 1 << 40, head: 1 << 40, node: "nobody"}
	for _, data := range [][]byte{wrong.encode(), nil, []byte("x")} {
		hints.Send(hintOwner, "", data)
		hints.Send(hintHead, "", data)
	}
	again := &position{conversation: uuid.New(), epoch: 2, head: 1, node: "nobody"}
	hints.Send(hintOwner, "", again.encode())
	sent := n.two.taken(n.one.prompt("two"))
	n.one.turnStatus(sent.TurnID, domain.TurnComplete)
	require.Equal(t, before, epoch(), "the owner is the same")
	require.Empty(t, n.store.Violations())
}
