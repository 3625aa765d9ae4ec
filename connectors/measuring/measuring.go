// Package measuring measures prepared files in the background, one at a time on each node: exact keys, dependencies, panels
// and links (domain/facts.go). What is to be measured, and by which node, is decided by the queue, which is the database; the
// measurement itself happens in a process of the workbench.
package measuring

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

const (
	// defaultPause is the time between two looks at the queue while it is empty. New files wake the node that has stored
	// them, so the looks are only for what other nodes have left.
	defaultPause = 30 * time.Second
	// failTimeout is how long the return of a measurement may take when the node stops.
	failTimeout = 5 * time.Second
)

// Bench measures. *workbench.Bench implements it.
type Bench interface {
	MeasureFacts(ctx context.Context, source *domain.DataSource, before *domain.SourceFacts) (*domain.SourceFacts, error)
	MeasureLinks(ctx context.Context, sources [2]domain.DataSource, known [2]domain.SourceFacts) ([]domain.SourceLink, error)
}

// Config of a Service.
type Config struct {
	// Queue and Bench are required.
	Queue domain.FactsQueue
	Bench Bench
	// Pause is the time between two looks at an empty queue; 0 means 30 s.
	Pause time.Duration
	// Clock measures the pause; nil means the machine's.
	Clock clock.Clock
	// Logger receives measurements that failed; nil discards them.
	Logger *slog.Logger
}

func (c *Config) mustValidate() {
	if c.Queue == nil || c.Bench == nil {
		panic("measuring: Queue and Bench are required")
	}
	if c.Pause == 0 {
		c.Pause = defaultPause
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
}

// Service measures until its context ends.
type Service struct {
	config Config
	wake   chan struct{}
}

// New makes a service. It starts nothing.
func New(c Config) *Service {
	c.mustValidate()
	return &Service{config: c, wake: make(chan struct{}, 1)}
}

// Wake lets the service look at the queue at once. It never blocks: one signal that waits is enough.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run measures one file after the other until ctx ends.
func (s *Service) Run(ctx context.Context) {
	for ctx.Err() == nil {
		did, err := s.One(ctx)
		if err != nil && ctx.Err() == nil {
			s.config.Logger.LogAttrs(ctx, slog.LevelWarn, "a file could not be measured", slog.Any("error", err))
		}
		if did && err == nil {
			continue
		}
		// After an error the queue rests as well, so that a database that is gone is not asked without end.
		s.rest(ctx)
	}
}

// rest waits until there may be something to measure.
func (s *Service) rest(ctx context.Context) {
	over := make(chan struct{})
	timer := s.config.Clock.AfterFunc(s.config.Pause, func() { close(over) })
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-s.wake:
	case <-over:
	}
}

// One takes one measurement from the queue and makes it. It reports whether there was one.
func (s *Service) One(ctx context.Context) (bool, error) {
	task, err := s.config.Queue.ClaimFacts(ctx)
	if err != nil {
		return false, fmt.Errorf("look for files to measure: %w", err)
	}
	if task == nil {
		return false, nil
	}
	result, err := s.measure(ctx, task)
	if err == nil {
		if err = s.config.Queue.FinishFacts(ctx, task, result); err == nil {
			return true, nil
		}
	}
	// The measurement is given back also when the node stops; if that fails, the claim ends by itself.
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), failTimeout)
	defer cancel()
	if failed := s.config.Queue.FailFacts(ending, task, interrupted(ctx, err)); failed != nil {
		s.config.Logger.LogAttrs(ctx, slog.LevelWarn, "a measurement could not be given back", slog.Any("error", failed))
	}
	return true, fmt.Errorf("measure %d: %w", task.Sources[0].ID, err)
}

// interrupted reports whether a measurement failed for a reason that is not the file's, so that the try does not count.
func interrupted(ctx context.Context, err error) bool {
	code := domain.CodeOf(err)
	return code == domain.CodeUnavailable || code == domain.CodeTooMany || ctx.Err() != nil
}

// measure measures a file, or the links between two.
func (s *Service) measure(ctx context.Context, task *domain.FactsTask) (*domain.FactsResult, error) {
	if len(task.Sources) == 1 {
		var before *domain.SourceFacts
		if len(task.Known) > 0 {
			before = &task.Known[0]
		}
		facts, err := s.config.Bench.MeasureFacts(ctx, &task.Sources[0], before)
		return &domain.FactsResult{Facts: facts}, err
	}
	links, err := s.config.Bench.MeasureLinks(ctx, [2]domain.DataSource(task.Sources), [2]domain.SourceFacts(task.Known))
	return &domain.FactsResult{Links: links}, err
}
