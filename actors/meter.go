package actors

import "parley.dev/parley/domain"

// Meter are the functions that record the engine's metrics. Each may be nil; they are called
// from many goroutines at once.
type Meter struct {
	// Lives says how many of a kind (conversation, session, connection, task) live on this
	// node from now on.
	Lives func(kind string, n int)
	// Claimed is called for each claim of a conversation, and Fenced for each owner of this
	// node that another node has superseded.
	Claimed, Fenced func()
	// TurnEnded is called when the end of a turn is committed.
	TurnEnded func(domain.TurnStatus)
	// TakenOver is called for each conversation that this node takes over because the owner's
	// node was lost (TakenFromLost), or because that node is alive and does not answer
	// (TakenFromSilent).
	TakenOver func(from string)
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
	if m.Fenced == nil {
		m.Fenced = nothing
	}
	if m.TurnEnded == nil {
		m.TurnEnded = func(domain.TurnStatus) {}
	}
	if m.TakenOver == nil {
		m.TakenOver = func(string) {}
	}
}
