package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/connection"
	"parley.dev/parley/actors/conversation"
	"parley.dev/parley/actors/conversation/ledger"
	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/node/attendance"
	"parley.dev/parley/actors/node/fanout"
	"parley.dev/parley/actors/node/heads"
	"parley.dev/parley/actors/node/ownership"
	"parley.dev/parley/actors/node/rebalance"
	"parley.dev/parley/actors/node/roster"
	"parley.dev/parley/actors/node/scheduler"
	"parley.dev/parley/actors/node/sweeper"
	"parley.dev/parley/actors/node/teams"
	"parley.dev/parley/actors/node/turnqueue"
	"parley.dev/parley/actors/node/wheel"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/actors/session"
	"parley.dev/parley/actors/task"
	"parley.dev/parley/actors/turn"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/budget"
	"parley.dev/parley/internal/mailbox"
	"parley.dev/parley/internal/startstop"
)

const (
	kindConversation = "conversation"
	kindSession      = "session"
	kindTask         = "task"

	// The names of the actors of which every node has one.
	fanoutName     = "fanout"
	wheelName      = "wheel"
	rosterName     = "roster"
	sweeperName    = "sweeper"
	teamsName      = "teams"
	ownershipName  = "ownership"
	rebalanceName  = "rebalance"
	headsName      = "heads"
	attendanceName = "attendance"
	schedulerName  = "scheduler"
	turnqueueName  = "turnqueue"

	// nodeMailbox is the maximum number of messages that wait for one of those actors;
	// connectionMailbox is the maximum for one socket.
	nodeMailbox       = 100_000
	connectionMailbox = 2048

	// closing is how long the last sockets of a draining node may take to end after all of
	// them were asked to close, and letGo how long its sessions may take.
	closing = 5 * time.Second
	letGo   = 5 * time.Second
)

// System is the engine of one process. Order of use: New, pass Kinds to the cluster's
// configuration, Attach, start the cluster member, Start; and at the end Shutdown, then stop
// the cluster.
type System struct {
	c Config

	// step is how long one owner may take for a request.
	step time.Duration
	// kinds are the props that Kinds returns.
	kinds map[string]*actor.Props

	// Set by Attach, before anything runs; read only afterwards.
	node      string
	placement Placement

	// Set by Start; read only afterwards. scheduler is nil if this node fires no tasks.
	wheel, roster, fanout, sweeper, teams, scheduler, ownership, rebalance, heads, attendance, turns *actor.PID
	shared                                                                                           connection.Shared
	connections                                                                                      *actor.Props

	// Set by Attach.
	sessions, conversations actor.Producer

	// unhear stops the handling of hints. Set by Start.
	unhear func()

	// draining is on from the beginning of Shutdown.
	draining async.Switch
	life     startstop.Guard
}

var _ domain.ConversationEngine = (*System)(nil)

// New makes the engine.
func New(c Config) *System {
	c.mustValidate()
	s := &System{c: c, step: askStep}
	s.kinds = map[string]*actor.Props{
		kindConversation: s.props(kindConversation),
		kindSession:      s.props(kindSession),
	}
	if s.c.Tasks != nil {
		s.kinds[kindTask] = s.props(kindTask)
	}
	return s
}

// Placement says where owners live. The node of the package cluster implements it.
type Placement interface {
	// Locate returns the owner of an identity. If there is none, it activates one. If it
	// returns nil, silent says that the owner's node does not answer; otherwise the caller
	// should try again in a moment.
	Locate(kind, identity string) (owner *actor.PID, silent bool)
	// Find returns the owner from a cache, without a query, if it is there, and otherwise
	// does what Locate does. Forget drops the cached entry.
	Find(kind, identity string) (owner *actor.PID, silent bool)
	Forget(kind, identity string)
	// Answers returns how often the node at an address has not answered so far, and whether it
	// answers now. What was sent to it before it did not answer may be lost.
	Answers(address string) (lapses int64, now bool)
	// Lost returns a channel that is closed when the next node is lost. Then what it owned can be
	// located again.
	Lost() <-chan struct{}
	// Silent returns the ids of the nodes that live and do not answer this one. Its claims may take
	// conversations from them.
	Silent() []string
	// Take activates here an identity whose owner's node does not answer. The claim that
	// follows fences that owner. Take returns false if the node answers again, or if this
	// node may not own anything.
	Take(kind, identity string) bool
}

