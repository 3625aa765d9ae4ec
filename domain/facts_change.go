package domain

import (
	"fmt"
	"slices"
	"strings"
)

// FactChangeKind says what is different between two files of a data source.
type FactChangeKind string

// The kinds of changes.
const (
	TableCame   FactChangeKind = "table_came"
	TableGone   FactChangeKind = "table_gone"
	ColumnsCame FactChangeKind = "columns_came"
	ColumnsGone FactChangeKind = "columns_gone"
	KeyLost     FactChangeKind = "key_lost"
	KeyFound    FactChangeKind = "key_found"
	LinkLost    FactChangeKind = "link_lost"
	LinkFound   FactChangeKind = "link_found"
	LinkOrphans FactChangeKind = "link_orphans"
	PanelLost   FactChangeKind = "panel_lost"
	PanelFound  FactChangeKind = "panel_found"
)

// factChangesMax is the maximum number of changes that are kept.
const factChangesMax = 50

// FactChange is one difference between two files of a data source.
type FactChange struct {
	Kind    FactChangeKind `json:"kind"`
	Table   string         `json:"table"`
	Columns []string       `json:"columns,omitempty"`
	// ToTable and ToColumns are the other end of a link. Of a panel, Columns are what is followed and ToColumns its period.
	ToTable   string   `json:"toTable,omitempty"`
	ToColumns []string `json:"toColumns,omitempty"`
	// Repeated are the values of a former key that are in more than one row, Missing the rows without a value,
	// and Orphans the rows of a link whose value the other table does not have.
	Repeated int64 `json:"repeated,omitempty"`
	Missing  int64 `json:"missing,omitempty"`
	Orphans  int64 `json:"orphans,omitempty"`
}

// String returns the change as an English sentence, for models and for logs.
func (c *FactChange) String() string {
	columns, to := strings.Join(c.Columns, " + "), c.ToTable+"."+strings.Join(c.ToColumns, " + ")
	switch c.Kind {
	case TableCame:
		return fmt.Sprintf("The table %s is new.", c.Table)
	case TableGone:
		return fmt.Sprintf("The table %s is gone.", c.Table)
	case ColumnsCame:
		return fmt.Sprintf("%s has new columns: %s.", c.Table, strings.Join(c.Columns, ", "))
	case ColumnsGone:
		return fmt.Sprintf("%s has lost columns: %s.", c.Table, strings.Join(c.Columns, ", "))
	case KeyFound:
		return fmt.Sprintf("%s now identifies each row of %s.", columns, c.Table)
	case KeyLost:
		return fmt.Sprintf("%s no longer identifies each row of %s%s.", columns, c.Table, c.why())
	case LinkFound:
		return fmt.Sprintf("%s.%s now links to %s.", c.Table, columns, to)
	case LinkLost:
		return fmt.Sprintf("%s.%s no longer links to %s.", c.Table, columns, to)
	case PanelFound:
		return fmt.Sprintf("%s now follows each %s over its %s.", c.Table, columns, strings.Join(c.ToColumns, " + "))
	case PanelLost:
		return fmt.Sprintf("%s no longer follows each %s over its %s.", c.Table, columns, strings.Join(c.ToColumns, " + "))
	case LinkOrphans:
		if c.Orphans == 1 {
			return fmt.Sprintf("1 row of %s has a value in %s that %s does not have.", c.Table, columns, to)
		}
		return fmt.Sprintf("%d rows of %s have a value in %s that %s does not have.", c.Orphans, c.Table, columns, to)
	}
	return ""
}

