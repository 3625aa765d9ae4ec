package stream

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

const (
	// cursorMax is the maximum size of a cursor's JSON in bytes. One that follows 200 conversations,
	// each with a message that is being written, has some 30 kB.
	cursorMax = 48 << 10
	// plainMax is the size from which a cursor is compressed: the event id returns in a header, and all
	// headers of a request together may have 16 kB.
	plainMax = 2 << 10
	// compressed is the first character of a compressed event id. It is not in the alphabet of base64.
	compressed = '.'
)

// eventIDs makes event ids. Each write of a stream has one, and a compressor has over half a megabyte of
// tables, so compressors are used again.
type eventIDs struct {
	compressors sync.Pool // of *flate.Writer
}

// appendTo appends the event id with a cursor, which is JSON: in base64, because an id has no line
// breaks, and compressed if it is long.
func (e *eventIDs) appendTo(b, cursor []byte) []byte {
	if len(cursor) > plainMax {
		if small, err := e.compress(cursor); err == nil { // a buffer in memory takes everything
			return base64.RawURLEncoding.AppendEncode(append(b, compressed), small)
		}
	}
	return base64.RawURLEncoding.AppendEncode(b, cursor)
}

func (e *eventIDs) compress(cursor []byte) ([]byte, error) {
	var small bytes.Buffer
	w, ok := e.compressors.Get().(*flate.Writer)
	if ok {
		w.Reset(&small)
	} else {
		var err error
		if w, err = flate.NewWriter(&small, flate.BestSpeed); err != nil {
			return nil, fmt.Errorf("compress an event id: %w", err)
		}
	}
	defer e.compressors.Put(w)
	_, err := w.Write(cursor)
	err = errors.Join(err, w.Close())
	return small.Bytes(), err
}

// cursorOf returns the JSON of the cursor in an event id.
func cursorOf(eventID string) ([]byte, error) {
	rest, isCompressed := strings.CutPrefix(eventID, string(compressed))
	if len(rest) > base64.RawURLEncoding.EncodedLen(cursorMax) {
		return nil, errors.New("an event id is too long")
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(rest, "="))
	if err != nil || !isCompressed {
		return raw, err //nolint:wrapcheck // the caller only asks whether it failed
	}
	// What a few bytes can be expanded to is limited, because the client has made them.
	raw, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(raw)), cursorMax+1))
	if err != nil {
		return nil, fmt.Errorf("expand an event id: %w", err)
	}
	if len(raw) > cursorMax {
		return nil, errors.New("an event id is too long")
	}
	return raw, nil
}

// eventCursor returns the cursor of a client of events: the cursor in its last event id,
// extended by the conversations of the query that are not in it.
func eventCursor(conversations, lastEventID string) (*protocol.ClientCursor, error) {
	cursor := &protocol.ClientCursor{}
	if lastEventID != "" {
		malformed := domain.Invalid("Last-Event-ID", "The event id is not one of this stream")
		raw, err := cursorOf(lastEventID)
		if err != nil {
			return nil, malformed
		}
		if err := json.Unmarshal(raw, cursor); err != nil {
			return nil, malformed
		}
	}
	for entry := range strings.SplitSeq(conversations, ",") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		id, err := uuid.Parse(entry)
		if err != nil {
			return nil, domain.Invalid("conversations", "A conversation's id is not valid")
		}
		if cursor.Conversations == nil {
			cursor.Conversations = map[uuid.UUID]protocol.ConversationCursor{}
		}
		// The position of the event id counts, because it is later than the beginning.
		if _, held := cursor.Conversations[id]; !held {
			cursor.Conversations[id] = protocol.ConversationCursor{}
		}
	}
	if len(cursor.Conversations) > domain.FollowedMax {
		return nil, domain.Invalid("conversations", fmt.Sprintf("At most %d conversations can be followed at once", domain.FollowedMax))
	}
	return cursor, nil
}
