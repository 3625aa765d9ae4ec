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
)

const (
	// pageKeep is how long the server keeps a page that nobody writes to; those that
	// this node holds something of are written again every rewriteEvery.
	pageKeep     = time.Hour
	rewriteEvery = 20 * time.Minute
	// pagesAtOnce go to the server in one round trip.
	pagesAtOnce = 200
)

// book is what this node holds, page by page: how many seats, and which people. On the
// server each page is a hash with a field for each node, which the node alone writes,
// always whole and with a version. So a write that was lost or overtaken, or whose
// outcome is unknown, is mended by the next one, and a node that is gone is passed over
// by its lease.
type book struct {
	server *server
	// due has room for one: something is to be written.
	due chan struct{}

	// mu guards what stands below it; sockets take it when they come and go.
	mu    sync.Mutex
	pages map[string]*page
	dirty map[string]struct{}
	// changes are those since the start: the version of a page is that of its last one.
	changes uint64
}

// page is what this node holds under one key.
type page struct {
	count   int
	people  map[uuid.UUID]int // how many times each has entered
	version uint64
}

func newBook(s *server) *book {
	return &book{server: s, due: make(chan struct{}, 1), pages: map[string]*page{}, dirty: map[string]struct{}{}}
}

// text is the node's field of a page; empty where it holds nothing.
func (p *page) text() string {
	switch {
	case p == nil:
		return ""
	case len(p.people) > 0:
		ids := make([]string, 0, len(p.people))
		for id := range p.people {
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

// changeLocked changes a page and has it written; the page is made where there is none.
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

// writeLocked has a page written soon.
func (b *book) writeLocked(key string) {
	if b.server == nil {
		b.forgetLocked(key)
		return
	}
	b.dirty[key] = struct{}{}
	select {
	case b.due <- struct{}{}:
	default: // it is due already
	}
}

// forgetLocked drops a page on which nothing is left.
func (b *book) forgetLocked(key string) {
	if p := b.pages[key]; p != nil && p.count <= 0 && len(p.people) == 0 {
		delete(b.pages, key)
	}
}

// rewrite has every page written again: the server may have lost them.
func (b *book) rewrite() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key := range b.pages {
		b.writeLocked(key)
	}
}

// written is one page on its way to the server.
type written struct {
	key, text string
	version   uint64
}

// flush writes what is due, some pages at a time. While the server is away nothing is
// written and nothing is forgotten: when it is back, everything is written again.
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
		if !b.wrote(batch, err == nil) {
			b.server.log.LogAttrs(ctx, slog.LevelDebug, "what this node holds was not written", slog.Any("error", err))
			return
		}
	}
}

// next takes some pages that are due.
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

// wrote notes how a batch went. A page that has changed meanwhile is due again.
func (b *book) wrote(batch []written, well bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range batch {
		p := b.pages[w.key]
		switch {
		case p == nil:
		case !well:
			b.dirty[w.key] = struct{}{}
		case p.version != w.version:
			b.writeLocked(w.key)
		default:
			b.forgetLocked(w.key)
		}
	}
	return well
}
