package builtin

import (
	"regexp"
	"slices"
	"strings"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

var codeBlock = regexp.MustCompile("(?s)```([^\n`]*)\n(.*?)```")

// queryOf finds the SQL in the response of a memory: the first code block that is SQL, or the whole
// response if it is nothing else.
func queryOf(response string) string {
	for _, block := range codeBlock.FindAllStringSubmatch(response, -1) {
		language := strings.ToLower(strings.TrimSpace(block[1]))
		if (language == "" || isOne(language, "sql", "duckdb")) && selects(block[2]) {
			return trimQuery(block[2])
		}
	}
	if selects(response) {
		return trimQuery(response)
	}
	return ""
}

// selects reports whether a text looks like a statement that only reads. The workbench refuses all other
// statements anyway.
func selects(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	return len(words) > 3 && (words[0] == "select" && slices.Contains(words, "from") || words[0] == "with" && slices.Contains(words, "as"))
}

func trimQuery(sql string) string { return strings.TrimRight(strings.TrimSpace(sql), "; \n\t") }

// filler reports whether a word makes a question more polite, but does not change it.
func filler(term string) bool {
	return isOne(term, "list", "display", "find", "see", "want", "need", "know", "like", "just", "again", "now", "question", "answer",
		"explain", "hello", "hi", "thank")
}

func termsOf(text string) []string {
	return slices.DeleteFunc(domain.Terms(text), filler)
}

// same reports whether two questions ask the same, with the same words in the same order. Only then is
// a query reused: questions that differ in one word may be about another country or another year.
func same(a, b string) bool {
	x, y := termsOf(a), termsOf(b)
	return len(x) > 0 && slices.Equal(x, y)
}

// mostlySame reports whether two questions have most of their words in common: enough to quote what a memory knows.
func mostlySame(a, b string) bool {
	x, y := termsOf(a), termsOf(b)
	shared := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			shared++
		}
	}
	return shared > 0 && 10*2*shared >= 6*(len(x)+len(y))
}

// queryMemory returns the memory whose query answers the question, or nil.
func queryMemory(memories []domain.Memory, question string) *domain.Memory {
	for i := range memories {
		if queryOf(memories[i].Response) != "" && same(memories[i].Question, question) {
			return &memories[i]
		}
	}
	return nil
}

// quoteMemory quotes what a memory without a query knows about a question; "" if there is none.
func quoteMemory(memories []domain.Memory, question string) string {
	for i := range memories {
		m := &memories[i]
		if queryOf(m.Response) != "" || !mostlySame(m.Question, question) {
			continue
		}
		var b strings.Builder
		b.WriteString("Known from the memory **" + safe(m.Name) + "** (“" + safe(m.Question) + "”):\n")
		lines := 0
		for line := range strings.Lines(m.Response) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if lines++; lines > 12 {
				b.WriteString("\n> …")
				break
			}
			b.WriteString("\n> " + safeLine(line, 400))
		}
		return b.String()
	}
	return ""
}

// memoryUsed returns the sentence that an answer used a memory.
func memoryUsed(m *domain.Memory) string {
	return "I used the query of the memory **" + safe(m.Name) + "**."
}

// memoryCall marks the calls that run the query of a memory.
const memoryCall = "builtin_memory"

// fromMemory answers a question for which a memory has a query. It returns false if there is none, or
// if the query no longer runs; note then says so.
func (p *Provider) fromMemory(r *analyst.Request, question string, s *speaker) (done bool, note string, err error) {
	m := queryMemory(r.Guide.Memories, question)
	if m == nil {
		return false, "", nil
	}
	for _, c := range callsSinceQuestion(r.Turns) {
		if c.id != memoryCall {
			continue
		}
		if c.result.Withheld {
			return true, "", s.remark(domain.GradeRefused, "The query of the memory **"+safe(m.Name)+"** answers this question, but I do not "+
				"show its result, because a total in it is wrong. "+safeLine(c.result.Error, withheldMax), leftOut(r.Guide.Missing))
		}
		if c.result.Error != "" || c.result.Table == nil {
			return false, "The query of the memory **" + safe(m.Name) + "** does not run any more (" + safe(c.result.Error) +
				"), so I read the question myself.", nil
		}
		n := tell(c.result.Table)
		if r.Guide.NoInsights {
			n = n.short()
		}
		text := n.answer + "\n\n" + memoryUsed(m)
		if remark := leftOut(r.Guide.Missing); remark != "" {
			n.caveatsAt = len(text) + len("\n\n")
			text = joined(text, remark)
		}
		if err := s.say(analyst.ChannelAnswer, text); err != nil {
			return true, "", err
		}
		if err := s.annotate(n.annotation(c.result.Object)); err != nil {
			return true, "", err
		}
		return true, "", s.say(analyst.ChannelSummary, n.summary)
	}
	if err := s.say(analyst.ChannelPlan, "I know this question from the memory **"+safe(m.Name)+"**, and run its query."); err != nil {
		return true, "", err
	}
	return true, "", s.callAs(memoryCall, analyst.ToolRunQuery, analyst.RunQueryArgs{
		SQL:   queryOf(m.Response),
		Title: specialist.Sentence(domain.Shorten(m.Question, 80)),
	})
}

// made is a call that was made for this question, with its result.
type made struct {
	id     string
	name   string
	sql    string
	result *analyst.ToolResult
}

// callsSinceQuestion returns the calls since the last question, in order.
func callsSinceQuestion(turns []analyst.Utterance) []made {
	var out []made
	open := make(map[string]int)
	for _, u := range turns {
		switch u.Role {
		case analyst.UtteranceUser:
			out, open = nil, make(map[string]int)
		case analyst.UtteranceAssistant:
			for _, c := range u.Calls {
				open[c.ID] = len(out)
				out = append(out, made{id: c.ID, name: c.Name, sql: sqlOf(c)})
			}
		case analyst.UtteranceTool:
			if i, ok := open[u.CallID]; ok {
				out[i].result = u.Result
			}
		}
	}
	return slices.DeleteFunc(out, func(m made) bool { return m.result == nil })
}
