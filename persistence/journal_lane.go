package persistence

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/google/uuid"
)

// textsAtOnce is how many writes of text are answered in one portion: some milliseconds of
// work for their conversations. Every other write, which is much more work, is its own
// portion.
const textsAtOnce = 64

// queue has the writes of one kind that are due, oldest first, and counts their groups in
// flight. Its fields are guarded by Journal.mu.
type queue struct {
	entries []*entry
	ready   sync.Cond
	// flying is how many groups of this kind are in flight.
	flying int
	// pacer determines when the next group may begin; others have no pace.
	pacer pacer
}

// dueLocked queues a write for the lanes.
func (j *Journal) dueLocked(e *entry) {
	q := &j.others
	if e.text {
		q = &j.texts
	}
	q.entries = append(q.entries, e)
	if j.worthLocked(q) {
		q.ready.Signal()
	}
}

// worthLocked reports whether one more group should begin. While one is in flight it is better
// to wait for a whole group, because fewer commits write the same rows, unless that one is slow.
func (j *Journal) worthLocked(q *queue) bool {
	switch n := len(q.entries); {
	case n == 0:
		return false
	case n >= j.cfg.GroupSize:
		return true
	case q.flying > 0:
		return q.pacer.slow(func() { j.wake(q, &q.pacer.watched) })
	default:
		return j.stopped || q.pacer.rested(func() { j.wake(q, &q.pacer.armed) })
	}
}

// lane commits group after group of a queue until the journal has stopped and
// everything is answered.
func (j *Journal) lane(ctx context.Context, q *queue) {
	for {
		group := j.next(q)
		if group == nil {
			return
		}
		j.commit(ctx, group)
		switch {
		case j.cfg.Deliver == nil:
			j.answer(ctx, group)
		case q == &j.texts:
			j.answerTexts(ctx, group)
		default:
			for one := range slices.Chunk(group, 1) {
				j.cfg.Deliver(func() { j.answer(ctx, one) })
			}
		}
		j.mu.Lock()
		q.flying--
		j.mu.Unlock()
	}
}

// answerTexts answers a group of text in portions. Several portions are in flight at a time,
// because with one the actors would wait for the journal after each. Only one group is
// answered at a time: two at once would both end as late as the second one does now.
func (j *Journal) answerTexts(ctx context.Context, group []*entry) {
	j.answering.Lock()
	defer j.answering.Unlock()
	for portion := range slices.Chunk(group, textsAtOnce) {
		j.out = append(j.out, j.cfg.Deliver(func() { j.answer(ctx, portion) }))
		if len(j.out) == j.cfg.MaxDelivering {
			j.out[0](ctx)
			j.out = slices.Delete(j.out, 0, 1)
		}
	}
}

// answer calls the callbacks of a portion of a group. After its answer the next write of a
// conversation becomes due; a skipped write is tried alone.
func (j *Journal) answer(ctx context.Context, portion []*entry) {
	for _, e := range portion {
		if !e.result.skipped {
			e.done(e.result.WriteResult)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range portion {
		if e.result.skipped {
			j.parked = append(j.parked, e)
		} else {
			j.answeredLocked(e)
		}
	}
	j.launchLocked(ctx)
}

// next waits for the next group of a queue: the oldest writes that are due, at most one for
// each conversation, in the order of ids, which is the order of locks. Nil means that the
// journal has ended.
func (j *Journal) next(q *queue) []*entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	for !j.worthLocked(q) {
		if j.stopped && j.open == 0 {
			return nil
		}
		q.ready.Wait()
	}
	n := min(len(q.entries), j.cfg.GroupSize)
	group := slices.Clone(q.entries[:n])
	rest := copy(q.entries, q.entries[n:])
	clear(q.entries[rest:])
	q.entries = q.entries[:rest]
	q.flying++
	q.pacer.begin()
	j.waiting -= n
	slices.SortFunc(group, func(a, b *entry) int { return compareIDs(a.write.Conversation, b.write.Conversation) })
	return group
}

// answeredLocked removes an answered write from its line. Only now the next write of its
// conversation becomes due, so a write never starts before the last one has ended.
func (j *Journal) answeredLocked(e *entry) {
	j.open--
	if e.next != nil {
		j.dueLocked(e.next)
	} else {
		delete(j.lines, e.conversation)
	}
	*e = entry{}
	j.entries.Put(e)
	if j.open == 0 && j.stopped {
		j.wakeLocked()
	}
}

func (j *Journal) wakeLocked() {
	j.texts.ready.Broadcast()
	j.others.ready.Broadcast()
}

// launchLocked starts parked writes, up to the limit of Alone.
func (j *Journal) launchLocked(ctx context.Context) {
	for len(j.parked) > 0 && j.trying < j.cfg.Alone {
		e := j.parked[0]
		j.parked = j.parked[1:]
		j.trying++
		j.alone.Go(func() {
			j.commitAlone(ctx, e)
			e.done(e.result.WriteResult)
			j.mu.Lock()
			defer j.mu.Unlock()
			j.trying--
			j.answeredLocked(e)
			j.launchLocked(ctx)
		})
	}
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
