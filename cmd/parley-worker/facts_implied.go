package main

// Dependencies: what is constant for each value of a column that repeats, such as the date of an order in a table of its
// items.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

const (
	// The most columns whose dependencies are measured, of a table with few rows and of one with many.
	determinedFew, determinedMany = 12, 5
	// dependentMax is the most columns that are compared in one statement.
	dependentMax = 40
	// sampledGroups is the share of the groups in which a dependency of a large table is tried first: one in so many.
	sampledGroups = 64
	// fewGroups is the number of groups up to which the smallest and largest values of all of them are held in memory.
	fewGroups = 100_000
)

// findImplied measures the dependencies of the columns that repeat and are named like keys, are part of a key, or are
// texts that repeat.
func (t *surveyed) findImplied() error {
	end := time.Now().Add(impliedTime)
	for _, by := range t.determiners() {
		columns, err := t.dependents(end, by)
		if errors.Is(err, errUnfit) {
			t.leaveOut(domain.FactImplied)
			continue
		}
		if err != nil {
			return err
		}
		if len(columns) > 0 {
			t.facts.Implied = append(t.facts.Implied, domain.Implication{By: []string{by.Name}, Columns: namesOf(columns)})
		}
	}
	return nil
}

// determiners chooses the columns whose dependencies are worth a proof, the likeliest first.
func (t *surveyed) determiners() []*surveyedColumn {
	const none = 9
	weight := func(c *surveyedColumn) int {
		inKey := slices.ContainsFunc(t.facts.Keys, func(key []string) bool { return len(key) > 1 && slices.Contains(key, c.Name) })
		switch {
		case c.class != classText && c.class != classInteger || c.estimate < 2 || t.isNamedKey([]*surveyedColumn{c}):
			return none
		case keyLike(c.words):
			return 0
		case inKey:
			return 1
		// A text that is different in most rows determines the others by chance.
		case c.class == classText && 2*c.estimate <= t.facts.Rows:
			return 2
		}
		return none
	}
	var out []*surveyedColumn
	for _, c := range t.columns {
		if weight(c) < none && c.estimate < t.facts.Rows {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *surveyedColumn) int {
		return cmp.Or(cmp.Compare(weight(a), weight(b)), -cmp.Compare(a.estimate, b.estimate))
	})
	most := determinedFew
	if t.facts.Rows > countedRows {
		most = determinedMany
	}
	return out[:min(most, len(out))]
}

// dependents returns the columns that are constant for each value of another one.
func (t *surveyed) dependents(end time.Time, by *surveyedColumn) ([]*surveyedColumn, error) {
	var others []*surveyedColumn
	for _, c := range t.columns {
		// A key repeats for no value that repeats.
		if c != by && c.class != classOther && !t.isNamedKey([]*surveyedColumn{c}) {
			others = append(others, c)
		}
	}
	if t.facts.Rows <= countedRows {
		return t.constant(end, by, others, t.from)
	}
	// Most columns are refuted by a part of the rows: the first ones where the groups are few and large, and whole groups
	// where they are many and may be scattered.
	few := by.estimate <= fewGroups
	part := fmt.Sprintf("(SELECT * FROM %s LIMIT %d)", t.from, triedRows)
	if !few {
		part = fmt.Sprintf("(SELECT * FROM %s WHERE hash(%s) %% %d = 0)", t.from, sqltext.QuoteName(by.Name), sampledGroups)
	}
	others, err := t.constant(end, by, others, part)
	if err != nil || len(others) == 0 {
		return nil, err
	}
	if few {
		return t.constant(end, by, others, t.from)
	}
	groups, err := t.exactly(time.Until(end), by)
	if err != nil {
		return nil, err
	}
	if by.Missing > 0 {
		groups++ // the rows without a value are a group too
	}
	// What has passed the sample holds as a rule, so that one pass proves all of it.
	is, err := t.sameGroups(end, groups, append([]*surveyedColumn{by}, others...))
	if err != nil || is {
		return others, err
	}
	var out []*surveyedColumn
	for _, c := range others {
		is, err := t.sameGroups(end, groups, []*surveyedColumn{by, c})
		if err != nil {
			return nil, err
		}
		if is {
			out = append(out, c)
		}
	}
	return out, nil
}

// sameGroups reports whether further columns divide no group of the first one. Millions of groups can be spilled, while the
// smallest and largest values of constant must be in memory for all of them.
func (t *surveyed) sameGroups(end time.Time, groups int64, columns []*surveyedColumn) (bool, error) {
	found, err := t.s.numbers(time.Until(end), fmt.Sprintf("SELECT count(*)::VARCHAR FROM (SELECT 1 FROM %s GROUP BY %s)",
		t.from, listOf(columns)))
	return err == nil && found[0] == groups, err
}

// constant returns which columns have one value in each group of the rows. All of them are compared in one pass: a group is
// constant if its smallest value is its largest, and either all of its rows have a value or none.
func (t *surveyed) constant(end time.Time, by *surveyedColumn, columns []*surveyedColumn, from string) ([]*surveyedColumn, error) {
	var out []*surveyedColumn
	for first := 0; first < len(columns); first += dependentMax {
		batch := columns[first:min(first+dependentMax, len(columns))]
		outer, inner := make([]string, len(batch)), make([]string, len(batch))
		for i, c := range batch {
			name := sqltext.QuoteName(c.Name)
			inner[i] = fmt.Sprintf("(min(%[1]s) IS NOT DISTINCT FROM max(%[1]s) AND (count(%[1]s) = 0 OR count(%[1]s) = count(*))) AS d%[2]d",
				name, i)
			outer[i] = fmt.Sprintf("bool_and(d%d)::VARCHAR", i)
		}
		found, err := t.s.rows(time.Until(end), fmt.Sprintf("SELECT %s FROM (SELECT %s FROM %s GROUP BY %s)",
			strings.Join(outer, ", "), strings.Join(inner, ", "), from, sqltext.QuoteName(by.Name)))
		if err != nil {
			return nil, err
		}
		for i, c := range batch {
			if found[0][i] == "true" {
				out = append(out, c)
			}
		}
	}
	return out, nil
}
