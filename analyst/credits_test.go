package analyst_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// account is the limit of an organisation, minus what its turns have committed.
type account struct {
	limit *float64
	sinks []*analysttest.Sink
	err   error
	asked int
}

func (a *account) CreditsLeft(_ context.Context, organisation int64) (*float64, error) {
	a.asked++
	if a.err != nil || a.limit == nil || organisation != 3 {
		return nil, a.err
	}
	left := *a.limit
	for _, s := range a.sinks {
		for _, u := range s.Usage() {
			left -= u.Credits
		}
	}
	return &left, nil
}

func TestPipeline_CreditLimit(t *testing.T) {
	t.Parallel()
	list := callsTool(analyst.ToolListSources, struct{}{})
	// Each call costs 6 credits.
	bundle := func(t *testing.T, limit float64, calls ...step) (*bundle, *account) {
		t.Helper()
		b := setup(t, calls...)
		a := &account{limit: &limit, sinks: []*analysttest.Sink{b.sink}}
		b.config.Credits = a
		return b, a
	}

	t.Run("ErrUsedUp", func(t *testing.T) {
		t.Parallel()
		b, _ := bundle(t, 0, speaks("", "42."))
		err := b.run(t)
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(err))
		require.Contains(t, err.Error(), "Your organization has used up its credits for this month")
		require.Empty(t, b.model.made)
		require.Empty(t, b.sink.Steps(), "a call that was not made is not journaled")
	})

	t.Run("EndsWhenItsOwnCallsHaveUsedItUp", func(t *testing.T) {
		t.Parallel()
		b, _ := bundle(t, 10, list)
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(b.run(t)))
		require.Len(t, b.model.made, 2, "the second call exceeded the limit, the third is not made")
	})

	t.Run("SeveralAtOncePassItByOneCallEach", func(t *testing.T) {
		t.Parallel()
		one, a := bundle(t, 1, list)
		two, _ := bundle(t, 1, list)
		a.sinks = append(a.sinks, two.sink)
		two.config.Credits = a
		one.model.calls = []step{func(r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
			// While this call is running, the other turn makes its own call.
			if len(two.model.made) == 0 {
				require.Equal(t, domain.CodeTooMany, domain.CodeOf(two.run(t)))
			}
			return list(r, emit)
		}}
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(one.run(t)))
		require.Len(t, one.model.made, 1)
		require.Len(t, two.model.made, 1)
	})

	t.Run("NoLimit", func(t *testing.T) {
		t.Parallel()
		b, a := bundle(t, 0, speaks("", "42."))
		a.limit = nil
		require.NoError(t, b.run(t))
		require.Equal(t, 1, a.asked)
	})

	t.Run("WhatCostsNothingIsNotAsked", func(t *testing.T) {
		t.Parallel()
		b, a := bundle(t, 0, speaks("", "42."))
		b.config.Prices = nil
		require.NoError(t, b.run(t))
		require.Zero(t, a.asked)
	})

	t.Run("FinishedStepsAreNotPaidAgain", func(t *testing.T) {
		t.Parallel()
		b, a := bundle(t, 100, list, speaks("", "42."))
		require.NoError(t, b.run(t))
		b.job.Finished, b.sink, a.asked = b.sink.Steps(), &analysttest.Sink{}, 0
		require.NoError(t, b.run(t))
		require.Zero(t, a.asked)
	})

	t.Run("ErrStore", func(t *testing.T) {
		t.Parallel()
		b, a := bundle(t, 0, speaks("", "42."))
		a.err = errors.New("connection reset")
		require.Equal(t, domain.CodeInternal, domain.CodeOf(b.run(t)))
		require.Empty(t, b.model.made)
	})
}
