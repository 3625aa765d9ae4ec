package conversation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// A check of the owners may read the deletion before the journal has answered it.
func TestActor_DeletionFoundByALookup(t *testing.T) { // G4, G12
	t.Parallel()
	for name, c := range map[string]struct {
		deleted bool
		want    domain.Code
	}{"OK": {true, ""}, "ErrAgain": {false, domain.CodeFenced}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAlone(t)
			text := "renamed"
			require.Nil(t, a.ask(&protocol.Change{Caller: protocol.FromCaller(a.owner), Name: &text}).(*protocol.Done).Failure)
			submitted := make(chan struct{})
			a.journal.Hold()
			a.journal.OnSubmit(func(*domain.Write) { close(submitted) })
			answer := a.system.Root.RequestFuture(a.pid, &protocol.Delete{Caller: protocol.FromCaller(a.owner)}, patience)
			a.wait(submitted)
			a.system.Root.Send(a.pid, &protocol.Superseded{Epoch: 9, Deleted: c.deleted})
			got, err := answer.Result()
			require.NoError(t, err)
			require.Equal(t, c.want, domain.CodeOf(got.(*protocol.Done).Failure.Err()))
			a.wait(a.left)
			a.journal.Go()
		})
	}
}
