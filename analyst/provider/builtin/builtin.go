package builtin

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/pace"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// Config configures a Provider.
type Config struct {
	// Clock provides the time; nil means the clock of the machine.
	Clock clock.Clock
	// Pace is the time between two pieces of text; 0 means as fast as the reader takes them.
	Pace time.Duration
}

func (c *Config) mustValidate() {
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Pace < 0 {
		panic("builtin: Config.Pace is negative")
	}
}

// Provider answers without a model. It is safe for concurrent use.
type Provider struct {
	cfg        Config
	lang       *language
	wheel      *pace.Wheel
	indexCache *indexCache
}

var _ analyst.Provider = (*Provider)(nil)

// New returns a Provider.
func New(cfg Config) *Provider {
	cfg.mustValidate()
	return &Provider{cfg: cfg, lang: newLanguage(), wheel: pace.NewWheel(pace.Config{Clock: cfg.Clock}), indexCache: newIndexCache()}
}

// Name implements analyst.Provider.
func (p *Provider) Name() string { return "builtin" }

// Plans says that a query is not corrected here: a result with a wrong total is withheld, with a sentence for people.
func (p *Provider) Plans() bool { return true }

// withheldMax is the maximum number of characters of the reason why a result is not shown.
const withheldMax = 600

// historyMax is how many earlier questions are read for a follow-up.
const historyMax = 8

// Stream implements analyst.Provider. It stores nothing between calls: the same question and the same
// tables lead to the same plan again.
func (p *Provider) Stream(ctx context.Context, r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
	s := &speaker{ctx: ctx, emit: emit, provider: p}
	err := p.answer(r, s)
	return analyst.End{Usage: analyst.Usage{InputTokens: inputTokens(r), OutputTokens: int64(s.count)}}, err
}

func inputTokens(r *analyst.Request) int64 {
	n := len(r.System)
	for _, u := range r.Turns {
		n += len(u.Text)
	}
	return int64(n+3) / 4
}

// answer does the next step of a turn: plan and query, chart, or speak.
func (p *Provider) answer(r *analyst.Request, s *speaker) error {
	switch {
	case r.Guide.Stage == analyst.StageSummary:
		return p.conclude(r, s)
	case r.Guide.PlanStep() == nil:
		return p.respond(r, s)
	case r.Guide.Stage == analyst.StageReview:
		return p.review(r, s)
	default:
		return p.step(r, s)
	}
}

// nothingToAsk says why there is no table: there is no source, the sources no longer exist, or they
// cannot be read here.
func nothingToAsk(g analyst.Guide, advice string) string {
	if len(g.Unread) > 0 {
		return "There is nothing that I could ask yet. " + strings.Join(g.Unread, "\n\n")
	}
	if g.Gone {
		return "The data source of this conversation is not available any more: it was deleted, or is no longer shared with you." + advice
	}
	return "No data source is attached to this conversation, so there is nothing that I could ask." + advice
}

