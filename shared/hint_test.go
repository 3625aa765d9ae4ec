package shared_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

const topic = domain.HintTopic("topic")

func TestHints(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		var here, there, another heard
		stop := b.nodes[0].Hints.Listen(topic, here.hear)
		b.nodes[1].Hints.Listen(topic, there.hear)
		b.nodes[0].Hints.Listen("another", another.hear)
		// The subscription is made some time after Listen; until then nothing is received.
		eventually(t, "hints of the other node are received", func() bool {
			b.nodes[0].Hints.Send(topic, "", []byte("begin"))
			return there.count("begin") > 0
		})
		eventually(t, "and hints of the second node on the first", func() bool {
			b.nodes[1].Hints.Send(topic, "", []byte("begin too"))
			return here.count("begin too") > 0
		})
		for i := range 100 {
			b.nodes[1].Hints.Send(topic, "", []byte(strconv.Itoa(i)))
		}
		eventually(t, "all are received on both nodes", func() bool { return here.count("99") == 1 && there.count("99") == 1 })
		for i := range 100 {
			require.Equal(t, 1, here.count(strconv.Itoa(i)))
			require.Equal(t, 1, there.count(strconv.Itoa(i)))
		}
		stop()
		b.nodes[1].Hints.Send(topic, "", []byte("after"))
		eventually(t, "the other listener still receives hints", func() bool { return there.count("after") == 1 })
		require.Zero(t, here.count("after"), "a stopped listener receives nothing")
		require.Zero(t, another.count("begin")+another.count("after"), "nor does a listener of another topic")
	})
}

// heard records what a listener received.
type heard struct {
	mu   sync.Mutex
	said []string
}

func (h *heard) hear(data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said = append(h.said, string(data))
}

func (h *heard) count(what string) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.said {
		if s == what {
			n++
		}
	}
	return n
}

func TestHints_Missed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		if !b.shares {
			t.Skip("nothing is lost within a process")
		}
		var h heard
		b.nodes[0].Hints.Listen(topic, h.hear)
		eventually(t, "the subscription is new, so the listener is told that hints may have been missed", func() bool { return h.count("") > 0 })
	})
}

func TestHints_Panic(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		var h heard
		b.nodes[0].Hints.Listen(topic, func([]byte) { panic("a fault of the listener") })
		b.nodes[0].Hints.Listen(topic, h.hear)
		b.nodes[0].Hints.Send(topic, "", []byte("one"))
		eventually(t, "the other listener still receives it", func() bool { return h.count("one") == 1 })
	})
}
