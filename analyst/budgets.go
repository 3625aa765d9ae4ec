package analyst

import (
	"context"
	"slices"
	"strings"
)

// budgets is the maximum number of tokens of each part of a model's context.
type budgets struct {
	schema, history, earlier, result, memory, guide int
}

const (
	// answerMax is the maximum number of tokens of a model's window that is reserved for its answer.
	answerMax = 16_000
	// tightMin is the minimum size to which a context is shortened.
	tightMin = 1_000
	// resultMin is the size to which an older result is shortened if the context is too long.
	resultMin = 120
)

// Windowed is a Provider that knows the size of a model's context.
type Windowed interface {
	// Window returns the size in tokens, including the answer; 0 if it is not known.
	Window(model string) int
}

// promptLimit is the maximum number of tokens of a model's context, by our estimate; 0 means no limit.
// A refusal by the vendor takes precedence over the model's known window.
func (r *run) promptLimit() int {
	if limit, ok := r.refusedAt[r.provider.Name()+"/"+r.model()]; ok {
		return limit
	}
	w, ok := r.provider.(Windowed)
	if !ok {
		return 0
	}
	window := w.Window(r.agent.Model)
	// A fifth is left free, because four bytes a token is only an estimate.
	return (window - min(window/4, answerMax)) * 4 / 5
}

// budgetsOf returns the configured budgets, limited to shares of the whole context; limit 0 means no limit.
func budgetsOf(c *Config, limit int) budgets {
	out := budgets{
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

// shrink halves the context after its vendor has refused it, since the vendor may count
// tokens differently.
func (r *run) shrink(ctx context.Context) error {
	r.refusedAt[r.provider.Name()+"/"+r.model()] = max(r.weight(r.fitted())/2, tightMin)
	if err := r.sink.Progress(ctx, "The conversation is too long for the model. Trying again with less of it."); err != nil {
		return wrap(err, "report a second try")
	}
	r.budgets = budgetsOf(r.cfg, r.promptLimit())
	r.system = r.systemPrompt(ctx)
	return nil
}

// weight estimates the tokens of a call with these turns.
func (r *run) weight(turns []Utterance) int {
	n := tokens(r.system)
	for _, t := range toolSpecs(r.tables, r.planStep != nil) {
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

// fitted returns the turns that fit. First older results are shortened to their first rows, then the oldest exchanges are left
// out, then the latest result is shortened. The prompt and the tool calls stay.
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
	// The prompt is the last entry of the conversation; the entries before it are history.
	for past := len(r.conversation) - 1; past > 0 && over > 0; {
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

// exchangeLength returns the number of turns of the first question and its answers.
func exchangeLength(turns []Utterance) int {
	for i := 1; i < len(turns); i++ {
		if turns[i].Role == UtteranceUser {
			return i
		}
	}
	return len(turns)
}

// shorten shortens a tool's result to its first lines and marks that in the text; it returns how many tokens that saves. The
// marks around data stay complete.
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
