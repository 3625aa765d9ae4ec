package actors

import (
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/mailbox"
)

// Meter are the functions that record the engine's metrics. Each may be nil; they are called
// from many goroutines at once.
type Meter struct {
	// Lives says how many of a kind (conversation, session, connection, task) live on this
	// node from now on.
	Lives func(kind string, n int)
	// Claimed is called for each claim of a conversation, Kept for each one that was refused
	// because another node owns the conversation, and Fenced for each owner of this node that
	// another node has superseded.
	Claimed, Kept, Fenced func()
	// Moved is called for each idle conversation that this node has released for a node that carries less.
	Moved func()
	// TurnsWaiting gets the number of turns that wait for a slot on this node, and TurnWaited how long
	// a turn has waited when it begins. TurnRefused is called for each turn that is refused because
	// too many wait.
	TurnsWaiting func(n int)
	TurnWaited   func(time.Duration)
	TurnRefused  func()
	// TurnEnded is called when the end of a turn is committed.
	TurnEnded func(domain.TurnStatus)
	// TakenOver is called for each conversation that this node takes over because the owner of its running
	// turn was lost (TakenFromLost), or because that node is alive and does not answer
	// (TakenFromSilent).
	TakenOver func(from string)
	// Followed says how many conversations of other nodes readers of this node follow, and how
	// long the most silent of their owners has sent nothing.
	Followed func(conversations int, silence time.Duration)
	// Reset is called for each reader that must fetch its conversation again, and Resubscribed for each that goes on at
	// another owner, or again at the same one.
	Reset, Resubscribed func()
	// Orphans says how many running turns without an owner the last check has found, and for how
	// long this node has known the oldest of them.
	Orphans func(n int, known time.Duration)
	// Mailbox gets, for each of NodeActors, a function that counts the messages that wait for it.
	Mailbox func(name string, length func() int)
	// Mark is raised by the mailboxes of all other actors, of conversations, turns, sessions, tasks and sockets; nil means by none.
	Mark *mailbox.Mark
	// Overflowed is called for each message that a full mailbox has refused or dropped.
	Overflowed func()
}

// NodeActors returns the names of the actors of which every node has one.
func NodeActors() []string {
	return []string{
		attendanceName, fanoutName, headsName, ownershipName, rebalanceName, rosterName, schedulerName, sweeperName, teamsName,
		turnqueueName, wheelName,
	}
}

// The reasons for which conversations are taken over.
const (
	TakenFromLost   = "lost"
	TakenFromSilent = "silent"
)

func (m *Meter) fill() {
	nothing := func() {}
	if m.Lives == nil {
		m.Lives = func(string, int) {}
	}
	if m.Claimed == nil {
		m.Claimed = nothing
	}
	if m.Kept == nil {
		m.Kept = nothing
	}
	if m.Fenced == nil {
		m.Fenced = nothing
	}
	if m.Moved == nil {
		m.Moved = nothing
	}
	if m.TurnsWaiting == nil {
		m.TurnsWaiting = func(int) {}
	}
	if m.TurnWaited == nil {
		m.TurnWaited = func(time.Duration) {}
	}
	if m.TurnRefused == nil {
		m.TurnRefused = nothing
	}
	if m.TurnEnded == nil {
		m.TurnEnded = func(domain.TurnStatus) {}
	}
	if m.TakenOver == nil {
		m.TakenOver = func(string) {}
	}
	if m.Followed == nil {
		m.Followed = func(int, time.Duration) {}
	}
	if m.Resubscribed == nil {
		m.Resubscribed = nothing
	}
	if m.Reset == nil {
		m.Reset = nothing
	}
	if m.Orphans == nil {
		m.Orphans = func(int, time.Duration) {}
	}
	if m.Mailbox == nil {
		m.Mailbox = func(string, func() int) {}
	}
	if m.Overflowed == nil {
		m.Overflowed = nothing
	}
}
