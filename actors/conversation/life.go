package conversation

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/conversation/ledger"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/logctx"
)

// piecesKept is the maximum capacity of the slice for a turn's pieces that is kept for the
// next ones.
const piecesKept = 4

func (a *Actor) startTurn(ctx actor.Context, start protocol.StartTurn) {
	name := "turn-" + start.Turn.ID.String() + "-" + strconv.Itoa(start.Turn.Attempt) + "-" + strconv.FormatInt(a.state.Epoch(), 10)
	a.endTrace("replaced", true) // an attempt before a reset of the state
	a.trace = a.c.Tracer.Turn(start.Origin.GetTraceParent(), a.id, start.Turn.ID, start.Turn.Attempt)
	if a.trace != nil {
		start.Span = a.trace
	}
	pid, err := ctx.SpawnNamed(a.c.Turn(start), name)
	if err != nil {
		a.log(slog.LevelError, "a turn could not be started", slog.Any("error", err))
		a.endPiece(ctx, start)
		return
	}
	a.turn = pid
}

// endTrace ends the span of the turn, once.
func (a *Actor) endTrace(status string, failed bool) {
	a.trace.End(status, failed)
	a.trace = nil
}

// endPiece ends a turn that has no actor.
func (a *Actor) endPiece(ctx actor.Context, start protocol.StartTurn) {
	a.step(ctx, ledger.Piece{Turn: start.Turn.ID, Attempt: start.Turn.Attempt, Piece: &protocol.TurnPiece{
		Kind: protocol.PieceEnd, Status: domain.TurnFailed, Reason: protocol.ReasonInternal,
	}})
}

func (a *Actor) cancelTurn(ctx actor.Context) {
	if a.turn != nil {
		ctx.Stop(a.turn)
		a.turn = nil
	}
	a.output, a.untaken, a.pieces = nil, false, nil
}

// turnOutput handles new output of the turn. While a write is in flight the output stays in
// the turn's window, where merging tokens is cheapest: it could not be written before the
// next commit anyway. Output of a turn that is no longer this conversation's is ignored.
func (a *Actor) turnOutput(ctx actor.Context, msg *protocol.TurnOutput) {
	if a.phase == claiming || a.phase == gone || a.state == nil {
		return
	}
	a.output, a.untaken = msg, true
	if !a.state.Busy() {
		a.takeOutput(ctx)
	}
}

// takeOutput passes the turn's output so far to the state, and everything that follows until
// a write is in flight. Then the turn sends no further notice: the output is taken when that
// write has ended, so that a busy turn causes no extra messages to the conversation.
func (a *Actor) takeOutput(ctx actor.Context) {
	for again := a.untaken; again; again = a.untaken && !a.state.Busy() {
		a.untaken, a.poison.changing = false, true
		from, room := a.output, a.pieces[:0]
		a.pieces = nil // a step below may call this again
		var pieces []protocol.TurnPiece
		pieces, a.mark = from.Source.Take(room)
		for i := range pieces {
			a.step(ctx, ledger.Piece{Turn: from.Turn, Attempt: from.Attempt, Piece: &pieces[i], More: i+1 < len(pieces)})
		}
		if a.output != from {
			return // a piece has ended the turn
		}
		a.untaken = len(pieces) > 0
		if cap(pieces) <= piecesKept {
			clear(pieces)
			a.pieces = pieces
		}
	}
}

// submit passes a write to the journal. If it continues a message of the turn, the journal
// adds the turn's new text to it until its group begins.
func (a *Actor) submit(o ledger.Submit) {
	if o.Write.Continues.Message != uuid.Nil && a.output != nil {
		o.Write.Source, o.Write.Continues.Mark = a.output.Source, a.mark
	}
	if a.trace != nil {
		a.trace.Submitted(a.c.Clock.Now())
	}
	a.c.Journal.Submit(o.Write, a.submitted)
}

// terminated handles the end of the turn's actor, or the loss of a node.
func (a *Actor) terminated(ctx actor.Context, who *actor.PID) {
	if a.readers.lost(who) || a.turn == nil || !a.turn.Equal(who) {
		return
	}
	a.turn = nil
	if a.state == nil {
		return
	}
	if turn, ok := a.state.RunningTurn(); ok {
		// A termination overtakes other messages; the turn's last output may still wait.
		ctx.Send(ctx.Self(), &turnGone{turn: turn.ID, attempt: turn.Attempt})
	}
}

// turnGone ends a turn whose actor stopped without an end.
func (a *Actor) turnGone(ctx actor.Context, msg *turnGone) {
	if a.phase != active {
		return
	}
	a.takeOutput(ctx)
	if turn, ok := a.state.RunningTurn(); ok && turn.ID == msg.turn && turn.Attempt == msg.attempt {
		a.endPiece(ctx, protocol.StartTurn{Turn: turn})
	}
}

