package openai

import (
	"strings"

	"parley.dev/parley/analyst"
)

// tags sorts a model's text into channels by the marks that the pipeline's rules
// ask for: <plan>…</plan> and <summary>…</summary>. A mark may be split between
// chunks, so a tail that could begin one is held back.
type tags struct {
	channel analyst.Channel
	held    string
	fresh   bool // text of the channel has begun; blanks before it are dropped
}

type mark struct {
	text    string
	channel analyst.Channel
}

func marks() []mark {
	return []mark{
		{"<plan>", analyst.ChannelPlan},
		{"</plan>", analyst.ChannelAnswer},
		{"<summary>", analyst.ChannelSummary},
		{"</summary>", analyst.ChannelAnswer},
	}
}

// feed takes text and gives the pieces that are certain.
func (t *tags) feed(text string) []analyst.Piece {
	text = t.held + text
	t.held = ""
	var out []analyst.Piece
	for text != "" {
		at := strings.IndexByte(text, '<')
		if at < 0 {
			return t.piece(out, text)
		}
		out = t.piece(out, text[:at])
		text = text[at:]
		m, whole, maybe := markOf(text)
		switch {
		case whole:
			t.channel, t.fresh = m.channel, false
			text = text[len(m.text):]
		case maybe:
			t.held = text
			return out
		default:
			out = t.piece(out, "<")
			text = text[1:]
		}
	}
	return out
}

// rest gives what was held back, at the end.
func (t *tags) rest() []analyst.Piece {
	held := t.held
	t.held = ""
	return t.piece(nil, held)
}

func (t *tags) piece(out []analyst.Piece, text string) []analyst.Piece {
	if !t.fresh {
		text = strings.TrimLeft(text, " \t\r\n")
	}
	if text == "" {
		return out
	}
	t.fresh = true
	return append(out, analyst.Piece{Channel: t.channel, Text: text})
}

// markOf tells whether a text begins with a mark, or with what may become one.
func markOf(text string) (m mark, whole, maybe bool) {
	for _, m := range marks() {
		if strings.HasPrefix(text, m.text) {
			return m, true, false
		}
		if strings.HasPrefix(m.text, text) {
			maybe = true
		}
	}
	return mark{}, false, maybe
}