// respond answers a prompt.
func (p *Provider) respond(r *analyst.Request, s *speaker) error {
	question := lastQuestion(r.Turns)
	quote := quoteMemory(r.Guide.Memories, question)
	if len(r.Tables) == 0 {
		return s.say(analyst.ChannelAnswer,
			cmp.Or(quote, nothingToAsk(r.Guide, " Add one with *Add Connector*, or upload a file, and ask again.")))
	}
	done, note, err := p.fromMemory(r, question, s)
	if done || err != nil {
		return err
	}
	f, planner, results := p.plan(r)
	switch {
	case (f == nil || f.help || !f.understood()) && quote != "":
		return s.remark(domain.GradeUnsaid, quote, leftOut(r.Guide.Missing))
	case f != nil && f.help:
		return s.say(analyst.ChannelAnswer, misunderstood(f, planner))
	case f == nil || !f.understood():
		return s.remark(f.grade(), misunderstood(f, planner), leftOut(r.Guide.Missing))
	case len(results) == 0:
		if err := s.say(analyst.ChannelPlan, joined(note, plan(f))); err != nil {
			return err
		}
		return s.call(analyst.ToolRunQuery, analyst.RunQueryArgs{SQL: sql(f), Title: title(f), Chart: new(bool), Checks: f.checks()})
	}
	query := results[0]
	if query.Withheld {
		return s.remark(domain.GradeRefused, withheld(query), leftOut(r.Guide.Missing))
	}
	if query.Error != "" || query.Table == nil {
		return s.remark(domain.GradeUnsaid, "I could not get the numbers: "+safe(query.Error)+" Nothing is wrong with your question; you can "+
			"ask again, or ask something else.", leftOut(r.Guide.Missing))
	}
	if len(results) == 1 && chartable(f, query) && (f.chart != "" || !r.Guide.NoCharts) {
		return s.call(analyst.ToolMakeChart, analyst.MakeChartArgs{Kind: f.chart, Title: title(f)})
	}
	n, source := narrate(f, query.Table), query
	if query.Table.Truncated {
		whole := wholeOf(r.Turns)
		// Without a statement over all rows, the narration is of the rows that are shown.
		if whole == nil {
			return s.callAs(wholeCall, analyst.ToolRunQuery,
				analyst.RunQueryArgs{SQL: wholeSQL(f, query.Table), Title: title(f) + ", over all rows", Chart: new(bool), Aside: true})
		}
		if whole != nil && whole.Table != nil {
			n, source = narrateWhole(f, query.Table, whole.Table), whole
		}
	}
	if r.Guide.NoInsights {
		n = n.short()
	}
	more := joined(joined(checked(query), leftOut(r.Guide.Missing)), joined(note, quote))
	if more != "" && n.caveatsAt == 0 {
		// Notes and memories limit how far the numbers are valid, as caveats do.
		n.caveatsAt = len(n.answer) + len("\n\n")
	}
	if err := s.say(analyst.ChannelAnswer, joined(n.answer, more)); err != nil {
		return err
	}
	known := n.annotation(source.Object)
	known.Assumptions, known.Grade = f.assumptions(), f.grade()
	if err := s.annotate(known); err != nil {
		return err
	}
	return s.say(analyst.ChannelSummary, n.summary)
}

// joined joins two paragraphs, either of which may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

func lastQuestion(turns []analyst.Utterance) string {
	for _, u := range slices.Backward(turns) {
		if u.Role == analyst.UtteranceUser {
			return u.Text
		}
	}
	return ""
}

// chartable reports whether a chart helps to read a result.
func chartable(f *form, r *analyst.ToolResult) bool {
	if f.chart == "none" || r.Table == nil || len(r.Table.Rows) < 2 {
		return false
	}
	if f.stat != nil && !f.stat.drawn() {
		return false
	}
	switch f.mode {
	case modeGroups:
		if len(f.dims) == 1 && f.chart == "" && !f.dims[0].col.isText() && f.dims[0].col.identifies() {
			return false // a chart of students by their number would only be points
		}
		return len(f.dims) > 0 && f.counted == nil
	case modeRows:
		return f.chart != "" || (f.single && f.orderCol != nil && f.orderCol.isNumber())
	case modeDescribe, modeCorrelation:
		return false
	default:
		return false
	}
}

// plan reads the question together with the questions before it, and collects the results of tools
// since the question.
func (p *Provider) plan(r *analyst.Request) (*form, *planner, []*analyst.ToolResult) {
	var questions []string
	var results []*analyst.ToolResult
	for _, u := range r.Turns {
		switch u.Role {
		case analyst.UtteranceUser:
			questions, results = append(questions, u.Text), nil
		case analyst.UtteranceTool:
			// The result of a memory's query is narrated elsewhere.
			if u.Result != nil && u.CallID != memoryCall && u.CallID != wholeCall {
				results = append(results, u.Result)
			}
		case analyst.UtteranceAssistant:
		}
	}
	if len(questions) > historyMax {
		questions = questions[len(questions)-historyMax:]
	}
	planner := p.planner(r.Tables, r.Meaning, questions)
	return planner.follow(questions), planner, results
}

