package openai

import (
	"strings"

	"parley.dev/parley/analyst"
)

// tags sorts a model's text into channels by the marks that the pipeline's rules ask for:
// <plan>…</plan> and <summary>…</summary>. It drops the text in <think>…</think> and similar marks,
// which contains a model's thinking if the server has no parser for it. Marks may be in any case. A
// mark may be split between chunks, so the end of a text that could be the beginning of a mark is held
// back.
type tags struct {
	channel analyst.Channel
	// thinks is the mark that ends the current thinking; empty outside of thinking.
	thinks string
	held   string
	fresh  bool // text of the channel has begun; blanks before it are dropped
}

// mark is one of the marks. ends is the end mark of the thinking that the mark begins.
type mark struct {
	text    string
	channel analyst.Channel
	ends    string
}

// marks lists the marks. Their order does not matter, because none is the beginning of another.
func marks() []mark {
	return []mark{
		{"<plan>", analyst.ChannelPlan, ""},
		{"</plan>", analyst.ChannelAnswer, ""},
		{"<summary>", analyst.ChannelSummary, ""},
		{"</summary>", analyst.ChannelAnswer, ""},
		{"<think>", "", "</think>"},
		{"<thinking>", "", "</thinking>"},
		{"<thought>", "", "</thought>"}, // Gemini
		{"[THINK]", "", "[/THINK]"},     // Mistral
		{orphan, "", ""},
	}
}

// orphan is the end of thinking whose beginning was in the model's template and was never sent. The
// text before it was already passed on and cannot be withdrawn.
const orphan = "</think>"

// feed takes text and returns the pieces that are certain.
func (t *tags) feed(text string) []analyst.Piece {
	text = t.held + text
	t.held = ""
	var out []analyst.Piece
	for text != "" {
		at := strings.IndexAny(text, "<[")
		if at < 0 {
			return t.piece(out, text)
		}
		out = t.piece(out, text[:at])
		text = text[at:]
		m, whole, maybe := t.markOf(text)
		switch {
		case whole:
			t.pass(m)
			text = text[len(m.text):]
		case maybe:
			t.held = text
			return out
		default:
			out = t.piece(out, text[:1])
			text = text[1:]
		}
	}
	return out
}

// pass continues after a mark. After its thinking a model is on the same channel as before.
func (t *tags) pass(m mark) {
	switch {
	case t.thinks != "":
		t.thinks = ""
	case m.ends != "":
		t.thinks = m.ends
	case m.text == orphan:
	default:
		t.channel, t.fresh = m.channel, false
	}
}

// rest returns the text that was held back, at the end.
func (t *tags) rest() []analyst.Piece {
	held := t.held
	t.held = ""
	return t.piece(nil, held)
}

// piece adds text to the current channel. Thinking is dropped, and so are blanks at the beginning
// of a channel.
func (t *tags) piece(out []analyst.Piece, text string) []analyst.Piece {
	if t.thinks != "" {
		return out
	}
	if !t.fresh {
		text = strings.TrimLeft(text, " \t\r\n")
	}
	if text == "" {
		return out
	}
	t.fresh = true
	return append(out, analyst.Piece{Channel: t.channel, Text: text})
}

// markOf reports whether a text begins with a mark, or with the beginning of one. During thinking only
// its end mark counts.
func (t *tags) markOf(text string) (m mark, whole, maybe bool) {
	known := marks()
	if t.thinks != "" {
		known = []mark{{text: t.thinks}}
	}
	for _, m := range known {
		n := min(len(m.text), len(text))
		if !strings.EqualFold(text[:n], m.text[:n]) {
			continue
		}
		if n == len(m.text) {
			return m, true, false
		}
		maybe = true
	}
	return mark{}, false, maybe
}
