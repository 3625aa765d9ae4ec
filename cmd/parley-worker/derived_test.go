package main

// The checks that are derived from the plan of a statement, over the statements of testdata/totals: they must not fail for what
// is right.

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	judging "parley.dev/parley/analyst/guard"
)

// differs runs the derived control of a statement, and says of each total whether it is another one with each row once.
func (x *totals) differs(tb testing.TB, d *judging.Derived) (wrong []string) {
	tb.Helper()
	if d.Control == "" {
		return nil
	}
	found, err := x.db.rows("SELECT COLUMNS(*)::VARCHAR FROM (" + d.Control + ")")
	require.NoError(tb, err, d.Control)
	require.Len(tb, found, 1)
	at := func(i int) float64 {
		if i < 0 {
			return 0
		}
		n, err := strconv.ParseFloat(found[0][i], 64)
		if found[0][i] == "" {
			return 0
		}
		require.NoError(tb, err)
		return n
	}
	for _, t := range d.Totals {
		if math.Abs(at(t.Joined)-at(t.Once)) > 1e-8*at(t.Size) {
			wrong = append(wrong, fmt.Sprintf("%s of %s: %v, once %v", t.Total, t.Table, at(t.Joined), at(t.Once)))
		}
	}
	return wrong
}

// TestDerived_Corpora: no right statement fails a derived check, and most of the wrong ones do that count rows twice, although
// the checks know no keys.
func TestDerived_Corpora(t *testing.T) {
	t.Parallel()
	x := newTotals(t)
	files, err := filepath.Glob("testdata/totals/*.sql")
	require.NoError(t, err)
	right, controlled, repeated, found := 0, 0, 0, 0
	reasons := map[string]int{}
	for _, file := range files {
		for _, s := range readStatements(t, file) {
			plan, missing := planOf(x.db, s.sql, 1<<20)
			if missing != "" {
				continue
			}
			d := judging.Derive(plan)
			wrong := x.differs(t, &d)
			where := fmt.Sprintf("%s line %d: %s\n%s", file, s.line, s.sql, d.Control)
			switch s.verdict {
			case "right":
				right++
				require.Empty(t, wrong, where)
				if len(d.Totals) > 0 {
					controlled++
				}
				for _, u := range d.Unchecked {
					reasons[u]++
				}
			case "repeated":
				repeated++
				if len(wrong) > 0 {
					found++
				} else {t.Log("MISSED", s.verdict, s.sql, d.Unchecked, len(d.Totals))}
			}
		}
	}
	t.Logf("%d right, %d with a control; %d of %d that count twice are found; without a control: %v", right, controlled, found, repeated, reasons)
}
var _ = strings.TrimSpace
