package semantic_test

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain/meaning"
)

// dump writes a meaning as text, one line for each statement, with its state and its evidence.
func dump(m *meaning.Meaning) string {
	var b strings.Builder
	for i := range m.Tables {
		dumpTable(&b, &m.Tables[i])
	}
	for i := range m.Links {
		l := &m.Links[i]
		fmt.Fprintf(&b, "link %s → %s: %s, %s", ends(l.From), ends(l.To), l.Entity, l.Cardinality)
		if l.Part != "" {
			fmt.Fprintf(&b, ", part %q", l.Part)
		}
		if l.Preferred {
			b.WriteString(", preferred")
		}
		b.WriteString(reason(l.Reason) + "\n")
	}
	for _, w := range m.Words {
		fmt.Fprintf(&b, "word %q: %s.%s%s\n", w.Text, w.Table, w.Column, reason(w.Reason))
	}
	return b.String()
}

func dumpTable(b *strings.Builder, t *meaning.Table) {
	fmt.Fprintf(b, "table %s: %s, %d rows, a row is a %s (%s)%s\n", t.Name, t.Kind, t.Rows, t.Row, t.Plural, reason(t.RowReason))
	for _, k := range t.Keys {
		fmt.Fprintf(b, "  key %s\n", strings.Join(k, " + "))
	}
	if len(t.Keys) == 0 && t.KeysKnown {
		b.WriteString("  no key\n")
	}
	for _, e := range t.Entities {
		fmt.Fprintf(b, "  entity %s: %s", e.Entity, strings.Join(e.Columns, " + "))
		if e.Home {
			b.WriteString(", at home")
		}
		b.WriteByte('\n')
	}
	for _, i := range t.Implies {
		fmt.Fprintf(b, "  implied by %s: %s\n", strings.Join(i.By, " + "), strings.Join(i.Columns, ", "))
	}
	if s := t.Snapshot; s != nil {
		fmt.Fprintf(b, "  snapshot %s by %s (%s), regular %v, last %q, birth %q, exit %q\n", strings.Join(s.Entity, " + "), s.Period, s.Step,
			s.Regular,
			s.Last, s.Birth, s.Exit)
	}
	if t.Time != "" {
		fmt.Fprintf(b, "  time %s%s\n", t.Time, reason(t.TimeReason))
	}
	if t.Main != "" {
		fmt.Fprintf(b, "  main %s%s\n", t.Main, reason(t.MainReason))
	}
	if t.Called != "" {
		fmt.Fprintf(b, "  called by %s\n", t.Called)
	}
	for i := range t.Columns {
		dumpColumn(b, &t.Columns[i])
	}
	for _, v := range t.Verbs {
		fmt.Fprintf(b, "  verb %s:", v.Word)
		if v.Column != "" {
			fmt.Fprintf(b, " %s = %s", v.Column, v.Value)
		}
		if v.Time != "" {
			fmt.Fprintf(b, " by %s", v.Time)
		}
		if v.Shared {
			b.WriteString(", shared")
		}
		fmt.Fprintf(b, "%s\n", reason(v.Reason))
	}
}

func dumpColumn(b *strings.Builder, c *meaning.Column) {
	fmt.Fprintf(b, "  column %s (%s): %s", c.Name, c.Label, c.Role)
	if c.Yes != "" {
		fmt.Fprintf(b, ", yes is %s", c.Yes)
	}
	if c.Ordered != nil {
		fmt.Fprintf(b, ", ordered %s", strings.Join(c.Ordered, " < "))
	}
	if n := c.Number; n != nil {
		fmt.Fprintf(b, ", %s, %s by default", n.Adds, n.Default)
		if n.Unit.Kind != "" {
			fmt.Fprintf(b, ", %s %s%s", n.Unit.Kind, n.Unit.Symbol, n.Unit.Column)
			if n.Unit.OfOne {
				b.WriteString(" of one")
			}
		}
		if n.Scale != 1 {
			fmt.Fprintf(b, ", times %g", n.Scale)
		}
		if n.Weight != "" {
			fmt.Fprintf(b, ", weighed by %s", n.Weight)
		}
		for _, bar := range n.Barriers {
			fmt.Fprintf(b, ", not over %s (%s, %s)", bar.Column, bar.Of, bar.Resolve)
		}
	}
	b.WriteByte('\n')
	fields := make([]string, 0, len(c.Reasons))
	for field := range c.Reasons {
		fields = append(fields, field)
	}
	slices.Sort(fields)
	for _, field := range fields {
		fmt.Fprintf(b, "    %s%s\n", field, reason(c.Reasons[field]))
	}
}

func ends(e meaning.Ends) string { return fmt.Sprintf("%s.%s", e.Table, strings.Join(e.Columns, "+")) }

func reason(r meaning.Reason) string {
	if r.State == "" {
		return ""
	}
	return fmt.Sprintf(" [%s] %s", r.State, r.Evidence)
}
