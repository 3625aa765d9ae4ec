package conversation

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/conversation/ledger"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

// answering is a conversation with a running turn, one message of which is open.
type answering struct {
	state   *ledger.State
	turn    domain.Turn
	message uuid.UUID
	// secret is part of everything that it writes.
	secret string
	now    time.Time
}

func newAnswering(t *testing.T, secret string) *answering {
	t.Helper()
	c := &answering{
		state: ledger.NewState(&domain.Claim{Conversation: domain.NewID(), OrganisationID: 1, OwnerID: 7, NextSeq: 2},
			ledger.Limits{TurnText: 1 << 20}),
		now: time.Unix(1_700_000_000, 0), message: domain.NewID(), secret: secret,
	}
	c.step(ledger.Send{
		Caller: domain.Caller{UserID: 7, OrganisationID: 1}, Prompt: domain.Prompt{Message: domain.NewID(), Text: secret},
		Analyst: domain.Analyst{ID: 2},
	})
	for _, o := range c.step(ledger.Committed{}) {
		if start, ok := o.(ledger.StartTurn); ok {
			c.turn = start.Start.Turn
		}
	}
	require.NotZero(t, c.turn.ID)
	c.say(protocol.TurnPiece{Kind: protocol.PieceOpen, Message: c.message, Role: domain.RoleAssistant})
	return c
}

func (c *answering) step(in ledger.Input) []ledger.Output {
	out := c.state.Apply(in, c.now)
	kept := append([]ledger.Output(nil), out...)
	c.state.Reuse(out)
	return kept
}

// say applies a piece of the turn, commits it, and returns what readers are shown.
func (c *answering) say(p protocol.TurnPiece) (shown []*protocol.Publication) {
	outputs := c.step(ledger.Piece{Turn: c.turn.ID, Attempt: c.turn.Attempt, Piece: &p})
	if c.state.Busy() {
		outputs = append(outputs, c.step(ledger.Committed{})...)
	}
	for _, o := range outputs {
		if p, ok := o.(ledger.Publish); ok {
			shown = append(shown, p.Publication)
		}
	}
	return shown
}

// What was published does not change while a reader may still read it. A message for another
// node is encoded later, when this conversation and conversations of other organisations
// already do other work.
func TestReaders_WhatIsPublishedStays(t *testing.T) { // G2, G16
	t.Parallel()
	const rounds = 50
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	// Like the library's endpoint, the fan-out of the other node keeps what it is sent.
	elsewhere, here := make(chan *protocol.Published, 6*rounds), make(chan *protocol.Publication, 6*rounds)
	system.ProcessRegistry.RegisterAddressResolver(func(*actor.PID) (actor.Process, bool) { return published(elsewhere), true })
	local := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if p, ok := ctx.Message().(*protocol.Publication); ok {
			here <- p
		}
	}))
	all := []*answering{newAnswering(t, "salaries of Anna"), newAnswering(t, "plans of Bert"), newAnswering(t, "debts of Carl")}
	system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if _, ok := ctx.Message().(*actor.Started); !ok {
			return
		}
		readers := make([]readers, len(all))
		for i := range readers {
			readers[i] = newReaders(system, "fanout", ctx.Self())
			if i != 1 {
				subscribed(ctx, &readers[i], protocol.NewTarget("other", "elsewhere", "socket"))
			}
			if i != 0 {
				subscribed(ctx, &readers[i], protocol.NewTarget("node", local.Address, local.Id))
			}
		}
		for n := range rounds {
			for i, c := range all {
				text := c.secret + strconv.Itoa(n) + strings.Repeat(".", 8*(n%7))
				for _, piece := range []protocol.TurnPiece{
					{Kind: protocol.PieceProgress, Text: text}, {Kind: protocol.PieceDelta, Message: c.message, Text: text},
				} {
					for _, p := range c.say(piece) {
						readers[i].publish(ctx, p)
					}
				}
			}
		}
	}))
	of := make(map[uuid.UUID]*answering)
	for _, c := range all {
		of[c.state.ID()] = c
	}
	remote, near := make([]*protocol.Published, 4*rounds), make([]*protocol.Publication, 4*rounds)
	for i := range remote {
		remote[i], near[i] = <-elsewhere, <-here
	}
	for _, p := range remote {
		c := of[protocol.ID(p.Conversation)]
		require.NotNil(t, c, "a conversation that does not exist")
		for _, f := range p.Frames {
			require.Truef(t, strings.Contains(f.Text, c.secret) || bytes.Contains(f.Json, []byte(c.secret)), "%s: %s %s", c.secret, f.Text, f.Json)
			e := f.Entry(c.state.ID(), p.Epoch)
			requireOwn(t, c, &e)
		}
	}
	for _, p := range near {
		require.Len(t, p.Entries, 1)
		requireOwn(t, of[p.Conversation], &p.Entries[0])
	}
}

// requireOwn requires that an entry belongs to the conversation, and that its frame is
// complete.
func requireOwn(t *testing.T, c *answering, e *protocol.Entry) {
	t.Helper()
	if e.Kind == protocol.EntryDelta {
		require.Equal(t, c.message, e.Message)
		require.Contains(t, e.Text, c.secret)
		require.Contains(t, []string{"", string(protocol.EncodeDelta(c.state.ID(), e.Epoch, e.Generation, e.Message, e.Offset, e.Text))},
			string(e.JSON))
		return
	}
	require.True(t, bytes.HasSuffix(e.JSON, []byte("}}")), string(e.JSON))
	require.Contains(t, string(e.JSON), c.state.ID().String())
	require.Contains(t, string(e.JSON), c.secret)
}

// published receives what is sent to another node's fan-out.
type published chan *protocol.Published

func (p published) SendUserMessage(_ *actor.PID, message any) {
	if m, ok := message.(*protocol.Published); ok {
		p <- m
	}
}

func (published) SendSystemMessage(*actor.PID, any) {}

func (published) Stop(*actor.PID) {}
