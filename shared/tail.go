package shared

import (
	"container/list"
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"parley.dev/parley/internal/envelope"
)

const (
	// maxTailEntries is how many entries of a conversation are kept, and maxEntrySize the
	// maximum size of one in bytes. A larger entry is left out: it is read from the store.
	maxTailEntries = 128
	maxEntrySize   = 64 << 10
	// tailKeep is how long the server keeps the tail of a conversation in which nothing
	// is written.
	tailKeep = 10 * time.Minute
	// maxTailBytes is the maximum number of bytes that this process keeps if there is no
	// server, or else that wait to be sent to it.
	maxTailBytes = 16 << 20
)

// Tails keeps the latest entries of conversations, on the server or, without a server, in
// this process. On the server they are encrypted with the keys of the nodes: a person who
// reads the server learns nothing, and one who writes to it cannot forge an entry.
type Tails struct {
	server *server
	keys   *envelope.Ring
	// due holds at most one signal: there is something to send to the server.
	due chan struct{}

	// mu guards the fields below it.
	mu sync.Mutex
	// here is what this process keeps. order has the same entries as *kept, the least
	// recently written one first.
	here  map[uuid.UUID]*list.Element
	order *list.List
	// out is what waits to be sent to the server. bytes is the total size of the entries in
	// here, or in out if there is a server.
	out   map[uuid.UUID]*kept
	bytes int
}

// kept holds entries of a conversation. In out, forget means that the server must delete
// the entries it has from before.
type kept struct {
	conversation uuid.UUID
	entries      [][]byte
	forget       bool
}

func newTails(c Config, s *server) *Tails {
	return &Tails{
		server: s, keys: c.Keys, due: make(chan struct{}, 1),
		here: map[uuid.UUID]*list.Element{}, order: list.New(), out: map[uuid.UUID]*kept{},
	}
}

// Keep implements domain.TailKeeper.
func (t *Tails) Keep(conversation uuid.UUID, entry []byte) {
	if len(entry) > maxEntrySize {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.server == nil:
		t.keepLocked(conversation, entry)
	case t.keys == nil || !t.server.up.Load() || t.bytes+len(entry) > maxTailBytes:
		// The entry is left out: the tail then has a gap, which its readers allow for.
	default:
		k := t.outLocked(conversation)
		k.entries = append(k.entries, entry)
		t.bytes += len(entry)
		signal(t.due)
	}
}

func (t *Tails) keepLocked(conversation uuid.UUID, entry []byte) {
	at := t.here[conversation]
	if at == nil {
		at = t.order.PushBack(&kept{conversation: conversation})
		t.here[conversation] = at
	}
	t.order.MoveToBack(at)
	k, _ := at.Value.(*kept)
	k.entries = append(k.entries, entry)
	t.bytes += len(entry)
	if len(k.entries) > maxTailEntries {
		t.bytes -= len(k.entries[0])
		k.entries[0] = nil
		k.entries = k.entries[1:]
	}
	for t.bytes > maxTailBytes {
		oldest, _ := t.order.Front().Value.(*kept)
		t.dropLocked(oldest.conversation)
	}
}

func (t *Tails) dropLocked(conversation uuid.UUID) {
	at := t.here[conversation]
	if at == nil {
		return
	}
	k, _ := t.order.Remove(at).(*kept)
	delete(t.here, conversation)
	for _, e := range k.entries {
		t.bytes -= len(e)
	}
}

func (t *Tails) outLocked(conversation uuid.UUID) *kept {
	k := t.out[conversation]
	if k == nil {
		k = &kept{conversation: conversation}
		t.out[conversation] = k
	}
	return k
}

// Forget implements domain.TailKeeper.
func (t *Tails) Forget(conversation uuid.UUID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.server == nil {
		t.dropLocked(conversation)
		return
	}
	k := t.outLocked(conversation)
	for _, e := range k.entries {
		t.bytes -= len(e)
	}
	k.entries, k.forget = nil, true
	signal(t.due)
}

// Tail implements domain.TailKeeper.
func (t *Tails) Tail(ctx context.Context, conversation uuid.UUID) [][]byte {
	if t.server == nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		if at := t.here[conversation]; at != nil {
			k, _ := at.Value.(*kept)
			return append([][]byte(nil), k.entries...)
		}
		return nil
	}
	if t.keys == nil {
		return nil
	}
	sealed, err := ask(ctx, t.server, func(ctx context.Context) ([]string, error) {
		return t.server.client.LRange(ctx, t.key(conversation), 0, -1).Result()
	})
	if err != nil {
		return nil // counted; the caller reads from the store instead
	}
	entries := make([][]byte, 0, len(sealed))
	for _, s := range sealed {
		entry, err := t.open(conversation, []byte(s))
		if err != nil {
			t.server.log.LogAttrs(ctx, slog.LevelDebug, "an entry of a tail could not be opened", slog.Any("error", err))
			continue
		}
		entries = append(entries, entry)
	}
	return entries
}

// flush sends everything that waits in one round trip.
func (t *Tails) flush(ctx context.Context) {
	t.mu.Lock()
	out := t.out
	t.out, t.bytes = map[uuid.UUID]*kept{}, 0
	t.mu.Unlock()
	_, err := ask(ctx, t.server, func(ctx context.Context) (int, error) {
		cmds, err := t.server.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for id, k := range out {
				if err := t.queue(ctx, pipe, t.key(id), k); err != nil {
					return err
				}
			}
			return nil
		})
		return len(cmds), err
	})
	if err != nil {
		t.server.log.LogAttrs(ctx, slog.LevelDebug, "tails were not written", slog.Any("error", err))
	}
}

func (t *Tails) queue(ctx context.Context, pipe redis.Pipeliner, key string, k *kept) error {
	if k.forget {
		pipe.Del(ctx, key)
	}
	if len(k.entries) == 0 {
		return nil
	}
	values := make([]any, 0, len(k.entries))
	for _, e := range k.entries[max(0, len(k.entries)-maxTailEntries):] {
		sealed, err := t.seal(k.conversation, e)
		if err != nil {
			return err
		}
		values = append(values, sealed)
	}
	pipe.RPush(ctx, key, values...)
	pipe.LTrim(ctx, key, -maxTailEntries, -1)
	pipe.PExpire(ctx, key, tailKeep)
	return nil
}

func (t *Tails) key(conversation uuid.UUID) string {
	return t.server.prefix + "tail:" + conversation.String()
}

var errTorn = errors.New("it is torn")

// seal encodes an entry as the id of the master key, the data key and the body, each
// preceded by its length. The entry is bound to its conversation.
func (t *Tails) seal(conversation uuid.UUID, entry []byte) ([]byte, error) {
	sealed, err := t.keys.Seal(bound(conversation), entry)
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, part := range [][]byte{[]byte(sealed.KeyID), sealed.WrappedKey, sealed.Body} {
		out = binary.AppendUvarint(out, uint64(len(part)))
		out = append(out, part...)
	}
	return out, nil
}

func (t *Tails) open(conversation uuid.UUID, data []byte) ([]byte, error) {
	var parts [3][]byte
	for i := range parts {
		size, n := binary.Uvarint(data)
		if n <= 0 || size > maxEntrySize*2 || int(size) > len(data)-n {
			return nil, errTorn
		}
		parts[i], data = data[n:n+int(size)], data[n+int(size):]
	}
	return t.keys.Open(bound(conversation), envelope.Sealed{KeyID: string(parts[0]), WrappedKey: parts[1], Body: parts[2]})
}

func bound(conversation uuid.UUID) string { return "tail " + conversation.String() }
