package conversation

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/conversation/ledger"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/logctx"
	"parley.dev/parley/internal/mailbox"
	"parley.dev/parley/internal/telemetry"
)

// AnalystReader finds the agent of a prompt. domain.AnalystService implements it.
type AnalystReader interface {
	Analyst(ctx context.Context, organisation, id int64) (*domain.Analyst, error)
	DefaultAnalyst(ctx context.Context, organisation int64) (*domain.Analyst, error)
	UsableAnalyst(ctx context.Context, caller domain.Caller, id int64) (*domain.Analyst, error)
}

// Config is what the owner of a conversation needs. All fields but Tracer are required.
type Config struct {
	// Node is this process's id; it is written into the row that is claimed.
	Node string
	// Silent returns the other nodes that this one gets no answer from. A claim takes from them what they own,
	// and from no other node that has a lease.
	Silent   func() []string
	Journal  domain.Journal
	Store    domain.ConversationStore
	Analysts AnalystReader
	Clock    clock.Clock
	Logger   *slog.Logger
	// Tracer makes the traces of turns; nil means none.
	Tracer *telemetry.Tracer
	// Turn makes the props of a turn's actor, which this package does not import.
	Turn func(protocol.StartTurn) *actor.Props
	// Fanout is the name of the actor on every node that passes frames to the connections of
	// its node.
	Fanout string
	// Owns is called for each activation that follows an earlier one, and Wrote for the
	// events that were sent to readers on other nodes. Both send hints to the other nodes,
	// in case the messages to their readers get lost.
	Owns, Wrote func(conversation uuid.UUID, epoch, head int64)
	// Tails keeps the latest events of an activation for the next one.
	Tails domain.TailKeeper
	// SendUserEvents sends committed user events to their sessions.
	SendUserEvents func([]domain.UserEvent)
	// Lives and Left add this owner to the node's list of owners, and remove it.
	Lives, Left func(*actor.PID)
	// GaveUp is called for a conversation that this owner leaves without knowing whether
	// its turn has ended, so that the node checks it again.
	GaveUp func(uuid.UUID)
	// Yielded is called for a conversation that was released so that another node may own it,
	// when its actor has ended.
	Yielded func(uuid.UUID)
	// Claimed, Kept, TookOver, Fenced and TurnEnded count for the metrics: claims, claims that were refused because
	// another node owns the conversation, running turns whose owner was lost and that go on or end here, owners that
	// were fenced, and turns that have ended.
	Claimed, Kept, TookOver, Fenced func()
	TurnEnded                       func(domain.TurnStatus)
	// Idle is how long an owner without turn and reader stays.
	Idle time.Duration
	// Rest is for how long nothing must have been asked of an owner before it yields to another node.
	Rest time.Duration
	// Stash is the maximum number of requests that wait for the activation.
	Stash  int
	Limits ledger.Limits
}

func (c *Config) mustValidate() {
	if !c.calls() || c.Node == "" || c.Journal == nil || c.Store == nil || c.Analysts == nil || c.Clock == nil || c.Logger == nil ||
		c.Fanout == "" || c.Tails == nil || c.Idle <= 0 || c.Rest <= 0 || c.Stash <= 0 || c.Limits.TurnText <= 0 {
		panic("conversation: every field of Config but Tracer is required")
	}
}

// calls reports whether every function is there.
func (c *Config) calls() bool {
	return c.Turn != nil && c.Silent != nil && c.SendUserEvents != nil && c.Owns != nil && c.Wrote != nil && c.Lives != nil &&
		c.Left != nil && c.GaveUp != nil && c.Yielded != nil && c.Claimed != nil && c.Kept != nil && c.TookOver != nil && c.Fenced != nil &&
		c.TurnEnded != nil
}

// phase is the state of the activation.
type phase uint8

const (
	claiming  phase = iota // the claim is in progress; requests wait
	active                 // the owner
	releasing              // a clean release; requests wait and are sent to the next owner
	gone                   // fenced, deleted or released; it sends nothing more
)

// Actor is the shell around a ledger.State: it executes the state's outputs, reads what a
// request needs before it is applied, and keeps the readers.
//
// The fields that each piece of text needs come first, so that they share cache lines:
// with thousands of conversations none of them is in the processor's cache.
type Actor struct {
	// set at spawn, and shared by all owners of the node
	c *Config

	// owned, made by every activation
	state *ledger.State
	phase phase
	// untaken says that output contains, or may contain, pieces that wait for the write in
	// flight.
	untaken bool
	closing bool
	over    bool
	// yielded says that the conversation was released for another node.
	yielded bool
	// output is the output of the turn, mark is the result of the last Take; pieces is the
	// slice that the next Take fills.
	output    *protocol.TurnOutput
	mark      uint64
	pieces    []protocol.TurnPiece
	submitted func(domain.WriteResult)
	readers   readers
	// abroad says that this activation has, or had, readers on other nodes.
	abroad bool

	// tail are the kept events of earlier activations, until the state has loaded them.
	tail [][]byte

	id     uuid.UUID
	stash  []stashed
	claims int       // failed claims in a row
	used   time.Time // the last request
	// claimed is when the latest claim of this owner had returned.
	claimed time.Time
	timer   clock.Timer
	access  access
	tries   tries
	poison  quarantine

	// turn is the actor of the running turn, a child of this one.
	turn *actor.PID
	// trace is the span of the running turn; nil without one, or if there are no traces.
	trace *telemetry.Turn

	// working counts the works outside of the actor, which end when the actor ends; ctx and
	// cancel are set while there are some.
	working int
	ctx     context.Context //nolint:containedctx // the context ends with the actor
	cancel  context.CancelFunc
}

