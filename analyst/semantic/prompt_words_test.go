package semantic_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain/meaning"
)

// TestAboutTable_Verbs says which verbs a model reads, and how.
func TestAboutTable_Verbs(t *testing.T) {
	t.Parallel()
	lines := func(verbs ...meaning.Verb) []string {
		return semantic.AboutTable(&meaning.Table{Time: "opened_on", Verbs: verbs}, nil)[1:]
	}
	said := meaning.Reason{State: meaning.Said}
	t.Run("Grouped", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []string{`verbs: "close", "solve" mean status = 'Solved'; "ship" means ship_date; "cancel" means gone by month`}, lines(
			meaning.Verb{Word: "close", Column: "status", Value: "'Solved'", Time: "opened_on"},
			meaning.Verb{Word: "ship", Time: "ship_date"},
			meaning.Verb{Word: "solve", Column: "status", Value: "'Solved'", Time: "opened_on"},
			meaning.Verb{Word: "cancel", Column: "gone", Time: "month"},
		))
	})
	t.Run("LeftOut", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, lines(meaning.Verb{Word: "pay", Column: "status", Value: "'Paid'", Shared: true},
			meaning.Verb{Word: "begin", Time: "opened_on"}), "the verb is shared, or says what the line of the time says")
		require.Equal(t, []string{`verbs: "begin" means opened_on`}, lines(meaning.Verb{Word: "begin", Time: "opened_on", Reason: said}))
	})
	t.Run("AtMost", func(t *testing.T) {
		t.Parallel()
		var verbs []meaning.Verb
		for i := range 10 {
			verbs = append(verbs, meaning.Verb{Word: fmt.Sprintf("v%d", i), Time: "closed_on", Reason: said})
		}
		require.Equal(t, []string{`verbs: "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7" mean closed_on; and 2 more`}, lines(verbs...))
	})
}

// TestSaidWords says which words a model reads, and how.
func TestSaidWords(t *testing.T) {
	t.Parallel()
	word := func(text, table, column string, state meaning.State) meaning.Word {
		return meaning.Word{Text: text, Source: 1, Table: table, Column: column, Reason: meaning.Reason{State: state}}
	}
	m := &meaning.Meaning{Words: []meaning.Word{
		word("headcount", "people", "", meaning.Said), word("staff", "people", "", meaning.Said), word("staff", "people", "", meaning.Said),
		word("boss", "people", "manager", meaning.Said), word("lead", "people", "manager", meaning.Documented),
		word("worker", "people", "", meaning.Inferred), word("shift", "shifts", "", meaning.Said),
	}}
	people := &meaning.Table{Source: 1, Name: "people"}
	said := semantic.SaidWords(m, people)
	require.Equal(t, map[string][]string{"": {"headcount", "staff"}, "manager": {"boss"}}, said)
	require.Empty(t, semantic.SaidWords(m, &meaning.Table{Source: 2, Name: "people"}))

	require.Equal(t, []string{"words: headcount, staff"}, semantic.AboutTable(people, said[""]))
	column := &meaning.Column{Name: "manager", Role: meaning.Dimension}
	require.Equal(t, "words: boss", semantic.AboutColumn(people, column, said["manager"]))
	require.Empty(t, semantic.AboutColumn(people, column, nil))
	column.Ordered = []string{"A", "B", "C"}
	require.Equal(t, "in the order A < B < C; words: a, a, a, a, a, a, a, a and 1 more",
		semantic.AboutColumn(people, column, slices.Repeat([]string{"a"}, 9)))
}
