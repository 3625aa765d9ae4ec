package analyst

import (
	"context"
	"slices"
	"strings"
)

// room is how many tokens each part of a model's context may have.
type room struct {
	schema, history, earlier, result, memory, guide int
}

const (
	// answerMax is the most of a model's window that is kept for its answer.
	answerMax = 16_000
	// tightMin is the least that a context is cut down to.
	tightMin = 1_000
	// resultMin is what is left of an older result where the context is too long.
	resultMin = 120
)

// Windowed is a Provider that knows how long a model's context may be.
type Windowed interface {
	// Window is in tokens, with the answer; 0 where it is not known.
	Window(model string) int
}

// promptLimit is how many tokens of ours a model's context may have, 0 for any number:
// what its vendor has refused counts more than what is known of the model.
func (r *run) promptLimit() int {
	if limit, ok := r.refusedAt[r.provider.Name()+"/"+r.model()]; ok {
		return limit
	}
	w, ok := r.provider.(Windowed)
	if !ok {
		return 0
	}
	window := w.Window(r.agent.Model)
	// A fifth is left free, for four bytes a token is only nearly so.
	return (window - min(window/4, answerMax)) * 4 / 5
}

// roomOf is what the configuration gives, and no more than shares of the whole
// context; 0 is one without limit.
func roomOf(c *Config, limit int) room {
	out := room{
		schema: c.SchemaTokens, history: c.HistoryTokens, earlier: c.EarlierTokens,
		result: c.ResultTokens, memory: c.MemoryTokens, guide: c.GuideTokens,
	}
	if limit == 0 {
		return out
	}
	share := func(part *int, percent int) { *part = min(*part, limit*percent/100) }
	share(&out.schema, 30)
	share(&out.history, 15)
	share(&out.earlier, 10)
	share(&out.result, 10)
	share(&out.memory, 5)
	share(&out.guide, 10)
	return out
}

// shrink makes the context shorter after its vendor has refused it: half of what it
// was, whatever the vendor's own way of counting.
func (r *run) shrink(ctx context.Context) error {
	r.refusedAt[r.provider.Name()+"/"+r.model()] = max(r.weight(r.fitted())/2, tightMin)
	if err := r.sink.Progress(ctx, "The conversation is too long for the model. Trying again with less of it."); err != nil {
		return wrap(err, "tell of a second try")
	}
	r.room = roomOf(r.cfg, r.promptLimit())
	r.system = r.systemPrompt(ctx)
	return nil
}

// weight estimates the tokens of a call with these turns.
func (r *run) weight(turns []Utterance) int {
	n := tokens(r.system)
	for _, t := range toolSpecs(r.tables) {
		n += tokens(t.Description) + tokens(string(t.Schema))
	}
	for i := range turns {
		n += weightOf(&turns[i])
	}
	return n
}

func weightOf(u *Utterance) int {
	n := tokens(u.Text)
	for _, c := range u.Calls {
		n += tokens(string(c.Args)) + tokens(c.Name)
	}
	return n
}

// fitted gives the turns as far as they fit: older results are cut to their first
// rows, then the oldest exchanges are left out, then the latest result is cut. The
// prompt and what was called stay.
func (r *run) fitted() []Utterance {
	limit := r.promptLimit()
	over := r.weight(r.turns) - limit
	if limit == 0 || over <= 0 {
		return r.turns
	}
	turns := slices.Clone(r.turns)
	latest := len(turns) - 1
	for i := range turns {
		if i != latest {
			over -= r.shorten(&turns[i], resultMin)
		}
		if over <= 0 {
			return turns
		}
	}
	// The prompt is the last of the past: what stands before it is history.
	for past := len(r.past) - 1; past > 0 && over > 0; {
		n := exchangeLength(turns[:past])
		for i := range turns[:n] {
			over -= weightOf(&turns[i])
		}
		turns, past = turns[n:], past-n
	}
	if over > 0 && len(turns) > 0 {
		last := &turns[len(turns)-1]
		r.shorten(last, max(tokens(last.Text)-over, resultMin))
	}
	return turns
}

// exchangeLength is how many turns the first question and its answers are.
func exchangeLength(turns []Utterance) int {
	for i := 1; i < len(turns); i++ {
		if turns[i].Role == UtteranceUser {
			return i
		}
	}
	return len(turns)
}

// shorten cuts a tool's result to its first lines and says so; it gives how many
// tokens that has saved. The marks around data stay whole.
func (r *run) shorten(u *Utterance, limit int) (saved int) {
	before := tokens(u.Text)
	if u.Role != UtteranceTool || before <= limit {
		return 0
	}
	text := cut(u.Text, 4*limit)
	if at := strings.LastIndexByte(text, '\n'); at > 0 {
		text = text[:at]
	}
	open, end := r.mark("data")
	if strings.Count(text, open) > strings.Count(text, end) {
		text += "\n" + end
	}
	u.Text = text + "\n(The rest was left out, for the conversation is too long.)"
	return before - tokens(u.Text)
}
