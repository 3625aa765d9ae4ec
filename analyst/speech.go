package analyst

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// deltaMax is the maximum number of bytes of one delta; a larger chunk of a vendor is split.
const deltaMax = 16 << 10

// resultText is the text of a message that only shows attachments.
const resultText = "Here is the result."

// speech turns a model's pieces into messages: one open message at a time, one message for each channel
// and step, valid UTF-8 in pieces that can be stored.
type speech struct {
	run     *run
	message uuid.UUID
	open    bool
	channel Channel
	// text is all text of the channel current in this section, with replayed steps; otherTexts has the text of the other
	// channels.
	text    *domain.Growing
	current Channel
	// first is the text of the first channel. It is next to the other fields that each token uses.
	first domain.Growing
	// leadBytes counts the bytes of lead that were shown so far.
	leadBytes int
	// partialRune has the first bytes of an incomplete character.
	partialRune []byte

	// shift is the number of bytes of a lead before the open message's text; changed means that its
	// text differs from the provider's.
	shift   int
	changed bool

	otherTexts map[Channel]*domain.Growing
	// lead is the beginning of the next message of a channel, such as the name of a plan's
	// step.
	lead map[Channel]string
	// last is the latest closed message of a channel in this attempt, for late attachments.
	last map[Channel]uuid.UUID
}

func (s *speech) prepare(r *run) {
	s.run, s.last, s.otherTexts, s.lead = r, make(map[Channel]uuid.UUID), make(map[Channel]*domain.Growing), make(map[Channel]string)
	s.text = &s.first
}

// all returns the whole text of a channel; the caller must only read it.
func (s *speech) all(c Channel) *domain.Growing {
	if c == s.current {
		return s.text
	}
	if said := s.otherTexts[c]; said != nil {
		return said
	}
	return new(domain.Growing)
}

// appendText appends to the text of a channel and returns all of it.
func (s *speech) appendText(c Channel, text string) *domain.Growing {
	if c != s.current {
		said := s.all(c)
		s.otherTexts[s.current] = s.text
		s.current, s.text = c, said
	}
	s.text.Append(text)
	return s.text
}

// begin removes the text from before this section of the turn.
func (s *speech) begin() {
	clear(s.otherTexts)
	s.first = domain.Growing{}
	s.text = &s.first
	clear(s.lead)
	clear(s.last)
}

// restore adds the text of an earlier attempt.
func (s *speech) restore(o *modelOutput) {
	for _, t := range o.Texts {
		s.appendText(t.Channel, t.Text)
		delete(s.lead, t.Channel)
	}
}

// say adds text to a channel. It returns the part of the text that was shown, and all text of the
// channel.
func (s *speech) say(ctx context.Context, c Channel, text string) (said string, all *domain.Growing, err error) {
	// A message has one channel, so another channel begins a new message.
	if s.open && s.channel != c {
		if err := s.close(ctx); err != nil {
			return "", nil, err
		}
	}
	s.channel = c
	whole := s.wholeRunes(text)
	if whole == "" {
		return "", nil, nil
	}
	if s.run.spoken += len(whole); s.run.spoken > s.run.cfg.MaxText {
		return "", nil, errText()
	}
	if !s.open {
		if err := s.start(ctx, c); err != nil {
			return "", nil, err
		}
	}
	for rest := whole; rest != ""; {
		piece := cut(rest, deltaMax)
		rest = rest[len(piece):]
		if err := s.run.sink.Delta(ctx, s.message, piece); err != nil {
			return "", nil, wrap(err, "write the answer")
		}
	}
	return whole, s.appendText(c, whole), nil
}

// wholeRunes returns the text up to its last whole character and keeps the rest for the next piece.
func (s *speech) wholeRunes(text string) string {
	if len(s.partialRune) == 0 && domain.Storable(text) {
		return text
	}
	s.changed = true
	b := append(s.partialRune, text...)
	end := len(b)
	// At most three bytes at the end can be the beginning of a character.
	for back := 1; back < utf8.UTFMax && back <= len(b); back++ {
		first := b[len(b)-back]
		if utf8.RuneStart(first) {
			if !utf8.FullRune(b[len(b)-back:]) {
				end = len(b) - back
			}
			break
		}
	}
	whole := string(b[:end])
	s.partialRune = append([]byte(nil), b[end:]...)
	return domain.Clean(whole)
}

