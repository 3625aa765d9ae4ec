package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
)

// TestForm_Grade asks a sample, and compares the grade of each answer.
func TestForm_Grade(t *testing.T) {
	t.Parallel()
	today := date(2026, 7, 10)
	tables, m := stored(t, "samples.json", today, func(*semantic.Input) {}, "retail_orders")
	for question, want := range map[string]domain.Grade{
		"How many orders are there by category?": domain.GradeCertain,
		"rating by category":                     domain.GradeAssumed, // nobody said that ratings are averaged
		"Why did sales drop?":                    domain.GradeRefused,
		"hello":                                  domain.GradeUnsaid,
	} {
		f := newPlanner(newLanguage(), tables, m, today, nil).read(question, nil)
		require.Equal(t, want, f.grade(), "%s: %s %v %v", question, f.reason, f.notes, f.read)
	}
	require.Equal(t, domain.GradeRefused, (*form)(nil).grade())
	asking := &form{}
	asking.ask("Which of them do you mean?")
	require.Equal(t, domain.GradeAsked, asking.grade())
	blocked := &form{}
	blocked.block("It is not there.")
	blocked.ask("Which of them do you mean?")
	require.Equal(t, domain.GradeRefused, blocked.grade(), "the first reason is the one that is said")
}

// A statement that is written by hand has no checks.
func TestForm_Checks(t *testing.T) {
	t.Parallel()
	require.Nil(t, (&form{}).checks(), "a statement that is written by hand has no tree")
}
