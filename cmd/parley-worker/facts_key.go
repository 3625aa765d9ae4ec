package main

// Keys: sets of columns in which no two rows are equal and nothing is missing.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"parley.dev/parley/domain"
)

const (
	// triedRows are the first rows of a large table in which a candidate is tried before it is proven over all of them.
	triedRows = 200_000
	// The most keys that are named, the most columns that are combined to pairs, of a table with few rows and of one with
	// many, and the most that are combined to triples.
	keysMax, pairedFew, pairedMany, tripledMax = 8, 14, 8, 6
	// surely is the share of the rows above which an estimate makes a column a candidate whatever its name, and hardly
	// the share below which a column cannot be a key: estimates were wrong by at most 16 per cent.
	surely, hardly = 0.8, 0.5
	// slack is how much larger than its estimates a product of numbers of values may be.
	slack = 1.4
)

// The ranks of columns as keys: the best names come first.
const (
	rankOwn   = iota // the table's own id
	rankKey          // named like a key
	rankNoun         // named like the table's rows
	rankPlain        // any other text or integer
	rankTime
)

// rank says how likely a column is the key that people mean.
func (t *surveyed) rank(c *surveyedColumn) int {
	switch {
	case c.class.isTime():
		return rankTime
	case keyLike(c.words) && (len(c.words) == 1 && keyWord(c.words[0]) || namesNoun(stemOf(c.words), t.nouns)):
		return rankOwn
	case keyLike(c.words):
		return rankKey
	case namesNoun(c.words, t.nouns):
		return rankNoun
	}
	return rankPlain
}

// canKey reports whether a column may be a part of a key. Fractions measure something, and two values of a boolean name
// nothing by themselves.
func (t *surveyed) canKey(c *surveyedColumn) bool {
	return c.Missing == 0 && (c.class == classText || c.class == classInteger || c.class.isTime())
}

// findKeys finds the keys of the table: single columns, else pairs, else triples. A date is a key only in a table
// without another one, such as one row for each day.
func (t *surveyed) findKeys() error {
	if t.facts.Rows == 0 {
		return nil
	}
	end := time.Now().Add(keysTime)
	if err := t.singleKeys(end); err != nil {
		return err
	}
	for _, size := range []int{2, 3} {
		// Of one row any column is a key, so there is nothing to combine.
		if len(t.facts.Keys) > 0 || t.facts.Rows == 1 {
			return nil
		}
		if err := t.compositeKeys(end, size); err != nil {
			return err
		}
	}
	return nil
}

// singleKeys finds the columns that are keys by themselves.
func (t *surveyed) singleKeys(end time.Time) error {
	var all []*surveyedColumn
	for _, c := range t.columns {
		if t.canKey(c) && t.mayBeUnique(c) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *surveyedColumn) int { return cmp.Compare(t.rank(a), t.rank(b)) })
	for _, c := range all {
		if len(t.facts.Keys) == keysMax || c.class.isTime() && len(t.facts.Keys) > 0 {
			return nil
		}
		is, err := t.proveKey(end, []*surveyedColumn{c})
		if err != nil {
			return err
		}
		if is {
			t.facts.Keys = append(t.facts.Keys, []string{c.Name})
			c.Distinct, c.estimate = &t.facts.Rows, t.facts.Rows
		}
	}
	return nil
}

// mayBeUnique filters candidates: by the exact number of values if it is known, else by the range and the estimate.
func (t *surveyed) mayBeUnique(c *surveyedColumn) bool {
	if c.Distinct != nil {
		return *c.Distinct == t.facts.Rows
	}
	if t.facts.Rows <= countedRows {
		return true // the count did not fit, and the proof stops at the first value that stands twice
	}
	rows, estimate := float64(t.facts.Rows), float64(c.estimate)
	if estimate < hardly*rows {
		return false
	}
	return c.place == 0 || t.rank(c) <= rankNoun || estimate >= surely*rows
}

// proveKey decides exactly whether some columns are a key. What does not fit is noted and counts as no key.
func (t *surveyed) proveKey(end time.Time, columns []*surveyedColumn) (bool, error) {
	is, err := t.isKey(end, columns)
	if errors.Is(err, errUnfit) {
		t.leaveOut(domain.FactKeys)
		return false, nil
	}
	return is, err
}

func (t *surveyed) isKey(end time.Time, columns []*surveyedColumn) (bool, error) {
	if len(columns) == 1 && columns[0].Distinct != nil {
		return *columns[0].Distinct == t.facts.Rows, nil
	}
	names := listOf(columns)
	// Most candidates have equal rows near the beginning, which costs a fraction of the whole.
	if t.facts.Rows > triedRows {
		found, err := t.s.rows(time.Until(end), fmt.Sprintf(
			"SELECT '1' FROM (SELECT %s FROM %s LIMIT %d) GROUP BY %s HAVING count(*) > 1 LIMIT 1",
			names, t.from, triedRows, names))
		if err != nil || len(found) > 0 {
			return false, err
		}
	}
	found, err := t.s.rows(time.Until(end), fmt.Sprintf("SELECT '1' FROM %s GROUP BY %s HAVING count(*) > 1 LIMIT 1", t.from, names))
	return err == nil && len(found) == 0, err
}

