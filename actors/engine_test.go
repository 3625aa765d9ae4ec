package actors

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

func TestSystem_Send(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		s, c := b.connect(b.owner, hello)
		c.Receive(b.subscribeFrame(""))
		s.waitType(t, protocol.FrameSubscribed)
		// A session that is not joined yet sends only the events that follow the join.
		s.waitType(t, protocol.FrameSessionReady)
		r := b.send("how much is it by region?")
		require.Equal(t, int64(2), r.Message.Seq)
		require.False(t, r.Repeated)
		s.waitFor(t, "the end", func(f protocol.Frame) bool {
			return f.Type == "conversation.streaming-complete" && f.Stream == b.id.String()
		})
		b.turnStatus(r.TurnID, domain.TurnComplete)
		require.Equal(t, r.Message.Seq, b.runner.ran()[0].Prompt.Seq, "results are named by this number")
		answer := b.answer()
		require.Equal(t, "how much is it by region? ", answer.Text)
		require.Equal(t, domain.MessageComplete, answer.Status)
		text, ok := s.text(answer.ID)
		require.True(t, ok)
		require.Equal(t, answer.Text, text)
		b.store.Look(b.id, func(c *fakes.Conversation) { require.Equal(t, "how much is it by region?", c.Name) })
		s.waitFor(t, "the list's note", func(f protocol.Frame) bool { return f.Stream == protocol.UserStream && f.Type == "message.created" })
		s.waitFor(t, "the list's end", func(f protocol.Frame) bool {
			return f.Stream == protocol.UserStream && f.Type == "conversation.streaming-complete"
		})
	})
	t.Run("Repeated", func(t *testing.T) { // G4
		t.Parallel()
		b := setup(t)
		p := b.prompt("why?")
		first, err := b.system.Send(context.Background(), b.owner, p)
		require.NoError(t, err)
		b.turnStatus(first.TurnID, domain.TurnComplete)
		again, err := b.system.Send(context.Background(), b.owner, p)
		require.NoError(t, err)
		require.True(t, again.Repeated)
		require.Equal(t, first.TurnID, again.TurnID)
		require.Len(t, b.runner.ran(), 1)
	})
	t.Run("RepeatedByAnotherOwner", func(t *testing.T) { // G4 after a restart of the owner
		t.Parallel()
		b := setup(t, func(c *Config) { c.Limits.ConversationIdle = 20 * time.Millisecond })
		p := b.prompt("why?")
		first, err := b.system.Send(context.Background(), b.owner, p)
		require.NoError(t, err)
		b.turnStatus(first.TurnID, domain.TurnComplete)
		b.passivated()
		again, err := b.system.Send(context.Background(), b.owner, p)
		require.NoError(t, err)
		require.True(t, again.Repeated)
		require.Equal(t, first.Message.ID, again.Message.ID)
	})
	t.Run("RepeatedWhileTheFirstIsUnderWay", func(t *testing.T) { // G4, F40
		t.Parallel()
		b := setup(t)
		p := b.prompt("why?")
		b.journal.Hold()
		results := make(chan *domain.SendResult, 50)
		for range cap(results) {
			go func() {
				r, err := b.system.Send(context.Background(), b.owner, p)
				if err != nil {
					r = nil
				}
				results <- r
			}()
		}
		require.Eventually(t, func() bool { return b.journal.Waiting() == 1 }, patience, time.Millisecond)
		b.journal.Go()
		fresh := 0
		for range cap(results) {
			r := <-results
			require.NotNil(t, r)
			if !r.Repeated {
				fresh++
			}
		}
		require.Equal(t, 1, fresh)
		b.store.Look(b.id, func(c *fakes.Conversation) { require.Len(t, c.Turns, 1) })
	})
	t.Run("RefusedByTheStore", func(t *testing.T) { // G3: no seq is lost
		t.Parallel()
		b := setup(t)
		b.journal.OnFault(func(w *domain.Write) fakes.Fault {
			if w.Update != nil && w.Update.Description != nil {
				return fakes.Fault{Before: domain.Invalid("dataSources", "not yours")}
			}
			return fakes.Fault{}
		})
		err := b.system.Change(context.Background(), b.owner, b.id, domain.ConversationUpdate{Description: ptr("x")})
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		sent := b.send("why?")
		require.Equal(t, int64(2), sent.Message.Seq)
	})
	t.Run("ErrOtherBody", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.prompt("why?")
		_, err := b.system.Send(context.Background(), b.owner, p)
		require.NoError(t, err)
		p.Text = "what?"
		_, err = b.system.Send(context.Background(), b.owner, p)
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
	})
	t.Run("ErrRunning", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		gate := b.runner.gate()
		b.runner.set(func(ctx context.Context, _ *analyst.Job, _ analyst.Sink) error { return pass(ctx, gate) })
		b.send("why?")
		_, err := b.system.Send(context.Background(), b.owner, b.prompt("and?"))
		require.Equal(t, domain.CodeConflict, domain.CodeOf(err))
	})
	t.Run("ErrStaleParent", func(t *testing.T) { // G11
		t.Parallel()
		b := setup(t)
		first := b.send("one")
		b.turnStatus(first.TurnID, domain.TurnComplete)
		p := b.prompt("two")
		p.Parent = first.Message.ID
		_, err := b.system.Send(context.Background(), b.owner, p)
		require.Equal(t, domain.CodeConflict, domain.CodeOf(err))
		p.Parent = b.answer().ID
		b.taken(p)
	})
	t.Run("ErrForbidden", func(t *testing.T) { // B03
		t.Parallel()
		b := setup(t)
		b.store.Grant(b.id, b.reader.UserID, domain.PermissionRead)
		_, err := b.system.Send(context.Background(), b.reader, b.prompt("why?"))
		require.Equal(t, domain.CodeForbidden, domain.CodeOf(err))
		require.ErrorContains(t, err, "You cannot send messages to a shared conversation")
		require.Empty(t, b.runner.ran())
	})
	t.Run("ErrNotFound", func(t *testing.T) { // B02, B20
		t.Parallel()
		b := setup(t)
		_, err := b.system.Send(context.Background(), b.reader, b.prompt("why?"))
		require.Equal(t, domain.CodeNotFound, domain.CodeOf(err))
		p := b.prompt("why?")
		p.Conversation = domain.NewID()
		_, err = b.system.Send(context.Background(), b.owner, p)
		require.Equal(t, domain.CodeNotFound, domain.CodeOf(err))
	})
}

