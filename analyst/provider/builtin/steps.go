package builtin

import (
	"fmt"
	"regexp"
	"strings"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// stepQueries is the maximum number of queries in one step of a plan.
const stepQueries = 8

// task is one sentence of a step's instructions, with its reading.
type task struct {
	text   string
	form   *form          // nil if the sentence was not read
	memory *domain.Memory // its query is run instead
	quote  string         // what a memory knows about it
	sql    string
	isOver bool // the step has asked stepQueries questions before it
}

// step does one step of a plan: each sentence of its instructions that asks for data is a question, and
// the other sentences are listed as unread. If the step has SQL, it was already run; its result is the
// step's answer.
func (p *Provider) step(r *analyst.Request, s *speaker) error {
	step := r.Guide.PlanStep()
	if r.Guide.Correcting {
		return s.say(analyst.ChannelAnswer, "I have no other way to do this step than the one above, so its result stays as it is, with what "+
			"the check found.")
	}
	calls := callsSinceQuestion(r.Turns)
	if len(calls) > 0 && strings.HasPrefix(calls[0].id, "plan_step_") {
		return p.tellCode(r, step, calls[0], s)
	}
	if len(r.Tables) == 0 {
		return s.say(analyst.ChannelAnswer, nothingToAsk(r.Guide, ""))
	}
	tasks, planner := p.tasks(r)
	queries := 0
	for i := range tasks {
		if tasks[i].sql != "" {
			queries++
		}
	}
	if queries > 0 && len(calls) == 0 {
		return p.ask(tasks, queries == 1, r.Guide.NoCharts, s)
	}
	if queries == 1 && len(calls) == 1 {
		for i := range tasks {
			if f := tasks[i].form; f != nil && tasks[i].sql != "" && calls[0].result.Error == "" && chartable(f, calls[0].result) &&
				(!r.Guide.NoCharts || f.chart != "") {
				return s.call(analyst.ToolMakeChart, analyst.MakeChartArgs{Kind: f.chart, Title: title(f)})
			}
		}
	}
	return p.report(r, step, tasks, calls, planner, s)
}

// ask makes the queries of all sentences at once.
func (p *Provider) ask(tasks []task, alone, noCharts bool, s *speaker) error {
	var plans []string
	for i := range tasks {
		t := &tasks[i]
		switch {
		case t.sql == "":
		case t.memory != nil:
			plans = append(plans, "I know “"+safe(t.text)+"” from the memory **"+safe(t.memory.Name)+"**, and run its query.")
		default:
			plans = append(plans, plan(t.form))
		}
	}
	if err := s.say(analyst.ChannelPlan, strings.Join(plans, "\n")); err != nil {
		return err
	}
	for i := range tasks {
		t := &tasks[i]
		if t.sql == "" {
			continue
		}
		args := analyst.RunQueryArgs{SQL: t.sql, Title: specialist.Sentence(domain.Shorten(t.text, 80))}
		if t.form != nil {
			args.Title, args.Checks = title(t.form), t.form.checks()
		}
		if alone && t.form != nil || noCharts {
			// A single query's chart is requested separately. If there are several queries, the
			// pipeline makes the chart of the last one.
			args.Chart = new(bool)
		}
		if err := s.callAs(fmt.Sprintf("builtin_step_%d", i+1), analyst.ToolRunQuery, args); err != nil {
			return err
		}
	}
	return nil
}

// report narrates the result of each sentence.
func (p *Provider) report(r *analyst.Request, step *domain.PlanStep, tasks []task, calls []made, planner *planner, s *speaker) error {
	results := make(map[string]*analyst.ToolResult, len(calls))
	for _, c := range calls {
		results[c.id] = c.result
	}
	var said, unread, over []string
	var figures []domain.Figure
	if !domain.Blank(step.Code) {
		said = append(said, "The code of this step is not SQL, so it is not run here.")
	}
	read, grade := false, domain.GradeUnsaid
	for i := range tasks {
		t := &tasks[i]
		if t.quote != "" {
			said, read = append(said, t.quote), true
		}
		if t.sql == "" {
			switch {
			case t.quote != "":
			case t.isOver:
				over = append(over, "“"+safeLine(t.text, 160)+"”")
			default:
				unread = append(unread, "“"+safeLine(t.text, 160)+"”")
			}
			continue
		}
		read = true
		result := results[fmt.Sprintf("builtin_step_%d", i+1)]
		if result == nil || result.Error != "" || result.Table == nil {
			why := ""
			if result != nil {
				why = safe(result.Error)
			}
			if result != nil && result.Withheld {
				grade = grade.Weaker(domain.GradeRefused)
				said = append(said, "I do not show the result for “"+safeLine(t.text, 160)+"”. "+withheld(result))
				continue
			}
			said = append(said, "I could not get the numbers for “"+safeLine(t.text, 160)+"”: "+why)
			continue
		}
		n := tell(result.Table)
		if t.form != nil {
			n = narrate(t.form, result.Table)
			grade = grade.Weaker(t.form.grade())
		}
		if r.Guide.NoInsights {
			n = n.short()
		}
		text := joined(n.answer, checked(result))
		at := len(strings.Join(append(said, ""), "\n\n"))
		for _, f := range n.figures {
			f.Start, f.End, f.Object = f.Start+at, f.End+at, result.Object
			figures = append(figures, f)
		}
		if t.memory != nil {
			text += " " + memoryUsed(t.memory)
		}
		said = append(said, text)
	}
	switch {
	case !read:
		var last *form
		if len(tasks) == 1 {
			last = tasks[0].form
		}
		said = append(said, misunderstood(last, planner))
		grade = last.grade()
	case len(unread) > 0:
		said = append(said, "I could not read "+specialist.List(unread, "and")+" as a question of this data, so nothing was done about it.")
	}
	if len(over) > 0 {
		left := specialist.List(over, "and")
		said = append(said, fmt.Sprintf("A step asks at most %d questions, so nothing was done about %s.", stepQueries, left))
	}
	text, remark, caveatsAt := strings.Join(said, "\n\n"), leftOutOfStep(&r.Guide), 0
	if remark != "" {
		caveatsAt = len(text) + len("\n\n")
	}
	if err := s.say(analyst.ChannelAnswer, joined(text, remark)); err != nil {
		return err
	}
	return s.annotate(&domain.Annotation{Figures: figures, CaveatsAt: caveatsAt, Grade: grade})
}

// tellCode narrates the result of a step's SQL. If it is also the query of a sentence of the
// instructions, it is narrated with the words of that sentence.
func (p *Provider) tellCode(r *analyst.Request, step *domain.PlanStep, c made, s *speaker) error {
	if c.result.Withheld {
		return &analyst.ProviderError{Reason: "The result of this step's SQL is not shown, because a total in it is wrong. " + c.result.Error}
	}
	if c.result.Error != "" || c.result.Table == nil {
		return &analyst.ProviderError{Reason: "The SQL of this step could not be run: " + c.result.Error}
	}
	n := tell(c.result.Table)
	tasks, _ := p.tasks(r)
	for i := range tasks {
		if f := tasks[i].form; f != nil && f.understood() && !f.help && oneLined(sql(f)) == oneLined(trimQuery(step.Code)) {
			n = narrate(f, c.result.Table)
		}
	}
	if r.Guide.NoInsights {
		n = n.short()
	}
	remark := leftOutOfStep(&r.Guide)
	if remark != "" && n.caveatsAt == 0 {
		n.caveatsAt = len(n.answer) + len("\n\n")
	}
	if err := s.say(analyst.ChannelAnswer, joined(n.answer, remark)); err != nil {
		return err
	}
	return s.annotate(n.annotation(c.result.Object))
}

func oneLined(s string) string { return strings.Join(strings.Fields(s), " ") }

// tasks reads the sentences of the step, in the context of the sentences before them.
func (p *Provider) tasks(r *analyst.Request) ([]task, *planner) {
	g := &r.Guide
	step := g.PlanStep()
	var before []string
	for i := range g.Plan.Steps[:g.Step-1] {
		before = append(before, sentences(g.Plan.Steps[i].DetailedInstructions)...)
	}
	now := sentences(step.DetailedInstructions)
	if len(now) == 0 {
		now = []string{step.Name}
	}
	if len(before) > historyMax {
		before = before[len(before)-historyMax:]
	}
	planner := p.planner(r.Tables, r.Meaning, append(before, now...))
	var last *form
	for _, q := range before {
		if f := planner.read(q, last); f != nil && f.understood() && !f.help {
			last = f
		}
	}
	tasks := make([]task, 0, len(now))
	queries := 0
	for _, q := range now {
		t := task{text: q, quote: quoteMemory(g.Memories, q)}
		switch {
		case queries == stepQueries:
			t.isOver = true
		case queryMemory(g.Memories, q) != nil:
			t.memory = queryMemory(g.Memories, q)
			t.sql = queryOf(t.memory.Response)
		default:
			t.form = planner.read(q, last)
			if f := t.form; f != nil && f.understood() && !f.help {
				last, t.sql = f, sql(f)
			}
		}
		if t.sql != "" {
			queries++
		}
		tasks = append(tasks, t)
	}
	return tasks, planner
}

var (
	sentenceEnd = regexp.MustCompile(`([.?!;])(\s+|$)`)
	listMark    = regexp.MustCompile(`^\s*(?:[-*•]+|\d{1,2}[.)]|[a-z]\))\s*`)
	orderWord   = regexp.MustCompile(`(?i)^(?:and\s+)?(?:then|next|first|firstly|second|secondly|third|finally|after that|also|` +
		`lastly)\b[,:]?\s+`)
)

// sentences splits instructions into possible questions, without list marks and without words that only
// give the order.
func sentences(text string) []string {
	text = sentenceEnd.ReplaceAllString(domain.Clean(text), "$1\n")
	var out []string
	for line := range strings.Lines(text) {
		line = listMark.ReplaceAllString(strings.TrimSpace(line), "")
		line = strings.TrimSpace(orderWord.ReplaceAllString(line, ""))
		if line = strings.TrimRight(line, ".;: "); len(termsOf(line)) > 0 {
			out = append(out, line)
		}
	}
	return out
}
