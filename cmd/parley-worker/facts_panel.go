package main

// Panels: tables with a row for each entity in each of many periods, and how their numbers move along the periods.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

const (
	// A panel has on average at least so many rows in a period, and so many periods of an entity. Without both, a salary
	// and the date of an application would be one , though a table of people is none.
	rowsOfPeriod, periodsOfEntity = 2, 3
	// sampledEntities is the share of the entities whose numbers are followed in a large table: one in so many.
	sampledEntities = 16
	// The most numbers that are followed, in one statement and in all, and the most that are compared with each other.
	followedAtOnce, followedMax, comparedMax = 10, 40, 12
	// movesLeast is how often a column of changes must differ from 0: a column of zeros is the change of a constant one.
	movesLeast = 3
	// The most entities and periods that are tried in a table that has another key.
	entitiesTried, periodsTried = 4, 2
	// Integers in this range may be years.
	yearLeast, yearMost = 1500, 2200
)

// findPanel looks for the entity and the period of a panel, and follows its numbers.
func (t *surveyed) findPanel() error {
	if t.facts.Rows < rowsOfPeriod*periodsOfEntity {
		return nil
	}
	end := time.Now().Add(panelTime)
	entity, period, err := t.panel(end)
	if errors.Is(err, errUnfit) {
		t.leaveOut(domain.FactPanel)
		return nil
	}
	if err != nil || period == nil {
		return err
	}
	t.facts.Panel = &domain.PanelFacts{Entity: namesOf(entity), Period: period.Name}
	numbers := t.followed(entity, period)
	if err := t.follow(end, entity, period, numbers); err != nil {
		if errors.Is(err, errUnfit) {
			t.leaveOut(domain.FactSeries)
			return nil
		}
		return err
	}
	err = t.findChanges(end, entity, period, numbers[:min(comparedMax, len(numbers))])
	if errors.Is(err, errUnfit) {
		t.leaveOut(domain.FactChanges)
		return nil
	}
	return err
}

// panel finds entity and period: in the composite keys first, then, in a table that has an id of its own, among the
// columns that repeat.
func (t *surveyed) panel(end time.Time) (entity []*surveyedColumn, period *surveyedColumn, err error) {
	periods, err := t.periods(end)
	if err != nil {
		return nil, nil, err
	}
	for _, key := range t.facts.Keys {
		columns := t.choose(key)
		if len(columns) < 2 {
			continue
		}
		for _, p := range periods {
			rest := slices.DeleteFunc(slices.Clone(columns), func(c *surveyedColumn) bool { return c == p })
			// A key of two dates has no entity.
			if len(rest) == len(columns)-1 && !slices.ContainsFunc(rest, func(c *surveyedColumn) bool { return slices.Contains(periods, c) }) {
				is, err := t.isPanel(end, rest, p)
				if is || err != nil {
					return rest, p, err
				}
			}
		}
	}
	if len(t.facts.Keys) == 0 || len(t.facts.Keys[0]) > 1 {
		return nil, nil, nil // all pairs were tried as keys
	}
	for _, p := range periods[:min(periodsTried, len(periods))] {
		for _, e := range t.entities(periods) {
			is, err := t.isPanel(end, []*surveyedColumn{e}, p)
			if err != nil || !is {
				if err != nil {
					return nil, nil, err
				}
				continue
			}
			unique, err := t.proveKey(end, []*surveyedColumn{e, p})
			if err != nil {
				return nil, nil, err
			}
			if unique {
				// The pair is a key of the table too, beside its id.
				t.facts.Keys = append(t.facts.Keys, []string{e.Name, p.Name})
				return []*surveyedColumn{e}, p, nil
			}
		}
	}
	return nil, nil, nil
}

// entities chooses the columns that may name the entity in a table with another key.
func (t *surveyed) entities(periods []*surveyedColumn) []*surveyedColumn {
	var out []*surveyedColumn
	for _, c := range t.columns {
		if t.canKey(c) && !c.class.isTime() && !slices.Contains(periods, c) && c.estimate > 1 && c.estimate < t.facts.Rows {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *surveyedColumn) int { return cmp.Compare(t.rank(a), t.rank(b)) })
	return out[:min(entitiesTried, len(out))]
}

