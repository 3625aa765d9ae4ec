package mailbox

import (
	"runtime"
	"sync"

	"github.com/asynkron/protoactor-go/actor"
)

// Essential marks a message that a full mailbox still takes, because another
// limit already bounds how many of its kind there can be: the answer to a write,
// of which one is in flight; the end of a subscription; a due timer.
type Essential interface{ Essential() }

// Conditional marks a message of which some are Essential and others are not. Each
// gives the same answer for as long as it lives.
type Conditional interface{ IsEssential() bool }

// IsEssential reports whether a full queue still takes a message.
func IsEssential(message any) bool {
	switch m := message.(type) {
	case Essential:
		return true
	case Conditional:
		return m.IsEssential()
	default:
		return false
	}
}

// Overflow tells an actor that its full mailbox dropped messages which nobody
// waits for. It comes once for each time of fullness, in the place of the first
// message dropped.
type Overflow struct{}

// Essential implements Essential.
func (*Overflow) Essential() {}

// Ender is an actor that knows when it has stopped (it has seen *actor.Stopped).
// What waits in its mailbox then, and what comes later by a reference to it, is
// answered as undeliverable; the library would leave the senders waiting.
type Ender interface{ Ended() bool }

// Inline marks a message that its sender may hand over by itself: if the actor has
// nothing to do, it handles the message in the sender's goroutine, before Send returns.
// That spares the way through two queues, and what the message is made of is still in
// the processor's cache. The sender's goroutine is then away for as long as the handling
// takes, so it is for short work at the end of a chain, and for senders that a
// dispatcher runs.
type Inline interface{ Inline() bool }

// RefuseFunc answers the sender of a request that found the mailbox full. It is
// called in the sender's goroutine and must not block.
type RefuseFunc func(sender *actor.PID, message any)

// Bounded makes mailboxes that hold at most limit messages. An idle one holds no
// buffer.
func Bounded(limit int, refuse RefuseFunc) actor.MailboxProducer {
	return func() actor.Mailbox { return &bounded{limit: limit, refuse: refuse} }
}

// bounded is posted to by any goroutine and emptied by one at a time.
type bounded struct {
	// mu guards the fields down to essential. Every message reads them, so they come first
	// and share cache lines.
	mu        sync.Mutex
	started   bool // the library has set the handlers; before, posts only wait
	running   bool // a goroutine is emptying the queues
	suspended bool // a supervisor decides about the actor
	overflow  bool // an Overflow is waiting in user
	ended     bool // the actor has stopped
	user      fifo
	system    fifo
	essential int // messages of user that do not count against the limit

	// given
	invoker    actor.MessageInvoker
	dispatcher actor.Dispatcher
	empty      func() // process, made once: each time that the actor has something to do needs it
	limit      int
	refuse     RefuseFunc
}

// PostUserMessage implements actor.Mailbox.
func (m *bounded) PostUserMessage(message any) {
	sender, inner := unwrap(message)
	essential := IsEssential(inner)
	i, inline := inner.(Inline)
	inline = inline && i.Inline()
	m.mu.Lock()
	switch {
	case inline && m.idleLocked():
		m.running = true
		m.mu.Unlock()
		m.handle(message)
		return
	case m.ended:
		m.mu.Unlock()
		m.undeliverable(sender)
		return
	case essential:
		m.essential++
	case m.user.length()-m.essential < m.limit:
	case sender != nil:
		m.mu.Unlock()
		m.refuse(sender, inner)
		return
	case m.overflow:
		m.mu.Unlock()
		return
	default:
		m.overflow, message = true, &Overflow{}
		m.essential++
	}
	m.user.push(message)
	m.scheduleAndUnlock()
}

// idleLocked reports whether nothing goes before a message that comes now: with something
// in the queues an actor that is neither suspended nor about to start is running.
func (m *bounded) idleLocked() bool { return m.started && !m.running && !m.suspended && !m.ended }

// handle has the actor handle one message in this goroutine. What comes meanwhile is
// left to the dispatcher.
func (m *bounded) handle(message any) {
	defer func() {
		if r := recover(); r != nil {
			m.invoker.EscalateFailure(r, message)
		}
		m.mu.Lock()
		m.running = false
		m.goOnAndUnlock()
	}()
	m.invoker.InvokeUserMessage(message)
}

func unwrap(message any) (sender *actor.PID, inner any) {
	if e, ok := message.(*actor.MessageEnvelope); ok {
		return e.Sender, e.Message
	}
	return nil, message
}

