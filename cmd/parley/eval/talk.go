package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// These are the ids of the only person, organisation and agent of an evaluation.
const (
	personID       = 1
	organisationID = 1
	agentID        = 1
)

// talk is one conversation. It takes the place of the actors and of the database: it receives what the
// pipeline says, and gives it back as the history of the next question. It belongs to one goroutine, because
// the pipeline calls its sink from one goroutine at a time.
type talk struct {
	id      uuid.UUID
	sources []domain.DataSource
	agent   domain.Analyst
	bench   analyst.ControlledWorkbench

	// messages are all messages so far, the latest last.
	messages []domain.Message
	// said is where the messages of the current turn begin.
	said int
	turn uuid.UUID
	// The queries of the current turn, in order.
	queries []query
	// ran are the statements of the current step, in order: its query, and those of its checks.
	ran   []query
	usage domain.Usage
}

// query is one query of a turn, with the result that the person saw, or its error. A query whose result was withheld has
// neither.
type query struct {
	sql    string
	result *domain.ResultSet
	err    error
}

var (
	_ analyst.Sink                = (*talk)(nil)
	_ analyst.History             = (*talk)(nil)
	_ analyst.ControlledWorkbench = (*talk)(nil)
	_ analyst.DataSourceReader    = (*talk)(nil)
	_ analyst.AgentReader         = (*talk)(nil)
)

// answered is what a turn gave to the person.
type answered struct {
	plan, text string
	queries    []query
	chart      string
	tokens     int64
	took       time.Duration
	// err is why the turn ended without an answer.
	err error
}

// ask runs the turn of one prompt.
func (k *talk) ask(ctx context.Context, cfg analyst.Config, text string) answered {
	k.turn, k.queries, k.ran, k.usage = domain.NewID(), nil, nil, domain.Usage{}
	prompt := domain.Message{
		ID: domain.NewID(), ConversationID: k.id, TurnID: k.turn, Seq: int64(len(k.messages) + 1), Role: domain.RoleUser, Text: text,
		Status: domain.MessageComplete,
	}
	k.messages = append(k.messages, prompt)
	k.said = len(k.messages)
	cfg.DataSources, cfg.Analysts, cfg.History, cfg.Workbench = k, k, k, k
	// The clock of the pipeline stands still, so the time of an answer needs one that moves.
	watch := clock.System{}
	begun := watch.Now()
	err := k.run(ctx, cfg, &analyst.Job{
		Turn: domain.Turn{
			ID: k.turn, ConversationID: k.id, UserID: personID, AnalystID: agentID, Attempt: 1, Status: domain.TurnRunning,
		},
		Caller: domain.Caller{UserID: personID, OrganisationID: organisationID},
		Prompt: prompt,
	})
	out := answered{
		queries: k.queries, tokens: k.usage.InputTokens + k.usage.OutputTokens, took: watch.Now().Sub(begun), err: err, chart: noChart,
	}
	for i := range k.messages[k.said:] {
		m := &k.messages[k.said+i]
		switch m.Role {
		case domain.RoleCoordinator:
			out.plan = strings.TrimSpace(out.plan + "\n" + m.Text)
		case domain.RoleAssistant:
			out.text = strings.TrimSpace(out.text + "\n" + m.Text)
		default:
			// Tables, summaries and debug texts repeat what is in the answer.
		}
		for _, o := range m.DisplayObjects {
			if o.Type == domain.DisplayHighcharts {
				out.chart = chartOf(ctx, cfg.Files, o.FileKey)
			}
		}
	}
	return out
}

// run runs a turn. A panic of a provider is a fault of this answer, and must not end the measurement of all
// others.
func (k *talk) run(ctx context.Context, cfg analyst.Config, j *analyst.Job) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v at %s", r, panicPlace())
		}
	}()
	return analyst.NewPipeline(cfg).Run(ctx, j, k)
}

