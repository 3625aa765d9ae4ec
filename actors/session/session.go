package session

import (
	"context"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/audience"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/mailbox"
)

const (
	// check is the time between two checks of the log by the session itself; the node reads
	// the heads of the logs of all its sessions more often (UserHead). idle is how long a
	// session without a connection stays, and fillAgain the pause before a failed read is
	// repeated.
	check     = time.Minute
	idle      = 15 * time.Second
	fillAgain = 2 * time.Second
	// ringEvents is how many events are held for connections that come back; page is how
	// many one read of the log returns.
	ringEvents = 128
	page       = 500
	storeLimit = 10 * time.Second
	claimsMax  = 5
	// waitingMax is the maximum number of connections that wait for the claim; further ones must
	// try again. One person has a hundred at most.
	waitingMax = 1000
	// seat is the ticket of every connection: it has one place in its session.
	seat = 1
)

// Config is what a session needs. All fields are required.
type Config struct {
	Node   string
	Store  domain.SessionStore
	Clock  clock.Clock
	Logger *slog.Logger
	// Arm asks the timer wheel to send a Tick after a while.
	Arm func(*actor.PID, time.Duration)
	// Lives and Left add this session to the node's list, and remove it.
	Lives, Left func(*actor.PID)
	// Follow makes the node tell the session how far the person's stored log goes, until
	// Unfollow.
	Follow, Unfollow func(user uuid.UUID, pid *actor.PID)
}

func (c *Config) mustValidate() {
	if c.Node == "" || c.Store == nil || c.Clock == nil || c.Logger == nil || c.Arm == nil || c.Lives == nil || c.Left == nil ||
		c.Follow == nil || c.Unfollow == nil {
		panic("session: every field of Config is required")
	}
}

type phase uint8

const (
	claiming phase = iota
	active
	releasing
	gone
)

// Actor is one session.
type Actor struct {
	// set at spawn
	c *Config

	// owned, read by every activation
	user   uuid.UUID
	userID int64
	phase  phase
	// members are the connections; only an admitted one has a value.
	members audience.Audience[*member]
	// waiting are the joins that wait for the claim, one for each connection.
	waiting []*protocol.Join
	over    bool
	log     log
	claims  int
	early   int64     // the highest seq of the events that arrived before the claim had ended
	since   time.Time // when the last connection left
}

// member is one connection. While it catches up it gets no new events.
type member struct {
	pid      *actor.PID
	catching bool
}

// Producer makes the actors of the kind; they share the config.
func Producer(c Config) actor.Producer {
	c.mustValidate()
	return func() actor.Actor { return &Actor{c: &c} }
}

// Receive implements actor.Actor.
func (a *Actor) Receive(ctx actor.Context) {
	defer a.guard(ctx)
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		a.begin(ctx)
	case *actor.Restarting:
	case *actor.Stopped:
		a.over = true
	case *actor.Stopping:
		a.stopping(ctx)
	case *async.Reentry:
		msg.Resume()
	case *protocol.Join:
		a.ask(ctx, msg)
	case *protocol.Leave:
		a.leave(addressOf(msg.Target))
	case *actor.Terminated:
		a.leave(audience.Address{Host: msg.Who.Address, ID: msg.Who.Id})
	case *protocol.UserEvents:
		a.events(ctx, msg.Events)
	case *mailbox.Overflow:
		// The dropped messages may have been events; the store has them.
		a.fill(ctx)
	case *protocol.UserHead:
		a.stored(ctx, msg)
	case *protocol.Tick:
		a.tick(ctx)
	case *protocol.AccessChanged:
		a.resync(ctx)
	case *protocol.HandOver:
		a.release(ctx)
	default:
		a.warn("a session got a message it does not know", slog.String("type", actor.MessageName(msg)))
	}
}

// Ended implements mailbox.Ender.
func (a *Actor) Ended() bool { return a.over }

func (a *Actor) begin(ctx actor.Context) {
	a.members = audience.New[*member](ctx.Self().Address)
	a.c.Lives(ctx.Self())
	user, ok := protocol.IdentityOf(ctx.Self().Id)
	if !ok {
		a.stop(ctx)
		return
	}
	a.user, a.since = user, a.c.Clock.Now()
	a.c.Follow(user, ctx.Self())
	a.c.Arm(ctx.Self(), idle)
	a.claim(ctx)
}

