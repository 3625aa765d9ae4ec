package actors

import (
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/conversation"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/telemetry"
)

// Config is what the engine needs. cmd fills it; the fields of the first
// group are required, those of the second have a zero value that works.
type Config struct {
	// ActorSystem is the only actor system of the process, the one that the cluster uses.
	ActorSystem *actor.ActorSystem
	// Journal commits the writes of this node in groups.
	Journal domain.Journal
	// Conversations is what owners read and claim.
	Conversations domain.ConversationStore
	// Sessions stores the home nodes of sessions and the log of each person.
	Sessions domain.SessionStore
	// Analysts finds the agent of a prompt.
	Analysts conversation.AnalystReader
	// Runner writes the answers.
	Runner analyst.Runner

	// Tasks fires scheduled tasks. If it is nil, this node fires no tasks.
	Tasks domain.TaskStore
	// Address returns the address (host:port) of a live member by its node id, so that user
	// events reach the home node of the session. If it is nil, only this node is known.
	Address func(node string) (address string, ok bool)
	// Surplus returns by how many conversations this node carries more than its share, some of which
	// then move to other nodes. If it is nil, none move.
	Surplus func() int
	// Dispatcher runs the conversations and the sockets of this node; nil starts a goroutine
	// for each one that has something to do.
	Dispatcher actor.Dispatcher
	// Hints tells other nodes at once where owners are and how far their logs go. If it is
	// nil, the other nodes learn this only from the checks that they make every two seconds.
	Hints domain.HintBoard
	// Presence knows who has which conversation open. If it is nil, no one is shown.
	Presence domain.Presence
	// Tails keeps the latest events of a conversation for its next owner; if it is nil,
	// nothing is kept, and readers who come back are answered from the store.
	Tails domain.TailKeeper
	// Clock returns the time; nil means the clock of the machine.
	Clock clock.Clock
	// Meter gets the engine's metrics.
	Meter Meter
	// Tracer makes the traces of turns; nil means none.
	Tracer *telemetry.Tracer
	// Logger gets the engine's log; nil means the default logger of slog.
	Logger *slog.Logger
	// Limits are the limits of the engine; a zero field means the default.
	Limits Limits
}

// Limits restrict the use of time and memory. A zero field means the value that its comment
// names.
type Limits struct {
	// Mailbox is the maximum number of messages that wait for one conversation or session:
	// 1,000.
	Mailbox int
	// ConversationIdle is how long an owner without turn and reader stays: 2 minutes.
	ConversationIdle time.Duration
	// Rebalance is the time between two checks whether conversations should move to nodes that carry
	// less: 5 s. It must be longer than it takes until the nodes know of each other's loads. Rest is
	// for how long nothing must have been asked of a conversation before it moves: 10 s.
	Rebalance, Rest time.Duration
	// FirstByte and Stall end a turn whose model is silent: 60 s each.
	FirstByte time.Duration
	Stall     time.Duration
	// Turn is the maximum duration of a turn: 15 minutes.
	Turn time.Duration
	// Turns is how many turns run on this node at the same time: 10,000. Further ones wait, and no
	// organisation gets more than seven eighths of them.
	Turns int
	// Window is how many bytes of a turn may wait for their commit: 256 kB.
	Window int
	// TurnText is the maximum amount of text that one turn may write: 4 MB.
	TurnText int
	// Recent is how many bytes of recent events all conversations of this node hold
	// together, for readers who come back: 64 MB.
	Recent int
	// Request is how long the front door waits for an owner: 20 s.
	Request time.Duration
	// Sweep is the time between two checks for orphaned turns and changed teams: 0.5 s, so
	// that a person who has left a team loses access within a second. After a slow check that
	// found no orphaned turn the next one waits longer.
	Sweep time.Duration
	// Due is the time between two checks for scheduled tasks that are due: 1 s.
	Due time.Duration
	// TaskIdle is how long the owner of a task stays after it was last due: 1 minute.
	TaskIdle time.Duration
	// Drain is how long a stop waits for running turns: 60 s.
	Drain time.Duration
	// Hello is the time in which a socket must say hello: 5 s.
	Hello time.Duration
	// KeepAlive is the time between keep-alive frames: 25 s. Pong is how long a
	// socket may be silent after one: 10 s.
	KeepAlive time.Duration
	Pong      time.Duration
	// Outbox is the maximum number of bytes that wait for one socket: 1 MB.
	Outbox int
}

func (c *Config) mustValidate() {
	switch {
	case c.ActorSystem == nil:
		panic("actors: Config.ActorSystem is required")
	case c.Journal == nil:
		panic("actors: Config.Journal is required")
	case c.Conversations == nil:
		panic("actors: Config.Conversations is required")
	case c.Sessions == nil:
		panic("actors: Config.Sessions is required")
	case c.Analysts == nil:
		panic("actors: Config.Analysts is required")
	case c.Runner == nil:
		panic("actors: Config.Runner is required")
	}
	if c.Hints == nil {
		c.Hints = noHints{}
	}
	if c.Presence == nil {
		c.Presence = noPresence{}
	}
	if c.Surplus == nil {
		c.Surplus = func() int { return 0 }
	}
	if c.Tails == nil {
		c.Tails = noTails{}
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	c.Meter.fill()
	c.Limits.fill()
}

func (l *Limits) fill() {
	orInt(&l.Mailbox, 1000)
	orDuration(&l.ConversationIdle, 2*time.Minute)
	orDuration(&l.Rebalance, 5*time.Second)
	orDuration(&l.Rest, 10*time.Second)
	orDuration(&l.FirstByte, time.Minute)
	orDuration(&l.Stall, time.Minute)
	orDuration(&l.Turn, 15*time.Minute)
	orInt(&l.Turns, 10_000)
	orInt(&l.Window, 256<<10)
	orInt(&l.TurnText, 4<<20)
	orInt(&l.Recent, 64<<20)
	orDuration(&l.Request, 20*time.Second)
	orDuration(&l.Sweep, time.Second/2)
	orDuration(&l.Due, time.Second)
	orDuration(&l.TaskIdle, time.Minute)
	orDuration(&l.Drain, time.Minute)
	orDuration(&l.Hello, 5*time.Second)
	orDuration(&l.KeepAlive, 25*time.Second)
	orDuration(&l.Pong, 10*time.Second)
	orInt(&l.Outbox, 1<<20)
}

func orInt(v *int, def int) {
	if *v == 0 {
		*v = def
	}
}

func orDuration(v *time.Duration, def time.Duration) {
	if *v == 0 {
		*v = def
	}
}