// Kinds are the actors that the cluster places: conversation, session and task.
func (s *System) Kinds() map[string]*actor.Props { return s.kinds }

// Attach sets where owners live and this node's id, before the cluster starts: owners that are
// placed here from then on write the id into their rows.
func (s *System) Attach(placement Placement, node string) {
	s.placement = placement
	s.attach(node)
}

func (s *System) attach(node string) {
	s.node = node
	s.conversations = conversation.Producer(s.conversation())
	s.sessions = session.Producer(session.Config{
		Node: node, Store: s.c.Sessions, Clock: s.c.Clock, Logger: s.c.Logger, Arm: s.arm,
		Lives: s.lives(roster.Session), Left: s.left(roster.Session), Follow: s.follow, Unfollow: s.unfollow,
	})
}

// Start begins the work of this node: timers, the fan-out and the sweeper. The cluster member
// must run already. A second call does nothing; after Shutdown it is an error.
func (s *System) Start(ctx context.Context) error {
	return s.life.Start(func() error { return s.start(ctx) })
}

func (s *System) start(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("start the engine: %w", err)
	}
	if s.placement == nil {
		panic("actors: Start before Attach")
	}
	address := s.c.ActorSystem.Address()
	s.wheel, s.roster = actor.NewPID(address, wheelName), actor.NewPID(address, rosterName)
	s.fanout, s.sweeper, s.teams = actor.NewPID(address, fanoutName), actor.NewPID(address, sweeperName), actor.NewPID(address, teamsName)
	s.ownership, s.heads = actor.NewPID(address, ownershipName), actor.NewPID(address, headsName)
	s.rebalance, s.turns = actor.NewPID(address, rebalanceName), actor.NewPID(address, turnqueueName)
	s.attendance = actor.NewPID(address, attendanceName)
	s.shared = connection.Shared{
		Node: s.node, Store: s.c.Conversations, Clock: s.c.Clock, Logger: s.c.Logger, Tracer: s.c.Tracer, Locate: s.locate,
		Answers: s.placement.Answers,
		Arm:     s.arm, Reset: s.c.Meter.Reset, Resubscribed: s.c.Meter.Resubscribed,
		Fanout:     func(m any) { s.root().Send(s.fanout, m) },
		Attendance: func(m *node.Attends) { s.root().Send(s.attendance, m) },
		Lives:      s.lives(roster.Connection), Left: s.left(roster.Connection),
		Sessions: s.c.Sessions, Follow: s.follow, Unfollow: s.unfollow,
		Hello: s.c.Limits.Hello, KeepAlive: s.c.Limits.KeepAlive, Pong: s.c.Limits.Pong, Outbox: s.c.Limits.Outbox,
	}
	s.shared.MustValidate()
	s.connections = s.crowded(func() actor.Actor { return connection.New(&s.shared) }, connectionMailbox)
	producers := map[string]actor.Producer{
		wheelName:   func() actor.Actor { return wheel.New(s.c.Clock) },
		rosterName:  func() actor.Actor { return roster.New(s.c.Clock, s.c.Meter.Lives) },
		fanoutName:  func() actor.Actor { return fanout.New(s.node, s.c.Clock, s.c.Meter.Followed) },
		sweeperName: func() actor.Actor { return sweeper.New(s.sweep()) },
		ownershipName: func() actor.Actor {
			return ownership.New(ownership.Config{
				Store: s.c.Conversations, Node: s.node, Clock: s.c.Clock, Log: s.c.Logger, List: s.listOwners, Owner: s.here(kindConversation),
			})
		},
		headsName: func() actor.Actor {
			return heads.New(heads.Config{Store: s.c.Sessions, Clock: s.c.Clock, Log: s.c.Logger})
		},
		rebalanceName: func() actor.Actor {
			return rebalance.New(rebalance.Config{Clock: s.c.Clock, Every: s.c.Limits.Rebalance, Surplus: s.c.Surplus, List: s.listOwners})
		},
		turnqueueName: func() actor.Actor {
			return turnqueue.New(turnqueue.Config{
				Clock: s.c.Clock, Slots: s.c.Limits.Turns,
				Waiting: s.c.Meter.TurnsWaiting, Waited: s.c.Meter.TurnWaited, Refused: s.c.Meter.TurnRefused,
			})
		},
		attendanceName: func() actor.Actor {
			return attendance.New(attendance.Config{
				Presence: s.c.Presence, Store: s.c.Conversations, Hints: s.c.Hints, Clock: s.c.Clock, Log: s.c.Logger,
			})
		},
		teamsName: func() actor.Actor {
			return teams.New(teams.Config{
				Store: s.c.Conversations, Node: s.node, Clock: s.c.Clock, Log: s.c.Logger, Every: s.c.Limits.Sweep,
				Conversation: s.here(kindConversation), Session: s.here(kindSession),
			})
		},
	}
	if s.c.Tasks != nil {
		s.scheduler = actor.NewPID(address, schedulerName)
		producers[schedulerName] = func() actor.Actor {
			return scheduler.New(scheduler.Config{
				Store: s.c.Tasks, Node: s.node, Clock: s.c.Clock, Log: s.c.Logger, Every: s.c.Limits.Due, Locate: s.locateBy(kindTask),
			})
		}
	}
	started := make([]*actor.PID, 0, len(producers))
	for name, produce := range producers {
		props := actor.PropsFromProducer(func() actor.Actor {
			return &node.Guarded{Actor: produce(), Name: name, Log: s.c.Logger}
		}, actor.WithMailbox(s.metered(name)))
		pid, err := s.root().SpawnNamed(props, name)
		if err != nil {
			return errors.Join(fmt.Errorf("start the actors of the node: %w", err), s.end(started))
		}
		started = append(started, pid)
	}
	s.unhear = s.listen()
	// The first sweep needs no pause: a server that comes back after a crash ends its own
	// turns at once.
	s.root().Send(s.sweeper, &node.LookAgain{})
	s.root().Send(s.teams, &node.LookAgain{})
	s.root().Send(s.ownership, &node.LookAgain{})
	s.root().Send(s.heads, &node.LookAgain{})
	s.root().Send(s.rebalance, &node.LookAgain{})
	if s.scheduler != nil {
		s.root().Send(s.scheduler, &node.LookAgain{})
	}
	return nil
}

