package actors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/conversation/ledger"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/logctx"
	"parley.dev/parley/internal/telemetry"
)

const (
	// askStep is how long one owner may take; a request without an answer is sent again,
	// which is safe because all requests are idempotent.
	askStep = 10 * time.Second
	// askPause is the first pause between two tries while the owner moves.
	askPause = 50 * time.Millisecond
	// ownerCheck is how often a request that waits for an owner on another node verifies that
	// this is still the owner: one whose node was killed never answers.
	ownerCheck = time.Second
	// askSilent is how long a request waits while its owner's node does not answer, before
	// this node takes over. Together with the time until a node counts as silent that is
	// less than 10 s, but longer than the pauses of a node that is only slow.
	askSilent = 3 * time.Second
)

// errSilent says that the owner is on a node that does not answer this one.
var errSilent = errors.New("the owner's node does not answer")

// Send implements domain.ConversationEngine.
func (s *System) Send(ctx context.Context, caller domain.Caller, p domain.Prompt) (*domain.SendResult, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	request := &protocol.SendPrompt{
		Caller: protocol.FromCaller(caller), Message: p.Message[:], Text: p.Text, AnalystId: p.AnalystID, DataSources: p.DataSources,
		BlueprintId: p.BlueprintID, Inputs: p.Inputs,
		Origin: &protocol.Origin{Request: logctx.RequestOf(ctx), TraceParent: telemetry.Parent(ctx)},
	}
	if p.Parent != uuid.Nil {
		request.Parent = p.Parent[:]
	}
	answer, err := ask[*protocol.SendAnswer](ctx, s, p.Conversation, request)
	if err != nil {
		return nil, err
	}
	message, err := protocol.DecodeMessage(answer.MessageJson)
	if err != nil {
		return nil, err
	}
	return &domain.SendResult{Message: *message, TurnID: protocol.ID(answer.Turn), Repeated: answer.Repeated}, nil
}

// Rewind implements domain.ConversationEngine.
func (s *System) Rewind(ctx context.Context, caller domain.Caller, conversation, message uuid.UUID) (*domain.RewindResult, error) {
	answer, err := ask[*protocol.RewindAnswer](ctx, s, conversation,
		&protocol.RewindTo{Caller: protocol.FromCaller(caller), Message: message[:]})
	if err != nil {
		return nil, err
	}
	messages, err := s.c.Conversations.Messages(ctx, conversation, 0)
	if err != nil {
		return nil, err
	}
	messages = slices.DeleteFunc(messages, func(m domain.Message) bool { return !m.Role.VisibleTo(caller) })
	return &domain.RewindResult{
		Text: answer.Text, Messages: messages, Generation: answer.Generation, Head: answer.Head,
	}, nil
}

// Change implements domain.ConversationEngine.
func (s *System) Change(ctx context.Context, caller domain.Caller, conversation uuid.UUID, u domain.ConversationUpdate) error {
	if err := u.Validate(); err != nil {
		return err
	}
	request := &protocol.Change{Caller: protocol.FromCaller(caller), Name: u.Name, Description: u.Description}
	if u.DataSources != nil {
		request.DataSources = &protocol.IDs{Ids: *u.DataSources}
	}
	if u.ProjectLabels != nil {
		request.ProjectLabels = &protocol.IDs{Ids: *u.ProjectLabels}
	}
	_, err := ask[*protocol.Done](ctx, s, conversation, request)
	return err
}

// Delete implements domain.ConversationEngine.
func (s *System) Delete(ctx context.Context, caller domain.Caller, conversation uuid.UUID) error {
	_, err := ask[*protocol.Done](ctx, s, conversation, &protocol.Delete{Caller: protocol.FromCaller(caller)})
	return err
}

// SetGrants implements domain.ConversationEngine.
func (s *System) SetGrants(ctx context.Context, caller domain.Caller, conversation uuid.UUID, grants []domain.Grant) error {
	request := &protocol.SetGrants{Caller: protocol.FromCaller(caller)}
	for _, g := range grants {
		request.Grants = append(request.Grants, &protocol.Grant{
			GranteeId: g.Grantee.ID, GranteeType: string(g.Grantee.Type), Permission: string(g.Permission),
		})
	}
	_, err := ask[*protocol.Done](ctx, s, conversation, request)
	return err
}

// Wake implements domain.ConversationEngine.
func (s *System) Wake(ctx context.Context, conversation uuid.UUID) {
	if pid := s.locate(ctx, kindConversation, conversation.String()); pid != nil {
		s.root().Send(pid, &protocol.Wake{})
	}
}

