package persistence

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/google/uuid"
)

// textsAtOnce is how many writes of text are answered in one portion: some milliseconds
// of work for those who are told. Of the others, each of which is much more work, each is
// a portion of its own.
const textsAtOnce = 64

// queue are the writes of one kind that are due, oldest first, and the lanes
// that wait for them. Its fields are guarded by Journal.mu.
type queue struct {
	entries []*entry
	ready   sync.Cond
	// flying is how many groups of this kind are under way.
	flying int
}

// dueLocked puts a write where a lane finds it.
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

// worthLocked tells whether one more group shall begin. With one under way it is
// better to gather until a whole group waits: fewer commits carry the same rows.
func (j *Journal) worthLocked(q *queue) bool {
	return len(q.entries) > 0 && (q.flying == 0 || len(q.entries) >= j.cfg.GroupSize)
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
		case j.cfg.Answer == nil:
			j.answer(ctx, group)
		case q == &j.texts:
			j.answerTexts(ctx, group)
		default:
			for one := range slices.Chunk(group, 1) {
				j.cfg.Answer(func() { j.answer(ctx, one) })
			}
		}
		j.mu.Lock()
		q.flying--
		j.mu.Unlock()
	}
}

// answerTexts answers a group of text in portions, of which only a few are out at a
// time: with one alone, who takes them in would wait for the journal each time. One group
// is answered at a time: two at once would both be done as late as the second one is now.
func (j *Journal) answerTexts(ctx context.Context, group []*entry) {
	j.answering.Lock()
	defer j.answering.Unlock()
	for portion := range slices.Chunk(group, textsAtOnce) {
		j.out = append(j.out, j.cfg.Answer(func() { j.answer(ctx, portion) }))
		if len(j.out) == j.cfg.Answers {
			j.out[0](ctx)
			j.out = slices.Delete(j.out, 0, 1)
		}
	}
}

// answer tells a portion of a group what became of it. What is answered makes way for
// the next write of its conversation, what was skipped is tried alone.
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

// next waits for the next group of a queue: the oldest write of each
// conversation that has none under way, in the order of ids, which is the order
// of locks. Nil means that nothing will come any more.
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
	j.waiting -= n
	slices.SortFunc(group, func(a, b *entry) int { return compareIDs(a.write.Conversation, b.write.Conversation) })
	return group
}

// answeredLocked takes an answered write out of its line. Only now is the next
// one of its conversation due, so a write never starts before the last returned.
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

// launchLocked tries parked writes alone, as far as there is room.
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