// Shutdown drains: it refuses new work, lets running turns end within the limit, releases
// what this node owns and closes the sockets. A later call waits for the first one and
// returns the same error; without Start there is nothing to drain.
func (s *System) Shutdown(ctx context.Context) error {
	s.draining.Set()
	return s.life.Stop(func() error { return s.drain(ctx) })
}

// drain continues after an error: each part has its own time limit, and a part that could not
// be handed over must not prevent the rest from ending.
func (s *System) drain(ctx context.Context) error {
	s.unhear()
	// Changes of rights are checked until the end, as long as this node has readers.
	looking := []*actor.PID{s.sweeper, s.rebalance}
	if s.scheduler != nil {
		looking = append(looking, s.scheduler)
	}
	errs := []error{s.end(looking)}
	limited, cancel := context.WithTimeout(ctx, s.c.Limits.Drain)
	defer cancel()
	// Tasks end first, because they make conversations. Sessions end last, because
	// connections read them.
	for _, kind := range []roster.Kind{roster.Task, roster.Conversation} {
		errs = append(errs, s.handOver(limited, kind))
	}
	// Turns may have used up the deadline of ctx. The sockets and the sessions have time
	// limits of their own.
	free := context.WithoutCancel(ctx)
	for _, x := range []struct {
		kind  roster.Kind
		limit time.Duration
	}{{roster.Connection, roster.Spread + closing}, {roster.Session, letGo}} {
		own, stop := context.WithTimeout(free, x.limit)
		errs = append(errs, s.handOver(own, x.kind))
		stop()
	}
	errs = append(errs, s.end([]*actor.PID{s.ownership, s.turns, s.attendance, s.heads, s.teams, s.wheel, s.fanout, s.roster}))
	return errors.Join(errs...)
}