// start opens the message of a channel; the answer and the summary contain the charts that were made
// for them.
func (s *speech) start(ctx context.Context, c Channel) error {
	d := s.run.draft(roleOf(c))
	if c == ChannelAnswer || c == ChannelSummary {
		d.Objects = s.run.attachmentsFor(c)
	}
	id, err := s.run.sink.Open(ctx, d)
	if err != nil {
		return wrap(err, "open a message")
	}
	s.open, s.message, s.channel, s.shift, s.changed = true, id, c, 0, false
	if lead := s.lead[c]; lead != "" {
		delete(s.lead, c)
		s.shift = len(lead)
		s.leadBytes += len(lead)
		s.run.spoken += len(lead)
		return wrap0(s.run.sink.Delta(ctx, id, lead), "write the answer")
	}
	return nil
}

// close ends the open message as complete.
func (s *speech) close(ctx context.Context) error {
	s.partialRune = nil
	if !s.open {
		return nil
	}
	s.open = false
	s.last[s.channel] = s.message
	return wrap0(s.run.sink.Close(ctx, s.message), "close a message")
}

// answerMessage returns the id of the open answer, or of the last one; the zero id if there is none.
func (s *speech) answerMessage() uuid.UUID {
	if s.open && s.channel == ChannelAnswer {
		return s.message
	}
	return s.last[ChannelAnswer]
}

// annotate adds a provider's annotation to the open answer. It is dropped if the text was
// cleaned or belongs to another message, because its offsets would be wrong.
func (s *speech) annotate(ctx context.Context, a domain.Annotation) error {
	if !s.open || s.channel != ChannelAnswer || s.changed {
		return nil
	}
	if err := a.Validate(); err != nil {
		return fmt.Errorf("annotate the answer: %w", err)
	}
	s.run.gradeGiven = s.run.gradeGiven || a.Grade != domain.GradeUnsaid
	// Offsets count from the beginning of the message, and the lead comes before the model's text.
	if a.CaveatsAt > 0 {
		a.CaveatsAt += s.shift
	}
	figures := make([]domain.Figure, len(a.Figures))
	for i, f := range a.Figures {
		f.Start, f.End = f.Start+s.shift, f.End+s.shift
		figures[i] = f
	}
	a.Figures = figures
	return wrap0(s.run.sink.Annotate(ctx, s.message, a), "annotate the answer")
}

// markWorking marks the last message as work that leads to the answer.
func (s *speech) markWorking(ctx context.Context) error {
	id := s.answerMessage()
	if id == uuid.Nil {
		return nil
	}
	return wrap0(s.run.sink.Annotate(ctx, id, domain.Annotation{Part: domain.PartWorking}), "annotate a message")
}

// attach adds the waiting attachments to the open answer.
func (s *speech) attach(ctx context.Context) error {
	if !s.open || s.channel != ChannelAnswer {
		return nil
	}
	for _, o := range s.run.attachmentsFor(ChannelAnswer) {
		o.MessageID = s.message
		if err := s.run.sink.Attach(ctx, o); err != nil {
			return wrap(err, "attach a result")
		}
	}
	return nil
}

// end closes the turn's messages. Attachments that are in no message are added to the last answer, or
// to a new one, so that none is lost.
func (s *speech) end(ctx context.Context) error {
	if err := s.close(ctx); err != nil {
		return err
	}
	for _, o := range s.run.attachmentsFor(ChannelAnswer) {
		id, ok := s.last[ChannelAnswer]
		if !ok {
			d := s.run.draft(domain.RoleAssistant)
			d.Text, d.Objects = resultText, []domain.DisplayObject{o}
			s.leadBytes += len(resultText)
			if _, err := s.run.sink.Open(ctx, d); err != nil {
				return wrap(err, "open a message")
			}
			continue
		}
		o.MessageID = id
		if err := s.run.sink.Attach(ctx, o); err != nil {
			return wrap(err, "attach a result")
		}
	}
	return nil
}

// roleOf maps a channel to the role that shows it.
func roleOf(c Channel) domain.Role {
	switch c {
	case ChannelPlan:
		return domain.RoleCoordinator
	case ChannelSummary:
		return domain.RoleSummary
	case ChannelAnswer:
		return domain.RoleAssistant
	default:
		return domain.RoleInternal
	}
}

// cut returns the longest prefix of at most limit bytes that ends between characters.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
