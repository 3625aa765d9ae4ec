package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/semantic"
)

// TestForm_Orphans checks that an answer over a joined table says how many rows name something that this table does not have, and
// that other answers do not say it.
func TestForm_Orphans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question string
		orphans  int64
		note     string
	}{
		{"how many employees by city", 3, "3 of the 30 employees name a department that `departments` does not have."},
		{"how many employees in Oslo", 1, "1 of the 30 employees names a department that `departments` does not have."},
		{"how many employees by city", 0, ""},
		{"average salary by job title", 3, ""},
	} {
		t.Run(c.question, func(t *testing.T) {
			t.Parallel()
			today := date(2026, 7, 10)
			tables, m := stored(t, "asked.json", today, func(in *semantic.Input) {
				for i := range in.Links {
					in.Links[i].Orphans = c.orphans
				}
			}, "employees", "departments")
			f := newPlanner(newLanguage(), tables, m, today, nil).read(c.question, nil)
			require.True(t, f.understood(), f.reason)
			if c.note == "" {
				for _, n := range f.notes {
					require.NotContains(t, n, "does not have")
				}
				return
			}
			require.Contains(t, f.notes, c.note)
		})
	}
}
