package ledger

import (
	"context"
	"errors"
	"flag"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

var errLost = errors.New("connection lost")

// seen counts certain events in all worlds of a simulation, because what never happens is not
// tested.
type seen struct {
	recalled int // events that owners had from earlier owners
	pulled   int // texts that the journal has pulled
	late     int // readers that had left before they were admitted
	again    int // readers that were admitted again while they were reading
	// superseded are owners that were superseded before any text of their turn was stored.
	superseded int
}

// stepsOfAWorld is enough for several turns. The flag -rapid.steps overrides it.
const stepsOfAWorld = "300"

func TestMain(m *testing.M) {
	if err := flag.Set("rapid.steps", stepsOfAWorld); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// TestState_Simulation runs the state under random requests, pieces, lost answers, crashes
// between any two steps, old owners that write later, and readers that come and go. The store
// records every wrong write, the client every wrong frame.
func TestState_Simulation(t *testing.T) {
	t.Parallel()
	var all seen
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, &all)
		actions := map[string]func(*rapid.T){
			"":           w.check,
			"repeat":     w.repeat,
			"stop":       w.stop,
			"rewind":     w.rewind,
			"change":     w.change,
			"lost":       func(*rapid.T) { w.commit(errLost, nil) },
			"unanswered": func(*rapid.T) { w.commit(nil, errLost) },
			"crash":      w.crash,
			"zombie":     w.haunt,
			"refused":    w.refused,
			"late piece": w.late,
			"look":       w.look,
			"old look":   w.rewindByOldLook,
			"away":       func(*rapid.T) { w.client.away = true },
			"reconnect":  func(*rapid.T) { w.client.back() },
			"delete":     w.delete,
			"share":      w.share,
			"leave":      w.leave, // also while the claim, or its right, is being read
		}
		// Actions that make an answer longer are more frequent than actions that end one.
		for name, often := range map[string]struct {
			times int
			do    func(*rapid.T)
		}{
			"send": {4, w.send}, "piece": {16, w.produce}, "commit": {10, func(*rapid.T) { w.commit(nil, nil) }},
			"grow": {6, w.grow}, "come": {4, w.come}, "serve": {10, w.serve},
		} {
			for n := range often.times {
				actions[name+strconv.Itoa(n)] = often.do
			}
		}
		t.Repeat(actions)
		w.finish()
	})
	require.Positive(t, all.recalled, "owners begin with the events that were kept")
	require.Positive(t, all.pulled, "a journal pulls text")
	require.Positive(t, all.late, "readers leave before they are admitted")
	require.Positive(t, all.again, "readers subscribe again while they read")
	require.Positive(t, all.superseded, "owners are superseded whose nodes are not lost")
}

func (w *world) check(t *rapid.T) {
	if v := w.store.Violations(); len(v) > 0 {
		t.Fatalf("wrong writes: %v\n%s", v, w.store.Summary(w.id))
	}
	w.checkVisitors(t)
}

func (w *world) send(t *rapid.T) {
	in := Send{
		Caller: w.owner, Analyst: domain.Analyst{ID: 1, Name: "prism-1"},
		Prompt: domain.Prompt{
			Conversation: w.id, Message: domain.NewID(),
			Text: rapid.SampledFrom([]string{"why?", "how much is it by region?"}).Draw(t, "text"),
		},
	}
	if n := len(w.state.tail); n > 0 && rapid.Bool().Draw(t, "parent") {
		in.Prompt.Parent = w.state.tail[n-1]
	}
	w.lastSend = &in
	w.sendIt(in)
}

func (w *world) repeat(t *rapid.T) {
	if w.lastSend == nil {
		t.Skip("nothing was sent")
	}
	in := *w.lastSend
	found, err := w.store.MessageByID(context.Background(), w.owner.OrganisationID, in.Prompt.Message)
	if err != nil {
		t.Fatal(err)
	}
	in.Existing = found
	w.sendIt(in)
}

func (w *world) sendIt(in Send) {
	if w.ended {
		return
	}
	id := in.Prompt.Message
	in.To = func(a Answer) {
		if a.Err != nil && a.Err.Error() == errAnswering().Error() && !w.turnRuns() {
			w.t.Fatal("a prompt was refused because of an answer that has ended")
		}
		if a.Err != nil {
			return
		}
		// G5: what is acknowledged is stored.
		if m, _ := w.store.MessageByID(context.Background(), w.owner.OrganisationID, id); m == nil {
			w.t.Fatal("a send was acknowledged and is not stored")
		}
		r, ok := a.Value.(domain.SendResult)
		if !ok || r.Message.ID != id || r.Message.Seq == 0 {
			w.t.Fatalf("a wrong answer to a send: %+v", a.Value)
		}
		w.acked[id] = true
	}
	w.step(in)
}

