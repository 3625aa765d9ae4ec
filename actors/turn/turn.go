package turn

import (
	"context"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/logctx"
	"parley.dev/parley/internal/mailbox"
)

// Config is what a turn needs. All fields are required.
type Config struct {
	Runner analyst.Runner
	Clock  clock.Clock
	Logger *slog.Logger
	// FirstByte and Stall limit the silence of the run, before its first text and after it;
	// Turn limits the whole run.
	FirstByte, Stall, Turn time.Duration
	// Window is how many bytes may wait for their commit.
	Window int
	Start  protocol.StartTurn
	// Ask asks for a slot, which comes as a protocol.TurnSlot; it may be repeated. Leave gives back
	// the slot, or withdraws the request for one.
	Ask   func(turn *actor.PID, organisation, person int64)
	Leave func(turn *actor.PID)
}

// askAgain is the time after which a turn without an answer asks again. The node's own actors may have
// started after it.
const askAgain = 2 * time.Second

func (c *Config) mustValidate() {
	if c.Runner == nil || c.Clock == nil || c.Logger == nil || c.FirstByte <= 0 || c.Stall <= 0 || c.Turn <= 0 || c.Window <= 0 ||
		c.Ask == nil || c.Leave == nil {
		panic("turn: every field of Config is required")
	}
}

// Actor runs one turn.
type Actor struct {
	// set at spawn
	c Config

	// owned; a turn is never restarted
	window  *async.Window[protocol.TurnPiece]
	sink    *sink
	cancel  context.CancelFunc
	timer   clock.Timer
	began   time.Time // of the wait for a slot, and then of the run
	hasSlot bool
	ended   bool
}

// New makes the actor.
func New(c Config) *Actor {
	c.mustValidate()
	return &Actor{c: c}
}

// tick asks for a check of the time limits.
type tick struct{}

func (*tick) Essential()               {}
func (*tick) IgnoreDeadLetterLogging() {}

// Receive implements actor.Actor.
func (a *Actor) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		a.began = a.c.Clock.Now()
		a.ask(ctx)
	case *protocol.TurnSlot:
		a.takeSlot(ctx, msg)
	case *tick:
		a.checkLimits(ctx)
	case *async.Reentry:
		msg.Resume()
	case *actor.Stopping:
		a.c.Leave(ctx.Self())
		a.stop()
	case *actor.Stopped, *actor.Restarting:
	default:
		a.c.Logger.LogAttrs(a.named(), slog.LevelWarn, "a turn got a message it does not know",
			slog.String("type", actor.MessageName(msg)))
	}
}

func (a *Actor) ask(ctx actor.Context) {
	a.c.Ask(ctx.Self(), a.c.Start.Caller.OrganisationID, a.c.Start.Caller.UserID)
	a.arm(ctx, min(askAgain, a.c.Turn))
}

// takeSlot begins the run, or ends the turn because too many wait.
func (a *Actor) takeSlot(ctx actor.Context, msg *protocol.TurnSlot) {
	if a.hasSlot || a.ended {
		return
	}
	a.timer.Stop()
	a.open(ctx)
	if msg.Refused {
		a.end(ctx, domain.TurnFailed, reasonBusy, nil)
		return
	}
	a.hasSlot = true
	a.begin(ctx)
}

// open makes the window through which the output goes. Its clock of silence begins to run.
func (a *Actor) open(ctx actor.Context) {
	parent := mailbox.DoorTo(ctx.ActorSystem(), ctx.Parent())
	output := &protocol.TurnOutput{Turn: a.c.Start.Turn.ID, Attempt: a.c.Start.Turn.Attempt}
	// The message is kept in an envelope, because the library would allocate a new one for
	// each send.
	message := &actor.MessageEnvelope{Message: output}
	a.window = async.NewWindow[protocol.TurnPiece](a.c.Window, a.c.Clock, func() { parent.Send(message) })
	a.sink = newSink(a.window, a.c.Clock)
	output.Source = &source{window: a.window}
}