// claim makes this node the person's home. Events that were committed before the claim are
// included in the head that it returns; all later ones are sent here.
func (a *Actor) claim(ctx actor.Context) {
	var head, userID int64
	async.Run(context.Background(), ctx, storeLimit, func(c context.Context) (err error) {
		head, userID, err = a.c.Store.ClaimSession(c, a.user, a.c.Node)
		return err
	}, func(err error) {
		switch {
		case a.phase != claiming:
		case err == nil:
			a.phase, a.userID = active, userID
			a.log.begin(head)
			if a.early > head {
				a.log.wanted = a.early
				a.fill(ctx)
			}
			waiting := a.waiting
			a.waiting = nil
			for _, j := range waiting {
				a.join(ctx, j)
			}
		case domain.CodeOf(err) == domain.CodeNotFound || a.claims >= claimsMax:
			a.warn("a session could not be claimed", slog.Any("error", err))
			a.stop(ctx)
		default:
			a.claims++
			a.later(ctx, func() { a.claim(ctx) })
		}
	})
}

func (a *Actor) later(ctx actor.Context, do func()) {
	root, self := ctx.ActorSystem().Root, ctx.Self()
	a.c.Clock.AfterFunc(time.Duration(1)<<min(a.claims, 5)*100*time.Millisecond, func() { root.Send(self, async.Again(do)) })
}

// tick checks for missed events, and releases a session without connections.
func (a *Actor) tick(ctx actor.Context) {
	switch {
	case a.phase == gone || a.phase == releasing:
		return
	case a.members.Empty() && a.c.Clock.Now().Sub(a.since) >= idle:
		a.release(ctx)
		return
	case a.members.Empty():
		a.c.Arm(ctx.Self(), idle)
		return
	}
	a.c.Arm(ctx.Self(), check)
	if a.phase == active {
		a.verify(ctx)
	}
}

// stored handles how far the stored log goes: events that are not here were lost, or are
// still being sent.
func (a *Actor) stored(ctx actor.Context, msg *protocol.UserHead) {
	switch {
	case a.phase != active:
	case msg.Home != a.c.Node:
		a.verify(ctx)
	default:
		a.log.wanted = max(a.log.wanted, msg.Seq)
		if a.log.gap() {
			a.fill(ctx)
		}
	}
}

// verify checks whether this is still the home, and whether the log has events that it
// misses.
func (a *Actor) verify(ctx actor.Context) {
	var home string
	async.Run(context.Background(), ctx, storeLimit, func(c context.Context) (err error) {
		home, err = a.c.Store.SessionHome(c, a.user)
		return err
	}, func(err error) {
		switch {
		case a.phase != active:
		case err != nil:
			a.warn("the home of a session could not be read", slog.Any("error", err))
		case home != a.c.Node:
			// Another node is the home now; the connections join there.
			a.stop(ctx)
		default:
			a.fill(ctx)
		}
	})
}

// release gives up the home and stops. Connections that join meanwhile are notified at the end,
// and join the next session.
func (a *Actor) release(ctx actor.Context) {
	if a.phase == gone || a.phase == releasing {
		return
	}
	a.phase = releasing
	async.Run(context.Background(), ctx, storeLimit, func(c context.Context) error {
		return a.c.Store.ReleaseSession(c, a.user, a.c.Node)
	}, func(err error) {
		if err != nil {
			a.warn("a session could not be given back", slog.Any("error", err))
		}
		a.stop(ctx)
	})
}

// stopping tells the connections of this node, also the waiting ones, to join the next
// session; connections of other nodes watch this actor.
func (a *Actor) stopping(ctx actor.Context) {
	a.phase = gone
	for _, l := range a.members.Here() {
		ctx.Send(actor.NewPID(l.Address.Host, l.Address.ID), &protocol.Leave{})
	}
	a.waiting = nil
	if a.user != uuid.Nil {
		a.c.Unfollow(a.user, ctx.Self())
	}
	a.c.Left(ctx.Self())
}

// guard ends a session whose handler panicked; its connections join the next one.
func (a *Actor) guard(ctx actor.Context) {
	if r := recover(); r != nil {
		a.c.Logger.LogAttrs(context.Background(), slog.LevelError, "a session's handler panicked", slog.Any("panic", r))
		a.stop(ctx)
	}
}

func (a *Actor) stop(ctx actor.Context) {
	a.phase = gone
	ctx.Stop(ctx.Self())
}

func (a *Actor) warn(msg string, attrs ...slog.Attr) {
	//nolint:sloglint // the callers' messages are static
	a.c.Logger.LogAttrs(context.Background(), slog.LevelWarn, msg, append(attrs, slog.String("user", a.user.String()))...)
}
