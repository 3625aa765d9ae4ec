package analyst

import (
	"context"
	"unicode/utf8"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// deltaMax is the most bytes of one delta; a vendor's huge chunk is cut into such pieces.
const deltaMax = 16 << 10

// resultText shows what was made where no message stands to show it with.
const resultText = "Here is the result."

// speech turns a model's pieces into messages: one open message at a time, one
// message a channel and step, valid UTF-8 in pieces that can be stored.
type speech struct {
	run     *run
	message uuid.UUID
	open    bool
	channel Channel
	// said is everything spoken on the channel on in this stretch of the turn, replayed
	// steps included; before holds that of the other channels.
	said *domain.Growing
	on   Channel
	// first is the text of the channel that is spoken on first, beside the rest of what
	// each token reads.
	first domain.Growing
	// led counts the bytes spoken so far of what lead has put before messages.
	led int
	// tail is an incomplete character that waits for its rest.
	tail []byte

	// shift is how many bytes a lead has put before the open message's text, and changed
	// says that its text is not byte by byte what the provider gave.
	shift   int
	changed bool

	before map[Channel]*domain.Growing
	// lead is what the next message of a channel begins with, such as the name of a
	// plan's step.
	lead map[Channel]string
	// last is the latest closed message of a channel in this attempt, for late attachments.
	last map[Channel]uuid.UUID
}

func (s *speech) prepare(r *run) {
	s.run, s.last, s.before, s.lead = r, make(map[Channel]uuid.UUID), make(map[Channel]*domain.Growing), make(map[Channel]string)
	s.said = &s.first
}

// all is everything said on a channel; the caller only reads it.
func (s *speech) all(c Channel) *domain.Growing {
	if c == s.on {
		return s.said
	}
	if said := s.before[c]; said != nil {
		return said
	}
	return new(domain.Growing)
}

// keep adds to what was said on a channel and gives all of it.
func (s *speech) keep(c Channel, text string) *domain.Growing {
	if c != s.on {
		said := s.all(c)
		s.before[s.on] = s.said
		s.on, s.said = c, said
	}
	s.said.Append(text)
	return s.said
}

// begin forgets what was said before this stretch of the turn.
func (s *speech) begin() {
	clear(s.before)
	s.first = domain.Growing{}
	s.said = &s.first
	clear(s.lead)
	clear(s.last)
}

// remember takes note of what an earlier attempt had said.
func (s *speech) remember(o *modelOutput) {
	for _, t := range o.Texts {
		s.keep(t.Channel, t.Text)
		delete(s.lead, t.Channel)
	}
}

// say adds text on a channel and returns what was really spoken of it, and with
// it everything that was said on the channel.
func (s *speech) say(ctx context.Context, c Channel, text string) (said string, all *domain.Growing, err error) {
	if s.open && s.channel != c {
		if err := s.close(ctx); err != nil {
			return "", nil, err
		}
	}
	s.channel = c
	whole := s.complete(text)
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
	return whole, s.keep(c, whole), nil
}

// complete gives the text up to its last whole character and keeps the rest back.
func (s *speech) complete(text string) string {
	if len(s.tail) == 0 && domain.Storable(text) {
		return text
	}
	s.changed = true
	b := append(s.tail, text...)
	end := len(b)
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
	s.tail = append([]byte(nil), b[end:]...)
	return domain.Clean(whole)
}

// start opens the message of a channel; the answer and the summary carry the charts made for them.
func (s *speech) start(ctx context.Context, c Channel) error {
	d := s.run.draft(roleOf(c))
	if c == ChannelAnswer || c == ChannelSummary {
		d.Objects = s.run.take(c)
	}
	id, err := s.run.sink.Open(ctx, d)
	if err != nil {
		return wrap(err, "open a message")
	}
	s.open, s.message, s.channel, s.shift, s.changed = true, id, c, 0, false
	if lead := s.lead[c]; lead != "" {
		delete(s.lead, c)
		s.shift = len(lead)
		s.led += len(lead)
		s.run.spoken += len(lead)
		return wrap0(s.run.sink.Delta(ctx, id, lead), "write the answer")
	}
	return nil
}

// close ends the open message as complete.
func (s *speech) close(ctx context.Context) error {
	s.tail = nil
	if !s.open {
		return nil
	}
	s.open = false
	s.last[s.channel] = s.message
	return wrap0(s.run.sink.Close(ctx, s.message), "close a message")
}

// spokenAnswer is the answer that is open, or was spoken last; zero for none.
func (s *speech) spokenAnswer() uuid.UUID {
	if s.open && s.channel == ChannelAnswer {
		return s.message
	}
	return s.last[ChannelAnswer]
}

// annotate tells what a provider says of the answer that is open. Where its text was
// cleaned, or is another message's, its places are not those of the text.
func (s *speech) annotate(ctx context.Context, a domain.Annotation) error {
	if !s.open || s.channel != ChannelAnswer || s.changed {
		return nil
	}
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

// aside says of what was spoken last that it leads to the answer and is not it.
func (s *speech) aside(ctx context.Context) error {
	id := s.spokenAnswer()
	if id == uuid.Nil {
		return nil
	}
	return wrap0(s.run.sink.Annotate(ctx, id, domain.Annotation{Part: domain.PartWorking}), "annotate a message")
}

// attach shows what was made with the answer that is open.
func (s *speech) attach(ctx context.Context) error {
	if !s.open || s.channel != ChannelAnswer {
		return nil
	}
	for _, o := range s.run.take(ChannelAnswer) {
		o.MessageID = s.message
		if err := s.run.sink.Attach(ctx, o); err != nil {
			return wrap(err, "attach a result")
		}
	}
	return nil
}

// end closes the turn's speech. Attachments that no message took go to the last
// answer, or to an answer of their own, so that nothing made is lost.
func (s *speech) end(ctx context.Context) error {
	if err := s.close(ctx); err != nil {
		return err
	}
	for _, o := range s.run.take(ChannelAnswer) {
		id, ok := s.last[ChannelAnswer]
		if !ok {
			d := s.run.draft(domain.RoleAssistant)
			d.Text, d.Objects = resultText, []domain.DisplayObject{o}
			s.led += len(resultText)
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

// cut gives the longest prefix of at most limit bytes that ends between characters.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
