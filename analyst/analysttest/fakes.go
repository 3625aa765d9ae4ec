// Package analysttest contains fakes of the dependencies of a pipeline, so that every provider can be
// tested through the real pipeline.
package analysttest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/google/uuid"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// Message is the record of one message in a Sink.
type Message struct {
	ID      uuid.UUID
	Role    domain.Role
	Text    string
	Deltas  int
	Closed  bool
	Objects []domain.DisplayObject
	// Analyst is the agent that speaks; 0 means the agent of the turn.
	Analyst    int64
	Annotation domain.Annotation
}

// Sink records the output of a pipeline. It is safe for concurrent use.
type Sink struct {
	mu       sync.Mutex
	messages []*Message
	progress []string
	steps    []domain.Step
	usage    []domain.Usage
	alive    int
	// OnDelta, if set before use, is called before a delta is accepted; its error refuses the delta.
	OnDelta func(text string) error
}

var _ analyst.Sink = (*Sink)(nil)

// Open implements analyst.Sink.
func (s *Sink) Open(ctx context.Context, d analyst.Draft) (uuid.UUID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return uuid.Nil, context.Canceled
	}
	m := &Message{
		ID: domain.NewID(), Role: d.Role, Text: d.Text, Closed: d.Text != "", Objects: d.Objects, Analyst: d.AnalystID,
		Annotation: d.Annotation,
	}
	s.messages = append(s.messages, m)
	return m.ID, nil
}

// Delta implements analyst.Sink.
func (s *Sink) Delta(ctx context.Context, id uuid.UUID, text string) error {
	if s.OnDelta != nil {
		if err := s.OnDelta(text); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return context.Canceled
	}
	m, err := s.find(id)
	if err != nil {
		return err
	}
	if m.Closed {
		return fmt.Errorf("delta for the closed message %s", id)
	}
	// The database cannot store such a text, so the pipeline must never send it.
	if !domain.Storable(text) || text == "" {
		return fmt.Errorf("delta that cannot be stored: %q", text)
	}
	m.Text += text
	m.Deltas++
	return nil
}

// Attach implements analyst.Sink.
func (s *Sink) Attach(_ context.Context, o domain.DisplayObject) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.find(o.MessageID)
	if err != nil {
		return err
	}
	m.Objects = append(m.Objects, o)
	return nil
}

// Annotate implements analyst.Sink.
func (s *Sink) Annotate(_ context.Context, id uuid.UUID, a domain.Annotation) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.find(id)
	if err != nil {
		return err
	}
	m.Annotation.Merge(&a)
	return nil
}

// Close implements analyst.Sink.
func (s *Sink) Close(_ context.Context, id uuid.UUID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.find(id)
	if err != nil {
		return err
	}
	if m.Closed {
		return fmt.Errorf("message %s closed twice", id)
	}
	m.Closed = true
	return nil
}

// Alive implements analyst.Sink.
func (s *Sink) Alive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.alive++
}

// Lives returns how often the model was reported to be at work.
func (s *Sink) Lives() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.alive
}

// Progress implements analyst.Sink.
func (s *Sink) Progress(_ context.Context, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress = append(s.progress, text)
	return nil
}

// StepStarted implements analyst.Sink.
func (s *Sink) StepStarted(_ context.Context, step domain.Step) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps = append(s.steps, step)
	return nil
}

// StepFinished implements analyst.Sink.
func (s *Sink) StepFinished(ctx context.Context, step domain.Step, u *domain.Usage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return context.Canceled
	}
	for i := range s.steps {
		if s.steps[i].Number == step.Number {
			s.steps[i] = step
		}
	}
	if u != nil {
		s.usage = append(s.usage, *u)
	}
	return nil
}

// find returns a message. The caller holds the lock.
func (s *Sink) find(id uuid.UUID) (*Message, error) {
	for _, m := range s.messages {
		if m.ID == id {
			return m, nil
		}
	}
	return nil, fmt.Errorf("no message %s", id)
}

// Messages returns the recorded messages.
func (s *Sink) Messages() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Message, 0, len(s.messages))
	for _, m := range s.messages {
		out = append(out, *m)
	}
	return out
}

// Role returns the recorded messages of a role.
func (s *Sink) Role(r domain.Role) []Message {
	var out []Message
	for _, m := range s.Messages() {
		if m.Role == r {
			out = append(out, m)
		}
	}
	return out
}

// Notices returns the recorded progress texts.
func (s *Sink) Notices() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.progress...)
}

// Steps returns the recorded journal.
func (s *Sink) Steps() []domain.Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]domain.Step(nil), s.steps...)
}

// Usage returns the recorded usage.
func (s *Sink) Usage() []domain.Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]domain.Usage(nil), s.usage...)
}

// Files stores bytes in memory. It is safe for concurrent use.
type Files struct {
	mu    sync.Mutex
	bytes map[string][]byte
}

var _ domain.FileStore = (*Files)(nil)

// Put implements domain.FileStore.
func (f *Files) Put(_ context.Context, key, _ string, r io.Reader, limit int64) (int64, error) {
	body, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return 0, fmt.Errorf("read: %w", err)
	}
	if int64(len(body)) > limit {
		return 0, domain.Errorf(domain.CodeTooLarge, "too large")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.bytes == nil {
		f.bytes = make(map[string][]byte)
	}
	f.bytes[key] = body
	return int64(len(body)), nil
}

// Get implements domain.FileStore.
func (f *Files) Get(_ context.Context, key string, offset, _ int64) (io.ReadCloser, error) {
	body, err := f.read(key)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(body[offset:])), nil
}

// Size implements domain.FileStore.
func (f *Files) Size(_ context.Context, key string) (int64, error) {
	body, err := f.read(key)
	return int64(len(body)), err
}

// Delete implements domain.FileStore.
func (f *Files) Delete(_ context.Context, key string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.bytes, key)
	return nil
}

// LocalPath implements domain.FileStore; this store has no paths.
func (f *Files) LocalPath(context.Context, string) (string, error) {
	return "", domain.NotFound("File")
}

// read returns the bytes of a key.
func (f *Files) read(key string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	body, ok := f.bytes[key]
	if !ok {
		return nil, domain.NotFound("File")
	}
	return body, nil
}

// Text returns the text of a stored file; "" if there is no such file.
func (f *Files) Text(key string) string {
	body, err := f.read(key)
	if err != nil {
		return ""
	}
	return string(body)
}