// passivated waits until no node owns the conversation.
func (b *bundle) passivated() {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		home, err := b.store.Home(context.Background(), b.id)
		return err == nil && home == ""
	}, patience, time.Millisecond)
}

func TestSystem_Stop(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) { // G10
		t.Parallel()
		b := setup(t)
		said, cancelled := make(chan struct{}), make(chan struct{})
		b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
			id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
			if err != nil {
				return err
			}
			// The script writes as fast as the pieces are taken, but no more than the outbox
			// of a slow reader holds: the reader must see the end, and must not be
			// disconnected.
			for range 20_000 {
				if err := s.Delta(ctx, id, "more "); err != nil {
					break
				}
				select {
				case <-said:
				default:
					close(said)
				}
			}
			<-ctx.Done()
			close(cancelled)
			// All output after the stop is refused.
			_ = s.Delta(ctx, id, "never")
			return ctx.Err()
		})
		s, c := b.connect(b.owner, hello)
		c.Receive(b.subscribeFrame(""))
		s.waitType(t, protocol.FrameSubscribed)
		sent := b.send("go on")
		<-said
		s.waitType(t, protocol.FrameDelta)
		r, err := b.system.Stop(context.Background(), b.owner, b.id)
		require.NoError(t, err)
		require.True(t, r.Stopped)
		require.Equal(t, domain.TurnStopped, r.End)
		require.Equal(t, "go on", r.LastMessage.Text)
		stored := *b.answer()
		require.Equal(t, domain.MessageStopped, stored.Status)
		<-cancelled
		s.waitFor(t, "the end", func(f protocol.Frame) bool {
			return f.Type == "conversation.streaming-complete" && f.Stream == b.id.String()
		})
		text, ok := s.text(stored.ID)
		require.True(t, ok)
		require.Equal(t, stored.Text, text)
		// This request is queued behind all output that the turn could still have sent.
		require.NoError(t, b.system.Change(context.Background(), b.owner, b.id, domain.ConversationUpdate{Name: ptr("x")}))
		require.Equal(t, stored.Text, b.store.Text(stored.ID))
		b.turnStatus(sent.TurnID, domain.TurnStopped)
		again, err := b.system.Stop(context.Background(), b.owner, b.id)
		require.NoError(t, err)
		require.Equal(t, r, again, "the stop is repeated, as if its answer was lost")
		b.runner.set(nil)
		b.turnStatus(b.send("go on then").TurnID, domain.TurnComplete)
		late, err := b.system.Stop(context.Background(), b.owner, b.id)
		require.NoError(t, err)
		require.Equal(t, &domain.StopResult{End: domain.TurnComplete}, late)
	})
	t.Run("NothingRuns", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		r, err := b.system.Stop(context.Background(), b.owner, b.id)
		require.NoError(t, err)
		require.False(t, r.Stopped)
	})
	t.Run("RunnerThatDoesNotObey", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		gate := b.runner.gate()
		b.runner.set(func(context.Context, *analyst.Job, analyst.Sink) error { <-gate; return nil })
		sent := b.send("go")
		r, err := b.system.Stop(context.Background(), b.owner, b.id)
		require.NoError(t, err)
		require.True(t, r.Stopped)
		b.turnStatus(sent.TurnID, domain.TurnStopped)
		close(gate)
	})
	t.Run("ErrForbidden", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.store.Grant(b.id, b.reader.UserID, domain.PermissionRead)
		_, err := b.system.Stop(context.Background(), b.reader, b.id)
		require.Equal(t, domain.CodeForbidden, domain.CodeOf(err))
	})
}

