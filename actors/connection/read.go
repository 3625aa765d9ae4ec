package connection

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/logctx"
)

const (
	// replayMax is the maximum number of events that are replayed; a client that is farther
	// behind must fetch the conversation.
	replayMax = 5000
	readPage  = 500
	readLimit = 10 * time.Second
)

// read replays, from the store, up to the owner's head for a client that is farther behind
// than the owner's memory. Frames that are published meanwhile wait.
func (a *Actor) read(ctx actor.Context, s *subscription, msg *protocol.Subscription) {
	s.stage = reading
	from, ticket := s.at(), s.ticket
	var entries []protocol.Entry
	follows := true
	async.Run(context.Background(), ctx, readLimit, func(c context.Context) (err error) {
		entries, follows, err = replay(c, a.c.Store, s.id, from, msg)
		return err
	}, func(err error) {
		if a.phase != open || a.subs.Get(s.id) != s || s.ticket != ticket {
			return
		}
		switch {
		case err != nil:
			a.c.Logger.LogAttrs(context.Background(), slog.LevelWarn, "a log could not be read", slog.Any("error", err), logctx.Conversation(s.id))
			a.detach(ctx, s)
			a.retry(ctx, s)
			return
		case !follows:
			a.reset(s, msg)
		default:
			for i := range entries {
				entries[i].Encode(s.id)
			}
			a.catchUp(s, msg, entries)
		}
		buffer := s.buffer
		s.buffer, s.held = nil, 0
		for _, p := range buffer {
			if s.stage == live {
				a.deliver(ctx, s, p)
			}
		}
		a.full(ctx)
	})
}

// replay reads the entries from a cursor to the owner's head: the events, and the text of
// each message before the event that ends it. If it returns false, the client cannot continue
// from this cursor.
func replay(
	ctx context.Context, store domain.ConversationStore, conversation uuid.UUID, from *domain.Cursor, msg *protocol.Subscription,
) (entries []protocol.Entry, follows bool, err error) {
	if from == nil || msg.Head-from.Seq > replayMax {
		return nil, false, nil
	}
	var seen []uuid.UUID
	text := func(id uuid.UUID, length, generation int64) (bool, error) {
		seen = append(seen, id)
		whole, err := store.OpenText(ctx, conversation, id, 0)
		if err != nil {
			return false, err
		}
		offset := openAt(from, id)
		if length > int64(len(whole)) || offset < 0 || offset > length || offset < length && !utf8.RuneStart(whole[offset]) {
			return false, nil
		}
		if offset < length {
			entries = append(entries, protocol.Entry{
				Kind: protocol.EntryDelta, Epoch: msg.Epoch, Generation: generation, Message: id, Offset: offset, Text: whole[offset:length],
			})
		}
		return true, nil
	}
	for after := from.Seq; after < msg.Head; {
		page, err := store.Events(ctx, conversation, after, readPage)
		if err != nil {
			return nil, false, err
		}
		if len(page) == 0 || page[0].Seq != after+1 {
			return nil, false, nil
		}
		for i := range page {
			e := &page[i]
			after = e.Seq
			if e.Seq > msg.Head {
				break
			}
			if end, ok := messageEnd(e); ok {
				if ok, err := text(end.ID, end.Length, e.Generation); err != nil || !ok {
					return nil, false, err
				}
			}
			entries = append(entries, protocol.Entry{
				Kind: protocol.EntryEvent, Seq: e.Seq, Epoch: msg.Epoch, Generation: e.Generation, Event: e,
			})
		}
	}
	for _, o := range msg.Open {
		if ok, err := text(protocol.ID(o.Message), o.Offset, msg.Generation); err != nil || !ok {
			return nil, false, err
		}
	}
	return entries, names(from, seen), nil
}

// messageEnd reads the event that ends a streamed message.
func messageEnd(e *domain.Event) (protocol.MessageEnd, bool) {
	var end protocol.MessageEnd
	if e.Type != domain.EventMessageUpdated || json.Unmarshal(e.Data, &end) != nil || end.Status == "" {
		return end, false
	}
	return end, true
}
