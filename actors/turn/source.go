package turn

import (
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
)

// source is the conversation's end of the window, and the journal's.
type source struct {
	window *async.Window[protocol.TurnPiece]
}

var _ protocol.TurnSource = (*source)(nil)

// Take implements protocol.TurnSource.
func (s *source) Take(to []protocol.TurnPiece) (pieces []protocol.TurnPiece, mark uint64) {
	return s.window.Take(to)
}

// Release implements protocol.TurnSource.
func (s *source) Release(bytes int) { s.window.Release(bytes) }

// Next implements domain.TextSource: it removes and returns the text of the first piece, if
// that belongs to the message and fits. It keeps the slice of the pieces for the next ones:
// nearly all text of a streaming turn takes this route.
func (s *source) Next(c domain.Continuation) (text string) {
	s.window.Pick(c.Mark, func(items []protocol.TurnPiece) []protocol.TurnPiece {
		if len(items) == 0 || items[0].Kind != protocol.PieceDelta || items[0].Message != c.Message || len(items[0].Text) > c.Room {
			return items
		}
		text = items[0].Text
		if len(items) > 1 {
			return items[1:]
		}
		clear(items)
		return items[:0]
	})
	return text
}