// stashed is a request that waits for the activation.
type stashed struct {
	message any
	sender  *actor.PID
}

// Producer makes the actors of a node, which share the config.
func Producer(c Config) actor.Producer {
	c.mustValidate()
	return func() actor.Actor { return &Actor{c: &c} }
}

// committed brings the journal's answer to the state that submitted the write.
type committed struct {
	state  *ledger.State
	result domain.WriteResult
}

func (*committed) Essential()               {}
func (*committed) Inline() bool             { return true }
func (*committed) IgnoreDeadLetterLogging() {}

// idleCheck asks whether the conversation is still used. The library's receive timeout is
// not used for this, because it races with the messages.
type idleCheck struct{}

func (*idleCheck) Essential()               {}
func (*idleCheck) IgnoreDeadLetterLogging() {}

// turnGone arrives after all output of a turn whose actor has stopped.
type turnGone struct {
	turn    uuid.UUID
	attempt int
}

func (*turnGone) Essential() {}

// Receive implements actor.Actor.
func (a *Actor) Receive(ctx actor.Context) {
	defer a.guard(ctx)
	a.poison.changing = false
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		a.begin(ctx)
	case *actor.Restarting:
	case *actor.Stopped:
		a.over = true
		if a.yielded {
			a.c.Yielded(a.id)
		}
	case *actor.Stopping:
		a.stopping(ctx)
	case *idleCheck:
		a.idle(ctx)
	case *actor.Terminated:
		a.terminated(ctx, msg.Who)
	case *async.Reentry:
		msg.Resume()
	case *committed:
		a.committed(ctx, msg)
	case *protocol.TurnOutput:
		a.turnOutput(ctx, msg)
	case *protocol.Subscribe:
		a.readers.ask(ctx, msg.Target, msg.Ticket)
		a.request(ctx, msg, ctx.Sender())
	case *protocol.Unsubscribe:
		a.unsubscribe(ctx, msg)
	case *protocol.Check:
		a.check(ctx, msg)
	case *protocol.AccessChanged:
		if a.phase == active {
			a.recheck(ctx)
		}
	case *protocol.Superseded:
		a.superseded(ctx, msg)
	case *protocol.StopFlag:
		a.stopFlag(ctx, msg)
	case *protocol.HandOver:
		a.handOver(ctx)
	case *protocol.Yield:
		a.yield(ctx)
	case *mailbox.Overflow:
		a.log(slog.LevelWarn, "the mailbox of a conversation overflowed")
	case *turnGone:
		a.turnGone(ctx, msg)
	default:
		a.request(ctx, msg, ctx.Sender())
	}
}

// Ended implements mailbox.Ender.
func (a *Actor) Ended() bool { return a.over }

// request serves a request, or stashes it until the claim has ended.
func (a *Actor) request(ctx actor.Context, message any, sender *actor.PID) {
	a.used = a.c.Clock.Now()
	switch a.phase {
	case active:
		a.serve(ctx, message, sender)
	case gone:
		a.refuse(ctx, message, sender, ledger.Fenced())
	default:
		if len(a.stash) >= a.c.Stash {
			a.refuse(ctx, message, sender, ledger.Busy())
			return
		}
		a.stash = append(a.stash, stashed{message, sender})
	}
}

