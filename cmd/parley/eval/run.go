package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"parley.dev/parley/analyst"
	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// Config is what an evaluation needs. Provider, Workbench, Readers, Files and Folder are required.
type Config struct {
	// Provider makes the provider that is asked. The clock has the suite's day, for providers that plan
	// without a model.
	Provider func(clock.Clock) analyst.Provider
	// Model is passed to the provider; "" means its own default.
	Model string
	// Workbench runs the queries of answers and of truths, and measures the facts by which they are checked.
	Workbench Workbench
	// Readers prepare the files of the suites.
	Readers map[domain.DataSourceType]connectors.FileReader
	// Files keeps what answers show. Its files are in Folder, where the prepared databases are as well.
	Files  domain.FileStore
	Folder string
	// AtOnce is how many conversations run at the same time; 0 means twice the processors.
	AtOnce int
	// Details adds the text, the query and the values of each question that was not right.
	Details bool
	// Log receives errors of the pipeline; nil means slog.Default.
	Log *slog.Logger
	// Progress is called after each suite; nil reports nothing.
	Progress func(Score)
}

// Workbench is what the package workbench implements.
type Workbench interface {
	analyst.ControlledWorkbench
	MeasureFacts(ctx context.Context, source *domain.DataSource, before *domain.SourceFacts) (*domain.SourceFacts, error)
	MeasureLinks(ctx context.Context, sources [2]domain.DataSource, known [2]domain.SourceFacts) ([]domain.SourceLink, error)
}

func (c *Config) mustValidate() {
	if c.Provider == nil || c.Workbench == nil || len(c.Readers) == 0 || c.Files == nil || c.Folder == "" {
		panic("eval: Config.Provider, Workbench, Readers, Files and Folder are required")
	}
	if c.AtOnce == 0 {
		c.AtOnce = 2 * runtime.NumCPU()
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
}

// Run asks the questions of the suites. Its error says that the evaluation itself failed: a source cannot be
// prepared, or a query of a truth does not run. What a provider does wrong is in the report.
func Run(ctx context.Context, cfg Config, suites []*Suite) (*Report, error) {
	cfg.mustValidate()
	library := &library{readers: cfg.Readers, bench: cfg.Workbench, folder: cfg.Folder, shelf: map[string]*book{}}
	report := &Report{Model: cfg.Model}
	for _, s := range suites {
		day := suiteDay{at: s.Today.Time}
		provider := cfg.Provider(day)
		report.Provider = provider.Name()
		e := &exam{cfg: &cfg, suite: s, library: library, pipeline: analyst.Config{
			Providers: map[string]analyst.Provider{provider.Name(): provider}, Clock: day, Files: cfg.Files, Facts: library, Log: cfg.Log,
		}, agent: domain.Analyst{
			ID: agentID, OrganisationID: organisationID, Name: "Evaluation", IsDefault: true, IsEnabled: true,
			Provider: provider.Name(), Model: cfg.Model,
		}}
		if err := e.run(ctx); err != nil {
			return nil, fmt.Errorf("suite %s: %w", s.Name, err)
		}
		score := e.score()
		report.Suites = append(report.Suites, score)
		if cfg.Progress != nil {
			cfg.Progress(score)
		}
	}
	return report, nil
}

// truthDecimals are the decimals of written truths for which a question names none.
const truthDecimals = 2

// suiteDay is a clock on which it is always the suite's day. Only its time stands still: limits run as
// everywhere.
type suiteDay struct {
	clock.System
	at time.Time
}

// Now implements clock.Clock.
func (d suiteDay) Now() time.Time { return d.at }

// exam is one suite being asked.
type exam struct {
	cfg      *Config
	suite    *Suite
	library  *library
	pipeline analyst.Config
	agent    domain.Analyst

	// mu guards what the conversations add.
	mu       sync.Mutex
	entries  []Entry
	skipped  int
	outdated []string
}

func (e *exam) run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(e.cfg.AtOnce)
	for _, c := range e.suite.Conversations {
		g.Go(func() error { return e.converse(ctx, c) })
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	// The order of a report is that of the files, whatever ended first.
	slices.SortStableFunc(e.entries, func(a, b Entry) int { return a.at - b.at })
	return nil
}

// converse asks the questions of one conversation, one after the other.
func (e *exam) converse(ctx context.Context, questions []Question) error {
	k := &talk{id: domain.NewID(), agent: e.agent, bench: e.cfg.Workbench}
	for _, name := range questions[0].Sources {
		source, err := e.library.source(ctx, e.suite, name)
		if err != nil {
			return err
		}
		k.sources = append(k.sources, source)
	}
	for i := range questions {
		q := &questions[i]
		// The truths come first, so that no money is spent on a question that cannot be judged.
		truths, err := e.truths(ctx, q, k.sources)
		if err != nil && e.suite.foreign && ctx.Err() == nil {
			e.skip()
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %q: %w", q.Where, q.Text, err)
		}
		a := k.ask(ctx, e.pipeline, q.Text)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if q.Kind != KindOpen {
			e.add(q, &a, truths)
		}
	}
	return nil
}

// truths returns the correct results of a question.
func (e *exam) truths(ctx context.Context, q *Question, sources []domain.DataSource) ([]truth, error) {
	if !q.known() {
		return nil, nil
	}
	var out []truth
	for i, t := range slices.Concat([]Truth{q.Truth}, q.Or, q.Part) {
		part := i > len(q.Or)
		if len(t.Values) > 0 {
			decimals := truthDecimals
			if q.Decimals != nil {
				decimals = *q.Decimals
			}
			out = append(out, truth{t.Values, decimals, part})
			if err := e.compareTruth(ctx, q, &t, sources); err != nil {
				return nil, err
			}
			continue
		}
		r, err := e.cfg.Workbench.Query(ctx, sources, t.SQL)
		if err == nil && len(r.Rows) == 0 {
			err = errors.New("no rows")
		}
		if err != nil && e.suite.foreign && ctx.Err() == nil {
			continue // another alternative may run
		}
		if err != nil {
			return nil, fmt.Errorf("the query of the truth: %w", err)
		}
		out = append(out, truth{r.Rows, exactly, part})
	}
	if len(out) == 0 {
		return nil, errors.New("no query of the truth runs")
	}
	return out, nil
}

// compareTruth runs the query of a truth that is written down as rows as well: if the rows differ, one of the two is out of
// date.
func (e *exam) compareTruth(ctx context.Context, q *Question, t *Truth, sources []domain.DataSource) error {
	if t.SQL == "" {
		return nil
	}
	r, err := e.cfg.Workbench.Query(ctx, sources, t.SQL)
	if err != nil {
		return fmt.Errorf("the query of the truth: %w", err)
	}
	if v, why := (measure{decimals: truthDecimals}).compare(r.Rows, t.Values, q.Rows); v != agrees {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.outdated = append(e.outdated, fmt.Sprintf("%s: %s: %s", q.Where, q.Text, why))
	}
	return nil
}

// skip counts a question that cannot be judged.
func (e *exam) skip() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.skipped++
}

