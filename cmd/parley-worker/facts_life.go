package main

// How the entities of a panel live: whether they have a row in each period, when they begin, and which flag says that they
// have ended. It tells a level of a month from readings taken now and then, and customers who are still there from all that
// ever were.

import (
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
	// recentPeriods are the last periods whose rows are counted: a year and the one before it.
	recentPeriods = 13
	// The most flags and dates that are compared with the lives of the entities.
	flagsMax, birthsMax = 8, 4
)

// yesWords are the texts that say yes in a column of two values.
func yesWords() []string {
	return []string{"yes", "y", "true", "t", "ja", "j", "oui", "si", "sí", "1", "x"}
}

// findLives measures the lives of the entities of the panel that was found.
func (t *surveyed) findLives() error {
	p := t.facts.Panel
	if p == nil {
		return nil
	}
	end := time.Now().Add(panelTime)
	entity, period := t.choose(p.Entity), t.column(p.Period)
	for _, part := range []func(time.Time, []*surveyedColumn, *surveyedColumn) error{t.recent, t.lived, t.flags, t.births} {
		err := part(end, entity, period)
		if errors.Is(err, errUnfit) {
			t.leaveOut(domain.FactLives)
			return nil
		}
		if err != nil {
			return fmt.Errorf("measure the lives of a panel: %w", err)
		}
	}
	return nil
}

// recent counts the rows of the last periods.
func (t *surveyed) recent(end time.Time, _ []*surveyedColumn, period *surveyedColumn) error {
	found, err := t.s.rows(time.Until(end), fmt.Sprintf("SELECT p::VARCHAR, n::VARCHAR FROM (SELECT %[1]s AS p, count(*) AS n FROM %[2]s "+
		"WHERE %[1]s IS NOT NULL GROUP BY 1 ORDER BY 1 DESC LIMIT %[3]d) ORDER BY p", sqltext.QuoteName(period.Name), t.from, recentPeriods))
	if err != nil {
		return err
	}
	for _, row := range found {
		n, err := strconv.ParseInt(row[1], 10, 64)
		if err != nil {
			return fmt.Errorf("read a count: %w", err)
		}
		t.facts.Panel.Recent = append(t.facts.Panel.Recent, domain.PeriodFacts{Period: row[0], Rows: n})
	}
	return nil
}

// numbered are the periods of the table in their order, with the one that follows: p, n and following.
func (t *surveyed) numbered(period *surveyedColumn) string {
	return fmt.Sprintf("(SELECT p, row_number() OVER (ORDER BY p) AS n, lead(p) OVER (ORDER BY p) AS following FROM "+
		"(SELECT DISTINCT %[1]s AS p FROM %[2]s WHERE %[1]s IS NOT NULL))", sqltext.QuoteName(period.Name), t.from)
}

// lived adds up the periods from the first to the last one of each entity.
func (t *surveyed) lived(end time.Time, entity []*surveyedColumn, period *surveyedColumn) error {
	numbered := t.numbered(period)
	found, err := t.s.numbers(time.Until(end), fmt.Sprintf("SELECT sum(b.n - a.n + 1)::BIGINT::VARCHAR FROM "+
		"(SELECT min(%[1]s) AS first, max(%[1]s) AS last FROM %[2]s GROUP BY %[3]s) JOIN %[4]s a ON a.p = first JOIN %[4]s b ON b.p = last",
		sqltext.QuoteName(period.Name), t.from, listOf(entity), numbered))
	if err != nil {
		return err
	}
	t.facts.Panel.Lived = found[0]
	return nil
}

// yesOf is the condition that a column says yes; empty if it is no column of yes and no.
func (t *surveyed) yesOf(end time.Time, c *surveyedColumn) (string, error) {
	name := sqltext.QuoteName(c.Name)
	switch {
	case c.class == classBoolean:
		return name, nil
	case c.class == classInteger && c.Min != nil && *c.Min == "0" && *c.Max == "1":
		return name + " = 1", nil
	case c.class != classText || c.Distinct == nil || *c.Distinct > 2 || *c.Distinct < 1:
		return "", nil
	}
	found, err := t.s.rows(time.Until(end), fmt.Sprintf("SELECT DISTINCT %[1]s FROM %[2]s WHERE %[1]s IS NOT NULL", name, t.from))
	if err != nil {
		return "", err
	}
	for _, row := range found {
		if slices.Contains(yesWords(), strings.ToLower(row[0])) {
			return name + " = " + sqltext.QuoteText(row[0]), nil
		}
	}
	return "", nil
}

// flags counts how often each flag says yes, and how often in the last row of an entity.
func (t *surveyed) flags(end time.Time, entity []*surveyedColumn, period *surveyedColumn) error {
	var parts, names []string
	for _, c := range t.columns {
		yes, err := t.yesOf(end, c)
		if err != nil {
			return err
		}
		if yes == "" || slices.Contains(entity, c) || len(names) == flagsMax {
			continue
		}
		names = append(names, c.Name)
		parts = append(parts, fmt.Sprintf("count(*) FILTER (%[1]s)::VARCHAR, count(*) FILTER (%[1]s AND %[2]s = final_period)::VARCHAR",
			yes, sqltext.QuoteName(period.Name)))
	}
	if len(names) == 0 {
		return nil
	}
	found, err := t.s.numbers(time.Until(end), fmt.Sprintf("SELECT %s FROM (SELECT *, max(%s) OVER (PARTITION BY %s) AS final_period FROM %s)",
		strings.Join(parts, ", "), sqltext.QuoteName(period.Name), listOf(entity), t.from))
	if err != nil {
		return err
	}
	for i, name := range names {
		t.facts.Panel.Flags = append(t.facts.Panel.Flags, domain.FlagFacts{Column: name, Yes: found[2*i], Last: found[2*i+1]})
	}
	return nil
}

// births compares the dates that are constant for each entity with its first period.
func (t *surveyed) births(end time.Time, entity []*surveyedColumn, period *surveyedColumn) error {
	if !period.class.isTime() || len(entity) != 1 {
		return nil
	}
	at := slices.IndexFunc(t.facts.Implied, func(i domain.Implication) bool { return slices.Equal(i.By, t.facts.Panel.Entity) })
	if at < 0 {
		return nil
	}
	var parts, chosen, names []string
	for _, name := range t.facts.Implied[at].Columns {
		if c := t.column(name); c != nil && c.class.isTime() && c != period && len(names) < birthsMax {
			born := fmt.Sprintf("b%d", len(names))
			chosen = append(chosen, fmt.Sprintf("any_value(%s)::TIMESTAMP AS %s", sqltext.QuoteName(name), born))
			parts = append(parts,
				fmt.Sprintf("count(%[1]s)::VARCHAR, count(*) FILTER (%[1]s >= p AND (following IS NULL OR %[1]s < following))::VARCHAR",
					born))
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	found, err := t.s.numbers(time.Until(end),
		fmt.Sprintf("SELECT %s FROM (SELECT min(%s) AS first, %s FROM %s GROUP BY %s) JOIN %s ON p = first "+
			"WHERE n > 1", strings.Join(parts, ", "), sqltext.QuoteName(period.Name), strings.Join(chosen, ", "), t.from, listOf(entity),
			t.numbered(period)))
	if err != nil {
		return err
	}
	for i, name := range names {
		t.facts.Panel.Births = append(t.facts.Panel.Births, domain.BirthFacts{Column: name, Entities: found[2*i], Equal: found[2*i+1]})
	}
	return nil
}