// Announce implements domain.ConversationEngine: each event is sent to its person's session,
// on the node that the commit has read from the person's row.
func (s *System) Announce(events []domain.UserEvent) {
	for i := range events {
		e := &events[i]
		if e.Home == "" {
			continue
		}
		address, ok := s.address(e.Home)
		if !ok {
			// That node is lost; the next session reads the log when it claims the person.
			continue
		}
		s.root().Send(actor.NewPID(address, kindSession+"/"+e.UserUUID.String()), &protocol.UserEvents{
			UserId: e.UserID,
			Events: []*protocol.UserEvent{{Seq: e.Seq, Type: string(e.Type), Data: e.Data, AtMillis: e.At.UnixMilli()}},
		})
	}
}

func (s *System) address(node string) (string, bool) {
	if node == s.node {
		return s.c.ActorSystem.Address(), true
	}
	if s.c.Address == nil {
		return "", false
	}
	return s.c.Address(node)
}

// failing is an answer that may be a failure.
type failing interface{ GetFailure() *protocol.Failure }

// ask sends a request to the owner of a conversation. If the owner was fenced, has stopped or
// does not answer, the owner is located again and the request is repeated, which every
// request allows.
func ask[A failing](ctx context.Context, s *System, conversation uuid.UUID, request any) (A, error) {
	return askOr(ctx, s, conversation, request, func(context.Context) (answer A, ok bool) { return answer, false })
}

// askOr is ask with apart, a second way to get an answer, which is tried each time that the
// owner's node does not answer this one.
func askOr[A failing](
	ctx context.Context, s *System, conversation uuid.UUID, request any, apart func(context.Context) (A, bool),
) (A, error) {
	var none A
	ctx, cancel := context.WithTimeout(ctx, s.c.Limits.Request)
	defer cancel()
	identity := conversation.String()
	ctx = logctx.With(ctx, logctx.Conversation(conversation))
	if asks, ok := request.(protocol.Asking); ok {
		id := domain.NewID()
		asks.GetCaller().Request = id[:]
	}
	var silent time.Time // since when the owner's node has not answered
	for try := 0; ; try++ {
		lost := s.placement.Lost()
		answer, err := s.once(ctx, identity, request)
		if err == nil {
			switch answer := answer.(type) {
			case A:
				if err = answer.GetFailure().Err(); domain.CodeOf(err) != domain.CodeFenced {
					return answer, err
				}
			case *protocol.Busy:
				return none, ledger.Busy()
			case failing:
				if err = answer.GetFailure().Err(); domain.CodeOf(err) != domain.CodeFenced {
					return none, err
				}
			default:
				//nolint:err113 // an error in this program
				return none, domain.Internal(fmt.Errorf("unexpected answer %T", answer), "a conversation could not be asked")
			}
		}
		if errors.Is(err, errSilent) {
			if answer, ok := apart(ctx); ok {
				return answer, nil
			}
		}
		s.placement.Forget(kindConversation, identity)
		if try == 0 && domain.CodeOf(err) == domain.CodeFenced {
			continue // the owner has ended by then, or there is another one
		}
		now := s.c.Clock.Now()
		switch {
		case !errors.Is(err, errSilent):
			silent = time.Time{}
		case silent.IsZero():
			silent = now
		case now.Sub(silent) >= askSilent:
			// Both nodes reach the store, so the claim decides which one writes: the other
			// owner is fenced, and its turn continues here or ends as after a crash. A person
			// whom the owner would refuse must not be able to cause that.
			if !s.mayWrite(ctx, conversation, request) || !s.placement.Take(kindConversation, identity) {
				return none, errApart()
			}
			s.c.Meter.TakenOver(TakenFromSilent)
			silent = time.Time{}
			continue
		}
		if err := s.pause(ctx, try, lost); err != nil {
			return none, errMoving()
		}
	}
}

// mayWrite reports whether the store says that the caller of a request has the right to what it asks for.
func (s *System) mayWrite(ctx context.Context, conversation uuid.UUID, request any) bool {
	asks, ok := request.(protocol.Asking)
	if !ok {
		return false
	}
	may, err := s.mayByStore(ctx, conversation, asks.GetCaller().Domain(), actionOf(request))
	if err != nil {
		s.c.Logger.LogAttrs(ctx, slog.LevelWarn, "a right could not be read for an owner that cannot be reached", slog.Any("error", err))
	}
	return may
}

