package openai

import (
	"strings"

	"parley.dev/parley/analyst"
)

// tags sorts a model's text into channels by the marks that the pipeline's rules
// ask for: <plan>…</plan> and <summary>…</summary>, and leaves out what stands in
// <think>…</think> and the like, where servers without a parser for it leave a model's thinking.
// Marks count in any case. One may be split between chunks, so a tail that could
// begin one is held back.
type tags struct {
	channel analyst.Channel
	// thinks is what ends the thinking that is under way, empty outside of it.
	thinks string
	held   string
	fresh  bool // text of the channel has begun; blanks before it are dropped
}

// mark is one of the marks. ends is that of the thinking that it begins.
type mark struct {
	text    string
	channel analyst.Channel
	ends    string
}

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

// orphan is the end of thinking whose beginning stood in the model's template and was
// never sent. What came before it was spoken already and cannot be taken back.
const orphan = "</think>"

// feed takes text and gives the pieces that are certain.
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

// pass goes on behind a mark. After its thinking a model is where it was before.
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

// rest gives what was held back, at the end.
func (t *tags) rest() []analyst.Piece {
	held := t.held
	t.held = ""
	return t.piece(nil, held)
}

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

// markOf reports whether a text begins with a mark, or with what may become one.
// While a model thinks only the end of it counts.
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
