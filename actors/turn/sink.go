package turn

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
)

// pieceMax is the maximum size of one piece's text in bytes, so that the window also limits a
// model that returns megabytes at once.
const pieceMax = 16 << 10

// roomSize is the size in bytes of a buffer that holds the text of several pieces.
const roomSize = 1 << 10

// sink is the analyst's end of the window. The analyst calls it from one
// goroutine at a time.
type sink struct {
	window *async.Window[protocol.TurnPiece]
	// rest holds the first bytes of a character that two deltas share; nil if that never
	// happened.
	rest map[uuid.UUID]string
	// message and text are the arguments of grow and add, the functions that put passes to
	// the window. They are fields, so that a token needs no allocation.
	message uuid.UUID
	text    string
	grow    func(*protocol.TurnPiece) bool
	add     func([]protocol.TurnPiece) []protocol.TurnPiece
	// room is the buffer of the text of the latest pieces; the text of the last piece ends
	// where the used part of the buffer ends. Text of pieces that were taken stays in it, so
	// that taking copies nothing. The window's lock protects it.
	room strings.Builder
	// spoke says that some text was passed on; the actor reads it.
	spoke async.Switch
	clock clock.Clock
}

var _ analyst.Sink = (*sink)(nil)

func newSink(w *async.Window[protocol.TurnPiece], c clock.Clock) *sink {
	s := &sink{window: w, clock: c}
	s.grow, s.add = s.growText, s.addText
	return s
}

// Open implements analyst.Sink.
func (s *sink) Open(ctx context.Context, d analyst.Draft) (uuid.UUID, error) {
	id := domain.NewID()
	p := protocol.TurnPiece{
		Kind: protocol.PieceOpen, Message: id, Role: d.Role, Objects: d.Objects, AnalystID: d.AnalystID,
		AnalystName: d.AnalystName, Annotation: d.Annotation,
	}
	if d.Text != "" {
		p.Whole, p.Text = true, domain.Clean(d.Text)
	}
	return id, s.window.Put(ctx, p, p.Weight())
}

// Delta implements analyst.Sink. It passes on only whole characters.
func (s *sink) Delta(ctx context.Context, message uuid.UUID, text string) error {
	if len(s.rest) == 0 && len(text) <= pieceMax && domain.Storable(text) {
		// The fast path of nearly every token: whole characters, and no rest before it.
		if text == "" {
			return nil
		}
		return s.put(ctx, message, text)
	}
	if rest, ok := s.rest[message]; ok {
		text = rest + text
		delete(s.rest, message)
	}
	whole := wholeRunes(text)
	if whole < len(text) {
		if s.rest == nil {
			s.rest = make(map[uuid.UUID]string)
		}
		s.rest[message] = text[whole:]
	}
	text = domain.Clean(text[:whole])
	for len(text) > 0 {
		n := min(len(text), pieceMax)
		if n < len(text) {
			n = wholeRunes(text[:n])
		}
		if err := s.put(ctx, message, text[:n]); err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

// Alive implements analyst.Sink: a model that is working is not silent.
func (s *sink) Alive() { s.window.Touch() }

func (s *sink) put(ctx context.Context, message uuid.UUID, text string) error {
	s.message, s.text = message, text
	if s.window.Grow(len(text), s.grow) {
		return nil
	}
	if !s.spoke.On() {
		s.spoke.Set()
	}
	return s.window.Add(ctx, len(text), s.add)
}

// growText appends to the last piece, if it belongs to the same message and the buffer has
// room.
func (s *sink) growText(last *protocol.TurnPiece) bool {
	if last.Kind != protocol.PieceDelta || last.Message != s.message || s.left() < len(s.text) {
		return false
	}
	s.room.WriteString(s.text)
	last.Text = s.room.String()[s.room.Len()-len(last.Text)-len(s.text):]
	return true
}

// left is how many bytes the buffer still has room for.
func (s *sink) left() int { return s.room.Cap() - s.room.Len() }

// addText begins a piece, or moves the last one to a new buffer if its own is full.
func (s *sink) addText(items []protocol.TurnPiece) []protocol.TurnPiece {
	n := len(items)
	grows := n > 0 && items[n-1].Kind == protocol.PieceDelta && items[n-1].Message == s.message
	if !grows {
		items = append(items, protocol.TurnPiece{Kind: protocol.PieceDelta, Message: s.message})
		n++
	}
	last := &items[n-1]
	if s.left() < len(s.text) {
		s.room.Reset()
		s.room.Grow(max(2*len(last.Text)+len(s.text), roomSize))
		s.room.WriteString(last.Text)
	}
	s.growText(last)
	return items
}

// Attach implements analyst.Sink.
func (s *sink) Attach(ctx context.Context, o domain.DisplayObject) error {
	p := protocol.TurnPiece{Kind: protocol.PieceAttach, Message: o.MessageID, Objects: []domain.DisplayObject{o}}
	return s.window.Put(ctx, p, p.Weight())
}

// Annotate implements analyst.Sink.
func (s *sink) Annotate(ctx context.Context, message uuid.UUID, a domain.Annotation) error {
	if a.IsZero() {
		return nil
	}
	p := protocol.TurnPiece{Kind: protocol.PieceAnnotate, Message: message, Annotation: a}
	return s.window.Put(ctx, p, p.Weight())
}

// Close implements analyst.Sink. An incomplete character at the end becomes U+FFFD.
func (s *sink) Close(ctx context.Context, message uuid.UUID) error {
	if rest, ok := s.rest[message]; ok {
		delete(s.rest, message)
		if err := s.put(ctx, message, domain.Clean(rest)); err != nil {
			return err
		}
	}
	return s.window.Put(ctx, protocol.TurnPiece{Kind: protocol.PieceClose, Message: message}, 0)
}

// Progress implements analyst.Sink. Only the latest one counts.
func (s *sink) Progress(ctx context.Context, text string) error {
	p := protocol.TurnPiece{Kind: protocol.PieceProgress, Text: domain.Clean(text)}
	return s.window.Add(ctx, 0, func(items []protocol.TurnPiece) []protocol.TurnPiece {
		if n := len(items); n > 0 && items[n-1].Kind == protocol.PieceProgress {
			items[n-1] = p
			return items
		}
		return append(items, p)
	})
}

// StepStarted implements analyst.Sink.
func (s *sink) StepStarted(ctx context.Context, step domain.Step) error {
	step.Status = domain.StepRunning
	if step.StartedAt.IsZero() {
		step.StartedAt = s.clock.Now()
	}
	p := protocol.TurnPiece{Kind: protocol.PieceStep, Step: &step}
	return s.window.Put(ctx, p, p.Weight())
}

// StepFinished implements analyst.Sink. It returns when the step is durable, so that the
// next steps can rely on it.
func (s *sink) StepFinished(ctx context.Context, step domain.Step, u *domain.Usage) error {
	step.Status = domain.StepFinished
	if step.FinishedAt.IsZero() {
		step.FinishedAt = s.clock.Now()
	}
	durable := async.NewPromise()
	p := protocol.TurnPiece{Kind: protocol.PieceStep, Step: &step, Usage: u, Receipt: durable}
	if err := s.window.Put(ctx, p, p.Weight()); err != nil {
		return err
	}
	return durable.Wait(ctx)
}

// wholeRunes is the length of s without a character that is cut off at its end.
func wholeRunes(s string) int {
	for i := len(s) - 1; i >= 0 && i >= len(s)-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if utf8.FullRuneInString(s[i:]) {
				return len(s)
			}
			return i
		}
	}
	return len(s)
}