// PostSystemMessage implements actor.Mailbox. Their number is bounded by the library.
func (m *bounded) PostSystemMessage(message any) {
	m.mu.Lock()
	m.system.push(message)
	m.scheduleAndUnlock()
}

func (m *bounded) scheduleAndUnlock() {
	start := m.started && !m.running
	m.running = m.running || start
	m.mu.Unlock()
	if start {
		m.dispatcher.Schedule(m.empty)
	}
}

// RegisterHandlers implements actor.Mailbox.
func (m *bounded) RegisterHandlers(invoker actor.MessageInvoker, dispatcher actor.Dispatcher) {
	m.invoker, m.dispatcher, m.empty = invoker, dispatcher, m.process
}

// Start implements actor.Mailbox. The actor can be found by its name, and so be
// sent to, before the library gets here.
func (m *bounded) Start() {
	m.mu.Lock()
	m.started = true
	m.goOnAndUnlock()
}

// goOnAndUnlock leaves what waits to the dispatcher.
func (m *bounded) goOnAndUnlock() {
	if m.user.length() == 0 && m.system.length() == 0 {
		m.mu.Unlock()
		return
	}
	m.scheduleAndUnlock()
}

// UserMessageCount implements actor.Mailbox.
func (m *bounded) UserMessageCount() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.user.length()
}

// process is one turn of the actor. After its share of messages it asks for the next
// one, behind all others who wait for theirs: an actor whose queue never gets empty
// would else keep its goroutine for good.
func (m *bounded) process() {
	share := m.dispatcher.Throughput()
	for !m.run(&share) {
		// A message panicked and was escalated; what the supervisor says comes as a
		// system message, so go on reading.
	}
	if share == 0 {
		runtime.Gosched() // other goroutines have waited, too
		m.dispatcher.Schedule(m.empty)
	}
}

// run handles what is in the queues, as far as the share goes; false means that a
// message panicked.
func (m *bounded) run(share *int) (done bool) {
	var message any
	defer func() {
		if r := recover(); r != nil {
			m.invoker.EscalateFailure(r, message)
		}
	}()
	for *share > 0 {
		var system bool
		if message, system = m.next(); message == nil {
			return true
		}
		*share--
		if system {
			m.invoker.InvokeSystemMessage(message)
			m.end()
		} else {
			m.invoker.InvokeUserMessage(message)
		}
	}
	return true
}

// end gives back what an actor that has stopped leaves unread.
func (m *bounded) end() {
	ctx, ok := m.invoker.(actor.Context)
	if !ok {
		return
	}
	if a, ok := ctx.Actor().(Ender); !ok || !a.Ended() {
		return
	}
	m.mu.Lock()
	m.ended = true
	left := m.user
	m.user = fifo{}
	m.mu.Unlock()
	for left.length() > 0 {
		sender, _ := unwrap(left.pop())
		m.undeliverable(sender)
	}
}

func (m *bounded) undeliverable(sender *actor.PID) {
	ctx, ok := m.invoker.(actor.Context)
	if ok && sender != nil {
		ctx.ActorSystem().Root.Send(sender, &actor.DeadLetterResponse{Target: ctx.Self()})
	}
}

// next takes the next message, system messages first; nil when there is none,
// and then the next post schedules again.
func (m *bounded) next() (message any, system bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.system.length() > 0 {
		switch message := m.system.pop().(type) {
		case *actor.SuspendMailbox:
			m.suspended = true
		case *actor.ResumeMailbox:
			m.suspended = false
		default:
			return message, true
		}
	}
	if m.suspended || m.user.length() == 0 {
		m.running = false
		return nil, false
	}
	message = m.user.pop()
	_, inner := unwrap(message)
	if IsEssential(inner) {
		m.essential--
		if _, ok := inner.(*Overflow); ok {
			m.overflow = false
		}
	}
	return message, false
}

// keep is the largest buffer that an empty queue holds on to.
const keep = 4

// fifo is a queue that holds no memory when it has been empty after a burst.
type fifo struct {
	items []any
	head  int
}

func (q *fifo) length() int { return len(q.items) - q.head }

func (q *fifo) push(v any) {
	if q.head > 0 && len(q.items) == cap(q.items) && q.head >= len(q.items)/2 {
		n := copy(q.items, q.items[q.head:])
		clear(q.items[n:])
		q.items, q.head = q.items[:n], 0
	}
	q.items = append(q.items, v)
}

func (q *fifo) pop() any {
	v := q.items[q.head]
	q.items[q.head] = nil
	q.head++
	if q.head == len(q.items) {
		q.head = 0
		if cap(q.items) > keep {
			q.items = nil
		} else {
			q.items = q.items[:0]
		}
	}
	return v
}
