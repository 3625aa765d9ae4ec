package main

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParts(t *testing.T) {
	t.Parallel()
	var (
		p       parts
		stopped []string
	)
	part := func(name string, err error) {
		p.started("stop "+name, func(context.Context) error { stopped = append(stopped, name); return err })
	}
	require.NoError(t, p.stop(t.Context()), "nothing was started")
	part("a", nil)
	part("b", errors.New("no"))
	p.started("stop c", quietly(func() { stopped = append(stopped, "c") }))
	part("a", nil)
	require.EqualError(t, p.stop(t.Context()), "stop b: no")
	require.Equal(t, []string{"a", "c", "b", "a"}, stopped, "backwards, and all of them")
	require.NoError(t, p.stop(t.Context()))
	require.Len(t, stopped, 4, "once")
}
