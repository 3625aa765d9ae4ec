package meaning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain/meaning"
)

func TestParseLink(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]meaning.SaidLink{
		"orders.id":       {End: "orders.id"},
		"-orders.id":      {Not: true, End: "orders.id"},
		"!orders.id":      {Preferred: true, End: "orders.id"},
		"s12.orders.id":   {Source: 12, End: "orders.id"},
		"-s12.orders.id":  {Not: true, Source: 12, End: "orders.id"},
		"s12.id":          {End: "s12.id"}, // a table that is called s12
		"12.orders.id":    {End: "12.orders.id"},
		"s0.orders.id":    {End: "s0.orders.id"},
		"sales.orders.id": {End: "sales.orders.id"},
	} {
		require.Equal(t, want, meaning.ParseLink(value), value)
	}
}

func TestLinkedColumns(t *testing.T) {
	t.Parallel()
	for end, want := range map[string]struct {
		from, to []string
		ok       bool
	}{
		"id":                        {[]string{"a"}, []string{"id"}, true},
		"[id]":                      {[]string{"a"}, []string{"[id]"}, true},
		`[["a","id"],["b.c","no"]]`: {[]string{"a", "b.c"}, []string{"id", "no"}, true},
		`[["b","id"],["a","no"]]`:   {[]string{"b", "a"}, []string{"id", "no"}, false},
		`[["a","id"]]`:              {},
		`[["a","id"],["b"]]`:        {},
		`[["a","id`:                 {},
	} {
		from, to, ok := meaning.LinkedColumns("a", end)
		require.Equal(t, want.ok, ok, end)
		require.Equal(t, want.from, from, end)
		require.Equal(t, want.to, to, end)
	}
}
