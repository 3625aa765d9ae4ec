package shared

import (
	"context"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"parley.dev/parley/domain"
)

const (
	// hintsMax is the maximum length of the queue to the server, and of the queue to the
	// listeners. A hint that does not fit is dropped. If it was meant for the listeners of
	// this node, they are notified that something was missed.
	hintsMax = 4096
	// hintCheck is how often a silent subscription is checked with a ping.
	hintCheck = time.Second
)

// Hints passes hints over channels of the server that are named after their topics.
type Hints struct {
	server *server
	log    *slog.Logger
	// due and arrived hold at most one signal each: there is something to send to the
	// server, and there is something to deliver to the listeners.
	due, arrived chan struct{}

	// mu guards the fields below it.
	mu        sync.Mutex
	listeners map[domain.HintTopic][]*listener
	// unsubscribed are topics that have listeners but no subscription on the server yet.
	unsubscribed []domain.HintTopic
	// in is the queue to the listeners, out the queue to the server. outIndex is the index
	// in out of the hint with a key. lost is true when hints for the listeners may have
	// been lost.
	in, out  []hint
	outIndex map[hintKey]int
	lost     bool
}

type listener struct{ heard func([]byte) }

type hintKey struct {
	topic domain.HintTopic
	key   string
}

type hint struct {
	topic domain.HintTopic
	data  []byte
}

func newHints(c Config, s *server) *Hints {
	return &Hints{
		server: s, log: c.Logger, due: make(chan struct{}, 1), arrived: make(chan struct{}, 1),
		listeners: map[domain.HintTopic][]*listener{}, outIndex: map[hintKey]int{},
	}
}

// Send implements domain.HintBoard.
func (h *Hints) Send(topic domain.HintTopic, key string, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.arriveLocked(hint{topic, data})
	if h.server == nil || !h.server.up.Load() {
		return
	}
	at := hintKey{topic, key}
	if i, waits := h.outIndex[at]; waits && key != "" {
		h.out[i].data = data
		return
	}
	if len(h.out) >= hintsMax {
		h.server.meter.hintsLost.Inc()
		return
	}
	h.out = append(h.out, hint{topic, data})
	if key != "" {
		h.outIndex[at] = len(h.out) - 1
	}
	signal(h.due)
}

// Listen implements domain.HintBoard.
func (h *Hints) Listen(topic domain.HintTopic, heard func(data []byte)) func() {
	l := &listener{heard: heard}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners[topic] == nil {
		h.unsubscribed = append(h.unsubscribed, topic)
		signal(h.due)
	}
	h.listeners[topic] = append(h.listeners[topic], l)
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		// A copy, because deliver iterates over the old slice without the lock.
		h.listeners[topic] = slices.DeleteFunc(slices.Clone(h.listeners[topic]), func(o *listener) bool { return o == l })
	}
}

// arriveLocked queues a hint for the listeners of this node.
func (h *Hints) arriveLocked(in hint) {
	switch {
	case len(h.listeners[in.topic]) == 0:
		return
	case len(h.in) >= hintsMax:
		h.lost = true
	default:
		h.in = append(h.in, in)
	}
	signal(h.arrived)
}

// missed notifies every listener that hints may have been lost.
func (h *Hints) missed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lost = true
	signal(h.arrived)
}

// deliver calls the listeners until the context ends.
func (h *Hints) deliver(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.arrived:
		}
		h.mu.Lock()
		in, lost := h.in, h.lost
		h.in, h.lost = nil, false
		listeners := make(map[domain.HintTopic][]*listener, len(h.listeners))
		for topic, l := range h.listeners {
			listeners[topic] = l
		}
		h.mu.Unlock()
		if lost {
			for _, list := range listeners {
				h.call(ctx, list, nil)
			}
		}
		for _, i := range in {
			h.call(ctx, listeners[i.topic], i.data)
		}
	}
}

// call calls the listeners one by one; a panic in one does not affect the others.
func (h *Hints) call(ctx context.Context, list []*listener, data []byte) {
	for _, l := range list {
		func() {
			defer func() {
				if r := recover(); r != nil {
					h.log.LogAttrs(ctx, slog.LevelError, "a listener of hints panicked", slog.Any("panic", r),
						slog.String("stack", string(debug.Stack())))
				}
			}()
			l.heard(data)
		}()
	}
}

// flush subscribes to new topics and sends all waiting hints in one round trip. Hints that
// cannot be sent are lost: their receivers find out about the change by other means.
func (h *Hints) flush(ctx context.Context, subscription *redis.PubSub) {
	h.mu.Lock()
	out, unsubscribed := h.out, h.unsubscribed
	h.out, h.unsubscribed = nil, nil
	clear(h.outIndex)
	h.mu.Unlock()
	if len(unsubscribed) > 0 {
		channels := make([]string, 0, len(unsubscribed))
		for _, topic := range unsubscribed {
			channels = append(channels, h.channel(topic))
		}
		// The library subscribes again on each new connection, also after a failure.
		_, err := within(ctx, connectTime, func(ctx context.Context) (int, error) {
			return len(channels), subscription.Subscribe(ctx, channels...)
		})
		if err != nil {
			h.log.LogAttrs(ctx, slog.LevelDebug, "hints were not subscribed to yet", slog.Any("error", err))
		}
	}
	if len(out) == 0 {
		return
	}
	_, err := ask(ctx, h.server, func(ctx context.Context) (int, error) {
		cmds, err := h.server.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for _, o := range out {
				pipe.Publish(ctx, h.channel(o.topic), h.server.node+string(o.data))
			}
			return nil
		})
		return len(cmds), err
	})
	if err != nil {
		h.server.meter.hintsLost.Add(float64(len(out)))
	}
}

func (h *Hints) channel(topic domain.HintTopic) string {
	return h.server.prefix + "hint:" + string(topic)
}

// read receives the hints of other nodes. It never waits for a listener.
func (h *Hints) read(subscription *redis.PubSub) {
	messages := subscription.ChannelWithSubscriptions(
		redis.WithChannelHealthCheckInterval(hintCheck), redis.WithChannelPingTimeout(hintCheck), redis.WithChannelReconnectTimeout(hintCheck))
	for m := range messages {
		switch m := m.(type) {
		case *redis.Subscription:
			// The connection is new: hints that were sent before it are lost.
			h.missed()
		case *redis.Message:
			if from, data, ok := cutNode(m.Payload); ok && from != h.server.node {
				topic := domain.HintTopic(strings.TrimPrefix(m.Channel, h.channel("")))
				h.mu.Lock()
				h.arriveLocked(hint{topic, []byte(data)})
				h.mu.Unlock()
			}
		}
	}
}

// cutNode splits a message into the id of the node that sent it and its data.
func cutNode(payload string) (node, data string, ok bool) {
	const length = 36 // of a UUID
	if len(payload) < length {
		return "", "", false
	}
	return payload[:length], payload[length:], true
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // a signal is already pending
	}
}
