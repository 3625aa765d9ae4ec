package connection

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// frameMax is the maximum size of a client's frame in bytes.
const frameMax = 64 << 10

// clientFrame is a frame as a client may send it. Each number is checked separately: a frame
// with a number out of range is not malformed, but names a place from which the connection
// cannot continue.
type clientFrame struct {
	Type         string        `json:"type"`
	Cursor       *clientCursor `json:"cursor"`
	Conversation string        `json:"conversation"`
	At           *conversation `json:"at"`
}

type clientCursor struct {
	User          *json.Number             `json:"user"`
	Conversations map[string]*conversation `json:"conversations"`
}

type conversation struct {
	Seq        json.Number `json:"seq"`
	Generation json.Number `json:"generation"`
	Message    string      `json:"message"`
	Offset     json.Number `json:"offset"`
}

// parse reads a frame; false means malformed.
func parse(data []byte) (*clientFrame, bool) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' || !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 || deep(data) {
		return nil, false
	}
	var f clientFrame
	if err := json.Unmarshal(data, &f); err != nil || f.Type == "" {
		return nil, false
	}
	return &f, true
}

// depthMax is how deep arrays and objects may be nested; the protocol needs three levels.
const depthMax = 32

// deep reports whether values are nested deeper than depthMax, also in parts of the frame
// that are not read.
func deep(data []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > depthMax {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// never is a seq that no conversation has, so it leads to a reset.
const never = -1

func number(n json.Number) int64 {
	if n == "" {
		return 0
	}
	v, err := n.Int64()
	if err != nil {
		return never
	}
	return v
}

// place reads a client's cursor; nil asks for everything from now on.
func (c *conversation) place() *domain.Cursor {
	if c == nil {
		return nil
	}
	at := &domain.Cursor{Seq: number(c.Seq), Generation: number(c.Generation), Offset: number(c.Offset)}
	if c.Message != "" {
		id, err := uuid.Parse(c.Message)
		if err != nil {
			at.Seq = never
		}
		at.Message = id
	}
	if at.Seq == 0 && at.Message == uuid.Nil && at.Offset == 0 {
		return nil
	}
	return at
}

// fromProtocol reads the cursor of a client of server-sent events.
func fromProtocol(c *protocol.ClientCursor) *clientFrame {
	f := &clientFrame{Type: typeHello, Cursor: &clientCursor{}}
	if c == nil {
		return f
	}
	if c.User != nil {
		n := json.Number(intString(*c.User))
		f.Cursor.User = &n
	}
	for id, at := range c.Conversations {
		if f.Cursor.Conversations == nil {
			f.Cursor.Conversations = make(map[string]*conversation, len(c.Conversations))
		}
		p := &conversation{
			Seq: json.Number(intString(at.Seq)), Generation: json.Number(intString(at.Generation)), Offset: json.Number(intString(at.Offset)),
		}
		if at.Message != uuid.Nil {
			p.Message = at.Message.String()
		}
		f.Cursor.Conversations[id.String()] = p
	}
	return f
}
