package actors

import (
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/conversation"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// Config is what the engine needs. cmd fills it; the fields of the first
// group are required, those of the second have a zero value that works.
type Config struct {
	// ActorSystem is the process's one actor system, that of the cluster.
	ActorSystem *actor.ActorSystem
	// Journal commits the writes of this node in groups.
	Journal domain.Journal
	// Conversations is what owners read and claim.
	Conversations domain.ConversationStore
	// Sessions keeps the homes of sessions and the persons' own logs.
	Sessions domain.SessionStore
	// Analysts resolves the agent of a prompt.
	Analysts conversation.AnalystReader
	// Runner makes the answers.
	Runner analyst.Runner

	// Tasks fires scheduled tasks; nil fires none on this node.
	Tasks domain.TaskStore
	// Address gives the address (host:port) of a living member by its node id, so
	// that user events reach the session's home. Nil knows this node alone.
	Address func(node string) (address string, ok bool)
	// Dispatcher runs the conversations and the sockets of this node; nil starts a
	// goroutine for each that has something to do.
	Dispatcher actor.Dispatcher
	// Hints tells other nodes at once where owners are and how far their logs go; nil
	// leaves it to the checks that these make every two seconds.
	Hints domain.HintBoard
	// Presence knows who has which conversation open; nil shows nobody.
	Presence domain.Presence
	// Tails keeps the latest events of a conversation for its next owner; nil keeps
	// nothing, and readers who come back are answered from the store.
	Tails domain.TailKeeper
	// Clock tells the time; nil is the machine's.
	Clock clock.Clock
	// Meter gets the engine's metrics.
	Meter Meter
	// Logger gets the engine's log; nil is slog's default.
	Logger *slog.Logger
	// Limits are the engine's bounds; a zero field means the default.
	Limits Limits
}

// Limits bound time and memory. Zero fields mean the value named in the comment.
type Limits struct {
	// Mailbox is the most messages that wait for one conversation or session: 1,000.
	Mailbox int
	// ConversationIdle is how long an owner without turn and reader stays: 2 minutes.
	ConversationIdle time.Duration
	// FirstByte and Stall end a turn whose model is silent: 60 s each.
	FirstByte time.Duration
	Stall     time.Duration
	// Turn is the longest that a turn may last: 15 minutes.
	Turn time.Duration
	// Window is how many bytes of a turn may wait for their commit: 256 kB.
	Window int
	// TurnText is the most text that one turn may make: 4 MB.
	TurnText int
	// Recent is how many bytes of recent events all conversations of this node hold
	// together, for readers who come back: 64 MB.
	Recent int
	// Request is how long the front door waits for an owner: 20 s.
	Request time.Duration
	// Sweep is the time between two checks for orphaned turns and changed teams: 0.5 s, so
	// that a person who has left a team is cut off within a second. After a slow check that
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
	// Outbox is the most bytes that wait for one socket: 1 MB.
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
	orDuration(&l.FirstByte, time.Minute)
	orDuration(&l.Stall, time.Minute)
	orDuration(&l.Turn, 15*time.Minute)
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