func (w *world) stop(*rapid.T) {
	if w.ended {
		return
	}
	w.step(Stop{To: func(a Answer) {
		if a.Err != nil {
			return
		}
		r, _ := a.Value.(domain.StopResult)
		if !r.Stopped && r.End == "" && w.turnRuns() {
			w.t.Fatal("a stop found nothing that runs, while a turn runs")
		}
		if !r.Stopped {
			return
		}
		// G10: when the stop is answered, the turn is over in the store.
		w.store.Look(w.id, func(c *fakes.Conversation) {
			for _, turn := range c.Turns {
				if turn.ID == r.LastMessage.TurnID {
					if turn.Status != domain.TurnStopped {
						w.t.Fatalf("a stopped turn is %s", turn.Status)
					}
					w.stopped[turn.ID] = c.NextSeq - 1
				}
			}
		})
	}})
}

// turnRuns reports whether the store has a running turn.
func (w *world) turnRuns() (runs bool) {
	w.store.Look(w.id, func(c *fakes.Conversation) {
		for _, turn := range c.Turns {
			runs = runs || turn.Status == domain.TurnRunning
		}
	})
	return runs
}

func (w *world) rewind(t *rapid.T) {
	messages, err := w.store.Messages(context.Background(), w.id, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(messages) == 0 || w.ended {
		t.Skip("nothing to rewind")
	}
	generation := w.state.Generation()
	i := rapid.IntRange(0, len(messages)-1).Draw(t, "message")
	w.step(Rewind{Message: messages[i], Tail: Tail(messages[:i]), Generation: generation, To: func(a Answer) {
		if a.Err != nil {
			return
		}
		for _, m := range w.visible() {
			if m == messages[i].ID {
				w.t.Fatal("a message that was removed by a rewind still exists")
			}
		}
	}})
}

func (w *world) visible() []uuid.UUID {
	messages, err := w.store.Messages(context.Background(), w.id, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	out := make([]uuid.UUID, 0, len(messages))
	for _, m := range messages {
		out = append(out, m.ID)
	}
	return out
}

func (w *world) change(t *rapid.T) {
	if w.ended {
		return
	}
	name := rapid.SampledFrom([]string{"Sales", "Costs", " "}).Draw(t, "name")
	w.step(Change{Update: domain.ConversationUpdate{Name: &name}})
}

// share changes who may read: the rights of the readers are checked again.
func (w *world) share(*rapid.T) {
	if !w.ended {
		w.step(SetGrants{Grants: []domain.Grant{{Grantee: domain.Grantee{ID: 8, Type: domain.GranteeUser}, Permission: domain.PermissionRead}}})
	}
}

func (w *world) delete(t *rapid.T) {
	// Numbers in the middle of a range are drawn more rarely than its ends.
	if w.ended || rapid.IntRange(0, 30).Draw(t, "rarely") != 17 {
		t.Skip("not now")
	}
	w.client.back() // a client that is away learns of a deletion in another way
	w.step(Delete{To: func(a Answer) { w.deleted = w.deleted || a.Err == nil }})
}

// produce makes some output of the running turn.
func (w *world) produce(t *rapid.T) {
	if w.turn == nil || w.ended {
		t.Skip("no turn")
	}
	switch rapid.IntRange(0, 24).Draw(t, "piece") {
	case 10, 11, 12:
		w.openMessage()
	case 13:
		w.piece(protocol.TurnPiece{Kind: protocol.PieceOpen, Message: domain.NewID(), Role: domain.RoleUserProxy, Whole: true, Text: "42 rows"})
	case 14:
		if len(w.open) > 0 {
			w.piece(protocol.TurnPiece{Kind: protocol.PieceClose, Message: w.open[len(w.open)-1]})
			w.open = w.open[:len(w.open)-1]
		}
	case 15:
		w.steps++
		n := w.steps
		w.piece(protocol.TurnPiece{
			Kind: protocol.PieceStep, Step: &domain.Step{Number: n, Kind: domain.StepModel, Status: domain.StepFinished},
			Usage:   &domain.Usage{InputTokens: 1, Credits: 0.5},
			Receipt: receipt{w, n},
		})
	case 16:
		status := rapid.SampledFrom([]domain.TurnStatus{domain.TurnComplete, domain.TurnFailed}).Draw(t, "status")
		w.piece(protocol.TurnPiece{Kind: protocol.PieceEnd, Status: status, Reason: "because"})
		w.turn = nil
	default:
		if len(w.open) == 0 {
			w.openMessage()
		} else {
			text := rapid.SampledFrom([]string{"a", "größer ", "€", "a longer piece of text, "}).Draw(t, "text")
			w.piece(protocol.TurnPiece{Kind: protocol.PieceDelta, Message: w.open[len(w.open)-1], Text: text})
		}
	}
}

func (w *world) openMessage() {
	id := domain.NewID()
	w.open = append(w.open, id)
	role := rapid.SampledFrom([]domain.Role{domain.RoleAssistant, domain.RoleCoordinator}).Draw(w.t, "role")
	w.piece(protocol.TurnPiece{Kind: protocol.PieceOpen, Message: id, Role: role})
}

// receipt is the receipt of a step of the turn.
type receipt struct {
	w *world
	n int
}

func (r receipt) Settle(err error) { r.w.settled[r.n] = r.w.settled[r.n] || err == nil }

// crash loses the owner; its write in flight may be committed now, later or never.
func (w *world) crash(t *rapid.T) {
	if w.ended && w.deleted {
		t.Skip("deleted")
	}
	if w.write != nil {
		switch rapid.IntRange(0, 2).Draw(t, "in flight") {
		case 0:
			w.store.Commit(w.write)
		case 1:
			w.zombie = append(w.zombie, w.write)
		}
	}
	w.ended = false
	// The node may be lost, or only superseded, as when two become the owner at the same time.
	if rapid.Bool().Draw(t, "lost") {
		node := ""
		w.store.Look(w.id, func(c *fakes.Conversation) { node = c.Node })
		w.store.SetAlive(node, false)
	}
	w.claim()
	if !w.ended {
		w.client.subscribe()
	}
}

// refused lets the store refuse a write because of its content.
func (w *world) refused(t *rapid.T) {
	if w.write == nil || !w.state.inflight.alone {
		t.Skip("nothing to refuse")
	}
	w.commit(domain.Invalid("name", "no"), nil)
}

// late sends a piece of a turn that has ended or was dropped.
func (w *world) late(t *rapid.T) {
	if w.last == nil || w.turn != nil || w.ended {
		t.Skip("no ended turn")
	}
	id := domain.NewID()
	for _, p := range []protocol.TurnPiece{
		{Kind: protocol.PieceOpen, Message: id, Role: domain.RoleAssistant},
		{Kind: protocol.PieceDelta, Message: id, Text: "late"},
		{Kind: protocol.PieceEnd, Status: domain.TurnComplete},
	} {
		w.step(Piece{Turn: w.last.Turn.ID, Attempt: w.last.Turn.Attempt, Piece: &p})
	}
}

// grow lets the write in flight pull text at the last moment, as the journal does. The owner
// learns of it from the answer, and may have handled a stop or a rewind meanwhile.
func (w *world) grow(t *rapid.T) {
	if w.write == nil || !w.pulls {
		t.Skip("nothing grows")
	}
	w.pulls = false
	c := w.write.Continues
	if w.turn != nil && !w.ended && !slices.Contains(w.open, c.Message) {
		t.Fatalf("text of %s is asked for, which is not open", c.Message)
	}
	text := rapid.SampledFrom([]string{"b", "später ", "€"}).Draw(t, "text")
	if len(text) <= c.Room {
		w.write.Source = follows(text)
		w.write.PullText()
		w.seen.pulled++
	}
}

// follows is text that was added meanwhile.
type follows string

func (f follows) Next(domain.Continuation) string { return string(f) }

// look makes the reads of a rewind that is applied later, when the data may have changed.
func (w *world) look(t *rapid.T) {
	messages, err := w.store.Messages(context.Background(), w.id, 0)
	if err != nil || len(messages) == 0 || w.ended {
		t.Skip("nothing to rewind")
	}
	i := rapid.IntRange(0, len(messages)-1).Draw(t, "message")
	w.looked = &Rewind{Message: messages[i], Tail: Tail(messages[:i]), Generation: w.state.Generation()}
}

func (w *world) rewindByOldLook(t *rapid.T) {
	if w.looked == nil || w.ended {
		t.Skip("did not look")
	}
	in := *w.looked
	w.looked = nil
	in.To = func(a Answer) {
		if a.Err == nil {
			w.heads()
		}
	}
	w.step(in)
}

// heads checks that no message that counts as the head was removed.
func (w *world) heads() {
	if w.state.gone || len(w.state.queue) > 0 || w.state.turn != nil {
		return
	}
	visible := w.visible()
	for _, id := range w.state.tail {
		if !slices.Contains(visible, id) {
			w.t.Fatal("a message that was removed counts as the head")
		}
	}
}

// haunt lets a write of an earlier owner arrive: it must be refused.
func (w *world) haunt(t *rapid.T) {
	if len(w.zombie) == 0 {
		t.Skip("no zombie")
	}
	write := w.zombie[0]
	w.zombie = w.zombie[1:]
	if r := w.store.Commit(write); domain.CodeOf(r.Err) != domain.CodeFenced {
		t.Fatalf("a write of an earlier owner was committed: %v", r.Err)
	}
}

// finish lets everything complete, and checks the result.
func (w *world) finish() {
	w.client.back()
	for range 6 {
		w.settleAll()
		if w.deleted || !w.running() {
			break
		}
		if w.turn == nil {
			w.ended = false
			w.claim()
			w.client.subscribe()
			w.settleAll()
		}
		w.piece(protocol.TurnPiece{Kind: protocol.PieceEnd, Status: domain.TurnComplete})
	}
	w.check(w.t)
	// I7: every turn has exactly one end.
	if w.running() && !w.deleted {
		w.t.Fatalf("a turn has no end\n%s", w.store.Summary(w.id))
	}
	w.store.Look(w.id, func(c *fakes.Conversation) {
		// I3: positions have no gap and no repetition. I4: the epoch never decreases.
		epoch := int64(0)
		for i, e := range c.Events {
			if e.Seq != int64(i+1) {
				w.t.Fatalf("event %d has seq %d", i, e.Seq)
			}
			if e.Epoch < epoch {
				w.t.Fatalf("event %d has epoch %d after epoch %d", i, e.Epoch, epoch)
			}
			epoch = e.Epoch
		}
		if w.deleted && !c.Deleted {
			w.t.Fatal("a deleted conversation came back")
		}
		// A deletion may be committed although its answer got lost.
		w.deleted = c.Deleted
		// I1: each acknowledged send exists once.
		count := map[uuid.UUID]int{}
		for _, m := range c.Messages {
			count[m.ID]++
		}
		for id := range w.acked {
			if count[id] != 1 {
				w.t.Fatalf("an acknowledged send exists %d times", count[id])
			}
		}
	})
	if w.deleted {
		return
	}
	// I5: what the client has is what is stored.
	w.client.subscribe()
	messages, err := w.store.Messages(context.Background(), w.id, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	w.client.requireHolds(messages)
	w.endVisits(messages)
	w.endsAreShown(messages)
	w.stopIsRepeated()
}

// endsAreShown checks that a reader of the stored conversation finds the reason why a turn did
// not complete.
func (w *world) endsAreShown(messages []domain.Message) {
	silent := domain.TurnStatus("")
	w.store.Look(w.id, func(c *fakes.Conversation) {
		for _, turn := range c.Turns {
			bad := turn.Status == domain.TurnFailed || turn.Status == domain.TurnInterrupted
			stands := slices.ContainsFunc(messages, func(m domain.Message) bool { return m.ID == turn.Prompt })
			told := slices.ContainsFunc(messages, func(m domain.Message) bool {
				return m.TurnID == turn.ID && m.Reason != "" && m.Reason == turn.Reason &&
					(m.Status == domain.MessageFailed || m.Status == domain.MessageInterrupted)
			})
			// A rewind to a message of the turn keeps its prompt and removes the rest.
			cut := slices.ContainsFunc(c.Messages, func(m *domain.Message) bool { return m.TurnID == turn.ID && c.Cut[m.ID] })
			if bad && stands && !cut && !told {
				silent = turn.Status
			}
		}
	})
	if silent != "" {
		w.t.Fatalf("no message says that a turn was %s\n%s", silent, w.store.Summary(w.id))
	}
}

// stopIsRepeated checks that a stop without a running turn has the same answer before and
// after a failover.
func (w *world) stopIsRepeated() {
	ask := func() (r domain.StopResult) {
		w.step(Stop{To: func(a Answer) { r, _ = a.Value.(domain.StopResult) }})
		return r
	}
	before := ask()
	w.claim()
	after := ask()
	if before.Stopped != after.Stopped || (before.LastMessage == nil) != (after.LastMessage == nil) ||
		before.LastMessage != nil && before.LastMessage.ID != after.LastMessage.ID {
		w.t.Fatalf("a stop answered %+v, after a failover %+v", before, after)
	}
}

func (w *world) settleAll() {
	for n := 0; w.state.inflight != nil && !w.ended && n < 1000; n++ {
		w.commit(nil, nil)
	}
}

func (w *world) running() bool {
	running := false
	w.store.Look(w.id, func(c *fakes.Conversation) {
		for _, turn := range c.Turns {
			running = running || turn.Status == domain.TurnRunning && !c.Deleted
		}
	})
	return running
}
