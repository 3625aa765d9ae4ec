package conversation

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// try asks with the id of a request, as each of its tries does.
func (a *alone) try(request protocol.Asking, id uuid.UUID) actor.Future {
	request.GetCaller().Request = id[:]
	return a.system.Root.RequestFuture(a.pid, request, patience)
}

func (a *alone) tried(request protocol.Asking, id uuid.UUID) any {
	a.t.Helper()
	answer, err := a.try(request, id).Result()
	require.NoError(a.t, err)
	return answer
}

func sendAnswer(t *testing.T, answer any) *protocol.SendAnswer {
	t.Helper()
	sent, ok := answer.(*protocol.SendAnswer)
	require.True(t, ok, "%T", answer)
	return sent
}

// G5: all tries of a request get the same answer, also those that come late.
func TestActor_Tries(t *testing.T) {
	t.Parallel()
	t.Run("RefusedOnce", func(t *testing.T) {
		t.Parallel()
		a := newAlone(t)
		require.Nil(t, sendAnswer(t, a.ask(a.prompt("First"))).Failure)
		<-a.turns
		second, request := a.prompt("Second"), uuid.New()
		require.Equal(t, string(domain.CodeConflict), sendAnswer(t, a.tried(second, request)).GetFailure().GetCode())
		stopped, ok := a.ask(&protocol.StopTurn{Caller: protocol.FromCaller(a.owner)}).(*protocol.StopAnswer)
		require.True(t, ok)
		require.Nil(t, stopped.Failure)
		require.Equal(t, string(domain.CodeConflict), sendAnswer(t, a.tried(second, request)).GetFailure().GetCode())
		message, err := a.store.MessageByID(t.Context(), 1, protocol.ID(second.Message))
		require.NoError(t, err)
		require.Nil(t, message)
		// The person sends it again: that is another request.
		require.Nil(t, sendAnswer(t, a.tried(second, uuid.New())).Failure)
	})
	t.Run("TakenTogether", func(t *testing.T) {
		t.Parallel()
		a := newAlone(t)
		a.journal.Hold()
		prompt, request := a.prompt("First"), uuid.New()
		first := a.try(prompt, request)
		second := a.try(proto.CloneOf(prompt), request)
		a.in(func() {})
		a.journal.Go()
		one, err := first.Result()
		require.NoError(t, err)
		two, err := second.Result()
		require.NoError(t, err)
		require.Nil(t, sendAnswer(t, one).Failure)
		require.True(t, proto.Equal(sendAnswer(t, one), sendAnswer(t, two)))
		require.False(t, sendAnswer(t, two).Repeated)
		<-a.turns
		require.Empty(t, a.turns)
	})
	t.Run("LateShare", func(t *testing.T) {
		t.Parallel()
		a := newAlone(t)
		a.store.AddUser(8, domain.NewID())
		share := func(p domain.Permission) *protocol.SetGrants {
			return &protocol.SetGrants{Caller: protocol.FromCaller(a.owner), Grants: []*protocol.Grant{{
				GranteeId: 8, GranteeType: string(domain.GranteeUser), Permission: string(p),
			}}}
		}
		request := uuid.New()
		for _, step := range []struct {
			permission domain.Permission
			request    uuid.UUID
			want       domain.Permission
		}{
			{domain.PermissionRead, request, domain.PermissionRead},
			{domain.PermissionRemove, uuid.New(), domain.PermissionNone},
			{domain.PermissionRead, request, domain.PermissionNone},
		} {
			done, ok := a.tried(share(step.permission), step.request).(*protocol.Done)
			require.True(t, ok)
			require.Nil(t, done.Failure)
			p, _, err := a.store.Access(t.Context(), a.id, 8)
			require.NoError(t, err)
			require.Equal(t, step.want, p)
		}
	})
	t.Run("FencedHasDecidedNothing", func(t *testing.T) {
		t.Parallel()
		var all tries
		w := &caller{request: uuid.New()}
		all.open = append(all.open, w)
		all.decided(w, &protocol.Done{}, domain.Errorf(domain.CodeFenced, "gone"))
		require.Empty(t, all.open)
		require.Empty(t, all.decisions)
	})
	t.Run("KeepsTheLatest", func(t *testing.T) {
		t.Parallel()
		var all tries
		ids := make([]uuid.UUID, decisionsKept+3)
		for i := range ids {
			ids[i] = uuid.New()
			all.decided(&caller{request: ids[i]}, &protocol.Done{}, nil)
		}
		kept := map[uuid.UUID]bool{}
		for _, d := range all.decisions {
			kept[d.request] = true
		}
		require.Len(t, kept, decisionsKept)
		for _, id := range ids[3:] {
			require.True(t, kept[id])
		}
	})
}
