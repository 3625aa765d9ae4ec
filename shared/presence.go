package shared

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// Presence keeps who has which conversation open.
type Presence struct{ book *book }

func presenceKey(conversation uuid.UUID) string { return "present:" + conversation.String() }

// Enter implements domain.Presence.
func (p *Presence) Enter(conversation, person uuid.UUID) func() {
	p.add(conversation, person, 1)
	return sync.OnceFunc(func() { p.add(conversation, person, -1) })
}

func (p *Presence) add(conversation, person uuid.UUID, n int) {
	b, key := p.book, presenceKey(conversation)
	b.mu.Lock()
	defer b.mu.Unlock()
	var before int
	if held := b.pages[key]; held != nil {
		before = held.people[person]
	}
	change := func(held *page) {
		if held.people == nil {
			held.people = map[uuid.UUID]int{}
		}
		if held.people[person] += n; held.people[person] <= 0 {
			delete(held.people, person)
		}
	}
	if before > 0 && before+n > 0 {
		change(b.pages[key]) // another tab of the same person changes nothing for others
		return
	}
	b.changeLocked(key, change)
}

// Present implements domain.Presence.
func (p *Presence) Present(ctx context.Context, conversation uuid.UUID) []uuid.UUID {
	b, key := p.book, presenceKey(conversation)
	people := map[uuid.UUID]struct{}{}
	b.mu.Lock()
	if held := b.pages[key]; held != nil {
		for id := range held.people {
			people[id] = struct{}{}
		}
	}
	b.mu.Unlock()
	for _, text := range b.elsewhere(ctx, key) {
		for id := range strings.FieldsSeq(text) {
			if person, err := uuid.Parse(id); err == nil {
				people[person] = struct{}{}
			}
		}
	}
	all := make([]uuid.UUID, 0, len(people))
	for id := range people {
		all = append(all, id)
	}
	slices.SortFunc(all, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	return all
}

// elsewhere are the fields of a page that other living nodes hold; none while the
// server cannot be asked.
func (b *book) elsewhere(ctx context.Context, key string) []string {
	if b.server == nil {
		return nil
	}
	s := b.server
	fields, err := ask(ctx, s, func(ctx context.Context) ([]string, error) {
		var leases, fields *redis.MapStringStringCmd
		var clock *redis.TimeCmd
		if _, err := s.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			leases, fields, clock = pipe.HGetAll(ctx, s.nodes()), pipe.HGetAll(ctx, s.prefix+key), pipe.Time(ctx)
			return nil
		}); err != nil {
			return nil, err //nolint:wrapcheck // counted, not shown
		}
		var found []string
		now := clock.Val().UnixMilli() + s.offset()
		for node, text := range fields.Val() {
			until, err := strconv.ParseInt(leases.Val()[node], 10, 64)
			if err == nil && until > now && node != s.node {
				_, text, _ = strings.Cut(text, " ") // the version
				found = append(found, text)
			}
		}
		return found, nil
	})
	if err != nil {
		return nil
	}
	return fields
}
