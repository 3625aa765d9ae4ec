package analyst

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/analyst/check"
	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/clock"
)

// Price is the cost of 1,000 tokens of a model, in credits.
type Price struct {
	Input  float64
	Output float64
}

// DataSourceReader finds the data sources of a question, as domain.DataSourceService does.
type DataSourceReader interface {
	Readable(ctx context.Context, organisation, user int64, ids []int64) ([]domain.DataSource, error)
	OfConversation(ctx context.Context, caller domain.Caller, conversation uuid.UUID) ([]domain.DataSource, error)
}

// AgentReader finds the agent of a turn, as domain.AnalystService does.
type AgentReader interface {
	DefaultAnalyst(ctx context.Context, organisation int64) (*domain.Analyst, error)
	UsableAnalyst(ctx context.Context, caller domain.Caller, id int64) (*domain.Analyst, error)
}

// FactsReader returns the measured facts of data sources, as domain.FactsService does.
type FactsReader interface {
	Facts(ctx context.Context, organisation, user int64, sources []int64) (*domain.FactsOfSources, error)
}

// CorrectionReader returns what people said about the data of sources, the earliest first. Withdrawn corrections, and those
// about sources that the person may not read, are left out.
type CorrectionReader interface {
	StandingOf(ctx context.Context, organisation, user int64, sources []int64) ([]meaning.Correction, error)
}

// Config is what a Pipeline needs. Providers, Workbench, DataSources, Analysts and Files are required;
// for every other field the zero value means the default in its comment.
type Config struct {
	// Providers by domain.Analyst.Provider.
	Providers   map[string]Provider
	Workbench   Workbench
	DataSources DataSourceReader
	Analysts    AgentReader
	Files       domain.FileStore
	// Intake registers files before they are stored, so that files of a turn that is stopped or loses
	// its node in between are removed; nil registers nothing.
	Intake domain.FileIntake
	// History provides earlier messages for the model; nil means that it sees only the prompt.
	History History
	// Memories recalls what helps with a question; nil means that there are none.
	Memories domain.Recaller
	// Facts are the exact facts by which queries are checked, and from which the meaning of the data is derived; nil means that
	// nothing was measured. A total over a join is then shown as unchecked.
	Facts FactsReader
	// Corrections are what people said about the data; nil means that there are none.
	Corrections CorrectionReader
	// Checked is called with each kind of check of a result, its outcome, and whether the statement was not generated here; nil
	// counts nothing.
	Checked func(k check.Kind, o check.Outcome, written bool)
	// Credits returns the credits that an organisation has left; nil means no limit.
	Credits domain.CreditKeeper
	// Prices by "provider/model", else by "provider"; a model without one costs nothing.
	Prices map[string]Price
	// Clock provides the time; nil means the clock of the machine.
	Clock clock.Clock
	// Log receives errors that people are not shown; nil means slog.Default.
	Log *slog.Logger

	// MaxSteps is the maximum number of model and tool calls of one turn, or of one step of its plan; 0
	// means 20. The last of them is a model call without tools. The other limits apply to the whole
	// turn.
	MaxSteps int
	// MaxTokens is the maximum number of tokens, read and written, of one turn; 0 means 400,000.
	MaxTokens int64
	// MaxCredits is the maximum cost of one turn; 0 means no limit except MaxTokens.
	MaxCredits float64
	// MaxText is the maximum number of bytes of text of one turn; 0 means 1 MiB.
	MaxText int
	// TurnTimeout ends a turn; 0 means 10 minutes.
	TurnTimeout time.Duration
	// FirstByteTimeout ends a model call that sends nothing; 0 means 60 s.
	FirstByteTimeout time.Duration
	// StallTimeout ends a model call that stops sending; 0 means 60 s.
	StallTimeout time.Duration
	// QueryTimeout is the pipeline's own time limit of a query; 0 means 60 s.
	QueryTimeout time.Duration
	// FollowUps creates the questions that are offered after an answer; nil offers none.
	FollowUps Follower
	// Retries is the maximum number of repetitions of a model call that failed before its first byte; 0 means 2, negative means
	// none.
	Retries int
	// Backoff is the wait before the first retry, doubled for each further one; 0 means 500 ms.
	Backoff time.Duration
	// Jitter returns numbers from 0 up to 1 that spread the waits; nil means random ones.
	Jitter func() float64
	// MaxRetryAfter is the maximum wait if a vendor asks for one; 0 means 60 s.
	MaxRetryAfter time.Duration
	// HistoryTokens is the token limit for earlier messages in a model's context; 0 means 8,000.
	HistoryTokens int
	// EarlierTokens is the token limit for the queries of earlier turns and their first rows;
	// 0 means 3,000.
	EarlierTokens int
	// SchemaTokens is the token limit for the schema in the system prompt; 0 means 6,000.
	SchemaTokens int
	// ResultTokens is the token limit for one tool result in a model's context; 0 means 2,500.
	ResultTokens int
	// MemoryTokens is the token limit for the memories of one specialist in the system
	// prompt; 0 means 2,000.
	MemoryTokens int
	// GuideTokens is the token limit for each text of instructions of an agent or a plan's
	// step; 0 means 10,000, enough for the longest that may be stored.
	GuideTokens int

	// meanings caches the meanings derived last, for all turns of the pipeline.
	meanings *semantic.Cache
}

// mustValidate sets the defaults and panics on programming errors.
func (c *Config) mustValidate() {
	switch {
	case len(c.Providers) == 0:
		panic("analyst: Config.Providers is required")
	case c.Workbench == nil:
		panic("analyst: Config.Workbench is required")
	case c.DataSources == nil:
		panic("analyst: Config.DataSources is required")
	case c.Analysts == nil:
		panic("analyst: Config.Analysts is required")
	case c.Files == nil:
		panic("analyst: Config.Files is required")
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
	c.meanings = semantic.NewCache()
	fill(&c.MaxSteps, 20)
	fill(&c.MaxTokens, 400_000)
	fill(&c.MaxText, 1<<20)
	fill(&c.TurnTimeout, 10*time.Minute)
	fill(&c.FirstByteTimeout, time.Minute)
	fill(&c.StallTimeout, time.Minute)
	fill(&c.QueryTimeout, time.Minute)
	fill(&c.Retries, 2)
	fill(&c.Backoff, 500*time.Millisecond)
	fill(&c.MaxRetryAfter, time.Minute)
	fill(&c.HistoryTokens, 8_000)
	fill(&c.EarlierTokens, 3_000)
	fill(&c.SchemaTokens, 6_000)
	fill(&c.ResultTokens, 2_500)
	fill(&c.MemoryTokens, 2_000)
	fill(&c.GuideTokens, 10_000)
}

// fill sets a default if nothing was configured.
func fill[T int | int64 | time.Duration](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// price returns the price of a model.
func (c *Config) price(provider, model string) Price {
	if p, ok := c.Prices[provider+"/"+model]; ok {
		return p
	}
	return c.Prices[provider]
}

// credits returns the cost of a call by the price list.
func (c *Config) credits(provider, model string, u Usage) float64 {
	p := c.price(provider, model)
	return domain.SumCredits((float64(u.InputTokens)*p.Input + float64(u.OutputTokens)*p.Output) / 1000)
}