// end stops actors of the node and waits for them.
func (s *System) end(pids []*actor.PID) error {
	var errs []error
	for _, pid := range pids {
		if err := s.root().PoisonFuture(pid).Wait(); err != nil {
			errs = append(errs, fmt.Errorf("stop the actors of the node: %w", err))
		}
	}
	return errors.Join(errs...)
}

func (s *System) handOver(ctx context.Context, kind roster.Kind) error {
	empty := async.NewPromise()
	s.root().Send(s.roster, &roster.HandOverAll{Kind: kind, Empty: empty})
	if err := empty.Wait(ctx); err != nil {
		return fmt.Errorf("hand over the %ss of this node: %w", kind, err)
	}
	return nil
}

func (s *System) root() *actor.RootContext { return s.c.ActorSystem.Root }

// metered makes the mailbox of an actor of the node, whose length is a metric.
func (s *System) metered(name string) actor.MailboxProducer {
	produce := mailbox.Bounded(nodeMailbox, s.refuse)
	return func() actor.Mailbox {
		m := produce()
		s.c.Meter.Mailbox(name, m.UserMessageCount)
		return m
	}
}

// refuse answers a request that found a full mailbox, and counts it. A message that was dropped
// has no sender.
func (s *System) refuse(sender *actor.PID, _ any) {
	s.c.Meter.Overflowed()
	if sender != nil {
		s.root().Send(sender, &protocol.Busy{})
	}
}

func (s *System) arm(pid *actor.PID, after time.Duration) {
	s.root().Send(actor.NewPID(s.c.ActorSystem.Address(), wheelName), &wheel.Arm{PID: pid, After: after})
}

func (s *System) lives(kind roster.Kind) func(*actor.PID) {
	return func(pid *actor.PID) {
		s.root().Send(actor.NewPID(s.c.ActorSystem.Address(), rosterName), &roster.Lives{Kind: kind, PID: pid})
	}
}

func (s *System) left(kind roster.Kind) func(*actor.PID) {
	return func(pid *actor.PID) {
		s.root().Send(actor.NewPID(s.c.ActorSystem.Address(), rosterName), &roster.Left{Kind: kind, PID: pid})
	}
}

// follow makes the node notify an actor how far a person's log goes, until unfollow.
func (s *System) follow(user uuid.UUID, pid *actor.PID) {
	s.root().Send(actor.NewPID(s.c.ActorSystem.Address(), headsName), &heads.Follow{User: user, PID: pid})
}

func (s *System) unfollow(user uuid.UUID, pid *actor.PID) {
	s.root().Send(actor.NewPID(s.c.ActorSystem.Address(), headsName), &heads.Follow{User: user, PID: pid, Ends: true})
}

// listOwners asks the roster to send an actor of this node the list of the conversations that live here.
func (s *System) listOwners(to *actor.PID) {
	s.root().RequestWithCustomSender(s.roster, &roster.ListAll{Kind: roster.Conversation}, to)
}

// here returns the PID of an identity's owner of one kind, if it lives on this node. It
// activates nothing.
func (s *System) here(kind string) func(uuid.UUID) *actor.PID {
	return func(id uuid.UUID) *actor.PID { return actor.NewPID(s.c.ActorSystem.Address(), kind+"/"+id.String()) }
}

// locate finds the owner of an identity, and activates it if necessary. It returns nil if
// that is not possible now.
func (s *System) locate(_ context.Context, kind, identity string) *actor.PID {
	pid, _ := s.placement.Locate(kind, identity)
	return pid
}

// locateBy is locate for the identities of one kind.
func (s *System) locateBy(kind string) func(context.Context, uuid.UUID) *actor.PID {
	return func(ctx context.Context, id uuid.UUID) *actor.PID { return s.locate(ctx, kind, id.String()) }
}

func (s *System) sweep() sweeper.Config {
	return sweeper.Config{
		Store: s.c.Conversations, Clock: s.c.Clock, Log: s.c.Logger, Every: s.c.Limits.Sweep,
		Locate: s.locateBy(kindConversation), Found: s.c.Meter.Orphans,
	}
}

