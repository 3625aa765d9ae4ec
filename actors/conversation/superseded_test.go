package conversation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
)

// A database that has lost claims in a failover gives their epochs again. The owner whose claim was lost
// ends as soon as a row names another owner, so that its readers follow that one; a row that was read
// before its own claim is one of an earlier owner.
func TestActor_Superseded(t *testing.T) { // G1, G8
	t.Parallel()
	for name, c := range map[string]struct {
		// epoch is that of the row, compared with the owner's, and read when it was read after the claim.
		epoch int64
		read  time.Duration
		ends  bool
	}{
		"AHigherEpoch":                        {1, -time.Second, true},
		"TheSameEpochGivenTwice":              {0, time.Second, true},
		"ALowerEpochAfterSeveralLostClaims":   {-1, time.Second, true},
		"TheRowOfAnEarlierOwner":              {-1, -time.Second, false},
		"TheRowOfAnEarlierOwnerAtTheSameTime": {-1, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := clock.NewFake(time.Unix(1_700_000_000, 0))
			a := newAlone(t, func(c *Config) { c.Clock = now })
			text := "renamed"
			require.Nil(t, a.ask(&protocol.Change{Caller: protocol.FromCaller(a.owner), Name: &text}).(*protocol.Done).Failure)
			var own int64
			a.in(func() { own = a.actor.state.Epoch() })
			a.system.Root.Send(a.pid, &protocol.Superseded{Epoch: own + c.epoch, Read: now.Now().Add(c.read)})
			if c.ends {
				a.wait(a.left)
				return
			}
			a.in(func() { require.Equal(t, active, a.actor.phase) })
			require.Empty(t, a.left)
		})
	}
}
