package attendance

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

const patience = time.Minute

// hall records who has which conversation open, as the nodes share it.
type hall struct {
	mu     sync.Mutex
	people map[uuid.UUID][]uuid.UUID
	looks  [][]uuid.UUID
}

// Enter implements domain.Presence. Other nodes can read the change at once.
func (h *hall) Enter(conversation, person uuid.UUID, told func()) func() {
	defer told()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.people[conversation] = append(h.people[conversation], person)
	return sync.OnceFunc(func() { h.leave(conversation, person, told) })
}

func (h *hall) leave(conversation, person uuid.UUID, told func()) {
	defer told()
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.Index(h.people[conversation], person); i >= 0 {
		h.people[conversation] = slices.Delete(h.people[conversation], i, i+1)
	}
}

// Present implements domain.Presence.
func (h *hall) Present(_ context.Context, conversations ...uuid.UUID) map[uuid.UUID][]uuid.UUID {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.looks = append(h.looks, conversations)
	present := map[uuid.UUID][]uuid.UUID{}
	for _, c := range conversations {
		for _, person := range h.people[c] {
			if !slices.Contains(present[c], person) {
				present[c] = append(present[c], person)
			}
		}
	}
	return present
}

// put lets people open a conversation on another node, all at once.
func (h *hall) put(conversation uuid.UUID, people ...uuid.UUID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.people[conversation] = append(h.people[conversation], people...)
}

func (h *hall) count(conversation uuid.UUID) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.people[conversation])
}

func (h *hall) looked() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.looks)
}

// register returns the names of people, and an error after close was called with one.
type register struct {
	domain.ConversationStore

	mu    sync.Mutex
	names map[uuid.UUID]string
	times int
	err   error
}

// Attendants implements domain.ConversationStore.
func (r *register) Attendants(_ context.Context, open map[uuid.UUID][]uuid.UUID) (map[uuid.UUID][]domain.Person, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.times++
	out := map[uuid.UUID][]domain.Person{}
	for conversation, people := range open {
		for _, person := range people {
			if name, ok := r.names[person]; ok {
				out[conversation] = append(out[conversation], domain.Person{UUID: person, FullName: name})
			}
		}
	}
	return out, r.err
}

func (r *register) asked() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.times
}

func (r *register) put(person uuid.UUID, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[person] = name
}

func (r *register) close(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

func TestAttendance(t *testing.T) {
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	ticks := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	h := &hall{people: map[uuid.UUID][]uuid.UUID{}}
	conversation, ann, ben := uuid.New(), uuid.New(), uuid.New()
	names := &register{ConversationStore: fakes.NewStore(), names: map[uuid.UUID]string{ann: "Anna Berg", ben: "Ben Ames"}}
	both := []domain.Person{{UUID: ann, FullName: "Anna Berg"}, {UUID: ben, FullName: "Ben Ames"}}
	var hints fakes.Board
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
		return New(Config{Presence: h, Store: names, Hints: &hints, Clock: ticks, Log: slog.New(slog.DiscardHandler)})
	}))
	hints.Listen(Hint, func(data []byte) {
		conversation, _ := uuid.FromBytes(data)
		system.Root.Send(pid, &CameOrWent{conversation})
	})
	only := func(message any) bool { _, ok := message.(*protocol.Present); return ok }
	one, heard := fakes.Hears(system, only)
	two, other := fakes.Hears(system, only)
	looks := func(n int) {
		t.Helper()
		require.Eventually(t, func() bool { ticks.Advance(restTime); return h.looked() >= n }, patience, time.Millisecond)
	}

	system.Root.Send(pid, &node.Attends{Conversation: conversation, Person: ann, Connection: one, Here: true})
	looks(1)
	require.Empty(t, heard, "a person who is alone is told nothing")

	leave := h.Enter(conversation, ben, func() {}) // on another node, which sends a hint
	hints.Send(Hint, "", conversation[:])
	looks(2)
	require.Equal(t, &protocol.Present{Conversation: conversation, People: both, Count: 2}, fakes.Next[*protocol.Present](t, heard))
	system.Root.Send(pid, &node.Attends{Conversation: conversation, Person: ann, Connection: two, Here: true})
	require.Equal(t, both, fakes.Next[*protocol.Present](t, other).People, "another tab knows at once")
	require.Equal(t, 1, names.asked(), "names are read for a change, and not for a reader who comes later")

	// Many hints, also hints about conversations that no one has open here, cause at most one
	// check until its pause has ended.
	looks(3)
	before := h.looked()
	for range 100 {
		hints.Send(Hint, "", conversation[:])
		stranger := uuid.New()
		hints.Send(Hint, "", stranger[:])
	}
	last := uuid.New()
	system.Root.Send(pid, &node.Attends{Conversation: last, Person: ann, Connection: two, Here: true})
	require.Eventually(t, func() bool { return h.count(last) == 1 }, patience, time.Millisecond)
	require.LessOrEqual(t, h.looked(), before+1)

	leave() // and the node sends no hint, because it is lost
	names.close(errors.New("away"))
	asked := names.asked()
	require.Eventually(t, func() bool { ticks.Advance(checkAll); return names.asked() > asked }, patience, time.Millisecond)
	require.Empty(t, heard, "no one is shown without a name")
	names.close(nil)
	require.Eventually(t, func() bool { ticks.Advance(checkAll); return len(heard) > 0 }, patience, time.Millisecond)
	require.Equal(t, &protocol.Present{Conversation: conversation, People: both[:1], Count: 1}, fakes.Next[*protocol.Present](t, heard))

	// If there are many people, only the first ones are named; a person who belongs to no organisation any
	// more is left out and not counted.
	crowd := []uuid.UUID{uuid.New()}
	for range peopleNamed + 5 {
		crowd = append(crowd, uuid.New())
		names.put(crowd[len(crowd)-1], "Somebody Else")
	}
	h.put(conversation, crowd...)
	hints.Send(Hint, "", conversation[:])
	require.Eventually(t, func() bool { ticks.Advance(restTime); return len(heard) > 0 }, patience, time.Millisecond)
	many := fakes.Next[*protocol.Present](t, heard)
	require.Len(t, many.People, peopleNamed-1)
	require.Equal(t, 1+peopleNamed+5, many.Count)
	system.Root.Send(pid, &node.Attends{Conversation: conversation, Connection: two})
	system.Root.Send(pid, &node.Attends{Conversation: conversation, Connection: one})
	system.Root.Send(pid, &node.Attends{Conversation: conversation, Connection: one})
	require.NoError(t, system.Root.PoisonFuture(pid).Wait())
	require.Zero(t, h.count(last), "when the node ends, all its people leave")
	require.NotContains(t, h.Present(t.Context(), conversation)[conversation], ann)
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.looks {
		require.Subset(t, []uuid.UUID{conversation, last}, l)
	}
}