func (a *Actor) serve(ctx actor.Context, message any, sender *actor.PID) {
	if len(a.poison.failures) > 0 && a.poison.barred(key(message), a.c.Clock.Now()) {
		a.refuse(ctx, message, sender, errPoison())
		return
	}
	w := &caller{sender: sender, kind: kindOf(message), request: requestOf(message)}
	if a.isRepeat(ctx, w) {
		return
	}
	a.poison.handling, a.poison.changing = stashed{message, sender}, false
	switch msg := message.(type) {
	case *protocol.SendPrompt:
		a.sendPrompt(ctx, msg, w)
	case *protocol.StopTurn:
		a.allowed(ctx, msg.Caller, domain.StopTurn, w, func(w *caller) {
			a.takeOutput(ctx) // the turn's output so far is kept
			a.step(ctx, ledger.Stop{To: w})
		})
	case *protocol.RewindTo:
		a.rewindTo(ctx, msg, w)
	case *protocol.Change:
		a.allowed(ctx, msg.Caller, domain.ChangeConversation, w, func(w *caller) {
			a.step(ctx, ledger.Change{To: w, Request: w.request, Update: readUpdate(msg)})
		})
	case *protocol.SetGrants:
		a.allowed(ctx, msg.Caller, domain.ShareConversation, w, func(w *caller) {
			a.step(ctx, ledger.SetGrants{To: w, Request: w.request, Grants: readGrants(msg)})
		})
	case *protocol.Delete:
		a.allowed(ctx, msg.Caller, domain.DeleteConversation, w, func(w *caller) {
			a.step(ctx, ledger.Delete{To: w})
		})
	case *protocol.Subscribe:
		a.subscribe(ctx, msg, sender)
	case *protocol.Wake:
		// A wake only asks for the activation, which has happened.
		a.reply(ctx, sender, &protocol.Done{})
	default:
		a.log(slog.LevelWarn, "a conversation got a message it does not know", slog.String("type", actor.MessageName(message)))
	}
	a.poison.handling = stashed{}
}

// step applies an input and executes the outputs.
func (a *Actor) step(ctx actor.Context, in ledger.Input) {
	a.poison.changing = true
	state := a.state
	outputs := state.Apply(in, a.c.Clock.Now())
	a.do(ctx, outputs)
	state.Reuse(outputs)
	if a.untaken && !a.state.Busy() {
		a.takeOutput(ctx)
	}
}

func (a *Actor) do(ctx actor.Context, outputs []ledger.Output) {
	for _, o := range outputs {
		switch o := o.(type) {
		case ledger.Submit:
			a.submit(o)
		case ledger.Answer:
			a.answer(ctx, o)
		case ledger.Publish:
			a.publish(ctx, o.Publication)
		case ledger.SendUserEvents:
			a.c.SendUserEvents(o.Events)
		case ledger.ReportMissed:
			a.reportMissed(o)
		case ledger.TurnEnded:
			a.c.TurnEnded(o.Status)
			a.endTrace(string(o.Status), o.Status == domain.TurnFailed || o.Status == domain.TurnInterrupted)
		case ledger.StartTurn:
			a.startTurn(ctx, o.Start)
		case ledger.CancelTurn:
			a.cancelTurn(ctx)
		case ledger.Release:
			if a.output != nil {
				a.output.Source.Release(o.Bytes)
			}
		case ledger.Settle:
			o.Receipt.Settle(o.Err)
		case ledger.Recheck:
			a.recheck(ctx)
		case ledger.Reclaim:
			a.reclaim(ctx, o)
		case ledger.End:
			a.end(ctx, o)
		default:
			panic(fmt.Sprintf("conversation: no case for the output %T", o))
		}
	}
}

func (a *Actor) committed(ctx actor.Context, msg *committed) {
	if a.trace != nil {
		a.trace.Committed(a.c.Clock.Now())
	}
	if msg.state == a.state && (a.phase == active || a.phase == releasing) {
		a.step(ctx, ledger.Committed{Result: msg.result})
		a.afterTurn(ctx)
	}
}

func (a *Actor) stopFlag(ctx actor.Context, msg *protocol.StopFlag) {
	if a.phase != active {
		return
	}
	if turn, ok := a.state.RunningTurn(); ok && turn.ID == msg.Turn {
		a.takeOutput(ctx) // as for a StopTurn
		a.step(ctx, ledger.Stop{})
	}
}

// superseded ends an owner whose row names another activation. The epoch alone does not decide: if a
// failover of the database has lost this owner's claim, the next owner gets the same epoch or a lower one.
// Then this owner can write nothing more, but without a request it would not notice, and its readers would
// not find the new owner. A row with a lower epoch is ignored only if it was read before this owner's claim
// had returned, because then it may still name an earlier owner.
func (a *Actor) superseded(ctx actor.Context, msg *protocol.Superseded) {
	switch {
	case a.phase != active || msg.Epoch < a.state.Epoch() && !msg.Read.After(a.claimed):
	case msg.Deleted:
		a.do(ctx, a.state.Deleted())
	default:
		a.do(ctx, a.state.Superseded())
	}
}

// log adds the ids of the conversation and of its running turn to a log entry.
func (a *Actor) log(level slog.Level, msg string, attrs ...slog.Attr) {
	attrs = append(attrs, logctx.Conversation(a.id))
	if a.state != nil {
		if turn, ok := a.state.RunningTurn(); ok {
			attrs = append(attrs, logctx.Turn(turn.ID))
		}
	}
	//nolint:sloglint // the callers' messages are static
	a.c.Logger.LogAttrs(context.Background(), level, msg, attrs...)
}