func ptr[T any](v T) *T { return &v }

func TestSystem_Rewind(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) { // G11
		t.Parallel()
		b := setup(t)
		first := b.send("one")
		b.turnStatus(first.TurnID, domain.TurnComplete)
		gate := b.runner.gate()
		b.runner.set(half(gate))
		second := b.send("two")
		r, err := b.system.Rewind(context.Background(), b.owner, b.id, second.Message.ID)
		require.NoError(t, err)
		require.Equal(t, "two", r.Text)
		require.Equal(t, int64(1), r.Generation)
		require.Len(t, r.Messages, 2)
		b.turnStatus(second.TurnID, domain.TurnStopped)
		repeated, err := b.system.Rewind(context.Background(), b.owner, b.id, second.Message.ID)
		require.NoError(t, err)
		require.Equal(t, r, repeated, "the rewind is repeated, as if its answer was lost")
		p := b.prompt("three")
		p.Parent = second.Message.ID
		_, err = b.system.Send(context.Background(), b.owner, p)
		require.Equal(t, domain.CodeConflict, domain.CodeOf(err), "no prompt can follow a message that was removed")
		p.Parent = r.Messages[1].ID
		b.runner.set(nil)
		third := b.taken(p)
		require.Equal(t, int64(1), third.Message.Generation)
		_, err = b.system.Rewind(context.Background(), b.owner, b.id, second.Message.ID)
		require.Equal(t, domain.CodeNotFound, domain.CodeOf(err))
	})
	t.Run("ErrNotFound", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.system.Rewind(context.Background(), b.owner, b.id, domain.NewID())
		require.Equal(t, domain.CodeNotFound, domain.CodeOf(err))
	})
}

func TestSystem_Delete(t *testing.T) { // G12
	t.Parallel()
	b := setup(t)
	s, c := b.connect(b.owner, hello)
	c.Receive(b.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)
	gate := b.runner.gate()
	b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		defer func() { _ = say(context.WithoutCancel(ctx), s, "late") }()
		return pass(ctx, gate)
	})
	b.send("why?")
	require.NoError(t, b.system.Delete(context.Background(), b.owner, b.id))
	s.waitFor(t, "the deletion", func(f protocol.Frame) bool {
		return f.Type == "conversation.deleted" && f.Stream == b.id.String()
	})
	s.waitType(t, protocol.FrameDenied)
	require.Equal(t, []string{"conversation.deleted", protocol.FrameDenied}, lastOf(s.all(), b.id, 2), "it is sent once, and last")
	_, err := b.system.Send(context.Background(), b.owner, b.prompt("still?"))
	require.Equal(t, domain.CodeNotFound, domain.CodeOf(err))
	b.store.Look(b.id, func(c *fakes.Conversation) { require.True(t, c.Deleted) })
}

// lastOf are the types of the last frames of a conversation.
func lastOf(frames []protocol.Frame, conversation uuid.UUID, n int) []string {
	var types []string
	for _, f := range frames {
		if f.Stream == conversation.String() {
			types = append(types, f.Type)
		}
	}
	return types[max(0, len(types)-n):]
}

