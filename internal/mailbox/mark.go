package mailbox

import (
	"sync"
	"sync/atomic"
	"time"
)

// markTime is how long a mark stays at least, after no mailbox is as full any more. It is longer than the usual pause between
// two readings of metrics, so that a short rush is in one of them.
const markTime = 30 * time.Second

// Mark is the most messages that any one of some mailboxes has held lately. To ask thousands of mailboxes at each reading would
// take their locks, and would miss what came and went between two of them.
type Mark struct {
	// most is raised by those who post a message, and lowered only by Lately.
	most atomic.Int64

	// mu guards the fields below: several may read the metrics.
	mu     sync.Mutex
	began  time.Time
	before int64
}

func (m *Mark) note(length int) {
	n := int64(length)
	for {
		most := m.most.Load()
		if n <= most || m.most.CompareAndSwap(most, n) {
			return
		}
	}
}

// Lately is the mark of the last half to whole minute, or since the last reading if that was longer ago.
func (m *Mark) Lately(now time.Time) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now.Sub(m.began) >= markTime {
		m.began, m.before = now, m.most.Swap(0)
	}
	return max(m.before, m.most.Load())
}
