package shared

import (
	"context"
	"sync"

	"parley.dev/parley/domain"
)

// Seats counts seats. This node's own count is always enforced; the server adds the counts
// of the other nodes.
type Seats struct{ book *book }

// Take implements domain.SeatKeeper.
func (s *Seats) Take(ctx context.Context, seats ...domain.Seat) (func(), bool) {
	b := s.book
	own, versions, ok := s.reserve(seats)
	if !ok {
		return nil, false
	}
	if b.server == nil || len(seats) == 0 {
		return s.release(seats), true
	}
	taken, err := ask(ctx, b.server, func(ctx context.Context) (int64, error) {
		keys, args := []string{b.server.nodes()}, []any{b.server.offset(), b.server.node, pageKeep.Milliseconds()}
		for i, seat := range seats {
			keys = append(keys, b.server.prefix+seatKey(seat))
			args = append(args, seat.Most, own[i], versions[i])
		}
		return seatScript.Run(ctx, b.server.client, keys, args...).Int64()
	})
	if err == nil && taken == 0 {
		s.giveBack(seats)
		return nil, false
	}
	s.settle(seats, versions, err != nil)
	return s.release(seats), true
}

func seatKey(s domain.Seat) string { return "seat:" + s.Key }

// reserve takes the seats in this process. It returns how many of each this node then
// holds, and the versions of these counts.
func (s *Seats) reserve(seats []domain.Seat) (own []int, versions []uint64, ok bool) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	for _, seat := range seats {
		if p := s.book.pages[seatKey(seat)]; seat.Most == 0 || p != nil && seat.Most > 0 && p.count >= seat.Most {
			return nil, nil, false
		}
	}
	for _, seat := range seats {
		key := seatKey(seat)
		p := s.book.pages[key]
		if p == nil {
			p = &page{}
			s.book.pages[key] = p
		}
		p.count++
		s.book.changedLocked(p)
		own, versions = append(own, p.count), append(versions, p.version)
	}
	return own, versions, true
}

// settle schedules the write of the pages that the script did not write, or that have
// changed since.
func (s *Seats) settle(seats []domain.Seat, versions []uint64, failed bool) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	for i, seat := range seats {
		if p := s.book.pages[seatKey(seat)]; failed || p == nil || p.version != versions[i] {
			s.book.writeLocked(seatKey(seat))
		}
	}
}

func (s *Seats) giveBack(seats []domain.Seat) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	for _, seat := range seats {
		s.book.changeLocked(seatKey(seat), func(p *page) { p.count-- })
	}
}

func (s *Seats) release(seats []domain.Seat) func() {
	return sync.OnceFunc(func() { s.giveBack(seats) })
}