// A person who subscribes after a deletion is notified of it, if they could read the
// conversation until then.
func TestSystem_DeleteIsReportedLater(t *testing.T) { // G8, G12
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.system.SetGrants(context.Background(), b.owner, b.id, []domain.Grant{
		{Grantee: domain.Grantee{ID: 8, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
	}))
	sent := b.send("why?")
	b.turnStatus(sent.TurnID, domain.TurnComplete)
	require.NoError(t, b.system.Delete(context.Background(), b.owner, b.id))
	head, _ := b.head()
	stranger := domain.Caller{UserID: 9, UserUUID: uuid.New(), OrganisationID: 1, FullName: "Cy"}
	b.store.AddUser(9, stranger.UserUUID)
	told := []string{"conversation.deleted", protocol.FrameDenied}
	for name, c := range map[string]struct {
		who  domain.Caller
		at   string
		want []string
	}{
		"OwnerFromNowOn":  {b.owner, "", told},
		"OwnerWithCursor": {b.owner, `{"seq":2}`, told},
		"OwnerWhoKnows":   {b.owner, fmt.Sprintf(`{"seq":%d}`, head), told[1:]},
		"ReaderByGrant":   {b.reader, "", told},
		"Stranger":        {stranger, "", told[1:]},
	} {
		t.Run(name, func(t *testing.T) {
			s, conn := b.connect(c.who, hello)
			conn.Receive(b.subscribeFrame(c.at))
			s.waitType(t, protocol.FrameDenied)
			require.Equal(t, c.want, lastOf(s.all(), b.id, 9))
		})
	}
}

func TestSystem_SetGrants(t *testing.T) { // G15 within the actors
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.system.SetGrants(context.Background(), b.owner, b.id, []domain.Grant{
		{Grantee: domain.Grantee{ID: 8, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
	}))
	s, c := b.connect(b.reader, hello)
	c.Receive(b.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)
	require.NoError(t, b.system.SetGrants(context.Background(), b.owner, b.id, []domain.Grant{
		{Grantee: domain.Grantee{ID: 8, Type: domain.GranteeUser}, Permission: domain.PermissionRemove},
	}))
	sent := b.send("secret")
	b.turnStatus(sent.TurnID, domain.TurnComplete)
	s.waitType(t, protocol.FrameDenied)
	for _, f := range s.all() {
		require.Less(t, f.Seq, sent.Message.Seq, "%s reached a person whose right was removed", f.Type)
		require.NotEqual(t, protocol.FrameDelta, f.Type)
	}
	bad := []domain.Grant{{Grantee: domain.Grantee{ID: 9, Type: domain.GranteeUser}, Permission: domain.PermissionWrite}}
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(b.system.SetGrants(context.Background(), b.owner, b.id, bad)))
	bad[0].Permission, bad[0].Grantee.ID = domain.PermissionRemove, 7
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(b.system.SetGrants(context.Background(), b.owner, b.id, bad)))
}

// A right that was read before a change, and arrives after it, is not used.
func TestSystem_SetGrantsWhileARightIsRead(t *testing.T) { // G15
	t.Parallel()
	b := setup(t)
	grant := func(p domain.Permission) {
		require.NoError(t, b.system.SetGrants(context.Background(), b.owner, b.id, []domain.Grant{
			{Grantee: domain.Grantee{ID: 8, Type: domain.GranteeUser}, Permission: p},
		}))
	}
	grant(domain.PermissionRead)
	read, gate := make(chan struct{}), make(chan struct{})
	var once sync.Once
	b.store.AfterAccess = func() {
		once.Do(func() {
			close(read)
			<-gate
		})
	}
	s, c := b.connect(b.reader, hello)
	c.Receive(b.subscribeFrame(""))
	<-read
	grant(domain.PermissionRemove)
	close(gate)
	s.waitType(t, protocol.FrameDenied)
	for _, f := range s.all() {
		require.NotEqual(t, protocol.FrameSubscribed, f.Type, "a person whose right was removed may read")
	}
}

// A person who has left a team that reads a conversation loses access within a second.
func TestSystem_TeamChanges(t *testing.T) { // G15
	t.Parallel()
	ticks := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	b := setup(t, func(c *Config) { c.Clock = ticks })
	grant := func(p domain.Permission) {
		b.store.Look(b.id, func(c *fakes.Conversation) { c.Grants = map[int64]domain.Permission{8: p} })
	}
	grant(domain.PermissionRead)
	s, c := b.connect(b.reader, hello)
	c.Receive(b.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)
	grant(domain.PermissionRemove)
	b.store.ChangeTeam(domain.TeamChange{Conversation: b.id})
	// The next check for changes of teams happens, then the reader asks again. The clock moves only if a timer is
	// due soon, because the test cannot know which timers are armed.
	require.Eventually(t, func() bool {
		if ticks.DueWithin(50*time.Millisecond) > 0 || ticks.DueWithin(500*time.Millisecond) > 0 {
			ticks.Advance(50 * time.Millisecond)
		}
		return slices.ContainsFunc(s.all(), func(f protocol.Frame) bool { return f.Type == protocol.FrameDenied })
	}, patience, time.Millisecond)
}