// periods lists the columns that may be the period: dates and times, years, and texts named so that sort like their
// periods, as 2026-03 or 2026-Q1 do.
func (t *surveyed) periods(end time.Time) ([]*surveyedColumn, error) {
	var out []*surveyedColumn
	for _, c := range t.columns {
		if c.Missing > 0 || c.estimate < periodsOfEntity {
			continue
		}
		switch {
		case c.class.isTime():
			out = append(out, c)
		case c.class == classInteger && periodNamed(c.words) && yearsIn(c):
			out = append(out, c)
		case c.class == classText && periodNamed(c.words):
			const sortable = `'[0-9]{4}(-?(0[1-9]|1[0-2])(-?[0-3][0-9])?|-?Q[1-4]|-?W[0-9]{2})?'`
			found, err := t.s.rows(time.Until(end), fmt.Sprintf("SELECT bool_and(regexp_full_match(%s, %s))::VARCHAR FROM %s",
				sqltext.QuoteName(c.Name), sortable, t.from))
			if err != nil {
				return nil, err
			}
			if found[0][0] == "true" {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// yearsIn reports whether the values of a column of integers are in the range of years.
func yearsIn(c *surveyedColumn) bool {
	if c.Min == nil || c.Max == nil {
		return false
	}
	least, errLeast := strconv.Atoi(*c.Min)
	most, errMost := strconv.Atoi(*c.Max)
	return errLeast == nil && errMost == nil && least >= yearLeast && most <= yearMost
}

// isPanel compares the two means, with exact numbers of entities and of periods.
func (t *surveyed) isPanel(end time.Time, entity []*surveyedColumn, period *surveyedColumn) (bool, error) {
	periods, err := t.exactly(time.Until(end), period)
	if err != nil || t.facts.Rows < rowsOfPeriod*periods {
		return false, err
	}
	var entities int64
	if len(entity) == 1 {
		entities, err = t.exactly(time.Until(end), entity[0])
	} else {
		entities, err = t.distinct(time.Until(end), entity...)
	}
	return err == nil && t.facts.Rows >= periodsOfEntity*entities, err
}

// followed chooses the numbers whose movement says something: those that measure and do not name.
func (t *surveyed) followed(entity []*surveyedColumn, period *surveyedColumn) []*surveyedColumn {
	var out []*surveyedColumn
	for _, c := range t.columns {
		if c.class.isNumber() && c != period && !slices.Contains(entity, c) && !keyLike(c.words) && c.Missing < t.facts.Rows {
			out = append(out, c)
		}
	}
	return out[:min(followedMax, len(out))]
}

// sample is the condition that chooses whole entities of a large table.
func (t *surveyed) sample(entity []*surveyedColumn) string {
	if t.facts.Rows <= countedRows {
		return ""
	}
	return fmt.Sprintf(" WHERE hash(%s) %% %d = 0", listOf(entity), sampledEntities)
}

// steps is a relation of the numbers c0, c1 … beside those of the same entity in the period before, p0, p1 ….
func (t *surveyed) steps(entity []*surveyedColumn, period *surveyedColumn, numbers []*surveyedColumn, where string) string {
	parts := make([]string, len(numbers))
	for i, c := range numbers {
		parts[i] = fmt.Sprintf("%[1]s AS c%[2]d, lag(%[1]s) OVER w AS p%[2]d", sqltext.QuoteName(c.Name), i)
	}
	return fmt.Sprintf("(SELECT %s FROM %s%s WINDOW w AS (PARTITION BY %s ORDER BY %s))",
		strings.Join(parts, ", "), t.from, where, listOf(entity), sqltext.QuoteName(period.Name))
}

// follow counts the steps of each number along the periods.
func (t *surveyed) follow(end time.Time, entity []*surveyedColumn, period *surveyedColumn, numbers []*surveyedColumn) error {
	where := t.sample(entity)
	entities, err := t.s.numbers(time.Until(end), fmt.Sprintf("SELECT count(*)::VARCHAR FROM (SELECT 1 FROM %s%s GROUP BY %s)",
		t.from, where, listOf(entity)))
	if err != nil {
		return err
	}
	t.facts.Panel.Series, err = t.moves(end, entity, period, numbers, where)
	for i := range t.facts.Panel.Series {
		t.facts.Panel.Series[i].SampledEntities = entities[0]
	}
	return err
}

// moves counts the steps of each number along the periods, of the rows that where chooses. It returns those that it has counted
// also with an error.
func (t *surveyed) moves(
	end time.Time, entity []*surveyedColumn, period *surveyedColumn, numbers []*surveyedColumn, where string,
) (out []domain.SeriesFacts, err error) {
	const each = 6 // cells of a number
	for first := 0; first < len(numbers); first += followedAtOnce {
		batch := numbers[first:min(first+followedAtOnce, len(numbers))]
		parts := make([]string, len(batch))
		for i := range batch {
			known := fmt.Sprintf("c%[1]d IS NOT NULL AND p%[1]d IS NOT NULL", i)
			parts[i] = fmt.Sprintf("count(*) FILTER (%[2]s)::VARCHAR, count(*) FILTER (c%[1]d = p%[1]d)::VARCHAR, "+
				"count(*) FILTER (c%[1]d < p%[1]d)::VARCHAR, count(*) FILTER (c%[1]d > p%[1]d)::VARCHAR, "+
				"count(*) FILTER (c%[1]d = 0)::VARCHAR, count(c%[1]d)::VARCHAR", i, known)
		}
		found, err := t.s.numbers(time.Until(end), "SELECT "+strings.Join(parts, ", ")+" FROM "+t.steps(entity, period, batch, where))
		if err != nil {
			return out, err
		}
		for i, c := range batch {
			n := found[each*i:]
			out = append(out, domain.SeriesFacts{
				Column: c.Name, Steps: n[0], Equal: n[1], Falling: n[2], Rising: n[3], Zero: n[4], Values: n[5],
			})
		}
	}
	return out, nil
}

// findChanges looks for columns that hold the change of another one, which proves that the other one is a level. Pairs are
// filtered by the sample and proven over all rows.
func (t *surveyed) findChanges(end time.Time, entity []*surveyedColumn, period *surveyedColumn, numbers []*surveyedColumn) error {
	var pairs [][2]int
	for level := range numbers {
		for change := range numbers {
			if level != change {
				pairs = append(pairs, [2]int{level, change})
			}
		}
	}
	pairs, err := t.changes(end, t.steps(entity, period, numbers, t.sample(entity)), numbers, pairs)
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		two := []*surveyedColumn{numbers[pair[0]], numbers[pair[1]]}
		if t.sample(entity) != "" {
			held, err := t.changes(end, t.steps(entity, period, two, ""), two, [][2]int{{0, 1}})
			if err != nil {
				return err
			}
			if len(held) == 0 {
				continue
			}
		}
		for i := range t.facts.Panel.Series {
			// The first column that fits is named, if there are several.
			if s := &t.facts.Panel.Series[i]; s.Column == two[0].Name && s.ChangeColumn == "" {
				s.ChangeColumn = two[1].Name
			}
		}
	}
	return nil
}

// changes returns the pairs whose second number is the change of the first one in all steps where both are known.
func (t *surveyed) changes(end time.Time, steps string, numbers []*surveyedColumn, pairs [][2]int) ([][2]int, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	parts := make([]string, len(pairs))
	for i, pair := range pairs {
		level, change := fmt.Sprintf("c%d", pair[0]), fmt.Sprintf("c%d", pair[1])
		before := fmt.Sprintf("p%d", pair[0])
		known := fmt.Sprintf("%s IS NOT NULL AND %s IS NOT NULL AND %s IS NOT NULL", level, before, change)
		parts[i] = fmt.Sprintf("count(*) FILTER (%[1]s AND NOT (%[2]s))::VARCHAR, count(*) FILTER (%[1]s AND %[3]s <> 0)::VARCHAR",
			known, difference(level, before, change, numbers[pair[0]].class, numbers[pair[1]].class), change)
	}
	found, err := t.s.numbers(time.Until(end), "SELECT "+strings.Join(parts, ", ")+" FROM "+steps)
	if err != nil {
		return nil, err
	}
	var out [][2]int
	for i, pair := range pairs {
		if found[2*i] == 0 && found[2*i+1] >= movesLeast {
			out = append(out, pair)
		}
	}
	return out, nil
}

// difference is the condition that the level has changed by the change. Integers and decimals are compared exactly, in a
// type that has room for each of them; floating point numbers within one part in 10⁹.
func difference(level, before, change string, levelClass, changeClass class) string {
	if levelClass == classFloat || changeClass == classFloat {
		return fmt.Sprintf("abs(%[1]s::DOUBLE - %[2]s::DOUBLE - %[3]s::DOUBLE) <= 1e-9 * greatest(1, abs(%[1]s::DOUBLE), abs(%[2]s::DOUBLE))",
			level, before, change)
	}
	const exact = "::DECIMAL(38,18)"
	return level + exact + " - " + before + exact + " = " + change + exact
}
