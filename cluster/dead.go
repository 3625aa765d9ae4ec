package cluster

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"syscall"
	"time"

	"parley.dev/parley/domain"
)

// refusal is how long to wait for a suspect node to refuse a connection, or to close it. If its process
// has ended, the machine refuses at once, and a proxy before it closes what it has accepted; a machine
// that is down does not answer, and its lease runs out.
const refusal = 250 * time.Millisecond

// suspectAt is the remaining time of a lease from which on its renewal counts as late: for
// the default lease 4.5 s, which is half a second after the renewal was due.
func (m *membership) suspectAt() time.Duration { return m.lease - m.renewEvery() - m.lease/12 }

// declareDead declares nodes dead and returns the living ones. A node is dead if its lease has ended
// while this node was watching. It is also dead, before the end of its lease, if its process
// has ended: then its renewal is late and its address refuses connections. Both are required,
// so a network that refuses connections never kills a node that still renews. If the node is
// alive after all, its next renewal reports to it that it was declared dead; the fence keeps
// writes safe.
func (m *membership) declareDead(ctx context.Context, members, dead []domain.Member) []domain.Member {
	refusing := m.refusing(ctx, members)
	return slices.DeleteFunc(members, func(x domain.Member) bool {
		ended := slices.ContainsFunc(dead, func(d domain.Member) bool { return d.Node == x.Node })
		if x.Node == m.self.Node || !ended && !refusing[x.Node] {
			return x.Left <= 0
		}
		declared, err := m.store.DeclareDead(ctx, x)
		if err != nil {
			m.log.LogAttrs(ctx, slog.LevelWarn, "the lease of a node that has gone could not be ended", slog.String("node", x.Node),
				slog.Any("error", err))
			return x.Left <= 0
		}
		if declared {
			m.endedEarly.Add(1)
			m.log.LogAttrs(ctx, slog.LevelInfo, "a node has gone: its lease is ended", slog.String("node", x.Node),
				slog.Duration("early", max(x.Left, 0)))
		}
		return declared || x.Left <= 0
	})
}

// refusing returns which of the members whose renewal is late refuse connections. All are asked at
// once, since this node's own renewal waits for it.
func (m *membership) refusing(ctx context.Context, members []domain.Member) map[string]bool {
	var (
		asking sync.WaitGroup
		mu     sync.Mutex
	)
	found := map[string]bool{}
	for _, x := range members {
		if x.Node == m.self.Node || x.Left > m.suspectAt() {
			continue
		}
		asking.Go(func() {
			if refuses(ctx, x.Address) {
				mu.Lock()
				defer mu.Unlock()
				found[x.Node] = true
			}
		})
	}
	asking.Wait()
	return found
}

// refuses reports whether two tries in a row are refused: a proxy may break one connection of a node that lives, and
// a node whose database is slow renews late as well.
func refuses(ctx context.Context, address string) bool {
	for range 2 {
		if !refusesOnce(ctx, address) {
			return false
		}
	}
	return true
}

// refusesOnce reports whether nothing listens at an address whose machine answers, or nothing behind a proxy
// that listens there. A node waits for the first message of a client, so it never closes at once.
func refusesOnce(ctx context.Context, address string) bool {
	d := net.Dialer{Timeout: refusal}
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return errors.Is(err, syscall.ECONNREFUSED)
	}
	defer conn.Close()
	if err := conn.SetReadDeadline(time.Now().Add(refusal)); err != nil { //nolint:forbidigo // a deadline of the system's clock
		return false
	}
	_, err = conn.Read(make([]byte, 1))
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)
}