func (a *Actor) begin(ctx actor.Context) {
	a.began = a.c.Clock.Now()
	// The journal waits for a database that restarts, and so do the reads of the run.
	traced := a.named()
	if a.c.Start.Span != nil {
		traced = a.c.Start.Span.Context(traced)
	}
	run, cancel := context.WithCancel(domain.WithRetryTime(traced, domain.StoreRetryTime))
	a.cancel = cancel
	a.arm(ctx, min(a.c.FirstByte, a.c.Turn))
	job := &analyst.Job{Turn: a.c.Start.Turn, Caller: a.c.Start.Caller, Prompt: a.c.Start.Prompt, Finished: a.c.Start.Finished}
	async.Run(run, ctx, 0, func(run context.Context) error {
		return a.c.Runner.Run(run, job, a.sink)
	}, func(err error) {
		status, reason := verdict(err, a.sink.spoke.On())
		a.end(ctx, status, reason, err)
	})
}

// named is a context whose log entries have the ids of the turn.
func (a *Actor) named() context.Context {
	ids := []slog.Attr{logctx.Conversation(a.c.Start.Turn.ConversationID), logctx.Turn(a.c.Start.Turn.ID)}
	if request := a.c.Start.Origin.GetRequest(); request != "" {
		ids = append(ids, logctx.Request(request))
	}
	return logctx.With(context.Background(), ids...)
}

// checkLimits ends a turn whose run is silent or lasts too long. The run may need time to
// obey the cancellation; the turn does not wait for it.
func (a *Actor) checkLimits(ctx actor.Context) {
	if a.ended {
		return
	}
	if !a.hasSlot {
		if a.c.Clock.Now().Sub(a.began) < a.c.Turn {
			a.ask(ctx)
			return
		}
		a.open(ctx)
		a.end(ctx, domain.TurnFailed, reasonBusy, nil)
		return
	}
	limit, reason := a.c.FirstByte, reasonNoAnswer
	if a.sink.spoke.On() {
		limit, reason = a.c.Stall, reasonStalled
	}
	left := limit - a.window.Silent()
	whole := a.c.Turn - a.c.Clock.Now().Sub(a.began)
	if whole <= 0 {
		left, reason = 0, reasonTooLong
	}
	if left <= 0 {
		a.end(ctx, brokenOff(a.sink.spoke.On()), reason, nil)
		return
	}
	a.arm(ctx, min(left, whole))
}

func (a *Actor) arm(ctx actor.Context, d time.Duration) {
	root, self := ctx.ActorSystem().Root, ctx.Self()
	a.timer = a.c.Clock.AfterFunc(d, func() { root.Send(self, &tick{}) })
}

// end sends the conversation the end of the turn, once.
func (a *Actor) end(ctx actor.Context, status domain.TurnStatus, reason string, cause error) {
	if a.ended {
		return
	}
	a.ended = true
	a.timer.Stop()
	if a.cancel != nil {
		a.cancel()
	}
	if status != domain.TurnComplete {
		a.c.Logger.LogAttrs(a.named(), slog.LevelWarn, "a turn did not complete",
			slog.String("status", string(status)), slog.String("reason", reason), slog.Any("error", cause))
	}
	a.window.Finish(protocol.TurnPiece{Kind: protocol.PieceEnd, Status: status, Reason: reason})
	ctx.Stop(ctx.Self())
}

// stop cancels the run when the conversation stops this actor before the turn's end.
func (a *Actor) stop() {
	if a.ended {
		return
	}
	a.ended = true
	if a.timer != nil {
		a.timer.Stop()
	}
	if a.window == nil {
		return // it has not begun
	}
	a.cancel()
	for _, p := range a.window.Close() {
		if p.Receipt != nil {
			p.Receipt.Settle(context.Canceled)
		}
	}
}