// compositeKeys finds keys of several columns. The combinations are tried in the order of their names, and once a key is
// found only those that are named as well: any wide table has combinations that are unique by chance.
func (t *surveyed) compositeKeys(end time.Time, size int) error {
	most := pairedFew
	switch {
	case size > 2:
		most = tripledMax
	case t.facts.Rows > countedRows:
		most = pairedMany
	}
	var parts []*surveyedColumn
	for _, c := range t.columns {
		if t.canKey(c) && c.estimate > 1 {
			parts = append(parts, c)
		}
	}
	weight := func(c *surveyedColumn) int {
		// In a combination a date is as good as an id, as for each account and month, and so is a line of an order.
		if c.class.isTime() || keyLike(c.words) || periodNamed(c.words) || placeNamed(c.words) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(parts, func(a, b *surveyedColumn) int {
		return cmp.Or(cmp.Compare(weight(a), weight(b)), -cmp.Compare(a.estimate, b.estimate))
	})
	sets := combinations(parts[:min(most, len(parts))], size)
	total := func(set []*surveyedColumn) int {
		sum := 0
		for _, c := range set {
			sum += weight(c)
		}
		return sum
	}
	slices.SortStableFunc(sets, func(a, b []*surveyedColumn) int { return cmp.Compare(total(a), total(b)) })
	last := 0
	for _, set := range sets {
		if len(t.facts.Keys) > 0 && total(set) > last || len(t.facts.Keys) == keysMax {
			return nil
		}
		last = total(set)
		if !t.mayBeTogether(set) {
			continue
		}
		is, err := t.proveKey(end, set)
		if err != nil {
			return err
		}
		if is {
			// The columns stand in the order of the table.
			slices.SortFunc(set, func(a, b *surveyedColumn) int { return cmp.Compare(a.place, b.place) })
			t.facts.Keys = append(t.facts.Keys, namesOf(set))
		}
	}
	return nil
}

// mayBeTogether reports whether there are enough combinations of values for all rows.
func (t *surveyed) mayBeTogether(set []*surveyedColumn) bool {
	product, exact := 1.0, true
	for _, c := range set {
		product *= float64(c.estimate)
		exact = exact && c.Distinct != nil
	}
	if !exact {
		product *= slack
	}
	return product >= float64(t.facts.Rows)
}

// combinations lists the subsets of a size, those of the first columns first.
func combinations(columns []*surveyedColumn, size int) [][]*surveyedColumn {
	if size == 0 {
		return [][]*surveyedColumn{nil}
	}
	var out [][]*surveyedColumn
	for i := range columns {
		for _, rest := range combinations(columns[i+1:], size-1) {
			out = append(out, append([]*surveyedColumn{columns[i]}, rest...))
		}
	}
	return out
}

// isNamedKey reports whether these columns are among the keys.
func (t *surveyed) isNamedKey(columns []*surveyedColumn) bool {
	return slices.ContainsFunc(t.facts.Keys, func(key []string) bool {
		return len(key) == len(columns) && !slices.ContainsFunc(columns, func(c *surveyedColumn) bool { return !slices.Contains(key, c.Name) })
	})
}

// lost counts, for the keys of the file before, what stands twice now. A key whose columns are gone is left out.
func (s *survey) lost(tables []*surveyed, before *domain.SourceFacts) ([]domain.LostKey, error) {
	var out []domain.LostKey
	for i := range before.Tables {
		old := &before.Tables[i]
		at := slices.IndexFunc(tables, func(t *surveyed) bool { return t.facts.Table == old.Table })
		if at < 0 {
			continue
		}
		for _, key := range old.Keys {
			lost, err := tables[at].lostKey(key)
			if errors.Is(err, errUnfit) {
				tables[at].leaveOut(domain.FactKeys)
				continue
			}
			if err != nil {
				return nil, err
			}
			if lost != nil {
				out = append(out, *lost)
			}
		}
	}
	return out, nil
}

// lostKey says why some columns are no key; nil if they are one, or if one of them is gone.
func (t *surveyed) lostKey(key []string) (*domain.LostKey, error) {
	columns := t.choose(key)
	if columns == nil || t.isNamedKey(columns) || t.facts.Rows == 0 {
		return nil, nil //nolint:nilnil // the key is not lost
	}
	found, err := t.s.numbers(keysTime, fmt.Sprintf(
		"SELECT count(*)::VARCHAR FROM (SELECT 1 FROM %s WHERE %s GROUP BY %s HAVING count(*) > 1)",
		t.from, noneMissing(columns), listOf(columns)))
	if err != nil {
		return nil, err
	}
	absent, err := t.s.numbers(keysTime, fmt.Sprintf("SELECT count(*)::VARCHAR FROM %s WHERE NOT (%s)", t.from, noneMissing(columns)))
	if err != nil || found[0] == 0 && absent[0] == 0 {
		return nil, err
	}
	return &domain.LostKey{Table: t.facts.Table, Columns: key, Repeated: found[0], Missing: absent[0]}, nil
}