// panicPlace returns the function and the line of our own code that panicked.
func panicPlace() string {
	const depth = 32
	callers := make([]uintptr, depth)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	after := false
	for {
		f, more := frames.Next()
		if after && strings.HasPrefix(f.Function, "parley.dev/") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		// The frames above the panic are those of the recovery.
		after = after || f.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}

// noChart says that an answer has no chart.
const noChart = "none"

// chartMax is the maximum size of a stored chart.
const chartMax = 1 << 20

// chartOf reads the kind of a stored chart.
func chartOf(ctx context.Context, files domain.FileStore, key string) string {
	f, err := files.Get(ctx, key, 0, -1)
	if err != nil {
		slog.LogAttrs(ctx, slog.LevelWarn, "a chart cannot be read", slog.Any("error", err))
		return noChart
	}
	defer f.Close()
	var options struct {
		Chart struct {
			Type string `json:"type"`
		} `json:"chart"`
	}
	if err := json.NewDecoder(io.LimitReader(f, chartMax)).Decode(&options); err != nil {
		slog.LogAttrs(ctx, slog.LevelWarn, "a chart cannot be read", slog.Any("error", err))
		return noChart
	}
	return options.Chart.Type
}

// Open implements analyst.Sink.
func (k *talk) Open(ctx context.Context, d analyst.Draft) (uuid.UUID, error) {
	if ctx.Err() != nil {
		return uuid.Nil, context.Canceled
	}
	m := domain.Message{
		ID: domain.NewID(), ConversationID: k.id, TurnID: k.turn, Seq: int64(len(k.messages) + 1), Role: d.Role, Text: d.Text,
		Status: domain.MessageComplete, DisplayObjects: d.Objects, Annotation: d.Annotation,
	}
	k.messages = append(k.messages, m)
	return m.ID, nil
}

// find returns a message of this turn.
func (k *talk) find(id uuid.UUID) (*domain.Message, error) {
	i := slices.IndexFunc(k.messages, func(m domain.Message) bool { return m.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("no message %s", id)
	}
	return &k.messages[i], nil
}

// Delta implements analyst.Sink.
func (k *talk) Delta(ctx context.Context, id uuid.UUID, text string) error {
	if ctx.Err() != nil {
		return context.Canceled
	}
	m, err := k.find(id)
	if err == nil {
		m.Text += text
	}
	return err
}

// Attach implements analyst.Sink.
func (k *talk) Attach(_ context.Context, o domain.DisplayObject) error {
	m, err := k.find(o.MessageID)
	if err == nil {
		m.DisplayObjects = append(m.DisplayObjects, o)
	}
	return err
}

// Annotate implements analyst.Sink.
func (k *talk) Annotate(_ context.Context, id uuid.UUID, a domain.Annotation) error {
	m, err := k.find(id)
	if err == nil {
		m.Annotation.Merge(&a)
	}
	return err
}

// Close implements analyst.Sink.
func (k *talk) Close(_ context.Context, id uuid.UUID) error {
	_, err := k.find(id)
	return err
}

// Progress implements analyst.Sink.
func (k *talk) Progress(context.Context, string) error { return nil }

// Alive implements analyst.Sink.
func (k *talk) Alive() {}

// StepStarted implements analyst.Sink.
func (k *talk) StepStarted(context.Context, domain.Step) error {
	k.ran = nil
	return nil
}

// StepFinished implements analyst.Sink. The step says what became of its query.
func (k *talk) StepFinished(_ context.Context, s domain.Step, u *domain.Usage) error {
	if u != nil {
		k.usage.InputTokens += u.InputTokens
		k.usage.OutputTokens += u.OutputTokens
	}
	if s.Kind == domain.StepTool {
		k.queries = append(k.queries, shownOf(s, k.ran)...)
	}
	k.ran = nil
	return nil
}

// shownOf returns what the person saw of the statements that a tool's step ran: the query with its result, or without it if
// that was withheld. If the tool failed, it returns the statements that failed. A lookup of a spelling and a query that is only
// for the text are no answers, and a control or a probe is shown only as a sentence.
func shownOf(s domain.Step, ran []query) []query {
	var out struct {
		Result struct {
			Error    string `json:"error"`
			Withheld bool   `json:"withheld"`
		} `json:"result"`
		// Query is the query of a tool that writes its own SQL.
		Query *analyst.RunQueryArgs `json:"query"`
	}
	var args analyst.RunQueryArgs
	if s.Name == analyst.ToolFindValues || json.Unmarshal(s.Output, &out) != nil {
		return nil
	}
	if out.Query != nil {
		args = *out.Query
	} else if s.Name == analyst.ToolRunQuery && json.Unmarshal(s.Input, &args) != nil {
		// Arguments that cannot be read lead to no query.
		return nil
	}
	if args.Aside {
		return nil
	}
	if out.Result.Error != "" && !out.Result.Withheld {
		return slices.DeleteFunc(slices.Clone(ran), func(x query) bool { return x.err == nil })
	}
	i := slices.IndexFunc(ran, func(x query) bool { return x.sql == strings.TrimSpace(args.SQL) })
	if i < 0 {
		return nil
	}
	shown := ran[i]
	if out.Result.Withheld {
		shown.result = nil
	}
	return []query{shown}
}

// Query implements analyst.Workbench.
func (k *talk) Query(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error) {
	return k.Controlled(ctx, sources, sql, domain.QueryControl{})
}

// Controlled implements analyst.ControlledWorkbench.
func (k *talk) Controlled(
	ctx context.Context, sources []domain.DataSource, sql string, control domain.QueryControl,
) (*domain.ResultSet, error) {
	result, err := k.bench.Controlled(ctx, sources, sql, control)
	k.ran = append(k.ran, query{sql, result, err})
	return result, err
}

// Messages implements analyst.History.
func (k *talk) Messages(_ context.Context, _ uuid.UUID, limit int) ([]domain.Message, error) {
	return slices.Clone(k.messages[max(0, len(k.messages)-limit):]), nil
}

// Readable implements analyst.DataSourceReader.
func (k *talk) Readable(_ context.Context, _, _ int64, ids []int64) ([]domain.DataSource, error) {
	var out []domain.DataSource
	for i := range k.sources {
		if slices.Contains(ids, k.sources[i].ID) {
			out = append(out, k.sources[i])
		}
	}
	return out, nil
}

// OfConversation implements analyst.DataSourceReader.
func (k *talk) OfConversation(context.Context, domain.Caller, uuid.UUID) ([]domain.DataSource, error) {
	return slices.Clone(k.sources), nil
}

// DefaultAnalyst implements analyst.AgentReader.
func (k *talk) DefaultAnalyst(context.Context, int64) (*domain.Analyst, error) {
	agent := k.agent
	return &agent, nil
}

// UsableAnalyst implements analyst.AgentReader.
func (k *talk) UsableAnalyst(context.Context, domain.Caller, int64) (*domain.Analyst, error) {
	agent := k.agent
	return &agent, nil
}