// add judges an answer.
func (e *exam) add(q *Question, a *answered, truths []truth) {
	j := judge(q, a, truths)
	entry := Entry{
		Where: q.Where, Question: q.Text, Style: q.Style, Outcome: j.outcome, declined: j.declined, took: a.took, tokens: a.tokens,
		Fault: e.suite.Strict && j.outcome != Right && !(q.Declinable && (j.outcome == Refused || j.outcome == Asked)),
		at:    e.suite.position(q),
	}
	if e.cfg.Details && j.outcome != Right {
		entry.Reason, entry.Plan, entry.Text = j.reason, a.plan, a.text
		for _, x := range a.queries {
			switch {
			case x.result != nil:
				entry.SQL, entry.Got = x.sql, rowsText(x.result.Rows)
			case entry.Got == "":
				// Without a result that was shown, the last try says most.
				entry.SQL = x.sql
			}
		}
		if len(truths) > 0 {
			entry.Want = rowsText(truths[0].rows)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.entries = append(e.entries, entry)
}

// position returns the place of a question in its suite.
func (s *Suite) position(q *Question) int {
	n := 0
	for _, c := range s.Conversations {
		for i := range c {
			n++
			if c[i].Where == q.Where && c[i].Text == q.Text {
				return n
			}
		}
	}
	return n
}

// score counts the entries.
func (e *exam) score() Score {
	out := Score{
		Suite: e.suite.Name, Questions: len(e.entries), Skipped: e.skipped, Outdated: e.outdated,
		Strict: e.suite.Strict, Sealed: e.suite.Sealed,
	}
	var took []time.Duration
	for i := range e.entries {
		x := &e.entries[i]
		out.count(x)
		took = append(took, x.took)
		if x.Outcome != Right && !e.suite.Sealed {
			out.Entries = append(out.Entries, *x)
		}
	}
	slices.SortFunc(took, cmp.Compare[time.Duration])
	if n := len(took); n > 0 {
		out.Median, out.P95 = seconds(took[n/2]), seconds(took[min(n-1, n*95/100)])
	}
	return out
}

// seconds rounds a duration to milliseconds.
func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }

// Load reads suites by their names from a folder; without names, all of them.
func Load(dir string, names []string) ([]*Suite, error) {
	if len(names) == 0 {
		var err error
		if names, err = Names(dir); err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("there is no suite in %s", dir)
		}
	}
	out := make([]*Suite, len(names))
	for i, name := range names {
		var err error
		if out[i], err = Read(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Sources prepares the sources of a suite's questions, in the order of their names.
func Sources(ctx context.Context, cfg Config, s *Suite) ([]domain.DataSource, error) {
	library := &library{readers: cfg.Readers, bench: cfg.Workbench, folder: cfg.Folder, shelf: map[string]*book{}}
	var names []string
	for _, c := range s.Conversations {
		names = append(names, c[0].Sources...)
	}
	slices.Sort(names)
	var out []domain.DataSource
	for _, name := range slices.Compact(names) {
		source, err := library.source(ctx, s, name)
		if err != nil {
			return nil, err
		}
		out = append(out, source)
	}
	return out, nil
}