// mayByStore reports whether a caller may do something to a conversation by what is stored, for an owner that cannot be reached.
func (s *System) mayByStore(ctx context.Context, conversation uuid.UUID, caller domain.Caller, action domain.Action) (bool, error) {
	at, err := s.c.Conversations.Stored(ctx, conversation, caller)
	if err != nil {
		return false, err
	}
	return action.May(caller, domain.Relation{Found: true, Permission: at.Permission}), nil
}

// actionOf returns the action in the table of rights that a request needs; there is no right for the empty one.
func actionOf(request any) domain.Action {
	switch request.(type) {
	case *protocol.SendPrompt:
		return domain.SendPrompt
	case *protocol.StopTurn:
		return domain.StopTurn
	case *protocol.RewindTo:
		return domain.RewindConversation
	case *protocol.Change:
		return domain.ChangeConversation
	case *protocol.SetGrants:
		return domain.ShareConversation
	case *protocol.Delete:
		return domain.DeleteConversation
	default:
		return ""
	}
}

// errLost says that a request, or its answer, may be lost.
var errLost = errors.New("the owner's node did not answer for a while")

// once sends the request once, to the owner that is known now.
func (s *System) once(ctx context.Context, identity string, request any) (any, error) {
	pid, silent := s.placement.Find(kindConversation, identity)
	switch {
	case silent:
		return nil, errSilent
	case pid == nil:
		return nil, actor.ErrDeadLetter
	}
	step := s.step
	if deadline, ok := ctx.Deadline(); ok {
		step = min(step, max(time.Until(deadline), time.Millisecond))
	}
	var lapses int64
	if pid.Address != s.c.ActorSystem.Address() {
		// This is read before the request is sent. If the node does not answer now, this
		// request may be lost as well.
		var now bool
		if lapses, now = s.placement.Answers(pid.Address); !now {
			lapses--
		}
	}
	answer, err := s.await(ctx, identity, pid, lapses, s.root().RequestFuture(pid, request, step))
	if err == nil && answer == nil {
		err = errors.New("no answer") //nolint:err113 // only leads to another try
	}
	return answer, err
}

// await waits for an owner's answer, for as long as it is the owner and its node answers. lapses
// is how often that node had not answered before the request was sent: if it has not answered
// since, and now does, the request may be lost, and waiting on would only cost time.
func (s *System) await(ctx context.Context, identity string, owner *actor.PID, lapses int64, f actor.Future) (any, error) {
	if owner.Address == s.c.ActorSystem.Address() {
		return f.Result() //nolint:wrapcheck // only leads to another try
	}
	var (
		answer   any
		err      error
		answered = make(chan struct{})
	)
	async.Go(ctx, s.c.Logger, 0, func(context.Context) error {
		answer, err = f.Result()
		return nil
	}, func(error) { close(answered) })
	missed := 0
	for {
		lost, check := s.placement.Lost(), make(chan struct{})
		timer := s.c.Clock.AfterFunc(ownerCheck, func() { close(check) })
		select {
		case <-answered:
			timer.Stop()
			return answer, err //nolint:wrapcheck // as above
		case <-check:
		case <-lost:
			timer.Stop()
		}
		now, silent := s.placement.Locate(kindConversation, identity)
		switch {
		case now != nil && !now.Equal(owner):
			return nil, actor.ErrDeadLetter
		case !silent:
			missed = 0
			if since, answers := s.placement.Answers(owner.Address); answers && since != lapses {
				return nil, errLost
			}
		case missed > 0:
			return nil, errSilent
		default:
			missed++
		}
	}
}

// pause waits before the next try, at most until a node is lost: it may be the one that does not answer.
func (s *System) pause(ctx context.Context, try int, lost <-chan struct{}) error {
	woken := make(chan struct{})
	timer := s.c.Clock.AfterFunc(min(askPause<<min(try, 5), time.Second), func() { close(woken) })
	select {
	case <-woken:
		return nil
	case <-lost:
		timer.Stop()
		return nil
	case <-ctx.Done():
		timer.Stop()
		return ctx.Err()
	}
}

func errMoving() error {
	return &domain.Error{Code: domain.CodeUnavailable, Message: "The conversation is not available now. Please try again.", RetryAfter: 2}
}

func errApart() error {
	return &domain.Error{Code: domain.CodeUnavailable, Message: "The conversation is on a server that cannot be reached now. Please try " +
		"again in a moment.", RetryAfter: 5}
}

func errDraining() error {
	return &domain.Error{Code: domain.CodeUnavailable, Message: "The server is restarting. Please try again.", RetryAfter: 1}
}