// idle releases a conversation that no one uses. One that only has readers stays, without the
// events that it holds for readers who come back: these can read the store.
func (a *Actor) idle(ctx actor.Context) {
	if a.phase == gone || a.phase == releasing {
		return
	}
	rest := a.c.Idle - a.c.Clock.Now().Sub(a.used)
	switch {
	case a.phase != active || !a.state.Idle() || rest > 0:
	case a.readers.empty():
		a.release(ctx)
		return
	default:
		a.state.Drop()
	}
	if rest <= 0 {
		rest = a.c.Idle
	}
	a.checkIdle(ctx, rest)
}

func (a *Actor) checkIdle(ctx actor.Context, after time.Duration) {
	root, self := ctx.ActorSystem().Root, ctx.Self()
	a.timer = a.c.Clock.AfterFunc(after, func() { root.Send(self, &idleCheck{}) })
}

// handOver is for a node that drains: no new turn begins, and the conversation is released
// when the running one has ended.
func (a *Actor) handOver(ctx actor.Context) {
	a.closing = true
	a.afterTurn(ctx)
}

// run does work outside of the actor, which is cancelled when the actor ends, and then calls
// done inside it. Between such works the actor keeps no context: an idle owner would need 500
// bytes for it.
func (a *Actor) run(ctx actor.Context, work func(context.Context) error, done func(error)) {
	if a.working == 0 {
		a.ctx, a.cancel = context.WithCancel(logctx.With(context.Background(), logctx.Conversation(a.id)))
	}
	a.working++
	async.Run(a.ctx, ctx, storeLimit, work, func(err error) {
		if a.working--; a.working == 0 {
			a.cancel()
			a.ctx, a.cancel = nil, nil
		}
		done(err)
	})
}

// reportMissed notifies the sessions from a separate goroutine, because the actor may end
// meanwhile.
func (a *Actor) reportMissed(o ledger.ReportMissed) {
	id := a.id
	async.Go(logctx.With(context.Background(), logctx.Conversation(id)), a.c.Logger, storeLimit, func(c context.Context) error {
		events, err := a.c.Store.NewestUserEvents(c, id, o.Changed)
		a.c.SendUserEvents(events)
		return err
	}, func(err error) {
		if err != nil {
			// The sessions find the gap at the next event, or when they next check their log.
			a.c.Logger.LogAttrs(context.Background(), slog.LevelWarn, "the news of a write could not be read",
				slog.String("conversation", id.String()), slog.Any("error", err))
		}
	})
}

// afterTurn drops the data of a turn that has ended, and continues a hand-over.
func (a *Actor) afterTurn(ctx actor.Context) {
	if a.state != nil && !a.state.Running() {
		a.output, a.untaken, a.pieces = nil, false, nil
	}
	if a.closing && a.phase == active && a.state.Idle() {
		a.readers.move(ctx, a.id, func(*reader) bool { return true })
		a.release(ctx)
	}
}

// flushed is the Token of release: when it is answered, everything is durable, or cannot
// become durable any more.
type flushed struct{}

// release writes the snapshot if it is old, gives up the ownership in the row, and stops.
// Requests that arrive meanwhile are sent to the next owner.
func (a *Actor) release(ctx actor.Context) {
	a.phase = releasing
	a.step(ctx, ledger.Flush{To: flushed{}})
}

// giveBack gives up the ownership in the row.
func (a *Actor) giveBack(ctx actor.Context) {
	if a.phase != releasing {
		return
	}
	fence := a.state.Fence()
	a.run(ctx, func(c context.Context) error {
		return a.c.Store.Release(c, a.id, fence)
	}, func(err error) {
		if err != nil && domain.CodeOf(err) != domain.CodeFenced {
			a.log(slog.LevelWarn, "a conversation could not be given back", slog.Any("error", err))
		}
		a.vanish(ctx)
	})
}

// end closes an activation that must not write any more. A running turn may have no other
// owner, because a claim of this node that seemed to fail and was committed later fences this
// activation as well. So the node checks the conversation again, which costs nothing if there
// is another owner.
func (a *Actor) end(ctx actor.Context, o ledger.End) {
	if o.Deleted {
		a.c.Tails.Forget(a.id)
	} else {
		a.log(slog.LevelInfo, "a conversation has another owner now")
		a.c.Fenced()
		if o.Running {
			a.c.GaveUp(a.id)
		}
	}
	a.vanish(ctx)
}

// vanish stops the actor. Waiting requests and readers are sent to the next owner.
func (a *Actor) vanish(ctx actor.Context) {
	a.phase = gone
	a.refuseAll(ctx, ledger.Fenced())
	a.readers.dismiss(ctx, a.id)
	a.cancelTurn(ctx)
	ctx.Stop(ctx.Self())
}

// stopping ends the work outside of the actor.
func (a *Actor) stopping(ctx actor.Context) {
	if a.phase != gone {
		// The actor was stopped from outside, so its work is not finished.
		a.phase = gone
		a.c.GaveUp(a.id)
		a.refuseAll(ctx, ledger.Fenced())
		a.readers.dismiss(ctx, a.id)
	}
	// The next owner continues the turn, or ends it, in a span of its own.
	a.endTrace("released", false)
	if a.cancel != nil {
		a.cancel()
	}
	if a.timer != nil {
		a.timer.Stop()
	}
	if a.state != nil {
		a.state.Drop()
	}
	a.c.Left(ctx.Self())
}
