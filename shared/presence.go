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

// Presence records who has which conversation open.
type Presence struct{ book *book }

func presenceKey(conversation uuid.UUID) string { return "present:" + conversation.String() }

// Enter implements domain.Presence.
func (p *Presence) Enter(conversation, person uuid.UUID, told func()) func() {
	p.add(conversation, person, 1, told)
	return sync.OnceFunc(func() { p.add(conversation, person, -1, told) })
}

func (p *Presence) add(conversation, person uuid.UUID, n int, told func()) {
	b, key := p.book, presenceKey(conversation)
	if b.server == nil {
		defer told() // there are no other nodes
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var before int
	if held := b.pages[key]; held != nil {
		before = held.people.Get(person)
	}
	change := func(held *page) {
		held.told = told
		if now := held.people.Get(person) + n; now > 0 {
			held.people.Set(person, now)
		} else {
			held.people.Delete(person)
		}
	}
	if before > 0 && before+n > 0 {
		change(b.pages[key]) // a further tab of the same person: other nodes need not know
		return
	}
	b.changeLocked(key, change)
}

// Present implements domain.Presence, in one round trip.
func (p *Presence) Present(ctx context.Context, conversations ...uuid.UUID) map[uuid.UUID][]uuid.UUID {
	b := p.book
	keys := make([]string, len(conversations))
	for i, c := range conversations {
		keys[i] = presenceKey(c)
	}
	elsewhere := b.elsewhere(ctx, keys)
	present := make(map[uuid.UUID][]uuid.UUID, len(conversations))
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, c := range conversations {
		var people []uuid.UUID
		if held := b.pages[keys[i]]; held != nil {
			for id := range held.people.All() {
				people = append(people, id)
			}
		}
		for _, text := range elsewhere[keys[i]] {
			for id := range strings.FieldsSeq(text) {
				if person, err := uuid.Parse(id); err == nil {
					people = append(people, person)
				}
			}
		}
		slices.SortFunc(people, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
		present[c] = slices.Compact(people)
	}
	return present
}

// elsewhere returns the fields of other nodes with a valid lease, by page. It returns nil
// while the server is away or when the call fails.
func (b *book) elsewhere(ctx context.Context, keys []string) map[string][]string {
	if b.server == nil {
		return nil
	}
	s := b.server
	found, err := ask(ctx, s, func(ctx context.Context) (map[string][]string, error) {
		var leases *redis.MapStringStringCmd
		var clock *redis.TimeCmd
		fields := make([]*redis.MapStringStringCmd, len(keys))
		if _, err := s.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			leases, clock = pipe.HGetAll(ctx, s.nodes()), pipe.Time(ctx)
			for i, key := range keys {
				fields[i] = pipe.HGetAll(ctx, s.prefix+key)
			}
			return nil
		}); err != nil {
			return nil, err //nolint:wrapcheck // counted, not shown
		}
		found := map[string][]string{}
		now := clock.Val().UnixMilli() + s.offset()
		for i, key := range keys {
			for node, text := range fields[i].Val() {
				until, err := strconv.ParseInt(leases.Val()[node], 10, 64)
				if err == nil && until > now && node != s.node {
					_, text, _ = strings.Cut(text, " ") // the version
					found[key] = append(found[key], text)
				}
			}
		}
		return found, nil
	})
	if err != nil {
		return nil // counted
	}
	return found
}
