package mailbox

import (
	"runtime"
	"sync"

	"github.com/asynkron/protoactor-go/actor"
)

// Essential marks a message that a full mailbox still accepts, because another
// limit bounds the number of such messages: the answer to a write, of which only
// one is in flight; the end of a subscription; a due timer.
type Essential interface{ Essential() }

// Conditional marks a type of which some messages are essential and others are not.
// IsEssential must always return the same value for one message.
type Conditional interface{ IsEssential() bool }

// IsEssential reports whether a full mailbox still accepts a message.
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

// Overflow tells an actor that its full mailbox has dropped messages that had no
// sender. It takes the place of the first dropped message. While it waits in the
// mailbox, further messages are dropped without another Overflow.
type Overflow struct{}

// Essential implements Essential.
func (*Overflow) Essential() {}

// Ender is an actor that knows when it has stopped (it has received *actor.Stopped).
// Requests that are in its mailbox then, or that are posted later, are answered as
// undeliverable; the library would leave their senders waiting.
type Ender interface{ Ended() bool }

// Inline marks a message that may be handled in the sender's goroutine: if the actor is
// idle, it handles the message before Send returns. That avoids two queues, and the data of
// the message is still in the processor's cache. The sender's goroutine is blocked while
// the message is handled, so this is for short work at the end of a chain, and for senders
// that a dispatcher runs.
type Inline interface{ Inline() bool }

// RefuseFunc answers the sender of a request that found the mailbox full. It is also
// called, with a nil sender, for each message without a sender that is dropped then. It is
// called in the sender's goroutine and must not block.
type RefuseFunc func(sender *actor.PID, message any)

// Bounded makes mailboxes that hold at most limit messages. An idle mailbox holds no
// large buffer.
func Bounded(limit int, refuse RefuseFunc) actor.MailboxProducer {
	return Marked(limit, refuse, nil)
}

// Marked makes mailboxes such as Bounded, whose lengths raise a mark; nil means that nobody asks for it.
func Marked(limit int, refuse RefuseFunc, mark *Mark) actor.MailboxProducer {
	return func() actor.Mailbox { return &bounded{limit: limit, refuse: refuse, mark: mark} }
}

// bounded can be posted to by any goroutine, and is emptied by one goroutine at a time.
type bounded struct {
	// mu guards the fields down to essential. Every post reads them, so they are first and
	// share cache lines.
	mu        sync.Mutex
	started   bool // the library has set the handlers; messages posted before only wait
	running   bool // a goroutine is emptying the queues
	suspended bool // only system messages are handled until a supervisor decides
	overflow  bool // an Overflow is waiting in user
	ended     bool // the actor has stopped
	user      fifo
	system    fifo
	essential int // messages of user that do not count against the limit

	// Set when the mailbox is made and when the handlers are registered.
	invoker    actor.MessageInvoker
	dispatcher actor.Dispatcher
	empty      func() // the method value of process, allocated once and not for each Schedule
	limit      int
	refuse     RefuseFunc
	mark       *Mark // may be nil
}

// PostUserMessage implements actor.Mailbox.
func (m *bounded) PostUserMessage(message any) {
	sender, inner := unwrap(message)
	essential := IsEssential(inner)
	i, inline := inner.(Inline)
	inline = inline && i.Inline()
	dropped := false
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
		m.refuse(nil, inner)
		return
	default:
		dropped = true
		m.overflow, message = true, &Overflow{}
		m.essential++
	}
	m.user.push(message)
	if m.mark != nil {
		m.mark.note(m.user.length())
	}
	m.scheduleAndUnlock()
	if dropped {
		m.refuse(nil, inner)
	}
}

// idleLocked reports whether a message that is posted now can be handled at once. If there
// are messages in the queues, then the actor is running, suspended or not yet started.
func (m *bounded) idleLocked() bool { return m.started && !m.running && !m.suspended && !m.ended }

// handle makes the actor handle one message in this goroutine. Messages that are posted in
// the meantime are left to the dispatcher.
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

// PostSystemMessage implements actor.Mailbox. The library bounds the number of system messages.
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

// Start implements actor.Mailbox. The actor can be found by its name, so messages can be
// posted before the library calls Start.
func (m *bounded) Start() {
	m.mu.Lock()
	m.started = true
	m.goOnAndUnlock()
}

// goOnAndUnlock schedules the mailbox if there are messages in it.
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

// process is one turn of the actor. After its share of messages it schedules the next turn,
// behind all actors that wait for theirs: otherwise an actor whose queue is never empty
// would keep its goroutine for ever.
func (m *bounded) process() {
	share := m.dispatcher.Throughput()
	for !m.run(&share) {
		// The handling of a message panicked, and the panic was escalated. The supervisor's
		// decision is a system message, so continue to read messages.
	}
	if share == 0 {
		runtime.Gosched() // give other goroutines a chance to run
		m.dispatcher.Schedule(m.empty)
	}
}

// run handles messages until the queues are empty or the share is used up; false means that
// the handling of a message panicked.
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

// end answers the requests that a stopped actor leaves unread as undeliverable.
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

// next removes and returns the next message, system messages first. If it returns nil, the
// next post schedules the mailbox again.
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

// keep is the capacity of the largest buffer that an empty queue keeps.
const keep = 4

// fifo is a queue that frees its buffer when it is empty after a burst.
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
