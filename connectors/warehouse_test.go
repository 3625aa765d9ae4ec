package connectors_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

func TestCalls_Take(t *testing.T) {
	t.Parallel()
	calls := connectors.NewCalls(2)
	first, err := calls.Acquire()
	require.NoError(t, err)
	_, err = calls.Acquire()
	require.NoError(t, err)
	_, err = calls.Acquire()
	require.Equal(t, domain.CodeTooMany, domain.CodeOf(err))
	first()
	_, err = calls.Acquire()
	require.NoError(t, err)
}

// TestSession_Run has the error of each way in which a session ends, and whether it was closed.
func TestSession_Run(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	gone := errors.New("the caller is gone")
	for _, row := range []struct {
		name       string
		open, work func(ctx context.Context) error
		deadline   time.Duration
		gone       bool
		want       string
		closed     bool
	}{
		{name: "OK", closed: true},
		{name: "ErrUnopened", open: func(context.Context) error { return broken }, want: "unopened: broken"},
		{name: "ErrFailed", work: func(context.Context) error { return broken }, want: "failed: broken", closed: true},
		{
			name: "ErrLate", deadline: time.Millisecond, closed: true,
			work: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
			want: "invalid: The query took longer than 1ms and was ended. Ask for less: filter earlier, group coarser or limit the rows.",
		},
		{
			name: "ErrCallerGone", gone: true, closed: true,
			work: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, want: "query a warehouse: the caller is gone",
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			closed := false
			s := connectors.Session{
				Open: func(context.Context) error { return nil }, Work: func(context.Context) error { return nil },
				Close:    func(context.Context) { closed = true },
				Unopened: func(err error) error { return errors.New("unopened: " + err.Error()) },
				Failed:   func(err error) error { return errors.New("failed: " + err.Error()) },
			}
			if row.open != nil {
				s.Open = row.open
			}
			if row.work != nil {
				s.Work = row.work
			}
			if row.gone {
				cancel(gone)
			}
			if row.deadline == 0 {
				row.deadline = time.Minute
			}
			err := s.Run(ctx, row.deadline)
			require.Equal(t, row.closed, closed)
			if row.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, row.want)
		})
	}
}

func TestAnswer_Add(t *testing.T) {
	t.Parallel()
	text := func(cell []byte) any { return string(cell) }
	answer := func(caps connectors.Caps) *connectors.Answer {
		return &connectors.Answer{Caps: caps, Read: []func([]byte) any{text, text}}
	}
	t.Run("Rows", func(t *testing.T) {
		t.Parallel()
		a := answer(connectors.Caps{Rows: 2, Bytes: 100})
		for range 2 {
			a.Add([][]byte{[]byte("a"), nil})
		}
		require.False(t, a.Truncated())
		a.Add([][]byte{[]byte("a"), nil})
		require.True(t, a.Truncated())
		require.Equal(t, [][]any{{"a", nil}, {"a", nil}}, a.Rows)
	})
	t.Run("Bytes", func(t *testing.T) {
		t.Parallel()
		a := answer(connectors.Caps{Rows: 10, Bytes: 5})
		a.Add([][]byte{[]byte("abc"), []byte("de")})
		require.False(t, a.Full)
		a.Add([][]byte{[]byte("f"), nil})
		require.True(t, a.Full)
		require.Len(t, a.Rows, 1)
	})
	t.Run("LongCell", func(t *testing.T) {
		t.Parallel()
		a := answer(connectors.Caps{Rows: 10, Bytes: connectors.DefaultBytes})
		a.Add([][]byte{[]byte("x" + strings.Repeat("é", connectors.MaxCell)), nil})
		require.True(t, a.Truncated())
		require.Equal(t, "x"+strings.Repeat("é", connectors.MaxCell/2-1), a.Rows[0][0], "cut at the end of a character")
	})
	require.NoError(t, connectors.CheckColumns(connectors.MaxColumns))
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(connectors.CheckColumns(connectors.MaxColumns+1)))
	require.NoError(t, connectors.CheckStatement(strings.Repeat(" ", 64<<10)))
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(connectors.CheckStatement(strings.Repeat(" ", 64<<10+1))))
}

func TestProposed(t *testing.T) {
	t.Parallel()
	table := domain.DataResource{Name: "t"}
	require.Equal(t, "The table t of the database d.", connectors.Proposed("d", []domain.DataResource{table}))
	require.Equal(t, "2 tables of the database d: t, t.", connectors.Proposed("d", []domain.DataResource{table, table}))
	many := make([]domain.DataResource, 14)
	require.Contains(t, connectors.Proposed("d", many), "14 tables of the database d: ")
	require.Contains(t, connectors.Proposed("d", many), " and 2 more.")
}