// misunderstood says plainly that the question was not understood, and offers questions that can be
// answered.
func misunderstood(f *form, p *planner) string {
	var b strings.Builder
	switch {
	case f != nil && f.help && f.greeting == "thanks":
		return "You are welcome."
	case f != nil && f.help && f.greeting == "hello":
		b.WriteString("Hello. Ask me what you would like to know of the attached data.")
	case f != nil && f.help:
		b.WriteString("I answer questions about the attached data: totals, averages and counts, filtered and grouped by any column, over " +
			"time, compared, ranked or as shares. I show the query, the table and a chart with each answer.")
	case f != nil && f.reason != "":
		first, size := utf8.DecodeRuneInString(f.reason)
		b.WriteString("I cannot answer that: " + strings.ToLower(string(first)) + f.reason[size:])
		if strings.HasPrefix(f.reason, "I ") {
			b.Reset()
			b.WriteString("I cannot answer that. " + f.reason)
		}
	default:
		b.WriteString("I did not understand that question well enough to answer it from this data.")
		if f != nil && len(f.ignored) > 0 {
			ignored := f.ignored[:min(len(f.ignored), 6)]
			fmt.Fprintf(&b, " I found nothing here called %s.", specialist.List(quoteAll(ignored), "or"))
		}
	}
	if offers := p.suggest(4); len(offers) > 0 {
		b.WriteString("\n\nYou could ask, for example:\n")
		for _, q := range offers {
			b.WriteString("\n- " + q)
		}
	}
	return b.String()
}

// speaker streams text at the provider's pace.
type speaker struct {
	ctx      context.Context //nolint:containedctx // lives for one call, which has this context
	emit     func(analyst.Piece) error
	provider *Provider
	count    int
	due      time.Time // time of the last piece; zero before the first
}

// say streams a text piece by piece.
func (s *speaker) say(c analyst.Channel, text string) error {
	if text == "" {
		return nil
	}
	var failed error
	rest := text
	next := func() (time.Time, bool) {
		piece := nextPiece(rest)
		rest = rest[len(piece):]
		s.count++
		if failed = s.emit(analyst.Piece{Channel: c, Text: piece}); failed != nil || rest == "" {
			return time.Time{}, false
		}
		s.due = s.due.Add(s.provider.cfg.Pace)
		return s.due, true
	}
	if s.provider.cfg.Pace == 0 {
		for more := true; more; _, more = next() {
			if err := s.ctx.Err(); err != nil {
				return fmt.Errorf("speak: %w", err)
			}
		}
		return failed
	}
	if s.due.IsZero() {
		s.due = s.provider.wheel.Now()
	}
	s.due = s.due.Add(s.provider.cfg.Pace)
	if err := s.provider.wheel.Walk(s.ctx, s.due, pace.StepFunc(next)); err != nil {
		return fmt.Errorf("speak: %w", err)
	}
	return failed
}

// annotate sends what is known about the text that was sent last.
func (s *speaker) annotate(a *domain.Annotation) error {
	if a.IsZero() {
		return nil
	}
	return s.emit(analyst.Piece{Annotation: a})
}

func (s *speaker) call(name string, args any) error { return s.callAs("builtin_"+name, name, args) }

func (s *speaker) callAs(id, name string, args any) error {
	body, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("encode a call: %w", err)
	}
	s.count += 8
	return s.emit(analyst.Piece{Call: &analyst.ToolCall{ID: id, Name: name, Args: body}})
}

// nextPiece cuts off about one token: a short word with the blank after it, or a part of a long word.
func nextPiece(s string) string {
	end := 0
	for i, r := range s {
		end = i + utf8.RuneLen(r)
		if r == utf8.RuneError {
			end = i + 1
		}
		if r == ' ' || r == '\n' || end >= 8 {
			break
		}
	}
	return s[:max(end, 1)]
}
