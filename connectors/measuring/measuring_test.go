package measuring_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors/measuring"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// queue gives out tasks in order and keeps what it is told.
type queue struct {
	// mu guards the fields below.
	mu       sync.Mutex
	tasks    []*domain.FactsTask
	finished []*domain.FactsResult
	failed   []bool // whether the try was interrupted
	looks    chan struct{}
	err      error
}

func (q *queue) ClaimFacts(context.Context) (*domain.FactsTask, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case q.looks <- struct{}{}:
	default:
	}
	if len(q.tasks) == 0 {
		return nil, q.err
	}
	task := q.tasks[0]
	q.tasks = q.tasks[1:]
	return task, nil
}

func (q *queue) FinishFacts(_ context.Context, _ *domain.FactsTask, result *domain.FactsResult) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.finished = append(q.finished, result)
	return q.err
}

func (q *queue) FailFacts(ctx context.Context, _ *domain.FactsTask, interrupted bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.failed = append(q.failed, interrupted)
	return ctx.Err()
}

func (q *queue) add(tasks ...*domain.FactsTask) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = append(q.tasks, tasks...)
}

// bench returns what a test has set.
type bench struct {
	err    error
	before *domain.SourceFacts
	cancel context.CancelFunc
}

func (b *bench) MeasureFacts(_ context.Context, _ *domain.DataSource, before *domain.SourceFacts) (*domain.SourceFacts, error) {
	b.before = before
	if b.cancel != nil {
		b.cancel()
	}
	return &domain.SourceFacts{}, b.err
}

func (b *bench) MeasureLinks(_ context.Context, two [2]domain.DataSource, _ [2]domain.SourceFacts) ([]domain.SourceLink, error) {
	return []domain.SourceLink{{FromSource: two[0].ID, ToSource: two[1].ID}}, b.err
}

func one(id int64, known ...domain.SourceFacts) *domain.FactsTask {
	return &domain.FactsTask{Sources: []domain.DataSource{{ID: id}}, Known: known}
}

func TestService_One(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		q, b := &queue{}, &bench{}
		s := measuring.New(measuring.Config{Queue: q, Bench: b})
		did, err := s.One(t.Context())
		require.NoError(t, err)
		require.False(t, did)
		q.add(one(1, domain.SourceFacts{Links: []domain.LinkFacts{{FromTable: "t"}}}), &domain.FactsTask{
			Sources: []domain.DataSource{{ID: 1}, {ID: 2}}, Known: make([]domain.SourceFacts, 2),
		})
		for range 2 {
			did, err = s.One(t.Context())
			require.NoError(t, err)
			require.True(t, did)
		}
		require.Equal(t, "t", b.before.Links[0].FromTable)
		require.NotNil(t, q.finished[0].Facts)
		require.Equal(t, []domain.SourceLink{{FromSource: 1, ToSource: 2}}, q.finished[1].Links)
		require.Empty(t, q.failed)
	})
	for name, test := range map[string]struct {
		err         error
		interrupted bool
	}{
		"ErrFile": {domain.Errorf(domain.CodeInvalid, "bad"), false},
		"ErrBusy": {domain.Errorf(domain.CodeTooMany, "busy"), true},
		"ErrGone": {domain.Errorf(domain.CodeUnavailable, "gone"), true},
		"ErrBug":  {errors.New("bug"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := &queue{}
			q.add(one(1))
			did, err := measuring.New(measuring.Config{Queue: q, Bench: &bench{err: test.err}}).One(t.Context())
			require.True(t, did)
			require.ErrorIs(t, err, test.err)
			require.Equal(t, []bool{test.interrupted}, q.failed)
			require.Empty(t, q.finished)
		})
	}
	t.Run("Stopped", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		q := &queue{}
		q.add(one(1))
		_, err := measuring.New(measuring.Config{Queue: q, Bench: &bench{err: context.Canceled, cancel: cancel}}).One(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, []bool{true}, q.failed, "it is given back although the context has ended")
	})
}

func TestService_Run(t *testing.T) {
	t.Parallel()
	q, c := &queue{looks: make(chan struct{}, 1)}, clock.NewFake(time.Unix(0, 0))
	s := measuring.New(measuring.Config{Queue: q, Bench: &bench{}, Clock: c})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		s.Run(ctx)
		close(ended)
	}()
	<-q.looks // the queue is empty, so it rests until it is woken
	q.add(one(1))
	s.Wake()
	s.Wake() // never blocks
	require.Eventually(t, func() bool {
		q.mu.Lock()
		defer q.mu.Unlock()
		return len(q.finished) == 1
	}, time.Minute, time.Millisecond)
	cancel()
	<-ended
}