// why says why a key is no longer one.
func (c *FactChange) why() string {
	var parts []string
	switch {
	case c.Repeated == 1:
		parts = append(parts, "1 value is in several rows")
	case c.Repeated > 1:
		parts = append(parts, fmt.Sprintf("%d values are in several rows", c.Repeated))
	}
	switch {
	case c.Missing == 1:
		parts = append(parts, "1 row has none")
	case c.Missing > 1:
		parts = append(parts, fmt.Sprintf("%d rows have none", c.Missing))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// CompareFacts says what is different in a new file. What was not measured in one of the two is not compared.
func CompareFacts(before, after *SourceFacts) []FactChange {
	var out []FactChange
	allBefore, allAfter := !slices.Contains(before.Unmeasured, FactTables), !slices.Contains(after.Unmeasured, FactTables)
	for i := range before.Tables {
		if allAfter && tableOf(after, before.Tables[i].Table) == nil {
			out = append(out, FactChange{Kind: TableGone, Table: before.Tables[i].Table})
		}
	}
	for i := range after.Tables {
		t := &after.Tables[i]
		old := tableOf(before, t.Table)
		if old == nil {
			if allBefore {
				out = append(out, FactChange{Kind: TableCame, Table: t.Table})
			}
			continue
		}
		out = append(out, compareColumns(old, t)...)
		out = append(out, compareKeys(old, t, after.Lost)...)
		out = append(out, comparePanels(old, t, after.Lost)...)
	}
	if !slices.Contains(before.Unmeasured, FactLinks) && !slices.Contains(after.Unmeasured, FactLinks) {
		out = append(out, compareLinks(before, after)...)
	}
	return out[:min(len(out), factChangesMax)]
}

// compareColumns lists the columns that came and went.
func compareColumns(before, after *TableFacts) []FactChange {
	if len(before.Columns) == 0 || len(after.Columns) == 0 {
		return nil // one of them could not be measured
	}
	var out []FactChange
	if gone := missingColumns(before, after); len(gone) > 0 {
		out = append(out, FactChange{Kind: ColumnsGone, Table: after.Table, Columns: gone})
	}
	if came := missingColumns(after, before); len(came) > 0 {
		out = append(out, FactChange{Kind: ColumnsCame, Table: after.Table, Columns: came})
	}
	return out
}

// missingColumns lists the columns of a table that the other one does not have.
func missingColumns(of, other *TableFacts) []string {
	var out []string
	for i := range of.Columns {
		if !hasColumns(other, of.Columns[i].Name) {
			out = append(out, of.Columns[i].Name)
		}
	}
	return out
}

// compareKeys compares the keys of a table in two files. Of a key whose columns are gone only that is said, and a
// table without rows says nothing about keys.
func compareKeys(before, after *TableFacts, lost []LostKey) []FactChange {
	var out []FactChange
	for _, l := range lost {
		if l.Table == after.Table {
			out = append(out, FactChange{Kind: KeyLost, Table: l.Table, Columns: l.Columns, Repeated: l.Repeated, Missing: l.Missing})
		}
	}
	if before.Rows == 0 || len(before.Keys) > 0 || slices.Contains(before.Unmeasured, FactKeys) {
		return out
	}
	// A key is only news in a table that had none.
	for _, key := range after.Keys {
		if hasColumns(before, key...) {
			return append(out, FactChange{Kind: KeyFound, Table: after.Table, Columns: key})
		}
	}
	return out
}

// comparePanels says that a table no longer follows its things over time, or does so now: what is known of levels depends on it.
// If the columns are gone or are no key any more, only that is said.
func comparePanels(before, after *TableFacts, lost []LostKey) []FactChange {
	of := func(kind FactChangeKind, p *PanelFacts) FactChange {
		return FactChange{Kind: kind, Table: after.Table, Columns: p.Entity, ToColumns: []string{p.Period}}
	}
	unmeasured := slices.Contains(before.Unmeasured, FactPanel) || slices.Contains(after.Unmeasured, FactPanel)
	switch old, now := before.Panel, after.Panel; {
	case unmeasured || before.Rows == 0 || after.Rows == 0 || (old == nil) == (now == nil):
	case now != nil:
		if hasColumns(before, append(slices.Clone(now.Entity), now.Period)...) {
			return []FactChange{of(PanelFound, now)}
		}
	default:
		key := append(slices.Clone(old.Entity), old.Period)
		isLost := slices.ContainsFunc(lost, func(l LostKey) bool {
			return l.Table == after.Table && len(l.Columns) == len(key) &&
				!slices.ContainsFunc(key, func(name string) bool { return !slices.Contains(l.Columns, name) })
		})
		if hasColumns(after, key...) && !isLost {
			return []FactChange{of(PanelLost, old)}
		}
	}
	return nil
}

// compareLinks compares the links between the tables of two files.
func compareLinks(before, after *SourceFacts) []FactChange {
	var out []FactChange
	for i := range before.Links {
		old := &before.Links[i]
		if old.Shared {
			continue // without a key there is nothing that could be lost
		}
		at := slices.IndexFunc(after.Links, old.sameEnds)
		from, to := tableOf(after, old.FromTable), tableOf(after, old.ToTable)
		change := FactChange{Table: old.FromTable, Columns: old.From, ToTable: old.ToTable, ToColumns: old.To}
		switch {
		case from == nil || to == nil || !hasColumns(from, old.From...) || !hasColumns(to, old.To...):
			// The table or the columns are gone, which is said already.
		case at < 0:
			change.Kind = LinkLost
			out = append(out, change)
		case old.Orphans == 0 && after.Links[at].Orphans > 0:
			change.Kind, change.Orphans = LinkOrphans, after.Links[at].Orphans
			out = append(out, change)
		}
	}
	for i := range after.Links {
		l := &after.Links[i]
		if l.Shared {
			continue
		}
		from, to := tableOf(before, l.FromTable), tableOf(before, l.ToTable)
		known := slices.ContainsFunc(before.Links, func(old LinkFacts) bool { return l.sameEnds(old) })
		if known || from == nil || to == nil || !hasColumns(from, l.From...) || !hasColumns(to, l.To...) {
			continue
		}
		out = append(out, FactChange{Kind: LinkFound, Table: l.FromTable, Columns: l.From, ToTable: l.ToTable, ToColumns: l.To})
	}
	return out
}

// CompareLinks says which links between two data sources no longer hold, or have orphans now, after a file of one of them was
// replaced.
func CompareLinks(before, after []SourceLink) []FactChange {
	var out []FactChange
	for i := range before {
		old := &before[i]
		if old.Shared {
			continue
		}
		at := slices.IndexFunc(after, func(l SourceLink) bool { return l.FromSource == old.FromSource && old.sameEnds(l.LinkFacts) })
		change := FactChange{Table: old.FromTable, Columns: old.From, ToTable: old.ToTable, ToColumns: old.To}
		switch {
		case at < 0:
			change.Kind = LinkLost
		case old.Orphans == 0 && after[at].Orphans > 0:
			change.Kind, change.Orphans = LinkOrphans, after[at].Orphans
		default:
			continue
		}
		out = append(out, change)
	}
	return out[:min(len(out), factChangesMax)]
}

// sameEnds reports whether two links lead from and to the same columns.
func (l *LinkFacts) sameEnds(other LinkFacts) bool {
	return l.FromTable == other.FromTable && l.ToTable == other.ToTable && slices.Equal(l.From, other.From) && slices.Equal(l.To, other.To)
}

func tableOf(facts *SourceFacts, table string) *TableFacts {
	for i := range facts.Tables {
		if facts.Tables[i].Table == table {
			return &facts.Tables[i]
		}
	}
	return nil
}

func hasColumns(t *TableFacts, names ...string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(t.Columns, func(c ColumnFacts) bool { return c.Name == name }) {
			return false
		}
	}
	return true
}