// props makes the props of a kind. The node's id is read at the spawn, when it is known.
func (s *System) props(kind string) *actor.Props {
	produce := s.newSession
	switch kind {
	case kindConversation:
		return s.crowded(s.newConversation, s.c.Limits.Mailbox)
	case kindTask:
		produce = func() actor.Actor { return task.New(s.task()) }
	}
	return actor.PropsFromProducer(produce, actor.WithMailbox(mailbox.Marked(s.c.Limits.Mailbox, s.refuse, s.c.Meter.Mark)))
}

// crowded makes the props of kinds of which thousands of actors may have something to do at
// the same time.
func (s *System) crowded(produce actor.Producer, waiting int) *actor.Props {
	options := []actor.PropsOption{actor.WithMailbox(mailbox.Marked(waiting, s.refuse, s.c.Meter.Mark))}
	if s.c.Dispatcher != nil {
		options = append(options, actor.WithDispatcher(s.c.Dispatcher))
	}
	return actor.PropsFromProducer(produce, options...)
}

func (s *System) conversation() conversation.Config {
	l := &s.c.Limits
	return conversation.Config{
		Node: s.node, Silent: s.placement.Silent, Journal: s.c.Journal, Store: s.c.Conversations, Analysts: s.c.Analysts,
		Clock: s.c.Clock, Logger: s.c.Logger,
		Tracer: s.c.Tracer, Turn: s.turn, Fanout: fanoutName, Tails: s.c.Tails, Owns: s.sendOwnerHint, Wrote: s.sendHeadHint,
		SendUserEvents: s.Announce,
		Lives:          s.lives(roster.Conversation), Left: s.left(roster.Conversation),
		GaveUp:  func(id uuid.UUID) { s.root().Send(s.sweeper, &sweeper.GaveUp{Conversation: id}) },
		Yielded: s.yielded,
		Claimed: s.c.Meter.Claimed, Kept: s.c.Meter.Kept,
		TookOver: func() { s.c.Meter.TakenOver(TakenFromLost) }, Fenced: s.c.Meter.Fenced, TurnEnded: s.c.Meter.TurnEnded,
		Idle: l.ConversationIdle, Rest: l.Rest, Stash: l.Mailbox, Limits: ledger.Limits{TurnText: l.TurnText, Recent: budget.New(l.Recent)},
	}
}

// yielded activates a conversation that has left this node again, on the node that is chosen for it, so
// that its next caller finds it in memory. It runs outside of the actor, which has ended.
func (s *System) yielded(id uuid.UUID) {
	s.c.Meter.Moved()
	async.Go(context.Background(), s.c.Logger, s.c.Limits.Request, func(c context.Context) error {
		s.Wake(c, id)
		return nil
	}, func(error) {})
}

func (s *System) task() task.Config {
	return task.Config{
		Node: s.node, Store: s.c.Tasks, Clock: s.c.Clock, Logger: s.c.Logger, Idle: s.c.Limits.TaskIdle,
		Lives: s.lives(roster.Task), Left: s.left(roster.Task),
		Begin: s.Wake,
	}
}

func (s *System) newSession() actor.Actor { return s.sessions() }

func (s *System) newConversation() actor.Actor { return s.conversations() }

// askForTurn asks for a slot for a turn. The address is read now: turns may begin before Start has ended.
func (s *System) askForTurn(turn *actor.PID, organisation, person int64) {
	s.root().Send(actor.NewPID(s.c.ActorSystem.Address(), turnqueueName),
		&turnqueue.Ask{PID: turn, Organisation: organisation, Person: person})
}

func (s *System) leaveTurn(turn *actor.PID) {
	s.root().Send(actor.NewPID(s.c.ActorSystem.Address(), turnqueueName), &turnqueue.Leave{PID: turn})
}

func (s *System) turn(start protocol.StartTurn) *actor.Props {
	l := &s.c.Limits
	config := turn.Config{
		Runner: s.c.Runner, Clock: s.c.Clock, Logger: s.c.Logger,
		FirstByte: l.FirstByte, Stall: l.Stall, Turn: l.Turn, Window: l.Window, Start: start,
		Ask: s.askForTurn, Leave: s.leaveTurn,
	}
	return actor.PropsFromProducer(func() actor.Actor { return turn.New(config) },
		actor.WithMailbox(mailbox.Marked(s.c.Limits.Mailbox, s.refuse, s.c.Meter.Mark)))
}
