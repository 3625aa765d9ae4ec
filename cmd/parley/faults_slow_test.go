package main

// The fault of a database whose commits are slow.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"parley.dev/parley/internal/proxytest"
)

const (
	// slowCommit is how long a commit takes. The row permits text that is 3 s old. A conversation has one write under way
	// (its text would have a gap if the second of two were stored alone), so text that comes just after a write has begun
	// waits for two commits: that is the most, with half a second for all the rest.
	slowCommit = 2 * time.Second
	lagMost    = 2*slowCommit + 500*time.Millisecond
	// memoryMore is how many more bytes a node may use meanwhile.
	memoryMore = 300 << 20
)

// slowCommits lets each commit take 2 s, also of the statements that commit by themselves. Text is shown late, but never
// before it is stored, and what waits for its commit does not fill the memory.
func slowCommits(ctx context.Context, l *load, _ *rand.Rand) error {
	d := lasting(20*time.Second, time.Minute)
	p, err := newProbe(ctx, l, d, false)
	if err != nil {
		return err
	}
	before := map[string]int64{}
	first, err := l.sample(ctx)
	if err != nil {
		return err
	}
	for _, s := range first {
		before[s.Node] = s.Resident
	}
	for _, m := range l.members {
		m.database.Set(proxytest.Rules{SlowCommits: slowCommit})
	}
	for until := time.Now().Add(d); time.Now().Before(until); wait(ctx, 500*time.Millisecond) {
		now, failed := l.sample(ctx)
		// The other fault of a pair may have killed a process while it was read.
		if !errors.Is(failed, os.ErrNotExist) {
			err = errors.Join(err, failed)
		}
		for _, s := range now {
			if more := s.Resident - before[s.Node]; more > memoryMore {
				err = errors.Join(err, fmt.Errorf("node %s uses %d bytes more than before", s.Node, more))
			}
		}
		err = errors.Join(err, l.shownIsStored(ctx, p))
		if err != nil {
			break
		}
	}
	err = errors.Join(err, p.judge(lagMost))
	for _, m := range l.members {
		m.database.Set(proxytest.Rules{})
	}
	return err
}

// shownIsStored compares what the readers of a probe were shown with what the database has at a later moment.
func (l *load) shownIsStored(ctx context.Context, p *probe) error {
	for _, k := range p.talks {
		shown := map[string]int64{}
		for _, line := range l.recorder.History().Lines {
			f := line.Frame
			if f != nil && f.Type == "message.delta" && f.Stream == k.id.String() && strings.HasPrefix(f.Client, "reader-") {
				shown[f.Message] = max(shown[f.Message], f.Offset+int64(len(f.Text)))
			}
		}
		for id, bytes := range shown {
			stored := int64(0)
			if err := l.db.QueryRow(ctx, "SELECT greatest((SELECT octet_length(text) FROM message WHERE id = $1), "+
				"(SELECT max(byte_offset + octet_length(text)) FROM message_chunk WHERE message_id = $1), 0)", id).Scan(&stored); err != nil {
				return fmt.Errorf("read what is stored: %w", err)
			}
			if stored < bytes {
				return fmt.Errorf("%d bytes of message %s were shown, and %d are stored", bytes, id, stored)
			}
		}
	}
	return nil
}
