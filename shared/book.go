package shared

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/internal/few"
)

const (
	// pageKeep is how long the server keeps a page that is not written. This node rewrites
	// the pages on which it holds something every rewriteEvery.
	pageKeep     = time.Hour
	rewriteEvery = 20 * time.Minute
	// pagesAtOnce is the maximum number of pages written in one round trip.
	pagesAtOnce = 200
)

// book records what this node holds, page by page: how many seats, and which people. On
// the server each page is a hash with one field per node. Only that node writes its field,
// always the complete value with a version. So the next write repairs one that was lost,
// was overtaken, or has an unknown outcome. The fields of a node whose lease has ended are
// ignored.
type book struct {
	server *server
	// due holds at most one signal: a page must be written.
	due chan struct{}

	// mu guards the fields below it; it is taken when a socket is opened or closed.
	mu    sync.Mutex
	pages map[string]*page
	dirty map[string]struct{}
	// changes counts all changes since the start. The version of a page is the value of
	// changes at the page's last change.
	changes uint64
}

// page is what this node holds under one key.
type page struct {
	count   int
	people  few.Map[uuid.UUID, int] // how many times each has entered
	version uint64
	// told is called after each write of the page, also after one that repeats it because the server may have lost it; nil for
	// none.
	told func()
}

func newBook(s *server) *book {
	return &book{server: s, due: make(chan struct{}, 1), pages: map[string]*page{}, dirty: map[string]struct{}{}}
}

// text returns the value of this node's field for the page; empty if it holds nothing.
func (p *page) text() string {
	switch {
	case p == nil:
		return ""
	case p.people.Len() > 0:
		ids := make([]string, 0, p.people.Len())
		for id := range p.people.All() {
			ids = append(ids, id.String())
		}
		slices.Sort(ids)
		return strings.Join(ids, " ")
	case p.count > 0:
		return strconv.Itoa(p.count)
	default:
		return ""
	}
}

// changeLocked changes a page, which it creates if needed, and schedules its write.
func (b *book) changeLocked(key string, do func(*page)) {
	p := b.pages[key]
	if p == nil {
		p = &page{}
		b.pages[key] = p
	}
	do(p)
	b.changedLocked(p)
	b.writeLocked(key)
}

func (b *book) changedLocked(p *page) {
	b.changes++
	p.version = b.changes
}

// writeLocked schedules the write of a page.
func (b *book) writeLocked(key string) {
	if b.server == nil {
		b.forgetLocked(key)
		return
	}
	b.dirty[key] = struct{}{}
	select {
	case b.due <- struct{}{}:
	default: // a signal is already pending
	}
}

// forgetLocked deletes a page that holds nothing any more.
func (b *book) forgetLocked(key string) {
	if p := b.pages[key]; p != nil && p.count <= 0 && p.people.Len() == 0 {
		delete(b.pages, key)
	}
}

// rewrite schedules the write of every page, because the server may have lost them.
func (b *book) rewrite() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key := range b.pages {
		b.writeLocked(key)
	}
}

// written is a page that is being written to the server.
type written struct {
	key, text string
	version   uint64
}

// flush writes the dirty pages in batches. While the server is away, nothing is written
// and nothing is forgotten: when it is back, everything is written again.
func (b *book) flush(ctx context.Context) {
	for ctx.Err() == nil {
		batch := b.next()
		if len(batch) == 0 {
			return
		}
		_, err := ask(ctx, b.server, func(ctx context.Context) (int64, error) {
			keys, args := make([]string, 0, len(batch)), make([]any, 0, 3+2*len(batch))
			args = append(args, b.server.offset(), b.server.node, pageKeep.Milliseconds())
			for _, w := range batch {
				keys, args = append(keys, b.server.prefix+w.key), append(args, w.version, w.text)
			}
			return writeScript.Run(ctx, b.server.client, keys, args...).Int64()
		})
		told := b.wrote(batch, err == nil)
		for _, tell := range told {
			tell()
		}
		if err != nil {
			b.server.log.LogAttrs(ctx, slog.LevelDebug, "what this node holds was not written", slog.Any("error", err))
			return
		}
	}
}

// next takes the next batch of dirty pages.
func (b *book) next() []written {
	b.mu.Lock()
	defer b.mu.Unlock()
	var batch []written
	for key := range b.dirty {
		w := written{key: key, text: b.pages[key].text(), version: b.changes}
		if p := b.pages[key]; p != nil {
			w.version = p.version
		}
		batch = append(batch, w)
		delete(b.dirty, key)
		if len(batch) == pagesAtOnce {
			break
		}
	}
	return batch
}

// wrote records whether the write of a batch succeeded, and returns what must be called after it. A page that has changed in the
// meantime is scheduled again.
func (b *book) wrote(batch []written, ok bool) (told []func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range batch {
		p := b.pages[w.key]
		switch {
		case p == nil:
			continue
		case !ok:
			b.dirty[w.key] = struct{}{}
			continue
		case p.version != w.version:
			b.writeLocked(w.key)
		default:
			b.forgetLocked(w.key)
		}
		if p.told != nil {
			told = append(told, p.told)
		}
	}
	return told
}
